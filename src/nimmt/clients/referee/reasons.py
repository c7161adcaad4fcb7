"""Why a number goes where it goes, in the games that compare numbers with the ends of rows."""

from __future__ import annotations

from collections.abc import Mapping

from nimmt.rules.game import Rows


def lower_ends(rows: Rows, value: int) -> dict[int, int]:
    """The ends below the value, by row."""
    return {row: cards[-1] for row, cards in enumerate(rows, 1) if cards and cards[-1] < value}


def closest(value: int, ends: Mapping[int, int], row: int) -> str:
    """Rules 1 and 2: of the ends that the value may follow the closest one is that of this row."""
    end = f"{ends[row]} (row {row})"
    if len(ends) == 1:
        return f"{end} is the only end that {value} may follow."
    return f"Of the ends that {value} may follow, {end} is the closest."


def none_lower(value: int, rows: Rows) -> str:
    """Rule 4 in its simple form."""
    lowest = min(cards[-1] for cards in rows if cards)
    return f"No row ends below {value}: the lowest end is {lowest}."
