"""6 nimmt!: the basic game, the tactical draft and the four fan cards."""

from nimmt.games.six.rules import SIX as GAME

__all__ = ["GAME"]
