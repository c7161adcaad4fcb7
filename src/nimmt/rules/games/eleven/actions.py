"""What a seat can decide in 11 nimmt! A turn is made of small steps, so that there are never many to choose from."""

from __future__ import annotations

from nimmt.rules.game import Action, Seat


class LayCard(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Lay a card on a pile. Without bull cards that is the whole turn."""

    card: int
    pile: int


class EndTurn(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Lay no more cards this turn."""


class TakePile(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Take a whole pile into the hand instead of laying."""

    pile: int


class ChooseGiver(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Say which of the seats with the most bull cards gives one away."""

    seat: Seat
