"""People: guests and their devices, names, privacy, and what is done about those who spoil the game."""
