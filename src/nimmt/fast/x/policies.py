"""Simple players of X nimmt! for rollouts and simulations."""

from __future__ import annotations

from nimmt.fast.chance import below
from nimmt.fast.flat import BULLS, CHOOSE, NOWHERE, ROW
from nimmt.fast.jit import Flat, Numbers, Words, part, wide
from nimmt.fast.parts import closest_row
from nimmt.fast.policies import CARELESS, GREEDY, RANDOM, any_card, random_or_greedy
from nimmt.fast.x.state import TAKING
from nimmt.rules.games.x.options import ROWS

POLICIES = {
    "random": RANDOM,  # anything that is legal
    "greedy": GREEDY,  # what costs least at once, as the rows lie; the same as `nimmt.bots.greedy`
    "careless": CARELESS,  # greedy, but random in so many decisions of a hundred as `params` begins with
}


@part
def choose(s: Flat, seat: int, policy: int, params: Numbers, rng: Words) -> int:
    is_greedy = random_or_greedy(policy, params, rng) == GREEDY
    if s.phase == CHOOSE:
        return greedy_card(s, seat) if is_greedy else any_card(s, seat, rng)
    if s.phase == ROW:
        return cheapest_row(s, seat) + 1 if is_greedy else below(rng, wide(ROWS)) + 1
    return greedy_keep(s, seat) if is_greedy else s.taken[below(rng, wide(s.takes))]


@part
def cost_of_keeping(s: Flat, seat: int, card: int) -> int:
    """How much the other cards of a taking cost less if this one is kept: two points for each bull that falls from the
    X row to the X pile, less its own bulls, which do not come into the hand."""
    length = s.x_lengths[seat]
    falls = 2 * s.x_bulls[seat] if length and card <= s.x_rows[seat, length - 1] else 0
    return falls - BULLS[card]


@part
def cost_of_row(s: Flat, seat: int, row: int) -> int:
    """What it costs to take a row, when the best card of it is kept."""
    least, bulls = 1 << 20, 0
    for i in range(s.lengths[row]):
        card = wide(s.rows[row, i])
        least = min(least, cost_of_keeping(s, seat, card))
        bulls += BULLS[card]
    return bulls + least


@part
def cheapest_row(s: Flat, seat: int) -> int:
    cheapest, least = 0, 1 << 20
    for row in range(ROWS):
        cost = cost_of_row(s, seat, row)
        if cost < least:
            cheapest, least = row, cost
    return cheapest


@part
def greedy_keep(s: Flat, seat: int) -> int:
    best, least = 0, 1 << 20
    for i in range(s.takes):
        cost = cost_of_keeping(s, seat, wide(s.taken[i]))
        if cost < least:
            best, least = s.taken[i], cost
    return best


@part
def greedy_card(s: Flat, seat: int) -> int:
    """The lowest cost; of cards that cost the same the one with most bulls should leave the hand; then the lowest."""
    too_low = cost_of_row(s, seat, cheapest_row(s, seat))
    least = wide(1 << 40)
    for i in range(s.sizes[seat]):
        card = wide(s.hands[seat, i])
        row, cost = closest_row(s, card), too_low
        if row != NOWHERE:
            cost = cost_of_row(s, seat, row) if s.lengths[row] + 1 >= TAKING[row] else 0
        least = min(least, (cost << 16) + ((8 - BULLS[card]) << 8) + card)
    return least & 255
