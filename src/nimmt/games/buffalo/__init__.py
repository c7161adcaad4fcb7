"""Beat the Buffalo: the co-operative game of the jubilee box."""

from nimmt.games.buffalo.rules import BUFFALO_GAME as GAME

__all__ = ["GAME"]
