"""Simple players of 6 nimmt! for rollouts and simulations."""

from __future__ import annotations

from nimmt.fast.chance import below
from nimmt.fast.jit import Flat, Numbers, Words, part, jit
from nimmt.fast.six.state import CHOOSE, NOWHERE, ROW, TWISTED
from nimmt.fast.six.steps import target_row
from nimmt.rules.games.six.options import HAND, ROW_LIMIT, ROWS

RANDOM, GREEDY, CHEAPEST, IN_ORDER = range(4)

POLICIES = {
    "random": RANDOM,  # anything that is legal
    "greedy": GREEDY,  # what costs least at once, as the rows lie; like `nimmt.bots.greedy`
    "cheapest": CHEAPEST,  # any card, but the row with the fewest bulls
    "in-order": IN_ORDER,  # the last card in hand: for shuffled hands the same as random, and faster
}


@part
def choose(s: Flat, seat: int, policy: int, params: Numbers, rng: Words) -> int:
    if s.phase == CHOOSE:
        if policy == IN_ORDER:
            return s.hands[seat, s.sizes[seat] - 1]
        return greedy_card(s, seat) if policy == GREEDY else random_card(s, seat, rng)
    if s.phase == ROW:
        return cheapest_row(s) + 1 if policy in (GREEDY, CHEAPEST) else below(rng, ROWS) + 1
    return middle_card(s) if policy == GREEDY else s.pool[below(rng, s.pooled)]


@part
def random_card(s: Flat, seat: int, rng: Words) -> int:
    """Any card, and while the seat has its twist card any card below 100 twisted, all alike."""
    size = s.sizes[seat]
    if not s.twists[seat]:
        return s.hands[seat, below(rng, size)]
    plays = size
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
def cost_of_value(s: Flat, value: int) -> int:
    """The bulls that a card with this value takes if it is placed now."""
    row = target_row(s, value)
    if row == NOWHERE:
        return s.worth[cheapest_row(s)]
    return s.worth[row] if s.lengths[row] + (s.cow == row) >= ROW_LIMIT else 0


@part
def greedy_card(s: Flat, seat: int) -> int:
    """The lowest cost; then rather without the twist card, kept for a turn in which it saves something; then the lowest card."""
    best, least = 0, 1 << 20
    for i in range(s.sizes[seat]):
        card = s.hands[seat, i]
        cost = (cost_of_value(s, card) << 8) | card
        if cost < least:
            best, least = card, cost
        if s.twists[seat] and card < 100:
            cost = (cost_of_value(s, TWISTED[card]) << 8) | (1 << 7) | card
            if cost < least:
                best, least = -card, cost
    return best


@part
def middle_card(s: Flat) -> int:
    """Draft: cards from the middle are neither too low nor the ones that fill the last row."""
    highest = HAND * s.seats + ROWS
    best, least = 0, 1 << 20
    for i in range(s.pooled):
        distance = (abs(2 * s.pool[i] - highest) << 8) | s.pool[i]
        if distance < least:
            best, least = s.pool[i], distance
    return best
