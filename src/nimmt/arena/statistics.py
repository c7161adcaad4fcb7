"""From results to numbers: means and how sure they are, when a question is answered, and ratings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import log, pi, sqrt, tan
from statistics import NormalDist, fmean
from typing import Any, Literal, TypeAlias

import msgspec

from nimmt.arena.plan import Plan, need
from nimmt.arena.players import DealResult, TableResult
from nimmt.rules.game import Seat

# -- counting ----------------------------------------------------------------------------------------------------------
# From results to numbers: what each contestant got in each deal, means and how sure they are.

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


def estimate(numbers: Sequence[float], confidence: float = CONFIDENCE) -> Estimate:
    """The mean with Student's interval: deals are independent of each other, tables of one deal are not."""
    mean, count = fmean(numbers), len(numbers)
    if count < 2:
        return Estimate(mean)
    deviation = sqrt(sum((number - mean) ** 2 for number in numbers) / (count - 1))
    reach = student(count - 1, confidence) * deviation / sqrt(count)
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


# -- luck --------------------------------------------------------------------------------------------------------------
# Results without what was luck. Luck has mean zero, so that any multiple of it may be taken off: the best one is found
# out on the other half of the deals, so that it has nothing to do with the luck that it is used for.

MIN_ADJUSTED = 40
"""Fewer deals do not show how much of the luck to take off."""

Pair: TypeAlias = tuple[float, float]
"""Luck of the deal, and of the turns."""


class Adjusted(msgspec.Struct, frozen=True):
    """The same means without luck, and how far deals still are apart, as a share of how far they were."""

    points: Estimate
    wins: Estimate
    points_spread: float
    wins_spread: float


def lucks(contestant: int, result: DealResult) -> tuple[Pair, Pair] | None:
    """The luck that a contestant had in a deal, in the mean of its seats: in points and in wins."""
    found = [(table.luck, seat) for table, seat in seats_of(contestant, result) if table.luck is not None]
    if not found:
        return None
    points = (
        fmean(luck.deal_points[seat] for luck, seat in found),
        fmean(luck.turn_points[seat] for luck, seat in found),
    )
    return points, (
        fmean(luck.deal_wins[seat] for luck, seat in found),
        fmean(luck.turn_wins[seat] for luck, seat in found),
    )


def adjusted(points: Sequence[float], wins: Sequence[float], luck: Sequence[tuple[Pair, Pair]]) -> Adjusted | None:
    if len(points) < MIN_ADJUSTED:
        return None
    in_points, in_wins = [one for one, _ in luck], [one for _, one in luck]
    points_left, wins_left = without_luck(points, in_points), without_luck(wins, in_wins)
    return Adjusted(estimate(points_left), estimate(wins_left), _spread(points_left, points), _spread(wins_left, wins))


def without_luck(values: Sequence[float], luck: Sequence[Pair]) -> list[float]:
    """Each value less as much of its luck as the other half of the values suggests."""
    halves = [_shares(values[start::2], luck[start::2]) for start in (1, 0)]
    return [
        value - sum(share * one for share, one in zip(halves[at % 2], pair, strict=True))
        for at, (value, pair) in enumerate(zip(values, luck, strict=True))
    ]


def _shares(values: Sequence[float], luck: Sequence[Pair]) -> Pair:
    """How much of either luck explains most, by least squares."""
    deal, turns = [one for one, _ in luck], [one for _, one in luck]
    a, b, c = _covariance(deal, deal), _covariance(deal, turns), _covariance(turns, turns)
    x, y = _covariance(deal, values), _covariance(turns, values)
    determinant = a * c - b * b
    if determinant > MIN_VARIANCE * a * c:
        return (c * x - b * y) / determinant, (a * y - b * x) / determinant
    return (x / a if a > 0 else 0.0), (y / c if c > 0 and not a > 0 else 0.0)


def _covariance(one: Sequence[float], other: Sequence[float]) -> float:
    first, second = fmean(one), fmean(other)
    return sum((x - first) * (y - second) for x, y in zip(one, other, strict=True)) / len(one)


def _spread(left: Sequence[float], whole: Sequence[float]) -> float:
    before = _covariance(whole, whole)
    return round(sqrt(_covariance(left, left) / before), 4) if before > 0 else 1.0


# -- sprt --------------------------------------------------------------------------------------------------------------
# Stopping as soon as the question is answered: Wald's sequential test, for means of any distribution.
#
# The number tested is the first bot's share of wins for a seat less that of all others for a seat, deal by deal. With
# many deals its mean is as good as normal, so the likelihood ratio of the two hypotheses is that of two normal
# distributions with the variance seen so far.

Verdict: TypeAlias = Literal["better", "not better"]

MIN_DEALS = 30
"""Before that the variance is not known well enough."""
MIN_VARIANCE = 1e-6
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
        variance = max(self._squares / self.count, MIN_VARIANCE)
        return self.count * self.sprt.gain * above / variance

    @property
    def verdict(self) -> Verdict | None:
        if self.count < MIN_DEALS or abs(self.llr) < self.sprt.bound:
            return None
        return "better" if self.llr > 0 else "not better"


# -- ratings -----------------------------------------------------------------------------------------------------------
# Ratings by OpenSkill (Plackett and Luce): one number for each bot, from who came before whom at every table.


class Rating(msgspec.Struct, frozen=True):
    """Skill `mu` known to about `sigma`; with `ordinal` it is at least this, almost surely."""

    mu: float
    sigma: float
    ordinal: float


def rate(plan: Plan, results: Sequence[DealResult]) -> tuple[Rating, ...]:
    """By contestant, from the deals in their order."""
    model = need("openskill.models", "arena").PlackettLuce()
    ratings = [model.rating() for _ in plan.contestants]
    for result in results:
        if plan.teams:
            _rate_teams(plan, model, ratings, result)
        else:
            for table in result.tables:
                _rate_table(model, ratings, table)
    return tuple(Rating(rating.mu, rating.sigma, rating.ordinal()) for rating in ratings)


def _rate_table(model: Any, ratings: list[Any], table: TableResult) -> None:
    """Seats of one contestant count one by one; what they come to in the mean is its new rating."""
    if len(set(table.who)) < 2:
        return
    rated = model.rate([[ratings[who]] for who in table.who], ranks=_ranks(table))
    for who in set(table.who):
        mine = [team[0] for team, sitting in zip(rated, table.who, strict=True) if sitting == who]
        ratings[who] = model.rating(mu=fmean(r.mu for r in mine), sigma=fmean(r.sigma for r in mine))


def _ranks(table: TableResult) -> list[int]:
    """Places by points, in the direction that won; those who forfeited come last."""
    sign = -1 if table.winners and table.points[table.winners[0]] > min(table.points) else 1
    lost = {forfeit.seat for forfeit in table.forfeits}
    keys = [(seat in lost, sign * points) for seat, points in enumerate(table.points)]
    order = sorted(set(keys))
    return [order.index(key) for key in keys]


def _rate_teams(plan: Plan, model: Any, ratings: list[Any], result: DealResult) -> None:
    """Teams that met the same deal apart from each other: a win comes first, then fewer points."""
    found = {who: tallied for who in range(len(ratings)) if (tallied := tally(plan, who, result)) is not None}
    if len(found) < 2:
        return
    keys = {who: (-tallied.wins, tallied.points) for who, tallied in found.items()}
    order = sorted(set(keys.values()))
    rated = model.rate([[ratings[who]] for who in keys], ranks=[order.index(key) for key in keys.values()])
    for who, team in zip(keys, rated, strict=True):
        ratings[who] = team[0]
