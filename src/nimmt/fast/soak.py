"""Compare the kernels with the rules for as long as you like: `python -m nimmt.fast.soak --matches 1000000 --game six`.

Whole matches of random play of every variant and number of seats, see `nimmt.fast.proof`. The first difference ends it
and shows the position. The same seed plays the same matches.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import islice
from random import Random
from typing import NamedTuple

from nimmt.fast.game import get_fast
from nimmt.fast.proof import Proof, Unequal, compare_matches
from nimmt.rules import registry
from nimmt.rules.kit.options import variant_options

BATCH = 50
"""Matches that one process plays before it reports."""


class Batch(NamedTuple):
    game: str
    variant: str
    seats: int
    matches: int
    seed: str

    def compare(self) -> Proof:
        fast = get_fast(self.game)
        options = variant_options(fast.rules, self.variant)
        return compare_matches(fast, options, self.seats, Random(self.seed), self.matches)


def tables(games: list[str]) -> list[tuple[str, str, int]]:
    """Every variant with every number of seats."""
    found = []
    for game in map(registry.get, games):
        for variant in game.variants:
            most = variant.max_seats or game.max_seats
            found += [(game.id, variant.id, seats) for seats in range(game.min_seats, most + 1)]
    return found


def batches(games: list[str], matches: int, seed: str) -> Iterator[Batch]:
    """All tables in turn, until so many matches are played."""
    kinds = tables(games)
    number = 0
    while matches > 0:
        size = min(BATCH, matches)
        yield Batch(*kinds[number % len(kinds)], size, f"{seed}/{number}")
        matches -= size
        number += 1


def soak(games: list[str], matches: int, seed: str, processes: int) -> Proof:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("matches"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    proof = Proof()
    apart = multiprocessing.get_context("spawn")  # the progress bar is drawn by a thread
    with Progress(*columns) as progress, ProcessPoolExecutor(processes, mp_context=apart) as pool:
        task = progress.add_task("matches", total=matches)
        work = batches(games, matches, seed)
        running = {pool.submit(batch.compare) for batch in islice(work, 2 * processes)}
        try:
            while running:
                done = next(as_completed(running))
                running.remove(done)
                proof = proof.plus(done.result())
                progress.update(task, completed=proof.matches)
                if (batch := next(work, None)) is not None:
                    running.add(pool.submit(batch.compare))
        except (Unequal, KeyboardInterrupt):
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return proof


def _positive(word: str) -> int:
    if not word.isdecimal() or not int(word):
        raise argparse.ArgumentTypeError(f"must be 1 or more, not {word!r:.40}")
    return int(word)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m nimmt.fast.soak", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--game", choices=(*registry.GAMES, "all"), default="all")
    parser.add_argument("--matches", type=_positive, default=10_000)
    parser.add_argument("--seed", default="soak")
    parser.add_argument("--processes", type=_positive, default=os.cpu_count() or 1)
    args = parser.parse_args(arguments)
    games = list(registry.GAMES) if args.game == "all" else [args.game]
    try:
        proof = soak(games, args.matches, args.seed, args.processes)
    except Unequal as error:
        print(f"The kernels differ from the rules.\n{error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted: no difference so far.", file=sys.stderr)
        return 130
    done = f"{proof.matches:,} matches, {proof.rounds:,} rounds, {proof.decisions:,} decisions, {proof.steps:,} steps"
    print(f"Equal: {done}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
