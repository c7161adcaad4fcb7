"""What pictures are made of: cards and text, the hand with what each card would do, the panel of the seats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from textwrap import wrap
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from nimmt.clients.terminal.words import tr
from nimmt.rules.game import Rows
from nimmt.rules.kit.cards import BULLS, totals

# -- pieces ------------------------------------------------------------------------------------------------------------
# Cards and text: the small things that all drawings are made of.
#
# Every sign used in a drawing is one cell wide and has a plain one to take its place where the terminal knows no other.

BULL = "∀"
"""The head of a bull, horns up."""

PLAIN_SIGNS = str.maketrans("∀╭╮╰╯│─·→↑↓…►■×–›‹’•━", "*++++|-.>^v~>#x-><'*=")
"""For terminals that know no other signs: each stands in the place of one."""

QUIET, STRONG, ALARM, GOOD = "dim", "bold", "bold red", "green"
BULL_STYLES = {1: "white", 2: "cyan", 3: "yellow", 5: "red", 7: "magenta"}
"""As the cards are printed: the more bulls, the louder."""

NAME_STYLES = ("cyan", "yellow", "green", "magenta", "blue", "red")


class Card(NamedTuple):
    """How a card looks: the sign on it (four cells at most), its bulls (four cells), and both in a line of text."""

    name: str
    bulls: Text
    flat: str
    style: str = ""
    fresh: bool = False
    """Has just come to lie there."""


@cache
def _printed_card(number: int) -> Card:
    heads = BULLS[number]
    shown = BULL * heads if heads < 4 else f"{heads}{BULL}"
    style = BULL_STYLES[heads]
    flat = f"{number}({heads})" if heads > 1 else str(number)
    return Card(str(number), Text(shown, style), flat, style)


def number_card(number: int, *, fresh: bool = False) -> Card:
    """A card of the games whose bulls follow from the number."""
    return _printed_card(number)._replace(fresh=fresh) if fresh else _printed_card(number)


def number_cards(numbers: Iterable[int], fresh: int | None = None) -> tuple[Card, ...]:
    return tuple([number_card(number, fresh=number == fresh) for number in numbers])


# -- boxes -----------------------------------------------------------------------------------------------------

INSIDE = 4
PITCH = INSIDE + 1
"""Cards in a row overlap: each covers the right edge of the one before it."""


def box(cards: Sequence[Card], *, label: str = "") -> tuple[Text, Text, Text]:
    """Overlapping cards as three lines: the upper edge, the numbers, the lower edge with the bulls."""
    top, middle, bottom = Text(), Text(), Text()
    for place, card in enumerate(cards, 1):
        edge = "bold" if card.fresh else card.style if card.style != "white" else QUIET
        top.append(f"╭{label[:INSIDE]:─<{INSIDE}}", edge)
        middle.append("│", edge)
        middle.append(_middle(card), f"bold {card.style}{' reverse' if card.fresh else ''}")
        bottom.append("╰", edge)
        bottom.append_text(card.bulls)
        bottom.append("─" * (INSIDE - card.bulls.cell_len), edge)
        if place == len(cards):
            top.append("╮", edge)
            middle.append("│", edge)
            bottom.append("╯", edge)
    return top, middle, bottom


def _middle(card: Card) -> str:
    if card.fresh and len(card.name) < 3:
        return f"›{card.name:>2}‹"
    return f"{card.name:>3} " if len(card.name) < INSIDE else card.name[:INSIDE]


# -- text ------------------------------------------------------------------------------------------------------


def fit(line: Text | str, width: int, *, pad: bool = True) -> Text:
    """Exactly so wide, or at most."""
    text = line.copy() if isinstance(line, Text) else Text(line)
    text.truncate(width, overflow="ellipsis", pad=pad)
    return text


def wrapped(sentence: str, width: int, indent: str = "") -> list[str]:
    """The sentence in lines; names may have signs that are two cells wide, so that lines are shorter then."""
    wide = cell_len(sentence) - len(sentence)
    return wrap(sentence, max(20, width - wide), subsequent_indent=indent, break_on_hyphens=False) or [""]


def flow(tokens: Sequence[Text], width: int, *, pitch: int = 0, gap: int = 1) -> list[Text]:
    """Tokens one after the other, in as many lines as it takes; in columns if they get a pitch."""
    lines = [Text()]
    for token in tokens:
        cells = max(pitch - gap, token.cell_len)
        if lines[-1].cell_len and lines[-1].cell_len + gap + cells > width:
            lines.append(Text())
        if lines[-1].cell_len:
            lines[-1].append(" " * gap)
        lines[-1].append_text(fit(token, width, pad=False))
        lines[-1].pad_right(max(0, min(cells, width) - token.cell_len))
    return lines


def beside(left: Sequence[Text], right: Sequence[Text], width: int, gap: int = 2) -> list[Text]:
    """Two blocks next to each other, the left one so wide."""
    lines = []
    for index in range(max(len(left), len(right))):
        line = fit(left[index] if index < len(left) else "", width)
        if index < len(right):
            line.append(" " * gap)
            line.append_text(right[index])
        lines.append(line)
    return lines


# -- hands -------------------------------------------------------------------------------------------------------------
# The cards that a person chooses from, with what each would do.

APART = 7
"""From card to card, when they do not overlap."""
MAX_WIDTH = 20


class Choice(NamedTuple):
    """A card and what would become of it: in words, in lines where there is room, and in a few signs."""

    card: Card
    words: str = ""
    wide: tuple[str, ...] = ()
    narrow: tuple[str, ...] = ()
    costs: bool = False
    """Would it cost anything?"""

    @property
    def style(self) -> str:
        return "yellow" if self.costs else "green"


class Hand(NamedTuple):
    title: str
    choices: tuple[Choice, ...]
    below: tuple[str, ...] = ()
    """Further lines: what else a person has or may do."""
    items: tuple[str, ...] = ()
    """A list to choose from, instead of cards."""

    def told(self) -> list[str]:
        title = [f"  {self.title}"] if self.title else []
        return [*title, *self._choices_told(), *(f"    {line}" for line in (*self.items, *self.below))]

    def _choices_told(self) -> list[str]:
        flats = [choice.card.flat for choice in self.choices]
        if not any(choice.words for choice in self.choices):
            return [f"    {' '.join(flats)}"] if flats else []
        column = max(map(len, flats))
        pairs = zip(flats, self.choices, strict=True)
        return [f"    {flat:>{column}}   {choice.words}".rstrip() for flat, choice in pairs]

    def draw(self, width: int, level: int) -> list[Text]:
        """Cards as boxes (0), as boxes that overlap (1), or in lines (2)."""
        below = [Text(part) for line in self.below for part in wrapped(line, width, "  ")]
        items = flow([Text(item) for item in self.items], width, gap=4) if self.items else []
        return [*(self._cards(width, level) if self.choices else []), *items, *below]

    def _cards(self, width: int, level: int) -> list[Text]:
        pitch, wide = self._pitch(width) if level == 0 else (PITCH, False)
        if level == 2 or not (wide or self._hints_fit(pitch)):
            return flow([_token(choice) for choice in self.choices], width, gap=3)
        each = max(1, (width - 1) // pitch)
        lines: list[Text] = []
        for start in range(0, len(self.choices), each):
            lines += _boxes(self.choices[start : start + each], pitch, wide)
        return lines

    def _hints_fit(self, pitch: int) -> bool:
        return all(cell_len(hint) < pitch for choice in self.choices for hint in choice.narrow)

    def _pitch(self, width: int) -> tuple[int, bool]:
        """How far apart the cards lie, and whether there is room for hints in words."""
        room = (width - 1) // len(self.choices)
        needed = max(cell_len(line) + 2 for choice in self.choices for line in (*choice.wide, ""))
        if room < PITCH:
            return APART, needed <= APART  # in several lines
        pitch = min(room, MAX_WIDTH, max(needed, 9))
        return pitch, pitch >= needed


def _boxes(choices: Sequence[Choice], pitch: int, wide: bool) -> list[Text]:
    hints = [choice.wide if wide else choice.narrow for choice in choices]
    height = max(map(len, hints))
    lines = [Text(end="") for _ in range(3 + height)]
    if pitch == PITCH:
        for line, part in zip(lines, box([choice.card for choice in choices]), strict=False):
            line.append_text(part)
    for choice, hint in zip(choices, hints, strict=True):
        if pitch != PITCH:
            for line, part in zip(lines, box([choice.card]), strict=False):
                line.append_text(fit(part, pitch))
        for index, line in enumerate(lines[3:]):
            text = hint[index] if index < len(hint) else ""
            line.append_text(fit(Text(f" {text}", choice.style), pitch))
    return lines


def _token(choice: Choice) -> Text:
    token = Text().append(choice.card.flat, f"bold {choice.card.style}")
    if choice.narrow:
        token.append(f" {':'.join(choice.narrow)}", choice.style)
    return token


# -- panel -------------------------------------------------------------------------------------------------------------
# Who sits at the table and how they stand, beside the board; and the sheet with the points of all rounds.

WAITED_FOR, NEXT, NOBODY = "…", "►", " "
CHOSEN = "■"
"""A card that lies face down."""


class SeatLine(NamedTuple):
    """One seat: a mark, the name, a short cell for each heading, and what is said below it."""

    mark: str
    name: str
    cells: tuple[str, ...]
    own: bool = False
    tail: str = ""
    """The last cell: as much of it as there is room for."""
    below: str = ""


class Panel(NamedTuple):
    headings: tuple[str, ...]
    """One for the names, one for each cell and one for the tail."""
    lines: tuple[SeatLine, ...]
    notes: tuple[str, ...] = ()

    def told(self) -> list[str]:
        told = []
        for line in self.lines:
            cells = [f"{head} {cell}".strip() for head, cell in zip(self.headings[1:-1], line.cells, strict=True)]
            cells = [cell for cell, shown in zip(cells, line.cells, strict=True) if shown not in ("", CHOSEN)]
            if line.tail:
                cells.append(f"{self.headings[-1]} {line.tail}".strip())
            waiting = [tr("to decide")] if line.mark == WAITED_FOR else [tr("next")] if line.mark == NEXT else []
            told.append(f"  {line.name}: {', '.join([*cells, *waiting])}" if cells or waiting else f"  {line.name}")
            if line.below:
                told.append(f"    {line.below}")
        return [*told, *(f"  {note}" for note in self.notes)]

    def draw(self, width: int) -> list[Text]:
        widths = self._widths(width)
        lines = [fit(self._row(NOBODY, self.headings, widths), width, pad=False)]
        lines[0].stylize(QUIET)
        for line in self.lines:
            row = self._row(line.mark, (line.name, *line.cells, line.tail), widths)
            if line.own:
                row.stylize(STRONG, 0, 2 + widths[0])
            if line.mark != NOBODY:
                row.stylize("bold yellow", 0, 1)
            lines.append(fit(row, width, pad=False))
            if line.below:
                lines.append(fit(Text(f"    {line.below}", QUIET), width, pad=False))
        return [*lines, *(fit(f"  {note}", width, pad=False) for note in self.notes)]

    def _widths(self, width: int) -> list[int]:
        rows = [self.headings, *((line.name, *line.cells, line.tail) for line in self.lines)]
        widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
        # Names give way to numbers, and the tail to all.
        numbers = sum(widths[1:-1]) + len(widths[1:-1]) + 3
        widths[0] = max(4, min(widths[0], 16, width - numbers))
        return widths

    @staticmethod
    def _row(mark: str, cells: Sequence[str], widths: Sequence[int]) -> Text:
        row = Text(f"{mark} ")
        row.append_text(fit(cells[0], widths[0]))
        for cell, room in zip(cells[1:-1], widths[1:-1], strict=True):
            row.append(f" {' ' * (room - cell_len(cell))}{cell}")
        return row.append(f"  {cells[-1]}" if cells[-1] else "")


def sheet(names: Sequence[str], scores: Rows, width: int, *, games: bool = False) -> list[str]:
    """The points of all seats in all finished rounds, a line for each round."""
    if not scores:
        return [tr("No game is finished yet.") if games else tr("No round is finished yet.")]
    labels = [
        tr("game {number}", number=number) if games else tr("round {number}", number=number)
        for number in range(1, len(scores) + 1)
    ]
    in_all = tr("in all")
    first = max(map(len, (*labels, in_all)))
    each = max(4, min(12, (width - first) // len(names) - 1))
    lines = [_sheet_line("", [fit(name, each, pad=False).plain for name in names], first, each)]
    for label, points in zip(labels, scores, strict=True):
        lines.append(_sheet_line(label, points, first, each))
    return [*lines, _sheet_line(in_all, totals(scores, len(names)), first, each)]


def _sheet_line(label: str, cells: Sequence[object], first: int, each: int) -> str:
    shown = [str(cell) for cell in cells]
    return f"{label:<{first}}" + "".join(f" {' ' * (each - cell_len(cell))}{cell}" for cell in shown)
