"""Measure the bots of 6 nimmt! against fixed baselines.

    python benches/bench_bots.py                                    single deals, Master against three of each baseline
    python benches/bench_bots.py --deals 4000 --fields mc64         more deals, one field
    python benches/bench_bots.py --seats 2 6 10                     other numbers of seats
    python benches/bench_bots.py --matches 100                      matches to 66

A shared win counts by its share, and seats rotate from deal to deal. Times are CPU time of one thread, intervals are
95 %. `bench_levels.py` compares the levels with each other.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple, TextIO

import numpy as np

from nimmt.clients.cli.flags import whole_number
from nimmt.games.six.search import players
from nimmt.games.six.search.levels import BLEND, EXPERT, FORESEEN_BLEND, MASTER
from nimmt.games.six.search.players import (
    LEAGUE,
    LookingPlayer,
    Player,
    SearchingPlayer,
    fitted,
    learned,
    make_kinds,
    master_kinds,
    master_kinds_with_fans,
    play_round,
    won,
)
from nimmt.games.six.search.situation import Situation, Stakes, Weights
from nimmt.games.six.types import MAX_SEATS
from nimmt.insight.crew import Crew

TARGET = 66


def strange_network(name: str) -> Weights:
    """A network outside the Master's league: *sparring* was trained by self-play, *contender* imitates a wider network
    trained to win by other means (see `results.md`)."""
    with np.load(Path(__file__).with_name(f"{name}.npz")) as file:
        weights: Weights = file["net"]
    return weights


def stranger(name: str) -> Player:
    return LookingPlayer(make_kinds({}, {name: 1.0}, name, {name: strange_network(name)}))


PLAYERS: dict[str, Callable[[], Player]] = {
    "random": players.RandomPlayer,
    "greedy": players.GreedyPlayer,
    "mc64": players.MonteCarloPlayer,
    "master": lambda: SearchingPlayer(master_kinds(), MASTER, FORESEEN_BLEND),
    "to-the-end": lambda: SearchingPlayer(make_kinds({}, LEAGUE, "search", learned()), MASTER, BLEND),
    "tables": lambda: SearchingPlayer(master_kinds_with_fans(), MASTER, BLEND),
    "no-belief": lambda: SearchingPlayer(
        make_kinds(fitted(), {"master": 1.0}, "master"), MASTER._replace(warm_up=0, thinning=0), BLEND
    ),
    "sparring": lambda: stranger("sparring"),
    "contender": lambda: stranger("contender"),
    "expert": lambda: SearchingPlayer(make_kinds({}, {"careless": 1.0}, "careless"), EXPERT, BLEND),
}


class Job(NamedTuple):
    bot: str
    field: str
    seats: int
    whole_match: bool
    seed: int
    numbers: range


class Result(NamedTuple):
    share: float
    own: float
    others: float
    seconds: float
    slowest: float
    decisions: int


class Timed:
    """Wraps a player and measures its CPU time."""

    def __init__(self, player: Player) -> None:
        self.player = player
        self.times: list[float] = []

    def choose(self, now: Situation, stakes: Stakes, seed: int) -> int:
        began = time.thread_time()
        code = self.player.choose(now, stakes, seed)
        if now.chooses_row or len(now.hand) > 1:
            self.times.append(time.thread_time() - began)
        return code


@cache
def player(name: str) -> Player:
    return PLAYERS[name]()


def play(job: Job) -> list[Result]:
    return [play_one(job, number) for number in job.numbers]


def play_one(job: Job, number: int) -> Result:
    rng, place = np.random.default_rng([job.seed, number]), number % job.seats
    bot = Timed(player(job.bot))
    players: list[Player] = [player(job.field)] * job.seats
    players[place] = bot
    totals = np.zeros(MAX_SEATS, np.int64)
    rounds = 0
    while rounds == 0 or (job.whole_match and totals.max() < TARGET):
        stakes = Stakes(totals, TARGET, -1 if job.whole_match else 0, 0.0)
        totals[: job.seats] += play_round(players, stakes, rng)
        rounds += 1
    points = totals[: job.seats] / rounds
    others = float(points.sum() - points[place]) / (job.seats - 1)
    return Result(
        won(points.tolist(), place), float(points[place]), others, sum(bot.times), max(bot.times), len(bot.times)
    )


# -- report ----------------------------------------------------------------------------------------------------------


def run(job: Job, workers: int) -> None:
    step = 5
    numbers = job.numbers
    jobs = [job._replace(numbers=numbers[first : first + step]) for first in range(0, len(numbers), step)]
    results: list[Result] = []
    with Crew(workers) as crew:
        for answer in [crew.ask(play, job) for job in jobs]:
            results += answer()
            if len(results) % 100 == 0 and len(results) < len(numbers):
                report(job, results, sys.stderr)
    report(job, results, sys.stdout)


def report(job: Job, results: Sequence[Result], file: TextIO) -> None:
    shares = [result.share for result in results]
    mean, error = sum(shares) / len(shares), 1.96 * float(np.std(shares)) / math.sqrt(len(shares))
    decisions = sum(result.decisions for result in results)
    own, others = np.mean([result.own for result in results]), np.mean([result.others for result in results])
    each = 1000 * sum(result.seconds for result in results) / max(decisions, 1)
    slowest = 1000 * float(np.quantile([result.slowest for result in results], 0.95))
    kind = "matches" if job.whole_match else "deals"
    played = f"{job.bot:9} v {job.seats - 1} × {job.field:9} {len(results):5} {kind:8}"
    bulls = f"bulls a round {own:5.2f} v {others:5.2f}"
    print(
        f"{played}{mean:7.1%} ± {error:.1%}  {bulls}  {each:6.1f} ms, slowest {slowest:5.0f} ms", file=file, flush=True
    )


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bot", choices=PLAYERS, default="master")
    parser.add_argument("--fields", nargs="+", choices=PLAYERS, default=["random", "greedy", "mc64"])
    parser.add_argument("--seats", type=whole_number(2, MAX_SEATS), nargs="+", default=[4])
    parser.add_argument("--deals", type=whole_number(1, 10**6), default=200)
    parser.add_argument(
        "--matches", type=whole_number(0, 10**6), default=0, help="whole matches to 66 in place of deals"
    )
    parser.add_argument("--workers", type=whole_number(1, 1000), default=1)
    parser.add_argument("--seed", type=whole_number(0, 2**62), default=1)
    args = parser.parse_args(argv)
    for seats in args.seats:
        for field in args.fields:
            job = Job(args.bot, field, seats, args.matches > 0, args.seed, range(args.matches or args.deals))
            run(job, args.workers)


if __name__ == "__main__":
    main()
