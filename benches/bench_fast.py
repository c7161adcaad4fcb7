"""The kernels of `nimmt.fast` on one core: random rounds of 6 nimmt! side by side with plain C, then all games.

The C version (`six_rounds.c`) is compiled by `gcc -O3` here and now. Contestants take turns, several times, and are
measured in processor time, so that other work on the machine disturbs all alike; what counts is the ratio within a
turn, and of those the median. Shuffling is part of every round. The same seed must give C and the kernel that plays one
round at a time the same bulls: else they do not play the same game.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import numpy as np

from nimmt.fast import kernels
from nimmt.fast.game import FastGame, get_fast
from nimmt.fast.simulation import rollouts
from nimmt.games.six.fast import play_random_rounds
from nimmt.games.six.lanes import new_lanes, play_lanes
from nimmt.match.shuffle import make_deal, root
from nimmt.rules import registry
from nimmt.rules.kit.options import variant_options

SEATS, SEED = 4, 1
ROUNDS = 400_000
AIMS = {"one round at a time": 0.9, "in 64 lanes": 4.0}


def cpu_seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


# -- 6 nimmt! against C -----------------------------------------------------------------------------------------


class PlainC:
    """The C version, in a process of its own that measures itself."""

    def __init__(self, compiler: str, folder: str) -> None:
        self.program = Path(folder) / "six_rounds"
        source = Path(__file__).with_name("six_rounds.c")
        subprocess.run([compiler, "-O3", "-o", str(self.program), str(source)], check=True)

    def play(self, rounds: int) -> tuple[float, int]:
        words = [str(self.program), str(SEATS), str(rounds), str(SEED)]
        said = subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()
        return float(said[2]), int(said[1])


def play_one_at_a_time(rounds: int) -> tuple[float, int]:
    fast = get_fast("six")
    template, cards = fast.template(fast.rules.options_type(), SEATS), fast.sorted_decks()
    points, taken = np.zeros((rounds, SEATS), np.int16), np.zeros((rounds, SEATS), np.int16)
    rng = kernels.seeded(np.uint64(SEED), 0)
    seconds = cpu_seconds(lambda: play_random_rounds(template, cards, rng, points, taken))
    return seconds, int(points.sum())


def play_in_lanes(rounds: int) -> tuple[float, int]:
    lanes, chance = new_lanes(SEED, 0)
    points, taken = np.zeros((rounds, SEATS), np.int16), np.zeros((rounds, SEATS), np.int16)
    seconds = cpu_seconds(lambda: play_lanes(lanes, chance, SEATS, False, points, taken))
    return seconds, int(points.sum())


def against_c(turns: int, rounds: int) -> list[dict[str, Any]]:
    compiler = shutil.which("gcc")
    if compiler is None:
        print("There is no gcc here: nothing to compare with.")
    contestants: dict[str, Callable[[int], tuple[float, int]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        if compiler is not None:
            contestants["plain C, gcc -O3"] = PlainC(compiler, folder).play
        contestants |= {"one round at a time": play_one_at_a_time, "in 64 lanes": play_in_lanes}
        speeds: dict[str, list[float]] = {name: [] for name in contestants}
        bulls: dict[str, int] = {}
        for name, play in contestants.items():
            bulls[name] = play(rounds)[1]  # also compiles or loads the kernels
        for _ in range(turns):
            for name, play in contestants.items():
                # Lanes are so much faster that the same number of rounds would be too short to measure.
                number = 8 * rounds if name == "in 64 lanes" else rounds
                speeds[name].append(number / play(number)[0])
    if compiler is not None and bulls["plain C, gcc -O3"] != bulls["one round at a time"]:
        raise SystemExit("C and the kernel do not play the same game.")
    base = speeds.get("plain C, gcc -O3")
    results = []
    for name, values in speeds.items():
        ratio = median(value / c for value, c in zip(values, base, strict=True)) if base else None
        results.append({"name": name, "rounds_per_second": median(values), "of_c": ratio, "aim": AIMS.get(name)})
    return results


def show_against_c(results: list[dict[str, Any]]) -> None:
    print(f"6 nimmt!, {SEATS} seats, random play, shuffle included, one core")
    print(f"{'':24}{'rounds/s':>12}{'of C':>8}{'aim':>8}")
    for result in results:
        ratio = f"{result['of_c']:.2f}" if result["of_c"] else "–"
        aim = f"{result['aim']:.1f}" if result["aim"] else ""
        print(f"{result['name']:24}{result['rounds_per_second']:12,.0f}{ratio:>8}{aim:>8}")


# -- all games --------------------------------------------------------------------------------------------------


def rounds_per_second(fast: FastGame, variant: str, seats: int, policy: str, seconds: float) -> float:
    options, codes = variant_options(fast.rules, variant), fast.policy_codes(policy, seats)
    template, cards = fast.template(options, seats), fast.sorted_decks()
    rng, players = kernels.seeded(np.uint64(SEED), 0), kernels.Players(codes, np.zeros(1, np.float32))
    rounds, taken = 64, 0.0
    while taken < seconds:
        rounds *= 2
        lines = kernels.new_lines(rounds, seats)
        kernels.play_rounds(template, cards, players, rng, lines.part(slice(1)))
        taken = cpu_seconds(lambda lines=lines: kernels.play_rounds(template, cards, players, rng, lines))  # type: ignore[misc]
    return rounds / taken


def rollouts_per_second(fast: FastGame, variant: str, seats: int, policy: str, seconds: float) -> float:
    """Rollouts of the first decision after the deal to the end of the round, up to ten actions in 200 worlds."""
    game = fast.rules
    state = game.setup(variant_options(game, variant), seats)
    if (request := game.deal_request(state)) is not None:
        state, _ = game.deal(state, make_deal(root(bytes(32), ["bench"]), 0, request))
    seat = game.pending(state)[0].seat
    view, actions = game.view(state, seat), list(game.legal(state, seat))
    actions = Random(SEED).sample(actions, min(10, len(actions)))
    worlds, taken = 100, 0.0
    rollouts(game.id, view, actions, worlds=1, policy=policy)
    while taken < seconds:
        worlds *= 2
        taken = cpu_seconds(lambda n=worlds: rollouts(game.id, view, actions, worlds=n, policy=policy))  # type: ignore[misc]
    return worlds * len(actions) / taken


def all_games(seconds: float) -> list[dict[str, Any]]:
    results = []
    for game in registry.all_games():
        fast = get_fast(game.id)
        for variant in game.variants:
            for policy in ("random", "greedy"):
                about = {"game": game.id, "variant": variant.id, "seats": SEATS, "policy": policy}
                rounds = rounds_per_second(fast, variant.id, SEATS, policy, seconds)
                rolled = rollouts_per_second(fast, variant.id, SEATS, policy, seconds)
                results.append(about | {"rounds_per_second": rounds, "rollouts_per_second": rolled})
    return results


def show_all_games(results: list[dict[str, Any]]) -> None:
    print(f"\nAll games, {SEATS} seats, one core; by the kernels that search uses")
    print(f"{'game':10}{'variant':16}{'policy':8}{'rounds/s':>12}{'rollouts/s':>12}")
    for result in results:
        print(
            f"{result['game']:10}{result['variant']:16}{result['policy']:8}"
            f"{result['rounds_per_second']:12,.0f}{result['rollouts_per_second']:12,.0f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--turns", type=int, default=9, help="how often the contestants take turns (default 9)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds of one turn (default 400000)")
    parser.add_argument("--seconds", type=float, default=0.3, help="for each game, variant and policy (default 0.3)")
    parser.add_argument("--only-c", action="store_true", help="only 6 nimmt! against C")
    parser.add_argument("--json", metavar="FILE", help="write the figures as JSON too; - prints them")
    args, _ = parser.parse_known_args()
    duel = against_c(args.turns, args.rounds)
    show_against_c(duel)
    games = [] if args.only_c else all_games(args.seconds)
    if games:
        show_all_games(games)
    figures = json.dumps({"against_c": duel, "games": games}, indent=2)
    if args.json == "-":
        print(figures)
    elif args.json:
        Path(args.json).write_text(figures + "\n", "utf-8")


if __name__ == "__main__":
    main()
