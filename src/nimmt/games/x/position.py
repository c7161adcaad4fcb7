"""Positions made by hand: the middle of a round as it lies on somebody's table."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt.games.x.rules import X
from nimmt.games.x.types import Options, State, Table
from nimmt.rules.game import Rows

Lists = Sequence[Sequence[int]]


def table_position(
    rows: Lists,
    hands: Lists,
    x_rows: Lists | None = None,
    x_piles: Lists | None = None,
    options: Options | None = None,
) -> State:
    """Everybody is about to choose from the hands given; raises `InvalidPosition`. One seat is enough."""
    seats = len(hands)
    nothing: Rows = ((),) * seats
    table = Table(
        options=options or Options(),
        seats=seats,
        phase="choose",
        round=1,
        rows=_tuples(rows),
        queue=(),
        taken=None,
        x_rows=nothing if x_rows is None else _tuples(x_rows),
        x_piles=nothing if x_piles is None else _tuples(x_piles),
        known=nothing,
        scores=(),
    )
    held = tuple(tuple(sorted(hand)) for hand in hands)
    state = State(table, held, (None,) * seats, tuple(range(seats)))
    X.check(state)
    return state


def _tuples(cards: Lists) -> Rows:
    return tuple(map(tuple, cards))
