"""Players on the kernels' own arrays, for training and for measuring."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np

from nimmt.fast.jit import jit, part
from nimmt.games.six.search.belief import deal
from nimmt.games.six.search.board import (
    BULLS_ON,
    COW,
    END,
    HAND,
    HANDS,
    HIDDEN,
    LENGTH,
    MOUNTAIN_ROW,
    NOWHERE,
    PARITY_ROW,
    ROWS,
    SCORE,
    SEATS,
    STRIDE,
    TOP,
    WORLD,
    WORTH,
    Bits,
    Effort,
    Floats,
    Ints,
    Kinds,
    Situation,
    Stakes,
    cheapest,
    join,
    room,
    sort_plays,
    take,
    target,
)
from nimmt.games.six.search.policy import COST, COSTS, FACTORS, RANK, TWIST, drop, place_one, roll
from nimmt.games.six.search.think import ALL_ROWS, think
from nimmt.rules.kit.cards import HIGHEST

# -- players -----------------------------------------------------------------------------------------------------------
# The types of players that the Master reckons with, and a player that searches, for training and for measuring.

WEIGHTS = Path(__file__).with_name("six.npz")
SPECIALISTS = ("mc64", "master")
"""Types with fitted tables, in the weights file under these names."""
PRIOR = {"random": 0.15, "greedy": 0.1, "careless": 0.15, "mc64": 0.2, "master": 0.4}
CARELESS = {"careless": 1.0}
_SLIPS = {"random": 1.0, "greedy": 0.02, "careless": 0.03, "mc64": 0.02, "master": 0.02}


def greedy_factors(care: float, lowest_first: float) -> Floats:
    """A factor for every bull that a card costs at once, and one for every rank: the lowest of equals goes first."""
    factors = np.ones(FACTORS)
    factors[COST : COST + COSTS] = np.exp(-care * np.minimum(np.arange(COSTS), 12))
    factors[RANK : RANK + 100] = np.tile(np.exp(-lowest_first * np.arange(10)), 10)
    factors[TWIST + 1] = 0.1
    return factors


@cache
def fitted() -> dict[str, Floats]:
    """The fitted tables; they are written down as logarithms."""
    with np.load(WEIGHTS) as file:
        return {name: np.exp(file[name].astype(np.float64)) for name in file.files}


def make_kinds(tables: dict[str, Floats], prior: dict[str, float], own: str) -> Kinds:
    """The types named in `prior`; the thinking seat goes on by the type `own`."""
    every = {"random": np.ones(FACTORS), "greedy": greedy_factors(45.0, 4.0), "careless": greedy_factors(0.6, 0.0)}
    every |= tables
    names = list(prior)
    shares = np.array([prior[name] for name in names])
    return Kinds(
        factors=np.array([every[name] for name in names]),
        slips=np.array([_SLIPS[name] for name in names]),
        any_row=np.array([name == "random" for name in names], np.int64),
        prior=shares / shares.sum(),
        own=names.index(own),
    )


def own_plays(now: Situation) -> Ints:
    base = HANDS + STRIDE * now.seat
    return 2 * now.world[base : base + now.size]


class SearchingPlayer:
    """Plays by search in the basic game."""

    def __init__(self, kinds: Kinds, effort: Effort, blend: float | None = None) -> None:
        self.kinds, self.effort, self.blend = kinds, effort, blend

    def card(self, now: Situation, stakes: Stakes, seed: int) -> int:
        plays = own_plays(now)
        return int(plays[0] if now.size == 1 else self._think(now, stakes, plays, seed)) >> 1

    def row(self, now: Situation, stakes: Stakes, seed: int) -> int:
        return self._think(now, stakes, ALL_ROWS, seed)

    def _think(self, now: Situation, stakes: Stakes, choices: Ints, seed: int) -> int:
        if self.blend is not None:
            stakes = stakes._replace(blend=self.blend)
        return think(now, stakes, self.kinds, self.effort, choices, seed)[0]


# -- yardsticks --------------------------------------------------------------------------------------------------------
# Three fixed players to measure others by, as kernels: random, greedy and mc64. Basic game only.
#
# - random: any card, any row.
# - greedy: the card with the lowest cost at once as the rows lie, of equals the lowest; takes the cheapest row.
# - mc64: 64 random completions of the unseen hands; each own card tried; everybody greedy to the end; the best mean of
#   the own bulls minus the mean of the others'. Takes the cheapest row.

COMPLETIONS = 64


@jit
def greedy_card(world: Ints, base: int, size: int) -> int:
    best, least = world[base], 1000
    for at in range(base, base + size):
        row = target(world, world[at])
        cost = world[WORTH + cheapest(world)] if row < 0 else world[WORTH + row] if room(world, row) <= 0 else 0
        if cost < least:
            best, least = world[at], cost
    return int(best)


@part
def greedy_turns(
    world: Ints, size: int, seats: int, own: int, first: int, plays: Ints, order: Ints, dice: Bits
) -> None:
    """To the end: everybody greedy, but the own seat begins with the card given."""
    card = first
    while size > 0:
        for seat in range(seats):
            plays[seat] = 2 * greedy_card(world, HANDS + STRIDE * seat, size)
        if card:
            plays[own] = 2 * card
        card = 0
        sort_plays(plays, order, seats)
        for seat in range(seats):
            drop(world, HANDS + STRIDE * seat, size, plays[seat] >> 1)
        for place in range(seats):
            place_one(world, order[place], plays[order[place]], 0, dice)
        size -= 1


@jit
def mc_card(start: Ints, own: int, seats: int, size: int, pool: Ints, completions: int, seed: int) -> int:
    dealt, world = start.copy(), start.copy()
    cards, owner, sums = pool.copy(), np.zeros(len(pool), np.int64), np.zeros(size)
    plays, order, dice = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64), np.zeros(1, np.uint64)
    roll(dice, seed, 0)
    for _ in range(completions):
        deal(dealt, own, seats, size, cards, owner, dice)
        for choice in range(size):
            world[:] = dealt
            for seat in range(seats):
                world[SCORE + seat] = 0
            greedy_turns(world, size, seats, own, dealt[HANDS + STRIDE * own + choice], plays, order, dice)
            for seat in range(seats):
                sums[choice] += world[SCORE + seat] if seat == own else -world[SCORE + seat] / (seats - 1)
    return int(start[HANDS + STRIDE * own + np.argmin(sums)])


# -- practice ----------------------------------------------------------------------------------------------------------
# Rounds of the basic game straight on the kernels' arrays, for training and for measuring: no protocol in between.


class Player(Protocol):
    def card(self, now: Situation, stakes: Stakes, seed: int) -> int: ...

    def row(self, now: Situation, stakes: Stakes, seed: int) -> int: ...


def new_world(cards: Sequence[int]) -> Ints:
    """A table with one card in each row and nothing else."""
    world = np.zeros(WORLD, np.int64)
    world[END : END + ROWS] = world[TOP : TOP + ROWS] = cards
    world[LENGTH : LENGTH + ROWS] = 1
    world[WORTH : WORTH + ROWS] = BULLS_ON[list(cards)]
    world[[PARITY_ROW, MOUNTAIN_ROW, COW]] = NOWHERE
    return world


def hide(world: Ints, cards: Iterable[int]) -> None:
    """These are the cards that have not been played."""
    world[HIDDEN : HIDDEN + 2] = 0
    for card in cards:
        world[HIDDEN + (card >> 6)] |= np.int64(np.uint64(1) << np.uint64(card & 63))


def give(world: Ints, seat: int, hand: Sequence[int]) -> None:
    base = HANDS + STRIDE * seat
    world[base : base + len(hand)] = hand


def note_row(rows_taken: Ints, world: Ints, seat: int, row: int) -> None:
    """Before the row is taken: is it a cheapest one?"""
    is_cheapest = world[WORTH + row] == world[WORTH + cheapest(world)]
    rows_taken[seat, 0 if is_cheapest else 1] += 1


class Round:
    """A round being played; it hands out situations and remembers what was played."""

    def __init__(self, seats: int, rng: np.random.Generator) -> None:
        deck = rng.permutation(np.arange(1, HIGHEST + 1))
        self.seats = seats
        self.hands = [sorted(deck[HAND * seat : HAND * (seat + 1)].tolist()) for seat in range(seats)]
        starts = deck[HAND * seats : HAND * seats + ROWS].tolist()
        self.world = new_world(starts)
        self.unplayed = set(range(1, HIGHEST + 1)) - set(starts)
        self.past: list[Ints] = []
        self.plays: list[list[int]] = []
        self.rows_taken = np.zeros((SEATS, 2), np.int64)
        hide(self.world, self.unplayed)

    def situation(self, seat: int, queue: Sequence[tuple[int, int]] = ()) -> Situation:
        hand, turns, world = self.hands[seat], len(self.plays), self.world.copy()
        give(world, seat, hand)
        return Situation(
            seat=seat,
            seats=self.seats,
            size=len(hand),
            world=world,
            pool=np.array(sorted(self.unplayed - set(hand)), np.int64),
            queue=np.array([seat for _, seat in queue], np.int64),
            queued=np.array([2 * card for card, _ in queue], np.int64),
            past=np.array(self.past, np.int64).reshape(turns, WORLD),
            past_plays=np.array(self.plays, np.int64).reshape(turns, self.seats),
            rows_taken=self.rows_taken.copy(),
        )

    def turn(self, players: Sequence[Player], stakes: Stakes, rng: np.random.Generator) -> None:
        cards = [player.card(self.situation(seat), stakes, _seed(rng)) for seat, player in enumerate(players)]
        self.past.append(self.world.copy())
        self.plays.append([2 * card for card in cards])
        for seat, card in enumerate(cards):
            self.hands[seat].remove(card)
            self.unplayed.remove(card)
        hide(self.world, self.unplayed)
        queue = sorted((card, seat) for seat, card in enumerate(cards))
        for place, (card, seat) in enumerate(queue):
            row = target(self.world, card)
            if row >= 0:
                self.world[SCORE + seat] += join(self.world, row, card)
            else:
                row = players[seat].row(self.situation(seat, queue[place:]), stakes, _seed(rng))
                note_row(self.rows_taken, self.world, seat, row)
                self.world[SCORE + seat] += take(self.world, row, card)


def _seed(rng: np.random.Generator) -> int:
    return int(rng.integers(1 << 62))


def play_round(players: Sequence[Player], stakes: Stakes, rng: np.random.Generator) -> list[int]:
    """Everybody's bulls."""
    played = Round(len(players), rng)
    for _ in range(HAND):
        played.turn(players, stakes, rng)
    return [int(bulls) for bulls in played.world[SCORE : SCORE + len(players)]]


# -- the yardsticks --------------------------------------------------------------------------------------------------


class RandomPlayer:
    def card(self, now: Situation, stakes: Stakes, seed: int) -> int:
        del stakes
        return int(now.world[HANDS + STRIDE * now.seat + seed % now.size])

    def row(self, now: Situation, stakes: Stakes, seed: int) -> int:
        del now, stakes
        return seed % ROWS


class GreedyPlayer:
    def card(self, now: Situation, stakes: Stakes, seed: int) -> int:
        del stakes, seed
        return int(greedy_card(now.world, HANDS + STRIDE * now.seat, now.size))

    def row(self, now: Situation, stakes: Stakes, seed: int) -> int:
        del stakes, seed
        return int(cheapest(now.world))


class MonteCarloPlayer(GreedyPlayer):
    def card(self, now: Situation, stakes: Stakes, seed: int) -> int:
        del stakes
        return int(mc_card(now.world, now.seat, now.seats, now.size, now.pool, COMPLETIONS, seed))
