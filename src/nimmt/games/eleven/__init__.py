"""11 nimmt!: piles that grow in small steps, and bull cards for those who take the large ones."""

from nimmt.games.eleven.rules import ELEVEN as GAME

__all__ = ["GAME"]
