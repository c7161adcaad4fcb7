"""Tables for friends, bots and onlookers."""
