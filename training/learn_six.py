"""Train the policy networks of 6 nimmt!: the Master's opponent models, and its own rollout policy.

    python training/learn_six.py                        all four, into src/nimmt/games/six/search/nets.npz
    python training/learn_six.py --quick --out try.npz  smoke test, a minute or two
    python training/learn_six.py --only gentle          retrain one of them and keep the others

*sharp* and *gentle* learn from scratch by self-play. At one decision per turn every card of the hand is rolled out to
the end of the round, from the true hands and with common random numbers; the policy gradient uses each card's return
relative to the policy's mean. Since positions are reached by actual play, hidden hands follow their true distribution
and need no belief model. *mc64* and *search* imitate players that search: the baseline of that name, and the Master.

Checkpoints go to `--work`: an interrupted run resumes there, and `report.md` has the curves.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from progress import tell
from reports import Section, write_report
from teaching import Batch, Learner, Reals, begin, new_batch, resume, run, save_whole, slope, slope_to, split
from watching import Watched

from nimmt.fast.jit import Flat, Flats, jit, part, wide
from nimmt.fast.net import Weights
from nimmt.fast.parts import OVER
from nimmt.games.six.fast import FAST
from nimmt.games.six.kernels import begin_turns, start_row
from nimmt.games.six.search import net
from nimmt.games.six.search.belief import shuffle
from nimmt.games.six.search.levels import MASTER
from nimmt.games.six.search.players import (
    NETS,
    NOTHING,
    PRIOR,
    MonteCarloPlayer,
    Player,
    SearchingPlayer,
    fitted,
    make_kinds,
    play_round,
    read_nets,
)
from nimmt.games.six.search.policy import chance, insert, pick_play, place_queue, play_out, reveal, roll
from nimmt.games.six.search.situation import (
    GLANCE,
    MIND,
    NETWORK,
    SCENE,
    Desk,
    Ints,
    Kinds,
    Situation,
    Stakes,
    new_desk,
)
from nimmt.games.six.search.think import play_ahead
from nimmt.games.six.search.unplayed import note_played
from nimmt.games.six.types import HAND, MAX_SEATS, ROWS, Options
from nimmt.rules.kit.cards import HIGHEST

TABLES = (4, 4, 4, 3, 4, 4, 2, 4, 5, 4, 4, 6, 4, 4, 8, 4, 10, 4, 3, 5)
"""Seats per deal, in turn: mostly four."""
LEARNER = 0


# -- playing ---------------------------------------------------------------------------------------------------------


@part
def deal_all(s: Flat, cards: Ints, mind: Flat) -> None:
    """Deal a fresh round; hands are sorted."""
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
def practise(flats: Flats, types: Ints, kinds: Kinds, stakes: Stakes, seed: int, desk: Desk, batch: Batch) -> int:
    """Play these rounds and return the number of decisions collected."""
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
            choose_all(s, types[number], kinds.types, mind, thrown)
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
                    finish_turn(trial, types[number], kinds.types, mind, other)
                    batch.values[noted, option] = play_ahead(trial, learner, types[number], kinds, stakes, desk)
                noted += 1
            roll(mind, seed, 1000 * number + 20 * turn + 2)
            finish_turn(s, types[number], kinds.types, mind, thrown)
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


def kinds_with(nets: dict[str, Weights], value: Weights = NOTHING) -> tuple[Kinds, list[str]]:
    """All player types and their names: networks first, then tables."""
    names = [*nets, "random", "greedy", "careless", "mc64", "master"]
    return make_kinds(fitted(), dict.fromkeys(names, 1.0), names[0], nets, value), names


def seat_types(rng: np.random.Generator, seats: Sequence[int], old: int, count: int) -> Ints:
    """Seat assignments: mostly the learner, at some tables with its snapshots, at some with table-based types."""
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
    """Win rate in per cent of one seat of the first network against three of each other type."""
    kinds, names = kinds_with(nets)
    result = {}
    for other in range(1, len(names)):
        flats, types = rounds_of([4] * deals), np.full((deals, MAX_SEATS), other)
        types[np.arange(deals), np.arange(deals) % 4] = LEARNER
        bulls = np.zeros((deals, 4), np.int64)
        play_deals(flats, types, kinds.types, seed, new_desk(flats[:1]), bulls)
        best = bulls == bulls.min(1, keepdims=True)
        won = (best / best.sum(1, keepdims=True))[np.arange(deals), np.arange(deals) % 4]
        result[names[other]] = round(100 * float(won.mean()), 2)
    return result


# -- self-play ---------------------------------------------------------------------------------------------------------


class SelfPlay(NamedTuple):
    """Hyperparameters of self-play."""

    steps: int
    deals: int
    rate: float
    spread: float
    """Entropy bonus."""
    soften: float
    """Softmax temperature applied at the end: other strong players do not play exactly like this one."""
    seed: int


OLD_SELVES, BLEND = 6, 0.1


class Company(NamedTuple):
    """The tables of a training step and their players; the one with type `LEARNER` is being trained."""

    flats: Flats
    types: Ints
    kinds: Kinds


def among_itself(rng: np.random.Generator, deals: int, weights: Weights, old: dict[str, Weights]) -> Company:
    seats = [TABLES[int(n)] for n in rng.integers(len(TABLES), size=deals)]
    kinds, names = kinds_with({"net": weights, **old})
    return Company(rounds_of(seats), seat_types(rng, seats, len(old), len(names)), kinds)


def against_all(weights: Weights, seed: int) -> dict[str, float]:
    return measure({"net": weights}, 4000, seed)


def teach(
    plan: SelfPlay,
    place: Path,
    start: Weights | None = None,
    invite: Callable[[np.random.Generator, int, Weights, dict[str, Weights]], Company] = among_itself,
    judge: Callable[[Weights, int], dict[str, float]] = against_all,
) -> tuple[Weights, list[str]]:
    """Train by self-play; returns the network and its log. `invite` seats the opponents of each step (by default the
    learner itself and its snapshots), `judge` measures win rates at each checkpoint."""
    learner = resume(place, begin(NETWORK, np.random.default_rng(plan.seed)) if start is None else start)
    room, old, curve = new_batch(NETWORK, plan.deals * HAND, HAND), learner.old, learner.curve
    stakes = Stakes(np.zeros(MAX_SEATS, np.int64), 66, 0, BLEND)
    while learner.steps < plan.steps:
        rng = np.random.default_rng([plan.seed, learner.steps])
        flats, types, kinds = invite(rng, plan.deals, learner.weights, old)
        seed = int(rng.integers(1 << 62))
        noted = practise(flats, types, kinds, stakes, seed, new_desk(flats[:1]), room)
        up, entropy = slope(NETWORK, learner.weights, room.pick(slice(noted)), plan.spread)
        learner.step(up, plan.rate * (1 - 0.9 * learner.steps / plan.steps))
        tell(place.stem, learner.steps - 1, plan.steps)
        if learner.steps % max(plan.steps // OLD_SELVES, 1) == 0:
            old[f"old{len(old) + 1}"] = learner.smooth
        if learner.steps % 50 == 0 or learner.steps == plan.steps:
            told = ", ".join(f"{name} {share:.1f} %" for name, share in judge(learner.smooth, learner.steps).items())
            curve.append(f"step {learner.steps}: entropy {entropy:.2f}; wins against three {told}")
            tell(place.stem, learner.steps, plan.steps, curve[-1])
            learner.keep(place)
    weights = learner.smooth
    weights[NETWORK.starts["last"] :] /= plan.soften
    return weights, curve


# -- imitation ---------------------------------------------------------------------------------------------------------


class Imitation(NamedTuple):
    """Hyperparameters of imitation."""

    deals: int
    epochs: int
    rate: float
    seed: int
    worlds: int
    """Worlds per decision of the player being imitated; 0 means mc64."""


def seen(now: Situation) -> tuple[Reals, Reals]:
    """The network's inputs: the scene, and a glance at each card."""
    minds = np.zeros(1, MIND)
    look(now.flat, now.seat, minds)
    glances = minds[0]["glances"][: HAND * GLANCE].reshape(HAND, GLANCE)
    return minds[0]["scene"].copy(), glances.copy()


def arrays(watched: Watched[tuple[Reals, Reals]]) -> Batch:
    views, sizes, played = zip(*watched.noted, strict=True)
    scenes, glances = zip(*views, strict=True)
    return Batch(np.array(scenes), np.array(glances), np.array(sizes), np.eye(HAND, dtype=np.float32)[list(played)])


@jit
def look(flat: Flats, seat: int, minds: Flats) -> None:
    net.look(flat[0], seat, minds[0])


def searcher(worlds: int, sharp: Weights) -> Player:
    """The Master without the one network that does not exist yet: its own imitation."""
    prior = {name: share / 2 for name, share in PRIOR.items()} | {"sharp": 0.5}
    return SearchingPlayer(
        make_kinds(fitted(), prior, "sharp", {"sharp": sharp}), MASTER._replace(worlds=worlds), BLEND
    )


def watch(plan: Imitation, player: Player, place: Path, tables: Sequence[int] = TABLES) -> Batch:
    """Decisions of the player in deals against itself, saved in files of ten deals each."""
    stakes, parts = Stakes(np.zeros(MAX_SEATS, np.int64), 66, 0, BLEND), []
    for first in range(0, plan.deals, 10):
        path = place.with_name(f"{place.stem}-{first}.npz")
        if not path.exists():
            watched = Watched(player, seen)
            for deal in range(first, min(first + 10, plan.deals)):
                play_round([watched] * tables[deal % len(tables)], stakes, np.random.default_rng([plan.seed, deal]))
            save_whole(path, **arrays(watched)._asdict())
            done = min(first + 10, plan.deals)
            tell(place.stem, done, plan.deals, f"watched {done} of {plan.deals} deals")
        with np.load(path) as file:
            parts.append([file[name] for name in Batch._fields])
    return Batch(*(np.concatenate(part) for part in zip(*parts, strict=True)))


def imitate(plan: Imitation, data: Batch, place: Path, start: Weights | None = None) -> tuple[Weights, list[str]]:
    """Fit a network to the recorded decisions, from scratch or from `start`; returns it and its log."""
    rng, curve = np.random.default_rng(plan.seed), list[str]()
    learner, order = Learner(begin(NETWORK, rng) if start is None else start), rng.permutation(len(data.sizes))
    held, rest = data.pick(order[: len(order) // 20]), order[len(order) // 20 :]
    for epoch in range(plan.epochs):
        rng.shuffle(rest)
        for at in range(0, len(rest), 1024):
            chosen = rest[at : at + 1024]
            up, _ = slope_to(NETWORK, learner.weights, data.pick(chosen))
            learner.step(up, plan.rate * (1 - 0.95 * (epoch + at / len(rest)) / plan.epochs))
        likely = slope_to(NETWORK, learner.weights, held)[1]
        alike = (run(split(NETWORK, learner.weights), held).chances.argmax(1) == held.values.argmax(1)).mean()
        curve.append(f"epoch {epoch + 1}: agreement {100 * alike:.1f} %, log probability {likely:.3f}")
    tell(place.stem, plan.epochs, plan.epochs, curve[-1])
    return learner.weights, curve


# -- all of it ---------------------------------------------------------------------------------------------------------

PLANS: dict[str, SelfPlay | Imitation] = {
    "sharp": SelfPlay(steps=1500, deals=1000, rate=3e-3, spread=0.01, soften=2.5, seed=1),
    "gentle": SelfPlay(steps=1000, deals=1000, rate=4e-3, spread=0.08, soften=1.0, seed=3),
    "mc64": Imitation(deals=2000, epochs=25, rate=3e-3, seed=12, worlds=0),
    "search": Imitation(deals=900, epochs=60, rate=5e-3, seed=11, worlds=100),
}


def quickly(plan: SelfPlay | Imitation) -> SelfPlay | Imitation:
    if isinstance(plan, SelfPlay):
        return plan._replace(steps=10, deals=50)
    return plan._replace(deals=10, epochs=3, worlds=min(plan.worlds, 10))


def plans_of(quick: bool) -> dict[str, SelfPlay | Imitation]:
    return {name: quickly(plan) for name, plan in PLANS.items()} if quick else PLANS


def make(name: str, plan: SelfPlay | Imitation, nets: dict[str, Weights], work: Path) -> tuple[Weights, list[str]]:
    place = work / f"{name}.npz"
    if isinstance(plan, SelfPlay):
        return teach(plan, place)
    player = searcher(plan.worlds, nets["sharp"]) if plan.worlds else MonteCarloPlayer()
    return imitate(plan, watch(plan, player, place), place)


Maker = Callable[[str, Any, dict[str, Weights], Path], tuple[Weights, list[str]]]
"""Trains a network, given its name, its plan, the networks so far and a work folder; returns it and its log."""


def make_all(
    argv: Sequence[str] | None, doc: str, plans_of: Callable[[bool], Mapping[str, object]], make: Maker, out: Path
) -> None:
    """Command line of a script that trains networks and saves them to one file."""
    plans = plans_of(False)
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=out, help="where the networks go")
    parser.add_argument(
        "--work", type=Path, default=Path(f"{out.stem}-six"), help="checkpoints; a run resumes from them"
    )
    parser.add_argument(
        "--only", choices=plans, nargs="+", default=list(plans), help="retrain these and keep the others"
    )
    parser.add_argument("--quick", action="store_true", help="smoke test: all steps, learning next to nothing")
    args = parser.parse_args(argv)
    args.work.mkdir(parents=True, exist_ok=True)
    nets, sections, began = read_nets(out), list[Section](), time.monotonic()
    for name in args.only:
        plan = plans_of(args.quick)[name]
        nets[name], curve = make(name, plan, nets, args.work)
        sections.append(Section(name, plan, curve))
        write_report(args.work, "What was learned", sections)
    save_whole(args.out, **nets)
    print(f"{args.out} after {(time.monotonic() - began) / 60:.1f} min; {args.work / 'report.md'} has the curves.")


def main(argv: Sequence[str] | None = None) -> None:
    make_all(argv, __doc__ or "", plans_of, make, NETS)


if __name__ == "__main__":
    main()
