"""Trying actions in imagined worlds: each is played to the end of the round, those clearly behind are given up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nimmt.fast import kernels
from nimmt.fast.game import FastGame
from nimmt.fast.jit import Flats

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.int64]
Worth: TypeAlias = Callable[[Floats, Floats], Floats]
"""What rounds are worth, from the points of all seats, and from those of a rival who has no seat."""

STAGES = 6
"""So often the search looks which actions are not worth more of its time."""
CLEARLY = 2.5
"""Standard errors that an action must be behind the best one to be given up."""
FEWEST_WORLDS = 4
POLICY = "careless"


class Effort(NamedTuple):
    rounds: int
    """Rounds that are played in thought for a decision, about; shared by all actions that are not given up."""
    slips: float
    """How many decisions of a hundred the imagined players take without looking."""


def values_of(fast: FastGame, view: Any, codes: Codes, effort: Effort, worth: Worth, seed: int) -> Floats:
    """What each action is worth; minus infinity for those given up on the way."""
    alive, results, left = np.arange(len(codes)), np.empty((0, len(codes))), effort.rounds
    for stage in range(STAGES):
        count = max(FEWEST_WORLDS, effort.rounds // (STAGES * len(alive)))
        worlds = fast.worlds(view, fast.shuffled(view, count, seed + stage))
        tried = np.zeros((count, len(codes)))
        tried[:, alive] = worth(*play(fast, worlds, view.seat, codes[alive], effort.slips, seed + stage))
        results = np.concatenate((results, tried))
        left -= tried[:, alive].size
        alive = alive[_not_behind(results[:, alive])]
        if len(alive) == 1 or left <= 0:
            break
    values = np.full(len(codes), -np.inf)
    values[alive] = results[:, alive].mean(axis=0)
    return values


def play(fast: FastGame, worlds: Flats, seat: int, codes: Codes, slips: float, seed: int) -> tuple[Floats, Floats]:
    """Points by world, action and seat when each action is tried in each world, and the rival's points."""
    seats = int(worlds[0]["seats"])
    points, other = (
        np.zeros((len(worlds), len(codes), seats), np.int16),
        np.zeros((len(worlds), len(codes), 2), np.int16),
    )
    policies, params = fast.policy_codes(POLICY, seats), np.array([slips], np.float32)
    kernels.rollout(worlds, seat, codes, policies, params, np.uint64(seed), 0, points, np.zeros_like(points), other)
    return points.astype(np.float64), other[..., 1].astype(np.float64)


def _not_behind(results: Floats) -> NDArray[np.bool_]:
    """Which actions are not clearly worse than the best one. All were tried in the same worlds: differences count."""
    best = results.mean(axis=0).argmax()
    gaps = results[:, best : best + 1] - results
    errors = gaps.std(axis=0) / np.sqrt(len(results))
    near: NDArray[np.bool_] = gaps.mean(axis=0) <= CLEARLY * errors
    return near
