"""Baron Oxx: colours decide where a card may lie; with both variants of its rulebook."""

from nimmt.games.baron.rules import BARON as GAME

__all__ = ["GAME"]
