"""The tables of the games: what everybody sees of a state, drawn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from drawing.box import Box, above, beside, space
from drawing.symbols import CARD_H, CARD_W
from drawing.things import (
    GAP,
    ICONS,
    card,
    cow_card,
    framed,
    row_of,
    sign,
    slot,
    special,
    wooden_sign,
)
from nimmt.rules.game import Cards
from nimmt.rules.kit.cards import BULLS

New = Collection[int]
"""Cards that were not there in the picture before: they get a ring."""


def numbered(value: int, new: New = ()) -> Box:
    drawn = card(value, BULLS[value])
    return framed(drawn) if value in new else drawn


def _row(cards: Sequence[Box], places: int) -> Box:
    """A row with its empty places, and the place that takes it."""
    empty = [slot() for _ in range(places - len(cards))]
    beyond = [slot(forbidden=True)] if len(cards) <= places else []
    return row_of([*cards, *empty, *beyond])


# -- 6 nimmt! -----------------------------------------------------------------------------------------------------

_FAN_COLOUR = "#2d6a8e"


def six(state, new: New = ()) -> Box:  # noqa: ANN001
    table = state.table
    if not table.rows:
        return six_pool(table.pool)
    markers = any((table.markers.even_odd, table.markers.mountain))
    return above([_six_row(table, row, new, markers) for row in range(1, len(table.rows) + 1)], gap=8)
