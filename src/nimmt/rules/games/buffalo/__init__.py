"""Beat the Buffalo: the co-operative game of the jubilee box."""

from nimmt.rules.games.buffalo.game import BUFFALO_GAME as GAME

__all__ = ["GAME"]
