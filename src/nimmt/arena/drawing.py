"""The report as tables for people."""

from __future__ import annotations

from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from nimmt.arena.counting import Estimate
from nimmt.arena.plan import Plan
from nimmt.arena.report import Report, heading
from nimmt.arena.sprt import Sprt

NAME_WIDTH = 10


def drawing(plan: Plan, report: Report, sprt: Sprt | None = None) -> list[RenderableType]:
    parts: list[RenderableType] = [Text(heading(plan, report), "bold"), Text(_summary(plan, report))]
    if not report.bots:
        return parts
    parts.append(_bots(report))
    if report.pairs:
        parts.append(_pairs(report))
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
