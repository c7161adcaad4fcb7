"""Worked examples that random play hardly ever reaches, through the kernels: they do what the rules do."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, TypeAlias

import pytest

from nimmt.fast.game import get_fast
from nimmt.fast.proof import Comparison, compare_matches
from nimmt.games.buffalo import types as buffalo
from nimmt.games.buffalo.position import table_position as buffalo_position
from nimmt.games.buffalo.types import Options as BuffaloOptions
from nimmt.games.eleven.position import table_position as eleven_position
from nimmt.games.eleven.types import EndTurn, LayCard
from nimmt.games.six import types as six
from nimmt.games.six.fans import Markers
from nimmt.games.six.position import table_position as six_position
from nimmt.games.six.types import Options as SixOptions
from nimmt.rules.game import Action

Example: TypeAlias = tuple[Any, list[tuple[int, Action]]]


def cow_through_three_rows() -> Example:
    rows = [[50], [10, 99, 3, 4, 5], [11, 98, 6, 7, 8], [12, 97, 9, 13, 14]]
    options = SixOptions(fan=("cow", "twist"))
    state = six_position(rows, [[51, 60], [61, 62]], options=options, markers=Markers(cow=1))
    return state, [(0, six.PlayCard(51)), (1, six.PlayCard(61))]


def two_rows_emptied_by_push() -> Example:
    rows, hands = [[10], [20], [41, 42, 43, 44], [81, 82, 83, 84, 85]], [[50, 90], [60, 91]]
    options = BuffaloOptions(decide="anyone")
    state = buffalo_position(rows, hands, [70, 1], face_up=["Push", "Push"], options=options)
    first = [(0, buffalo.PlayCard(50)), (1, buffalo.PlayCard(60)), (0, buffalo.Pass()), (0, buffalo.Pass())]
    pushes = [(0, buffalo.Use(buffalo.Push(10, 2))), (0, buffalo.Use(buffalo.Push(60, 2)))]
    return state, [*first, *pushes, (0, buffalo.PlayCard(90)), (1, buffalo.PlayCard(91))]


def eight_piles_in_a_turn() -> Example:
    hand = [11, 15, *range(21, 92, 10)]
    state = eleven_position([[top] for top in range(10, 100, 10)], [hand, (2, 3)], bull_cards=[8, 0])
    laid = [(0, LayCard(10 * pile + 1, pile)) for pile in (8, 1, 7, 2, 6, 3, 5, 4)]
    return state, [*laid, (0, LayCard(15, 1)), (0, EndTurn())]


@pytest.mark.parametrize(
    ("game", "example"),
    [("six", cow_through_three_rows), ("buffalo", two_rows_emptied_by_push), ("eleven", eight_piles_in_a_turn)],
)
def test_an_example_goes_through_the_kernels_as_through_the_rules(game: str, example: Callable[[], Example]) -> None:
    fast = get_fast(game)
    state, moves = example()
    comparison = Comparison(fast, state.table.options, state.table.seats, Random(1))
    comparison.state, comparison.flat, comparison.picture = state, fast.load(state), fast.picture(state)
    comparison.flat["track"] = 1
    for seat, action in moves:
        comparison._choose(seat)  # what is legal is the same
        comparison._decide(seat, fast.encode(action))


def test_drafts_past_the_fifth_round_begin_with_the_same_seats() -> None:
    for seats in (2, 3, 4):
        compare_matches(get_fast("six"), SixOptions(draft=True, rounds=8), seats, Random(seats), 3)
