"""Train the value network of 6 nimmt!, which evaluates positions with all hands known.

    python training/value_six.py                                  into src/nimmt/games/six/search/value.npz
    python training/value_six.py --quick --work try --out try.npz  smoke test, a minute

Rounds are played by the Master's opponent models, with some random cards for unusual positions. Every position is
rolled out once to the end of the round; the targets are who ended with the fewest bulls, and how many each seat took.
Retrain it whenever the networks of `learn_six.py` change.

Checkpoints go to `--work`: an interrupted run resumes there, and `report.md` has the curve.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from learn_six import choose_all, deal_all, finish_turn, rounds_of
from numpy.typing import NDArray
from progress import tell
from reports import Section, write_report
from teaching import Reals, resume, save_whole

from nimmt.fast.jit import Flat, Flats, jit, part, wide
from nimmt.games.six.search import net, value
from nimmt.games.six.search.players import LEAGUE, VALUE, learned, make_kinds
from nimmt.games.six.search.policy import chance, play_out, roll
from nimmt.games.six.search.situation import CARD, GLANCE, SCENE, SEAT, Desk, Ints, Weights, new_desk
from nimmt.games.six.types import HAND, MAX_SEATS
from nimmt.rules.kit.cards import HIGHEST

TABLES = (4, 4, 4, 3, 4, 4, 2, 4, 5, 4, 4, 6, 4, 4, 10)
"""Seats per step, in turn: mostly four."""
SEATS = 4
EXPLORE = 0.1
"""Fraction of random cards: a search also tries cards that nobody would play."""


class Seen(NamedTuple):
    """A batch of positions: inputs by seat, bulls so far, and bulls at the end of the round."""

    scenes: Reals
    glances: Reals
    types: Ints
    sizes: Ints
    points: Ints
    finals: Ints

    def pick(self, which: slice | Ints) -> Seen:
        return Seen(*(part[which] for part in self))


def room_for(number: int, seats: int) -> Seen:
    return Seen(
        np.zeros((number, seats, SCENE), np.float32),
        np.zeros((number, seats, HAND, GLANCE), np.float32),
        np.zeros((number, seats), np.int64),
        np.zeros(number, np.int64),
        np.zeros((number, seats), np.int64),
        np.zeros((number, seats), np.int64),
    )


@part
def note(s: Flat, types: Ints, mind: Flat, room: Seen, at: int) -> None:
    value.know_hands(s)
    room.sizes[at] = s.sizes[0]
    for seat in range(wide(s.seats)):
        room.types[at, seat], room.points[at, seat] = types[seat], s.points[seat]
        size = net.look(s, seat, mind)
        for i in range(SCENE):
            room.scenes[at, seat, i] = mind.scene[i]
        for option in range(HAND):
            for i in range(GLANCE):
                room.glances[at, seat, option, i] = mind.glances[GLANCE * option + i] if option < size else 0.0


@jit
def observe(flats: Flats, types: Ints, kinds: Flats, seed: int, desk: Desk, room: Seen) -> int:
    """Play these rounds with some random cards, roll every position out, and return the number of positions."""
    mind, trial, noted = desk.minds[0], desk.scratch[0], 0
    cards, thrown = np.arange(1, HIGHEST + 1), np.zeros(MAX_SEATS, np.int64)
    for number in range(len(flats)):
        s = flats[number]
        roll(mind, seed, number)
        deal_all(s, cards, mind)
        while s.sizes[0] > 1:
            choose_all(s, types[number], kinds, mind, thrown)
            for seat in range(wide(s.seats)):
                if chance(mind) < EXPLORE:
                    thrown[seat] = s.hands[seat, int(chance(mind) * s.sizes[seat])]
            finish_turn(s, types[number], kinds, mind, thrown)
            desk.scratch[0] = s
            note(trial, types[number], mind, room, noted)
            desk.scratch[0] = s
            play_out(trial, types[number], kinds, mind)
            for seat in range(wide(s.seats)):
                room.finals[noted, seat] = trial.points[seat]
            noted += 1
    return noted


def company(rng: np.random.Generator, deals: int, shares: NDArray[np.float64]) -> Ints:
    """Types by table and seat: half of the tables are uniform, and most get one seat of the type *search*."""
    types = rng.choice(len(shares), (deals, MAX_SEATS), p=shares)
    equal = rng.random(deals) < 0.5
    types[equal] = types[equal, :1]
    lone = rng.random(deals) < 0.7
    types[lone, rng.integers(0, 2, int(lone.sum()))] = list(LEAGUE).index("search")
    return types.astype(np.int64)


# -- learning ----------------------------------------------------------------------------------------------------------


def split(weights: Weights) -> dict[str, Weights]:
    cuts = np.split(weights, list(value.STARTS.values())[1:])
    return {name: cut.reshape(shape) for (name, shape), cut in zip(value.PARTS.items(), cuts, strict=True)}


def begin(rng: np.random.Generator) -> Weights:
    parts = split(np.zeros(value.WEIGHTS, np.float32))
    for name, inputs in (("scene", 48), ("glance", 48), ("own", 24), ("others", 24), ("table", 48)):
        parts[name][:] = rng.normal(0, np.sqrt(2 / inputs), parts[name].shape)
    for name in ("bulls", "luck"):
        parts[name][:] = rng.normal(0, 0.05, parts[name].shape)
    parts["lead"][:] = 0.15
    return np.concatenate([part.ravel() for part in parts.values()]).astype(np.float32)


class Foretold(NamedTuple):
    """Activations, and the predictions by seat: bulls to come, in tens, and the probability to win."""

    on: NDArray[np.bool_]
    pooled: Reals
    rest: Reals
    second: Reals
    bulls: Reals
    chances: Reals


def foretell(parts: dict[str, Weights], seen: Seen) -> Foretold:
    seats = seen.scenes.shape[1]
    present = (np.arange(HAND) < seen.sizes[:, None])[:, None, :, None]
    first = seen.glances @ parts["glance"] + (seen.scenes @ parts["scene"] + parts["card"])[:, :, None]
    on = (first > 0) & present
    pooled = np.where(on, first, 0).sum(2) * np.float32(value.POOL)
    rest = (pooled.sum(1, keepdims=True) - pooled) / np.float32(max(seats - 1, 1))
    inner = pooled @ parts["own"] + rest @ parts["others"] + seen.scenes @ parts["table"] + parts["type"][seen.types]
    second = np.maximum(inner, 0)
    bulls = second @ parts["bulls"] + parts["bulls_bias"][seen.sizes][:, None]
    scores = second @ parts["luck"] - parts["lead"][seen.sizes][:, None] * seen.points
    chances = np.exp(scores - scores.max(1, keepdims=True))
    return Foretold(on, pooled, rest, second, bulls, chances / chances.sum(1, keepdims=True))


def slope(weights: Weights, seen: Seen) -> tuple[Weights, float, float]:
    """The gradient, the mean log probability of the winners, and the mean squared error in bulls."""
    parts, seats = split(weights), seen.scenes.shape[1]
    on, pooled, rest, second, bulls, chances = foretell(parts, seen)
    best = seen.finals == seen.finals.min(1, keepdims=True)
    target = best / best.sum(1, keepdims=True)
    error = (seen.finals - seen.points) / 10 - bulls
    likely = float((target * np.log(chances + 1e-9)).sum(1).mean())
    # backward pass
    to_score = ((target - chances) / len(target)).astype(np.float32)
    to_bulls = (0.5 * error / len(target) / seats).astype(np.float32)
    to_inner = (to_score[..., None] * parts["luck"] + to_bulls[..., None] * parts["bulls"]) * (second > 0)
    flat = to_inner.reshape(-1, SEAT)
    to_rest = to_inner @ parts["others"].T
    to_pooled = to_inner @ parts["own"].T + (to_rest.sum(1, keepdims=True) - to_rest) / np.float32(max(seats - 1, 1))
    to_first = np.where(on, (to_pooled * np.float32(value.POOL))[:, :, None], np.float32(0)).astype(np.float32)
    to_scene = to_first.sum(2).reshape(-1, CARD)
    scenes = seen.scenes.reshape(-1, SCENE)
    types = np.zeros_like(parts["type"])
    np.add.at(types, seen.types.ravel(), flat)
    bias, lead = np.zeros(HAND + 1, np.float32), np.zeros(HAND + 1, np.float32)
    np.add.at(bias, seen.sizes, to_bulls.sum(1))
    np.add.at(lead, seen.sizes, -(to_score * seen.points).sum(1))
    up = {
        "scene": scenes.T @ to_scene,
        "card": to_scene.sum(0),
        "glance": seen.glances.reshape(-1, GLANCE).T @ to_first.reshape(-1, CARD),
        "own": pooled.reshape(-1, CARD).T @ flat,
        "others": rest.reshape(-1, CARD).T @ flat,
        "table": scenes.T @ flat,
        "type": types,
        "bulls": (second * to_bulls[..., None]).sum((0, 1)),
        "bulls_bias": bias,
        "luck": (second * to_score[..., None]).sum((0, 1)),
        "lead": lead,
    }
    return np.concatenate([up[name].ravel() for name in parts]), likely, float((error**2).mean() * 100)


class Plan(NamedTuple):
    steps: int
    deals: int
    rate: float
    seed: int


WHOLE = Plan(steps=2400, deals=500, rate=3e-3, seed=1)
QUICK = Plan(steps=4, deals=20, rate=3e-3, seed=1)


def plan_of(quick: bool) -> Plan:
    return QUICK if quick else WHOLE


def learn(plan: Plan, place: Path) -> tuple[Weights, list[str]]:
    """The network and its log: log probability of the winners and error in bulls, both at tables of four."""
    kinds = make_kinds({}, LEAGUE, "search", learned()).types
    learner = resume(place, begin(np.random.default_rng(plan.seed)))
    likely, errors = list[float](), list[float]()
    while learner.steps < plan.steps:
        rng = np.random.default_rng([plan.seed, learner.steps])
        seats = TABLES[learner.steps % len(TABLES)]
        flats, room = rounds_of([seats] * plan.deals), room_for(plan.deals * (HAND - 1), seats)
        types, seed = company(rng, plan.deals, kinds["prior"]), int(rng.integers(1 << 62))
        noted = observe(flats, types, kinds, seed, new_desk(flats[:1]), room)
        up, log_probability, error = slope(learner.weights, room.pick(slice(noted)))
        if seats == SEATS:
            likely.append(log_probability)
            errors.append(error)
        learner.step(up, plan.rate * (1 - 0.95 * learner.steps / plan.steps))
        tell(place.stem, learner.steps - 1, plan.steps)
        if learner.steps % 100 == 0 or learner.steps == plan.steps:
            figures = f"log probability {np.mean(likely):.4f}, error {np.sqrt(np.mean(errors)):.2f} bulls"
            learner.curve.append(f"step {learner.steps}: {figures}")
            likely.clear()  # each line averages since the last checkpoint, so a stop changes nothing
            errors.clear()
            tell(place.stem, learner.steps, plan.steps, learner.curve[-1])
            learner.keep(place)
    return learner.smooth, learner.curve


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=VALUE, help="where the network goes")
    parser.add_argument("--work", type=Path, default=Path("value-six"), help="checkpoints; a run resumes from them")
    parser.add_argument("--quick", action="store_true", help="smoke test: all steps, learning next to nothing")
    args = parser.parse_args(argv)
    args.work.mkdir(parents=True, exist_ok=True)
    plan = plan_of(args.quick)
    weights, curve = learn(plan, args.work / "value.npz")
    report = write_report(args.work, "What positions are worth", [Section("value", plan, curve)])
    save_whole(args.out, value=weights)
    print(f"{args.out}; {report} has the curve.")


if __name__ == "__main__":
    main()
