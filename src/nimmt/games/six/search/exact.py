"""Two seats that know all cards: the last turns as the simultaneous-move game that they are, solved exactly.

Every turn is a matrix game whose entries are the values of the turns that follow; a choice under rule 4 in between is
an ordinary move. The value of a matrix and the best mixture of cards come from the simplex method.
"""

from __future__ import annotations

import numpy as np

from nimmt.fast.jit import jit, part
from nimmt.games.six.search.board import (
    HANDS,
    NOWHERE,
    ROWS,
    SCORE,
    STRIDE,
    WORLD,
    Floats,
    Ints,
    Situation,
    Stakes,
    join,
    take,
    target,
)
from nimmt.games.six.search.policy import chance, drop, remove, roll
from nimmt.games.six.search.think import worth

MOST_CARDS = 4
"""With one card more in each hand a decision can take seconds."""
_LEVELS = 3 * MOST_CARDS + 3
_TINY = 1e-9


@jit
def solve_matrix(matrix: Floats, rows: int, columns: int, mixture: Floats) -> float:
    """The value of a matrix game for the one who chooses the row, and the best chances of the rows."""
    lowest = matrix[:rows, :columns].min()
    table = np.zeros((rows + 1, columns + rows + 1))
    basis = np.zeros(rows, np.int64)
    for row in range(rows):
        for column in range(columns):
            table[row, column] = matrix[row, column] - lowest + 1.0
        table[row, columns + row] = 1.0
        table[row, columns + rows] = 1.0
        basis[row] = columns + row
    for column in range(columns):
        table[rows, column] = -1.0
    while True:
        enters = 0  # Bland's rule: the first that helps, so that it cannot go round in circles
        while enters < columns + rows and table[rows, enters] >= -_TINY:
            enters += 1
        if enters == columns + rows:
            break
        leaves, least = NOWHERE, 0.0
        for row in range(rows):
            if table[row, enters] > _TINY:
                ratio = table[row, columns + rows] / table[row, enters]
                if leaves < 0 or ratio < least - _TINY or (ratio < least + _TINY and basis[row] < basis[leaves]):
                    leaves, least = row, ratio
        table[leaves] /= table[leaves, enters]
        for row in range(rows + 1):
            if row != leaves:
                table[row] -= table[row, enters] * table[leaves]
        basis[leaves] = enters
    total = table[rows, columns + rows]
    for row in range(rows):
        mixture[row] = table[rows, columns + row] / total
    return float(1.0 / total + lowest - 1.0)


# What a level of the stack waits for: cards still to be placed in its turn (1000 times the seat plus the card, or 0),
# cards in each hand, and how many of its continuations are known.
FIRST, SECOND, SIZE, TRIED = range(4)


@part
def place_while_possible(world: Ints, frame: Ints) -> None:
    """Place the cards of the turn, until one fits no row."""
    while frame[FIRST]:
        seat, card = frame[FIRST] // 1000, frame[FIRST] % 1000
        row = target(world, card)
        if row < 0:
            return
        world[SCORE + seat] += join(world, row, card)
        frame[FIRST], frame[SECOND] = frame[SECOND], 0


@part
def choose_cards(before: Ints, after: Ints, frame: Ints, deeper: Ints, own: int) -> None:
    """The next pair of cards is played."""
    size, ours, theirs = frame[SIZE], HANDS + STRIDE * own, HANDS + STRIDE * (1 - own)
    card, other = before[ours + frame[TRIED] // size], before[theirs + frame[TRIED] % size]
    after[:] = before
    drop(after, ours, size, card)
    drop(after, theirs, size, other)
    remove(after, card)
    remove(after, other)
    low, high = 1000 * own + card, 1000 * (1 - own) + other
    if card > other:
        low, high = high, low
    deeper[FIRST], deeper[SECOND], deeper[SIZE] = low, high, size - 1


@part
def choose_row(before: Ints, after: Ints, frame: Ints, deeper: Ints) -> None:
    """The owner of the first card takes the next row."""
    after[:] = before
    after[SCORE + frame[FIRST] // 1000] += take(after, frame[TRIED], frame[FIRST] % 1000)
    deeper[FIRST], deeper[SECOND], deeper[SIZE] = frame[SECOND], 0, frame[SIZE]


@jit
def solve(
    stack: Ints,
    size: int,
    own: int,
    first: int,
    totals: Ints,
    limit: int,
    rounds_left: int,
    blend: float,
    mixture: Floats,
) -> float:
    """The value of the position at the bottom of the stack, and the best chances of the own cards.

    `first` is a card still to be placed before the next turn, or 0. A stack, and no recursion: compiled functions that
    call themselves crash when Numba loads them from disk.
    """
    frames, known = np.zeros((len(stack), 4), np.int64), np.zeros((len(stack), MOST_CARDS**2))
    inner = np.zeros(MOST_CARDS)
    frames[0, FIRST], frames[0, SIZE] = first, size
    level, value = 0, 0.0
    place_while_possible(stack[0], frames[0])
    while level >= 0:
        frame = frames[level]
        left, choices = frame[SIZE], ROWS if frame[FIRST] else frame[SIZE] * frame[SIZE]
        if frame[TRIED] < choices:
            deeper = frames[level + 1]
            if frame[FIRST]:
                choose_row(stack[level], stack[level + 1], frame, deeper)
            else:
                choose_cards(stack[level], stack[level + 1], frame, deeper, own)
            deeper[TRIED] = 0
            level += 1
            place_while_possible(stack[level], deeper)
            continue
        if frame[FIRST]:
            value = known[level, :ROWS].max() if frame[FIRST] // 1000 == own else known[level, :ROWS].min()
        elif left == 0:
            value = worth(stack[level], own, 2, totals, limit, rounds_left, blend)
        else:
            matrix = known[level, : left * left].reshape(left, left)
            value = solve_matrix(matrix, left, left, inner if level else mixture)
        level -= 1
        if level >= 0:
            known[level, frames[level, TRIED]] = value
            frames[level, TRIED] += 1
    return value


def can_solve(now: Situation) -> bool:
    """Whether all is known, and little enough is left."""
    return now.seats == 2 and len(now.pool) == 0 and now.size <= MOST_CARDS


def exact_card(now: Situation, stakes: Stakes, seed: int) -> int:
    """A card by the best mixture."""
    stack, mixture, dice = np.zeros((_LEVELS, WORLD), np.int64), np.zeros(now.size), np.zeros(1, np.uint64)
    stack[0] = now.world
    solve(stack, now.size, now.seat, 0, *stakes, mixture)
    roll(dice, seed, 0)
    base, left = HANDS + STRIDE * now.seat, chance(dice)
    for at in range(now.size):
        left -= mixture[at]
        if left < 0:
            return int(now.world[base + at])
    return int(now.world[base + int(mixture.argmax())])


def exact_row(now: Situation, stakes: Stakes) -> int:
    """The best row, counted from 0."""
    stack, values = np.zeros((_LEVELS, WORLD), np.int64), []
    rest = int(1000 * now.queue[1] + (now.queued[1] >> 1)) if len(now.queue) > 1 else 0
    for row in range(ROWS):
        stack[0] = now.world
        stack[0, SCORE + now.seat] += take(stack[0], row, int(now.queued[0]) >> 1)
        values.append(solve(stack, now.size, now.seat, rest, *stakes, np.zeros(max(now.size, 1))))
    return int(np.argmax(values))
