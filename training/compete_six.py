"""Train policy networks to win deals of 6 nimmt! without search: strong opponent models for the Master.

    python training/compete_six.py                        all of them, into src/nimmt/games/six/search/rivals.npz
    python training/compete_six.py --quick --out try.npz  smoke test, a minute or two
    python training/compete_six.py --only keen            retrain one of them and keep the others

They learn by PPO (proximal policy optimization) in self-play, at some tables with snapshots of themselves and
table-based types. A critic that sees all hands predicts who will win, so luck with hidden cards does not leak into the
advantages. The reward is mostly winning the deal, where `learn_six.py` puts more weight on bulls.

Checkpoints go to `--work`: an interrupted run resumes there, and `report.md` has the curves.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import value_six
from learn_six import (
    LEARNER,
    OLD_SELVES,
    TABLES,
    against_all,
    deal_all,
    finish_turn,
    kinds_with,
    make_all,
    rounds_of,
    seat_types,
)
from numpy.typing import NDArray
from progress import tell
from teaching import Batch, Learner, back, begin, new_batch, resume, run, split
from value_six import Seen, note, room_for

from nimmt.fast.jit import Flat, Flats, jit, part, wide
from nimmt.games.six.search import net
from nimmt.games.six.search.players import RIVALS
from nimmt.games.six.search.policy import draw, pick_play, play_out, roll
from nimmt.games.six.search.situation import GLANCE, LOOK, LOOKS, NETWORK, SCENE, Desk, Ints, Weights, new_desk
from nimmt.games.six.search.value import WEIGHTS
from nimmt.games.six.types import HAND, MAX_SEATS
from nimmt.rules.kit.cards import HIGHEST

Table = NDArray[np.float64]

POSITIONS = HAND - 1
"""Decisions of a seat per deal: the last card is forced."""


class Played(NamedTuple):
    """By position and seat: inputs, chosen action and its probability; filled in for learners only."""

    seen: Batch
    choices: Ints
    chances: Table


def room_to_play(number: int) -> Played:
    return Played(new_batch(NETWORK, number, HAND), np.zeros(number, np.int64), np.ones(number))


@part
def pick_and_note(s: Flat, seat: int, kind: Flat, mind: Flat, played: Played, at: int) -> int:
    options = net.look(s, seat, mind)
    played.seen.sizes[at] = options
    for i in range(SCENE):
        played.seen.scenes[at, i] = mind.scene[i]
    for option in range(HAND):
        for i in range(GLANCE):
            played.seen.glances[at, option, i] = mind.glances[GLANCE * option + i] if option < options else 0.0
    total = net.score(mind, options, kind)
    chosen = draw(mind, options, total)
    played.choices[at], played.chances[at] = chosen, mind.weights[chosen] / total
    return wide(mind.looks[LOOK * chosen + LOOKS])


@jit
def compete(flats: Flats, types: Ints, kinds: Flats, seed: int, desk: Desk, room: Seen, played: Played) -> None:
    """Play these rounds and record every position, every decision of the learner, and how the round ended."""
    mind, trial, cards = desk.minds[0], desk.scratch[0], np.arange(1, HIGHEST + 1)
    thrown, at = np.zeros(MAX_SEATS, np.int64), 0
    for number in range(len(flats)):
        s, first = flats[number], at
        seats = wide(s.seats)
        roll(mind, seed, number)
        deal_all(s, cards, mind)
        while s.sizes[0] > 1:
            desk.scratch[0] = s
            note(trial, types[number], mind, room, at)
            for seat in range(seats):
                kind = kinds[types[number, seat]]
                if types[number, seat] == LEARNER:
                    thrown[seat] = pick_and_note(s, seat, kind, mind, played, at * seats + seat)
                else:
                    thrown[seat] = pick_play(s, seat, kind, mind)
            finish_turn(s, types[number], kinds, mind, thrown)
            at += 1
        play_out(s, types[number], kinds, mind)
        for position in range(first, at):
            for seat in range(seats):
                room.finals[position, seat] = s.points[seat]


# -- learning --------------------------------------------------------------------------------------------------------


class Plan(NamedTuple):
    rounds: int
    """PPO iterations: each plays `deals` deals, then makes `PASSES` epochs of `PARTS` minibatches."""
    deals: int
    rate: float
    spread: float
    """Entropy bonus at the start; it falls to a third of that."""
    bull: float
    """Reward for a bull fewer than the others, where winning is worth 1."""
    alone: float
    """Fraction of tables with pure self-play; the others also seat snapshots and table-based types."""
    seed: int


PASSES, PARTS = 2, 8
CLIP = 0.2
"""PPO clip range."""
PATIENCE = 0.8
"""The lambda of generalized advantage estimation."""
CRITIC_RATE = 3e-3


def worth(bulls: Table, won: Table, bull: float) -> Table:
    """By position and seat: the probability to win, plus `bull` for every bull fewer than the others."""
    others = (bulls.sum(1, keepdims=True) - bulls) / (bulls.shape[1] - 1)
    return won + bull * (others - bulls)


def expected(weights: Weights, room: Seen, bull: float) -> Table:
    foretold = value_six.foretell(value_six.split(weights), room)
    return worth(room.points + 10.0 * foretold.bulls, foretold.chances.astype(np.float64), bull)


def happened(room: Seen, bull: float) -> Table:
    best = room.finals == room.finals.min(1, keepdims=True)
    return worth(room.finals.astype(np.float64), best / best.sum(1, keepdims=True), bull)


def surprises(before: Table, end: Table) -> Table:
    """Generalized advantage estimates by position and seat."""
    before = before.reshape(-1, POSITIONS, before.shape[1])
    gain, later, after = np.zeros_like(before), 0.0, end.reshape(before.shape)[:, 0]
    for turn in range(POSITIONS - 1, -1, -1):
        later = after - before[:, turn] + PATIENCE * later
        gain[:, turn], after = later, before[:, turn]
    return gain.reshape(end.shape)


def slope(weights: Weights, seen: Batch, choices: Ints, before: Table, gain: Table, spread: float) -> Weights:
    """The gradient of PPO's clipped objective with entropy bonus."""
    parts, lines = split(NETWORK, weights), np.arange(len(choices))
    forward = run(parts, seen)
    chances, logs = forward.chances, np.log(forward.chances + 1e-9)
    ratio = chances[lines, choices] / before
    push = ratio * gain * np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
    better = -chances * (push[:, None] + spread * (logs - (chances * logs).sum(1, keepdims=True)))
    better[lines, choices] += push
    return back(parts, seen, forward, better.astype(np.float32))


def company(rng: np.random.Generator, plan: Plan, seats: int, old: int, count: int) -> Ints:
    types = seat_types(rng, [seats] * plan.deals, old, count)
    types[rng.random(plan.deals) < plan.alone] = LEARNER
    return types


SIZE = NETWORK.weights
"""One learner holds both: the policy's weights first, then the critic's."""


def teach(plan: Plan, place: Path) -> tuple[Weights, list[str]]:
    """Train by PPO; returns the network and its log."""
    rng = np.random.default_rng(plan.seed)
    learner = resume(place, np.concatenate([begin(NETWORK, rng), value_six.begin(rng)]))
    while (number := learner.steps // (PASSES * PARTS)) < plan.rounds:
        learn_once(plan, learner, number)
        done = number + 1
        if done % max(plan.rounds // OLD_SELVES, 1) == 0:
            learner.old[f"old{len(learner.old) + 1}"] = learner.smooth[:SIZE]
        tell(place.stem, number, plan.rounds)
        if done % 50 == 0 or done == plan.rounds:
            wins = against_all(learner.smooth[:SIZE], done)
            told = ", ".join(f"{name} {share:.1f} %" for name, share in wins.items())
            learner.curve.append(f"step {done}: wins against three {told}")
            tell(place.stem, done, plan.rounds, learner.curve[-1])
            learner.keep(place)
    return learner.smooth[:SIZE], learner.curve


def learn_once(plan: Plan, learner: Learner, number: int) -> None:
    rng, left = np.random.default_rng([plan.seed, number]), 1 - number / plan.rounds
    seats = TABLES[number % len(TABLES)]
    kinds, names = kinds_with({"net": learner.weights[:SIZE], **learner.old})
    types = company(rng, plan, seats, len(learner.old), len(names))
    flats, positions = rounds_of([seats] * plan.deals), plan.deals * POSITIONS
    room, played = room_for(positions, seats), room_to_play(positions * seats)
    compete(flats, types, kinds.types, int(rng.integers(1 << 62)), new_desk(flats[:1]), room, played)
    np.maximum(room.types - len(learner.old), 0, out=room.types)  # to the critic, snapshots are the learner
    gain = surprises(expected(learner.weights[SIZE:], room, plan.bull), happened(room, plan.bull)).reshape(-1)
    learns = np.repeat(types[:, None, :seats] == LEARNER, POSITIONS, 1).reshape(positions, seats)
    gain = (gain - gain[learns.reshape(-1)].mean()) / (gain[learns.reshape(-1)].std() + 1e-8)
    rates = np.repeat([plan.rate, CRITIC_RATE], [SIZE, WEIGHTS]) * (0.05 + 0.95 * left)
    for _ in range(PASSES):
        for some in np.array_split(rng.permutation(positions), PARTS):
            lines = (some[:, None] * seats + np.arange(seats))[learns[some]]
            up = slope(
                learner.weights[:SIZE],
                played.seen.pick(lines),
                played.choices[lines],
                played.chances[lines],
                gain[lines],
                plan.spread * (1 + 2 * left) / 3,
            )
            critic_up, _, _ = value_six.slope(learner.weights[SIZE:], room.pick(some))
            learner.step(np.concatenate([up, critic_up]), rates)


# -- all of it ---------------------------------------------------------------------------------------------------------

PLANS = {
    "keen": Plan(rounds=800, deals=1000, rate=3e-3, spread=0.01, bull=0.005, alone=0.5, seed=31),
    "thrifty": Plan(rounds=800, deals=1000, rate=3e-3, spread=0.01, bull=0.03, alone=1.0, seed=32),
}


def plans_of(quick: bool) -> dict[str, Plan]:
    return {name: plan._replace(rounds=4, deals=20) for name, plan in PLANS.items()} if quick else PLANS


def make(name: str, plan: Plan, nets: dict[str, Weights], work: Path) -> tuple[Weights, list[str]]:
    del nets
    return teach(plan, work / f"{name}.npz")


def main(argv: Sequence[str] | None = None) -> None:
    make_all(argv, __doc__ or "", plans_of, make, RIVALS)


if __name__ == "__main__":
    main()
