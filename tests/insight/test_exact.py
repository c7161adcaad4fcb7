"""Endings that can be solved are solved: worked out by hand, and never beaten by another action."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import numpy as np
import pytest

import nimmt
from nimmt.bots.judge import judge_of
from nimmt.insight.exact import equilibrium, judged, solve
from nimmt.insight.review import review
from nimmt.match.match import replay
from nimmt.rules import registry
from nimmt.rules.game import Action


def values(game_id: str, state: Any, seat: int) -> dict[Action, float]:
    """The exact points of each action."""
    game = registry.get(game_id)
    view, actions = game.view(state, seat), game.legal(state, seat)
    trial = solve(game, judge_of(game), view, actions)
    assert trial is not None, "not solved"
    assert trial.weights is not None
    assert trial.weights.sum(axis=0) == pytest.approx(1)
    return {action: trial.share(trial.points[..., seat], at) for at, action in enumerate(actions)}


# -- by hand ----------------------------------------------------------------------------------------------------


def test_the_last_row_costs_what_lies_in_it() -> None:
    """3 is too low for every row, and after it only a 9 is placed, which takes nothing: 4, 1, 6 or 2 bulls."""
    position = nimmt.position("six", rows="30 36 | 37 | 43 44 | 58 61", hands="3 | 9").play(3, 9)
    assert list(values("six", position.state, 0).values()) == [4, 1, 6, 2]


def test_a_full_row_is_dear() -> None:
    """3 is too low and takes a row: 3, 1 or 1 bull, or the 7 + 1 + 1 + 1 + 1 of the full row."""
    position = nimmt.position("six", rows="30 | 31 | 32 | 55 57 58 59 61", hands="3 | 62").play(3, 62)
    assert list(values("six", position.state, 0).values()) == [3, 1, 1, 11]


def draft_ending() -> Any:
    """Two players, two cards each, everything known: row 1 is full, and whatever comes first takes its 8 bulls."""
    match = nimmt.Match("six", [None, None], seed=1, variant="draft", rounds=1)
    while match.game.pending(match.position.state)[0].kind == "draft":
        state = match.position.state
        seat = match.game.pending(state)[0].seat
        match.apply(seat, match.game.legal(state, seat)[0])
    state = match.position.state
    rows, hands = ((1, 2, 3, 5, 10), (15,), (16,), (17,)), ((11, 14), (12, 13))
    table = msgspec.structs.replace(state.table, rows=rows, drafted=hands)
    return msgspec.structs.replace(state, table=table, hands=hands)


def test_two_players_who_know_all() -> None:
    """With 14 the other one's card comes first and takes 8 bulls; the 11 that is left then is too low and takes 16 or
    17, 1 bull. With 11 the 8 bulls are the own ones, and nothing follows. The other one has 8 whatever they do."""
    state = draft_ending()
    own = {action.card: points for action, points in values("six", state, 0).items()}  # type: ignore[attr-defined]
    assert own == {11: pytest.approx(8), 14: pytest.approx(1)}
    assert list(values("six", state, 1).values()) == [pytest.approx(8), pytest.approx(8)]


def test_what_the_other_has_chosen_already_is_not_known() -> None:
    state = draft_ending()
    game = registry.get("six")
    chosen, _ = game.apply(state, 0, game.legal(state, 0)[0])
    assert values("six", chosen, 1) == values("six", state, 1)


def test_what_is_hidden_is_not_solved() -> None:
    """Of 104 cards the other hand may have any."""
    position = nimmt.position("six", rows="30 36 | 37 | 43 44 | 58 61", hands="3 50 | 9 60")
    game = registry.get("six")
    view = game.view(position.state, 0)
    assert solve(game, judge_of(game), view, game.legal(position.state, 0)) is None


# -- equilibria -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "theirs", "one", "other"),
    [
        ([[0, 1], [1, 0]], [[1, 0], [0, 1]], [0.5, 0.5], [0.5, 0.5]),  # matching pennies
        ([[2, 10], [0, 5]], [[2, 0], [10, 5]], [0, 1], [0, 1]),  # the prisoners' dilemma, in years
        ([[0, 3], [1, 0]], [[0, -3], [-1, 0]], [0.25, 0.75], [0.75, 0.25]),
        ([[1, 2, 0], [0, 1, 2], [2, 0, 1]], [[1, 0, 2], [2, 1, 0], [0, 2, 1]], [1 / 3] * 3, [1 / 3] * 3),
        ([[0, 0], [0, 0]], [[0, 0], [0, 0]], None, None),  # nothing matters: anything will do
    ],
)
def test_equilibria(mine: Any, theirs: Any, one: Any, other: Any) -> None:
    p, q = equilibrium(np.array(mine, float), np.array(theirs, float))
    assert sum(p) == pytest.approx(1)
    assert sum(q) == pytest.approx(1)
    if one is not None:
        assert p == pytest.approx(one, abs=1e-5)
        assert q == pytest.approx(other, abs=1e-5)


@pytest.mark.parametrize("seed", range(20))
def test_nobody_gains_by_another_mixture(seed: int) -> None:
    """With many ties, as in endings."""
    rng = np.random.default_rng(seed)
    mine, theirs = (rng.integers(0, 4, (3, 4)).astype(float) for _ in range(2))
    p, q = map(np.array, equilibrium(mine, theirs))
    assert (mine @ q).min() == pytest.approx(p @ mine @ q, abs=1e-5)
    assert (p @ theirs).min() == pytest.approx(p @ theirs @ q, abs=1e-5)


# -- in reviews -------------------------------------------------------------------------------------------------

ENDINGS = {
    "six": {"bots": ["casual"] * 4, "rounds": 3},
    "six-draft": {"bots": ["greedy", "random"], "variant": "draft", "rounds": 1},
    "x": {"bots": ["casual", "casual"]},
    "baron": {"bots": ["casual"] * 3},
}


@cache
def reviewed(name: str) -> Any:
    settings: dict[str, Any] = ENDINGS[name]
    match = nimmt.Match(name.partition("-")[0], seed=6, **settings).play()
    return match.record, review(match, worlds=20)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.soak) if "draft" in name else name for name in ENDINGS]
)
def test_exact_decisions_are_marked_and_have_no_error(name: str) -> None:
    _, found = reviewed(name)
    exact = [one for one in found.decisions if one.exact]
    assert exact, "nothing was solved"
    for one in exact:
        assert one.error == 0
        best = min(tried.points for tried in one.values)
        assert one.expected == pytest.approx(best, abs=1e-5)  # whoever does what is best expects that
        assert one.named == (one.cost > 0.3)


def test_the_last_decisions_come_true() -> None:
    """Of a row that is chosen in the last turn exactly that comes which was said, as nobody decides after it."""
    record, found = reviewed("six")
    game = registry.get("six")
    scores = [step.state.table.scores for step in replay(record)][-1]
    last = [one for one in found.decisions if one.exact and one.turn == 10]
    assert last
    for one in last:
        value = {tried.action: tried.points for tried in one.values}[one.action]
        assert value == scores[one.round - 1][one.seat], game


def test_what_is_not_all_compared_is_not_called_exact() -> None:
    position = nimmt.position("six", rows="30 36 | 37 | 43 44 | 58 61", hands="3 | 9").play(3, 9)
    game = registry.get("six")
    view, legal = game.view(position.state, 0), game.legal(position.state, 0)
    assert judged(game, judge_of(game), view, legal, legal[:2], 10).weights is None
    assert judged(game, judge_of(game), view, legal, legal, 10).weights is not None
