"""How a table of Baron Oxx is drawn: cards with the bulls that the deck gives them, in rows with or without an end."""

from __future__ import annotations

from nimmt.drawing.pictures import Artist, New, column, numbered_row
from nimmt.drawing.things import Box, baron_card
from nimmt.games.baron.deck import shipped_deck
from nimmt.games.baron.types import Table


class TableArtist(Artist):
    def face(self, value: int) -> Box:
        deck = self.options.deck or shipped_deck()
        return baron_card(value, deck.cards[str(value)])

    def table(self, table: Table, new: New = ()) -> Box:
        places = None if table.options.colour_counts else 5
        rows = enumerate(table.rows, 1)
        return column([numbered_row(row, self.lying(cards, new), places) for row, cards in rows])
