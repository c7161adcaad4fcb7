"""Inputs of the value network of Baron Oxx, which predicts who will win from a position with all hands known.

It is evaluated at the start of a turn: who is ahead, how many turns are left, and what each hand can do with the rows.
"""

from __future__ import annotations

import numpy as np

from nimmt.fast.jit import Flat, part, wide
from nimmt.fast.net import Shape, Weights, forecaster
from nimmt.games.baron.deck import HIGHEST
from nimmt.games.baron.kernels import BULLS_ARE_GOOD, COLOUR_COUNTS, cost_of_row, fits, greedy_row
from nimmt.games.baron.sight import look_at_rows
from nimmt.games.baron.types import MAX_DRAW_PILE, MAX_SEATS, ROWS

OUTLOOK = Shape(scene=32, glance=24)

_WORTH = 1 / 12
_MUCH = 1 << 20


@part
def survey(s: Flat, scene: Weights, glances: Weights) -> int:
    """Write the features of the table and of each seat; returns the number of seats."""
    seats = wide(s.seats)
    scene[:] = 0.0
    glances[: OUTLOOK.glance * seats] = 0.0
    left = survey_table(s, scene)
    for seat in range(seats):
        out = glances[OUTLOOK.glance * seat : OUTLOOK.glance * (seat + 1)]
        glance_at_bulls(s, seat, left, out)
        glance_at_hand(s, seat, out)
    return seats


@part
def survey_table(s: Flat, scene: Weights) -> int:
    """The variant, the rows, and the minimum number of turns left."""
    left, order = wide(_MUCH), np.empty(ROWS, np.int64)
    for seat in range(wide(s.seats)):
        left = min(left, wide(s.sizes[seat]) + wide(s.draw_sizes[seat]))
    look_at_rows(s, order, scene)
    scene[0] = 0.1 * s.seats
    scene[1] = left / MAX_DRAW_PILE
    scene[2] = 1 / (1 + left)
    scene[3] = 1.0 if left <= 4 else 0.0
    scene[4] = 1.0 if s.variants & COLOUR_COUNTS else 0.0
    scene[5] = 1.0 if s.variants & BULLS_ARE_GOOD else 0.0
    return left


@part
def glance_at_bulls(s: Flat, seat: int, left: int, out: Weights) -> None:
    """The seat's lead over the best opponent and over all, which matters more the sooner the game ends; and the cards
    it may have to count."""
    sign = -1 if s.variants & BULLS_ARE_GOOD else 1
    best, total, own = wide(_MUCH), wide(0), sign * wide(s.bulls[seat])
    for other in range(wide(s.seats)):
        if other != seat:
            bulls = sign * wide(s.bulls[other])
            best = min(best, bulls)
            total += bulls
    behind, near = float(own - best), 3 / (3 + left)
    out[0] = 0.05 * behind
    out[1] = 0.05 * (own - total / (s.seats - 1))
    out[2] = near * 0.2 * behind
    out[3] = near * 0.2 * (own - total / (s.seats - 1))
    out[4] = 1.0 if behind <= 0 else 0.0
    out[5] = (s.sizes[seat] + s.draw_sizes[seat]) / MAX_DRAW_PILE
    out[6] = 0.25 * (wide(s.sizes[seat]) + wide(s.draw_sizes[seat]) - left)
    out[7] = 0.25 * s.sizes[seat]
    out[8] = 1.0 if s.sizes[seat] == 1 else 0.0


@part
def glance_at_hand(s: Flat, seat: int, out: Weights) -> None:
    """What the cards would bring as the rows stand, at best and all of them."""
    size, least, most, second = wide(s.sizes[seat]), wide(_MUCH), wide(-_MUCH), wide(_MUCH)
    for i in range(size):
        card = wide(s.hands[seat, i])
        row = greedy_row(s, card)
        cost, joins = cost_of_row(s, row, card), fits(s, row, card)
        if not joins and s.variants & BULLS_ARE_GOOD:
            cost = wide(s.card_bulls[card])  # it comes back
        if cost < least:
            least, second = cost, least
        else:
            second = min(second, cost)
        most = max(most, cost)
        out[9] += 0.25 if joins else 0.0
        out[10] += 0.25 * _WORTH * cost
        out[11] += 0.05 * s.card_bulls[card]
        out[12] += 0.25 * card / HIGHEST
        free = wide(0)
        for other in range(ROWS):
            free += fits(s, other, card) and cost_of_row(s, other, card) == 0
        out[13] += 0.1 * free
        out[14] += 0.25 if free >= 2 else 0.0
        out[15] += 0.25 if free == 0 else 0.0
    out[16] = _WORTH * least
    out[17] = _WORTH * most
    out[18] = _WORTH * min(second, wide(12))
    out[19] = out[9] / size
    out[20] = 4 * out[10] / size
    out[21] = 4 * out[15] / size
    out[22] = 1.0 if least > 0 else 0.0


outlook = forecaster(OUTLOOK, MAX_SEATS, survey)
