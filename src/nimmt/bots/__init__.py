"""What a seat can think with: a bot gets a view and the legal actions, never the state."""

from nimmt.bots.bot import BOTS, SIMPLE, Bot, UnknownBot, get_bot, is_compiled, puzzle_player, warm_up
from nimmt.bots.levels import LEVELS, Level

__all__ = [
    "BOTS",
    "LEVELS",
    "SIMPLE",
    "Bot",
    "Level",
    "UnknownBot",
    "get_bot",
    "is_compiled",
    "puzzle_player",
    "warm_up",
]
