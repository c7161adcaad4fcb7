"""Three fixed players to measure others by, as kernels: random, greedy and mc64. Basic game only.

- random: any card, any row.
- greedy: the card with the lowest cost at once as the rows lie, of equals the lowest; takes the cheapest row.
- mc64: 64 random completions of the unseen hands; each own card tried; everybody greedy to the end; the best mean of
  the own bulls minus the mean of the others'. Takes the cheapest row.
"""

from __future__ import annotations

import numpy as np

from nimmt.bots.search.belief import shuffle
from nimmt.bots.search.board import SIZE, WORTH, cheapest, room, target
from nimmt.bots.search.jit import compiled
from nimmt.bots.search.rollout import drop, insert, new_desk, new_world, place_one
from nimmt.bots.search.board import sort_plays
from nimmt.bots.search.types import Desk, Ints, Situation, World

COMPLETIONS = 64


@compiled
def greedy_card(hand: Ints, size: int, board: Ints) -> int:
    best, least = hand[0], 1000
    for at in range(size):
        row = target(board, hand[at])
        cost = board[WORTH + cheapest(board)] if row < 0 else board[WORTH + row] if room(board, row) <= 0 else 0
        if cost < least:
            best, least = hand[at], cost
    return best


@compiled
def _greedy_turns(world: World, size: int, seats: int, seat: int, first: int, desk: Desk) -> None:
    card = first
    while size > 0:
        for other in range(seats):
            if other != seat or card == 0:
                desk.plays[other] = 2 * greedy_card(world.hands[other], size, world.board)
            else:
                desk.plays[other] = 2 * card
        card = 0
        sort_plays(desk.plays, desk.order, seats)
        for other in range(seats):
            drop(world.hands[other], size, desk.plays[other] >> 1)
        for place in range(seats):
            other = desk.order[place]
            place_one(world, other, desk.plays[other], 0, desk.dice)
        size -= 1


@compiled
def mc_card(now: Situation, completions: int, seed: int) -> int:
    desk, world = new_desk(seed), new_world()
    cards, sums = now.pool.copy(), np.zeros(now.size)
    hands = np.zeros_like(world.hands)
    for _ in range(completions):
        shuffle(cards, desk.dice)
        used = 0
        for seat in range(now.seats):
            for at in range(now.size):
                insert(hands[seat], at, now.hand[at] if seat == now.seat else cards[used])
                used += seat != now.seat
        for choice in range(now.size):
            world.board[:SIZE] = now.board
            world.hands[:] = hands
            world.score[:] = 0
            _greedy_turns(world, now.size, now.seats, now.seat, now.hand[choice], desk)
            own = world.score[now.seat]
            sums[choice] += own - (world.score.sum() - own) / (now.seats - 1)
    return now.hand[np.argmin(sums)]
