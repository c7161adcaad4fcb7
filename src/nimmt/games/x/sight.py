"""Inputs of the policy network of X nimmt!: the rows, the seat's own X row, and where a card would go."""

from __future__ import annotations

import math

from nimmt.fast.jit import Flat, Numbers, part, wide
from nimmt.fast.net import Shape, Weights, player
from nimmt.fast.parts import BULLS, CHOOSE, NOWHERE, ROW, card_of, closest_row, glance_in_hand
from nimmt.games.x.kernels import KEEP, MAX_CARDS, TAKING, cheapest_row, cost_of_row, legal
from nimmt.games.x.types import HIGHEST, ROWS

NETWORK = Shape(scene=32, glance=32)
MOST = MAX_CARDS

_A_CARD = 1.7
"""Average bulls on an unseen card."""


@part
def look(s: Flat, seat: int, actions: Numbers, scene: Weights, glances: Weights) -> int:
    """List the legal actions and write their features; returns the number of actions."""
    count = legal(s, seat, actions)
    if count == 1:
        return count
    scene[:] = 0.0
    glances[: NETWORK.glance * count] = 0.0
    look_around(s, seat, scene)
    look_at_rows(s, seat, scene)
    for option in range(count):
        out = glances[NETWORK.glance * option : NETWORK.glance * (option + 1)]
        if s.phase == CHOOSE:
            glance_at_card(s, seat, actions[option], out)
        elif s.phase == ROW:
            glance_at_row(s, seat, actions[option] - 1, out)
        else:
            glance_at_keeping(s, seat, actions[option], out)
    return count


@part
def clipped(number: float) -> float:
    return max(min(number, 2.0), -2.0)


@part
def look_around(s: Flat, seat: int, scene: Weights) -> None:
    """Progress of the round, the seat's own X row, and who is ahead as far as can be known."""
    seats, hand, shortest, others, best = wide(s.seats), wide(0), wide(MAX_CARDS), 0.0, 1000.0
    for i in range(s.sizes[seat]):
        hand += BULLS[s.hands[seat, i]]
    for other in range(seats):
        if other != seat:
            points = 2 * s.pile_bulls[other] + _A_CARD * s.sizes[other]
            shortest = min(shortest, wide(s.sizes[other]))
            others += points
            best = min(best, points)
    own = float(hand + 2 * s.pile_bulls[seat])
    scene[0] = 1.0 if s.phase == CHOOSE else 0.0
    scene[1] = 1.0 if s.phase == ROW else 0.0
    scene[2] = 1.0 if s.phase == KEEP else 0.0
    scene[3] = 0.1 * s.sizes[seat]
    scene[4] = 0.1 * shortest
    scene[5] = 1.0 if shortest == 1 else 0.0
    scene[6] = 0.25 * seats
    scene[7] = 0.05 * hand
    scene[8] = clipped(0.1 * s.x_bulls[seat])
    length = wide(s.x_lengths[seat])
    scene[9] = s.x_rows[seat, length - 1] / HIGHEST if length else 0.0
    scene[10] = 0.2 * length
    scene[11] = clipped(0.1 * (own - best))
    scene[12] = clipped(0.1 * (own - others / (seats - 1)))
    scene[13] = 1.0 if s.sizes[seat] == 1 else 0.0


@part
def look_at_rows(s: Flat, seat: int, scene: Weights) -> None:
    lowest = wide(HIGHEST)
    for row in range(ROWS):
        at, bulls = 14 + 5 * row, wide(0)
        for i in range(s.lengths[row]):
            bulls += BULLS[s.rows[row, i]]
        room = TAKING[row] - 1 - s.lengths[row]
        lowest = min(lowest, wide(s.ends[row]))
        scene[at] = s.ends[row] / HIGHEST
        scene[at + 1] = 0.25 * room
        scene[at + 2] = 1.0 if room == 0 else 0.0
        scene[at + 3] = 0.1 * bulls
        scene[at + 4] = clipped(0.1 * cost_of_row(s, seat, row))
    scene[29] = clipped(0.1 * cost_of_row(s, seat, cheapest_row(s, seat)))
    scene[30] = lowest / HIGHEST


@part
def crowd(s: Flat, strange: int) -> float:
    """The expected number of opponents' cards in a gap with this many unseen cards."""
    return float((s.seats - 1) * max(strange, 0) / HIGHEST)


@part
def glance_at_card(s: Flat, seat: int, card: int, out: Weights) -> None:
    row = closest_row(s, card)
    end = wide(s.ends[row]) if row != NOWHERE else wide(0)
    ceiling = wide(HIGHEST + 1)
    for other in range(ROWS):
        if s.ends[other] > card:
            ceiling = min(ceiling, wide(s.ends[other]))
    between, above = glance_in_hand(s, seat, card, (end, ceiling), HIGHEST, out)
    out[5] = crowd(s, ceiling - card - 1 - above)
    waiting = crowd(s, card - end - 1 - between)
    out[6] = waiting
    out[7] = math.exp(-waiting)
    if row == NOWHERE:
        out[8] = 1.0
        out[9] = clipped(0.1 * cost_of_row(s, seat, cheapest_row(s, seat)))
        return
    room = TAKING[row] - 1 - wide(s.lengths[row])
    cost = 0.1 * cost_of_row(s, seat, row)
    exactly = math.exp(-waiting)
    for i in range(room):
        exactly *= waiting / (i + 1)
    out[10 + row] = 1.0
    out[13 + min(room, 3)] = 1.0
    out[17] = clipped(cost)
    out[18] = clipped(cost) if room == 0 else 0.0
    out[19] = exactly
    out[20] = clipped(exactly * (cost + 0.1 * _A_CARD * room))
    out[21] = (card - end) / HIGHEST
    out[22] = 0.25 * s.lengths[row]


@part
def glance_at_row(s: Flat, seat: int, row: int, out: Weights) -> None:
    """The row to take, and the card that starts it again."""
    card = card_of(wide(s.queue[s.placed]))
    out[0] = card / HIGHEST
    out[10 + row] = 1.0
    out[22] = 0.25 * s.lengths[row]
    out[23] = clipped(0.1 * cost_of_row(s, seat, row))
    out[24] = s.ends[row] / HIGHEST


@part
def glance_at_keeping(s: Flat, seat: int, card: int, out: Weights) -> None:
    """What falls from the X row, what comes into the hand, and how far the X row can still climb."""
    length, rest = wide(s.x_lengths[seat]), wide(0)
    for i in range(s.takes):
        rest += BULLS[s.taken[i]]
    falls = length > 0 and card < s.x_rows[seat, length - 1]
    out[0] = card / HIGHEST
    out[1] = BULLS[card] / 7
    out[25] = 1.0 if falls else 0.0
    out[26] = clipped(0.2 * s.x_bulls[seat]) if falls else 0.0
    out[27] = 0.1 * (rest - BULLS[card])
    out[28] = 0.25 * (s.takes - 1)
    out[29] = 0.1 * BULLS[card] if falls else 0.1 * (BULLS[card] + s.x_bulls[seat])
    out[30] = (card - s.x_rows[seat, length - 1]) / HIGHEST if length else 0.0


learned = player(NETWORK, MOST, look)
