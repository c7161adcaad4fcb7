"""Train a game's policy and value networks on its own search (expert iteration).

    python training/imitate.py baron                          into src/nimmt/games/baron, if it is better
    python training/imitate.py baron --quick --out FOLDER     smoke test, in seconds

In each round the search plays itself, and a policy network imitates its values of all actions. Value networks are then
trained on deals played by that policy: who will win the round, and by how much. The next round's search uses these
networks for its rollouts. The first one uses careless players, and value networks trained on their games.

A round's networks are kept only if a search with them does not lose to the previous one, two against two; they replace
the shipped ones only if they beat them. Results go to `--work`: an interrupted run restarts the round it was in, and
`report.md` there has the log.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from copy import copy
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from learn import FOUR, Tables, finish, lay_tables, params_of, share
from progress import tell
from reports import Section, write_report
from teaching import Batch, Ints, Learner, begin, new_batch, save_whole, slope_to, write_whole
from watching import Weighed

from nimmt.bots.bot import Bot
from nimmt.bots.levels import Thought, strength_of
from nimmt.bots.worlds import OUTLOOKS, WorldsBot, worth_of_rounds
from nimmt.fast import kernels
from nimmt.fast.chance import next_word, seed_rng
from nimmt.fast.game import FastGame, get_fast
from nimmt.fast.jit import Flats, Numbers, Words, jit, part, wide
from nimmt.fast.kernels import apply, pick, tally, to_decide
from nimmt.fast.net import LEARNED, Layer, Shape, Weights
from nimmt.match.match import Match, single_deal
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.game import AnyGame
from nimmt.rules.kit.options import variant_options


class Plan(NamedTuple):
    rounds: int
    thought: Thought
    """Settings of the search being imitated."""
    decisions: int
    """Roughly how many of its decisions are recorded per round."""
    slips: float
    """Fraction of random actions, for more varied positions."""
    warmth: float
    """Softmax temperature that turns values into target probabilities."""
    sharper: float
    """Inverse temperature: an imitation's scores are multiplied by this."""
    deals: int
    """Deals played by the imitation to train the value network."""
    noted: float
    """Fraction of their turns recorded for the value network."""
    steps: int
    """Training steps per network."""
    trial: int
    """Deals of the match against the previous search."""
    tables: tuple[tuple[str, int], ...]
    """(variant, seats) pairs, in turn."""
    seed: int = 1


AHEAD = Thought(800, turns=1, policy="learned", outlook=True)


PLANS = {
    "eleven": Plan(
        rounds=4,
        thought=AHEAD,
        decisions=16_000,
        slips=0.03,
        warmth=0.03,
        sharper=3.0,
        deals=60_000,
        noted=0.05,
        steps=5000,
        trial=240,
        tables=tuple(("basic", seats) for seats in (4, 4, 4, 2, 3, 5, 6, 7)),
    ),
    "x": Plan(
        rounds=4,
        thought=AHEAD,
        decisions=24_000,
        slips=0.03,
        warmth=0.03,
        sharper=3.0,
        deals=60_000,
        noted=0.3,
        steps=5000,
        trial=480,
        tables=(FOUR, FOUR, ("basic", 3), ("basic", 2)),
    ),
    "baron": Plan(
        rounds=3,
        thought=AHEAD,
        decisions=32_000,
        slips=0.03,
        warmth=0.03,
        sharper=3.0,
        deals=60_000,
        noted=0.15,
        steps=6000,
        trial=480,
        tables=(
            *(FOUR,) * 4,
            *(("basic", seats) for seats in (2, 3, 6)),
            *((variant, seats) for variant in ("colour-counts", "bulls-are-good", "both") for seats in (4, 3)),
        ),
    ),
}
QUICK = {"rounds": 1, "decisions": 60, "deals": 60, "noted": 0.2, "steps": 20, "trial": 2}
MANY = 24
"""Decisions with more actions than this are not imitated."""
SIZE, RATE = 512, 4e-3
"""Batch size and learning rate."""


def plan_of(game: str, quick: bool) -> Plan:
    plan = PLANS[game]
    return plan._replace(thought=plan.thought._replace(rounds=20), **QUICK) if quick else plan


# -- networks of a round ---------------------------------------------------------------------------------------------


def taught(game: str, folder: Path) -> FastGame:
    """The game with the networks in this folder."""
    fast = copy(get_fast(game))
    fast.folder = folder
    fast.policies = {**fast.policies, "learned": LEARNED}
    return fast


def searching(fast: FastGame, thought: Thought) -> WorldsBot:
    """A search with the game's networks; before there are any, with careless players."""
    return WorldsBot(
        fast.rules,
        thought if fast.has_learned else thought._replace(policy="careless"),
        knows_standings=True,
        fast=fast,
    )


def fit(shape: Shape, batch: Batch, steps: int, seed: int) -> tuple[Weights, float]:
    """Fit a network to target probabilities; returns it and its mean log likelihood on a held-out tenth."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(batch.sizes))
    cut = max(len(order) // 10, 1)
    learner, rest = Learner(begin(shape, rng)), order[cut:]
    for step in range(steps):
        up, _ = slope_to(shape, learner.weights, batch.pick(rng.choice(rest, SIZE)))
        learner.step(up, RATE * (1 - 0.95 * step / steps))
    return learner.smooth, slope_to(shape, learner.smooth, batch.pick(order[:cut]))[1]


# -- playing ---------------------------------------------------------------------------------------------------------


def deal_out(game: AnyGame, variant: str, players: Sequence[Bot], number: int) -> Match:
    """Play a deal."""
    secret, infos = number.to_bytes(32, "big"), [SeatInfo(str(seat)) for seat in range(len(players))]
    options = single_deal(game, variant_options(game, variant))
    match, rng = Match(game, options, infos, Dealer(secret, [""] * len(players))), Random(number)
    while match.outcome is None:
        seat = game.pending(match.state)[0].seat
        legal = game.legal(match.state, seat)
        match.act(seat, players[seat].choose(game.view(match.state, seat), legal, rng) if len(legal) > 1 else legal[0])
    return match


def versus(one: FastGame, other: FastGame, plan: Plan, first: int) -> tuple[float, float]:
    """Win rate in per cent, and its standard error, of two seats with the networks of `one` against two of `other`."""
    game, wins = one.rules, []
    places = list(combinations(range(4), 2))
    variants = [variant for variant, seats in plan.tables if seats == 4]
    new, old = searching(one, plan.thought), searching(other, plan.thought)
    for number in range(plan.trial):
        own = places[number % len(places)]
        players = [new if seat in own else old for seat in range(4)]
        match = deal_out(game, variants[number // len(places) % len(variants)], players, first + number)
        assert match.outcome
        winners = match.outcome.winners
        wins.append(100 * sum(seat in winners for seat in own) / len(winners))
    return float(np.mean(wins)), float(np.std(wins) / len(wins) ** 0.5)


# -- imitating -------------------------------------------------------------------------------------------------------


def sight_of(look: Layer, shape: Shape, most: int) -> Any:
    @jit
    def see(flat: Flats, seat: int, actions: Ints, scene: Weights, glances: Weights) -> int:
        return wide(look(flat[0], seat, actions, scene, glances))

    def seen(fast: FastGame, view: Any) -> tuple[Ints, Weights, Weights]:
        actions, room = np.zeros(fast.most_actions, np.int64), np.zeros(shape.glance * most, np.float32)
        scene = np.zeros(shape.scene, np.float32)
        count = see(fast.load_view(view), view.seat, actions, scene, room)
        return actions[:count], scene, room[: shape.glance * count].reshape(count, shape.glance)

    return seen


def watch(fast: FastGame, plan: Plan, number: int) -> Iterator[tuple[int, Weighed]]:
    """Let the search play itself; yields the number of deals and the decisions recorded so far."""
    sight = registry.part(fast.rules.id, "sight")
    see = sight_of(sight.look, sight.NETWORK, sight.MOST)
    watched = Weighed(searching(fast, plan.thought), lambda view: see(fast, view), fast.encode, plan.slips, MANY)
    deal = 0
    while len(watched.noted) < plan.decisions:
        variant, seats = plan.tables[deal % len(plan.tables)]
        deal_out(fast.rules, variant, [watched] * seats, (plan.seed * 1000 + number) * 1_000_000 + deal)
        deal += 1
        yield deal, watched


def batch_of(shape: Shape, watched: Weighed, warmth: float) -> Batch:
    """The recorded decisions; the targets are a softmax over the search's values with temperature `warmth`."""
    batch = new_batch(shape, len(watched.noted), MANY)
    for at, (scene, glances, values) in enumerate(watched.noted):
        count = len(values)
        batch.sizes[at], batch.scenes[at], batch.glances[at, :count] = count, scene, glances
        likely = np.exp((values - values.max()) / warmth)
        batch.values[at, :count] = likely / likely.sum()
    return batch


# -- the value network (outlook) -------------------------------------------------------------------------------------


@part
def luck_of(rng: Words) -> float:
    """Uniform in [0, 1)."""
    return (next_word(rng) >> np.uint64(11)) * 2.0**-53


def gathering(survey: Layer, shape: Shape, most: int) -> Any:
    """Build the kernel that plays deals and records positions and outcomes, with the game's features `survey`."""
    scene_size, glance_size = shape

    @jit
    def gather(
        tables: Tables, cards: Numbers, policy: int, params: Weights, luck: int, often: float, batch: Batch, ends: Ints
    ) -> int:
        flats, _, signs = tables
        rng, noted = np.empty(4, np.uint64), 0
        scene, glances = np.empty(scene_size, np.float32), np.empty(glance_size * most, np.float32)
        taken, other = np.zeros(most, np.int64), np.zeros(2, np.int64)
        for number in range(len(flats)):
            s, first = flats[number], noted
            seed_rng(rng, np.uint64(luck), number)
            kernels.begin(s, cards, rng)
            seat, turn = to_decide(s), -1
            while seat >= 0:
                begins, turn = s.turns != turn, s.turns
                if begins and noted < len(batch.sizes) and luck_of(rng) < often:
                    batch.sizes[noted] = survey(s, scene, glances)
                    batch.scenes[noted] = scene
                    for one in range(batch.sizes[noted]):
                        batch.glances[noted, one] = glances[glance_size * one : glance_size * (one + 1)]
                    noted += 1
                apply(s, seat, pick(s, seat, policy, params, rng))
                seat = to_decide(s)
            for at in range(first, noted):
                tally(s, ends[at], taken, other)
                ends[at, : wide(s.seats)] *= signs[number]
        return noted

    return gather


ROOM = 8
"""Recorded positions per deal, at most, on average."""
NOBODY = 1 << 14
"""Points of an empty seat: it never gets a share of the win."""


def teach_outlook(
    fast: FastGame, plan: Plan, policy: int, params: Weights, seed: int
) -> tuple[dict[str, Weights], str]:
    """Value networks for rounds played by this policy, one per objective in `OUTLOOKS`."""
    outlook, most = registry.part(fast.rules.id, "outlook"), fast.rules.max_seats
    shape: Shape = outlook.OUTLOOK
    tables = lay_tables(fast, [plan.tables[deal % len(plan.tables)] for deal in range(plan.deals)])
    batch = new_batch(shape, ROOM * plan.deals, most)
    ends = np.full((len(batch.sizes), most), NOBODY)
    gather = gathering(outlook.survey, shape, most)
    noted = gather(tables, fast.sorted_decks(), policy, params, seed, plan.noted, batch, ends)
    nets, told = {}, []
    for name, lead in OUTLOOKS.items():
        worth = worth_of_rounds(ends[:noted], strength_of(fast.rules).spread, lead).astype(np.float32)
        nets[name], likely = fit(shape, Batch(*batch.pick(slice(noted))[:3], worth), plan.steps, seed)
        told.append(f"{name} {likely:.4f}")
    return nets, f"{noted:,} positions: {', '.join(told)}"


# -- rounds ----------------------------------------------------------------------------------------------------------


def begin_with(game: str, plan: Plan, folder: Path) -> FastGame:
    """Round 0: value networks from games of careless players."""
    fast = taught(game, folder)
    if not fast.has_outlook:
        careless = fast.policies["careless"]
        slips = np.array([strength_of(fast.rules).careless], np.float32)
        nets, line = teach_outlook(fast, plan, careless, slips, plan.seed)
        keep(folder, f"Careless players, {line}.", nets)
    return fast


def keep(folder: Path, line: str, nets: dict[str, Weights], policy: Weights | None = None) -> None:
    """Save the results of a round. The outlook is written last: its presence marks the round as complete."""
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "line.txt", line)
    if policy is not None:
        save_whole(folder / "learned.npz", weights=policy)
    save_whole(folder / "outlook.npz", **nets)


def go_round(game: str, plan: Plan, last: FastGame, folder: Path, number: int) -> FastGame:
    """One iteration: record the last search, imitate it, and train value networks on games of the imitation."""
    fast, began = taught(game, folder), time.monotonic()
    if fast.has_outlook:
        return fast
    assert fast.network
    for deal, watched in watch(last, plan, number):
        line = "" if deal % 50 else f"round {number}: {deal} deals of the search"
        tell(game, len(watched.noted), plan.decisions, line)
    policy, likely = fit(fast.network, batch_of(fast.network, watched, plan.warmth), plan.steps, plan.seed)
    policy = finish(fast.network, policy, plan.sharper)
    wins = ", ".join(
        f"{name} {share(fast, [policy], fast.policies[name], min(plan.deals, 4000), number):.1f} %"
        for name in ("random", "greedy", "careless")
    )
    nets, line = teach_outlook(fast, plan, LEARNED, params_of(policy), plan.seed + number)
    told = f"Round {number}: {len(watched.noted):,} decisions, imitated with {likely:.3f}; against three {wins}; {line}"
    keep(folder, f"{told}; {(time.monotonic() - began) / 60:.0f} minutes.", nets, policy)
    return fast


def teach(game: str, plan: Plan, work: Path) -> tuple[FastGame, list[str]]:
    """The networks of the last iteration that beat its predecessor, and the log."""
    best = begin_with(game, plan, work / "round-0")
    lines = [(best.folder / "line.txt").read_text()]
    for number in range(1, plan.rounds + 1):
        fast = go_round(game, plan, best, work / f"round-{number}", number)
        lines.append((fast.folder / "line.txt").read_text())
        result = fast.folder / "result.txt"
        if not result.exists():
            wins, error = versus(fast, best, plan, 10**12 + 10**6 * number)
            kept = "kept" if wins + error > 50 else "not kept"
            write_whole(result, f"Two against two of the last: {wins:.1f} % ± {1.96 * error:.1f}, {kept}.")
        lines.append(result.read_text())
        tell(game, number, plan.rounds, f"{lines[-2]} {lines[-1]}")
        if "not kept" in lines[-1]:
            break
        best = fast
    return best, lines


def accept(game: FastGame, fast: FastGame, plan: Plan) -> tuple[bool, str]:
    """Whether a search with these networks beats one with those that ship, on fresh deals."""
    if not game.has_outlook:
        return True, "Nothing was there to be beaten."
    wins, error = versus(fast, game, plan, 10**13)
    return wins > 50, f"Two against two of what ships: {wins:.1f} % ± {1.96 * error:.1f}."


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=PLANS)
    parser.add_argument("--out", type=Path, help="folder for the networks; default: the game, if they beat what ships")
    parser.add_argument("--work", type=Path, help="folder for checkpoints; a run resumes from them [imitate-GAME]")
    parser.add_argument("--quick", action="store_true", help="smoke test: all steps, learning next to nothing")
    args = parser.parse_args(argv)
    plan, work = plan_of(args.game, args.quick), args.work or Path(f"imitate-{args.game}")
    fast, lines = teach(args.game, plan, work)
    game = get_fast(args.game)
    better, line = (True, "") if args.out else accept(game, fast, plan)
    lines += [line] if line else []
    write_report(work, f"What {game.rules.name} learned", [Section(args.game, plan, lines)])
    out: Path = args.out or game.folder
    if better:
        for file in (fast.weights_file, fast.outlook_file):
            if file.exists():
                with np.load(file) as made:
                    save_whole(out / file.name, **made)
    print(
        *filter(None, (f"{out if better else 'What ships stays'}.", line, f"{work / 'report.md'} tells how it went."))
    )


if __name__ == "__main__":
    main()
