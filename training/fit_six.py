"""Fit the tables by which the Master of 6 nimmt! imagines how players who search play.

    python training/fit_six.py [--deals 1500] [--workers 2]

First mc64 plays against itself and its plays are imitated; then a search that reckons with random, greedy, careless
and mc64-like players plays against itself and is imitated, and so on, each time with the last imitation as a type of
its own and as the way the seat itself goes on in its thoughts. The tables of the last rounds go to
src/nimmt/games/six/search/six.npz. Everything follows from the seed.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from io import BytesIO
from pathlib import Path

import numpy as np
from watching import Watched

from nimmt.fast.jit import Flats, jit
from nimmt.games.six.search import players
from nimmt.games.six.search.players import MonteCarloPlayer, Player, Round
from nimmt.games.six.search.policy import see
from nimmt.games.six.search.situation import FACTORS, LOOK, LOOKS, MIND, Effort, Floats, Ints, Situation, Stakes
from nimmt.games.six.types import HAND, MAX_SEATS

TABLES = (4, 4, 4, 4, 3, 4, 4, 2, 4, 4, 5, 4, 6, 4, 8, 4, 10, 4, 3, 5)
"""Numbers of seats, deal after deal: mostly four."""
SINGLE = Stakes(np.zeros(MAX_SEATS, np.int64), 66, 0, 0.1)
LEARNER = Effort(worlds=120, drafts=120, warm_up=12, thinning=8, herd=1.0)


def seen(now: Situation) -> Ints:
    """What is seen of every card of a hand."""
    minds = np.zeros(1, MIND)
    look(now.flat, now.seat, minds)
    return np.asarray(minds[0]["looks"][: HAND * LOOK].reshape(HAND, LOOK).copy())


@jit
def look(flat: Flats, seat: int, minds: Flats) -> None:
    see(flat[0], seat, minds[0])


def make_player(name: str, tables: dict[str, Floats]) -> Player:
    if name == "mc64":
        return MonteCarloPlayer()
    prior = {kind: share for kind, share in players.PRIOR.items() if kind not in players.SPECIALISTS or kind in tables}
    return players.SearchingPlayer(players.make_kinds(tables, prior, own=list(prior)[-1]), LEARNER)


def watch(job: tuple[str, dict[str, Floats], int, int, int]) -> tuple[Ints, Ints]:
    """Play some deals, everybody by the same player: what was seen and what was played."""
    name, tables, seed, first, last = job
    watched = Watched(make_player(name, tables), seen)
    for deal in range(first, last):
        rng, seats = np.random.default_rng([seed, deal]), TABLES[deal % len(TABLES)]
        played = Round(seats, rng)
        for _ in range(HAND):
            played.turn([watched] * seats, SINGLE, rng)
    looks, sizes, played = zip(*watched.noted, strict=True)
    return np.array(looks), np.array(played) + 100 * np.array(sizes)


@jit
def slope(looks: Ints, played: Ints, logs: Floats, gradient: Floats) -> float:
    """How likely the plays are for these tables (the mean logarithm), and which way is up."""
    gradient[:] = 0.0
    likely, weights = 0.0, np.zeros(10)
    for at in range(len(played)):
        size, choice = played[at] // 100, played[at] % 100
        total = 0.0
        for option in range(size):
            sum_of_logs = 0.0
            for look in range(7):
                sum_of_logs += logs[looks[at, option, look]]
            weights[option] = np.exp(sum_of_logs)
            total += weights[option]
        likely += np.log(weights[choice] / total)
        for option in range(size):
            off = (1.0 if option == choice else 0.0) - weights[option] / total
            for look in range(7):
                gradient[looks[at, option, look]] += off
    gradient /= len(played)
    return likely / len(played)


def fit(looks: Ints, played: Ints, steps: int = 1500, rate: float = 0.03, shrink: float = 3e-5) -> Floats:
    """Adam on the logarithms of the factors."""
    logs, gradient = np.zeros(FACTORS), np.zeros(FACTORS)
    speed, power = np.zeros(FACTORS), np.zeros(FACTORS)
    for step in range(1, steps + 1):
        slope(looks, played, logs, gradient)
        gradient -= shrink * logs
        speed += 0.1 * (gradient - speed)
        power += 0.001 * (gradient**2 - power)
        now = rate * min(1.0, 4 * (1 - step / (steps + 1)))
        logs += now * (speed / (1 - 0.9**step)) / (np.sqrt(power / (1 - 0.999**step)) + 1e-9)
    return logs


def agreement(looks: Ints, played: Ints, logs: Floats) -> tuple[float, float]:
    """How often the likeliest card was the one played, and the mean logarithm of the chance of the one played."""
    sums = logs[looks[:, :, :LOOKS]].sum(axis=2)
    sums[np.arange(HAND) >= (played // 100)[:, None]] = -np.inf
    gone = np.log(np.exp(sums).sum(axis=1))
    choice = played % 100
    return float((sums.argmax(axis=1) == choice).mean()), float((sums[np.arange(len(played)), choice] - gone).mean())


def learn(name: str, tables: dict[str, Floats], seed: int, deals: int, workers: int) -> Floats:
    began, step = time.perf_counter(), 20
    jobs = [(name, tables, seed, first, min(first + step, deals)) for first in range(0, deals, step)]
    with ProcessPoolExecutor(workers) as pool:
        parts = list(pool.map(watch, jobs))
    looks, played = np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
    kept = len(played) * 9 // 10
    logs = fit(looks[:kept], played[:kept])
    agreed, likely = agreement(looks[kept:], played[kept:], logs)
    took = time.perf_counter() - began
    print(f"{name:8} {len(played):7,} plays, agreement {agreed:.1%}, log chance {likely:.3f}, {took:.0f} s", flush=True)
    return logs


def packed(logs: dict[str, Floats]) -> bytes:
    file, small = BytesIO(), {name: table.astype(np.float32) for name, table in logs.items()}
    np.savez_compressed(file, allow_pickle=False, **small)
    return file.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--deals", type=int, default=1500)
    parser.add_argument("--rounds", type=int, default=2, help="how often the search is imitated")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=players.TABLES)
    args = parser.parse_args()
    logs = {"mc64": learn("mc64", {}, args.seed, args.deals, args.workers)}
    for number in range(1, args.rounds + 1):
        tables = {name: np.exp(table) for name, table in logs.items()}
        logs["master"] = learn("master", tables, args.seed + number, args.deals, args.workers)
        args.out.write_bytes(packed(logs))  # after every round, in case the next one is too long to wait for


if __name__ == "__main__":
    main()
