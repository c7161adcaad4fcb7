"""What a review can be trusted with: are mistakes still mistakes with ten times the worlds, is luck without a bias, and
how long does it take?

    python benches/bench_review.py                       all three, for all games
    python benches/bench_review.py --games six --stability --decisions 1000
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import count, islice

import numpy as np

import nimmt
from nimmt.bots.judge import judge_of, seed_of
from nimmt.insight.chances import Future
from nimmt.insight.figures import JudgedDecision
from nimmt.insight.review import SURE, THRESHOLD, WORLDS, review
from nimmt.match.match import Match
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry

GAMES = ("six", "x", "eleven", "baron", "buffalo")
BOTS = ["casual", "greedy", "club", "newcomer"]
"""Players who make mistakes, and not only absurd ones."""


def decisions(game: str, worlds: int) -> Iterator[tuple[JudgedDecision, JudgedDecision]]:
    """The same decisions, judged with so many worlds and with ten times as many."""
    for number in count():
        match = nimmt.Match(game, BOTS, seed="review", number=number + 1).play()
        seat = number % len(BOTS)
        once, again = (review(match, seats=[seat], worlds=many) for many in (worlds, 10 * worlds))
        yield from zip(once.decisions, again.decisions, strict=True)


def stability(game: str, number: int, worlds: int) -> None:
    named = kept = chosen = 0
    for one, sure in islice(decisions(game, worlds), number):
        chosen += 1
        if one.named:
            named += 1
            kept += sure.cost > THRESHOLD and sure.cost > SURE * sure.error
    share = 100 * kept / max(1, named)
    print(
        f"{game:8} {chosen} decisions, {named} named, still mistakes with {10 * worlds} worlds: {share:.1f} %",
        flush=True,
    )


def luck(game_id: str, deals: int, worlds: int) -> None:
    """The deals' luck over many deals, in points and in chances to win a single deal: inside its interval around 0?"""
    game = registry.get(game_id)
    seats = min(4, game.max_seats)
    options = game.options_type()
    future, judge = Future(game, judge_of(game), options, seats, 1, 0), judge_of(game)
    found = []
    for number in range(deals):
        match = Match(game, options, [SeatInfo("A")] * seats, Dealer(number.to_bytes(32, "big"), [""] * seats))
        view = game.view(match.state, 0)
        trial = judge.try_out(view, (), worlds, seed_of(judge.name, view))
        found.append(float(future.points(trial.points, trial.rival).mean()) - future.mean)
    mean, error = float(np.mean(found)), float(np.std(found) / deals**0.5)
    # The mean itself comes from a sample of rounds: its error counts too.
    spread = float(np.std(future.points(future.pool.points, future.pool.rival)))
    error = (error**2 + spread**2 / len(future.pool.points)) ** 0.5
    print(f"{game_id:8} luck of {deals} deals: {mean:+.3f} ± {1.96 * error:.3f} points", flush=True)


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
    for part in ("stability", "luck", "speed"):
        parser.add_argument(f"--{part}", action="store_true")
    args = parser.parse_args(words)
    everything = not (args.stability or args.luck or args.speed)
    if everything or args.speed:
        speed()
    for game in args.games:
        if everything or args.stability:
            stability(game, args.decisions, args.worlds)
        if everything or args.luck:
            luck(game, args.deals, 20)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
