"""How tables are drawn: an artist for each game, and a plain one for games that have none. New cards get a ring."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, TypeAlias

from nimmt.drawing.box import Box, above, beside
from nimmt.drawing.things import GAP, beyond, captioned, card, framed, plain_card, row_of, sign, slot
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Cards, Names, Rows, Seat
from nimmt.rules.kit.cards import BULLS
from nimmt.rules.kit.events import spaced

New: TypeAlias = Collection[int]


class Artist:
    """Draws what everybody sees of a table with these options and these people at it.

    A game changes what looks different there: `TableArtist` in its `drawing.py`.
    """

    def __init__(self, options: Any, names: Names) -> None:
        self.options = options
        self.names = names

    def face(self, value: int) -> Box:
        """The front of a card."""
        return plain_card(value)

    def lying(self, cards: Sequence[int], new: New = ()) -> list[Box]:
        return [framed(self.face(value)) if value in new else self.face(value) for value in cards]

    def table(self, table: Any, new: New = ()) -> Box:
        """What lies in the middle, and before the seats."""
        rows = enumerate(_rows(table), 1)
        return column([numbered_row(row, self.lying(cards, new), None) for row, cards in rows])

    def spread(self, table: Any) -> Iterator[Box]:
        """What else lies open, above the table."""
        del table
        return iter(())

    def open_cards(self, table: Any) -> set[int]:
        """The cards that everybody sees."""
        return {value for cards in _rows(table) for value in cards}

    def in_words(self, table: Any) -> str:
        """The table for those who cannot see it."""
        return " ".join(f"Row {row}: {spaced(cards)}." for row, cards in enumerate(_rows(table), 1))

    # -- what happens -----------------------------------------------------------------------------------------

    def played(self, event: Any) -> Iterator[Box]:
        """The cards that an event reveals or lays."""
        # Others that list plays tell of a new order only.
        for play in event.plays if type(event).__name__ == "CardsRevealed" else ():
            yield self.play(play)

    def play(self, play: Any) -> Box:
        return captioned(self.face(play.card), self.owner(play.seat))

    def used(self, event: Any) -> Iterator[Box]:
        """The special card that is used, if that is what happens."""
        del event
        return iter(())

    def taken(self, event: Any) -> Cards:
        """The cards that somebody takes."""
        return getattr(event, "taken", None) or ()

    def owner(self, seat: Seat | None) -> str:
        return "team" if seat is None else self.names[seat]


class NumberedArtist(Artist):
    """For games with the 104 cards of 6 nimmt!"""

    def face(self, value: int) -> Box:
        return card(value, BULLS[value])


def artist_of(game: AnyGame, table: Any, names: Names) -> Artist:
    make: type[Artist] = getattr(registry.part(game.id, "drawing"), "TableArtist", Artist)
    return make(table.options, names)


def _rows(table: Any) -> Rows:
    # Not every game has rows.
    return getattr(table, "rows", ())


# -- what several games lay out alike -----------------------------------------------------------------------------


def places(cards: Sequence[Box], number: int | None) -> Box:
    """A row with its empty places and the place that takes it; None: a row of any length."""
    if number is None:
        return row_of(cards)
    return row_of([*cards, *[slot()] * (number - len(cards)), beyond()])


def numbered_row(row: int, cards: Sequence[Box], number: int | None, before: Sequence[Box] = ()) -> Box:
    return beside([sign(str(row)), *before, places(cards, number)], gap=GAP)


def column(rows: Sequence[Box]) -> Box:
    return above(rows, gap=8)
