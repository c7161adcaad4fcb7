"""Stopping as soon as the question is answered: Wald's sequential test, for means of any distribution.

The number tested is the first bot's share of wins for a seat less that of all others for a seat, deal by deal. With
many deals its mean is as good as normal, so the likelihood ratio of the two hypotheses is that of two normal
distributions with the variance seen so far.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log
from typing import Literal, TypeAlias

import msgspec

Verdict: TypeAlias = Literal["better", "not better"]

LEAST_DEALS = 30
"""Before that the variance is not known well enough."""
LEAST_VARIANCE = 1e-6
"""Where every deal came out the same: sure, but not infinitely so."""


class Sprt(msgspec.Struct, frozen=True):
    """H0: the difference is 0. H1: it is `gain`. Either is taken wrongly in about `risk` of all cases."""

    gain: float = 0.05
    risk: float = 0.05

    @property
    def bound(self) -> float:
        """The logarithm of the likelihood ratio that decides; its negative decides for H0."""
        return log((1 - self.risk) / self.risk)


class Trial:
    """Takes one number after the other, and has a verdict when it is sure enough."""

    def __init__(self, sprt: Sprt) -> None:
        self.sprt = sprt
        self.count = 0
        self.mean = 0.0
        self._squares = 0.0

    def add(self, number: float) -> None:
        self.count += 1
        step = number - self.mean
        self.mean += step / self.count
        self._squares += step * (number - self.mean)

    def add_all(self, numbers: Iterable[float]) -> None:
        for number in numbers:
            self.add(number)

    @property
    def llr(self) -> float:
        """The logarithm of the likelihood ratio, H1 over H0."""
        if not self.count:
            return 0.0
        above = self.mean - self.sprt.gain / 2
        variance = max(self._squares / self.count, LEAST_VARIANCE)
        return self.count * self.sprt.gain * above / variance

    @property
    def verdict(self) -> Verdict | None:
        if self.count < LEAST_DEALS or abs(self.llr) < self.sprt.bound:
            return None
        return "better" if self.llr > 0 else "not better"
