"""Whole pictures: a table, or a table before and after, and the words for those who cannot see them."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any, NamedTuple

from nimmt.drawing.box import Box, above, beside, padded, space
from nimmt.drawing.symbols import definitions
from nimmt.drawing.tables import Artist, artist_of
from nimmt.drawing.things import arrow, bull_count, heading, line, pill, row_of, scaled
from nimmt.rules.game import AnyGame, Cards, Event, Names, Seat

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


def moment(game: AnyGame, state: Any, names: Names, hands: Iterable[Seat] = ()) -> Picture:
    """A table, and the hands of some seats below it."""
    artist, table = artist_of(game, state.table, names), state.table
    held = [_hand(artist, seat, state.hands[seat]) for seat in hands]
    return Picture(above([*artist.spread(table), artist.table(table), *held], gap=16), artist.in_words(table))


def _hand(artist: Artist, seat: Seat, cards: Cards) -> Box:
    return beside([pill(f"{artist.owner(seat)}’s hand", 84), row_of(artist.lying(cards))], gap=10)


# -- a turn -------------------------------------------------------------------------------------------------------


def turn(game: AnyGame, before: Any, events: Sequence[Event], after: Any, names: Names) -> Picture:
    """A table before and after, with what was played and taken."""
    artist = artist_of(game, before.table, names)
    new = artist.open_cards(after.table) - artist.open_cards(before.table)
    table = artist.table(before.table)
    left = _panel("before", table, list(_played(artist, events)))
    right = _panel("after", artist.table(after.table, new), list(_takings(artist, events)))
    used = [box for event in events for box in artist.used(event)]
    middle = above([arrow(), *used], gap=10, align="middle")
    middle = above([space(0, max(table.height - middle.height, 0) / 2), middle], gap=20)
    told = [event.tell(names) for event in events if type(event).__name__ not in _UNTOLD]
    words = [f"Before. {artist.in_words(before.table)}", *told, f"After. {artist.in_words(after.table)}"]
    return Picture(beside([left, middle, right], gap=18, align="start"), " ".join(words))


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
            yield beside([pill(f"{owner} takes", 84), mini, *count], gap=10)
