"""How a table of X nimmt! is drawn: rows with wooden signs, and an X row before everybody who has one."""

from __future__ import annotations

from typing import Any

from nimmt.drawing.pictures import New, NumberedArtist, column, places
from nimmt.drawing.things import GAP, Box, beside, overlapped, pill, row_of, scaled, wooden_sign
from nimmt.games.x.types import TAKING, Table
from nimmt.rules.game import Seat


class TableArtist(NumberedArtist):
    def table(self, table: Table, new: New = ()) -> Box:
        rows = [
            beside([wooden_sign(str(taking)), places(self.lying(cards, new), taking - 1)], gap=GAP)
            for taking, cards in zip(TAKING, table.rows, strict=False)  # no rows before the deal
        ]
        seats = [seat for seat in range(table.seats) if table.x_rows[seat] or table.x_piles[seat]]
        return column([*rows, *(self._x_row(table, seat, new) for seat in seats)])

    def _x_row(self, table: Table, seat: Seat, new: New) -> Box:
        """In front of a player: the X pile, the X sign, the X row."""
        piled = [overlapped(self.lying(table.x_piles[seat]), 36)] if table.x_piles[seat] else []
        cards = row_of(self.lying(table.x_rows[seat], new))
        return beside([pill(self.owner(seat)), scaled(beside([*piled, wooden_sign("X"), cards], gap=GAP), 0.8)], gap=10)

    def open_cards(self, table: Any) -> set[int]:
        return super().open_cards(table) | {card for cards in table.x_rows for card in cards}
