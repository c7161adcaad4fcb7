"""Players on the kernels' flat states, for training and measuring."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np

from nimmt.fast import kernels
from nimmt.fast.jit import Flats, jit, wide
from nimmt.fast.parts import ROW
from nimmt.games.six.fast import FAST
from nimmt.games.six.policies import GREEDY, play_on
from nimmt.games.six.search.belief import Deck, deal
from nimmt.games.six.search.policy import play_by_looking, roll
from nimmt.games.six.search.situation import (
    COST,
    COSTS,
    FACTORS,
    KIND,
    RANK,
    TWIST,
    Desk,
    Effort,
    Floats,
    Kinds,
    Situation,
    Stakes,
    Weights,
    new_desk,
    set_unplayed,
)
from nimmt.games.six.search.think import ALL_ROWS, think
from nimmt.games.six.types import HAND, MAX_SEATS, ROWS, Options
from nimmt.rules.kit.cards import HIGHEST, deck

# -- players -----------------------------------------------------------------------------------------------------------
# The Master's opponent models, and a searching player for training and measuring.

TABLES, NETS = Path(__file__).with_name("six.npz"), Path(__file__).with_name("nets.npz")
RIVALS, VALUE = Path(__file__).with_name("rivals.npz"), Path(__file__).with_name("value.npz")
NOTHING: Weights = np.zeros(0, np.float32)
SPECIALISTS = ("mc64", "master")
"""Types with fitted tables, by their names in the file."""
PRIOR = {"random": 0.15, "greedy": 0.1, "careless": 0.15, "mc64": 0.2, "master": 0.4}
"""Types with tables only: for variants that the networks do not know, and for fitting the tables themselves."""
LEAGUE = {
    "random": 0.10,
    "greedy": 0.06,
    "careless": 0.08,
    "mc64": 0.14,
    "search": 0.14,
    "gentle": 0.06,
    "sharp": 0.08,
    "keen": 0.17,
    "thrifty": 0.17,
}
"""The prior over types with networks: one imitates mc64, one imitates this search, two learned from rollouts of every
card with the true hands (`learn_six.py`), and two by PPO (`compete_six.py`)."""
LEAGUE_IN_CROWDS = {
    "random": 0.13,
    "greedy": 0.08,
    "careless": 0.12,
    "mc64": 0.19,
    "search": 0.16,
    "gentle": 0.12,
    "sharp": 0.2,
}
"""The prior at large tables. It leaves out the types trained by PPO, which played mostly at tables of four: with ten
seats, modelling anybody as one of them does harm."""
FORETOLD, LIKE_OTHERS = tuple(LEAGUE), "search"
"""The types known to the value network, by number; it treats all others like this one."""
CARELESS = {"careless": 1.0}
_SLIPS = {"random": 1.0, "greedy": 0.02, "careless": 0.03, "mc64": 0.02, "master": 0.02}


def greedy_factors(care: float, lowest_first: float) -> Floats:
    """Factors per bull of immediate cost, and per rank, which breaks ties in favour of the lowest card."""
    factors = np.ones(FACTORS)
    factors[COST : COST + COSTS] = np.exp(-care * np.minimum(np.arange(COSTS), 12))
    factors[RANK : RANK + 100] = np.tile(np.exp(-lowest_first * np.arange(10)), 10)
    factors[TWIST + 1] = 0.1
    return factors


@cache
def fitted() -> dict[str, Floats]:
    """The fitted tables, stored as logarithms."""
    with np.load(TABLES) as file:
        return {name: np.exp(file[name].astype(np.float64)) for name in file.files}


def read_nets(path: Path) -> dict[str, Weights]:
    with np.load(path) as file:
        return {name: file[name].astype(np.float32) for name in file.files}


@cache
def learned() -> dict[str, Weights]:
    """The policy networks."""
    return read_nets(NETS) | read_nets(RIVALS)


@cache
def foresight() -> Weights:
    """The value network for the types of the league."""
    with np.load(VALUE) as file:
        weights: Weights = file["value"].astype(np.float32)
    return weights


def make_kinds(
    tables: dict[str, Floats],
    prior: dict[str, float],
    own: str,
    nets: dict[str, Weights] | None = None,
    value: Weights | None = None,
    in_crowds: dict[str, float] | None = None,
) -> Kinds:
    """The types named in `prior`; the thinking seat goes on by the type `own`. With the network `value` rounds
    need not be played to their end. At large tables `in_crowds` is the prior, if there is one."""
    nets = nets or {}
    every = {"random": np.ones(FACTORS), "greedy": greedy_factors(45.0, 4.0), "careless": greedy_factors(0.6, 0.0)}
    every |= tables
    types, shares = np.zeros(len(prior), KIND), np.array(list(prior.values()))
    for at, name in enumerate(prior):
        if name in nets:
            types[at]["weights"], types[at]["learned"] = nets[name], 1
        else:
            types[at]["factors"] = every[name]
    types["slip"] = [_SLIPS.get(name, 0.02) for name in prior]
    types["any_row"] = [name == "random" for name in prior]
    types["prior"] = shares / shares.sum()
    types["prior_in_crowds"] = [in_crowds.get(name, 0.0) for name in prior] if in_crowds else types["prior"]
    types["known_as"] = [FORETOLD.index(name if name in FORETOLD else LIKE_OTHERS) for name in prior]
    return Kinds(types, list(prior).index(own), NOTHING if value is None else value)


def master_kinds() -> Kinds:
    """The Master's opponent models without fan cards."""
    return make_kinds({}, LEAGUE, "search", learned(), foresight(), LEAGUE_IN_CROWDS)


def master_kinds_with_fans() -> Kinds:
    """The same with fan cards, which the networks have never seen."""
    return make_kinds(fitted(), PRIOR, "master")


class Player(Protocol):
    def choose(self, now: Situation, stakes: Stakes, seed: int) -> int:
        """A card, or a row from 1 if one must be chosen."""


class SearchingPlayer:
    """Plays by search in the basic game."""

    def __init__(self, kinds: Kinds, effort: Effort, blend: float | None = None) -> None:
        self.kinds, self.effort, self.blend = kinds, effort, blend

    def choose(self, now: Situation, stakes: Stakes, seed: int) -> int:
        choices = ALL_ROWS if now.chooses_row else now.hand
        if len(choices) == 1:
            return int(choices[0])
        if self.blend is not None:
            stakes = stakes._replace(blend=self.blend)
        return think(now, stakes, self.kinds, self.effort, choices, seed)[0]


# -- yardsticks --------------------------------------------------------------------------------------------------------
# Three fixed baselines: random, greedy and mc64. Basic game only.
#
# - random: any card, any row.
# - greedy: the card with the lowest cost at once as the rows stand, of equals the lowest; takes the cheapest row.
# - mc64: 64 random completions of the unseen hands; each own card tried; everybody greedy to the end; the best mean of
#   the own bulls minus the mean of the others'. Takes the cheapest row.

COMPLETIONS = 64
NO_PARAMS, NO_CHANCE = np.zeros(1, np.float32), np.zeros(4, np.uint64)
"""What greedy players have no use for."""


class RandomPlayer:
    def choose(self, now: Situation, stakes: Stakes, seed: int) -> int:
        del stakes
        return seed % ROWS + 1 if now.chooses_row else int(now.hand[seed % len(now.hand)])


class GreedyPlayer:
    def choose(self, now: Situation, stakes: Stakes, seed: int) -> int:
        del stakes, seed
        return int(kernels.choose_for(now.flat, now.seat, GREEDY, NO_PARAMS, NO_CHANCE))


class LookingPlayer(GreedyPlayer):
    """Plays a type's policy without search; takes the cheapest row."""

    def __init__(self, kinds: Kinds) -> None:
        self.kinds = kinds

    def choose(self, now: Situation, stakes: Stakes, seed: int) -> int:
        if now.chooses_row:
            return super().choose(now, stakes, seed)
        return int(play_by_looking(now, self.kinds, seed, new_desk(now.flat)))


class MonteCarloPlayer(GreedyPlayer):
    def choose(self, now: Situation, stakes: Stakes, seed: int) -> int:
        if now.chooses_row:
            return super().choose(now, stakes, seed)
        return int(mc_card(now, COMPLETIONS, seed, new_desk(now.flat)))


@jit
def mc_card(now: Situation, completions: int, seed: int, desk: Desk) -> int:
    dealt, mind, s, own = now.flat.copy(), desk.minds[0], desk.scratch[0], now.seat
    seats, size = wide(s.seats), wide(s.sizes[own])
    unseen, sums = Deck(now.pool.copy(), np.zeros(len(now.pool), np.int64)), np.zeros(size)
    greedy, params, rng = np.full(MAX_SEATS, GREEDY), np.zeros(1, np.float32), np.zeros(4, np.uint64)
    roll(mind, seed, 0)
    for seat in range(seats):
        dealt[0].points[seat] = 0
    for _ in range(completions):
        deal(dealt[0], own, unseen, mind)
        for choice in range(size):
            desk.scratch[0] = dealt[0]
            s.chosen[own] = s.hands[own, choice]
            play_on(s, greedy, params, rng)
            for seat in range(seats):
                sums[choice] += s.points[seat] if seat == own else -s.points[seat] / (seats - 1)
    return wide(now.flat[0].hands[own, np.argmin(sums)])


# -- practice ----------------------------------------------------------------------------------------------------------
# Rounds of the basic game directly on flat states, without the game protocol, for training and measuring.


class Round:
    """A round being played; it hands out situations and remembers what was played."""

    def __init__(self, seats: int, rng: np.random.Generator) -> None:
        cards = rng.permutation(np.arange(1, HIGHEST + 1))
        self.seats, self.flat = seats, FAST.template(Options(), seats)
        kernels.deal_round(self.flat, cards.astype(np.int8))
        self.unplayed = set(deck(HIGHEST)) - set(self.flat[0]["ends"].tolist())
        self.past: list[Flats] = []
        self.plays: list[list[int]] = []
        self.rows_taken = np.zeros((MAX_SEATS, 2), np.int64)

    def situation(self, seat: int) -> Situation:
        flat, past = self.flat.copy(), np.array(self.past, FAST.state).reshape(-1)
        hand = np.sort(flat[0]["hands"][seat, : flat[0]["sizes"][seat]])
        for table in (flat, past):  # nobody's business
            table["hands"], table["chosen"] = 0, 0
        flat[0]["hands"][seat, : len(hand)] = hand
        set_unplayed(flat, self.unplayed)
        return Situation(
            seat=seat,
            flat=flat,
            pool=np.array(sorted(self.unplayed.difference(hand.tolist())), np.int64),
            past=past,
            past_plays=np.array(self.plays, np.int64).reshape(len(past), self.seats),
            rows_taken=self.rows_taken.copy(),
        )

    def turn(self, players: Sequence[Player], stakes: Stakes, rng: np.random.Generator) -> None:
        cards = [player.choose(self.situation(seat), stakes, _seed(rng)) for seat, player in enumerate(players)]
        set_unplayed(self.flat, self.unplayed)
        self.past.append(self.flat.copy())
        self.plays.append(cards)
        self.unplayed.difference_update(cards)
        for seat, card in enumerate(cards):
            kernels.act_only(self.flat, seat, card)
        while kernels.advance_once(self.flat) or self.flat[0]["phase"] == ROW:
            if self.flat[0]["phase"] == ROW:
                seat = kernels.who_decides(self.flat)
                row = players[seat].choose(self.situation(seat), stakes, _seed(rng))
                worth = self.flat[0]["worth"]
                self.rows_taken[seat, 0 if worth[row - 1] == worth.min() else 1] += 1
                kernels.act_only(self.flat, seat, row)


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(1 << 62))


def play_round(players: Sequence[Player], stakes: Stakes, rng: np.random.Generator) -> list[int]:
    """Everybody's bulls."""
    played = Round(len(players), rng)
    for _ in range(HAND):
        played.turn(players, stakes, rng)
    bulls: list[int] = played.flat[0]["points"][: len(players)].tolist()
    return bulls


def won(points: Sequence[float], seat: int) -> float:
    """What a seat has won of a deal or match: a shared win counts by its share."""
    best = min(points)
    return list(points).count(best) ** -1 if points[seat] == best else 0.0
