"""Inputs of the policy network of Baron Oxx: the rows, and what a card would do in the row it is likely to join."""

from __future__ import annotations

import numpy as np

from nimmt.fast.jit import Flat, Numbers, part, wide
from nimmt.fast.net import Shape, Weights, player
from nimmt.fast.parts import CHOOSE, ROW, card_of, sort_queue
from nimmt.games.baron.deck import COLOURS, HIGHEST
from nimmt.games.baron.kernels import (
    BULLS_ARE_GOOD,
    COLOUR_BITS,
    COLOUR_COUNTS,
    cost_of_row,
    fits,
    greedy_row,
    legal,
)
from nimmt.games.baron.types import HAND, ROW_LIMIT, ROWS

NETWORK = Shape(scene=32, glance=24)
MOST = max(HAND, ROWS)

_WORTH = 1 / 12
_LEAD = 30


@part
def look(s: Flat, seat: int, actions: Numbers, scene: Weights, glances: Weights) -> int:
    """List the legal actions and write their features; returns the number of actions."""
    count = legal(s, seat, actions)
    if count == 1:
        return count
    scene[:] = 0.0
    glances[: NETWORK.glance * count] = 0.0
    room = np.empty(2 * HAND + ROWS, np.int64)
    targets, costs, order = room[:HAND], room[HAND : 2 * HAND], room[2 * HAND :]
    for i in range(s.sizes[seat]):
        card = wide(s.hands[seat, i])
        targets[i] = greedy_row(s, card)
        costs[i] = cost_of_row(s, targets[i], card)
    look_around(s, seat, scene)
    look_at_rows(s, order, scene)
    look_at_hand(s, seat, targets, costs, scene)
    for option in range(count):
        out = glances[NETWORK.glance * option : NETWORK.glance * (option + 1)]
        if s.phase == CHOOSE:  # then the actions are the hand
            card, row = actions[option], targets[option]
            out[20] = 0.25 * (s.seats - 1) * (card - 1) / HIGHEST
        else:
            card, row = card_of(wide(s.queue[s.placed])), actions[option] - 1
            out[21] = 0.25 * (s.queued - s.placed - 1)
        glance(s, card, row, out)
        look_at_rest(s, seat, card, row, targets, costs, out)
    return count


@part
def look_around(s: Flat, seat: int, scene: Weights) -> None:
    """Progress of the game, the variant, and who is ahead."""
    scene[0] = 0.25 * s.sizes[seat]
    scene[1] = 0.05 * s.draw_sizes[seat]
    scene[2] = 0.1 * s.seats
    scene[3] = 1.0 if s.phase == ROW else 0.0
    scene[4] = 1.0 if s.variants & COLOUR_COUNTS else 0.0
    scene[5] = 1.0 if s.variants & BULLS_ARE_GOOD else 0.0
    sign = -1 if s.variants & BULLS_ARE_GOOD else 1
    best, total = wide(1 << 20), wide(0)
    for other in range(wide(s.seats)):
        if other != seat:
            best = min(best, sign * wide(s.bulls[other]))
            total += sign * wide(s.bulls[other])
    own = sign * wide(s.bulls[seat])
    scene[6] = 2.0 * max(min(own - best, _LEAD), -_LEAD) / _LEAD
    scene[7] = 2.0 * max(min(own - total / (s.seats - 1), float(_LEAD)), -float(_LEAD)) / _LEAD


@part
def look_at_rows(s: Flat, order: Numbers, scene: Weights) -> None:
    """The rows, in descending order of their bulls."""
    for row in range(ROWS):
        order[row] = wide(s.worth[row]) << 3 | row
    sort_queue(order, ROWS)
    for place in range(ROWS):
        row, at = order[ROWS - 1 - place] & 7, 8 + 4 * place
        scene[at] = _WORTH * s.worth[row]
        scene[at + 1] = 0.2 * (ROW_LIMIT - s.lengths[row])
        scene[at + 2] = most_of_a_colour(wide(s.counts[row])) / 6
        scene[at + 3] = colours_shown(s, wide(s.ends[row])) / 6


@part
def look_at_hand(s: Flat, seat: int, targets: Numbers, costs: Numbers, scene: Weights) -> None:
    """How many cards fit a row, and their total cost."""
    for i in range(s.sizes[seat]):
        scene[28] += 0.25 if fits(s, targets[i], s.hands[seat, i]) else 0.0
        scene[29] += 0.25 * _WORTH * costs[i]


@part
def most_of_a_colour(counts: int) -> int:
    most = wide(0)
    for colour in range(len(COLOURS)):
        most = max(most, counts >> COLOUR_BITS * colour & (1 << COLOUR_BITS) - 1)
    return most


@part
def colours_shown(s: Flat, card: int) -> int:
    shown = wide(0)
    for colour in range(len(COLOURS)):
        shown += s.card_colours[card] >> colour & 1
    return shown


@part
def glance(s: Flat, card: int, row: int, out: Weights) -> None:
    """The card, what it does to this row, and its alternatives."""
    cost, joins = cost_of_row(s, row, card), fits(s, row, card)
    takes = not joins or cost != 0
    length, worth, counts = wide(1), wide(s.card_bulls[card]), wide(s.card_counts[card])
    if not takes:
        length, worth, counts = length + s.lengths[row], worth + s.worth[row], counts + s.counts[row]
    most = most_of_a_colour(counts)
    out[0] = 1.0 if joins else 0.0
    out[1] = 1.0 if takes else 0.0
    out[2] = card / HIGHEST
    out[3] = s.card_bulls[card] / 6
    out[4] = colours_shown(s, card) / 6
    out[5] = _WORTH * cost
    out[6] = _WORTH * s.worth[row]
    out[7] = _WORTH * worth
    out[8] = 0.2 * length
    out[9] = 1.0 if length == ROW_LIMIT else 0.0
    out[10] = most / 6
    out[11] = 1.0 if most >= 5 else 0.0
    look_elsewhere(s, card, row, out)


@part
def look_elsewhere(s: Flat, card: int, row: int, out: Weights) -> None:
    """The other rows that the card fits, the cost of the best of them, and the cheapest row to take."""
    second, least = wide(1 << 20), wide(1 << 20)
    for other in range(ROWS):
        least = min(least, wide(s.worth[other]))
        if fits(s, other, card):
            cost = cost_of_row(s, other, card)
            out[12] += 0.2
            out[13] += 0.2 if cost == 0 else 0.0
            if other != row:
                second = min(second, cost)
    out[14] = _WORTH * min(second, wide(12))
    out[15] = _WORTH * least


@part
def look_at_rest(s: Flat, seat: int, card: int, row: int, targets: Numbers, costs: Numbers, out: Weights) -> None:
    """How well the rest of the hand goes with the card, with the row as it is, and without either."""
    for i in range(s.sizes[seat]):
        own = wide(s.hands[seat, i])
        if own != card:
            out[16] += 0.33 if s.card_colours[own] & s.card_colours[card] else 0.0
            out[17] += 0.33 if fits(s, row, own) else 0.0
            out[18] += 0.33 if not fits(s, targets[i], own) else 0.0
            out[19] += 0.33 if own < card else 0.0
            out[22] += 0.33 * _WORTH * costs[i]


learned = player(NETWORK, MOST, look)
