"""How fast environments are: batches on the fast core, and PettingZoo's, before and after if a checkout is named.

    python benches/bench_envs.py
    python benches/bench_envs.py --games six x --seconds 5 --before ../nimmt-before

One process, random legal actions with four seats, choosing them included for PettingZoo and not included for batches.
Time is that of the processor, so that other work on the machine hardly counts.
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
from typing import Any

import numpy as np

GAMES = ("six", "x", "eleven", "baron", "buffalo")
SEATS = 4


def batches(game: str, tables: int, seconds: float) -> tuple[float, float, float]:
    """Agent steps and decisions a second, and the seconds until the first step was done."""
    from nimmt.envs import batch

    start = time.process_time()
    env, rng = batch(game, tables, SEATS, seed=1), np.random.default_rng(1)
    env.reset()
    ready = time.process_time() - start
    likes = np.linspace(2, 1, env.actions, dtype=np.float32)  # so that rounds of 11 nimmt! come to their end
    spent, steps, decisions = 0.0, 0, 0
    while spent < seconds:
        actions = (env.masks * (likes + rng.random(env.masks.shape, dtype=np.float32))).argmax(-1)
        start = time.process_time()
        env.step(actions)
        spent += time.process_time() - start
        steps += actions.size
        decisions += int((actions != env.noop).sum())
    return steps / spent, decisions / spent, ready


def seat_by_seat(game: str, seconds: float) -> float:
    from nimmt.envs import env

    playing, rng, steps = env(game, SEATS), Random(1), 0
    playing.reset(seed=1)
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds:
        for _ in playing.agent_iter(2000):
            observation, _, termination, _, _ = playing.last()
            legal = None if termination else np.flatnonzero(observation["action_mask"])
            playing.step(None if legal is None else int(legal[int(rng.random() * len(legal))]))
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
            legal = {agent: np.flatnonzero(seen[agent]["action_mask"]) for agent in playing.agents}
            seen, *_ = playing.step({agent: int(some[int(rng.random() * len(some))]) for agent, some in legal.items()})
            steps += SEATS
    return steps / spent


def pettingzoo(games: list[str], seconds: float) -> dict[str, list[float]]:
    return {game: [seat_by_seat(game, seconds), all_at_once(game, seconds)] for game in games}


def pettingzoo_of(checkout: Path, games: list[str], seconds: float) -> dict[str, list[float]]:
    """The same, with the sources of another checkout."""
    words = [sys.executable, __file__, "--only-pettingzoo", "--seconds", str(seconds), "--games", *games]
    told = subprocess.run(
        words, check=True, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(checkout / "src")}
    )
    found: dict[str, list[float]] = json.loads(told.stdout)
    return found


def shown(number: float) -> str:
    return "–" if np.isnan(number) else f"{number:,.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=list(GAMES), choices=GAMES)
    parser.add_argument("--seconds", type=float, default=3, help="for each figure")
    parser.add_argument("--tables", type=int, default=1024)
    parser.add_argument("--before", type=Path, help="a checkout to compare PettingZoo's environments with")
    parser.add_argument("--only-pettingzoo", action="store_true", help=argparse.SUPPRESS)
    args: Any = parser.parse_args()
    if args.only_pettingzoo:
        print(json.dumps(pettingzoo(args.games, args.seconds)))
        return
    print("| game | agent steps a second | decisions a second | features | actions |\n|---|---|---|---|---|")
    from nimmt.envs import batch

    for game in args.games:
        steps, decisions, _ = batches(game, args.tables, args.seconds)
        env = batch(game, 1, SEATS)
        print(f"| {game} | {shown(steps)} | {shown(decisions)} | {env.features} | {env.actions} |", flush=True)
    after = pettingzoo(args.games, args.seconds)
    before = pettingzoo_of(args.before, args.games, args.seconds) if args.before else {}
    print("\n| game | seat by seat | before | all at once | before |\n|---|---|---|---|---|")
    for game in args.games:
        cells = [
            part for now, then in zip(after[game], before.get(game, [np.nan] * 2), strict=True) for part in (now, then)
        ]
        print(f"| {game} | " + " | ".join(map(shown, cells)) + " |", flush=True)


if __name__ == "__main__":
    main()
