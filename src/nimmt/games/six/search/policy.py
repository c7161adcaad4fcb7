"""How a seat picks a card by looking, not by searching: a chance for each card from a few tables.

What is seen of a card are seven numbers (`SHAPES`): where it would go and how crowded the way there is, what it would
cost at once, its rank in the hand, and so on. A type of player is a factor for each value of each of them; the product
of a card's seven factors is its weight, and a card is played with a chance in proportion to its weight. All ones is
the random player, a steep fall with the cost is the greedy one, and fitted tables imitate players that search.
"""

from __future__ import annotations

import numpy as np

from nimmt.fast.jit import jit, part
from nimmt.games.six.search.board import (
    BULLS_ON,
    END,
    FANS,
    HANDS,
    HIDDEN,
    LIMIT,
    LOOK,
    LOOKS,
    MOUNTAIN_ROW,
    ROWS,
    SCORE,
    STRIDE,
    TWISTS,
    WORTH,
    Bits,
    Floats,
    Ints,
    cheapest,
    join,
    room,
    sort_plays,
    take,
    target,
    value_of,
)

# -- policy ------------------------------------------------------------------------------------------------------------

# -- the factors of a card -------------------------------------------------------------------------------------------

CROWDS = 10
"""Classes of how many cards others are likely to play in between."""
COSTS = 32
SHAPES = {
    "way": 5 * CROWDS * 4,  # room in its row, crowd in between, bulls of the row
    "low": 10 * 4,  # too low for every row: bulls of the cheapest, crowd below
    "rank": 10 * 10,  # cards in hand, rank among them
    "face": 2 * 4,  # many bulls on it?; own cards on the same way
    "time": 10 * 6 * 3,  # cards in hand, room in its row (or too low), few or many seats
    "cost": COSTS,  # bulls it takes as the rows lie
    "twist": 2,
}
WAY, LOW, RANK, FACE, TIME, COST, TWIST = np.cumsum([0, *list(SHAPES.values())[:-1]]).tolist()
FACTORS = sum(SHAPES.values())

FINE = 40
_EDGES = np.array([0.001, 0.08, 0.17, 0.28, 0.42, 0.6, 0.85, 1.25, 1.9])
_CLASSES: Ints = np.searchsorted(_EDGES, np.arange(3 * FINE) / FINE)
"""The class of a crowd, by fortieths of a card."""


@part
def bits_set(word: np.uint64) -> int:
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@part
def below(world: Ints, low_half: int, card: int) -> int:
    """How many cards that nobody has seen played are lower than this one; `low_half` of them are lower than 64."""
    one = np.uint64(1)
    if card < 64:
        return bits_set(np.uint64(world[HIDDEN]) & ((one << np.uint64(card)) - one))
    return low_half + bits_set(np.uint64(world[HIDDEN + 1]) & ((one << np.uint64(card - 64)) - one))


@jit
def see(cards: Ints, base: int, size: int, twist: int, world: Ints, seats: int, looks: Ints) -> int:
    """Write down what is seen of every play of a hand; how many plays there are.

    The hand ascends and begins at `base` of `cards`. The cards not played yet include it.
    """
    low_half = bits_set(np.uint64(world[HIDDEN]))
    each = (seats - 1) / max(low_half + bits_set(np.uint64(world[HIDDEN + 1])) - size, 1)
    company = 0 if seats <= 3 else 1 if seats <= 5 else 2
    last_row, own_between = -2, 0
    for at in range(size):
        card = cards[base + at]
        row = target(world, card)
        if world[FANS] == 0:
            own_between = own_between + 1 if row == last_row else 0
            last_row = row
        else:
            own_between = _own_between(cards, base, size, card, row, world)
        _look(looks, LOOK * at, 2 * card, card, at, size, row, own_between, world, low_half, each, company)
    options = size
    if twist:
        for at in range(size):
            play = 2 * cards[base + at] + 1
            if play < 200:
                value, rank = value_of(play), 0
                row = target(world, value)
                while rank < size - 1 and cards[base + rank] < value:
                    rank += 1
                between = _own_between(cards, base, size, value, row, world)
                _look(looks, LOOK * options, play, value, rank, size, row, between, world, low_half, each, company)
                options += 1
    return options


@part
def _own_between(cards: Ints, base: int, size: int, value: int, row: int, world: Ints) -> int:
    end = world[END + row] if row >= 0 else 0
    between = 0
    for at in range(base, base + size):
        if min(end, value) < cards[at] < max(end, value):
            between += 1
    return between


@part
def _look(
    looks: Ints,
    base: int,
    play: int,
    value: int,
    rank: int,
    size: int,
    row: int,
    own_between: int,
    world: Ints,
    low_half: int,
    each: float,
    company: int,
) -> None:
    if row < 0:
        crowd = each * max(below(world, low_half, value) - own_between, 0)
        least = world[WORTH + cheapest(world)]
        crowd_class = 0 if crowd < 0.02 else 1 if crowd < 0.15 else 2 if crowd < 0.4 else 3
        looks[base] = WAY
        looks[base + 1] = LOW + 4 * (min(least, 9) - 1) + crowd_class
        looks[base + 4] = TIME + (6 * (size - 1) + 5) * 3 + company
        looks[base + 5] = COST + min(least, COSTS - 1)
    else:
        end = world[END + row]
        lower, higher = (value, end) if world[MOUNTAIN_ROW] == row else (end, value)
        between = below(world, low_half, higher) - below(world, low_half, lower + 1) - own_between
        crowd_class = _CLASSES[min(int(FINE * each * max(between, 0)), 3 * FINE - 1)]
        space = min(max(room(world, row), 0), LIMIT - 1)
        worth = world[WORTH + row]
        worth_class = 0 if worth <= 4 else 1 if worth <= 7 else 2 if worth <= 11 else 3
        looks[base] = WAY + (space * CROWDS + crowd_class) * 4 + worth_class
        looks[base + 1] = LOW + 39
        looks[base + 4] = TIME + (6 * (size - 1) + space) * 3 + company
        looks[base + 5] = COST + (min(worth, COSTS - 1) if space == 0 else 0)
    looks[base + 2] = RANK + 10 * (size - 1) + rank
    looks[base + 3] = FACE + 4 * (1 if BULLS_ON[play >> 1] > 2 else 0) + min(own_between, 3)
    looks[base + 6] = TWIST + (play & 1)
    looks[base + 7] = play


@jit
def weigh(looks: Ints, options: int, factors: Floats, kind: int, weights: Floats) -> float:
    """The weight of every play for a type of player; their sum."""
    total = 0.0
    for option in range(options):
        weight = 1.0
        for at in range(LOOK * option, LOOK * option + LOOKS):
            weight *= factors[kind, looks[at]]
        weights[option] = weight
        total += weight
    return total


# -- chance ----------------------------------------------------------------------------------------------------------


@jit
def chance(dice: Bits) -> float:
    """The next number from 0 to 1 (xorshift64*)."""
    word = dice[0]
    word ^= word >> np.uint64(12)
    word ^= word << np.uint64(25)
    word ^= word >> np.uint64(27)
    dice[0] = word
    return np.float64((word * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@jit
def draw(weights: Floats, options: int, total: float, dice: Bits) -> int:
    left = chance(dice) * total
    for option in range(options - 1):
        left -= weights[option]
        if left < 0:
            return option
    return options - 1


@part
def pick_row(board: Ints, any_row: int, dice: Bits) -> int:
    """Rule 4: the cheapest row, or any."""
    return int(chance(dice) * ROWS) if any_row else cheapest(board)


# -- rollout -----------------------------------------------------------------------------------------------------------
# A round to its end, every seat playing by its type.


@part
def remove(world: Ints, card: int) -> None:
    """The card is played: nobody holds it any more."""
    world[HIDDEN + (card >> 6)] &= ~(1 << (card & 63))


@part
def drop(cards: Ints, base: int, size: int, card: int) -> None:
    """Take the card out of an ascending hand."""
    at = base
    while at < base + size and cards[at] != card:
        at += 1
    for index in range(at, base + size - 1):
        cards[index] = cards[index + 1]


@part
def insert(cards: Ints, base: int, size: int, card: int) -> None:
    """Put the card into an ascending hand."""
    at = base + size
    while at > base and cards[at - 1] > card:
        cards[at] = cards[at - 1]
        at -= 1
    cards[at] = card


@jit
def roll(dice: Bits, seed: int, stream: int) -> None:
    """Begin a stream of chance of its own (splitmix64)."""
    word = np.uint64(seed) + np.uint64(stream + 1) * np.uint64(0x9E3779B97F4A7C15)
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    dice[0] = (word ^ (word >> np.uint64(31))) | np.uint64(1)


@part
def pick_play(
    world: Ints,
    seat: int,
    size: int,
    seats: int,
    kind: int,
    factors: Floats,
    slips: Floats,
    looks: Ints,
    weights: Floats,
    dice: Bits,
) -> int:
    """A play by the type's tables; now and then any."""
    base, twist, slip = HANDS + STRIDE * seat, world[TWISTS + seat], slips[kind]
    if size == 1 and not twist:
        return int(2 * world[base])
    if slip > 0.0 and (slip >= 1.0 or chance(dice) < slip):
        return int(2 * world[base + int(chance(dice) * size)])
    options = see(world, base, size, twist, world, seats, looks)
    total = weigh(looks, options, factors, kind, weights)
    return int(looks[LOOK * draw(weights, options, total, dice) + LOOKS])


@part
def place_one(world: Ints, seat: int, play: int, any_row: int, dice: Bits) -> None:
    row = target(world, value_of(play))
    if row >= 0:
        world[SCORE + seat] += join(world, row, play >> 1)
    else:
        world[SCORE + seat] += take(world, pick_row(world, any_row, dice), play >> 1)


@part
def play_turn(
    world: Ints, size: int, seats: int, plays: Ints, order: Ints, types: Ints, any_row: Ints, dice: Bits
) -> None:
    """Reveal and place all cards of a turn, from the lowest to the highest; rule 4 by habit."""
    for seat in range(seats):
        card = plays[seat] >> 1
        drop(world, HANDS + STRIDE * seat, size, card)
        remove(world, card)
        if plays[seat] & 1:
            world[TWISTS + seat] = 0
    sort_plays(plays, order, seats)
    for place in range(seats):
        seat = order[place]
        place_one(world, seat, plays[seat], any_row[types[seat]], dice)


@part
def play_out(
    world: Ints,
    size: int,
    seats: int,
    types: Ints,
    factors: Floats,
    slips: Floats,
    any_row: Ints,
    plays: Ints,
    order: Ints,
    looks: Ints,
    weights: Floats,
    dice: Bits,
) -> None:
    """The turns that are left, each seat playing by its type."""
    while size > 0:
        for seat in range(seats):
            plays[seat] = pick_play(world, seat, size, seats, types[seat], factors, slips, looks, weights, dice)
        play_turn(world, size, seats, plays, order, types, any_row, dice)
        size -= 1
