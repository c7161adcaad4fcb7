"""The types of players that the Master reckons with, and a player that searches, for training and for measuring."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from nimmt.bots.search.policy import COST, COSTS, FACTORS, RANK, TWIST
from nimmt.bots.search.think import ALL_ROWS, think
from nimmt.bots.search.types import HANDS, STRIDE, Effort, Floats, Ints, Kinds, Situation, Stakes

WEIGHTS = Path(__file__).with_name("six.npz")
SPECIALISTS = ("mc64", "master")
"""Types with fitted tables, in the weights file under these names."""
PRIOR = {"random": 0.15, "greedy": 0.1, "careless": 0.15, "mc64": 0.2, "master": 0.4}
CARELESS = {"careless": 1.0}
_SLIPS = {"random": 1.0, "greedy": 0.02, "careless": 0.03, "mc64": 0.02, "master": 0.02}


def greedy_factors(care: float, lowest_first: float) -> Floats:
    """A factor for every bull that a card costs at once, and one for every rank: the lowest of equals goes first."""
    factors = np.ones(FACTORS)
    factors[COST : COST + COSTS] = np.exp(-care * np.minimum(np.arange(COSTS), 12))
    factors[RANK : RANK + 100] = np.tile(np.exp(-lowest_first * np.arange(10)), 10)
    factors[TWIST + 1] = 0.1
    return factors


@cache
def fitted() -> dict[str, Floats]:
    """The fitted tables; they are written down as logarithms."""
    with np.load(WEIGHTS) as file:
        return {name: np.exp(file[name].astype(np.float64)) for name in file.files}


def make_kinds(tables: dict[str, Floats], prior: dict[str, float], own: str) -> Kinds:
    """The types named in `prior`; the thinking seat goes on by the type `own`."""
    every = {"random": np.ones(FACTORS), "greedy": greedy_factors(45.0, 4.0), "careless": greedy_factors(0.6, 0.0)}
    every |= tables
    names = list(prior)
    shares = np.array([prior[name] for name in names])
    return Kinds(
        factors=np.array([every[name] for name in names]),
        slips=np.array([_SLIPS[name] for name in names]),
        any_row=np.array([name == "random" for name in names], np.int64),
        prior=shares / shares.sum(),
        own=names.index(own),
    )


def own_plays(now: Situation) -> Ints:
    base = HANDS + STRIDE * now.seat
    return 2 * now.world[base : base + now.size]


class SearchingPlayer:
    """Plays by search in the basic game."""

    def __init__(self, kinds: Kinds, effort: Effort, blend: float | None = None) -> None:
        self.kinds, self.effort, self.blend = kinds, effort, blend

    def card(self, now: Situation, stakes: Stakes, seed: int) -> int:
        plays = own_plays(now)
        return int(plays[0] if now.size == 1 else self._think(now, stakes, plays, seed)) >> 1

    def row(self, now: Situation, stakes: Stakes, seed: int) -> int:
        return self._think(now, stakes, ALL_ROWS, seed)

    def _think(self, now: Situation, stakes: Stakes, choices: Ints, seed: int) -> int:
        if self.blend is not None:
            stakes = stakes._replace(blend=self.blend)
        return think(now, stakes, self.kinds, self.effort, choices, seed)[0]
