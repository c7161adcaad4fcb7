"""Inputs of the policy network of 11 nimmt!: hand sizes, tops, and what a card leaves room for.

Nobody may look up how high a pile is, so the network sees an estimate from the cards that have been face up, in line
with how worlds are sampled (`fast.py`).
"""

from __future__ import annotations

import numpy as np

from nimmt.fast.jit import Flat, Numbers, part, wide
from nimmt.fast.net import Shape, Weights, player
from nimmt.fast.parts import BULLS
from nimmt.games.eleven.kernels import (
    END,
    GIVER,
    LAY,
    MAX_PILES,
    OPEN,
    TAKE,
    card_above,
    distance,
    first_step,
    legal,
    step_up,
)
from nimmt.games.eleven.types import HIGHEST, LARGE_PILE, MAX_SEATS, REACH

NETWORK = Shape(scene=24, glance=29)
FITS, GROUPS, STUCK, BULLS_HELD, TOLD = range(5)
"""The counts of a hand, and how many they are."""
MOST = 64
"""Only the first of a longer list of plays are considered."""


@part
def look(s: Flat, seat: int, actions: Numbers, scene: Weights, glances: Weights) -> int:
    """List the legal actions and write their features; returns the number of actions."""
    count = legal(s, seat, actions) if s.phase == GIVER else list_turn(s, seat, actions)
    if count == 1:
        return count
    scene[:] = 0.0
    glances[: NETWORK.glance * count] = 0.0
    layings = wide(0)
    for option in range(count):
        layings += actions[option] >> 16 == LAY
    look_around(s, seat, layings, scene)
    look_at_hand(s, seat, scene)
    below = np.zeros(MAX_PILES, np.float32)
    if s.phase != GIVER and s.laid == 0:
        guess_below(s, seat, below)
    for option in range(count):
        out = glances[NETWORK.glance * option : NETWORK.glance * (option + 1)]
        kind, pile, card = actions[option] >> 16, (actions[option] >> 8 & 255) - 1, actions[option] & 255
        out[kind] = 1.0
        if kind == LAY:
            glance_at_laying(s, seat, pile, card, out)
        elif kind == TAKE:
            glance_at_taking(s, seat, pile, below[pile], out)
        elif kind == END:
            out[4] = 0.2 * layings
        else:
            out[4], out[5] = 0.1 * s.sizes[card], s.bull_cards[card] / 3
    return count


@part
def list_turn(s: Flat, seat: int, actions: Numbers) -> int:
    """Ending the turn, taking a pile, and as many plays as there is room for."""
    count = wide(0)
    if s.laid:
        actions[0] = END << 16
        count += 1
    else:
        for pile in range(wide(s.piles)):
            actions[count] = TAKE << 16 | (pile + 1) << 8
            count += 1
    for pile in range(wide(s.piles)):
        for step in range(first_step(s, seat, pile), REACH + 1):
            card = card_above(s, pile, step)
            if s.holder[card] == seat + 1 and count < MOST:
                actions[count] = LAY << 16 | (pile + 1) << 8 | card
                count += 1
    return count


@part
def look_around(s: Flat, seat: int, layings: int, scene: Weights) -> None:
    seats, fewest, cards, bull_cards, most = wide(s.seats), wide(HIGHEST), wide(0), wide(0), wide(0)
    for other in range(seats):
        if other != seat:
            fewest = min(fewest, wide(s.sizes[other]))
            cards += s.sizes[other]
            bull_cards += s.bull_cards[other]
            most = max(most, wide(s.bull_cards[other]))
    follower = seat + 1 if seat + 1 < seats else 0
    scene[0] = 1.0 if s.phase == GIVER else 0.0
    scene[1] = 0.1 * s.sizes[seat]
    scene[2] = 0.1 * fewest
    scene[3] = 0.1 * cards / (seats - 1)
    scene[4] = s.bull_cards[seat] / 3
    scene[5] = most / 3
    scene[6] = bull_cards / (3 * (seats - 1))
    scene[7] = seats / 7
    scene[8] = 0.1 * s.piles
    scene[9] = (s.stock - s.drawn) / 60
    scene[10] = s.laid / 3
    scene[11] = 0.1 * s.supply
    scene[12] = 0.1 * s.sizes[follower]
    scene[13] = 0.1 * layings
    scene[14] = 1.0 if layings == 0 else 0.0
    scene[15] = 1.0 if s.sizes[seat] <= 2 else 0.0
    scene[16] = 1.0 if fewest <= 2 else 0.0
    scene[17] = 1.0 if s.bull_cards[seat] else 0.0
    scene[18] = 1.0 if s.bull_cards[seat] > s.laid else 0.0


@part
def look_at_hand(s: Flat, seat: int, scene: Weights) -> None:
    hands = np.zeros((MAX_SEATS, TOLD), np.int64)
    count_hands(s, hands)
    fits, size = hands[seat, FITS], wide(s.sizes[seat])
    scene[19] = 0.1 * fits
    scene[20] = 0.1 * (size - fits)
    scene[21] = 0.2 * hands[seat, GROUPS]
    scene[22] = 0.2 * hands[seat, STUCK]
    scene[23] = 1.0 if fits == size else 0.0


@part
def count_hands(s: Flat, hands: Numbers) -> None:
    """Of each hand: how many cards fit a top, how many groups within ten of each other it has, how many of those begin
    with a card that fits nowhere, and its bulls."""
    is_top, last, from_top = np.zeros(HIGHEST + 1, np.int8), np.full(MAX_SEATS, -HIGHEST), wide(HIGHEST)
    for pile in range(wide(s.piles)):
        is_top[s.tops[pile]] = 1
    for place in range(HIGHEST - REACH, 2 * HIGHEST + 1):  # once round the circle, and before that a run-up
        card = place if place <= HIGHEST else place - HIGHEST
        from_top += 1
        holder = wide(s.holder[card]) - 1
        if holder >= 0:
            if place > HIGHEST:
                fits, begins = from_top <= REACH, place - last[holder] > REACH
                hands[holder, FITS] += fits
                hands[holder, GROUPS] += begins
                hands[holder, STUCK] += begins and not fits
                hands[holder, BULLS_HELD] += BULLS[card]
            last[holder] = place
        if is_top[card]:
            from_top = wide(0)


@part
def guess_below(s: Flat, seat: int, below: Weights) -> None:
    """Estimated pile heights: a card that has been face up is below the next higher top, or in a hand. How many cards
    are in hands is public, and therefore how many are in piles."""
    place_of = np.full(HIGHEST + 1, -1)
    hidden, candidates, nearest = wide(0), wide(0), wide(-1)
    for pile in range(wide(s.piles)):
        place_of[s.tops[pile]] = pile
        hidden += s.heights[pile] - 1
    for place in range(2 * HIGHEST, 0, -1):  # twice round the circle: at first no top may have been met yet
        card = place if place <= HIGHEST else place - HIGHEST
        if place_of[card] >= 0:
            nearest = place_of[card]
        elif place <= HIGHEST and s.seen[card] == OPEN and s.holder[card] != seat + 1:
            below[nearest] += 1
            candidates += 1
    for pile in range(wide(s.piles)):
        below[pile] *= hidden / max(candidates, 1)


@part
def own_above(s: Flat, seat: int, on: int) -> int:
    """How many cards of the hand may be laid on this one."""
    found = wide(0)
    for step in range(1, REACH + 1):
        found += s.holder[step_up(on, step)] == seat + 1
    return found


@part
def piles_below(s: Flat, card: int) -> int:
    """On how many tops this card may be laid."""
    found = wide(0)
    for pile in range(wide(s.piles)):
        steps = distance(wide(s.tops[pile]), card)
        found += 0 < steps <= REACH
    return found


@part
def glance_at_laying(s: Flat, seat: int, pile: int, card: int, out: Weights) -> None:
    top = wide(s.tops[pile])
    base = wide(s.laid_on[pile]) if s.laid_on[pile] else top
    reached = distance(base, card)
    passed, more, nearest = wide(0), wide(0), wide(REACH + 1)
    for step in range(1, REACH + 1):
        other = step_up(base, step)
        if s.holder[other] == seat + 1:
            passed += distance(top, other) <= REACH and step < reached
            if step > reached:
                more += 1
                nearest = min(nearest, step - reached)
    out[6] = 0.1 * distance(top, card)
    out[7] = BULLS[card] / 7
    out[8] = 1.0 if s.laid_on[pile] else 0.0
    out[9] = 0.1 * (REACH - reached)
    out[10] = more / 3
    out[11] = passed / 3
    out[12] = own_above(s, seat, card) / 3
    out[13] = own_above(s, seat, top) / 3
    out[14] = (piles_below(s, card) - 1) / 3
    out[15] = 1.0 if s.sizes[seat] == 1 else 0.0
    out[16] = 0.1 * nearest
    out[17] = 1.0 if reached == 1 else 0.0
    out[18] = 1.0 if s.bull_cards[seat] and more else 0.0


@part
def glance_at_taking(s: Flat, seat: int, pile: int, below: float, out: Weights) -> None:
    top = wide(s.tops[pile])
    out[19] = BULLS[top] / 7
    out[20] = own_above(s, seat, top) / 3
    out[21] = piles_below(s, top) / 3
    out[22] = 1.0 if piles_below(s, top) == 0 else 0.0
    out[23] = pile / max(wide(s.piles) - 1, 1)  # those that were opened first have lain there longest
    nearby = wide(0)
    for step in range(1, REACH + 1):
        nearby += s.holder[step_up(top, HIGHEST - step)] == seat + 1  # down: the rest of the circle up
    out[24] = nearby / 3
    out[25] = 1.0 if s.supply else 0.0
    out[26] = 0.2 * below
    out[27] = min(0.5 * below, 1.0)  # two below the top bring a bull card
    out[28] = 1.0 if below >= LARGE_PILE - 1 else 0.0


learned = player(NETWORK, MOST, look)
