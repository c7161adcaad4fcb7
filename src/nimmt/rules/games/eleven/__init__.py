"""11 nimmt!: piles that grow in small steps, and bull cards for those who take the large ones."""

from nimmt.rules.games.eleven.game import ELEVEN as GAME

__all__ = ["GAME"]
