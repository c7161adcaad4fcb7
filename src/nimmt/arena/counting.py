"""From results to numbers: what each contestant got in each deal, means and how sure they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import pi, sqrt, tan
from statistics import NormalDist, fmean

import msgspec

from nimmt.arena.plan import Plan
from nimmt.arena.playing import DealResult, TableResult
from nimmt.rules.game import Seat

CONFIDENCE = 0.95


class Estimate(msgspec.Struct, frozen=True):
    """A mean over deals, and the interval that holds the true one in 95 of 100 such runs; None if there is one deal."""

    mean: float
    low: float | None = None
    high: float | None = None


class Tallied(msgspec.Struct, frozen=True):
    """What a contestant got in one deal, in the mean of all its seats at all tables of that deal."""

    points: float
    wins: float


def share(plan: Plan, table: TableResult, seat: Seat) -> float:
    """How much of the win is this seat's: winners share one win, a team wins it together."""
    if seat not in table.winners:
        return 0.0
    return 1.0 if plan.cooperative else 1 / len(table.winners)


def seats_of(contestant: int, result: DealResult) -> Iterator[tuple[TableResult, Seat]]:
    for table in result.tables:
        for seat, who in enumerate(table.who):
            if who == contestant:
                yield table, seat


def tally(plan: Plan, contestant: int, result: DealResult) -> Tallied | None:
    """None if it did not take part."""
    places = list(seats_of(contestant, result))
    if not places:
        return None
    points = fmean(table.points[seat] for table, seat in places)
    return Tallied(points, fmean(share(plan, table, seat) for table, seat in places))


def lead(plan: Plan, result: DealResult) -> float | None:
    """The first contestant's share of wins for a seat less that of all others for a seat, in one deal."""
    mine = [share(plan, table, seat) for table, seat in seats_of(0, result)]
    rest = range(1, len(plan.contestants))
    others = [share(plan, table, seat) for who in rest for table, seat in seats_of(who, result)]
    return fmean(mine) - fmean(others) if mine and others else None


def estimate(numbers: Sequence[float]) -> Estimate:
    """The mean with Student's interval: deals are independent of each other, tables of one deal are not."""
    mean, count = fmean(numbers), len(numbers)
    if count < 2:
        return Estimate(mean)
    deviation = sqrt(sum((number - mean) ** 2 for number in numbers) / (count - 1))
    reach = student(count - 1) * deviation / sqrt(count)
    return Estimate(mean, mean - reach, mean + reach)


def student(freedom: int, confidence: float = CONFIDENCE) -> float:
    """The quantile of Student's distribution, by the expansion of Cornish and Fisher; exact for one and two."""
    tail = (1 + confidence) / 2
    if freedom == 1:
        return 1 / tan(pi * (1 - tail))
    if freedom == 2:
        return (2 * tail - 1) * sqrt(2 / (4 * tail * (1 - tail)))
    z = NormalDist().inv_cdf(tail)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))
