"""What came out: the numbers of a run, for people, programs and plots alike."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import msgspec

from nimmt.arena.plan import Kind, Plan
from nimmt.arena.players import Clocked, DealResult, Forfeit
from nimmt.arena.running import Course
from nimmt.arena.statistics import Estimate, Rating, Tallied, estimate, rate, seats_of, tally
from nimmt.rules import registry

SHOWN_FORFEITS = 20


class BotReport(msgspec.Struct, frozen=True, kw_only=True):
    bot: str
    seats: int
    """How often it sat at a table."""
    points: Estimate
    wins: Estimate
    """Its share of the win for one seat at one table; a shared win is divided."""
    rating: Rating
    forfeits: int


class PairReport(msgspec.Struct, frozen=True, kw_only=True):
    """One bot less another, over the deals that both had."""

    bot: str
    other: str
    points: Estimate
    wins: Estimate


class ForfeitReport(msgspec.Struct, frozen=True, kw_only=True):
    deal: int
    bot: str
    seats: tuple[str, ...]
    """Who sat at the table."""
    forfeit: Forfeit


class TimeReport(msgspec.Struct, frozen=True, kw_only=True):
    bot: str
    decisions: int
    mean_ms: float
    slowest_ms: float


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about one kind of play. All but `times` follows from the plan and the number of deals."""

    course: Course
    tables: int
    parity: float
    """The share of wins that a seat would have if all were equally strong; for teams there is none, and this is 0."""
    bots: tuple[BotReport, ...]
    pairs: tuple[PairReport, ...]
    forfeits: tuple[ForfeitReport, ...]
    """The first ones."""
    times: tuple[TimeReport, ...]

    @property
    def kind(self) -> Kind:
        return self.course.kind


def heading(plan: Plan, report: Report) -> str:
    """What was played, in a line."""
    counted = report.course.counted
    one, many = {"deals": ("deal", "deals"), "matches": ("match", "matches")}[report.kind]
    played = f"{counted:,} {one if counted == 1 else many}"
    return f"{registry.get(plan.game).name}, {plan.seats} seats: {played}, seed {plan.seed}"


def make_report(plan: Plan, course: Course, results: Sequence[DealResult]) -> Report:
    """From the deals that count, in their order."""
    tallies = [[tally(plan, who, result) for result in results] for who in range(len(plan.contestants))]
    ratings = rate(plan, results)
    present = [who for who, mine in enumerate(tallies) if any(mine)]
    return Report(
        course=course,
        tables=sum(len(result.tables) for result in results),
        parity=0.0 if plan.cooperative else 1 / plan.seats,
        bots=tuple(_bot(plan, who, results, tallies[who], ratings[who]) for who in present),
        pairs=tuple(
            pair
            for one, other in combinations(present, 2)
            if (pair := _pair(plan, one, other, tallies[one], tallies[other])) is not None
        ),
        forfeits=tuple(_forfeits(plan, results)[:SHOWN_FORFEITS]),
        times=tuple(_time(plan, who, results) for who in present),
    )


def _bot(
    plan: Plan, who: int, results: Sequence[DealResult], tallies: Sequence[Tallied | None], rating: Rating
) -> BotReport:
    mine = [tallied for tallied in tallies if tallied is not None]
    places = [place for result in results for place in seats_of(who, result)]
    return BotReport(
        bot=plan.contestants[who].name,
        seats=len(places),
        points=estimate([tallied.points for tallied in mine]),
        wins=estimate([tallied.wins for tallied in mine]),
        rating=rating,
        forfeits=sum(forfeit.seat == seat for table, seat in places for forfeit in table.forfeits),
    )


def _pair(
    plan: Plan, one: int, other: int, mine: Sequence[Tallied | None], theirs: Sequence[Tallied | None]
) -> PairReport | None:
    both = [(a, b) for a, b in zip(mine, theirs, strict=True) if a is not None and b is not None]
    if not both:
        return None
    return PairReport(
        bot=plan.contestants[one].name,
        other=plan.contestants[other].name,
        points=estimate([a.points - b.points for a, b in both]),
        wins=estimate([a.wins - b.wins for a, b in both]),
    )


def _forfeits(plan: Plan, results: Sequence[DealResult]) -> list[ForfeitReport]:
    names = [contestant.name for contestant in plan.contestants]
    return [
        ForfeitReport(
            deal=result.deal,
            bot=names[table.who[forfeit.seat]],
            seats=tuple(names[who] for who in table.who),
            forfeit=forfeit,
        )
        for result in results
        for table in result.tables
        for forfeit in table.forfeits
    ]


def _time(plan: Plan, who: int, results: Sequence[DealResult]) -> TimeReport:
    clock = sum((result.clocks[who] for result in results), Clocked())
    mean = clock.seconds / clock.decisions if clock.decisions else 0.0
    return TimeReport(
        bot=plan.contestants[who].name,
        decisions=clock.decisions,
        mean_ms=round(1000 * mean, 3),
        slowest_ms=round(1000 * clock.slowest, 3),
    )
