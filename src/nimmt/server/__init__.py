"""Tables for friends, bots and spectators."""
