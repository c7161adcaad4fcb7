"""How a table of 11 nimmt! is drawn: piles, the draw pile, and the bull cards of those who have some."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from nimmt.drawing.pictures import New, NumberedArtist, Words
from nimmt.drawing.things import (
    CARD_W,
    Box,
    above,
    back,
    beside,
    bull_card,
    captioned,
    overlapped,
    pile,
    pill,
    scaled,
    space,
)
from nimmt.games.eleven.types import CardLaid, PileTaken, Table
from nimmt.rules.game import Cards


class TableArtist(NumberedArtist):
    words: ClassVar[Words] = {
        "en": {"left": "{} left", "pile": "pile {}"},
        "de": {"left": "noch {}", "pile": "Stapel {}"},
        "pl": {"left": "jeszcze {}", "pile": "stos {}"},
        "ru": {"left": "ещё {}", "pile": "стопка {}"},
    }

    def table(self, table: Table, new: New = ()) -> Box:
        draw = captioned(back(), self.word("left").format(table.draw_left)) if table.draw_left else space(CARD_W)
        tops = self.lying(table.tops, new)
        piles = [captioned(pile(top), self.word("pile").format(number)) for number, top in enumerate(tops, 1)]
        bulls = [
            beside([pill(self.owner(seat)), scaled(overlapped([bull_card()] * owned, 14), 0.6)], gap=8)
            for seat, owned in enumerate(table.bull_cards)
            if owned
        ]
        return above([beside([draw, space(4), *piles], gap=10), beside(bulls, gap=16)], gap=12)

    def open_cards(self, table: Table) -> set[int]:
        return set(table.tops)

    def in_words(self, table: Table) -> str:
        return f"Piles with {', '.join(map(str, table.tops))} on top."

    def played(self, event: Any) -> Iterator[Box]:
        if isinstance(event, CardLaid):
            yield captioned(self.face(event.card), self.owner(event.seat))

    def taken(self, event: Any) -> Cards:
        return (event.cards or ()) if isinstance(event, PileTaken) else ()
