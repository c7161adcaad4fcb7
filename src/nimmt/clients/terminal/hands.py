"""The cards that a person chooses from, with what each would do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rich.text import Text

from nimmt.clients.terminal.pieces import PITCH, Card, box, fit, flow

WIDE = 18
NARROW = 7


class Choice(NamedTuple):
    """A card and what would become of it: in words, in lines for wide places, and in a few signs."""

    card: Card
    words: str = ""
    wide: tuple[str, ...] = ()
    narrow: tuple[str, ...] = ()
    costs: bool = False
    """Would it cost anything?"""


class Hand(NamedTuple):
    title: str
    choices: tuple[Choice, ...]
    below: tuple[str, ...] = ()
    """Further lines: what else a person has or may do."""

    def told(self) -> list[str]:
        if not self.choices:
            return [f"  {line}" for line in self.below]
        flats = [choice.card.flat for choice in self.choices]
        if any(choice.words for choice in self.choices):
            column = max(map(len, flats))
            lines = [
                f"    {flat:>{column}}   {choice.words}".rstrip()
                for flat, choice in zip(flats, self.choices, strict=True)
            ]
        else:
            lines = [f"    {' '.join(flats)}"]
        return [f"  {self.title}", *lines, *(f"  {line}" for line in self.below)]

    def draw(self, width: int, level: int) -> list[Text]:
        below = [fit(Text(line), width, pad=False) for line in self.below]
        if not self.choices:
            return below
        if level == 2:
            return [*flow([_token(choice) for choice in self.choices], width, gap=3), *below]
        pitch = self._pitch(width, level)
        each = max(1, (width - 1) // pitch)
        lines: list[Text] = []
        for start in range(0, len(self.choices), each):
            lines += _boxes(self.choices[start : start + each], pitch)
        return [*lines, *below]

    def _pitch(self, width: int, level: int) -> int:
        if level == 1:
            return PITCH
        room = (width - 1) // len(self.choices)
        return WIDE if room >= WIDE else max(NARROW, min(room, 10))


def _boxes(choices: Sequence[Choice], pitch: int) -> list[Text]:
    hints = [choice.wide if pitch >= WIDE else choice.narrow for choice in choices]
    height = max(map(len, hints))
    lines = [Text() for _ in range(3 + height)]
    overlapping = box([choice.card for choice in choices]) if pitch == PITCH else None
    if overlapping:
        lines[:3] = [line.copy() for line in overlapping]
    for choice, hint in zip(choices, hints, strict=True):
        style = "yellow" if choice.costs else "green"
        below = [Text(f" {text}", style) for text in hint] + [Text()] * (height - len(hint))
        parts = below if overlapping else [*box([choice.card]), *below]
        for line, part in zip(lines[-len(parts) :] if parts else [], parts, strict=True):
            line.append_text(fit(part, pitch))
    return lines


def _token(choice: Choice) -> Text:
    token = Text(choice.card.flat, f"bold {choice.card.style}")
    if choice.narrow:
        token.append(f" {':'.join(choice.narrow)}", "yellow" if choice.costs else "green")
    return token
