"""How strong the levels are: each against the one below, the upper ones against random and greedy players.

    python benches/bench_levels.py                              all games but 6 nimmt!, which bench_bots.py measures
    python benches/bench_levels.py --game x --deals 400         one game, more deals
    python benches/bench_levels.py --game baron --variant both  a variant
    python benches/bench_levels.py --game buffalo --seats 1 6   teams of so many seats
    python benches/bench_levels.py --game six --variant draft --ladder    levels only, without random and greedy
    python benches/bench_levels.py --workers 2

One seat of a level plays against equals of another and changes its seat from deal to deal; a shared win counts by
its share. In Beat the Buffalo each level is a team of its own, all on the same deals. Intervals are 95 %.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from nimmt.arena import Ledger, Report, make_plan, make_report, read_field, run
from nimmt.arena.runner import Backend, choose_backend
from nimmt.arena.statistics import Estimate
from nimmt.bots import LEVELS, SIMPLE
from nimmt.rules import registry
from nimmt.rules.kit.options import variant_options

GAMES = ("x", "eleven", "baron", "buffalo")
SEATS = 4
TEAMS = range(1, 7)
UPPER = ("expert", "master")


class Job(NamedTuple):
    game: str
    variant: str
    seats: int
    bots: str


def jobs(game: str, variant: str, seats: Sequence[int], *, ladder: bool) -> Iterator[Job]:
    if registry.get(game).cooperative:
        for number in seats or TEAMS:
            yield Job(game, variant, number, ",".join((*SIMPLE, *LEVELS)))
        return
    meetings = [*((higher, lower) for lower, higher in pairwise(LEVELS))]
    meetings += [] if ladder else [(level, simple) for level in UPPER for simple in SIMPLE]
    for number in seats or (SEATS,):
        for level, other in meetings:
            yield Job(game, variant, number, f"{level}:1,{other}:{number - 1}")


def measure(job: Job, deals: int, backend: Backend, seed: str, progress: Progress) -> Report:
    game = registry.get(job.game)
    field = read_field(job.bots)
    plan = make_plan(game, variant_options(game, job.variant), job.seats, field, seed=seed, duplicate=not field.counted)
    task, ledger = progress.add_task(f"{job.game}, {job.seats} seats: {job.bots}", total=deals), Ledger()
    course = run(plan, "deals", deals, backend, ledger, on_deal=lambda: progress.advance(task))
    progress.remove_task(task)
    return make_report(plan, course, ledger.first("deals", course.counted))


def lines(job: Job, report: Report) -> Iterator[str]:
    """For a meeting the one whose share is in question; for teams all of them."""
    told = len(report.bots) if registry.get(job.game).cooperative else 1
    other = "the buffalo" if registry.get(job.game).cooperative else f"{job.seats - 1} × {report.bots[1].bot}"
    for bot, time in zip(report.bots[:told], report.times, strict=False):
        cells = job.game, job.variant, job.seats, bot.bot, other, report.course.counted
        yield f"| {' | '.join(map(str, cells))} | {share(bot.wins)} | {bot.points.mean:.1f} | {time.mean_ms:.1f} |"


def share(wins: Estimate) -> str:
    return f"{wins.mean:.1%}" if wins.high is None else f"{wins.mean:.1%} ± {wins.high - wins.mean:.1%}"


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--game", choices=("six", *GAMES), action="append", help="may be given several times")
    parser.add_argument("--variant", default="basic")
    parser.add_argument("--seats", type=int, nargs="+", default=[], help=f"{SEATS}; for teams 1 to 6")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--ladder", action="store_true", help="each level against the one below, and no others")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", default="levels")
    args = parser.parse_args(argv)
    backend = choose_backend(args.workers)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    print("| game | variant | seats | bot | against | deals | wins | points | ms a decision |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        for game in args.game or GAMES:
            for job in jobs(game, args.variant, args.seats, ladder=args.ladder):
                for line in lines(job, measure(job, args.deals, backend, args.seed, progress)):
                    print(line, flush=True)
    backend.close()


if __name__ == "__main__":
    main()
