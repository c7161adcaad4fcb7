"""Card choice without search: a probability for each card, from a few tables.

A card has seven features (`SHAPES`): where it would go, how many cards are likely to come in between, its immediate
cost, its rank in the hand, and so on. A type of player has a factor for each value of each feature; a card's weight is
the product of its seven factors, and cards are played in proportion to their weights. All ones is the random player,
a steep fall with the cost is the greedy one, and fitted tables imitate players that search.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nimmt.fast.chance import split_mix
from nimmt.fast.jit import Flat, Flats, jit, part, wide
from nimmt.fast.parts import BULLS, OVER, begin_placing, seat_of
from nimmt.games.six import kernels
from nimmt.games.six.kernels import TWISTED, end_turn, place, queue_up, room, take, target_row
from nimmt.games.six.policies import cheapest_row
from nimmt.games.six.search import net
from nimmt.games.six.search.situation import (
    COST,
    COSTS,
    CROWDS,
    FACE,
    LOOK,
    LOOKS,
    LOW,
    RANK,
    TIME,
    TWIST,
    WAY,
    Desk,
    Ints,
    Kinds,
    Situation,
)
from nimmt.games.six.search.unplayed import below, bits_set, note_played
from nimmt.games.six.types import ROW_LIMIT, ROWS

# -- hands -----------------------------------------------------------------------------------------------------------


@part
def drop(s: Flat, seat: int, card: int) -> None:
    """Remove the card from a sorted hand."""
    last = wide(s.sizes[seat]) - 1
    at = wide(0)
    while at < last and s.hands[seat, at] != card:
        at += 1
    for index in range(at, last):
        s.hands[seat, index] = s.hands[seat, index + 1]
    s.sizes[seat] = last


@part
def insert(s: Flat, seat: int, card: int) -> None:
    """Insert the card into a sorted hand."""
    at = wide(s.sizes[seat])
    s.sizes[seat] += 1
    while at > 0 and s.hands[seat, at - 1] > card:
        s.hands[seat, at] = s.hands[seat, at - 1]
        at -= 1
    s.hands[seat, at] = card


# -- the factors of a card -------------------------------------------------------------------------------------------

FINE = 40
_EDGES = np.array([0.001, 0.08, 0.17, 0.28, 0.42, 0.6, 0.85, 1.25, 1.9])
_CLASSES: Ints = np.searchsorted(_EDGES, np.arange(3 * FINE) / FINE)
"""The class of a crowd, by fortieths of a card."""


class Sight(NamedTuple):
    """Features shared by all plays of a hand."""

    size: int
    low_half: int
    """Cards below 64 that nobody has seen played."""
    each: float
    """The probability that a given unseen card is played in this turn."""
    company: int
    """A class of tables: few or many seats."""


@part
def see(s: Flat, seat: int, mind: Flat) -> int:
    """Write the features of every play of a sorted hand; returns the number of plays.

    The cards not played yet include it.
    """
    size, seats = wide(s.sizes[seat]), wide(s.seats)
    low_half = bits_set(s.unplayed[0])
    each = (seats - 1) / max(low_half + bits_set(s.unplayed[1]) - size, 1)
    sight = Sight(size, low_half, each, 0 if seats <= 3 else 1 if seats <= 5 else 2)
    markers = s.fans & ~kernels.TWIST
    last_row, between = wide(-2), wide(0)
    for at in range(size):
        card = wide(s.hands[seat, at])
        row = target_row(s, card)
        if markers:
            between = own_between(s, seat, card, row)
        else:
            between = between + 1 if row == last_row else 0
            last_row = row
        look_at(s, mind, at, card, at, row, between, sight)
    options = size
    if s.twists[seat]:
        for at in range(size):
            card = wide(s.hands[seat, at])
            if card < 100:
                value, rank = value_of(-card), wide(0)
                row = target_row(s, value)
                while rank < size - 1 and s.hands[seat, rank] < value:
                    rank += 1
                look_at(s, mind, options, -card, rank, row, own_between(s, seat, value, row), sight)
                options += 1
    return options


@part
def value_of(code: int) -> int:
    return code if code > 0 else wide(TWISTED[-code])


@part
def own_between(s: Flat, seat: int, value: int, row: int) -> int:
    """Cards of the own hand that lie between the end of the row and this value."""
    end = wide(s.ends[row]) if row >= 0 else 0
    between = wide(0)
    for at in range(s.sizes[seat]):
        if min(end, value) < s.hands[seat, at] < max(end, value):
            between += 1
    return between


@part
def look_at(s: Flat, mind: Flat, option: int, code: int, rank: int, row: int, between: int, sight: Sight) -> None:
    looks, base, value = mind.looks, LOOK * option, value_of(code)
    time = TIME + 18 * (sight.size - 1) + sight.company
    if row < 0:
        crowd = sight.each * max(below(s, sight.low_half, value) - between, 0)
        least = wide(s.worth[cheapest_row(s)])
        crowd_class = 0 if crowd < 0.02 else 1 if crowd < 0.15 else 2 if crowd < 0.4 else 3
        looks[base] = WAY
        looks[base + 1] = LOW + 4 * (min(least, 9) - 1) + crowd_class
        looks[base + 4] = time + 15
        looks[base + 5] = COST + min(least, COSTS - 1)
    else:
        end = wide(s.ends[row])
        lower, higher = (value, end) if s.mountain == row else (end, value)
        hidden = below(s, sight.low_half, higher) - below(s, sight.low_half, lower + 1) - between
        crowd_class = _CLASSES[min(int(FINE * sight.each * max(hidden, 0)), 3 * FINE - 1)]
        space = min(max(room(s, row), 0), ROW_LIMIT - 1)
        worth = wide(s.worth[row])
        worth_class = 0 if worth <= 4 else 1 if worth <= 7 else 2 if worth <= 11 else 3
        looks[base] = WAY + (space * CROWDS + crowd_class) * 4 + worth_class
        looks[base + 1] = LOW + 39
        looks[base + 4] = time + 3 * space
        looks[base + 5] = COST + (min(worth, COSTS - 1) if space == 0 else 0)
    looks[base + 2] = RANK + 10 * (sight.size - 1) + rank
    looks[base + 3] = FACE + 4 * (1 if BULLS[abs(code)] > 2 else 0) + min(between, 3)
    looks[base + 6] = TWIST + (1 if code < 0 else 0)
    looks[base + 7] = code


@part
def weigh(mind: Flat, options: int, kind: Flat) -> float:
    """Write the weight of every play for a type of player; returns their sum."""
    total = 0.0
    for option in range(options):
        weight = 1.0
        for at in range(LOOK * option, LOOK * option + LOOKS):
            weight *= kind.factors[mind.looks[at]]
        mind.weights[option] = weight
        total += weight
    return total


# -- chance ----------------------------------------------------------------------------------------------------------

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@part
def roll(mind: Flat, seed: int, stream: int) -> None:
    """Seed the generator for a stream of its own."""
    mind.dice = split_mix(np.uint64(seed) + np.uint64(stream + 1) * _GOLDEN) | np.uint64(1)


@part
def chance(mind: Flat) -> float:
    """Uniform in [0, 1) (xorshift64*)."""
    word = mind.dice
    word ^= word >> np.uint64(12)
    word ^= word << np.uint64(25)
    word ^= word >> np.uint64(27)
    mind.dice = word
    return np.float64((word * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@part
def draw(mind: Flat, options: int, total: float) -> int:
    """Sample an option in proportion to its weight."""
    left = chance(mind) * total
    for option in range(options - 1):
        left -= mind.weights[option]
        if left < 0:
            return option
    return options - 1


# -- rollout -----------------------------------------------------------------------------------------------------------
# A round to its end, every seat playing by its type.


@part
def pick_by_looking(s: Flat, seat: int, kind: Flat, mind: Flat) -> int:
    if kind.learned:
        options = net.look(s, seat, mind)
        total = net.score(mind, options, kind)
    else:
        options = see(s, seat, mind)
        total = weigh(mind, options, kind)
    return wide(mind.looks[LOOK * draw(mind, options, total) + LOOKS])


@part
def pick_play(s: Flat, seat: int, kind: Flat, mind: Flat) -> int:
    """A play from the type's tables or network, occasionally a random one."""
    size = wide(s.sizes[seat])
    if size == 1 and not s.twists[seat]:
        return wide(s.hands[seat, 0])
    if kind.slip > 0.0 and (kind.slip >= 1.0 or chance(mind) < kind.slip):
        return wide(s.hands[seat, int(chance(mind) * size)])
    return pick_by_looking(s, seat, kind, mind)


@part
def pick_row(s: Flat, kind: Flat, mind: Flat) -> int:
    """Rule 4: the cheapest row, or any."""
    return int(chance(mind) * ROWS) if kind.any_row else cheapest_row(s)


@part
def reveal(s: Flat) -> None:
    """Like the kernels' step, but keeps hands sorted and marks the cards as seen."""
    for seat in range(wide(s.seats)):
        card = queue_up(s, seat)
        drop(s, seat, card)
        note_played(s, card)
    begin_placing(s)


@part
def place_queue(s: Flat, types: Ints, kinds: Flats, mind: Flat) -> None:
    """Place the cards that are left of the turn, from the lowest to the highest; rule 4 by habit."""
    for i in range(s.placed, s.queued):
        play = wide(s.queue[i])
        if not place(s, play):
            take(s, play, pick_row(s, kinds[types[seat_of(play)]], mind))
    s.placed = s.queued
    end_turn(s)


@part
def play_turn(s: Flat, types: Ints, kinds: Flats, mind: Flat) -> None:
    """Each seat plays a card by its type."""
    for seat in range(wide(s.seats)):
        s.chosen[seat] = pick_play(s, seat, kinds[types[seat]], mind)
    reveal(s)
    place_queue(s, types, kinds, mind)


@part
def play_out(s: Flat, types: Ints, kinds: Flats, mind: Flat) -> None:
    """The turns that are left."""
    while s.phase != OVER:
        play_turn(s, types, kinds, mind)


@jit
def play_by_looking(now: Situation, kinds: Kinds, seed: int, desk: Desk) -> int:
    """One play of a seat that does not search."""
    mind = desk.minds[0]
    roll(mind, seed, 0)
    return pick_by_looking(now.flat[0], now.seat, kinds.types[kinds.own], mind)
