"""Positions set up by hand, for tests and for asking what the rules say."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from nimmt.games.baron.rules import BARON
from nimmt.games.baron.types import Options, State, bare_table
from nimmt.rules.kit.cards import sorted_hands


def table_position(
    rows: Sequence[Sequence[int]],
    hands: Sequence[Sequence[int]],
    draw_piles: Sequence[Sequence[int]] | None = None,
    options: Options | None = None,
) -> State:
    """All are about to choose, one seat for each hand; draw piles have their top card first.

    Raises `InvalidPosition` where the rules could not go on.
    """
    seats = len(hands)
    table = replace(bare_table(options or Options(), seats), phase="choose", rows=tuple(map(tuple, rows)))
    state = State(
        table,
        sorted_hands(hands),
        ((),) * seats if draw_piles is None else tuple(map(tuple, draw_piles)),
        (None,) * seats,
        tuple(range(seats)),
    )
    BARON.check(state)
    return state
