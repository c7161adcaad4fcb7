"""What an arena's results come to, as data, as text and as plots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, combinations
from pathlib import Path
from typing import Any

import msgspec
from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from nimmt.arena.plan import Kind, Plan, need
from nimmt.arena.players import Clocked, DealResult, Forfeit
from nimmt.arena.runner import Course
from nimmt.arena.statistics import (
    Adjusted,
    Estimate,
    Pair,
    Rating,
    Sprt,
    Tallied,
    adjusted,
    estimate,
    lucks,
    rate,
    seats_of,
    tally,
)
from nimmt.rules import registry

# -- report ------------------------------------------------------------------------------------------------------------
# What came out: the numbers of a run, for people, programs and plots alike.

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
    adjusted: Adjusted | None = None
    """Without what was luck, where that was looked at."""


class PairReport(msgspec.Struct, frozen=True, kw_only=True):
    """One bot less another, over the deals that both had."""

    bot: str
    other: str
    points: Estimate
    wins: Estimate
    adjusted: Adjusted | None = None


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
            if (pair := _pair(plan, one, other, results, tallies[one], tallies[other])) is not None
        ),
        forfeits=tuple(_forfeits(plan, results)[:SHOWN_FORFEITS]),
        times=tuple(_time(plan, who, results) for who in present),
    )


def _bot(
    plan: Plan, who: int, results: Sequence[DealResult], tallies: Sequence[Tallied | None], rating: Rating
) -> BotReport:
    mine = [tallied for tallied in tallies if tallied is not None]
    places = [place for result in results for place in seats_of(who, result)]
    luck = [one for result in results if (one := lucks(who, result)) is not None]
    return BotReport(
        bot=plan.contestants[who].name,
        seats=len(places),
        points=estimate([tallied.points for tallied in mine]),
        wins=estimate([tallied.wins for tallied in mine]),
        rating=rating,
        forfeits=sum(forfeit.seat == seat for table, seat in places for forfeit in table.forfeits),
        adjusted=_adjusted([one.points for one in mine], [one.wins for one in mine], luck),
    )


def _adjusted(points: Sequence[float], wins: Sequence[float], luck: Sequence[tuple[Pair, Pair]]) -> Adjusted | None:
    return adjusted(points, wins, luck) if len(luck) == len(points) else None


def _pair(
    plan: Plan,
    one: int,
    other: int,
    results: Sequence[DealResult],
    mine: Sequence[Tallied | None],
    theirs: Sequence[Tallied | None],
) -> PairReport | None:
    both = [(a, b) for a, b in zip(mine, theirs, strict=True) if a is not None and b is not None]
    if not both:
        return None
    pairs = [(lucks(one, result), lucks(other, result)) for result in results]
    luck = [(_less(a[0], b[0]), _less(a[1], b[1])) for a, b in pairs if a is not None and b is not None]
    points, wins = [a.points - b.points for a, b in both], [a.wins - b.wins for a, b in both]
    return PairReport(
        bot=plan.contestants[one].name,
        other=plan.contestants[other].name,
        points=estimate(points),
        wins=estimate(wins),
        adjusted=_adjusted(points, wins, luck),
    )


def _less(one: Pair, other: Pair) -> Pair:
    return one[0] - other[0], one[1] - other[1]


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


# The report as tables and as pictures: PNG to look at, SVG to print. Drawn without a screen.

# -- plots -------------------------------------------------------------------------------------------------------------
# The report as pictures: PNG to look at, SVG to print. Drawn without a screen.

FORMATS = ("png", "svg")
MAX_BINS = 40
STEPS = 400
"""A line needs no more points than that to look smooth."""


def plot(plan: Plan, report: Report, results: Sequence[DealResult], folder: Path) -> list[Path]:
    """Four pictures in the folder, named after what was played: `deals-wins.png` and so on."""
    need("matplotlib", "arena")
    if not report.bots:
        return []
    pictures: dict[str, Callable[[Any], None]] = {
        "points": lambda axes: _points(plan, results, axes),
        "wins": lambda axes: _wins(report, axes),
        "ratings": lambda axes: _ratings(report, axes),
        "running": lambda axes: _running(plan, results, axes),
    }
    written = []
    for name, draw in pictures.items():
        written += _save(draw, heading(plan, report), folder / f"{report.kind}-{name}")
    return written


def _save(draw: Callable[[Any], None], title: str, stem: Path) -> list[Path]:
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    # The same numbers give the same file: neither the date nor a random number may be in it.
    with rc_context({"svg.hashsalt": "nimmt", "font.size": 10}):
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        axes = figure.add_subplot()
        draw(axes)
        axes.set_title(_text(title), fontsize=10, loc="left")
        axes.spines[["top", "right"]].set_visible(False)
        paths = [stem.with_suffix(f".{form}") for form in FORMATS]
        for path in paths:
            figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)
    return paths


def _points(plan: Plan, results: Sequence[DealResult], axes: Any) -> None:
    """How often a seat ended with how many points."""
    points = {
        contestant.name: [table.points[seat] for result in results for table, seat in seats_of(who, result)]
        for who, contestant in enumerate(plan.contestants)
    }
    everything = [number for mine in points.values() for number in mine]
    low, high = min(everything), max(everything)
    width = -(-(high - low + 1) // MAX_BINS)
    bins = [low - 0.5 + width * step for step in range((high - low) // width + 2)]
    for name, mine in points.items():
        if mine:
            weights = [1 / len(mine)] * len(mine)
            axes.hist(mine, bins=bins, weights=weights, histtype="step", linewidth=1.5, label=_text(name))
    axes.set(xlabel="points at the end", ylabel="share of seats")
    axes.legend(frameon=False)


def _wins(report: Report, axes: Any) -> None:
    bots = sorted(report.bots, key=lambda bot: bot.wins.mean)
    names = [_text(bot.bot) for bot in bots]
    means = [100 * bot.wins.mean for bot in bots]
    reach = [100 * (bot.wins.high - bot.wins.mean) if bot.wins.high is not None else 0 for bot in bots]
    axes.barh(names, means, xerr=reach, capsize=4, color="#8fb3d9", ecolor="#333333")
    if report.parity:
        axes.axvline(100 * report.parity, color="#999999", linestyle="--", linewidth=1)
    axes.set(xlabel="wins in %, with the interval of 95 %")


def _ratings(report: Report, axes: Any) -> None:
    bots = sorted(report.bots, key=lambda bot: bot.rating.mu)
    names = [_text(bot.bot) for bot in bots]
    axes.errorbar(
        [bot.rating.mu for bot in bots], names, xerr=[2 * bot.rating.sigma for bot in bots], fmt="o", capsize=4
    )
    axes.margins(y=0.2)
    axes.set(xlabel="OpenSkill rating μ ± 2 σ")


def _running(plan: Plan, results: Sequence[DealResult], axes: Any) -> None:
    """The share of wins as it settled, deal by deal."""
    for who, contestant in enumerate(plan.contestants):
        mine = [100 * tallied.wins for result in results if (tallied := tally(plan, who, result)) is not None]
        sums = list(accumulate(mine))
        every = max(1, len(sums) // STEPS)
        at = range(every, len(sums) + 1, every)
        axes.plot(at, [sums[count - 1] / count for count in at], label=_text(contestant.name))
    axes.set(xlabel="deals", ylabel="wins so far in %")
    axes.legend(frameon=False)


def _text(name: str) -> str:
    """A name as it is: neither a formula nor hidden from the legend."""
    name = name.replace("$", r"\$")
    return f" {name}" if name.startswith("_") else name


# -- drawing -----------------------------------------------------------------------------------------------------------
# The report as tables for people.

NAME_WIDTH = 10


def drawing(plan: Plan, report: Report, sprt: Sprt | None = None) -> list[RenderableType]:
    parts: list[RenderableType] = [Text(heading(plan, report), "bold"), Text(_summary(plan, report))]
    if not report.bots:
        return parts
    parts.append(_bots(report))
    if report.pairs:
        parts.append(_pairs(report))
    if any(bot.adjusted for bot in report.bots):
        parts.append(_without_luck(report))
    parts.append(_conduct(report))
    parts += [Text(line) for line in _notes(report, sprt)]
    return parts


def _summary(plan: Plan, report: Report) -> str:
    how = "each deal at every table" if plan.duplicate else "each deal at one table"
    told = f"{report.tables:,} {'table' if report.tables == 1 else 'tables'}, {how}"
    return told if plan.cooperative else f"{told}; equal players would win {report.parity:.1%} of a seat's tables"


def _bots(report: Report) -> Table:
    table = _table("bot", ">seats", ">points", ">± 95%", ">wins", ">± 95%", ">rating", ">σ")
    for bot in sorted(report.bots, key=lambda bot: -bot.wins.mean):
        cells = [bot.bot, f"{bot.seats:,}", f"{bot.points.mean:.2f}", _reach(bot.points, 1, 2)]
        cells += [f"{bot.wins.mean:.1%}", _reach(bot.wins, 100, 1), f"{bot.rating.mu:.1f}", f"{bot.rating.sigma:.1f}"]
        table.add_row(*map(Text, cells))
    return table


def _pairs(report: Report) -> Table:
    table = _table("difference", ">points", ">± 95%", ">wins", ">± 95%")
    for pair in report.pairs:
        cells = [f"{pair.bot} less {pair.other}", f"{pair.points.mean:+.2f}", _reach(pair.points, 1, 2)]
        table.add_row(*map(Text, cells), f"{100 * pair.wins.mean:+.1f}", _reach(pair.wins, 100, 1))
    return table


def _without_luck(report: Report) -> Table:
    """The same without luck; the last columns say how far deals still are apart."""
    table = _table("without luck", ">points", ">± 95%", ">spread", ">wins", ">± 95%", ">spread")
    rows = [(bot.bot, bot.adjusted, False) for bot in sorted(report.bots, key=lambda bot: -bot.wins.mean)]
    rows += [(f"{pair.bot} less {pair.other}", pair.adjusted, True) for pair in report.pairs]
    for name, found, is_difference in rows:
        if found is not None:
            sign, wins = "+" if is_difference else "", found.wins.mean
            shown = f"{100 * wins:+.1f}" if is_difference else f"{wins:.1%}"
            cells = [name, f"{found.points.mean:{sign}.2f}", _reach(found.points, 1, 2), f"{found.points_spread:.0%}"]
            table.add_row(*map(Text, cells), shown, _reach(found.wins, 100, 1), f"{found.wins_spread:.0%}")
    return table


def _conduct(report: Report) -> Table:
    """How long they thought, and how often they failed: results need the whole width for themselves."""
    forfeits = any(bot.forfeits for bot in report.bots)
    table = _table("bot", ">decisions", ">ms each", ">slowest", *([">forfeits"] if forfeits else []))
    for bot, time in zip(report.bots, report.times, strict=True):
        cells = [time.bot, f"{time.decisions:,}", f"{time.mean_ms:.2f}", f"{time.slowest_ms:.0f}"]
        table.add_row(*map(Text, cells), *([f"{bot.forfeits:,}"] if forfeits else []))
    return table


def _notes(report: Report, sprt: Sprt | None) -> list[str]:
    course, notes = report.course, []
    if course.llr is not None and sprt is not None:
        verdict = {"better": "it is better", "not better": "it is not better by so much", None: "undecided"}
        first = report.bots[0].bot
        notes.append(
            f"Is {first} better than the others by {100 * sprt.gain:g} points of wins a seat? "
            f"{verdict[course.verdict].capitalize()} (log-likelihood ratio {course.llr:+.2f}, "
            f"decided at ±{sprt.bound:.2f})."
        )
    notes += [
        f"Forfeit in deal {item.deal}: {item.bot}, seat {item.forfeit.seat}: {item.forfeit.report}"
        for item in report.forfeits
    ]
    if course.given_up is not None:
        notes.append(f"Gave up on {course.given_up}: it failed too often. Deals after that do not count.")
    if course.stopped == "interrupted":
        notes.append("Interrupted: these are the deals until then.")
    return notes


def _reach(estimate: Estimate, scale: int, digits: int) -> str:
    return "" if estimate.high is None else f"{scale * (estimate.high - estimate.mean):.{digits}f}"


def _table(*headings: str) -> Table:
    """A column for each heading; those that begin with ">" hold numbers, the others names, which are not cut off."""
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), header_style="bold")
    for words in headings:
        if words.startswith(">"):
            table.add_column(words.lstrip(">"), justify="right", no_wrap=True)
        else:
            table.add_column(words, overflow="fold", min_width=NAME_WIDTH)
    return table
