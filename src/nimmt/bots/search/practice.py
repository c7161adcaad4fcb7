"""Rounds of the basic game straight on the kernels' arrays, for training and for measuring: no protocol in between."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

import numpy as np

from nimmt.bots.search.board import (
    BULLS_ON,
    COW,
    END,
    LENGTH,
    MOUNTAIN_ROW,
    NOWHERE,
    PARITY_ROW,
    ROWS,
    TOP,
    WORTH,
    cheapest,
    join,
    take,
    target,
)
from nimmt.bots.search.types import HAND, HANDS, HIDDEN, SCORE, SEATS, STRIDE, WORLD, Ints, Situation, Stakes
from nimmt.bots.search.yardsticks import COMPLETIONS, greedy_card, mc_card
from nimmt.rules.kit.cards import HIGHEST


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
