"""Three fixed players to measure others by, as kernels: random, greedy and mc64. Basic game only.

- random: any card, any row.
- greedy: the card with the lowest cost at once as the rows lie, of equals the lowest; takes the cheapest row.
- mc64: 64 random completions of the unseen hands; each own card tried; everybody greedy to the end; the best mean of
  the own bulls minus the mean of the others'. Takes the cheapest row.
"""

from __future__ import annotations

import numpy as np

from nimmt.bots.search.belief import deal
from nimmt.bots.search.board import WORTH, cheapest, room, sort_plays, target
from nimmt.bots.search.rollout import drop, place_one, roll
from nimmt.bots.search.types import HANDS, SCORE, SEATS, STRIDE, Bits, Ints
from nimmt.fast.jit import jit, part

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
