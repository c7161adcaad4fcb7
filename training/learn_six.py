"""Teach a small network to play 6 nimmt! by playing itself: what the Master takes strong players for, and itself.

    python training/learn_six.py --minutes 40 --out net.npz      a network from nothing; goes on from a checkpoint
    python training/learn_six.py --measure net.npz --deals 20000 one seat of it against three of each other type

Deals are played by the network. At one decision of every turn each card of the hand is tried, with all hands as they
really lie and the same chance for all of them, and the round is played to its end by the network again. What a card
brought more than the others moves the network towards it. Positions come up as they do in play, so on average the
hidden hands are as likely as they really are, and nobody needs to guess them.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nimmt.fast.jit import Flat, Flats, jit, part, wide
from nimmt.fast.parts import OVER
from nimmt.games.six.fast import FAST
from nimmt.games.six.kernels import begin_turns, start_row
from nimmt.games.six.search import net
from nimmt.games.six.search.belief import shuffle
from nimmt.games.six.search.players import fitted, make_kinds
from nimmt.games.six.search.policy import chance, insert, pick_play, place_queue, play_out, reveal, roll
from nimmt.games.six.search.situation import (
    FIRST,
    GLANCE,
    PARTS,
    SCENE,
    SECOND,
    WEIGHTS,
    Desk,
    Floats,
    Ints,
    Stakes,
    new_desk,
)
from nimmt.games.six.search.think import worth
from nimmt.games.six.search.unplayed import note_played
from nimmt.games.six.types import HAND, MAX_SEATS, ROWS, Options
from nimmt.rules.kit.cards import HIGHEST

Weights = NDArray[np.float32]
Reals = NDArray[np.float32]

TABLES = (4, 4, 4, 3, 4, 4, 2, 4, 5, 4, 4, 6, 4, 4, 8, 4, 10, 4, 3, 5)
"""Numbers of seats, deal after deal: mostly four."""
SHAPE = {
    "scene": (SCENE, FIRST),
    "first": (FIRST,),
    "glance": (GLANCE, FIRST),
    "second": (SECOND,),
    "between": (FIRST, SECOND),
    "last": (SECOND,),
}
LEARNER = 0


class Batch(NamedTuple):
    """Decisions: what was seen, how many cards there were, and what each of them brought."""

    scenes: Reals
    glances: Reals
    sizes: Ints
    values: Reals


# -- playing ---------------------------------------------------------------------------------------------------------


@part
def deal_all(s: Flat, cards: Ints, mind: Flat) -> None:
    """A fresh round; hands ascend."""
    shuffle(cards, mind)
    s.unplayed[0], s.unplayed[1] = ~np.uint64(1), (np.uint64(1) << np.uint64(HIGHEST - 63)) - np.uint64(1)
    for row in range(ROWS):
        start_row(s, row, cards[row])
        note_played(s, cards[row])
    used = ROWS
    for seat in range(wide(s.seats)):
        s.sizes[seat], s.points[seat] = 0, 0
        for _ in range(HAND):
            insert(s, seat, cards[used])
            used += 1
    begin_turns(s)


@part
def choose_all(s: Flat, types: Ints, kinds: Flats, mind: Flat, thrown: Ints) -> None:
    for seat in range(wide(s.seats)):
        thrown[seat] = pick_play(s, seat, kinds[types[seat]], mind)


@part
def finish_turn(s: Flat, types: Ints, kinds: Flats, mind: Flat, thrown: Ints) -> None:
    for seat in range(wide(s.seats)):
        s.chosen[seat] = thrown[seat]
    reveal(s)
    place_queue(s, types, kinds, mind)


@jit
def practise(flats: Flats, types: Ints, kinds: Flats, stakes: Stakes, seed: int, desk: Desk, batch: Batch) -> int:
    """Play these rounds; how many decisions were noted."""
    mind, trial, noted = desk.minds[0], desk.scratch[0], 0
    cards, thrown, other = np.arange(1, HIGHEST + 1), np.zeros(MAX_SEATS, np.int64), np.zeros(MAX_SEATS, np.int64)
    for number in range(len(flats)):
        s = flats[number]
        roll(mind, seed, 1000 * number)
        deal_all(s, cards, mind)
        turn = 0
        while s.phase != OVER:
            turn += 1
            roll(mind, seed, 1000 * number + 20 * turn)
            choose_all(s, types[number], kinds, mind, thrown)
            learner = int(chance(mind) * s.seats)
            if s.sizes[0] > 1 and types[number, learner] == LEARNER:
                options = net.look(s, learner, mind)
                batch.sizes[noted] = options
                for i in range(SCENE):
                    batch.scenes[noted, i] = mind.scene[i]
                for option in range(options):
                    for i in range(GLANCE):
                        batch.glances[noted, option, i] = mind.glances[GLANCE * option + i]
                for option in range(options):
                    roll(mind, seed, 1000 * number + 20 * turn + 1)
                    desk.scratch[0] = s
                    other[:] = thrown
                    other[learner] = s.hands[learner, option]
                    finish_turn(trial, types[number], kinds, mind, other)
                    play_out(trial, types[number], kinds, mind)
                    batch.values[noted, option] = worth(trial, learner, stakes)
                noted += 1
            roll(mind, seed, 1000 * number + 20 * turn + 2)
            finish_turn(s, types[number], kinds, mind, thrown)
    return noted


@jit
def play_deals(flats: Flats, types: Ints, kinds: Flats, seed: int, desk: Desk, bulls: Ints) -> None:
    mind, cards = desk.minds[0], np.arange(1, HIGHEST + 1)
    for number in range(len(flats)):
        s = flats[number]
        roll(mind, seed, number)
        deal_all(s, cards, mind)
        play_out(s, types[number], kinds, mind)
        for seat in range(wide(s.seats)):
            bulls[number, seat] = s.points[seat]


def rounds_of(seats: Sequence[int]) -> Flats:
    templates = {number: FAST.template(Options(), number)[0] for number in set(seats)}
    flats = np.zeros(len(seats), FAST.state)
    for at, number in enumerate(seats):
        flats[at] = templates[number]
    return flats


# -- learning --------------------------------------------------------------------------------------------------------


def split(weights: Weights) -> dict[str, Weights]:
    ends = np.cumsum(list(PARTS.values()))
    return {
        name: part.reshape(SHAPE[name])
        for name, part in zip(PARTS, np.split(weights, ends[:-1]), strict=True)
    }


def begin(rng: np.random.Generator) -> Weights:
    weights = np.zeros(WEIGHTS, np.float32)
    parts = split(weights)
    for name, inputs in (("scene", SCENE + GLANCE), ("glance", SCENE + GLANCE), ("between", FIRST)):
        parts[name][:] = rng.normal(0, np.sqrt(2 / inputs), SHAPE[name])
    parts["last"][:] = rng.normal(0, 0.1, SECOND)
    return np.concatenate([parts[name].ravel() for name in PARTS]).astype(np.float32)


def slope(weights: Weights, batch: Batch, spread: float) -> tuple[Weights, float, float]:
    """Which way is up: more of what the better cards bring, and a little for not being predictable."""
    parts, cards = split(weights), np.arange(HAND) < batch.sizes[:, None]
    first = batch.glances @ parts["glance"] + (batch.scenes @ parts["scene"] + parts["first"])[:, None]
    np.maximum(first, 0, out=first)
    second = np.maximum(first @ parts["between"] + parts["second"], 0)
    scores = np.where(cards, second @ parts["last"], -1e9)
    chances = np.exp(scores - scores.max(1, keepdims=True))
    chances /= chances.sum(1, keepdims=True)
    logs = np.log(chances + 1e-9)
    brought = batch.values - spread * logs
    better = brought - (chances * brought).sum(1, keepdims=True)
    back = (chances * better / len(better)).astype(np.float32)
    to_second = back[:, :, None] * parts["last"] * (second > 0)
    to_first = (to_second @ parts["between"].T) * (first > 0)
    flat_first, flat_second = first.reshape(-1, FIRST), to_second.reshape(-1, SECOND)
    scene_back = to_first.sum(1)
    up = {
        "scene": batch.scenes.T @ scene_back,
        "first": scene_back.sum(0),
        "glance": batch.glances.reshape(-1, GLANCE).T @ to_first.reshape(-1, FIRST),
        "second": flat_second.sum(0),
        "between": flat_first.T @ flat_second,
        "last": (second * back[:, :, None]).sum((0, 1)),
    }
    regret = float((np.where(cards, batch.values, -1e9).max(1) - (chances * batch.values).sum(1)).mean())
    return np.concatenate([up[name].ravel() for name in PARTS]), regret, float(-(chances * logs).sum(1).mean())


class Learner:
    """Adam, and what is needed to go on after a stop."""

    def __init__(self, weights: Weights) -> None:
        self.weights, self.mean, self.square, self.steps = weights, np.zeros(WEIGHTS), np.zeros(WEIGHTS), 0

    def step(self, up: Weights, rate: float) -> None:
        self.steps += 1
        self.mean += 0.1 * (up - self.mean)
        self.square += 0.001 * (up**2 - self.square)
        mean = self.mean / (1 - 0.9**self.steps)
        square = self.square / (1 - 0.999**self.steps)
        self.weights = (self.weights + rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


def kinds_with(nets: dict[str, Weights]) -> tuple[Flats, list[str]]:
    """All types: the networks first, then the tables."""
    names = [*nets, "random", "greedy", "careless", "mc64", "master"]
    return make_kinds(fitted(), dict.fromkeys(names, 1.0), names[0], nets).types, names


def seat_types(rng: np.random.Generator, seats: Sequence[int], old: int, count: int) -> Ints:
    """Who sits where: mostly the learner itself; at some tables old selves, at some the types with tables."""
    types = np.zeros((len(seats), MAX_SEATS), np.int64)
    for at in range(len(seats)):
        luck = rng.random()
        if luck < 0.25 and old:
            types[at] = rng.integers(1, 1 + old, MAX_SEATS)
        elif luck < 0.4:
            types[at] = rng.integers(1 + old, count, MAX_SEATS)
        if luck < 0.4:
            types[at, rng.random(MAX_SEATS) < 0.4] = LEARNER
            types[at, rng.integers(seats[at])] = LEARNER
    return types


def measure(nets: dict[str, Weights], deals: int, seed: int) -> dict[str, float]:
    """Wins of one seat of the first network against three of each other type, in per cent."""
    kinds, names = kinds_with(nets)
    result = {}
    for other in range(1, len(names)):
        flats, types = rounds_of([4] * deals), np.full((deals, MAX_SEATS), other)
        types[np.arange(deals), np.arange(deals) % 4] = LEARNER
        bulls = np.zeros((deals, 4), np.int64)
        play_deals(flats, types, kinds, seed, new_desk(flats[:1]), bulls)
        best = bulls == bulls.min(1, keepdims=True)
        won = (best / best.sum(1, keepdims=True))[np.arange(deals), np.arange(deals) % 4]
        result[names[other]] = round(100 * float(won.mean()), 2)
    return result


def learn(args: argparse.Namespace) -> None:
    rng, began = np.random.default_rng(args.seed), time.monotonic()
    learner, old = Learner(begin(rng)), {}
    if args.out.exists():
        with np.load(args.out) as file:
            learner.weights = file["net"]
    stakes = Stakes(np.zeros(MAX_SEATS, np.int64), 66, 0, args.blend)
    room = Batch(
        np.zeros((args.deals * HAND, SCENE), np.float32),
        np.zeros((args.deals * HAND, HAND, GLANCE), np.float32),
        np.zeros(args.deals * HAND, np.int64),
        np.zeros((args.deals * HAND, HAND), np.float32),
    )
    average, told, kept, number = learner.weights.astype(np.float64), began, began, 0
    while (past := (time.monotonic() - began) / 60) < args.minutes:
        seats = [TABLES[int(n)] for n in rng.integers(len(TABLES), size=args.deals)]
        kinds, names = kinds_with({"net": learner.weights, **old})
        flats = rounds_of(seats)
        noted = practise(
            flats, seat_types(rng, seats, len(old), len(names)), kinds, stakes, int(rng.integers(1 << 62)),
            new_desk(flats[:1]), room,
        )
        batch = Batch(*(part[:noted] for part in room))
        share = past / args.minutes
        up, regret, entropy = slope(learner.weights, batch, args.spread)
        learner.step(up, args.rate * (1 - 0.9 * share))
        average += 0.02 * (learner.weights - average)
        number += 1
        now = time.monotonic()
        if now - told > 60:
            told = now
            print(json.dumps({"minute": round(past, 1), "steps": number, "noted": noted, "regret": round(regret, 4), "entropy": round(entropy, 3),
                "wins": measure({"net": average.astype(np.float32), **old}, 4000, number)}), flush=True)
            np.savez(args.out, net=average.astype(np.float32))
        if now - kept > 60 * args.minutes / 6:
            kept = now
            old[f"old{len(old) + 1}"] = average.astype(np.float32)
    np.savez(args.out, net=average.astype(np.float32))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("net.npz"))
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--deals", type=int, default=1000, help="deals for each step")
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--spread", type=float, default=0.01, help="what it is worth not to be predictable")
    parser.add_argument("--blend", type=float, default=0.1, help="what a bull is worth beside winning")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--measure", type=Path, nargs="*")
    args = parser.parse_args()
    if args.measure:
        nets = {path.stem: np.load(path)["net"] for path in args.measure}
        print(json.dumps(measure(nets, args.deals, args.seed)))
    else:
        learn(args)


if __name__ == "__main__":
    main()
