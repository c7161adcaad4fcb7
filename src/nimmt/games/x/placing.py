"""Where a card goes: rules 1 to 3."""

from __future__ import annotations

from itertools import pairwise

from nimmt.games.x.types import ROWS, TAKING
from nimmt.rules.game import Cards, Foreseen, Rows
from nimmt.rules.kit.cards import foresee_rows


def target_row(rows: Rows, card: int) -> int | None:
    """Rules 1 and 2: of the rows with a lower end the one with the highest; None if there is none."""
    closest, target = 0, None
    for row, cards in enumerate(rows, 1):
        if closest < cards[-1] < card:
            closest, target = cards[-1], row
    return target


def is_full(rows: Rows, row: int) -> bool:
    """Rule 3: one more card would take the row."""
    return len(rows[row - 1]) + 1 >= TAKING[row - 1]


def foresee(rows: Rows, card: int) -> tuple[Foreseen, ...]:
    row = target_row(rows, card)
    return foresee_rows(rows, row, row is not None and is_full(rows, row), range(1, ROWS + 1), "smallest-difference")


def ascending(cards: Cards) -> bool:
    return all(left < right for left, right in pairwise(cards))
