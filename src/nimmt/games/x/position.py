"""Positions made by hand: the middle of a round as it lies on somebody's table."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from nimmt.games.x.rules import X
from nimmt.games.x.types import Options, State, bare_table
from nimmt.rules.game import Rows
from nimmt.rules.kit.cards import sorted_hands

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
    bare = bare_table(options or Options(), seats)
    table = replace(
        bare,
        phase="choose",
        rows=_tuples(rows),
        x_rows=bare.x_rows if x_rows is None else _tuples(x_rows),
        x_piles=bare.x_piles if x_piles is None else _tuples(x_piles),
    )
    state = State(table, sorted_hands(hands), (None,) * seats, tuple(range(seats)))
    X.check(state)
    return state


def _tuples(cards: Lists) -> Rows:
    return tuple(map(tuple, cards))
