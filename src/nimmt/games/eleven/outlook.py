"""Inputs of the value network of 11 nimmt!, which predicts who will win from a position with all hands known.

For each hand: how many cards fit a top, how many could be played in one turn, bull cards, and whose turn is next.
"""

from __future__ import annotations

import numpy as np

from nimmt.fast.jit import Flat, Numbers, part, wide
from nimmt.fast.net import Shape, Weights, forecaster
from nimmt.games.eleven.kernels import step_up
from nimmt.games.eleven.sight import BULLS_HELD, FITS, GROUPS, STUCK, TOLD, count_hands
from nimmt.games.eleven.types import HIGHEST, MAX_SEATS, REACH

OUTLOOK = Shape(scene=8, glance=24)


@part
def survey(s: Flat, scene: Weights, glances: Weights) -> int:
    """Write the features of the table and of each seat; returns the number of seats."""
    seats = wide(s.seats)
    glances[: OUTLOOK.glance * seats] = 0.0
    hands, layings = np.zeros((MAX_SEATS, TOLD), np.int64), np.zeros((MAX_SEATS, 2), np.int64)
    count_hands(s, hands)
    count_layings(s, layings)
    fewest, next_fewest, most = survey_table(s, scene)
    for seat in range(seats):
        out = glances[OUTLOOK.glance * seat : OUTLOOK.glance * (seat + 1)]
        size = wide(s.sizes[seat])
        glance_at_size(s, seat, size - (next_fewest if size == fewest else fewest), most, out)
        glance_at_hand(s, seat, hands[seat], layings[seat], out)
    return seats


@part
def count_layings(s: Flat, layings: Numbers) -> None:
    """For each hand, how many cards fit the pile that takes most of them, and the second best."""
    count, seats = np.zeros(MAX_SEATS, np.int64), wide(s.seats)
    for pile in range(wide(s.piles)):
        count[:seats] = 0
        for step in range(1, REACH + 1):
            holder = wide(s.holder[step_up(wide(s.tops[pile]), step)])
            if holder:
                count[holder - 1] += 1
        for seat in range(seats):
            if count[seat] > layings[seat, 0]:
                layings[seat, 1] = layings[seat, 0]
                layings[seat, 0] = count[seat]
            else:
                layings[seat, 1] = max(layings[seat, 1], count[seat])


@part
def survey_table(s: Flat, scene: Weights) -> tuple[int, int, int]:
    """The table itself; the two smallest hands, and the most bull cards of any seat."""
    seats, fewest, next_fewest = wide(s.seats), wide(2 * HIGHEST), wide(2 * HIGHEST)
    cards, most, bull_cards = wide(0), wide(0), wide(0)
    for seat in range(seats):
        size = wide(s.sizes[seat])
        next_fewest = min(next_fewest, max(size, fewest))
        fewest = min(fewest, size)
        cards += size
        most = max(most, wide(s.bull_cards[seat]))
        bull_cards += s.bull_cards[seat]
    scene[0] = seats / 7
    scene[1] = (s.stock - s.drawn) / 60
    scene[2] = 0.1 * s.piles
    scene[3] = 0.1 * s.supply
    scene[4] = 0.1 * fewest
    scene[5] = 0.1 * cards / seats
    scene[6] = most / 3
    scene[7] = bull_cards / (3 * seats)
    return fewest, next_fewest, most


@part
def glance_at_size(s: Flat, seat: int, ahead: int, most: int, out: Weights) -> None:
    """When the seat's turn is, how many cards and bull cards it has, and how many cards more than the best other."""
    size, bull_cards = wide(s.sizes[seat]), wide(s.bull_cards[seat])
    wait = seat - wide(s.turn) if seat >= s.turn else seat - wide(s.turn) + wide(s.seats)
    out[0] = 1.0 if wait == 0 else 0.0
    out[1] = wait / s.seats
    out[2] = 0.1 * size
    out[3] = 1 / (size + 1)
    out[4] = 1.0 if size == 1 else 0.0
    out[5] = 1.0 if size == 2 else 0.0
    out[6] = 1.0 if size <= 4 else 0.0
    out[7] = bull_cards / 3
    out[8] = 1.0 if bull_cards >= 1 else 0.0
    out[9] = 1.0 if bull_cards >= 2 else 0.0
    out[18] = 0.1 * ahead
    out[19] = (bull_cards - most) / 3


@part
def glance_at_hand(s: Flat, seat: int, hand: Numbers, layings: Numbers, out: Weights) -> None:
    """What can be laid, at once or in one turn, and what it takes to get rid of the rest."""
    size, bull_cards, fits = wide(s.sizes[seat]), wide(s.bull_cards[seat]), hand[FITS]
    in_a_turn = min(1, fits)
    if bull_cards == 1:
        in_a_turn = layings[0]
    elif bull_cards > 1:
        in_a_turn = min(layings[0] + layings[1], fits)
    out[10] = 0.1 * fits
    out[11] = fits / (size + 1)
    out[12] = 0.1 * (size - fits)
    out[13] = 0.2 * layings[0]
    out[14] = in_a_turn / (size + 1)
    out[15] = 1.0 if in_a_turn >= size else 0.0
    out[16] = 0.2 * hand[GROUPS]
    out[17] = 0.2 * hand[STUCK]
    out[20] = 0.0 if bull_cards else 0.1 * (size + 2 * (size - fits))
    out[21] = 0.1 * (hand[GROUPS] + 2 * hand[STUCK]) if bull_cards else 0.0
    out[22] = 0.05 * hand[BULLS_HELD]
    out[23] = 1.0 if fits == size else 0.0


outlook = forecaster(OUTLOOK, MAX_SEATS, survey)
