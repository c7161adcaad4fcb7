"""Measure the reliability of reviews: do mistakes remain mistakes with ten times the worlds, is luck unbiased, and how
long does a review take?

    python benches/bench_review.py                       all three, for all games
    python benches/bench_review.py --games six --stability --decisions 1000
    python benches/bench_review.py --keep FOLDER         resume from earlier measurements
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

import nimmt
from nimmt.bots.judge import judge_of, seed_of
from nimmt.insight.chances import MAX_FUTURES, Future
from nimmt.insight.review import SURE, THRESHOLD, WORLDS, Book, moments_of, review
from nimmt.match.match import Match, game_of, options_of
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry

GAMES = ("six", "x", "eleven", "baron", "buffalo")
BOTS = ["casual", "greedy", "club", "newcomer"]
"""Players who make mistakes, and not only absurd ones."""
LUCK_WORLDS = 256
"""With fewer, chances to win would come from a part of the futures only."""
CHUNK = 100
"""Deals per batch."""

Part: TypeAlias = dict[str, Any]


def kept(path: Path | None, measure: Callable[[int], Part]) -> Iterator[Part]:
    """One part after the other, from the file as far as it goes and measured from there on."""
    known = path.read_text().splitlines() if path and path.exists() else []
    for number in count():
        if number < len(known):
            yield json.loads(known[number])
            continue
        part = measure(number)
        if path:
            with path.open("a") as file:
                file.write(json.dumps(part) + "\n")
        yield part


def progress(game: str, done: int, due: int) -> None:
    print(f"\r{game:8} {min(done, due)}/{due}", end="" if done < due else "\n", file=sys.stderr, flush=True)


# -- stability --------------------------------------------------------------------------------------------------


def twice(game_id: str, number: int, worlds: int) -> Part:
    """Decisions of one seat in one match: those named are judged again with ten times the worlds."""
    record = nimmt.Match(game_id, BOTS, seed="review", number=number + 1).play().record
    game, seat = game_of(record), number % len(BOTS)
    book = Book(game, judge_of(game), options_of(record, game), len(BOTS), seat, worlds, "en", lambda: None)
    again = []
    for moment in moments_of(record):
        before = len(book.decided)
        book.see(moment)
        if len(book.decided) > before and book.decided[-1].named:
            found = book.judge(moment, 10 * worlds)
            assert found
            again.append((book.decided[-1], found[2]))
    return {
        "decisions": len(book.decided),
        "mattered": sum(one.stake > THRESHOLD for one in book.decided),
        "named": [(one.cost, one.error, sure.cost, sure.error) for one, sure in again],
    }


def stability(game: str, due: int, worlds: int, folder: Path | None) -> None:
    decisions = mattered = 0
    named: list[tuple[float, float, float, float]] = []
    path = folder / f"stability-{game}-{worlds}.jsonl" if folder else None
    for part in kept(path, lambda number: twice(game, number, worlds)):
        decisions += part["decisions"]
        mattered += part["mattered"]
        named += part["named"]
        progress(game, decisions, due)
        if decisions >= due:
            break
    still = sum(cost > THRESHOLD and cost > SURE * error for _, _, cost, error in named)
    share = 100 * still / max(1, len(named))
    print(
        f"{game:8} {decisions} decisions, {mattered} that mattered, {len(named)} named, "
        f"still mistakes with {10 * worlds} worlds: {still} ({share:.1f} %)",
        flush=True,
    )


# -- luck -------------------------------------------------------------------------------------------------------


def luck(game_id: str, deals: int, worlds: int, folder: Path | None) -> None:
    """Whether the mean luck of many deals is 0 within its interval, in points and in chances to win."""
    game = registry.get(game_id)
    seats = min(4, game.max_seats)
    options = game.options_type()
    future, judge = Future(game, judge_of(game), options, seats, 1, 0), judge_of(game)
    nothing = np.zeros(seats)
    start = future.chance(nothing, 0)

    def chunk(number: int) -> Part:
        found = []
        for deal in range(number * CHUNK, (number + 1) * CHUNK):
            match = Match(game, options, [SeatInfo("A")] * seats, Dealer(deal.to_bytes(32, "big"), [""] * seats))
            view = game.view(match.state, 0)
            trial = judge.try_out(view, (), worlds, seed_of(judge.name, view))
            points = float(future.points(trial.points, trial.rival).mean()) - future.mean
            found.append((points, float(future.chances(nothing, trial.points, trial.rival).mean()) - start))
        return {"luck": found}

    found: list[tuple[float, float]] = []
    for part in kept(folder / f"luck-{game_id}-{worlds}.jsonl" if folder else None, chunk):
        found += part["luck"]
        progress(game_id, len(found), deals)
        if len(found) >= deals:
            break
    # The expectations come from a sample of rounds: their error counts, too.
    pool = len(future.means)
    futures = pool if future.is_last else min(pool, MAX_FUTURES * worlds)
    errors = (future.means.var() / pool, start * (1 - start) / futures)
    told = []
    for values, error_of_mean, scale in zip(np.array(found[:deals]).T, errors, (1, 100), strict=True):
        error = (values.var() / len(values) + error_of_mean) ** 0.5
        told.append(f"{scale * values.mean():+.3f} ± {scale * 1.96 * error:.3f}")
    print(f"{game_id:8} luck of {deals} deals: {told[0]} points, {told[1]} % of wins", flush=True)


# -- speed ------------------------------------------------------------------------------------------------------


def speed() -> None:
    match = nimmt.Match("six", ["club"] * 4, seed="review").play()
    review(match, seats=[0], worlds=10)
    for seats in ([0], None):
        began = time.perf_counter()
        found = review(match, seats=seats)
        seconds = time.perf_counter() - began
        print(f"six, to 66, four players, {'one seat' if seats else 'all seats'}: {len(found.decisions)} decisions"
              f" in {seconds:.1f} s with {WORLDS} worlds", flush=True)  # fmt: skip


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=GAMES, choices=GAMES)
    parser.add_argument("--decisions", type=int, default=1000)
    parser.add_argument("--deals", type=int, default=4000)
    parser.add_argument("--worlds", type=int, default=WORLDS)
    parser.add_argument("--luck-worlds", type=int, default=LUCK_WORLDS)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="results of parts, to go on from")
    for part in ("stability", "luck", "speed"):
        parser.add_argument(f"--{part}", action="store_true")
    args = parser.parse_args(words)
    if args.keep:
        args.keep.mkdir(parents=True, exist_ok=True)
    everything = not (args.stability or args.luck or args.speed)
    if everything or args.speed:
        speed()
    for game in args.games:
        if everything or args.stability:
            stability(game, args.decisions, args.worlds, args.keep)
        if everything or args.luck:
            luck(game, args.deals, args.luck_worlds, args.keep)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
