"""The cards that a person chooses from, with what each would do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.text import Text

from nimmt.clients.terminal.pieces import PITCH, Card, box, fit, flow, wrapped

APART = 7
"""From card to card, when they do not overlap."""
WIDEST = 20


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
        pitch = min(room, WIDEST, max(needed, 9))
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
