"""`nimmt.simulate` and how it is imported."""

import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import nimmt
from nimmt.fast import rollouts
from nimmt.fast.game import UnknownPolicy
from nimmt.games.six.types import Options
from nimmt.rules import registry
from nimmt.rules.game import InvalidOptions


def test_statistics_are_arrays_by_round_and_seat() -> None:
    result = nimmt.simulate("six", seats=5, rounds=300, seed=1)
    assert result.points.shape == result.taken.shape == result.wins.shape == (300, 5)
    assert result.turns.tolist() == [10] * 300
    assert (result.rounds, result.seats, result.policies) == (300, 5, ("random",) * 5)
    assert np.allclose(result.wins.sum(axis=1), 1)
    assert ((result.points > 0) == (result.taken > 0)).all()


@pytest.mark.parametrize("game", registry.GAMES)
def test_every_variant_can_be_simulated(game: str) -> None:
    for variant in registry.get(game).variants:
        for policy in ("random", "greedy"):
            result = nimmt.simulate(game, seats=3, rounds=50, variant=variant.id, policy=policy)
            assert result.points.any()
            assert (result.turns > 0).all()
            assert (result.rival is not None) == (game == "buffalo")


@pytest.mark.parametrize("variant", ["basic", "cow", "twist", "draft"])
def test_the_seed_decides_and_threads_do_not(variant: str) -> None:
    rounds = 40_000 if variant == "basic" else 17_000
    first = nimmt.simulate("six", rounds=rounds, seed=9, variant=variant)
    second = nimmt.simulate("six", rounds=rounds, seed=9, variant=variant, threads=3)
    longer = nimmt.simulate("six", rounds=rounds + 100, seed=9, variant=variant)
    other = nimmt.simulate("six", rounds=rounds, seed=10, variant=variant)
    assert (first.points == second.points).all()
    assert (first.points == longer.points[:rounds]).all()
    assert (first.points != other.points).any()


def test_seats_may_play_by_different_policies() -> None:
    result = nimmt.simulate("six", seats=2, rounds=2000, policy=["greedy", "random"])
    assert result.policies == ("greedy", "random")
    assert result.wins[:, 0].mean() > 0.5


def test_options_may_be_given_whole_or_as_changes() -> None:
    whole = nimmt.simulate("six", rounds=100, seed=1, options=Options(fan=("cow",)))
    changes = nimmt.simulate("six", rounds=100, seed=1, options={"fan": ["cow"]})
    variant = nimmt.simulate("six", rounds=100, seed=1, variant="cow")
    assert whole.points.tolist() == changes.points.tolist() == variant.points.tolist()


def test_a_team_wins_together() -> None:
    result = nimmt.simulate("buffalo", seats=3, rounds=500)
    assert result.rival is not None
    assert (result.wins == (result.points < result.rival[:, None])).all()


def test_where_bulls_are_good_most_points_win() -> None:
    result = nimmt.simulate("baron", seats=3, rounds=200, variant="bulls-are-good")
    assert (result.points[result.wins == 1] == result.points.max(axis=1)[result.wins.max(axis=1) == 1]).all()


@pytest.mark.parametrize(
    ("error", "arguments"),
    [
        (InvalidOptions, {"seats": 11}),
        (InvalidOptions, {"variant": "none"}),
        (InvalidOptions, {"options": {"fan": ["dog"]}}),
        (UnknownPolicy, {"policy": "clever"}),
        (UnknownPolicy, {"policy": ["random"], "seats": 2}),
        (TypeError, {"seats": "4"}),
        (ValueError, {"rounds": 0}),
        (ValueError, {"threads": 0}),
        (ValueError, {"variant": "cow", "options": Options()}),
    ],
)
def test_what_makes_no_sense_is_refused(error: type[Exception], arguments: dict[str, object]) -> None:
    with pytest.raises(error):
        nimmt.simulate("six", **arguments)


@pytest.mark.parametrize(
    ("error", "seed", "words"),
    [
        (ValueError, -5, "seed must be 0 or more and less than 2**64, not -5."),
        (ValueError, 2**64, "seed must be 0 or more and less than 2**64, not 18446744073709551616."),
        (TypeError, "abc", "seed must be a whole number, not 'abc'."),
        (TypeError, 1.5, "seed must be a whole number, not 1.5."),
    ],
)
def test_a_seed_that_no_generator_can_begin_with_is_refused(error: type[Exception], seed: Any, words: str) -> None:
    with pytest.raises(error, match=f"^{re.escape(words)}$"):
        nimmt.simulate("six", seed=seed)
    with pytest.raises(error, match=f"^{re.escape(words)}$"):
        rollouts("six", None, (), seed=seed)


@pytest.mark.parametrize("variant", ["basic", "twist"])  # the first is played in lanes
def test_the_largest_seed_is_one_like_any_other(variant: str) -> None:
    assert nimmt.simulate("six", rounds=100, seed=2**64 - 1, variant=variant).points.any()


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(registry.UnknownGame):
        nimmt.simulate("chess")


@pytest.mark.parametrize(
    "code", ["import nimmt.fast", "import nimmt.clients.cli.main", "import nimmt; nimmt.__version__"]
)
def test_numba_is_not_loaded_before_it_is_needed(code: str) -> None:
    code += "; import sys; print('numba' in sys.modules or 'numpy' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
    assert said.strip() == "False"
