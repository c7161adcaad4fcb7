"""Exact solution of the last turns as a simultaneous-move game, for two seats that know all cards.

Every turn is a matrix game whose entries are the values of the turns that follow; a choice under rule 4 in between is
an ordinary move. The value of a matrix and the best mixture of cards come from the simplex method.
"""

from __future__ import annotations

import numpy as np

from nimmt.fast.jit import Flat, Flats, jit, part, wide
from nimmt.fast.parts import NOWHERE, ROW, take_from_queue
from nimmt.games.six.kernels import advance, take, to_decide
from nimmt.games.six.search.policy import chance, reveal, roll
from nimmt.games.six.search.situation import MIND, Floats, Situation, Stakes
from nimmt.games.six.search.think import worth
from nimmt.games.six.types import ROWS

MAX_CARDS = 4
"""With one more card in each hand a decision can take seconds."""
_LEVELS = 3 * MAX_CARDS + 3
_TINY = 1e-9


@jit
def solve_matrix(matrix: Floats, rows: int, columns: int, mixture: Floats) -> float:
    """The value of a matrix game for the row player, and the optimal mixture over rows."""
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
        enters = 0  # Bland's rule: the first improving column, which rules out cycling
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


@part
def choose_cards(s: Flat, number: int, own: int) -> None:
    """The pair of cards with this number is played."""
    size = wide(s.sizes[own])
    s.chosen[own] = s.hands[own, number // size]
    s.chosen[1 - own] = s.hands[1 - own, number % size]
    reveal(s)


@part
def place_while_possible(s: Flat) -> None:
    """Place the cards of the turn, until one fits no row."""
    while advance(s):
        pass


@jit
def solve(stack: Flats, own: int, stakes: Stakes, mixture: Floats) -> float:
    """The value of the position at the bottom of the stack, and the optimal mixture over the seat's cards.

    An explicit stack instead of recursion: recursive kernels crash when Numba loads them from disk.
    """
    tried, known = np.zeros(len(stack), np.int64), np.zeros((len(stack), MAX_CARDS**2))
    inner = np.zeros(MAX_CARDS)
    level, value = 0, 0.0
    place_while_possible(stack[0])
    while level >= 0:
        s = stack[level]
        left, choosing_row = wide(s.sizes[own]), s.phase == ROW
        if tried[level] < (ROWS if choosing_row else left * left):
            stack[level + 1] = s
            deeper = stack[level + 1]
            if choosing_row:
                take(deeper, take_from_queue(deeper), tried[level])
            else:
                choose_cards(deeper, tried[level], own)
            place_while_possible(deeper)
            level += 1
            tried[level] = 0
            continue
        if choosing_row:
            values = known[level, :ROWS]
            value = values.max() if to_decide(s) == own else values.min()
        elif left == 0:
            value = worth(s, own, stakes)
        else:
            matrix = known[level, : left * left].reshape(left, left)
            value = solve_matrix(matrix, left, left, inner if level else mixture)
        level -= 1
        if level >= 0:
            known[level, tried[level]] = value
            tried[level] += 1
    return value


@jit
def take_row(stack: Flats, row: int) -> None:
    take(stack[0], take_from_queue(stack[0]), row)


@jit
def drawn(mixture: Floats, seed: int, minds: Flats) -> int:
    """Sample from a distribution; the most probable index if rounding leaves a remainder."""
    roll(minds[0], seed, 0)
    left = chance(minds[0])
    for at in range(len(mixture)):
        left -= mixture[at]
        if left < 0:
            return at
    return int(mixture.argmax())


def can_solve(now: Situation) -> bool:
    """Whether everything is known and few enough cards are left."""
    return now.seats == 2 and len(now.pool) == 0 and len(now.hand) <= MAX_CARDS


def exact_card(now: Situation, stakes: Stakes, seed: int) -> int:
    """A card drawn from the optimal mixture."""
    mixture = np.zeros(len(now.hand))
    solve(np.repeat(now.flat, _LEVELS), now.seat, stakes, mixture)
    return int(now.hand[drawn(mixture, seed, np.zeros(1, MIND))])


def exact_row(now: Situation, stakes: Stakes) -> int:
    """The best row, counted from 1."""
    values = []
    for row in range(ROWS):
        stack = np.repeat(now.flat, _LEVELS)
        take_row(stack, row)
        values.append(solve(stack, now.seat, stakes, np.zeros(max(len(now.hand), 1))))
    return int(np.argmax(values)) + 1
