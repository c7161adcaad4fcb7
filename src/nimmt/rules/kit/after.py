"""What an event does to a view, in the games in which all choose in secret, reveal, and place from the lowest card on.

Their views have a `table` with `phase` and `queue`, and beside it `hand`, `choice`, `waiting` and `hand_sizes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, cast

from msgspec.structs import replace

from nimmt.rules.game import Cards, Seat, Value

V = TypeVar("V", bound=Value)


def own_cards(seat: Seat | None, cards: Sequence[Cards | None]) -> Cards:
    """Of what each seat got to see alone, that which this seat (None: a spectator) sees."""
    return (cards[seat] or ()) if seat is not None else ()


def dealt(view: V, table: Value, hands: Sequence[Cards | None], size: int) -> V:
    """A round begins at this table: everybody holds so many cards and is to choose one."""
    seats = len(hands)
    begun: Any = replace(
        cast(Any, view),
        table=table,
        hand=own_cards(cast(Any, view).seat, hands),
        choice=None,
        waiting=tuple(range(seats)),
        hand_sizes=(size,) * seats,
    )
    return cast(V, begun)


def chosen(view: V, seat: Seat, choice: object) -> V:
    """A seat has chosen in secret; what, only its own view shows."""
    old: Any = view
    waiting = tuple(other for other in old.waiting if other != seat)
    return cast(V, replace(old, waiting=waiting, choice=choice if seat == old.seat else old.choice))


def revealed(view: V, plays: Sequence[Any]) -> V:
    """The cards of the turn have left the hands and lie in the order in which they will be placed."""
    old: Any = view
    played = {play.card for play in plays}
    now: Any = replace(
        old,
        table=replace(old.table, phase="row", queue=tuple(plays)),
        hand=tuple(card for card in old.hand if card not in played),
        choice=None,
        waiting=(),
        hand_sizes=tuple(size - 1 for size in old.hand_sizes),
    )
    return cast(V, now)


def placed(view: V) -> V:
    """Where the turn is after a placement: the next card's owner decides, or, if all lie, all choose again.

    If that card can be placed without its owner, or if the round is over, the next event says so.
    """
    old: Any = view
    if old.table.queue:
        return cast(V, replace(old, table=replace(old.table, phase="row")))
    waiting = tuple(range(old.table.seats))
    return cast(V, replace(old, table=replace(old.table, phase="choose"), waiting=waiting))
