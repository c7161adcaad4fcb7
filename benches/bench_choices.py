"""What the cards of the Master of 6 nimmt! are worth, decision by decision.

    python benches/bench_choices.py                              against three of contender
    python benches/bench_choices.py contender --soften 3         the same network, but three times less decisive
    python benches/bench_choices.py sharp --variants master tables worlds

A Master plays deals among three of a network. At each of its decisions every variant of the Master is asked for a card,
and every card of the hand is tried in many worlds, which are sampled and played out with that network at the other
seats. So variants are compared on the same positions, without the luck of the deal: 160 deals tell them apart as well
as thousands that are won or lost. What a variant is worth is the share of the win that its cards gain over random ones,
added up over a deal. After the card the Master's seat goes on like the network *search* in half of the worlds, and like
*keen* in the others.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from bench_bots import PLAYERS, strange_network
from numpy.typing import NDArray

from nimmt.clients.cli.flags import whole_number
from nimmt.fast.kernels import new_lines
from nimmt.games.six.search.belief import imagine
from nimmt.games.six.search.judge import try_plays
from nimmt.games.six.search.levels import FORESEEN_BLEND, MASTER
from nimmt.games.six.search.players import (
    LEAGUE,
    LookingPlayer,
    Player,
    Round,
    SearchingPlayer,
    foresight,
    learned,
    make_kinds,
    won,
)
from nimmt.games.six.search.situation import NETWORK, Effort, Kinds, Situation, Stakes, Weights, new_desk, new_worlds
from nimmt.games.six.search.think import clues
from nimmt.games.six.types import HAND, MAX_SEATS
from nimmt.insight.crew import Crew

SEATS = 4
SAMPLED = MASTER._replace(warm_up=100)
CONTINUATIONS = ("search", "keen")
NEVER = 1e-9
"""The prior of types that only the Master's own seat has."""
QUARTER = 1 / 3
"""As one more type beside a prior that adds up to 1, it is a quarter of the whole."""

Floats = NDArray[np.float64]


class Field(NamedTuple):
    """The network at the other seats, and by how much its scores are divided."""

    name: str
    soften: float

    @property
    def weights(self) -> Weights:
        weights = (learned()[self.name] if self.name in learned() else strange_network(self.name)).astype(np.float32)
        weights[NETWORK.starts["last"] :] /= np.float32(self.soften)
        return weights

    def kinds(self, prior: dict[str, float], own: str, value: Weights | None = None) -> Kinds:
        """The types of the prior, the field among them as `field`."""
        return make_kinds({}, prior, own, {**learned(), "field": self.weights}, value)


def master(own: str = "search", effort: Effort = MASTER) -> Player:
    return SearchingPlayer(make_kinds({}, LEAGUE, own, learned(), foresight()), effort, FORESEEN_BLEND)


def informed(field: Field, prior: dict[str, float]) -> Player:
    return SearchingPlayer(field.kinds(prior, "search", foresight()), MASTER, FORESEEN_BLEND)


VARIANTS: dict[str, Callable[[Field], Player]] = {
    "master": lambda _: master(),
    "worlds": lambda _: master(effort=MASTER._replace(worlds=4 * MASTER.worlds)),
    "keen": lambda _: master("keen"),
    "sharp": lambda _: master("sharp"),
    "to-the-end": lambda _: PLAYERS["to-the-end"](),
    "tables": lambda _: PLAYERS["tables"](),
    "suspects": lambda field: informed(field, {**LEAGUE, "field": QUARTER}),
    "knows": lambda field: informed(field, {"field": 0.9, "search": 0.1}),
}
"""What ships; four times the worlds; other networks as its own continuation; rollouts to the end in place of the value
network; tables in place of networks; one more type, which is the field; and nobody but the field."""


class Job(NamedTuple):
    field: Field
    variants: tuple[str, ...]
    worlds: int
    seed: int
    numbers: range


class Deal(NamedTuple):
    worths: Floats
    """By variant."""
    seconds: Floats
    win: float


@cache
def player(variant: str, field: Field) -> Player:
    return VARIANTS[variant](field)


@cache
def judging(field: Field) -> Kinds:
    return field.kinds({"field": 1.0, **dict.fromkeys(CONTINUATIONS, NEVER)}, CONTINUATIONS[0])


@cache
def opponent(field: Field) -> Player:
    return LookingPlayer(field.kinds({"field": 1.0}, "field"))


def worths(now: Situation, field: Field, number: int, seed: int) -> Floats:
    """What each card of the hand wins on average."""
    kinds, found, desk = judging(field), new_worlds(now.flat, number), new_desk(now.flat)
    imagine(now, kinds, clues(now, kinds), SAMPLED, found, seed, desk)
    found.types[:, now.seat] = 1 + np.arange(number) % len(CONTINUATIONS)
    lines, soon = (new_lines(number, len(now.hand) + 1, now.seats) for _ in range(2))
    try_plays(now, kinds, found, now.hand, seed, desk, lines, soon)
    points = lines.points[:, :-1]
    best = points == points.min(2, keepdims=True)
    return np.asarray((best / best.sum(2, keepdims=True))[..., now.seat].mean(0))


class Watched:
    """Plays like the first variant, and asks all of them what they would play."""

    def __init__(self, job: Job) -> None:
        self.job, self.players = job, [player(name, job.field) for name in job.variants]
        self.worths, self.seconds = np.zeros(len(self.players)), np.zeros(len(self.players))

    def choose(self, now: Situation, stakes: Stakes, seed: int) -> int:
        if now.chooses_row or len(now.hand) == 1:
            return self.players[0].choose(now, stakes, seed)
        found = worths(now, self.job.field, self.job.worlds, seed ^ 1)
        cards = []
        for at, one in enumerate(self.players):
            began = time.thread_time()
            cards.append(one.choose(now, stakes, seed))
            self.seconds[at] += time.thread_time() - began
            self.worths[at] += found[np.searchsorted(now.hand, cards[-1])] - found.mean()
        return cards[0]


def play(job: Job) -> list[Deal]:
    return [play_one(job, number) for number in job.numbers]


def play_one(job: Job, number: int) -> Deal:
    rng, place = np.random.default_rng([job.seed, number]), number % SEATS
    watched, stakes = Watched(job), Stakes(np.zeros(MAX_SEATS, np.int64), 66, 0, 0.0)
    players: list[Any] = [opponent(job.field)] * SEATS
    players[place] = watched
    played = Round(SEATS, rng)
    for _ in range(HAND):
        played.turn(players, stakes, rng)
    return Deal(watched.worths, watched.seconds, won(played.flat[0]["points"][:SEATS].tolist(), place))


# -- report ------------------------------------------------------------------------------------------------------------


def interval(values: Floats) -> str:
    return f"{100 * values.mean():+6.2f} ± {196 * values.std() / len(values) ** 0.5:.2f}"


def report(job: Job, deals: Sequence[Deal]) -> str:
    wins, found = np.array([deal.win for deal in deals]), np.array([deal.worths for deal in deals])
    each = 1000 * np.mean([deal.seconds for deal in deals], axis=0) / (HAND - 1)
    lines = [f"{job.variants[0]} won {100 * wins.mean():.1f} % of {len(deals)} deals", ""]
    lines += ["variant      worth a deal  against the first  a decision"]
    for at, name in enumerate(job.variants):
        gain = interval(found[:, at] - found[:, 0]) if at else ""
        lines.append(f"{name:12} {100 * found[:, at].mean():10.2f} %  {gain:>17}  {each[at]:7.0f} ms")
    return "\n".join(lines)


def divisor(text: str) -> float:
    if not 0.01 <= (number := float(text)) <= 100:
        raise argparse.ArgumentTypeError(f"must be a number from 0.01 to 100, not {text!r:.40}")
    return number


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("field", nargs="?", choices=["contender", "sparring", *learned()], default="contender")
    parser.add_argument("--soften", type=divisor, default=1.0, help="divide the scores of the field's network by this")
    parser.add_argument("--variants", nargs="+", choices=VARIANTS, default=list(VARIANTS), help="the first one plays")
    parser.add_argument("--deals", type=whole_number(1, 10**6), default=160)
    parser.add_argument("--worlds", type=whole_number(2, 10**5), default=600, help="in which each card is tried")
    parser.add_argument("--workers", type=whole_number(1, 1000), default=1)
    parser.add_argument("--seed", type=whole_number(0, 2**62), default=1)
    args = parser.parse_args(argv)
    job = Job(Field(args.field, args.soften), tuple(args.variants), args.worlds, args.seed, range(0))
    deals: list[Deal] = []
    with Crew(args.workers) as crew:
        asked = [crew.ask(play, job._replace(numbers=range(at, at + 1))) for at in range(args.deals)]
        for answer in asked:
            deals += answer()
            print(f"\r{len(deals)} of {args.deals} deals", end="", flush=True)
    print(f"\r{report(job, deals)}")


if __name__ == "__main__":
    main()
