"""What a seat can decide in Baron Oxx."""

from __future__ import annotations

from nimmt.rules.game import Action


class PlayCard(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Choose a card in secret; may be changed until all have chosen."""

    card: int


class ChooseRow(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Add the own card to this row, or take it if the card fits no row (rule 3)."""

    row: int
