"""A kind of mistake is told from what happened in the worlds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from nimmt.bots.judge import Trial
from nimmt.games.six.types import ChooseRow, PlayCard
from nimmt.insight.reasons import ignores_standings, kind_of
from nimmt.rules.game import Foreseen

PLACED = (Foreseen(2, (), 0, "highest-end"),)
FITS_NONE = tuple(Foreseen(row, (row,), 1, "too-low") for row in (1, 2, 3, 4))
FITS_TWO = tuple(Foreseen(row, (), 0, "colour") for row in (1, 2))
CARDS = (PlayCard(3), PlayCard(50))


def trial(now: tuple[float, float], taken: tuple[float, float] = (0, 0)) -> Trial:
    """Two actions, done and best, in a few worlds that all end alike."""

    def column(values: Any) -> Any:
        return np.tile(np.array([*values, 0.0]), (4, 1))

    nothing = np.zeros((4, 3))
    return Trial(points=nothing, rival=nothing, soon=column(now), taken=column(taken), so_far=np.array(0.0))


def kind(
    whole: tuple[float, float],
    now: tuple[float, float],
    taken: tuple[float, float] = (0, 0),
    *,
    actions: Any = CARDS,
    foreseen: Any = PLACED,
    sign: float = 1.0,
) -> str:
    points = np.tile(np.array([*whole, 0.0]), (4, 1))
    return kind_of(trial(now, taken), points, actions, 0, 1, sign, foreseen)


def test_what_costs_in_the_same_turn_was_taken_or_too_low() -> None:
    assert kind((9, 4), now=(5, 0)) == "taken"
    assert kind((9, 4), now=(5, 0), foreseen=FITS_NONE) == "too_low"
    assert kind((9, 4), now=(5, 0), foreseen=FITS_TWO) == "taken", "as in Baron Oxx, where cards fit several rows"


def test_what_is_spared_now_and_paid_later_was_put_off() -> None:
    assert kind((9, 4), now=(0, 2)) == "put_off"
    assert kind((9, 4), now=(1, 1)) == "later"
    assert kind((9, 4), now=(2, 1)) == "later", "most of it comes later"


def test_where_many_points_are_good_signs_are_turned_round() -> None:
    assert kind((4, 9), now=(0, 5), sign=-1.0) == "taken"
    assert kind((4, 9), now=(2, 0), sign=-1.0) == "put_off"


def test_where_points_are_counted_in_the_end_it_goes_by_who_takes() -> None:
    assert kind((9, 4), now=(0, 0), taken=(1, 0)) == "taken"
    assert kind((9, 4), now=(0, 0), taken=(0, 1)) == "put_off"
    assert kind((9, 4), now=(0, 0), taken=(1, 1)) == "later"


def test_a_row_is_a_row() -> None:
    assert kind((9, 4), now=(5, 0), actions=(ChooseRow(1), ChooseRow(2))) == "row"
    played = kind((9, 4), now=(0, 0), actions=(ChooseRow(1), PlayCard(50)))
    assert played == "taken", "as in 11 nimmt!, where a card can be played in place of taking a pile"


@pytest.mark.parametrize(("share", "expected"), [(0.9, True), (0.52, False)])
def test_standings_are_ignored_only_if_that_is_sure(share: float, expected: bool) -> None:
    done = (np.arange(200) % 2).astype(float)
    other = (np.arange(200) < 200 * share).astype(float)
    assert ignores_standings(np.stack([done, other, other], axis=1), 0) == expected
