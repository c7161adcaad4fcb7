"""Baron Oxx: colours decide where a card may lie; with both variants of its rulebook."""

from nimmt.rules.games.baron.game import BARON as GAME

__all__ = ["GAME"]
