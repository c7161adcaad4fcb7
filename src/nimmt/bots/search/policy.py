"""How a seat picks a card by looking, not by searching: a chance for each card from a few tables.

What is seen of a card are seven numbers (`SHAPES`): where it would go and how crowded the way there is, what it would
cost at once, its rank in the hand, and so on. A type of player is a factor for each value of each of them; the product
of a card's seven factors is its weight, and a card is played with a chance in proportion to its weight. All ones is
the random player, a steep fall with the cost is the greedy one, and fitted tables imitate players that search.
"""

from __future__ import annotations

import numpy as np

from nimmt.bots.search.board import BULLS_ON, END, FANS, LIMIT, MOUNTAIN_ROW, ROWS, WORTH, cheapest, room, target, value_of
from nimmt.bots.search.jit import compiled
from nimmt.bots.search.types import LOOKS, Bits, Floats, Ints

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

_EDGES = np.array([0.001, 0.08, 0.17, 0.28, 0.42, 0.6, 0.85, 1.25, 1.9])


@compiled
def crowd_class(crowd: float) -> int:
    found = 0
    while found < CROWDS - 1 and crowd > _EDGES[found]:
        found += 1
    return found


@compiled
def bits_set(word: np.uint64) -> int:
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@compiled
def below(hidden: Bits, card: int) -> int:
    """How many cards that nobody has seen played are lower than this one."""
    one = np.uint64(1)
    if card < 64:
        return bits_set(hidden[0] & ((one << np.uint64(card)) - one))
    return bits_set(hidden[0]) + bits_set(hidden[1] & ((one << np.uint64(card - 64)) - one))


@compiled
def see(hand: Ints, size: int, twist: int, board: Ints, hidden: Bits, seats: int, looks: Ints) -> int:
    """Write down the seven numbers of every play of this hand; how many plays there are.

    `hand` ascends; `hidden` are the cards that have not been played, the own hand's included.
    """
    unseen = bits_set(hidden[0]) + bits_set(hidden[1]) - size
    each = (seats - 1) / max(unseen, 1)
    company = 0 if seats <= 3 else 1 if seats <= 5 else 2
    cheap = cheapest(board)
    low_class = min(board[WORTH + cheap], 10) - 1
    last_row, own_between = -2, 0
    plain = board[FANS] == 0
    options = size
    for at in range(size):
        card = hand[at]
        row = target(board, card)
        if plain:
            own_between = own_between + 1 if row == last_row else 0
            last_row = row
        else:
            own_between = _own_between(hand, size, card, row, board)
        _look(looks[at], card, card, at, size, row, own_between, board, hidden, each, company, cheap, low_class)
    if twist:
        for at in range(size):
            if hand[at] < 100:
                value = value_of(2 * hand[at] + 1)
                row = target(board, value)
                between = _own_between(hand, size, value, row, board)
                rank = 0
                while rank < size - 1 and hand[rank] < value:
                    rank += 1
                _look(
                    looks[options], hand[at], value, rank, size, row, between, board, hidden, each, company, cheap, low_class
                )
                looks[options, LOOKS - 1] = TWIST + 1
                looks[options, LOOKS] = 2 * hand[at] + 1
                options += 1
    return options


@compiled
def _own_between(hand: Ints, size: int, value: int, row: int, board: Ints) -> int:
    end = board[END + row] if row >= 0 else 0
    between = 0
    for at in range(size):
        if min(end, value) < hand[at] < max(end, value):
            between += 1
    return between


@compiled
def _look(
    look: Ints,
    card: int,
    value: int,
    rank: int,
    size: int,
    row: int,
    own_between: int,
    board: Ints,
    hidden: Bits,
    each: float,
    company: int,
    cheap: int,
    low_class: int,
) -> None:
    if row < 0:
        crowd = each * max(below(hidden, value) - own_between, 0)
        look[0] = WAY
        look[1] = LOW + 4 * low_class + (0 if crowd < 0.02 else 1 if crowd < 0.15 else 2 if crowd < 0.4 else 3)
        look[4] = TIME + (6 * (size - 1) + 5) * 3 + company
        look[5] = COST + min(board[WORTH + cheap], COSTS - 1)
    else:
        end = board[END + row]
        lower, higher = (value, end) if board[MOUNTAIN_ROW] == row else (end, value)
        between = below(hidden, higher) - below(hidden, lower + 1) - own_between
        space = min(max(room(board, row), 0), LIMIT - 1)
        worth = board[WORTH + row]
        worth_class = 0 if worth <= 4 else 1 if worth <= 7 else 2 if worth <= 11 else 3
        look[0] = WAY + (space * CROWDS + crowd_class(each * max(between, 0))) * 4 + worth_class
        look[1] = LOW
        look[4] = TIME + (6 * (size - 1) + space) * 3 + company
        look[5] = COST + (min(worth, COSTS - 1) if space == 0 else 0)
    look[2] = RANK + 10 * (size - 1) + rank
    look[3] = FACE + 4 * (1 if BULLS_ON[card] > 2 else 0) + min(own_between, 3)
    look[6] = TWIST
    look[7] = 2 * card


@compiled
def weigh(looks: Ints, options: int, factors: Floats, weights: Floats) -> float:
    """The weight of every play for a type of player; their sum."""
    total = 0.0
    for option in range(options):
        look = looks[option]
        weight = (
            factors[look[0]] * factors[look[1]] * factors[look[2]] * factors[look[3]]
            * factors[look[4]] * factors[look[5]] * factors[look[6]]
        )  # fmt: skip
        weights[option] = weight
        total += weight
    return total


# -- chance ----------------------------------------------------------------------------------------------------------


@compiled
def chance(dice: Bits) -> float:
    """The next number from 0 to 1 (xorshift64*)."""
    word = dice[0]
    word ^= word >> np.uint64(12)
    word ^= word << np.uint64(25)
    word ^= word >> np.uint64(27)
    dice[0] = word
    return np.float64((word * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(11)) * (1.0 / 9007199254740992.0)


@compiled
def draw(weights: Floats, options: int, total: float, dice: Bits) -> int:
    left = chance(dice) * total
    for option in range(options - 1):
        left -= weights[option]
        if left < 0:
            return option
    return options - 1


@compiled
def pick_row(board: Ints, any_row: int, dice: Bits) -> int:
    """Rule 4: the cheapest row, or any."""
    return int(chance(dice) * ROWS) if any_row else cheapest(board)
