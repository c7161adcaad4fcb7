"""`nimmt.simulate` beyond plain rounds: whole matches, policies of the user's own, trajectories."""

import sys
import types

import numpy as np
import pytest

import nimmt
from nimmt.envs.batched import IllegalActions
from nimmt.rules.game import InvalidOptions


def lowest(observation, mask, chance):
    return np.argmax(mask)


def test_whole_matches_go_to_their_end():
    result = nimmt.simulate("six", matches=30, seats=3, options={"target": 40}, seed=1)
    assert result.points.shape == (30, 3)
    assert (result.points.max(axis=1) >= 40).all()
    assert np.allclose(result.wins.sum(axis=1), 1)
    assert (result.points[result.wins == 1] == result.points.min(axis=1)[result.wins.max(axis=1) == 1]).all()
    again = nimmt.simulate("six", matches=30, seats=3, options={"target": 40}, seed=1)
    assert np.array_equal(result.points, again.points)


def test_a_policy_of_the_users_own():
    mixed = nimmt.simulate("six", rounds=200, seats=3, policy=[lowest, "greedy", "greedy"], seed=1)
    assert mixed.policies == ("lowest", "greedy", "greedy")
    assert mixed.wins[:, 0].mean() < mixed.wins[:, 1].mean()
    with pytest.raises(IllegalActions):
        nimmt.simulate("six", rounds=2, seats=3, policy=lambda observation, mask, chance: 0, seed=1)
    with pytest.raises(ValueError, match="2 policies"):
        nimmt.simulate("six", rounds=2, seats=3, policy=[lowest, "greedy"])


def writes(observation, mask, chance):
    mask[:] = 1
    return 0


def half(observation, mask, chance):
    return 0.5


def imports(observation, mask, chance):
    import json

    return json.loads("0")


@pytest.mark.parametrize("policy", [writes, half, imports, lambda observation: 0])
def test_a_policy_that_cannot_be_one_is_refused(policy):
    """It must compile, may not write into what it is shown, and returns a whole number."""
    with pytest.raises(ValueError, match="Numba cannot compile") as error:
        nimmt.simulate("six", rounds=2, seats=2, policy=policy, seed=1)
    assert error.value.code == "not_compiled"


def test_trajectories_hold_every_decision_and_every_reward():
    result = nimmt.simulate("six", rounds=12, seats=3, policy="random", trajectories=True, seed=2)
    kept = result.trajectories
    assert repr(kept) == f"<Trajectories: {len(kept)} decisions, 57 features, 208 actions>"
    assert len(kept) == len(kept.seat) == len(kept.observation) == len(kept.action) > 12 * 30
    assert kept.mask[np.arange(len(kept)), kept.action].all()
    for match in range(12):
        for seat in range(3):
            mine = (kept.match == match) & (kept.seat == seat)
            assert kept.reward[mine].sum() == -result.points[match, seat]
            assert kept.last[mine].tolist() == [False] * (mine.sum() - 1) + [True]


def test_without_a_seed_there_is_a_fresh_one_which_is_told():
    one, other = nimmt.simulate("six", rounds=50), nimmt.simulate("six", rounds=50)
    assert one.seed != other.seed
    assert np.array_equal(nimmt.simulate("six", rounds=50, seed=one.seed).points, one.points)


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("six", {"options": {"target": 30}}),
        ("six", {"options": {"more_than_target": True}}),
        ("x", {"options": {"rounds": 3}}),
        ("baron", {"options": {"games": 2}}),
        ("buffalo", {"options": {"proposals": 5}}),
        ("buffalo", {"options": {"decide": "anyone"}, "matches": 3}),
    ],
)
def test_options_without_effect_are_refused(game, settings):
    with pytest.raises(InvalidOptions, match="no effect"):
        nimmt.simulate(game, **settings)


def test_usual_values_of_options_can_be_asked_for():
    """Three rounds are what three play anyway: it can be said all the same."""
    assert nimmt.simulate("eleven", seats=3, matches=2, options={"rounds": 3}, policy="greedy", seed=1).rounds == 2


@pytest.mark.parametrize(
    ("code", "settings"),
    [
        ("wrong_type", {"rounds": True}),
        ("wrong_type", {"trajectories": "no"}),
        ("wrong_type", {"policy": 3}),
        ("wrong_type", {"policy": ["greedy", None], "seats": 2}),
        ("wrong_type", {"policy": [lowest, None], "seats": 2}),
        ("wrong_type", {"policy": print}),
        ("wrong_number", {"policy": ["greedy"]}),
        ("unknown_policy", {"policy": "clever", "matches": 1}),
        ("not_both", {"rounds": 1, "matches": 1}),
        ("no_effect", {"matches": 1, "threads": 2}),
        ("out_of_range", {"matches": 0}),
    ],
)
def test_refusals_have_codes(code, settings):
    with pytest.raises(ValueError) as error:
        nimmt.simulate("six", **settings)
    assert error.value.code == code


def test_what_does_not_go_together_is_refused():
    with pytest.raises(ValueError, match="not both"):
        nimmt.simulate("six", rounds=1, matches=1)
    with pytest.raises(ValueError, match="threads has no effect"):
        nimmt.simulate("six", matches=1, threads=2)
    with pytest.raises(ValueError, match="matches must be 1 or more"):
        nimmt.simulate("six", matches=0)
    assert nimmt.simulate("six", seats=8, rounds=3, variant="draft", options={"large_draft": True}, seed=1).rounds == 3


def test_a_result_prints_as_a_table_and_turns_into_a_frame(monkeypatch):
    result = nimmt.simulate("six", rounds=20, seats=2, policy=["greedy", "random"], seed=3)
    assert str(result).splitlines()[0] == "six: 20 rounds, seed 3"
    assert len(str(result).splitlines()) == 4
    columns = result.columns()
    assert {len(column) for column in columns.values()} == {40}
    assert columns["points"].reshape(20, 2).tolist() == result.points.tolist()
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.setitem(sys.modules, "polars", None)
    assert set(result.frame()) == {"round", "seat", "policy", "points", "won", "turns", "taken"}
    monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(DataFrame=lambda columns: ("frame", *columns)))
    assert result.frame()[0] == "frame"
