"""Cards and text: the small things that all drawings are made of.

Every sign used in a drawing is one cell wide and has a plain one to take its place where the terminal knows no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from textwrap import wrap
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from nimmt.rules.kit.cards import BULLS

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


def listed(items: Iterable[object], last: str = "or") -> str:
    """`1, 3 or 4`."""
    words = [str(item) for item in items]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""
