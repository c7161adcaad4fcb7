"""What a seat can think with: a bot gets a view and the legal actions, never the state."""

from nimmt.bots.bot import BOTS, Bot, UnknownBot, get_bot

__all__ = ["BOTS", "Bot", "UnknownBot", "get_bot"]
