"""The tables of the games: what everybody can see of a state, drawn. New cards get a ring."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from drawing.box import Box, above, beside, space
from drawing.symbols import CARD_W
from drawing.things import (
    FAN_COLOUR,
    GAP,
    ICONS,
    SPECIAL_COLOUR,
    back,
    baron_card,
    beyond,
    bull_card,
    captioned,
    card,
    cow_card,
    framed,
    overlapped,
    pile,
    pill,
    row_of,
    scaled,
    sign,
    slot,
    special,
    wooden_sign,
)
from nimmt.games.baron.deck import shipped_deck
from nimmt.games.buffalo.events import PRINTED
from nimmt.games.buffalo.types import kind
from nimmt.games.x.types import TAKING
from nimmt.rules.kit.cards import BULLS

NAMES = ("Anna", "Ben", "Cem", "Dora", "Emil", "Fay")
New = Collection[int]


def _ringed(box: Box, value: int, new: New) -> Box:
    return framed(box) if value in new else box


def numbered(value: int, new: New = ()) -> Box:
    return _ringed(card(value, BULLS[value]), value, new)


def coloured(value: int, new: New = ()) -> Box:
    return _ringed(baron_card(value, shipped_deck().cards[str(value)]), value, new)


def _row(cards: Sequence[Box], places: int | None) -> Box:
    """A row with its empty places and the place that takes it; None: a row of any length."""
    if places is None:
        return row_of(cards)
    return row_of([*cards, *[slot()] * (places - len(cards)), beyond()])


def _column(rows: Sequence[Box]) -> Box:
    return above(rows, gap=8)


# -- 6 nimmt! -----------------------------------------------------------------------------------------------------


def six(state: Any, new: New = ()) -> Box:
    table = state.table
    if not table.rows:
        return six_pool(state)
    marked = table.markers.even_odd is not None or table.markers.mountain is not None
    return _column([_six_row(table, row, marked, new) for row in range(1, len(table.rows) + 1)])


def _six_row(table: Any, row: int, marked: bool, new: New) -> Box:
    cards = [numbered(value, new) for value in table.rows[row - 1]]
    if table.markers.cow == row:
        cards.append(cow_card())
    markers = _six_markers(table.markers, row) or ([space(CARD_W)] if marked else [])
    return beside([sign(str(row)), *markers, _row(cards, 5)], gap=GAP)


def _six_markers(markers: Any, row: int) -> list[Box]:
    shown = []
    if markers.even_odd is not None and markers.even_odd.row == row:
        parity = markers.even_odd.parity
        shown.append(special(f"{parity} only", ICONS[parity], FAN_COLOUR))
    if markers.mountain is not None and markers.mountain.row == row:
        shown.append(special("descend", ICONS[markers.mountain.arrows], FAN_COLOUR))
    return shown


def six_pool(state: Any) -> Box:
    """The draft: what lies in the middle, and what everybody has picked."""
    pool = state.table.pool
    lines = [
        row_of([scaled(numbered(value), 0.75) for value in pool[start : start + 10]])
        for start in range(0, len(pool), 10)
    ]
    picks = [
        beside([pill(NAMES[seat]), row_of([scaled(numbered(value), 0.75) for value in cards])], gap=10)
        for seat, cards in enumerate(state.table.drafted)
    ]
    return above([*lines, space(0, 6), *picks], gap=8)


# -- Beat the Buffalo ---------------------------------------------------------------------------------------------

SPECIAL_ICONS = {
    "Take7": "take-7",
    "Stop": "stop",
    "Swap": "swap",
    "Insert": "insert",
    "Push": "push",
    "First": "first",
    "Last": "last",
    "Sort": "sort",
}


def special_card(name: str) -> Box:
    return special(PRINTED[name], ICONS[SPECIAL_ICONS[name]], SPECIAL_COLOUR)  # type: ignore[index]


def buffalo(state: Any, new: New = ()) -> Box:
    table = state.table
    lying = max(len(cards) for cards in table.beside)
    return _column([_buffalo_row(table, row, lying, new) for row in range(1, len(table.rows) + 1)])


def _buffalo_row(table: Any, row: int, lying: int, new: New) -> Box:
    specials = [special_card(kind(value)) for value in table.beside[row - 1]]
    gap = [space(CARD_W)] * (lying - len(specials))
    seventh = any(kind(value) == "Take7" for value in table.beside[row - 1])
    cards = [numbered(value, new) for value in table.rows[row - 1]]
    return beside([sign(str(row)), *gap, *specials, _row(cards, 6 if seventh else 5)], gap=GAP)


# -- X nimmt! -----------------------------------------------------------------------------------------------------


def x(state: Any, new: New = ()) -> Box:
    table = state.table
    rows = [
        beside([wooden_sign(str(taking)), _row([numbered(value, new) for value in cards], taking - 1)], gap=GAP)
        for taking, cards in zip(TAKING, table.rows, strict=True)
    ]
    seats = [seat for seat in range(table.seats) if table.x_rows[seat] or table.x_piles[seat]]
    return _column([*rows, *(x_row(table, seat, new) for seat in seats)])


def x_row(table: Any, seat: int, new: New) -> Box:
    """In front of a player: the X pile, the X sign, the X row."""
    piled = overlapped([numbered(value) for value in table.x_piles[seat]], 36)
    cards = row_of([numbered(value, new) for value in table.x_rows[seat]])
    owner = pill(NAMES[seat])
    parts = [piled] if table.x_piles[seat] else []
    return beside([owner, scaled(beside([*parts, wooden_sign("X"), cards], gap=GAP), 0.8)], gap=10)


# -- 11 nimmt! ----------------------------------------------------------------------------------------------------


def eleven(state: Any, new: New = ()) -> Box:
    table = state.table
    draw = captioned(back(), f"{table.draw_left} left") if table.draw_left else space(CARD_W)
    piles = [captioned(pile(numbered(top, new)), f"pile {number}") for number, top in enumerate(table.tops, 1)]
    owners = [seat for seat in range(table.seats) if table.bull_cards[seat]]
    bulls = [
        beside([pill(NAMES[seat]), scaled(overlapped([bull_card()] * table.bull_cards[seat], 14), 0.6)], gap=8)
        for seat in owners
    ]
    return above([beside([draw, space(4), *piles], gap=10), beside(bulls, gap=16)], gap=12)


# -- Baron Oxx ----------------------------------------------------------------------------------------------------


def baron(state: Any, new: New = ()) -> Box:
    places = None if state.table.options.colour_counts else 5
    return _column(
        [
            beside([sign(str(row)), _row([coloured(value, new) for value in cards], places)], gap=GAP)
            for row, cards in enumerate(state.table.rows, 1)
        ]
    )


TABLES = {"six": six, "buffalo": buffalo, "x": x, "eleven": eleven, "baron": baron}
FACES = {"six": numbered, "buffalo": numbered, "x": numbered, "eleven": numbered, "baron": coloured}
