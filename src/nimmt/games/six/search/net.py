"""Card choice by a small policy network: more accurate than the tables of `policy.py`, but slower.

The inputs are the *scene*, shared by all cards of the hand (rows by ascending ends, cards left, who is ahead), and a
*glance* at each card (where it would go, how many cards are likely to come in between, how likely it is to be the
sixth). `nimmt.fast.net` turns them into probabilities. Basic game only: the inputs do not cover fan cards.
"""

from __future__ import annotations

import math

import numpy as np

from nimmt.fast.jit import Flat, part, wide
from nimmt.fast.net import scorer
from nimmt.fast.parts import BULLS
from nimmt.games.six.search.situation import GLANCE, LOOK, LOOKS, NETWORK, Weights
from nimmt.games.six.search.unplayed import below, bits_set
from nimmt.games.six.types import ROW_LIMIT, ROWS
from nimmt.rules.kit.cards import HIGHEST

FINE, CROWD = 40, 3
"""Crowds (expected cards in between) are binned by fortieths of a card, up to three cards."""


def _poisson() -> Weights:
    """By crowd and room: the probability that exactly this many cards come in between."""
    crowds = np.arange(CROWD * FINE + 1)[:, None] / FINE
    many = np.arange(ROW_LIMIT + 1)
    return np.asarray(np.exp(-crowds) * crowds**many / [math.factorial(n) for n in many], np.float32)


POISSON = _poisson()


@part
def crowd_of(each: float, hidden: int) -> float:
    return min(each * max(hidden, 0), float(CROWD))


@part
def look(s: Flat, seat: int, mind: Flat) -> int:
    """Write the inputs for every card of a sorted hand; returns the number of cards.

    The cards not played yet include it.
    """
    size, seats, hand, scene = wide(s.sizes[seat]), wide(s.seats), s.hands[seat], mind.scene
    low_half = bits_set(s.unplayed[0])
    left = low_half + bits_set(s.unplayed[1])
    each = (seats - 1) / max(left - size, 1)
    order = sort_rows(s)
    scene[0], scene[1], scene[2] = 0.1 * size, 0.1 * seats, 10.0 * each
    least = wide(127)
    for at in range(ROWS):
        row = order[at]
        worth, length = wide(s.worth[row]), wide(s.lengths[row])
        least = min(least, worth)
        scene[3 + 4 * at] = s.ends[row] / HIGHEST
        scene[4 + 4 * at] = length / ROW_LIMIT
        scene[5 + 4 * at] = 1.0 if length == ROW_LIMIT else 0.0
        scene[6 + 4 * at] = 0.1 * worth
    lowest, under = wide(s.ends[order[0]]), wide(0)
    while under < size and hand[under] < lowest:
        under += 1
    scene[19] = 0.1 * least
    scene[20] = crowd_of(each, below(s, low_half, lowest) - under)
    scene[21] = 0.1 * under
    ahead, mean = wide(127), wide(0)
    for other in range(seats):
        if other != seat:
            ahead = min(ahead, wide(s.points[other]))
            mean += s.points[other]
    scene[22] = 0.1 * max(min(s.points[seat] - ahead, 20), -20)
    scene[23] = 0.1 * max(min(s.points[seat] - mean / (seats - 1), 20.0), -20.0)
    glance_all(s, seat, mind, order, least, each, low_half)
    return size


@part
def sort_rows(s: Flat) -> tuple[int, int, int, int]:
    """The rows from the lowest end to the highest."""
    a, b, c, d = wide(0), wide(1), wide(2), wide(3)
    if s.ends[a] > s.ends[b]:
        a, b = b, a
    if s.ends[c] > s.ends[d]:
        c, d = d, c
    if s.ends[a] > s.ends[c]:
        a, c = c, a
    if s.ends[b] > s.ends[d]:
        b, d = d, b
    if s.ends[b] > s.ends[c]:
        b, c = c, b
    return a, b, c, d


@part
def glance_all(
    s: Flat, seat: int, mind: Flat, order: tuple[int, int, int, int], least: int, each: float, low_half: int
) -> None:
    size, hand, glances, looks = wide(s.sizes[seat]), s.hands[seat], mind.glances, mind.looks
    place, between = wide(-1), wide(0)
    for at in range(size):
        card, base = wide(hand[at]), GLANCE * at
        between += 1
        if at == 0:
            between = wide(0)
        while place < ROWS - 1 and s.ends[order[place + 1]] < card:
            place += 1
            between = wide(0)
        looks[LOOK * at + LOOKS] = card
        for i in range(GLANCE):
            glances[base + i] = 0.0
        under = below(s, low_half, card)
        ceiling = wide(s.ends[order[place + 1]]) if place < ROWS - 1 else HIGHEST + 1
        own_above = wide(0)
        while at + 1 + own_above < size and hand[at + 1 + own_above] < ceiling:
            own_above += 1
        glances[base] = card / HIGHEST
        glances[base + 1] = BULLS[card] / 7
        glances[base + 14] = 0.2 * between
        glances[base + 15] = at / max(size - 1, 1)
        glances[base + 16] = 0.1 * (size - 1 - at)
        glances[base + 19] = crowd_of(each, below(s, low_half, ceiling) - under - 1 - own_above)
        glances[base + 20] = 1.0 if at == 0 else 0.0
        glances[base + 21] = 0.2 * own_above
        if place < 0:
            crowd = crowd_of(each, under - between)
            glances[base + 2] = 1.0
            glances[base + 17] = crowd
            glances[base + 18] = 0.1 * least
            glances[base + 23] = POISSON[int(FINE * crowd), 0]
            continue
        row = order[place]
        end, worth = wide(s.ends[row]), wide(s.worth[row])
        room = ROW_LIMIT - wide(s.lengths[row])
        crowd = crowd_of(each, under - below(s, low_half, end + 1) - between)
        exactly = POISSON[int(FINE * crowd), room]
        glances[base + 3 + room] = 1.0
        glances[base + 8] = 0.1 * worth
        glances[base + 9] = 0.1 * worth if room == 0 else 0.0
        glances[base + 10] = crowd
        glances[base + 11] = POISSON[int(FINE * crowd), 0]
        glances[base + 12] = exactly
        glances[base + 13] = 0.1 * exactly * (worth + 1.5 * room)
        glances[base + 22] = (card - end) / HIGHEST


score_by = scorer(NETWORK)


@part
def score(mind: Flat, options: int, kind: Flat) -> float:
    """Write the weight of every play for a type with a network; returns their sum."""
    total: float = score_by(kind.weights, mind.scene, mind.glances, options, mind.room, mind.weights)
    return total
