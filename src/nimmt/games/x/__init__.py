"""X nimmt!: taken cards come back to the hand, all but one for the X row."""

from nimmt.games.x.rules import X as GAME

__all__ = ["GAME"]
