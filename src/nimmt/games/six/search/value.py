"""The value network of 6 nimmt!, which evaluates a position with all hands known instead of a rollout to the end.

A search that stops after a turn or two and asks this network learns more from each sampled world than one that plays
the round out: most of what comes later is noise that hides the effect of the card.

The inputs of each seat are those of `net.py`, with the true hands in place of unseen cards. A layer per card, summed
over the hand, describes the hand; a second layer combines it with the other hands and predicts how many bulls the seat
will take and how likely it is to have the fewest.
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
"""Number of types that the network distinguishes."""
POOL = 0.1
"""Weight of a card in the sum over its hand."""

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
"""Shapes of the weight arrays, in the order in which they are stored. They start like those of the policy networks, so
that the same code evaluates the card layer. `lead` is the effect of a bull so far, by cards left in a hand."""
SIZES = [math.prod(shape) for shape in PARTS.values()]
STARTS: dict[str, int] = dict(zip(PARTS, np.cumsum([0, *SIZES[:-1]]).tolist(), strict=True))
WEIGHTS = sum(SIZES)

_, _, _, _OWN, _OTHERS, _TABLE, _TYPE, _BULLS, _BULLS_BIAS, _LUCK, _LEAD = STARTS.values()

take_in, first_layer = first_layers(NETWORK)


@part
def know_hands(s: Flat) -> None:
    """From now on, exactly the cards in hands count as unplayed."""
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
    """Predict for every seat the bulls to come and the probability of having the fewest in the round."""
    seats, size, low, high = wide(s.seats), wide(s.sizes[0]), s.unplayed[0], s.unplayed[1]
    know_hands(s)
    leaf.all[:] = np.float32(0.0)
    for seat in range(seats):
        look_at_hand(s, seat, kinds[types[seat]].known_as, weights, mind, leaf)
    s.unplayed[0], s.unplayed[1] = low, high  # the rollout policies do not see hands
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
