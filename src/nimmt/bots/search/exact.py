"""Two seats that know all cards: the last turns as the simultaneous-move game that they are, solved exactly.

Every turn is a matrix game whose entries are the values of the turns that follow; a choice under rule 4 in between is
an ordinary move. The value of a matrix and the best mixture of cards come from the simplex method.
"""

from __future__ import annotations

import numpy as np

from nimmt.bots.search.board import NOWHERE, ROWS, join, take, target
from nimmt.bots.search.policy import chance
from nimmt.bots.search.rollout import drop, remove, roll
from nimmt.bots.search.think import worth
from nimmt.bots.search.types import HANDS, SCORE, STRIDE, WORLD, Floats, Ints, Situation, Stakes
from nimmt.fast.jit import jit

MOST_CARDS = 5
"""With so many cards in each hand a decision takes some tens of milliseconds."""
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


@jit
def solve(
    stack: Ints,
    level: int,
    size: int,
    own: int,
    first: int,
    second: int,
    totals: Ints,
    limit: int,
    rounds_left: int,
    blend: float,
    mixture: Floats,
) -> float:
    """The value of the position at this level of the stack.

    `first` and `second` are cards still to be placed in this turn, as 1000 times the seat plus the card, or 0.
    """
    world = stack[level]
    while first:
        seat, card = first // 1000, first % 1000
        row = target(world, card)
        if row < 0:
            best = -np.inf
            sign = 1.0 if seat == own else -1.0
            for choice in range(ROWS):
                stack[level + 1] = stack[level]
                stack[level + 1, SCORE + seat] += take(stack[level + 1], choice, card)
                value = solve(
                    stack, level + 1, size, own, second, 0, totals, limit, rounds_left, blend, np.zeros(MOST_CARDS)
                )
                best = max(best, sign * value)
            return sign * best
        world[SCORE + seat] += join(world, row, card)
        first, second = second, 0
    if size == 0:
        return worth(world, own, 2, totals, limit, rounds_left, blend)
    matrix, ours, theirs = np.zeros((size, size)), HANDS + STRIDE * own, HANDS + STRIDE * (1 - own)
    inner = np.zeros(size)
    for one in range(size):
        for two in range(size):
            card, other = stack[level, ours + one], stack[level, theirs + two]
            stack[level + 1] = stack[level]
            drop(stack[level + 1], ours, size, card)
            drop(stack[level + 1], theirs, size, other)
            remove(stack[level + 1], card)
            remove(stack[level + 1], other)
            low, high = 1000 * own + card, 1000 * (1 - own) + other
            if card > other:
                low, high = high, low
            matrix[one, two] = solve(
                stack, level + 1, size - 1, own, low, high, totals, limit, rounds_left, blend, inner
            )
    return solve_matrix(matrix, size, size, mixture)


def can_solve(now: Situation) -> bool:
    """Whether all is known, and little enough is left."""
    return now.seats == 2 and len(now.pool) == 0 and now.size <= MOST_CARDS


def exact_card(now: Situation, stakes: Stakes, seed: int) -> int:
    """A card by the best mixture."""
    stack, mixture, dice = np.zeros((_LEVELS, WORLD), np.int64), np.zeros(now.size), np.zeros(1, np.uint64)
    stack[0] = now.world
    solve(stack, 0, now.size, now.seat, 0, 0, *stakes, mixture)
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
        values.append(solve(stack, 0, now.size, now.seat, rest, 0, *stakes, np.zeros(max(now.size, 1))))
    return int(np.argmax(values))
