"""Simple players of 6 nimmt! for rollouts and simulations, and the loop that lets them play."""

from __future__ import annotations

import numpy as np

from nimmt.fast.chance import below
from nimmt.fast.jit import Flat, Numbers, Words, hot, part
from nimmt.fast.six.state import CHOOSE, DRAFT, NOWHERE, OVER, ROW, TWISTED
from nimmt.fast.six.steps import draft, end_turn, place, reveal, take, target_row
from nimmt.rules.games.six.options import HAND, ROW_LIMIT, ROWS

RANDOM, GREEDY, CHEAPEST, IN_ORDER = range(4)

POLICIES = {
    "random": RANDOM,  # anything that is legal
    "greedy": GREEDY,  # what costs least at once, as the rows lie; the same as `nimmt.bots.greedy`
    "cheapest": CHEAPEST,  # any card, but the row with the fewest bulls
    "in-order": IN_ORDER,  # the last card in hand: with shuffled hands the same as random, and faster
}


@part
def choose(s: Flat, seat: int, policy: int, params: Numbers, rng: Words) -> int:
    if s.phase == CHOOSE:
        return choose_card(s, seat, policy, rng)
    if s.phase == ROW:
        return choose_row(s, policy, rng) + 1
    return middle_card(s) if policy == GREEDY else s.pool[below(rng, s.pooled)]


@hot
def choose_card(s: Flat, seat: int, policy: int, rng: Words) -> int:
    if policy == IN_ORDER:
        return s.hands[seat, s.sizes[seat] - 1]
    if policy == GREEDY:
        return greedy_card(s, seat)
    return random_card(s, seat, rng)


@hot
def choose_row(s: Flat, policy: int, rng: Words) -> int:
    if policy in (GREEDY, CHEAPEST):
        return cheapest_row(s)
    return below(rng, ROWS)


@part
def random_card(s: Flat, seat: int, rng: Words) -> int:
    """Any card, and while the seat has its twist card any card below 100 twisted, all alike."""
    size = s.sizes[seat]
    plays = np.int64(size)
    if s.twists[seat]:
        for i in range(size):
            plays += s.hands[seat, i] < 100
    drawn = below(rng, plays)
    if drawn < size:
        return s.hands[seat, drawn]
    drawn -= size
    place = 0
    while drawn or s.hands[seat, place] >= 100:
        drawn -= s.hands[seat, place] < 100
        place += 1
    return -s.hands[seat, place]


@part
def cheapest_row(s: Flat) -> int:
    cheapest = 0
    for row in range(1, ROWS):
        if s.worth[row] < s.worth[cheapest]:
            cheapest = row
    return cheapest


@part
def greedy_card(s: Flat, seat: int) -> int:
    """The lowest cost; then the twist card is kept for a turn in which it saves something; then the lowest card."""
    too_low = s.worth[cheapest_row(s)]
    best, least = 0, 1 << 20
    for i in range(s.sizes[seat]):
        card = np.int64(s.hands[seat, i])
        cost = (cost_of_value(s, card, too_low) << 8) | card
        if cost < least:
            best, least = card, cost
        if s.twists[seat] and card < 100:
            cost = (cost_of_value(s, np.int64(TWISTED[card]), too_low) << 8) | (1 << 7) | card
            if cost < least:
                best, least = -card, cost
    return best


@part
def cost_of_value(s: Flat, value: int, too_low: int) -> int:
    """The bulls that a card with this value takes if it is placed now."""
    row = target_row(s, value)
    if row == NOWHERE:
        return too_low
    return s.worth[row] if s.lengths[row] + (s.cow == row) >= ROW_LIMIT else 0


@part
def middle_card(s: Flat) -> int:
    """Draft: cards from the middle are neither too low nor the ones that fill the last row."""
    highest = HAND * s.seats + ROWS
    best, least = 0, 1 << 20
    for i in range(s.pooled):
        card = np.int64(s.pool[i])
        distance = (abs(2 * card - highest) << 8) | card
        if distance < least:
            best, least = card, distance
    return best


@hot
def play_on(s: Flat, policies: Numbers, params: Numbers, rng: Words) -> None:
    """What `nimmt.fast.kernels.play_by_steps` does, a whole turn at a time: rounds of this game are wanted by the million."""
    while s.phase == DRAFT:
        draft(s, np.int64(s.drafter), choose(s, np.int64(s.drafter), policies[s.drafter], params, rng))
    while s.phase != OVER:
        if s.phase == CHOOSE:
            for seat in range(s.seats):
                if s.chosen[seat] == 0:
                    s.chosen[seat] = choose_card(s, seat, policies[seat], rng)
            reveal(s)
        for i in range(s.placed, s.queued):
            play = np.int64(s.queue[i])
            if not place(s, play):
                take(s, play, choose_row(s, policies[play & 15], rng))
        s.placed = s.queued
        end_turn(s)
