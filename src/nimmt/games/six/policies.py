"""Simple players of 6 nimmt! for rollouts and simulations, and the loop that lets them play."""

from __future__ import annotations

from nimmt.fast.chance import below
from nimmt.fast.jit import Flat, Numbers, Words, hot, part, wide
from nimmt.fast.parts import CHOOSE, NOWHERE, OVER, ROW, closer, seat_of
from nimmt.games.six.kernels import (
    DRAFT,
    EVEN_ODD,
    MOUNTAIN,
    TWISTED,
    draft,
    end_turn,
    place,
    reveal,
    room,
    take,
    target_with_markers,
)
from nimmt.games.six.types import HAND, ROWS

RANDOM, GREEDY, CHEAPEST, IN_ORDER = range(4)

POLICIES = {
    "random": RANDOM,  # anything that is legal
    "greedy": GREEDY,  # what costs least at once, as the rows stand; the same as `nimmt.bots.simple`
    "cheapest": CHEAPEST,  # any card, but the row with the fewest bulls
    "in-order": IN_ORDER,  # the last card in hand: with shuffled hands the same as random, and faster
}


@part
def choose(s: Flat, seat: int, policy: int, params: Numbers, rng: Words) -> int:
    if s.phase == CHOOSE:
        return choose_card(s, seat, policy, rng)
    if s.phase == ROW:
        return choose_row(s, policy, rng) + 1
    return middle_card(s) if policy == GREEDY else s.pool[below(rng, wide(s.pooled))]


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
    return below(rng, wide(ROWS))


@part
def random_card(s: Flat, seat: int, rng: Words) -> int:
    """Any card, and while the seat has its twist card any card below 100 twisted, all alike."""
    size = s.sizes[seat]
    plays = wide(size)
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
    too_low = wide(s.worth[cheapest_row(s)])
    first = wide(0)
    prices = row_price(s, first), row_price(s, first + 1), row_price(s, first + 2), row_price(s, first + 3)
    least = wide(1 << 20)  # cost, whether twisted, card: all in one number, so that the least is a plain minimum
    for i in range(s.sizes[seat]):
        card = wide(s.hands[seat, i])
        least = min(least, (cost_of_value(s, card, prices, too_low) << 8) | card)
        if s.twists[seat] and card < 100:
            cost = cost_of_value(s, wide(TWISTED[card]), prices, too_low)
            least = min(least, (cost << 8) | (1 << 7) | card)
    return -(least & 127) if least & (1 << 7) else least & 127


@hot
def row_price(s: Flat, row: int) -> int:
    """The end of the row << 8 | what a card pays that goes there: its bulls if it is full."""
    price = s.worth[row] if room(s, row) <= 0 else 0
    return (wide(s.ends[row]) << 8) | price


@hot
def cost_of_value(s: Flat, value: int, prices: tuple[int, int, int, int], too_low: int) -> int:
    """The bulls that a card with this value takes if it is placed now."""
    if s.fans & (EVEN_ODD | MOUNTAIN):
        row = target_with_markers(s, value)
        return too_low if row == NOWHERE else prices[row] & 255
    closest = wide(0)
    for price in prices:
        closest = closer(closest, price, value << 8)
    return closest & 255 if closest else too_low


@part
def middle_card(s: Flat) -> int:
    """Draft: cards from the middle are neither too low nor the ones that fill the last row."""
    highest = HAND * s.seats + ROWS
    least = wide(1 << 20)
    for i in range(s.pooled):
        card = wide(s.pool[i])
        least = min(least, (abs(2 * card - highest) << 8) | card)
    return least & 255


@hot
def play_on(s: Flat, policies: Numbers, params: Numbers, rng: Words) -> None:
    """What `nimmt.fast.kernels.play_by_steps` does, a whole turn at a time: rounds of this game are wanted by the
    million."""
    while s.phase == DRAFT:
        draft(s, wide(s.drafter), choose(s, wide(s.drafter), policies[s.drafter], params, rng))
    while s.phase != OVER:
        if s.phase == CHOOSE:
            for seat in range(wide(s.seats)):
                if s.chosen[seat] == 0:
                    s.chosen[seat] = choose_card(s, seat, policies[seat], rng)
            reveal(s)
        for i in range(s.placed, s.queued):
            play = wide(s.queue[i])
            if not place(s, play):
                take(s, play, choose_row(s, policies[seat_of(play)], rng))
        s.placed = s.queued
        end_turn(s)
