"""Train a small policy network by self-play, without any search.

    python training/learn.py baron                         into learn-baron/learned.npz
    python training/learn.py baron --quick --out try.npz   smoke test, in seconds

Only Beat the Buffalo ships what is trained here; for the other games that is `imitate.py`, because a search does better
with rollouts by players that imitate it than by self-taught ones, even where the latter are stronger on their own.

The network plays deals, at some tables against snapshots of itself and careless players. At a random subset of
decisions every legal action is rolled out to the end of the round, from the true state and with common random numbers;
the policy gradient uses each action's return relative to the policy's mean (its advantage). Since positions are reached
by actual play, hidden cards follow their true distribution and need no belief model.

Checkpoints go to `--work`: an interrupted run resumes there, and `report.md` has the curve.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from progress import tell
from reports import Section, write_report
from teaching import Batch, Ints, Learner, begin, new_batch, resume, save_whole, slope

from nimmt.fast import kernels
from nimmt.fast.chance import next_word, seed_rng
from nimmt.fast.game import FastGame, get_fast, weights_in
from nimmt.fast.jit import Flat, Flats, Words, jit, part, wide
from nimmt.fast.kernels import Players, apply, pick, play_on, play_turns, so_far, tally, to_decide
from nimmt.fast.net import LEARNED, NETS_AT, Layer, Shape, Weights
from nimmt.rules import registry
from nimmt.rules.kit.options import variant_options

CARELESS_SEATS = 10.0
"""Percentage of random decisions of the careless opponents."""
OLD_SELVES = 4
MANY = 24
"""Decisions with more actions than this are not examined."""


class Plan(NamedTuple):
    steps: int
    deals: int
    """Per step."""
    examined: float
    """Fraction of decisions at which all actions are rolled out."""
    rate: float
    spread: float
    """Entropy bonus."""
    blend: float
    """Weight of the lead in points, relative to the win."""
    horizon: int
    """Truncate rollouts after this many turns and score the lead alone; 0: play to the end and score the win, too.
    In long rounds, what happens much later is mostly noise."""
    tables: tuple[tuple[str, int], ...]
    """(variant, seats) pairs, drawn at random for each deal."""
    sharper: float = 1.0
    """Inverse temperature applied at the end: the exploration that helps training costs wins."""
    seed: int = 1


FOUR = ("basic", 4)
PLANS = {
    "buffalo": Plan(
        steps=800,
        deals=500,
        examined=0.05,
        rate=4e-3,
        spread=0.01,
        blend=0.02,
        horizon=0,
        tables=tuple(("basic", seats) for seats in (1, 2, 2, 3, 4, 5, 6)),
        sharper=3.0,
    ),
    "baron": Plan(
        steps=1200,
        deals=240,
        examined=0.06,
        rate=4e-3,
        spread=0.01,
        blend=0.05,
        horizon=6,
        tables=(
            *(FOUR,) * 8,
            *(("basic", seats) for seats in (2, 3, 3, 5, 6, 8)),
            *((variant, seats) for variant in ("colour-counts", "bulls-are-good", "both") for seats in (4, 4, 3, 2, 6)),
        ),
    ),
    "x": Plan(
        steps=800,
        deals=600,
        examined=0.06,
        rate=4e-3,
        spread=0.01,
        blend=0.02,
        horizon=0,
        tables=(FOUR, FOUR, FOUR, ("basic", 3), FOUR, ("basic", 2)),
        sharper=3.0,
    ),
    "eleven": Plan(
        steps=1000,
        deals=200,
        examined=0.05,
        rate=4e-3,
        spread=0.01,
        blend=0.01,
        horizon=0,
        tables=(FOUR, FOUR, FOUR, *(("basic", seats) for seats in (3, 4, 5, 2, 4, 6, 3, 7))),
        sharper=3.0,
    ),
}


QUICK = {"steps": 8, "deals": 20}
EXAMINED, BLEND, HORIZON, RIVAL = range(4)
"""Indices into `rates`; the last one is a flag: a team plays against a rival."""


# -- playing ---------------------------------------------------------------------------------------------------------


class Notes(NamedTuple):
    """The batch being collected, and scratch buffers for rollouts."""

    batch: Batch
    trial: Flats
    actions: Ints
    points: Ints
    taken: Ints
    other: Ints


def new_notes(fast: FastGame, shape: Shape, number: int, most: int) -> Notes:
    seats = fast.rules.max_seats
    room = (np.zeros(size, np.int64) for size in (seats, seats, 2))
    return Notes(new_batch(shape, number, most), np.zeros(1, fast.state), np.zeros(fast.most_actions, np.int64), *room)


@part
def lead_of(points: Ints, seats: int, seat: int, sign: int) -> float:
    total = 0
    for other in range(seats):
        total += points[other]
    return sign * ((total - points[seat]) / (seats - 1) - points[seat])


@part
def share_of(points: Ints, seats: int, seat: int, sign: int) -> float:
    """The seat's share of the win."""
    best, equals = sign * points[0], 0
    for other in range(seats):
        best = min(best, sign * points[other])
    for other in range(seats):
        equals += sign * points[other] == best
    return 1.0 / equals if sign * points[seat] == best else 0.0


@part
def try_out(s: Flat, seat: int, sign: int, players: Players, rng: Words, rates: Weights, notes: Notes) -> float:
    """Roll the state out and return the seat's payoff."""
    seats, points = wide(s.seats), notes.points
    if rates[HORIZON] > 0:
        play_turns(s, int(rates[HORIZON]), players.policies, players.params, rng)
        for other in range(seats):
            points[other] = so_far(s, other)
        return rates[BLEND] * lead_of(points, seats, seat, sign)
    play_on(s, players.policies, players.params, rng)
    tally(s, points, notes.taken, notes.other)
    if rates[RIVAL] > 0:
        lead = notes.other[1] - points[seat]
        return (1.0 if lead > 0 else 0.0) + rates[BLEND] * lead
    return share_of(points, seats, seat, sign) + rates[BLEND] * lead_of(points, seats, seat, sign)


def practice(look: Layer, shape: Shape, most: int) -> Any:
    """Build the kernel that plays deals and collects decisions, with the game's feature extractor `look`."""
    scene_size, glance_size = shape

    @jit
    def practise(
        flats: Flats, cards: Ints, seated: Ints, params: Weights, signs: Ints, luck: Ints, rates: Weights, notes: Notes
    ) -> int:
        """Play these rounds and return the number of decisions collected."""
        rng, dice, noted = np.empty(4, np.uint64), np.empty(4, np.uint64), 0
        scene, glances = np.empty(scene_size, np.float32), np.empty(glance_size * most, np.float32)
        batch, trial, actions = notes.batch, notes.trial, notes.actions
        for number in range(len(flats)):
            s, players = flats[number], Players(seated[number], params)
            seed_rng(rng, np.uint64(luck[0]), number)
            kernels.begin(s, cards, rng)
            seat = to_decide(s)
            while seat >= 0:
                if seated[number, seat] == LEARNED and noted < len(batch.sizes):
                    wanted = (next_word(rng) >> np.uint64(11)) * 2.0**-53 < rates[EXAMINED]
                    count = look(s, seat, actions, scene, glances) if wanted else 0
                    if 1 < count <= MANY:
                        batch.sizes[noted] = count
                        batch.scenes[noted] = scene
                        stream = next_word(rng)
                        for option in range(count):
                            for i in range(glance_size):
                                batch.glances[noted, option, i] = glances[glance_size * option + i]
                            trial[0] = s
                            seed_rng(dice, stream, 0)
                            apply(trial[0], seat, actions[option])
                            came = try_out(trial[0], seat, signs[number], players, dice, rates, notes)
                            batch.values[noted, option] = came
                        noted += 1
                apply(s, seat, pick(s, seat, seated[number, seat], params, rng))
                seat = to_decide(s)
        return noted

    return practise


class Tables(NamedTuple):
    """Initial states, with seats and scoring direction per table."""

    flats: Flats
    seats: Ints
    signs: Ints
    """1 where low scores win, -1 where high scores do."""


def lay_tables(fast: FastGame, tables: Sequence[tuple[str, int]]) -> Tables:
    kinds: dict[tuple[str, int], tuple[Any, int]] = {}
    for variant, seats in set(tables):
        options = variant_options(fast.rules, variant)
        sign = -1 if fast.rules.high_score_wins(options) else 1
        kinds[variant, seats] = fast.template(options, seats)[0], sign
    flats = np.zeros(len(tables), fast.state)
    for at, table in enumerate(tables):
        flats[at] = kinds[table][0]
    signs = np.array([kinds[table][1] for table in tables])
    return Tables(flats, np.array([seats for _, seats in tables]), signs)


def seat_players(rng: np.random.Generator, seats: Ints, most: int, old: int, careless: int) -> Ints:
    """Seat assignments: mostly the learner itself, at some tables with its snapshots, at some with careless players."""
    seated = np.full((len(seats), most), LEARNED)
    for at, number in enumerate(seats):
        luck = rng.random()
        if luck < 0.2 and old:
            seated[at] = LEARNED + 1 + rng.integers(old)
        elif luck < 0.35:
            seated[at] = careless
        if luck < 0.35:
            seated[at, rng.random(most) < 0.4] = LEARNED
            seated[at, rng.integers(number)] = LEARNED
    return seated


# -- measuring -------------------------------------------------------------------------------------------------------


def params_of(*nets: Weights) -> Weights:
    return np.concatenate((np.full(NETS_AT, CARELESS_SEATS), *nets)).astype(np.float32)


def team(fast: FastGame, policy: int, params: Weights, seats: int, deals: int, seed: int) -> float:
    """How often a team with this policy beats its rival, in per cent."""
    tables, lines = lay_tables(fast, [(fast.rules.variants[0].id, seats)]), kernels.new_lines(deals, seats)
    players, rng = Players(np.full(seats, policy), params), kernels.seeded(np.uint64(seed), seats)
    kernels.play_rounds(tables.flats, fast.sorted_decks(), players, rng, lines)
    return 100 * float((lines.other[:, 1] > lines.points[:, 0]).mean())


def share(fast: FastGame, nets: Sequence[Weights], against: int, deals: int, seed: int) -> float:
    """Win rate in per cent of one seat playing by the first network, all others by the policy `against`."""
    variant, seats = fast.rules.variants[0].id, min(4, fast.rules.max_seats)
    tables, won = lay_tables(fast, [(variant, seats)]), 0.0
    for place in range(seats):
        policies = np.full(seats, against)
        policies[place] = LEARNED
        lines = kernels.new_lines(deals // seats, seats)
        players, rng = Players(policies, params_of(*nets)), kernels.seeded(np.uint64(seed), place)
        kernels.play_rounds(tables.flats, fast.sorted_decks(), players, rng, lines)
        points = tables.signs[0] * lines.points
        best = points == points.min(axis=1, keepdims=True)
        won += float((best / best.sum(axis=1, keepdims=True))[:, place].mean())
    return 100 * won / seats


def measure(fast: FastGame, learner: Learner, deals: int) -> str:
    if fast.has_rival:
        params, seats = params_of(learner.smooth), range(1, fast.rules.max_seats + 1)
        return ", ".join(f"team of {n} {team(fast, LEARNED, params, n, deals, learner.steps):.1f} %" for n in seats)
    against = [(name, fast.policies[name]) for name in ("random", "greedy", "careless")]
    nets = [learner.smooth]
    if learner.old:
        nets.append(list(learner.old.values())[-1])
        against.append((list(learner.old)[-1], LEARNED + 1))
    told = (f"{name} {share(fast, nets, code, deals, learner.steps):.1f} %" for name, code in against)
    return f"wins against three {', '.join(told)}"


# -- learning --------------------------------------------------------------------------------------------------------


def teach(game: str, plan: Plan, place: Path) -> Learner:
    fast, sight = get_fast(game), registry.part(game, "sight")
    shape, most, seats = sight.NETWORK, sight.MOST, fast.rules.max_seats
    learner = resume(place, begin(shape, np.random.default_rng(plan.seed)))
    notes, practise = new_notes(fast, shape, 40 * plan.deals, min(most, MANY)), practice(sight.look, shape, most)
    began, decisions = time.process_time(), 0
    while learner.steps < plan.steps:
        rng = np.random.default_rng([plan.seed, learner.steps])
        chosen = rng.integers(len(plan.tables), size=plan.deals)
        tables = lay_tables(fast, [plan.tables[int(number)] for number in chosen])
        seated = seat_players(rng, tables.seats, seats, len(learner.old), fast.policies["careless"])
        params, luck = params_of(learner.weights, *learner.old.values()), rng.integers(1 << 62, size=1)
        rates = np.array([plan.examined, plan.blend, plan.horizon, fast.has_rival], np.float64)
        cards = fast.sorted_decks()
        noted = practise(tables.flats, cards, seated, params, tables.signs, luck, rates, notes)
        up, entropy = slope(shape, learner.weights, notes.batch.pick(slice(noted)), plan.spread)
        learner.step(up, plan.rate * (1 - 0.9 * learner.steps / plan.steps))
        decisions += noted
        if learner.steps % max(plan.steps // OLD_SELVES, 1) == 0:
            learner.old[f"old{len(learner.old) + 1}"] = learner.smooth
        tell(game, learner.steps - 1, plan.steps)
        if learner.steps % min(50, plan.steps) == 0:
            pace = decisions / max(time.process_time() - began, 1e-9)
            wins = measure(fast, learner, 4000)
            line = f"step {learner.steps}: entropy {entropy:.2f}; {wins}"
            learner.curve.append(line)
            tell(game, learner.steps, plan.steps, f"{line} ({pace:,.0f} decisions/s)")
            learner.keep(place)
    return learner


def finish(shape: Shape, weights: Weights, sharper: float) -> Weights:
    """The same network with its scores multiplied by `sharper`."""
    last = shape.starts["last"]
    return np.concatenate((weights[:last], sharper * weights[last:])).astype(np.float32)


def compare(fast: FastGame, weights: Weights, deals: int) -> str:
    """The new network against the one that ships."""
    if not fast.has_learned:
        return ""
    if fast.has_rival:
        ships, seats = weights_in(fast.weights_file), range(1, fast.rules.max_seats + 1)
        teams = [[team(fast, LEARNED, params_of(one), n, deals, 7) for n in seats] for one in (weights, ships)]
        told = (f"team of {n} {new:.1f} % ({old:.1f})" for n, new, old in zip(seats, *teams, strict=True))
        return f"Wins, and in brackets what ships: {', '.join(told)}; {deals:,} deals each."
    wins = share(fast, [weights, weights_in(fast.weights_file)], LEARNED + 1, deals, 7)
    parity = 100 / min(4, fast.rules.max_seats)
    return f"Against three of what ships {wins:.1f} % of {deals:,} deals (parity {parity:.0f} %)."


def plan_of(game: str, quick: bool) -> Plan:
    return PLANS[game]._replace(**QUICK) if quick else PLANS[game]


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=PLANS)
    parser.add_argument("--out", type=Path, help="where the network goes [learned.npz in the folder of the work]")
    parser.add_argument("--work", type=Path, help="folder for checkpoints; a run resumes from them [learn-GAME]")
    parser.add_argument("--quick", action="store_true", help="smoke test: all steps, learning next to nothing")
    args = parser.parse_args(argv)
    work: Path = args.work or Path(f"learn-{args.game}")
    work.mkdir(parents=True, exist_ok=True)
    plan, fast, began = plan_of(args.game, args.quick), get_fast(args.game), time.monotonic()
    learner = teach(args.game, plan, work / f"{args.game}.npz")
    assert fast.network
    learned = finish(fast.network, learner.smooth, plan.sharper)
    line = compare(fast, learned, 400 if args.quick else 20_000)
    lines = [*learner.curve, line] if line else learner.curve
    write_report(work, f"What {fast.rules.name} learned", [Section(args.game, plan, lines)])
    out: Path = args.out or work / "learned.npz"
    save_whole(out, weights=learned)
    print(f"{out} after {(time.monotonic() - began) / 60:.1f} min. {line} {work / 'report.md'} has the curve.")


if __name__ == "__main__":
    main()
