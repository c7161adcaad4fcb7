"""Counting what simulated matches came to, and drawing it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

from nimmt.clients.cli.common import can_print
from nimmt.match.match import Match
from nimmt.rules.game import Event
from nimmt.rules.kit.events import RoundEnded

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

WIDEST_BAR = 40
MOST_BARS = 12
ENOUGH_FOR_BARS = 5


class Tally:
    """The numbers of some finished matches between the same seats."""

    def __init__(self, names: Sequence[str], bots: Sequence[str]) -> None:
        self.names, self.bots = tuple(names), tuple(bots)
        self.matches = self.rounds = self.decisions = self.shared = self.lost = 0
        self.seconds = 0.0
        self.ends: Counter[str] = Counter()
        self.wins = [0] * len(names)
        self.points: list[list[int]] = [[] for _ in names]

    def add(self, match: Match, events: Iterable[Event]) -> None:
        outcome = match.outcome
        if outcome is None:
            return
        self.matches += 1
        # A game without rounds is one round.
        self.rounds += sum(isinstance(event, RoundEnded) for event in events) or 1
        self.decisions += len(match.moves)
        self.shared += len(outcome.winners) > 1
        self.lost += not outcome.winners
        self.ends[outcome.reason] += 1
        for seat in outcome.winners:
            self.wins[seat] += 1
        for seat, points in enumerate(outcome.points):
            self.points[seat].append(points)

    # -- for programs -------------------------------------------------------------------------------------------

    def as_data(self) -> dict[str, Any]:
        return {
            "rounds": self.rounds,
            "decisions": self.decisions,
            "seconds": round(self.seconds, 3),
            "shared_wins": self.shared,
            "without_winner": self.lost,
            "ends": dict(self.ends),
            "seats": [self._seat_data(seat) for seat in range(len(self.names))],
        }

    def _seat_data(self, seat: int) -> dict[str, Any]:
        points = self.points[seat]
        return {
            "seat": seat,
            "name": self.names[seat],
            "bot": self.bots[seat],
            "wins": self.wins[seat],
            "mean_points": round(fmean(points), 3) if points else None,
            "least_points": min(points, default=None),
            "most_points": max(points, default=None),
        }

    # -- for people ---------------------------------------------------------------------------------------------

    def drawing(self, heading: str) -> list[RenderableType]:
        from rich.text import Text

        parts: list[RenderableType] = [Text(heading, "bold"), Text(self._summary())]
        if not self.matches:
            return parts
        parts.append(self._seats_table())
        if len(set(self.bots)) > 1:
            parts.append(self._bots_table())
        if self.matches < ENOUGH_FOR_BARS:
            return parts
        return [*parts, Text("Points at the end, all seats together", "bold"), self._histogram()]

    def _summary(self) -> str:
        pace = f"{self.decisions / self.seconds:,.0f} a second" if self.seconds else "no time at all"
        rounds = "1 round" if self.rounds == 1 else f"{self.rounds:,} rounds"
        told = f"{rounds}, {self.decisions:,} decisions in {self.seconds:.1f} s ({pace})"
        told += f"; shared wins: {self.shared:,}" if self.shared else ""
        return told + (f"; won by nobody: {self.lost:,}" if self.lost else "")

    def _seats_table(self) -> Table:
        table = _table("seat", "bot", ">wins", ">", ">points", ">least", ">most")
        for seat, (name, bot) in enumerate(zip(self.names, self.bots, strict=True)):
            table.add_row(name, bot, *self._results([seat]))
        return table

    def _bots_table(self) -> Table:
        table = _table("bot", ">seats", ">wins", ">", ">points", ">least", ">most")
        for bot in dict.fromkeys(self.bots):
            seats = [seat for seat, sitting in enumerate(self.bots) if sitting == bot]
            table.add_row(bot, str(len(seats)), *self._results(seats))
        return table

    def _results(self, seats: Sequence[int]) -> tuple[str, ...]:
        """Wins, their share for one seat, the mean of the points, the least and the most."""
        wins, points = sum(self.wins[seat] for seat in seats), [p for seat in seats for p in self.points[seat]]
        share = wins / len(points)
        return f"{wins:,}", f"{share:.0%}", f"{fmean(points):.1f}", f"{min(points)}", f"{max(points)}"

    def _histogram(self) -> Table:
        """How many seats ended with how many points."""
        points = [p for seat in self.points for p in seat]
        bars = histogram(points)
        highest, block = max(bars.values()), "█" if can_print("█") else "#"
        table = _table(">points", "", ">seats")
        for (low, high), seats in bars.items():
            bar = block * round(WIDEST_BAR * seats / highest) or ("▏" if seats and block == "█" else "")
            table.add_row(f"{low}" if low == high else f"{low} to {high}", f"[cyan]{bar}[/]", f"{seats:,}")
        return table


def histogram(points: Sequence[int]) -> dict[tuple[int, int], int]:
    """How often the points fell into each span; the spans are as round as the numbers allow."""
    lowest, highest = min(points), max(points)
    width = next(width for width in _round_numbers() if highest // width - lowest // width < MOST_BARS)
    counts = Counter(number // width for number in points)
    spans = range(lowest // width, highest // width + 1)
    return {(span * width, span * width + width - 1): counts[span] for span in spans}


def _round_numbers() -> Iterable[int]:
    unit = 1
    while True:
        yield from (unit, 2 * unit, 5 * unit)
        unit *= 10


def _table(*headings: str) -> Table:
    """A column for each heading; those that begin with ">" hold numbers."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), header_style="bold")
    for heading in headings:
        numbers = heading.startswith(">")
        table.add_column(heading.lstrip(">"), justify="right" if numbers else "left", no_wrap=True)
    return table
