"""How a table of Beat the Buffalo is drawn: special cards beside the rows and face up, and the buffalo's own cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from nimmt.drawing.pictures import New, NumberedArtist, Words, column, numbered_row
from nimmt.drawing.things import (
    CARD_W,
    ICONS,
    SPECIAL_COLOUR,
    Box,
    beside,
    captioned,
    of_the_buffalo,
    pill,
    row_of,
    space,
    special,
)
from nimmt.games.buffalo.events import PRINTED, SpecialUsed
from nimmt.games.buffalo.types import BUFFALO, Play, Table, kind
from nimmt.rules.game import Seat

SPECIAL_ICONS: dict[str, str] = {
    "Take7": "take-7",
    "Stop": "stop",
    "Swap": "swap",
    "Insert": "insert",
    "Push": "push",
    "First": "first",
    "Last": "last",
    "Sort": "sort",
}


class TableArtist(NumberedArtist):
    words: ClassVar[Words] = {
        "en": {**{str(kind): words for kind, words in PRINTED.items()}, "buffalo": "buffalo", "face up": "face up"},
        "de": {
            "Take7": "7 nimmt!",
            "Stop": "Stopp!",
            "Swap": "Tauschen!",
            "Insert": "Einschieb.",
            "Push": "Verschieb.",
            "First": "Erste Karte",
            "Last": "Letzte K.",
            "Sort": "Sortieren",
            "buffalo": "Büffel",
            "face up": "offen",
        },
        "pl": {
            "Take7": "7. bierze!",
            "Stop": "Stop!",
            "Swap": "Zamiana!",
            "Insert": "Wsuń!",
            "Push": "Przepchnij!",
            "First": "Pierwsza",
            "Last": "Ostatnia",
            "Sort": "Sortowanie",
            "buffalo": "bawół",
            "face up": "odkryte",
        },
        "ru": {
            "Take7": "7-ой берёт!",
            "Stop": "Стоп!",
            "Swap": "Замена!",
            "Insert": "Вставь!",
            "Push": "Передвинь!",
            "First": "Первая",
            "Last": "Последняя",
            "Sort": "Порядок",
            "buffalo": "буйвол",
            "face up": "открыты",
        },
    }

    def special_card(self, name: str) -> Box:
        return special(self.word(name), ICONS[SPECIAL_ICONS[name]], SPECIAL_COLOUR)

    def shown(self, value: int | str) -> Box:
        return self.special_card(value) if isinstance(value, str) else super().shown(value)

    def table(self, table: Table, new: New = ()) -> Box:
        lying = max(map(len, table.beside), default=0)
        return column([self._row(table, row, lying, new) for row in range(1, len(table.rows) + 1)])

    def _row(self, table: Table, row: int, lying: int, new: New) -> Box:
        kinds = [kind(value) for value in table.beside[row - 1]]
        gap = [space(CARD_W)] * (lying - len(kinds))
        specials = [*gap, *map(self.special_card, kinds)]
        return numbered_row(row, self.lying(table.rows[row - 1], new), 6 if "Take7" in kinds else 5, specials)

    def spread(self, table: Table) -> Iterator[Box]:
        """The special cards that the team may use."""
        if table.face_up:
            cards = row_of([self.special_card(kind(value)) for value in table.face_up])
            yield beside([pill(self.word("face up"), 84), cards], gap=10)

    def play(self, play: Play) -> Box:
        box = self.face(play.card)
        return captioned(of_the_buffalo(box) if play.seat == BUFFALO else box, self.owner(play.seat))

    def used(self, event: Any) -> Iterator[Box]:
        # Lifting a card uses none.
        name: Any = type(event.use).__name__ if isinstance(event, SpecialUsed) else None
        if name in SPECIAL_ICONS:
            yield self.special_card(name)

    def owner(self, seat: Seat | None) -> str:
        return self.word("buffalo") if seat == BUFFALO else super().owner(seat)
