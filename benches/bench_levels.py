"""Measure the levels: each against the one below, in all games and variants, until it is clear which is stronger.

    python benches/bench_levels.py                               all games and variants; resumes after a stop
    python benches/bench_levels.py --game six --variant cow      some of them; both flags can be repeated
    python benches/bench_levels.py --most 6400                   a higher limit for close pairings
    python benches/bench_levels.py --deals 1000                  a fixed number of deals
    python benches/bench_levels.py --game x --simple             the upper levels against random and greedy players, too
    python benches/bench_levels.py --game buffalo --seats 1 6    teams of so many seats
    python benches/bench_levels.py --write                       put the table into benches/results.md

Single deals: one seat of a level against equals of another, rotating seats; a shared win counts by its share. In Beat
the Buffalo each level is a team, and both teams play the same deals; leads are paired differences.

Each pairing is evaluated after 50, 100, 200, … deals and ends when the confidence interval of the lead excludes parity.
Since repeated looks inflate the error rate, the intervals are Bonferroni-corrected: with K looks each has level
1 - 0.05 / K, so all of them together cover the truth in at least 95 % of runs, whenever one stops.

Results are saved deal by deal in `--work`; the same command resumes.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import pairwise, product
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from nimmt.arena import Ledger, Plan, make_plan, read_field, run
from nimmt.arena.players import DealResult
from nimmt.arena.runner import Backend, choose_backend
from nimmt.arena.statistics import CONFIDENCE, Estimate, estimate, tally
from nimmt.bots import LEVELS, SIMPLE
from nimmt.fast.game import get_fast
from nimmt.match.match import single_deal
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, InvalidOptions
from nimmt.rules.kit.options import variant_options
from nimmt.rules.kit.seats import usual_seats

PAGE, NAME = Path(__file__).with_name("results.md"), "ladder"
UPPER = ("expert", "master")
COLUMNS = ("game", "variant", "seats", "bot", "against", "deals", "wins", "lead", "verdict")
OPEN = "not clear"
INTERRUPTED = 130
BOT, OTHER = 0, 1
"""Indices of the contestants in the plan."""


class Meeting(NamedTuple):
    """A pairing: is the first bot stronger than the second?"""

    game: AnyGame
    variant: str
    seats: int
    bots: str

    @property
    def name(self) -> str:
        return f"{self.game.id}-{self.variant}-{self.seats}-{re.sub(r'[^a-z0-9]+', '-', self.bots)}"

    @property
    def rung(self) -> int:
        """The highest level involved; higher levels take longer."""
        return max(at for at, level in enumerate(LEVELS) if level in self.bots)

    def plan(self, seed: str) -> Plan:
        field = read_field(self.bots)
        options = variant_options(self.game, self.variant)
        return make_plan(self.game, options, self.seats, field, seed=seed, duplicate=not field.counted)


class Answer(NamedTuple):
    wins: float
    others: float
    lead: Estimate
    """The bot's share of wins minus parity, or a team's wins minus those of the other team."""

    @property
    def verdict(self) -> str:
        if self.lead.low is None or self.lead.high is None or self.lead.low <= 0.0 <= self.lead.high:
            return OPEN
        return "stronger" if self.lead.low > 0.0 else "weaker"


# -- who meets whom ----------------------------------------------------------------------------------------------------


def meetings(game: AnyGame, variant: str, seats: int, *, simple: bool) -> Iterator[Meeting]:
    pairs = [(higher, lower) for lower, higher in pairwise(LEVELS)]
    pairs += [(level, other) for level in UPPER for other in SIMPLE] if simple else []
    for level, other in pairs:
        bots = f"{level},{other}" if game.cooperative else f"{level}:1,{other}:{seats - 1}"
        yield Meeting(game, variant, seats, bots)


def variants(game: AnyGame, wanted: Sequence[str], seats: int) -> Iterator[str]:
    """All variants, or the wanted ones, without those that are identical in single deals."""
    seen = set()
    for variant in game.variants:
        if wanted and variant.id not in wanted:
            continue
        options = single_deal(game, variant_options(game, variant.id))
        dealt = str(options) if game.cooperative else get_fast(game.id).template(options, seats).tobytes()
        if dealt not in seen:
            seen.add(dealt)
            yield variant.id


def looks(first: int, most: int) -> list[int]:
    """The numbers of deals at which a pairing is evaluated."""
    found = [first]
    while found[-1] < most:
        found.append(min(2 * found[-1], most))
    return found


# -- playing -----------------------------------------------------------------------------------------------------------


def answer(meeting: Meeting, plan: Plan, results: Sequence[DealResult], confidence: float) -> Answer:
    own, others, leads = [], [], []
    for result in results:
        mine, theirs = tally(plan, BOT, result), tally(plan, OTHER, result)
        if mine and theirs:
            own.append(mine.wins)
            others.append(theirs.wins)
            leads.append(mine.wins - (theirs.wins if meeting.game.cooperative else 1 / meeting.seats))
    return Answer(fmean(own), fmean(others), estimate(leads, confidence))


class Table:
    """The results of all pairings so far."""

    def __init__(self, path: Path, every: Sequence[Meeting], confidence: float) -> None:
        self.path, self.names, self.confidence = path, [meeting.name for meeting in every], confidence
        self.rows: dict[str, str] = {}
        self.open: set[str] = set()

    def put(self, meeting: Meeting, plan: Plan, results: Sequence[DealResult]) -> None:
        found = answer(meeting, plan, results, self.confidence)
        self.open.discard(meeting.name)
        if found.verdict == OPEN:
            self.open.add(meeting.name)
        self.rows[meeting.name] = line(meeting, plan, len(results), found)
        self.path.write_text(self.text())

    def text(self) -> str:
        head = [row(COLUMNS), "|---" * len(COLUMNS) + "|"]
        found = [self.rows[name] for name in self.names if name in self.rows]
        return "\n".join([*head, *found]) + "\n"


def row(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def line(meeting: Meeting, plan: Plan, deals: int, found: Answer) -> str:
    bot, other = plan.contestants[BOT].name, plan.contestants[OTHER].name
    as_team = f"{other}: {percent(found.others)}"
    lead = found.lead
    reach = "" if lead.high is None else f" ± {100 * (lead.high - lead.mean):.1f}"
    cells = meeting.game.name, meeting.variant, meeting.seats, bot
    against = as_team if meeting.game.cooperative else f"{meeting.seats - 1} × {other}"
    told = f"{deals:,}", percent(found.wins), f"{100 * lead.mean:+.1f}{reach}", found.verdict
    return row((*cells, against, *told))


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def measure(
    every: Sequence[Meeting],
    at: Sequence[int],
    table: Table,
    work: Path,
    seed: str,
    backend: Backend,
    progress: Progress,
) -> bool:
    """Play all pairings up to the first look, the undecided ones up to the next, and so on; False if interrupted."""
    for deals in at:
        left = [meeting for meeting in every if meeting.name not in table.rows or meeting.name in table.open]
        whole = progress.add_task(f"{len(left)} of {len(every)} pairings to {deals} deals", total=len(left))
        for meeting in left:
            plan = meeting.plan(seed)
            with closing(Ledger.open(work / meeting.name, plan, resume=True)) as ledger:
                bar = progress.add_task(
                    meeting.name, total=deals, completed=deals - len(ledger.missing("deals", deals))
                )
                course = run(plan, "deals", deals, backend, ledger, on_deal=lambda bar=bar: progress.advance(bar))
                progress.remove_task(bar)
                if course.stopped:
                    return False
                table.put(meeting, plan, ledger.first("deals", deals))
            progress.advance(whole)
        progress.remove_task(whole)
    return True


def write(table: str) -> None:
    """Replace the table in the page; `python3 dev.py generate` redraws its plot."""
    page, marker = PAGE.read_text("utf-8"), f"<!-- plot: {NAME} -->\n\n"
    PAGE.write_text(re.sub(re.escape(marker) + r"(\|.*\n)+", lambda _: marker + table, page), "utf-8")


def positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 up")
    return int(text)


def parsed(argv: Sequence[str] | None) -> tuple[argparse.Namespace, list[Meeting]]:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    number = {"type": positive, "metavar": "N"}
    parser.add_argument("--game", choices=registry.GAMES, action="append", help="default: all")
    parser.add_argument("--variant", action="append", default=[], help="default: all")
    parser.add_argument("--seats", **number, nargs="+", help="default: four, or as many as the game takes")
    parser.add_argument("--first", **number, default=50, help="deals before the first look (50)")
    parser.add_argument("--most", **number, default=1600, help="deals after which a pairing stays undecided (1600)")
    parser.add_argument("--deals", **number, help="exactly so many, and one look")
    parser.add_argument("--simple", action="store_true", help="also the upper levels against random and greedy players")
    parser.add_argument("--work", type=Path, default=Path("bench-levels"), help="where results are kept [bench-levels]")
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}; needs all games")
    parser.add_argument("--workers", **number, default=1, help="processes (1)")
    parser.add_argument("--seed", default="levels", help="for other deals [levels]")
    args = parser.parse_args(argv)
    if args.write and (args.game or args.variant or args.seats):
        parser.error("--write replaces the whole table: not with --game, --variant or --seats")
    if args.work.exists() and not args.work.is_dir():
        parser.error(f"{args.work} is not a folder")
    games = [registry.get(game) for game in args.game or registry.GAMES]
    known = {variant.id for game in games for variant in game.variants}
    if unknown := [variant for variant in args.variant if variant not in known]:
        parser.error(f"there is no variant {', '.join(unknown)}; there are {', '.join(sorted(known))}")
    for game, seats in product(games, args.seats or []):
        if not game.min_seats <= seats <= game.max_seats:
            parser.error(f"{game.name} takes {game.min_seats} to {game.max_seats} players, not {seats}")
    try:
        every = [
            meeting
            for game in games
            for seats in args.seats or [usual_seats(game)]
            for variant in variants(game, args.variant, seats)
            for meeting in meetings(game, variant, seats, simple=args.simple)
        ]
        for meeting in every:
            meeting.plan(args.seed)  # its options may allow fewer seats than the game
    except InvalidOptions as error:
        parser.error(str(error))
    return args, every


def main(argv: Sequence[str] | None = None) -> int:
    args, every = parsed(argv)
    at = [args.deals] if args.deals else looks(args.first, args.most)
    args.work.mkdir(parents=True, exist_ok=True)
    table = Table(args.work / "levels.md", every, 1 - (1 - CONFIDENCE) / len(at))
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with (
        closing(choose_backend(args.workers)) as backend,
        Progress(*columns, console=Console(stderr=True), transient=True) as progress,
    ):
        is_whole = all(
            measure(group, at, table, args.work, args.seed, backend, progress)
            for rung in range(len(LEVELS))  # what is quick comes first
            if (group := [meeting for meeting in every if meeting.rung == rung])
        )
    print(table.text(), end="")
    print(f"{len(table.rows) - len(table.open)} of {len(every)} pairings are clear.")
    if not is_whole:
        print("Stopped. The same command goes on.", file=sys.stderr)
        return INTERRUPTED
    if args.write:
        write(table.text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
