"""Networks that learn 6 nimmt! by competing: what a card is praised for, and how far that moves its chance."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from nimmt.games.six.search.situation import GLANCE, NETWORK, SCENE
from nimmt.games.six.types import HAND

TRAINING = Path(__file__).parents[2] / "training"


@pytest.fixture
def compete(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(TRAINING)
    return import_module("compete_six")


def test_a_card_is_praised_for_what_comes_after_it_only(compete: ModuleType) -> None:
    """Two deals of two seats; something good happens to seat 1 of the second one between its fourth and fifth card."""
    before = np.zeros((2 * compete.POSITIONS, 2))
    before[compete.POSITIONS + 4 :, 1] = 1.0
    end = np.zeros_like(before)
    end[compete.POSITIONS :, 1] = 1.0
    gain = compete.surprises(before, end)
    assert not gain[: compete.POSITIONS].any()
    assert not gain[:, 0].any()
    praise = gain[compete.POSITIONS :, 1]
    assert praise[3] == pytest.approx(1.0)
    assert praise[:3] == pytest.approx(compete.PATIENCE ** np.array([3, 2, 1]))
    assert not praise[4:].any()


def test_what_is_expected_to_the_end_is_no_surprise(compete: ModuleType) -> None:
    end = np.repeat(np.array([[0.3, 0.7]]), compete.POSITIONS, 0)
    assert not compete.surprises(end, end).any()


def test_a_shared_win_and_fewer_bulls_are_worth_something(compete: ModuleType) -> None:
    bulls, won = np.array([[2.0, 2.0, 11.0]]), np.array([[0.5, 0.5, 0.0]])
    assert compete.worth(bulls, won, 0.1)[0] == pytest.approx([0.5 + 0.45, 0.5 + 0.45, -0.9])


@pytest.mark.parametrize(("gain", "up"), [(1.0, True), (-1.0, False)])
def test_chances_follow_what_went_well_but_not_far(compete: ModuleType, gain: float, up: bool) -> None:
    """A step moves the chance of the card that was played. Once it is a fifth off, the same deals push no more."""
    rng, teaching = np.random.default_rng(1), import_module("teaching")
    weights = teaching.begin(NETWORK, rng)
    scenes, glances = rng.normal(size=(1, SCENE)), rng.normal(size=(1, HAND, GLANCE))
    seen = teaching.Batch(
        scenes.astype(np.float32), glances.astype(np.float32), np.array([6]), np.zeros((1, HAND), np.float32)
    )

    def chance(of: np.ndarray) -> float:
        return float(teaching.run(teaching.split(NETWORK, of), seen).chances[0, 2])

    def push(of: np.ndarray) -> np.ndarray:
        slope: np.ndarray = compete.slope(of, seen, np.array([2]), np.array([chance(weights)]), np.array([gain]), 0.0)
        return slope

    moved = weights + 0.001 * push(weights)
    assert (chance(moved) > chance(weights)) == up
    while abs(chance(moved) / chance(weights) - 1) < compete.CLIP:
        assert push(moved).any()
        moved = moved + 0.01 * push(moved)
    assert not push(moved).any()
