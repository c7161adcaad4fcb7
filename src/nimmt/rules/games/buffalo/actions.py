"""What a seat can decide in Beat the Buffalo, and the ways to use a special card."""

from __future__ import annotations

from typing import TypeAlias

from nimmt.rules.game import Action, Seat, Value


class PlayCard(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Choose a card in secret; may be changed until all have chosen."""

    card: int


class ChooseRow(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Rule 4: take this row for the team."""

    row: int


class SwapCard(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Swap!: play this card instead of the one taken back."""

    card: int


# -- uses of special cards ----------------------------------------------------------------------------------


class SpecialUse(Value, frozen=True, tag=True, tag_field="type", forbid_unknown_fields=True, gc=False):
    """Base of the ways to use a special card; named like the card, except `Lift`."""


class Take7(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    row: int


class Stop(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    row: int


class Lift(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    """Take the Stop! away from a row; no card is spent for it."""

    row: int


class Swap(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    seat: Seat


class Insert(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    """The next card goes into this row; the ascending order says where."""

    row: int


class Push(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    """A card that lies in a row moves to this row; the ascending order says where."""

    card: int
    row: int


class First(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    seat: Seat


class Last(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    seat: Seat


class Sort(SpecialUse, frozen=True, forbid_unknown_fields=True, gc=False):
    """The owners of all cards still to be placed, in their new order; the buffalo is -1."""

    order: tuple[Seat, ...]


AnyUse: TypeAlias = Take7 | Stop | Lift | Swap | Insert | Push | First | Last | Sort


# -- deciding about them ------------------------------------------------------------------------------------


class Propose(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Suggest to use a special card; it happens when all others agree."""

    use: AnyUse


class Agree(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    pass


class Decline(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """One seat that declines is enough to drop the proposal."""


class Withdraw(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Take the own proposal back."""


class Pass(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Wish for nothing (more) as things lie; holds until a special card is used or a card placed."""


class Use(Action, frozen=True, forbid_unknown_fields=True, gc=False):
    """Use a special card without asking, where the options allow it."""

    use: AnyUse
