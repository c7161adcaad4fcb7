"""Which card to draft: every card of the pool is tried, the rest of the draft at random, then the round is played."""

from __future__ import annotations

import numpy as np

from nimmt.bots.search.belief import shuffle
from nimmt.bots.search.board import (
    BULLS_ON,
    COW,
    END,
    FANS,
    LENGTH,
    MOUNTAIN_ROW,
    MOUNTAIN_STEP,
    NOWHERE,
    PARITY,
    PARITY_ROW,
    ROWS,
    TOP,
    WORTH,
    lowest_end,
)
from nimmt.bots.search.rollout import insert, play_out, roll
from nimmt.bots.search.think import ROUNDS, give_up, worth
from nimmt.bots.search.types import HAND, HANDS, HIDDEN, LOOK, PLAYS, SCORE, SEATS, STRIDE, TWISTS, Floats, Ints
from nimmt.fast.jit import jit


@jit
def lay_rows(world: Ints, cards: Ints, parity: bool, mountain: bool, cow: bool) -> None:
    """The rows at the beginning of a round, and the fan cards in play."""
    for row in range(ROWS):
        card = cards[row]
        world[END + row], world[LENGTH + row], world[WORTH + row], world[TOP + row] = card, 1, BULLS_ON[card], card
    lowest = lowest_end(world, NOWHERE)
    world[PARITY_ROW], world[PARITY] = (lowest, world[END + lowest] % 2) if parity else (NOWHERE, 0)
    world[MOUNTAIN_ROW], world[MOUNTAIN_STEP] = ROWS - 1 if mountain else NOWHERE, -1
    world[COW] = lowest if cow else NOWHERE
    world[FANS] = 1 if parity or mountain or cow else 0


@jit
def search_draft(
    start: Ints,
    own: int,
    seats: int,
    drafted: Ints,
    pool: Ints,
    fans: Ints,
    totals: Ints,
    limit: int,
    rounds_left: int,
    blend: float,
    factors: Floats,
    slips: Floats,
    any_row: Ints,
    kind: int,
    number: int,
    seed: int,
) -> int:
    """The index in the pool of the best card. `start` has the hands so far, `drafted` says how many cards each has."""
    count, tried, best = len(pool), 0, 0
    plays, order, types = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64), np.full(SEATS, kind)
    looks, weights, dice = np.zeros(PLAYS * LOOK, np.int64), np.zeros(PLAYS), np.zeros(1, np.uint64)
    results, alive, world, cards = np.zeros((count, number)), np.ones(count, np.bool_), start.copy(), pool.copy()
    rows = np.zeros(ROWS, np.int64)
    while tried < number and alive.sum() > 1:
        for choice in range(count):
            if not alive[choice]:
                continue
            roll(dice, seed, tried)
            cards[:] = pool
            shuffle(cards, dice)
            at = 0
            while cards[at] != pool[choice]:
                at += 1
            cards[at], cards[0] = cards[0], cards[at]
            world[:] = start
            used = 1
            insert(world, HANDS + STRIDE * own, drafted[own], cards[0])
            for seat in range(seats):
                for size in range(drafted[seat] + (1 if seat == own else 0), HAND):
                    insert(world, HANDS + STRIDE * seat, size, cards[used])
                    used += 1
            rows[:] = np.sort(cards[used : used + ROWS])
            lay_rows(world, rows, fans[0] > 0, fans[1] > 0, fans[2] > 0)
            for row in range(ROWS):
                world[HIDDEN + (rows[row] >> 6)] &= ~(1 << (rows[row] & 63))
            for seat in range(seats):
                world[SCORE + seat], world[TWISTS + seat] = 0, fans[3]
            play_out(world, HAND, seats, types, factors, slips, any_row, plays, order, looks, weights, dice)
            results[choice, tried] = worth(world, own, seats, totals, limit, rounds_left, blend)
        tried += 1
        if tried * ROUNDS % number < ROUNDS:
            best = give_up(results, tried, alive)
    return best
