"""How fast environments are: batches on the fast core, and PettingZoo's, before and after if a checkout is named.

    python benches/bench_envs.py
    python benches/bench_envs.py --games six x --seconds 5 --before ../nimmt-before

One process, random legal actions with four seats, choosing them included for PettingZoo and not included for batches.
Time is that of the processor. PettingZoo's environments take turns with those before, and the best of three counts:
other work on the machine hardly does.
An agent step is what one seat does in one step, waiting included; a decision is one of them that was not waiting.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

GAMES = ("six", "x", "eleven", "baron", "buffalo")
SEATS = 4
TURNS = 3
AIM, AIMS = 200_000, {"six": 1_000_000}
"""Agent steps a second of batches."""


class Speed(NamedTuple):
    """Agent steps and decisions of a batch a second, and how much is seen and chosen from."""

    steps: float
    decisions: float
    features: int
    actions: int


def batches(game: str, tables: int, seconds: float) -> Speed:
    from nimmt.envs import batch

    env, rng = batch(game, tables, SEATS, seed=1), np.random.default_rng(1)
    env.reset()
    likes = np.linspace(2, 1, env.actions, dtype=np.float32)  # so that rounds of 11 nimmt! come to their end
    spent, steps, decisions = 0.0, 0, 0
    while spent < seconds:
        actions = (env.masks * (likes + rng.random(env.masks.shape, dtype=np.float32))).argmax(-1)
        start = time.process_time()
        env.step(actions)
        spent += time.process_time() - start
        steps += actions.size
        decisions += int((actions != env.noop).sum())
    return Speed(steps / spent, decisions / spent, env.features, env.actions)


def choose(mask: Any, rng: Random) -> int:
    """Any legal action, found as fast as NumPy can: what is measured is the environment."""
    (legal,) = mask.view(bool).nonzero()
    return int(legal[int(rng.random() * len(legal))])


def seat_by_seat(game: str, seconds: float) -> float:
    from nimmt.envs import env

    playing, rng, steps = env(game, SEATS), Random(1), 0
    playing.reset(seed=1)
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for _ in playing.agent_iter(2000):
            observation, _, termination, _, _ = playing.last()
            playing.step(None if termination else choose(observation["action_mask"], rng))
            steps += not termination
        playing.reset()
    return steps / spent


def all_at_once(game: str, seconds: float) -> float:
    from nimmt.envs import parallel_env

    if game == "eleven":
        return float("nan")
    playing, rng, steps = parallel_env(game, SEATS), Random(1), 0
    playing.reset(seed=1)
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        seen, _ = playing.reset()
        while playing.agents:
            seen, *_ = playing.step({agent: choose(seen[agent]["action_mask"], rng) for agent in playing.agents})
            steps += SEATS
    return steps / spent


def pettingzoo(game: str, seconds: float) -> list[float]:
    return [seat_by_seat(game, seconds), all_at_once(game, seconds)]


def pettingzoo_of(checkout: Path, game: str, seconds: float) -> list[float]:
    """The same, with the sources of another checkout."""
    words = [sys.executable, __file__, "--only-pettingzoo", "--seconds", str(seconds), "--games", game]
    told = subprocess.run(
        words, check=True, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(checkout / "src")}
    )
    found: list[float] = json.loads(told.stdout)
    return found


def in_turns(game: str, before: Path | None, seconds: float) -> tuple[list[float], list[float]]:
    """Now and before, in turns, and the best of each: what else goes on at the machine can only slow them down."""
    now, then = [], [[np.nan, np.nan]]
    for _ in range(TURNS):
        now.append(pettingzoo(game, seconds))
        if before is not None:
            then.append(pettingzoo_of(before, game, seconds))
    return np.fmax.reduce(now).tolist(), np.fmax.reduce(then).tolist()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=GAMES)
    parser.add_argument("--seconds", type=float, default=3, help="for each figure")
    parser.add_argument("--tables", type=int, default=4096)
    parser.add_argument("--before", type=Path, help="a checkout to compare PettingZoo's environments with")
    parser.add_argument("--only-pettingzoo", action="store_true", help=argparse.SUPPRESS)
    args: Any = parser.parse_args()
    if args.only_pettingzoo:
        print(json.dumps(pettingzoo(args.games[0], args.seconds)))
        return
    speeds = {game: batches(game, args.tables, args.seconds) for game in args.games}
    print_table("game | batch | aim | seat by seat | seat by seat, before | all at once | all at once, before")
    for game in args.games:
        now, then = in_turns(game, args.before, args.seconds)
        print_row(game, speeds[game].steps, AIMS.get(game, AIM), now[0], then[0], now[1], then[1])
    print_table("game | decisions a second | features | actions")
    for game, speed in speeds.items():
        print_row(game, speed.decisions, speed.features, speed.actions)


def print_table(heads: str) -> None:
    print(f"\n| {heads} |\n|---" + "|---" * heads.count("|") + "|")


def print_row(game: str, *numbers: float) -> None:
    print(f"| {game} | " + " | ".join("–" if np.isnan(number) else f"{number:,.0f}" for number in numbers) + " |")


if __name__ == "__main__":
    main()
