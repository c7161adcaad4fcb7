"""What a seat can decide in 6 nimmt!"""

from __future__ import annotations

from nimmt.rules.game import Action


class PlayCard(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Choose a card in secret, perhaps with the twist card; may be changed until all have chosen."""

    card: int
    twisted: bool = False


class ChooseRow(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Rule 4: take this row."""

    row: int


class DraftCard(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    card: int
