"""What a seat can decide in X nimmt!"""

from __future__ import annotations

from nimmt.rules.game import Action


class PlayCard(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Choose a card in secret; may be changed until all have chosen."""

    card: int


class ChooseRow(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Rule 4: take this row."""

    row: int


class KeepCard(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Put this one of the cards just taken into the own X row."""

    card: int
