"""Where a card goes: rules 1 and 2 with `closest_row`, and rule 3."""

from __future__ import annotations

from itertools import pairwise

from nimmt.games.x.types import ROWS, TAKING
from nimmt.rules.game import Cards, Foreseen, Rows
from nimmt.rules.kit.cards import closest_row, foresee_rows


def is_full(rows: Rows, row: int) -> bool:
    """Rule 3: one more card would take the row."""
    return len(rows[row - 1]) + 1 >= TAKING[row - 1]


def foresee(rows: Rows, card: int) -> tuple[Foreseen, ...]:
    row = closest_row(rows, card)
    return foresee_rows(rows, row, row is not None and is_full(rows, row), range(1, ROWS + 1), "smallest-difference")


def leaving(x_row: Cards, card: int) -> Cards:
    """What must leave an X row for the X pile before the card joins it, as X rows ascend."""
    return x_row if x_row and card < x_row[-1] else ()


def ascending(cards: Cards) -> bool:
    return all(left < right for left, right in pairwise(cards))
