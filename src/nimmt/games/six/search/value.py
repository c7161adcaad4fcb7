"""What a position is worth when all hands are known: a small network in place of playing the round to its end.

A search that looks a turn or two ahead and then asks this network learns more from an imagined world than one that
plays the world to its end: most of what comes later is luck that hides what the card has done.

Every seat's hand is looked at as in `net.py`, but with the cards that are really in hands: a row is as crowded as it
will be. A layer for each card, summed up over the hand, says what the hand is like; another layer puts it beside the
hands of the others, and says how many bulls the seat is going to take and how likely it is to have the fewest.
"""

from __future__ import annotations

import math

import numpy as np

from nimmt.fast.jit import Flat, Flats, part, wide
from nimmt.fast.net import first_layers
from nimmt.games.six.search import net
from nimmt.games.six.search.situation import CARD, GLANCE, NETWORK, SCENE, SEAT, Ints, Weights
from nimmt.games.six.types import HAND

TYPES = 10
"""Types of players that can be told apart."""
POOL = 0.1
"""What a card adds to the sum over its hand."""

PARTS: dict[str, tuple[int, ...]] = {
    "scene": (SCENE, CARD),
    "card": (CARD,),
    "glance": (GLANCE, CARD),
    "own": (CARD, SEAT),
    "others": (CARD, SEAT),
    "table": (SCENE, SEAT),
    "type": (TYPES, SEAT),
    "bulls": (SEAT,),
    "bulls_bias": (HAND + 1,),
    "luck": (SEAT,),
    "lead": (HAND + 1,),
}
"""The weights, in the order in which they are kept; they begin as those of the networks that play do, so that a card is
looked at by the same code. `lead` is what a bull less is worth, by the cards in a hand."""
SIZES = [math.prod(shape) for shape in PARTS.values()]
STARTS: dict[str, int] = dict(zip(PARTS, np.cumsum([0, *SIZES[:-1]]).tolist(), strict=True))
WEIGHTS = sum(SIZES)

_, _, _, _OWN, _OTHERS, _TABLE, _TYPE, _BULLS, _BULLS_BIAS, _LUCK, _LEAD = STARTS.values()

take_in, first_layer = first_layers(NETWORK)


@part
def know_hands(s: Flat) -> None:
    """From now on only cards in hands count as not played yet."""
    s.unplayed[0] = s.unplayed[1] = np.uint64(0)
    for seat in range(wide(s.seats)):
        for at in range(wide(s.sizes[seat])):
            card = wide(s.hands[seat, at])
            s.unplayed[card >> 6] |= np.uint64(1) << np.uint64(card & 63)


@part
def take_in_table(weights: Weights, scene: Weights, kind: int, inner: Weights) -> None:
    for cell in range(SEAT):
        total = weights[_TYPE + SEAT * kind + cell]
        for i in range(SCENE):
            total += scene[i] * weights[_TABLE + SEAT * i + cell]
        inner[cell] = total


@part
def compare(weights: Weights, own: Weights, others: Weights, inner: Weights) -> None:
    for cell in range(SEAT):
        total = inner[cell]
        for i in range(CARD):
            total += own[i] * weights[_OWN + SEAT * i + cell]
        for i in range(CARD):
            total += others[i] * weights[_OTHERS + SEAT * i + cell]
        inner[cell] = max(total, np.float32(0.0))


@part
def look_at_hand(s: Flat, seat: int, kind: int, weights: Weights, mind: Flat, leaf: Flat) -> None:
    pooled = leaf.pooled[seat]
    size = net.look(s, seat, mind)
    take_in(weights, mind.scene, leaf.base)
    pooled[:] = np.float32(0.0)
    for option in range(size):
        first_layer(weights, mind.glances, option, leaf.base, leaf.card)
        for cell in range(CARD):
            pooled[cell] += leaf.card[cell]
    take_in_table(weights, mind.scene, kind, leaf.inner[seat])
    for cell in range(CARD):
        pooled[cell] *= np.float32(POOL)
        leaf.all[cell] += pooled[cell]


@part
def foretell(s: Flat, types: Ints, kinds: Flats, weights: Weights, mind: Flat, leaf: Flat) -> None:
    """What every seat is going to take, and how likely it is to have the fewest bulls of the round."""
    seats, size, low, high = wide(s.seats), wide(s.sizes[0]), s.unplayed[0], s.unplayed[1]
    know_hands(s)
    leaf.all[:] = np.float32(0.0)
    for seat in range(seats):
        look_at_hand(s, seat, kinds[types[seat]].known_as, weights, mind, leaf)
    s.unplayed[0], s.unplayed[1] = low, high  # whoever plays on knows no hands
    for seat in range(seats):
        pooled, rest, inner = leaf.pooled[seat], leaf.rest, leaf.inner[seat]
        for cell in range(CARD):
            rest[cell] = (leaf.all[cell] - pooled[cell]) / np.float32(seats - 1)
        compare(weights, pooled, rest, inner)
        bulls, luck = weights[_BULLS_BIAS + size], np.float32(0.0)
        for cell in range(SEAT):
            bulls += inner[cell] * weights[_BULLS + cell]
            luck += inner[cell] * weights[_LUCK + cell]
        leaf.bulls[seat] = 10.0 * bulls
        leaf.chance[seat] = luck - weights[_LEAD + size] * s.points[seat]
    leaf.lead = weights[_LEAD + size]
