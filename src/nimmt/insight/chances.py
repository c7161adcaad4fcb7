"""The chance to win a match from its standings: the rounds to come are played by the judge's habits."""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from nimmt.bots.judge import Judge, Rounds, Trial
from nimmt.rules.game import AnyGame, Length, Options, Seat

Floats: TypeAlias = NDArray[np.float64]

POOL = 4096
"""Rounds by habit from which futures are drawn; also what a round brings on average comes from them."""
MAX_FUTURES = 16
"""Of a world: together the worlds have all the futures of the pool, unless they are very few."""
MAX_ROUNDS = 400
"""A future that is not over by then is decided by its standings."""


class Future:
    """How a seat's matches go on after a round, always with the same chance for the same world."""

    def __init__(self, game: AnyGame, judge: Judge, options: Options, seats: int, number: int, seat: Seat) -> None:
        self._length, self._seat, self._number = game.length(options, seats), seat, number
        self._alike = judge.alike(options)
        self._sign = -1.0 if game.high_score_wins(options) else 1.0
        self._together = game.cooperative
        # Where all seats and rounds are alike before the deal, one pool serves them all.
        self.pool: Rounds = pool_of(judge, options, seats, *((1, 0) if self._alike else (number, seat)))

    @property
    def is_last(self) -> bool:
        """Whether the match ends with this round, so that no future is needed."""
        return self._together or self._length.rounds == self._number

    @property
    def means(self) -> Floats:
        """What the rounds of the pool brought: this seat, or all of them where they are alike."""
        if self._alike:
            every: Floats = self.pool.points.mean(axis=1)
            return every
        return self.points(self.pool.points, self.pool.rival)

    @property
    def mean(self) -> float:
        """What the seat may expect of the round before it is dealt."""
        return float(self.means.mean())

    def points(self, points: Floats, rival: Floats) -> Floats:
        """What counts for the seat: its own points, or how far its team is behind the rival."""
        own: Floats = points[..., self._seat]
        return own - rival if self._together else own

    def chances(self, before: Floats, points: Floats, rival: Floats) -> Floats:
        """The share of the win, by world and action, when a round has brought these points on top of the standings."""
        if self._together:
            return (points[..., self._seat] < rival).astype(np.float64)
        totals, worlds = before + points, len(points)
        if _over(self._length, totals, self._number).all():
            return _share(self._sign * totals, self._seat)
        futures = min(MAX_FUTURES, -(-POOL // worlds))
        shares = self._play_on(np.repeat(totals, futures, axis=0), self._number)
        mean: Floats = shares.reshape(worlds, futures, *shares.shape[1:]).mean(axis=1)
        return mean

    def values(self, before: Floats, trial: Trial) -> tuple[Floats, Floats]:
        """Points and chances to win by sample and action: samples are worlds; of exact results, futures."""
        points = self.points(trial.points, trial.rival)
        if trial.weights is None:
            return points, self.chances(before, trial.points, trial.rival)
        exact = points[:, 0] @ trial.weights
        return exact[None, :], self._futures(before, trial) @ trial.weights

    def _futures(self, before: Floats, trial: Trial) -> Floats:
        """The share of the win by future and end of the round."""
        if self._together or _over(self._length, before + trial.points, self._number).all():
            return self.chances(before, trial.points, trial.rival).T
        totals = np.repeat((before + trial.points[:, 0])[None], POOL, axis=0)
        return self._play_on(totals, self._number)

    def chance(self, totals: Floats, finished: int) -> float:
        """The chance to win with these standings when so many rounds are finished; worlds are futures here."""
        if self._together:
            return float((self.pool.points[:, self._seat] < self.pool.rival).mean())
        return float(self._play_on(np.repeat(totals[None, None, :], POOL, axis=0), finished).mean())

    def _play_on(self, totals: Floats, finished: int) -> Floats:
        totals = totals.copy()
        for step in range(MAX_ROUNDS):
            going = ~_over(self._length, totals, finished + step)
            if not going.any():
                break
            totals += going[..., None] * self._round(len(totals), step)[:, None, :]
        return _share(self._sign * totals, self._seat)

    def _round(self, worlds: int, step: int) -> Floats:
        """For each world a round of its own, the same for all actions."""
        drawn: Floats = self.pool.points[(np.arange(worlds) * 2654435761 + step * 40503 * 7919 + 12345) % POOL]
        return drawn


@lru_cache(maxsize=64)
def pool_of(judge: Judge, options: Options, seats: int, number: int, seat: Seat) -> Rounds:
    return judge.rounds(options, seats, number, seat, POOL, seed=1 + number)


@lru_cache(maxsize=64)
def future_of(game: AnyGame, judge: Judge, options: Options, seats: int, number: int, seat: Seat) -> Future:
    """Made once for a round of such a match: it is the same for all that are played."""
    return Future(game, judge, options, seats, number, seat)


def _over(length: Length, totals: Floats, finished: int) -> NDArray[np.bool_]:
    if length.rounds is not None:
        return np.full(totals.shape[:-1], finished >= length.rounds)
    reached: NDArray[np.bool_] = totals.max(axis=-1) >= (length.target or 0)
    return reached


def _share(totals: Floats, seat: Seat) -> Floats:
    best = totals == totals.min(axis=-1, keepdims=True)
    share: Floats = best[..., seat] / best.sum(axis=-1)
    return share
