"""How tables are drawn, and whole pictures of them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

from nimmt.drawing.things import (
    GAP,
    Box,
    above,
    arrow,
    arrow_down,
    beside,
    beyond,
    bull_count,
    captioned,
    card,
    definitions,
    framed,
    heading,
    line,
    padded,
    pill,
    plain_card,
    row_of,
    scaled,
    sign,
    slot,
    space,
)
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Cards, Event, Names, Rows, Seat
from nimmt.rules.kit.cards import BULLS
from nimmt.rules.kit.events import spaced

# -- tables ------------------------------------------------------------------------------------------------------------
# How tables are drawn: an artist for each game, and a plain one for games that have none. New cards get a ring.

New: TypeAlias = Collection[int]
Words: TypeAlias = Mapping[str, Mapping[str, str]]
"""For each language what stands in pictures."""

WORDS: Words = {
    "en": {"before": "before", "after": "after", "takes": "{} takes", "hand": "{}’s hand", "team": "team"},
    "de": {"before": "vorher", "after": "nachher", "takes": "{} nimmt", "hand": "Hand: {}", "team": "Team"},
    "pl": {"before": "przed", "after": "po", "takes": "{} bierze", "hand": "Ręka: {}", "team": "drużyna"},
    "ru": {"before": "до", "after": "после", "takes": "{} берёт", "hand": "Рука: {}", "team": "команда"},
}

Layout: TypeAlias = Literal["wide", "tall"]
"""Before and after side by side, or one below the other, for a phone."""


class Artist:
    """Draws what everybody sees of a table with these options and these people at it.

    A game changes what looks different there: `TableArtist` in its `drawing.py`.
    """

    words: ClassVar[Words] = {}
    """What the game's own things are called in pictures."""

    def __init__(self, options: Any, names: Names, language: str = "en") -> None:
        self.options = options
        self.names = names
        self.language = language

    def word(self, name: str) -> str:
        return {**WORDS[self.language], **self.words.get(self.language, {})}[name]

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
        return self.word("team") if seat is None else self.names[seat]

    def shown(self, value: int | str) -> Box:
        """A card for itself, by its number or, if it has none, by its name."""
        return self.face(int(value))


class NumberedArtist(Artist):
    """For games with the 104 cards of 6 nimmt!"""

    def face(self, value: int) -> Box:
        return card(value, BULLS[value])


def artist_of(game: AnyGame, table: Any, names: Names, language: str = "en") -> Artist:
    make: type[Artist] = getattr(registry.part(game.id, "drawing"), "TableArtist", Artist)
    return make(table.options, names, language)


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


# -- pictures ----------------------------------------------------------------------------------------------------------
# Whole pictures: a table, or a table before and after, and the words for those who cannot see them.

_UNTOLD = {
    "CardChosen",
    "SeatPassed",
    "RoundEnded",
    "MatchEnded",
    "PointsCounted",
    "HandsCounted",
    "HandsShown",
    "LeftCounted",
    "SpecialsRevealed",
    "CardsDrawn",
}
"""Events that a picture of one turn has no place for."""


class Picture(NamedTuple):
    """What is drawn, and the same in words."""

    box: Box
    words: str

    def svg(self, title: str) -> str:
        """The document."""
        return document(title, self.words, padded(self.box, 22, 20))


def document(title: str, words: str, box: Box) -> str:
    width, height = round(box.width), round(box.height)
    felt = f'<rect width="{width}" height="{height}" rx="16" fill="url(#felt)"/>'
    inner = f'x="5" y="5" width="{round(box.width) - 10}" height="{round(box.height) - 10}" rx="12"'
    rim = f'<rect {inner} fill="none" stroke="#fff" stroke-opacity=".14"/>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' role="img" aria-labelledby="title desc">\n<title id="title">{escape(title)}</title>\n'
        f'<desc id="desc">{escape(words)}</desc>\n{definitions(box.svg)}\n{felt}{rim}\n{box.svg}\n</svg>\n'
    )


def as_image(svg: str, words: str) -> str:
    """An element for a page that may hold many pictures: their styles and names do not meet."""
    data = b64encode(svg.encode()).decode()
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(words)}" style="max-width:100%">'


# -- a table ------------------------------------------------------------------------------------------------------


def moment(
    game: AnyGame, state: Any, names: Names, hands: Iterable[Seat] = (), language: str = "en", layout: Layout = "wide"
) -> Picture:
    """A table, and the hands of some seats below it."""
    artist, table = artist_of(game, state.table, names, language), state.table
    held = [_hand(artist, seat, state.hands[seat], layout) for seat in hands]
    return Picture(above([*artist.spread(table), artist.table(table), *held], gap=16), artist.in_words(table))


def _hand(artist: Artist, seat: Seat, cards: Cards, layout: Layout) -> Box:
    name = pill(artist.word("hand").format(artist.owner(seat)), 84)
    if layout == "wide":
        return beside([name, row_of(artist.lying(cards))], gap=10)
    return above([name, *map(row_of, _lines(artist.lying(cards)))], gap=8)


def _lines(boxes: Sequence[Box], most: int = 5) -> Iterator[Sequence[Box]]:
    """In as many lines as are needed, all of about the same length."""
    lines = max(-(-len(boxes) // most), 1)
    length = -(-len(boxes) // lines)
    for start in range(0, len(boxes), length):
        yield boxes[start : start + length]


def gallery(artist: Artist, cards: Sequence[tuple[int | str, str]], layout: Layout = "wide") -> Picture:
    """Cards side by side, each with words below."""
    boxes = [captioned(artist.shown(value), words, 60) for value, words in cards]
    lines = [boxes] if layout == "wide" else _lines(boxes)
    told = "; ".join(f"{value}: {words}" for value, words in cards)
    return Picture(above([beside(line, gap=10, align="start") for line in lines], gap=16), f"{told}.")


# -- a turn -------------------------------------------------------------------------------------------------------


def turn(
    game: AnyGame,
    before: Any,
    events: Sequence[Event],
    after: Any,
    names: Names,
    language: str = "en",
    layout: Layout = "wide",
) -> Picture:
    """A table before and after, with what was played and taken."""
    artist = artist_of(game, before.table, names, language)
    new = artist.open_cards(after.table) - artist.open_cards(before.table)
    table = artist.table(before.table)
    first = _panel(artist.word("before"), table, list(_played(artist, events)))
    second = _panel(artist.word("after"), artist.table(after.table, new), list(_takings(artist, events)))
    used = [box for event in events for box in artist.used(event)]
    told = [event.tell(names) for event in events if type(event).__name__ not in _UNTOLD]
    words = [f"Before. {artist.in_words(before.table)}", *told, f"After. {artist.in_words(after.table)}"]
    return Picture(_in_order(first, used, second, table.height, layout), " ".join(words))


def _in_order(first: Box, used: Sequence[Box], second: Box, height: float, layout: Layout) -> Box:
    if layout == "tall":
        width = max(first.width, second.width)
        middle = beside([arrow_down(), *used], gap=14)
        return above([first, padded(middle, max(width - middle.width, 0) / 2, 0), second], gap=12)
    middle = above([arrow(), *used], gap=10, align="middle")
    middle = above([space(0, max(height - middle.height, 0) / 2), middle], gap=20)
    return beside([first, middle, second], gap=18, align="start")


def _panel(words: str, table: Box, strips: list[Box]) -> Box:
    """A table, and what was played or taken below a line."""
    below = [line(table.width), *strips] if strips else []
    return above([heading(words), table, *below], gap=12)


def _played(artist: Artist, events: Sequence[Event]) -> Iterator[Box]:
    """The cards that were revealed, in their order, or laid one after the other."""
    cards = [box for event in events for box in artist.played(event)]
    if cards:
        yield beside(cards, gap=10, align="start")


def _takings(artist: Artist, events: Sequence[Event]) -> Iterator[Box]:
    for event in events:
        if cards := artist.taken(event):
            owner = artist.owner(getattr(event, "seat", None))
            mini = row_of([scaled(artist.face(value), 0.62) for value in cards])
            count = [bull_count(event.bulls)] if hasattr(event, "bulls") else []
            yield beside([pill(artist.word("takes").format(owner), 84), mini, *count], gap=10)
