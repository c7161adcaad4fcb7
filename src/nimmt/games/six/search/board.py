"""The four rows of 6 nimmt! as sixteen numbers, and what happens when a card is placed, fan cards included.

A board is an int64 array: ends, lengths, bulls and highest cards of the four rows, then the markers. Only the end, the
length, the bulls and (for the cow) the highest card of a row matter for what comes. Rows count from 0 here.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nimmt.fast.jit import jit, part
from nimmt.rules.kit.cards import BULLS

# -- types -------------------------------------------------------------------------------------------------------------
# The arrays that the kernels work on. The kernels get them bare: bundles cost time in inner loops.

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Bits: TypeAlias = NDArray[np.uint64]
Flags: TypeAlias = NDArray[np.bool_]

SEATS, HAND = 10, 10
PLAYS = 2 * HAND
"""Every card, and every card twisted."""
LOOKS = 7
LOOK = LOOKS + 1
"""What is seen of a play, and the play itself."""

# A world is a position as one array: the board (see board.py), then what is known of it, then the hands.
SCORE, TWISTS, HIDDEN, HANDS = 22, 32, 42, 44
STRIDE = HAND + 1
WORLD = HANDS + STRIDE * SEATS


class Kinds(NamedTuple):
    """The types of players that a seat may be."""

    factors: Floats
    """By type: a factor for each value of each thing seen (`policy.SHAPES`)."""
    slips: Floats
    """The chance of playing just any card."""
    any_row: Ints
    """1 if the type takes any row under rule 4, 0 if the cheapest."""
    prior: Floats
    own: int
    """The type by which the thinking seat itself goes on in its thoughts."""


class Situation(NamedTuple):
    """What the thinking seat knows. Plays are twice the card, plus one if twisted; rows count from 0."""

    seat: int
    seats: int
    size: int
    """Cards in every hand."""
    world: Ints
    """Board, bulls of this round, twist cards, cards not played yet, and the hands that are known."""
    pool: Ints
    """The cards that may be in other hands; none if all hands are known (a draft)."""
    queue: Ints
    """When choosing a row: the seats whose cards are still to be placed, the own seat first; else empty."""
    queued: Ints
    """The plays of the queue."""
    past: Ints
    """The round so far: for each turn a world without hands, as it was before the turn."""
    past_plays: Ints
    """What each seat played in each of these turns."""
    rows_taken: Ints
    """How often each seat took the cheapest row under rule 4, and another one."""


class Stakes(NamedTuple):
    """What a round's bulls are worth: the standings before it and how the match ends."""

    totals: Ints
    limit: int
    """So many bulls end the match."""
    rounds_left: int
    """Rounds after this one if their number is fixed, else -1."""
    blend: float
    """What a bull more than the others is worth besides the chance to win."""


class Effort(NamedTuple):
    worlds: int
    drafts: int
    """Worlds for each card that could be drafted: they differ more, since nothing has been dealt yet."""
    warm_up: int
    thinning: int
    herd: float
    """How freely the seats at a table differ in their type: low for tables of equals."""


# -- board -------------------------------------------------------------------------------------------------------------

ROWS, LIMIT = 4, 5
END, LENGTH, WORTH, TOP = 0, 4, 8, 12
PARITY_ROW, PARITY, MOUNTAIN_ROW, MOUNTAIN_STEP, COW, FANS = 16, 17, 18, 19, 20, 21
SIZE = 22
NOWHERE = -1

BULLS_ON: Ints = np.array(BULLS, dtype=np.int64)


@part
def lowest_end(board: Ints, but: int) -> int:
    best = NOWHERE
    for row in range(ROWS):
        if row != but and (best == NOWHERE or board[END + row] < board[END + best]):
            best = row
    return best


@jit
def target(board: Ints, value: int) -> int:
    """The row that a card of this value joins; NOWHERE if it fits none."""
    closest, found = 1000, NOWHERE
    if board[FANS] == 0:
        for row in range(ROWS):
            distance = value - board[END + row]
            if 0 < distance < closest:
                closest, found = distance, row
        return found
    for row in range(ROWS):
        descends = board[MOUNTAIN_ROW] == row
        distance = board[END + row] - value if descends else value - board[END + row]
        admitted = board[PARITY_ROW] != row or value % 2 == board[PARITY]
        if admitted and (0 < distance < closest or (descends and distance == closest)):
            closest, found = distance, row
    return found


@part
def room(board: Ints, row: int) -> int:
    """How many cards can still join the row."""
    return int(LIMIT - board[LENGTH + row] - (1 if board[COW] == row else 0))


@jit
def cheapest(board: Ints) -> int:
    best = 0
    for row in range(1, ROWS):
        if board[WORTH + row] < board[WORTH + best]:
            best = row
    return best


@jit
def take(board: Ints, row: int, card: int) -> int:
    """Take the row and start it again with the card; the bulls that come with it."""
    bulls = board[WORTH + row]
    board[END + row], board[LENGTH + row], board[WORTH + row], board[TOP + row] = card, 1, BULLS_ON[card], card
    if board[FANS] != 0:
        bulls += let_fans_act(board, row, 1)
    return int(bulls)


@jit
def join(board: Ints, row: int, card: int) -> int:
    """Put the card into the row where it belongs; the bulls that it takes, if it is one too many."""
    if room(board, row) <= 0:
        return take(board, row, card)
    board[END + row] = card
    board[LENGTH + row] += 1
    board[WORTH + row] += BULLS_ON[card]
    board[TOP + row] = max(board[TOP + row], card)
    return let_fans_act(board, row, 0) if board[FANS] != 0 else 0


@part
def let_fans_act(board: Ints, row: int, taken: int) -> int:
    """The cow jumps, perhaps onto full rows; then the markers move once for each row taken. More bulls, if any."""
    bulls = 0
    if board[COW] == row:
        landed = lowest_end(board, row)
        while board[LENGTH + landed] >= LIMIT:
            kept = board[TOP + landed]
            bulls += board[WORTH + landed] - BULLS_ON[kept]
            board[END + landed], board[LENGTH + landed], board[WORTH + landed] = kept, 1, BULLS_ON[kept]
            taken += 1
            landed = lowest_end(board, landed)
        board[COW] = landed
    for _ in range(taken):
        if board[PARITY_ROW] != NOWHERE:
            board[PARITY_ROW] = lowest_end(board, board[PARITY_ROW])
            board[PARITY] = board[END + board[PARITY_ROW]] % 2
        if board[MOUNTAIN_ROW] != NOWHERE:
            board[MOUNTAIN_ROW] += board[MOUNTAIN_STEP]
            if board[MOUNTAIN_ROW] in (0, ROWS - 1):
                board[MOUNTAIN_STEP] = 1 if board[MOUNTAIN_ROW] == 0 else -1
    return bulls


@part
def value_of(play: int) -> int:
    """A play is twice the card, and one more if it is twisted."""
    card = play >> 1
    return card % 10 * 10 + card // 10 if play & 1 else card


@part
def sort_plays(plays: Ints, order: Ints, seats: int) -> None:
    """The seats in the order in which their cards are placed; of equal values the twisted one goes first."""
    for seat in range(seats):
        key = 2 * value_of(plays[seat]) + 1 - (plays[seat] & 1)
        at = seat
        while at > 0:
            other = plays[order[at - 1]]
            if 2 * value_of(other) + 1 - (other & 1) <= key:
                break
            order[at] = order[at - 1]
            at -= 1
        order[at] = seat
