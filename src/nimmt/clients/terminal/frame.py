"""A whole picture of the match: everything on one screen, or in plain lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from rich.text import Text

from nimmt.clients.terminal.boards import Board
from nimmt.clients.terminal.face import Face, Look
from nimmt.clients.terminal.hands import Hand
from nimmt.clients.terminal.panel import Panel
from nimmt.clients.terminal.pieces import ALARM, NAME_STYLES, QUIET, STRONG, beside, fit, wrapped

SMALLEST = (80, 24)
"""Columns and lines that a picture needs."""

LEAST_PANEL, WIDEST_PANEL = 30, 60
ENOUGH_STORY = 3
ROOMY = 8
MOST_MESSAGE = 3
ROOM_TO_TYPE = 20

BULLS_TOLD = re.compile(r"\(\d+ bulls?\b[^)]*\)")

# Levels of the board and of the hand, from the finest to the smallest.
_LEVELS = ((0, 0), (1, 0), (1, 1), (2, 1), (1, 2), (2, 2))


class Picture(NamedTuple):
    """What is to be seen at a moment, before it is known how large the screen is."""

    title: str
    where: str
    board: Board
    panel: Panel
    hand: Hand
    names: tuple[str, ...]


def picture_of(face: Face[Any], look: Look[Any]) -> Picture:
    return Picture(
        face.game.name, face.where(look), face.board(look), face.panel(look), face.hand(look), tuple(face.names)
    )


def told(picture: Picture, width: int) -> list[str]:
    """The picture in plain lines, for pipes, for poor terminals and for those who listen to their screen."""
    where = picture.where.replace(" · ", ", ")
    lines = [f"{where[:1].upper()}{where[1:]}.", *picture.board.told(), *picture.panel.told(), *picture.hand.told()]
    return [part for line in lines for part in _wrapped_with_indent(line, width)]


def _wrapped_with_indent(line: str, width: int) -> list[str]:
    stripped = line.lstrip(" ")
    indent = " " * (len(line) - len(stripped))
    return [f"{indent}{part}" for part in wrapped(stripped, width - len(indent), "    ")]


def frame(picture: Picture, story: Sequence[str], message: str, prompt: str, width: int, height: int) -> list[Text]:
    """Exactly `height` lines, the last of them the prompt: the cursor stays behind it.

    A window that somebody has made too small shows the lower left corner.
    """
    columns, room = max(width, SMALLEST[0]), max(height, SMALLEST[1])
    foot = _foot(message, prompt, min(width, columns))
    head = _rule(columns, picture.title, picture.where, "? help")
    room -= 1 + len(foot)
    middle, hand = _fitting(picture, columns, room)
    left = room - len(middle) - len(hand)
    if left >= ROOMY:
        middle, left = [Text(), *middle, Text()], left - 2
    lines = [head, *middle, *_story(story, picture.names, columns, left), *hand, *foot]
    return [fit(line, width, pad=False) for line in lines[-height:]]


def _fitting(picture: Picture, width: int, room: int) -> tuple[list[Text], list[Text]]:
    """The board with the panel, and the hand, as fine as the room allows."""
    middle: list[Text] = []
    hand: list[Text] = []
    for board_level, hand_level in _LEVELS:
        middle = _middle(picture, width, board_level)
        hand = picture.hand.draw(width - 2, hand_level)
        hand = [Text(" ").append_text(line) for line in hand]
        if picture.hand.title:
            hand = [_rule(width, picture.hand.title), *hand]
        if len(middle) + len(hand) + ENOUGH_STORY <= room:
            break
    return middle, hand


def _middle(picture: Picture, width: int, level: int) -> list[Text]:
    board = [Text(" ").append_text(line) for line in picture.board.draw(width - LEAST_PANEL - 3, level)]
    used = min(max((line.cell_len for line in board), default=0), width - LEAST_PANEL - 2)
    return beside(board, picture.panel.draw(min(WIDEST_PANEL, width - used - 2)), used)


def _rule(width: int, *parts: str) -> Text:
    """A line with words in it; the last of three stands at the right end."""
    line = Text()
    for index, part in enumerate(parts):
        if index == 2:
            line.append("─" * max(0, width - line.cell_len - len(part) - 4), QUIET)
        line.append("── " if index != 2 else " ", QUIET)
        line.append(part, STRONG if index == 0 else QUIET if index == 2 else "")
        line.append(" ")
    line.append("─" * max(0, width - line.cell_len), QUIET)
    return fit(line, width, pad=False)


def _foot(message: str, prompt: str, width: int) -> list[Text]:
    lines = [Text(f" {line}", ALARM) for line in wrapped(message, width - 2)][:MOST_MESSAGE]
    return [*lines, fit(Text(f" {prompt}", STRONG), max(1, width - ROOM_TO_TYPE), pad=False)]


def _story(sentences: Sequence[str], names: Sequence[str], width: int, room: int) -> list[Text]:
    """The last things that happened, the latest at the bottom, older ones quieter."""
    lines: list[Text] = []
    for age, sentence in enumerate(reversed(sentences)):
        parts = wrapped(sentence, width - 4, "  ")
        if age and len(lines) + len(parts) > room:
            break
        marks = ["   " if age else " ► ", *["   "] * len(parts)]
        told = [coloured(f"{mark}{part}", names, age) for mark, part in zip(marks, parts, strict=False)]
        lines = [*told, *lines]
    lines = lines[: max(0, room)]
    return [Text()] * (room - len(lines)) + lines


def coloured(sentence: str, names: Sequence[str], age: int = 0) -> Text:
    text = Text(sentence, QUIET if age > 2 else "")
    for seat, name in enumerate(names):
        text.highlight_words([name], NAME_STYLES[seat % len(NAME_STYLES)])
    text.highlight_regex(BULLS_TOLD, "bold red")
    return text
