"""Simple players of 11 nimmt! for rollouts and simulations."""

from __future__ import annotations

from nimmt.fast.chance import below
from nimmt.fast.eleven.state import END, GIVE, GIVER, TAKE
from nimmt.fast.eleven.steps import distance, find_laying, is_giver
from nimmt.fast.flat import BULLS
from nimmt.fast.jit import Flat, Numbers, Words, part, wide
from nimmt.fast.policies import CARELESS, GREEDY, RANDOM, random_or_greedy

POLICIES = {
    "random": RANDOM,  # lay, take or end, whatever is possible alike; then anything of that kind
    "greedy": GREEDY,  # lay while it goes, in small steps; else take a cheap top; the same as `nimmt.bots.greedy`
    "careless": CARELESS,  # greedy, but random in so many decisions of a hundred as `params` begins with
}

_NO_SUCH = 1 << 20


@part
def choose(s: Flat, seat: int, policy: int, params: Numbers, rng: Words) -> int:
    is_greedy = random_or_greedy(policy, params, rng) == GREEDY
    if s.phase == GIVER:
        return GIVE << 16 | choose_giver(s, is_greedy, rng)
    return greedy_turn(s, seat) if is_greedy else random_turn(s, seat, rng)


@part
def choose_giver(s: Flat, is_greedy: bool, rng: Words) -> int:
    """Greedy: who has the fewest cards, the first of them. Random: anybody who may have to give."""
    best, least = 0, wide(_NO_SUCH)
    for seat in range(wide(s.seats)):
        if is_giver(s, seat):
            cost = wide(s.sizes[seat]) if is_greedy else below(rng, wide(1 << 16))
            if cost < least:
                best, least = seat, cost
    return best


@part
def random_turn(s: Flat, seat: int, rng: Words) -> int:
    layings = find_laying(s, seat, wide(_NO_SUCH))
    if layings and below(rng, wide(2)):
        return find_laying(s, seat, below(rng, layings))
    if s.laid:
        return END << 16
    return TAKE << 16 | (below(rng, wide(s.piles)) + 1) << 8


@part
def greedy_turn(s: Flat, seat: int) -> int:
    """Of all layings the smallest step from the top, then the most bulls, the lowest card, the first pile. If there is
    none, end the turn or take the pile whose top has the fewest bulls."""
    layings = find_laying(s, seat, wide(_NO_SUCH))
    best, least = 0, wide(1 << 40)
    for number in range(layings):
        code = find_laying(s, seat, number)
        card, pile = code & 255, (code >> 8) & 255
        step = distance(wide(s.tops[pile - 1]), card)
        cost = ((step << 4 | (8 - BULLS[card])) << 8 | card) << 8 | pile
        if cost < least:
            best, least = code, cost
    if layings:
        return best
    if s.laid:
        return END << 16
    cheapest = 0
    for pile in range(1, s.piles):
        if BULLS[s.tops[pile]] < BULLS[s.tops[cheapest]]:
            cheapest = pile
    return TAKE << 16 | (cheapest + 1) << 8
