"""Ratings by OpenSkill (Plackett and Luce): one number for each bot, from who came before whom at every table."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import msgspec

from nimmt.arena.counting import tally
from nimmt.arena.errors import need
from nimmt.arena.plan import Plan
from nimmt.arena.playing import DealResult, TableResult


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
