"""Where pictures are drawn and answers come from: a whole terminal, or lines that go by."""

from __future__ import annotations

import os
import re
import select
import shutil
import sys
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.text import Text

from nimmt.clients.cli.common import can_print, clean, console
from nimmt.clients.terminal.face import Board, Face, Look
from nimmt.clients.terminal.pieces import (
    ALARM,
    NAME_STYLES,
    PLAIN_SIGNS,
    QUIET,
    STRONG,
    Hand,
    Panel,
    beside,
    fit,
    wrapped,
)
from nimmt.clients.terminal.words import both, tr

# -- frame -------------------------------------------------------------------------------------------------------------
# A whole picture of the match: everything on one screen, or in plain lines.

MIN_SIZE = (80, 24)
"""Columns and lines that a picture needs."""

MIN_PANEL, MAX_PANEL = 30, 60
MIN_STORY = 3
ROOMY = 8
MAX_MESSAGE = 3
ROOM_TO_TYPE = 20

BULLS_TOLD = re.compile(r"\(\d+ [^\W\d][^)]*\)")

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
    return Picture(face.title, face.where(look), face.board(look), face.panel(look), face.hand(look), tuple(face.names))


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
    columns, room = max(width, MIN_SIZE[0]), max(height, MIN_SIZE[1])
    foot = _foot(message, prompt, min(width, columns))
    head = _rule(columns, picture.title, picture.where, tr("? help"))
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
        if len(middle) + len(hand) + MIN_STORY <= room:
            break
    return middle, hand


def _middle(picture: Picture, width: int, level: int) -> list[Text]:
    board = [Text(" ").append_text(line) for line in picture.board.draw(width - MIN_PANEL - 3, level)]
    used = min(max((line.cell_len for line in board), default=0), width - MIN_PANEL - 2)
    return beside(board, picture.panel.draw(min(MAX_PANEL, width - used - 2)), used)


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
    lines = [Text(f" {line}", ALARM) for line in wrapped(message, width - 2)][:MAX_MESSAGE]
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


# -- screen ------------------------------------------------------------------------------------------------------------

if TYPE_CHECKING:
    from rich.console import Console

MAX_TEXT_WIDTH = 100


class Gone(Exception):
    """Nobody answers any more: the end of the input."""


class Keyboard:
    """Where answers come from, line by line."""

    def line(self) -> str:
        """The next one; raises `Gone`."""
        line = sys.stdin.readline()
        if not line:
            raise Gone
        return line

    def waits(self, seconds: float) -> bool:
        """Whether there is a line within so many seconds."""
        if os.name == "nt":
            time.sleep(seconds)
            return False
        return bool(select.select([sys.stdin], [], [], seconds)[0])


class Screen(ABC):
    """Shows and asks. `beat` is how many seconds an event stays."""

    story_length = 200
    story_stays = False
    """Whether what was told can still be read when the screen is closed."""
    people_type = True
    """Whether answers come from a keyboard, and not from a file."""

    def __init__(self, beat: float, keyboard: Keyboard | None = None) -> None:
        self.beat, self.keyboard = beat, keyboard or Keyboard()
        self.story: deque[str] = deque(maxlen=self.story_length)
        self.plain_signs = not can_print("∀╭│→…►■’")
        if hasattr(sys.stdin, "reconfigure"):
            sys.stdin.reconfigure(errors="replace")  # whatever comes in, it is an answer that nobody understands

    @property
    @abstractmethod
    def width(self) -> int: ...

    @abstractmethod
    def show(self, picture: Picture, beats: float = 0) -> None:
        """Something has changed: let it be seen for a while."""

    def say(self, sentence: str) -> None:
        """Tell what has happened; it is seen with the next picture, or at once."""
        self.story.append(sentence)

    def wait_for(self, picture: Picture, names: Sequence[str]) -> None:
        """These are thinking, which may take a while."""
        del picture, names

    def mention(self, sentence: str) -> None:
        """Tell what a picture shows by its marks; only where there is no picture it needs words."""
        del sentence

    @abstractmethod
    def prompt(self, picture: Picture, prompt: str, message: str = "", *, again: bool = False) -> None:
        """Show what is asked; `again` if the picture is the same as before."""

    def ask(self, picture: Picture, prompt: str, message: str = "", *, again: bool = False) -> str:
        """Show what is asked and read an answer. Raises `Gone`."""
        self.prompt(picture, prompt, message, again=again)
        return self.answer()

    def refresh(self, picture: Picture, message: str = "") -> None:
        """Something has changed while somebody may be typing: what they type stays."""
        del picture, message

    @abstractmethod
    def page(self, title: str, lines: Sequence[str], *, begins: bool = False) -> None:
        """Something to read, until it has been read."""

    @abstractmethod
    def hand_over(self, name: str, reason: str) -> None:
        """Hide everything until another person sits in front of the screen."""

    def pause(self, picture: Picture, prompt: str) -> None:
        """Wait until somebody wants to go on."""
        del picture, prompt

    def close(self) -> None:  # noqa: B027  # lines need nothing to be closed
        """Give the terminal back. May be called twice."""

    def answer(self) -> str:
        return clean(self.keyboard.line().rstrip("\r\n")).strip()

    def signs(self, text: str) -> str:
        return text.translate(PLAIN_SIGNS) if self.plain_signs else text


# -- lines -----------------------------------------------------------------------------------------------------


class LineScreen(Screen):
    """Prints lines and never goes back: for pipes, for terminals that can do no more, and for screen readers."""

    story_stays = True

    def __init__(self, beat: float, keyboard: Keyboard | None = None) -> None:
        super().__init__(beat, keyboard)
        self.people_type = sys.stdin.isatty()

    @property
    def width(self) -> int:
        return max(40, min(shutil.get_terminal_size().columns, MAX_TEXT_WIDTH))

    def show(self, picture: Picture, beats: float = 0) -> None:
        del picture
        if self.beat and beats:
            time.sleep(self.beat * beats)

    def say(self, sentence: str) -> None:
        self.print(*wrapped(sentence, self.width, "  "))

    mention = say

    def prompt(self, picture: Picture, prompt: str, message: str = "", *, again: bool = False) -> None:
        if not again:
            self.print("", *told(picture, self.width))
        if message:
            self.print(*wrapped(message, self.width))
        self.question(prompt)

    def question(self, prompt: str) -> None:
        """What is asked, where there is no picture."""
        *lines, last = wrapped(prompt if prompt.endswith(("?", ".")) else f"{prompt}:", self.width)
        self.print(*lines)
        # A person's own Enter ends the line.
        print(self.signs(last), end=" " if self.people_type else "\n", flush=True)

    def answer(self) -> str:
        try:
            return super().answer()
        except (Gone, KeyboardInterrupt):
            if self.people_type:
                print()  # what follows begins a line of its own
            raise

    def page(self, title: str, lines: Sequence[str], *, begins: bool = False) -> None:
        del begins
        self.print("", title, *(part for line in lines for part in wrapped_line(line, self.width)), "")

    def hand_over(self, name: str, reason: str) -> None:
        if self.people_type:
            # All that can be done here: push what was shown out of sight.
            self.print(*[""] * max(100, shutil.get_terminal_size().lines))
        self.print("", f"=== {name} {reason}. {tr('The others look away.')} ===")
        if self.people_type:
            print(self.signs(f"{tr('Press Enter when nobody else can see this.')} "), end="", flush=True)
            self.answer()

    def print(self, *lines: str) -> None:
        for line in lines:
            print(self.signs(line))


def wrapped_line(line: str, width: int) -> list[str]:
    """A line of a page; tables stay as they are as long as they fit."""
    return [line] if len(line) <= width else wrapped(line, width, "  ")


# -- a whole terminal ------------------------------------------------------------------------------------------


class FullScreen(Screen):
    """Draws picture over picture on the second screen that terminals have; what was there before comes back."""

    def __init__(self, beat: float, terminal: Console, keyboard: Keyboard | None = None) -> None:
        super().__init__(beat, keyboard)
        self.console = terminal
        self.typed: deque[str] = deque()
        """Answers that were typed before the question."""
        self.hurried = False
        self.open = self.console.set_alt_screen(True)

    @property
    def width(self) -> int:
        return self.console.size.width

    def show(self, picture: Picture, beats: float = 0) -> None:
        if not self.beat:
            return
        hint = "" if self.hurried else tr("Enter hurries on")
        self._draw(frame(picture, self.story, "", "", self.width, self.console.size.height), hint)
        self._wait(self.beat * beats)

    def wait_for(self, picture: Picture, names: Sequence[str]) -> None:
        lines = frame(picture, self.story, "", "", self.width, self.console.size.height)
        self._draw(lines, f"{tr('Waiting for {names}', names=both(names))} …")

    def prompt(self, picture: Picture, prompt: str, message: str = "", *, again: bool = False) -> None:
        del again
        self.hurried = False
        self._draw(frame(picture, self.story, message, f"{prompt} ›", self.width, self.console.size.height))

    def ask(self, picture: Picture, prompt: str, message: str = "", *, again: bool = False) -> str:
        self.prompt(picture, prompt, message, again=again)
        return self.typed.popleft() if self.typed else self.answer()

    def refresh(self, picture: Picture, message: str = "") -> None:
        lines = frame(picture, self.story, message, "", self.width, self.console.size.height)[:-1]
        # The line in which somebody may be typing, and the cursor in it, are left alone.
        sys.stdout.write("\x1b7\x1b[H" + "\n".join(f"\x1b[2K{line}" for line in self._written(lines)) + "\x1b8")
        sys.stdout.flush()

    def pause(self, picture: Picture, prompt: str) -> None:
        if self.beat:
            self.ask(picture, prompt)

    def page(self, title: str, lines: Sequence[str], *, begins: bool = False) -> None:
        room = self.console.size.height - 3
        text = [Text(f" {part}") for line in lines for part in wrapped_line(line, self.width - 2)]
        pages = [text[start : start + room] for start in range(0, len(text), room)] or [[]]
        for number, part in enumerate(pages, 1):
            more = tr("Enter begins") if begins else tr("Enter goes back")
            if number < len(pages):
                more = tr("{page} of {pages}: Enter turns the page, q goes on", page=number, pages=len(pages))
            filled = [*part, *[Text()] * (room - len(part))]
            self._draw([Text(f" {title}", STRONG), Text(), *filled, Text(f" {more} ›", QUIET)])
            if self.answer().casefold().startswith("q"):
                break

    def hand_over(self, name: str, reason: str) -> None:
        self.typed.clear()
        height = self.console.size.height
        middle = [Text(f"{name} {reason}.", STRONG), Text(tr("The others look away.")), Text()]
        lines = [Text()] * (height // 2 - 3) + [Text(" " * 10).append_text(line) for line in middle]
        lines += [Text()] * (height - len(lines) - 1)
        self._draw([*lines, Text(f" {tr('Enter, when nobody else can see this')} ›", STRONG)])
        self.answer()

    def close(self) -> None:
        if self.open:
            self.console.set_alt_screen(False)
        self.open = False

    # -- drawing ------------------------------------------------------------------------------------------------

    def _draw(self, lines: Sequence[Text], hint: str = "") -> None:
        """All at once, from the first line on, so that nothing flickers."""
        if hint:
            lines = [*lines[:-1], Text(f" {hint}", QUIET)]
        end = "" if hint else " "
        sys.stdout.write("\x1b[H" + "\n".join(f"\x1b[2K{line}" for line in self._written(lines)) + f"\x1b[J{end}")
        sys.stdout.flush()

    def _written(self, lines: Sequence[Text]) -> list[str]:
        width = self.width
        with self.console.capture() as capture:
            for line in lines:
                self.console.print(fit(line, width, pad=False), end="\n", no_wrap=True, crop=False, overflow="ignore")
        return self.signs(capture.get()).removesuffix("\n").split("\n")

    def _wait(self, seconds: float) -> None:
        """As long as that, or until Enter is pressed: then the rest of the story goes by at once."""
        if self.hurried or not seconds:
            return
        if self.keyboard.waits(seconds):
            typed = self.answer()
            self.hurried = True
            if typed:
                self.typed.append(typed)


def open_screen(beat: float, *, plain: bool = False, keyboard: Keyboard | None = None) -> Screen:
    """The best screen for where we are."""
    if not plain and sys.stdin.isatty() and sys.stdout.isatty():
        terminal = console()
        size = terminal.size
        able = not terminal.is_dumb_terminal and not terminal.legacy_windows
        if able and size.width >= MIN_SIZE[0] and size.height >= MIN_SIZE[1]:
            return FullScreen(beat, terminal, keyboard)
    return LineScreen(beat if sys.stdin.isatty() and sys.stdout.isatty() else 0, keyboard)
