"""Whole pictures: tables before and after, galleries of cards, and the words for those who cannot see them."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from drawing.box import Box, above, beside, padded, space
from drawing.story import Description, Story, tell
from drawing.symbols import definitions
from drawing.tables import FACES, NAMES, SPECIAL_ICONS, TABLES, special_card
from drawing.things import (
    FAN_COLOUR,
    ICONS,
    arrow,
    bull_count,
    captioned,
    heading,
    line,
    of_the_buffalo,
    pill,
    row_of,
    scaled,
    special,
)
from nimmt.games.buffalo.types import BUFFALO, kind
from nimmt.rules.game import Event
from nimmt.rules.kit.events import spaced

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


def draw(description: Description) -> str:
    """The SVG document."""
    if "cards" in description:
        box, words = gallery(description)
    else:
        box, words = turn(description)
    return document(description["title"], words, padded(box, 22, 20))


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


# -- a turn -------------------------------------------------------------------------------------------------------


def turn(description: Description) -> tuple[Box, str]:
    story = tell(description)
    if not story.events:
        return _single(story, description), _position_in_words(story.before)
    table = _table(story, story.before)
    left = _panel("before", table, list(_played(story)))
    right = _panel("after", _table(story, story.after, _new_cards(story)), list(_takings(story)))
    middle = above([arrow(), *_used(story.events)], gap=10, align="middle")
    middle = above([space(0, max(table.height - middle.height, 0) / 2), middle], gap=20)
    return beside([left, middle, right], gap=18, align="start"), _in_words(story)


def _panel(words: str, table: Box, strips: list[Box]) -> Box:
    """A table, and what was played or taken below a line."""
    below = [line(table.width), *strips] if strips else []
    return above([heading(words), table, *below], gap=12)


def _single(story: Story, description: Description) -> Box:
    table = _table(story, story.before)
    hands = [_hand(story, seat) for seat in description.get("hands", ())]
    return above([*_face_up(story.before.table), table, *hands], gap=16)


def _face_up(table: Any) -> Iterator[Box]:
    """The special cards that a team may use."""
    if getattr(table, "face_up", ()):
        yield beside([pill("face up", 84), row_of([special_card(kind(value)) for value in table.face_up])], gap=10)


def _hand(story: Story, seat: int) -> Box:
    face = FACES[story.game.id]
    cards = row_of([face(value) for value in story.before.hands[seat]])
    return beside([pill(f"{NAMES[seat]}’s hand", 84), cards], gap=10)


def _table(story: Story, state: Any, new: frozenset[int] = frozenset()) -> Box:
    return TABLES[story.game.id](state, new)


def _new_cards(story: Story) -> frozenset[int]:
    return frozenset(_open_cards(story.after.table) - _open_cards(story.before.table))


def _open_cards(table: Any) -> set[int]:
    if hasattr(table, "tops"):
        return set(table.tops)
    return {card for cards in (*table.rows, *getattr(table, "x_rows", ())) for card in cards}


def _played(story: Story) -> Iterator[Box]:
    """The cards that were revealed, in their order, or laid one after the other."""
    face, cards = FACES[story.game.id], []
    for event in story.events:
        if type(event).__name__ == "CardsRevealed":
            cards += [_play(face(play.card), play) for play in event.plays]
        elif type(event).__name__ == "CardLaid":
            cards.append(captioned(face(event.card), NAMES[event.seat]))
    if cards:
        yield beside(cards, gap=10, align="start")


def _play(box: Box, play: Any) -> Box:
    if play.seat == BUFFALO:
        return captioned(of_the_buffalo(box), "buffalo")
    name = NAMES[play.seat]
    if getattr(play, "twisted", False):
        twist = special(f"{play.card:02} → {play.value:02}", ICONS["twist"], FAN_COLOUR)
        return captioned(row_of([box, twist]), name)
    return captioned(box, name)


def _used(events: tuple[Event, ...]) -> Iterator[Box]:
    for event in events:
        if type(event).__name__ == "SpecialUsed" and type(event.use).__name__ in SPECIAL_ICONS:
            yield special_card(type(event.use).__name__)


def _takings(story: Story) -> Iterator[Box]:
    face = FACES[story.game.id]
    for event in story.events:
        cards = getattr(event, "taken", None) or (
            getattr(event, "cards", ()) if "PileTaken" in str(type(event)) else ()
        )
        if cards:
            seat = getattr(event, "seat", None)
            owner = "buffalo" if seat == BUFFALO else "team" if seat is None else NAMES[seat]
            mini = row_of([scaled(face(value), 0.62) for value in cards])
            count = [bull_count(event.bulls)] if hasattr(event, "bulls") else []
            yield beside([pill(f"{owner} takes", 84), mini, *count], gap=10)


# -- galleries ----------------------------------------------------------------------------------------------------


def gallery(description: Description) -> tuple[Box, str]:
    """Cards side by side, each with words below."""
    face = FACES.get(description["game"])
    lines, told = [], []
    for shown in description["cards"]:
        boxes = []
        for value, words in shown:
            box = special_card(value) if isinstance(value, str) else face(value)
            boxes.append(captioned(box, words, 60))
            told.append(f"{value}: {words}")
        lines.append(beside(boxes, gap=10, align="start"))
    return above(lines, gap=16), f"{'; '.join(told)}."


# -- in words -----------------------------------------------------------------------------------------------------


def _position_in_words(state: Any) -> str:
    table = state.table
    if hasattr(table, "tops"):
        return f"Piles with {', '.join(map(str, table.tops))} on top."
    if not table.rows:
        picked = [f"{name}: {spaced(cards)}." for name, cards in zip(NAMES, table.drafted, strict=False)]
        return " ".join([f"In the middle: {spaced(table.pool)}.", *picked])
    return " ".join(f"Row {row}: {spaced(cards)}." for row, cards in enumerate(table.rows, 1))


def _in_words(story: Story) -> str:
    told = [event.tell(NAMES) for event in story.events if type(event).__name__ not in _UNTOLD]
    parts = [f"Before. {_position_in_words(story.before)}", *told, f"After. {_position_in_words(story.after)}"]
    return " ".join(parts)
