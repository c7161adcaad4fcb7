"""Simple players of Baron Oxx for rollouts and simulations."""

from __future__ import annotations

from nimmt.fast.baron.state import BULLS_ARE_GOOD, COLOUR_COUNTS, CROWDED, SIX_BULLS
from nimmt.fast.baron.steps import fits
from nimmt.fast.chance import below
from nimmt.fast.flat import CHOOSE
from nimmt.fast.jit import Flat, Numbers, Words, part, wide
from nimmt.fast.parts import card_of
from nimmt.fast.policies import CARELESS, GREEDY, RANDOM, any_card, random_or_greedy
from nimmt.rules.games.baron.options import ROW_LIMIT, ROWS

POLICIES = {
    "random": RANDOM,  # anything that is legal
    "greedy": GREEDY,  # as few bulls as possible at once, or as many where they are good; like `nimmt.bots.greedy`
    "careless": CARELESS,  # greedy, but random in so many decisions of a hundred as `params` begins with
}

_MUCH = 1 << 20


@part
def choose(s: Flat, seat: int, policy: int, params: Numbers, rng: Words) -> int:
    is_greedy = random_or_greedy(policy, params, rng) == GREEDY
    if s.phase == CHOOSE:
        return greedy_card(s, seat) if is_greedy else any_card(s, seat, rng)
    card = card_of(wide(s.queue[s.placed]))
    return greedy_row(s, card) + 1 if is_greedy else random_row(s, card, rng) + 1


@part
def random_row(s: Flat, card: int, rng: Words) -> int:
    fitting = 0
    for row in range(ROWS):
        fitting += fits(s, row, card)
    if fitting == 0:
        return below(rng, wide(ROWS))
    drawn = below(rng, wide(fitting))
    row = 0
    while drawn or not fits(s, row, card):
        drawn -= fits(s, row, card)
        row += 1
    return row


@part
def cost_of_row(s: Flat, row: int, card: int) -> int:
    """The bulls that the card takes with this row; where they are good, less than nothing."""
    if fits(s, row, card):
        is_full = s.lengths[row] >= ROW_LIMIT and not s.variants & COLOUR_COUNTS
        if not is_full and not (s.counts[row] + s.card_counts[card] + SIX_BULLS) & CROWDED:
            return 0
    return -wide(s.worth[row]) if s.variants & BULLS_ARE_GOOD else wide(s.worth[row])


@part
def greedy_row(s: Flat, card: int) -> int:
    """Of the rows that the card fits, or of all if it fits none, the first with the lowest cost."""
    best, least, some_fit = 0, _MUCH, False
    for row in range(ROWS):
        if fits(s, row, card) and not some_fit:
            some_fit, least = True, _MUCH  # forget rows that it does not fit
        cost = cost_of_row(s, row, card)
        if cost < least and fits(s, row, card) == some_fit:
            best, least = row, cost
    return best


@part
def greedy_card(s: Flat, seat: int) -> int:
    """The lowest cost, then the lowest card."""
    best, least = 0, _MUCH
    for i in range(s.sizes[seat]):
        card = wide(s.hands[seat, i])
        row = greedy_row(s, card)
        # A card that comes back under the draw pile is worse than one laid for nothing.
        comes_back = s.variants & BULLS_ARE_GOOD and not fits(s, row, card)
        cost = (wide(s.card_bulls[card]) if comes_back else cost_of_row(s, row, card)) * 256 + card
        if cost < least:
            best, least = card, cost
    return best
