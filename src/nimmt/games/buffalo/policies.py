"""Simple teams of Beat the Buffalo for rollouts and simulations."""

from __future__ import annotations

from math import comb

import numpy as np

from nimmt.fast.chance import below
from nimmt.fast.jit import Flat, Numbers, Words, part, wide
from nimmt.fast.parts import BULLS, CARELESS, CHOOSE, GREEDY, NOWHERE, RANDOM, ROW, any_card, random_or_greedy
from nimmt.games.buffalo.kernel_parts import (
    LIFT,
    PASS,
    SORT,
    STATE,
    SWAP,
    SWAP_CARD,
    TAKE7,
    carry_out,
    cheapest_row,
    kind_possible,
    limit,
    list_uses,
    order_code,
    place_at,
    remove_from_queue,
    target_row,
    team_points,
)
from nimmt.games.buffalo.types import HAND, MAX_SEATS, ROW_LIMIT, ROWS
from nimmt.rules.kit.cards import HIGHEST

WARY = 3
POLICIES = {
    "random": RANDOM,  # anything that is legal; in a window to pass, or any kind of special card, all alike
    "greedy": GREEDY,  # the cheapest card; a special card if it gains four bulls or more in this turn
    "careless": CARELESS,  # greedy, but random in so many decisions of a hundred as `params` begins with
    "wary": WARY,  # reckons with the cards of the others, and with the turns in which a special card may still help
}

_WORTH = 4
"""Bulls that a special card must gain to be spent: later turns offer chances too."""
_MAX_USES = 128


@part
def choose(s: Flat, seat: int, policy: int, params: Numbers, rng: Words) -> int:
    if policy == WARY:
        return wary(s, seat)
    is_greedy = random_or_greedy(policy, params, rng) == GREEDY
    if s.phase in (CHOOSE, SWAP_CARD):
        return greedy_card(s, seat) if is_greedy else random_card(s, seat, rng)
    if s.phase == ROW:
        return greedy_row(s) + 1 if is_greedy else random_row(s, rng) + 1
    return greedy_use(s) if is_greedy else random_use(s, rng)


# -- random ---------------------------------------------------------------------------------------------------


@part
def random_card(s: Flat, seat: int, rng: Words) -> int:
    card = any_card(s, seat, rng)
    while s.phase == SWAP_CARD and card == s.swapped:
        card = any_card(s, seat, rng)
    return card


@part
def random_row(s: Flat, rng: Words) -> int:
    row = below(rng, wide(ROWS))
    while s.stop[row]:
        row = below(rng, wide(ROWS))
    return row


@part
def random_use(s: Flat, rng: Words) -> int:
    kind = below(rng, wide(LIFT + 1))
    while kind != PASS and not kind_possible(s, kind):
        kind = below(rng, wide(LIFT + 1))
    if kind == PASS:
        return PASS
    if kind == SORT:
        return random_order(s, rng)
    actions = np.empty(_MAX_USES, np.int64)
    return actions[below(rng, list_uses(s, kind, actions, wide(0)))]


@part
def random_order(s: Flat, rng: Words) -> int:
    """Any order of the cards to be placed; in version 1 any but the present one."""
    places = np.arange(s.queued)
    present = order_code(s, places)
    code = wide(PASS)
    while code == PASS or (code == present and s.version == 1):
        for last in range(s.queued - 1, 0, -1):
            other = below(rng, wide(last + 1))
            places[last], places[other] = places[other], places[last]
        code = order_code(s, places)
    return code


# -- greedy ---------------------------------------------------------------------------------------------------


@part
def greedy_row(s: Flat) -> int:
    """The open row with the fewest bulls, the first of them."""
    best, least = 0, 1 << 20
    for row in range(ROWS):
        if s.stop[row] == 0 and s.worth[row] < least:
            best, least = row, s.worth[row]
    return best


@part
def greedy_card(s: Flat, seat: int) -> int:
    """The lowest cost as the rows stand, then the lowest card."""
    best, least = 0, 1 << 20
    for i in range(s.sizes[seat]):
        card = wide(s.hands[seat, i])
        if s.phase == SWAP_CARD and card == s.swapped:
            continue
        row, cost = target_row(s, card), 0
        if row == NOWHERE:
            cost = s.worth[cheapest_row(s)] << 8
        elif s.lengths[row] >= limit(s, row):
            cost = s.worth[row] << 8
        if (cost | card) < least:
            best, least = card, cost | card
    return best


@part
def lead_after_turn(s: Flat) -> int:
    """Place all cards of the turn, the team taking cheap rows; the buffalo's bulls less the team's points then."""
    while s.queued:
        card = wide(s.queue[0])
        row = target_row(s, card)
        takes = row == NOWHERE or s.lengths[row] >= limit(s, row)
        place_at(s, cheapest_row(s) if row == NOWHERE else row, card, wide(s.owners[0]), takes)
        remove_from_queue(s, wide(0))
    return s.bulls[1] - team_points(s)


@part
def lead_after_use(s: Flat, scratch: Numbers, action: int) -> int:
    scratch[0] = s
    carry_out(scratch[0], action)
    return lead_after_turn(scratch[0])


@part
def greedy_use(s: Flat) -> int:
    return best_use(s, wide(_WORTH))


@part
def best_use(s: Flat, worth: int) -> int:
    """Try out every use, but not Swap!, which depends on a hand, and of Sort only orders in which one card moves. What
    gains most in this turn is done if it gains so much."""
    scratch, actions = np.empty(1, STATE), np.empty(_MAX_USES, np.int64)
    scratch[0] = s
    best, most = PASS, lead_after_turn(scratch[0]) + worth - 1
    for kind in range(TAKE7, LIFT + 1):
        if kind == SWAP or not kind_possible(s, kind):
            continue
        count = list_moves(s, actions) if kind == SORT else list_uses(s, kind, actions, wide(0))
        for i in range(count):
            lead = lead_after_use(s, scratch, actions[i])
            if lead > most:
                best, most = actions[i], lead
    return best


@part
def list_moves(s: Flat, actions: Numbers) -> int:
    """The orders for Sort in which one card moves to another place."""
    count, places = 0, np.arange(s.queued)
    for source in range(s.queued):
        for target in range(s.queued):
            if source == target:
                continue
            for i in range(s.queued):  # the cards between the two places move up or down by one
                shifted = i + (source <= i < target) - (target < i <= source)
                places[i] = source if i == target else shifted
            actions[count] = order_code(s, places)
            count += 1
    return count


# -- wary -----------------------------------------------------------------------------------------------------


def _between() -> Numbers:
    """By seats, a number and a span: how likely so many of the others' cards, at least, lie in a span of so many
    cards. The buffalo is one of the others."""
    found = np.zeros((MAX_SEATS + 1, ROW_LIMIT + 2, HIGHEST + 1), np.float32)
    for others in range(MAX_SEATS + 1):
        for number in range(ROW_LIMIT + 2):
            for span in range(HIGHEST + 1):
                inside = min(span / 100, 1.0)
                chances = (
                    comb(others, k) * inside**k * (1 - inside) ** (others - k) for k in range(number, others + 1)
                )
                found[others, number, span] = sum(chances)
    return found


BETWEEN = _between()
_SHED = 0.5
"""What it is worth to be rid of a bull: cards that are kept come down when there is no choice."""
_SPARED = 0.5
"""How much of a full row is spared if another card comes before: the buffalo may have to take it."""
_SPAN = 0.02
"""What each card between the row and the own one costs besides."""
_LAST_WORTH, _WORTH_A_TURN = 1.0, 0.8
"""Bulls that a special card must gain to be spent in the last turn, and more for each turn before it."""


@part
def wary(s: Flat, seat: int) -> int:
    if s.phase in (CHOOSE, SWAP_CARD):
        return wary_card(s, seat)
    if s.phase == ROW:
        return greedy_row(s) + 1
    if not worth_a_look(s):
        return wide(PASS)
    return best_use(s, wide(_LAST_WORTH + _WORTH_A_TURN * (HAND - s.turns)))


@part
def worth_a_look(s: Flat) -> bool:
    """When all cards lie open, before the buffalo's card and before a row is taken: looking every time takes long."""
    if s.queued == 0:
        return False
    if s.queued == s.seats + 1 or s.owners[0] < 0:
        return True
    row = target_row(s, wide(s.queue[0]))
    return row == NOWHERE or s.lengths[row] >= limit(s, row)


@part
def wary_card(s: Flat, seat: int) -> int:
    """The lowest cost to be expected, then the first card."""
    best, least = wide(0), 1e9
    for i in range(s.sizes[seat]):
        card = wide(s.hands[seat, i])
        if s.phase == SWAP_CARD and card == s.swapped:
            continue
        cost = expected_cost(s, card) - _SHED * BULLS[card]
        if cost < least:
            best, least = card, cost
    return best


@part
def expected_cost(s: Flat, card: int) -> float:
    """Bulls, if the others play anything: cards between the row and this one come before it."""
    row = target_row(s, card)
    if row == NOWHERE:
        return float(s.worth[cheapest_row(s)])
    room, span = limit(s, row) - s.lengths[row], card - s.ends[row] - 1
    if room <= 0:
        return s.worth[row] * (1.0 - _SPARED * BETWEEN[s.seats, 1, span])
    return (s.worth[row] + room) * BETWEEN[s.seats, room, span] + _SPAN * span
