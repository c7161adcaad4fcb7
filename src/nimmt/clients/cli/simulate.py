"""Let bots play matches against each other, keep the records if you like, and look at the numbers.

The same seed plays the same matches: deals, contributions and the bots' own chance all follow from it.
"""

from __future__ import annotations

import argparse
import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import fmean
from time import perf_counter
from typing import TYPE_CHECKING, Any

from nimmt.bots.bot import advance, seeded
from nimmt.clients.cli import flags
from nimmt.clients.cli.common import (
    INTERRUPTED,
    SUCCESS,
    CommandError,
    can_print,
    clean,
    draw,
    get_ready,
    print_json,
    progress_bar,
)
from nimmt.library.match import save_bytes
from nimmt.match.match import Match
from nimmt.match.record import SeatInfo, write_record
from nimmt.rules.game import AnyGame, Event, Options
from nimmt.rules.kit.events import RoundEnded
from nimmt.rules.kit.seats import SEAT_NAMES

# -- tally -------------------------------------------------------------------------------------------------------------
# Counting what simulated matches came to, and drawing it.

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

MAX_BAR_WIDTH = 40
MAX_BARS = 12
MIN_MATCHES_FOR_BARS = 5


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
        if self.matches < MIN_MATCHES_FOR_BARS:
            return parts
        return [*parts, Text("Points at the end, over all seats", "bold"), self._histogram()]

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
            bar = block * round(MAX_BAR_WIDTH * seats / highest) or ("▏" if seats and block == "█" else "")
            table.add_row(f"{low}" if low == high else f"{low} to {high}", f"[cyan]{bar}[/]", f"{seats:,}")
        return table


def histogram(points: Sequence[int]) -> dict[tuple[int, int], int]:
    """How often the points fell into each span; the spans are as round as the numbers allow."""
    lowest, highest = min(points), max(points)
    width = next(width for width in _round_numbers() if highest // width - lowest // width < MAX_BARS)
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


# -- simulate ----------------------------------------------------------------------------------------------------------

if TYPE_CHECKING:
    from nimmt.bots import Bot

EXAMPLES = """\
examples:
  nimmt simulate six
  nimmt simulate six --players 6 --matches 100 --seed 7 --fan cow
  nimmt simulate x --bots greedy,random --matches 500 --json
  nimmt simulate baron --variant both --matches 20 --seed demo --out records
  nimmt simulate six --help     shows the options of six

Bots are named for the seats in turn, and again from the first when there are
more seats.
"""


def configure(parser: flags.Parser) -> None:
    from nimmt.bots import BOTS

    flags.add_game_argument(parser)
    flags.add_players_argument(parser)
    parser.add_argument(
        "--matches", type=flags.whole_number(1, 1_000_000), default=10, metavar="M", help="how many (default: 10)"
    )
    parser.add_argument("--seed", metavar="S", help="a number or any text (default: a new one)")
    parser.add_argument("--bots", default="random", metavar="BOT,…", help=f"{', '.join(BOTS)} (default: random)")
    parser.add_argument("--out", metavar="DIR", help="write the records here, as GAME-SEED-00001.json")
    parser.add_argument("--force", action="store_true", help="overwrite existing records")
    flags.add_json_argument(parser)
    parser.epilog = EXAMPLES


def run(args: argparse.Namespace) -> int:
    game: AnyGame = args.game
    options, players = flags.options_from(args, game), flags.players_from(args, game)
    flags.check_table(game, options, players)
    bots = flags.bots_from(args.bots, players)
    seed = _new_seed() if args.seed is None else args.seed
    shelf = Shelf(args.out, f"{game.id}-{_file_word(seed)}", args.matches, force=args.force) if args.out else None
    tally = Tally(SEAT_NAMES[:players], bots)
    simulation = Simulation(game, options, bots, seed)
    get_ready(game, bots)
    interrupted = _play_all(simulation, args.matches, tally, shelf)
    if args.json:
        about = {"game": game.id, "options": options, "players": players, "bots": bots, "seed": seed}
        done = {"matches": tally.matches, "interrupted": interrupted, "out": args.out}
        print_json(about | done | tally.as_data())
    else:
        played = "1 match" if tally.matches == 1 else f"{tally.matches:,} matches"
        heading = f"{game.name}: {played}, seed {clean(seed)}"
        draw(*tally.drawing(heading))
        if shelf:
            print(f"The records are in {clean(args.out)}.")
    return INTERRUPTED if interrupted else SUCCESS


def _play_all(simulation: Simulation, matches: int, tally: Tally, shelf: Shelf | None) -> bool:
    """Whether it was interrupted: what was played until then counts."""
    started = perf_counter()
    try:
        with progress_bar("matches", matches) as advance:
            for number in range(1, matches + 1):
                match, events = simulation.play(number)
                if shelf:
                    shelf.put(number, write_record(match.record()))
                tally.add(match, events)
                tally.seconds = perf_counter() - started
                advance()
    except KeyboardInterrupt:
        return True
    return False


# -- playing ----------------------------------------------------------------------------------------------------


class Simulation:
    """Plays match after match; each follows from the seed and its own number alone."""

    def __init__(self, game: AnyGame, options: Options, bots: Sequence[str], seed: str) -> None:
        from nimmt.bots import get_bot

        self.game = game
        self.options = options
        self.seed = seed
        self.seats = [SeatInfo(name, player) for name, player in zip(SEAT_NAMES, bots, strict=False)]
        self.bots: list[Bot] = [get_bot(name, game) for name in bots]

    def play(self, number: int) -> tuple[Match, list[Any]]:
        """A whole match, and all that happened in it."""
        match, rngs = seeded(self.game, self.options, self.seats, self.seed, number)
        events = [*match.opening]
        while (happened := advance(match, self.bots, rngs)) is not None:
            events += happened
        return match, events


def _new_seed() -> str:
    from secrets import token_hex

    return token_hex(4)


# -- keeping ----------------------------------------------------------------------------------------------------


class Shelf:
    """A folder of records. Nothing is overwritten unless that was asked for."""

    def __init__(self, folder: str, stem: str, matches: int, *, force: bool) -> None:
        self.folder, self.stem = Path(folder), stem
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError:
            raise CommandError(f"{clean(folder)} is not a folder.", code="unreadable") from None
        except ValueError:  # a null in the name
            raise CommandError(f"{folder!r:.80} is not a valid folder name.", code="unreadable") from None
        present = set() if force else set(os.listdir(self.folder))
        for number in range(1, matches + 1):
            if self._name(number) in present:
                raise CommandError(
                    f"{clean(folder)} already holds {self._name(number)}; --force overwrites.", code="exists"
                )

    def put(self, number: int, record: bytes) -> None:
        save_bytes(self.folder / self._name(number), record)

    def _name(self, number: int) -> str:
        return f"{self.stem}-{number:05}.json"


def _file_word(seed: str) -> str:
    return re.sub(r"[^\w.-]", "_", seed)[:60]
