"""How a table of 6 nimmt! is drawn: rows of five places, fan cards, the draft."""

from __future__ import annotations

from typing import ClassVar

from nimmt.drawing.pictures import New, NumberedArtist, Words, column, numbered_row
from nimmt.drawing.things import (
    CARD_W,
    FAN_COLOUR,
    ICONS,
    Box,
    above,
    beside,
    captioned,
    cow_card,
    pill,
    row_of,
    scaled,
    space,
    special,
)
from nimmt.games.six.types import Markers, Play, Table
from nimmt.rules.game import Cards
from nimmt.rules.kit.events import spaced


class TableArtist(NumberedArtist):
    words: ClassVar[Words] = {
        "en": {"even": "even only", "odd": "odd only", "descend": "descend"},
        "de": {"even": "gerade", "odd": "ungerade", "descend": "abwärts"},
        "pl": {"even": "parzyste", "odd": "nieparz.", "descend": "w dół"},
        "ru": {"even": "чётные", "odd": "нечётные", "descend": "вниз"},
    }

    def table(self, table: Table, new: New = ()) -> Box:
        if not table.rows:
            return self._pool(table)
        rows = range(1, len(table.rows) + 1)
        lying = max(len(self._markers(table.markers, row)) for row in rows)
        return column([self._row(table, row, lying, new) for row in rows])

    def _row(self, table: Table, row: int, lying: int, new: New) -> Box:
        cards = self.lying(table.rows[row - 1], new)
        if table.markers.cow == row:
            cards.append(cow_card())
        markers = self._markers(table.markers, row)
        return numbered_row(row, cards, 5, [*[space(CARD_W)] * (lying - len(markers)), *markers])

    def _pool(self, table: Table) -> Box:
        """The draft: what lies in the middle, and what everybody has picked."""
        lines = [self._small(table.pool[start : start + 10]) for start in range(0, len(table.pool), 10)]
        picks = [
            beside([pill(self.owner(seat)), self._small(cards)], gap=10) for seat, cards in enumerate(table.drafted)
        ]
        return above([*lines, space(0, 6), *picks], gap=8)

    def _small(self, cards: Cards) -> Box:
        return row_of([scaled(self.face(value), 0.75) for value in cards])

    def in_words(self, table: Table) -> str:
        if table.rows:
            return super().in_words(table)
        picked = [f"{self.owner(seat)}: {spaced(cards)}." for seat, cards in enumerate(table.drafted)]
        return " ".join([f"In the middle: {spaced(table.pool)}.", *picked])

    def play(self, play: Play) -> Box:
        if not play.twisted:
            return super().play(play)
        twist = special(f"{play.card:02} → {play.value:02}", ICONS["twist"], FAN_COLOUR)
        return captioned(row_of([self.face(play.card), twist]), self.owner(play.seat))

    def _markers(self, markers: Markers, row: int) -> list[Box]:
        shown = []
        if markers.even_odd is not None and markers.even_odd.row == row:
            parity = markers.even_odd.parity
            shown.append(special(self.word(parity), ICONS[parity], FAN_COLOUR))
        if markers.mountain is not None and markers.mountain.row == row:
            shown.append(special(self.word("descend"), ICONS[markers.mountain.arrows], FAN_COLOUR))
        return shown
