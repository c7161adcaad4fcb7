"""What lies in the middle of the table: rows, piles, or all cards open in a draft.

Each is drawn at three levels, so that it fits the terminal: boxes (0), boxes that overlap (1), lines (2).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from rich.text import Text

from nimmt.clients.terminal.pieces import ALARM, PITCH, QUIET, STRONG, Card, box, fit, flow
from nimmt.rules.kit.events import count

LEVELS = 3


class Board(Protocol):
    def draw(self, width: int, level: int) -> list[Text]: ...

    def told(self) -> list[str]:
        """In plain lines of text."""
        ...


# -- rows ------------------------------------------------------------------------------------------------------


class Lane(NamedTuple):
    """A row. `places` says how many cards it holds before one more takes it; 0 if there is no limit."""

    number: int
    cards: tuple[Card, ...]
    places: int
    cost: int
    """The bulls of whoever takes it."""
    remarks: tuple[Text, ...] = ()
    """What else is to be known about it: a marker, the colours."""
    hint: str = ""
    """While a row is being chosen: what choosing this one means."""

    @property
    def is_full(self) -> bool:
        return 0 < self.places <= len(self.cards)

    @property
    def room(self) -> int:
        return max(0, self.places - len(self.cards))

    def price(self) -> Text:
        text = Text().append(count(self.cost, "bull") if self.cards else "empty", "" if self.cards else ALARM)
        if self.is_full:
            text.append(" full", ALARM)
        return text

    def told(self) -> str:
        remarks = [remark.plain for remark in self.remarks]
        if not self.cards:
            return "; ".join(["empty", *remarks])
        room = "full" if self.is_full else f"room for {self.room}" if self.places else ""
        return "; ".join(part for part in (f"{count(self.cost, 'bull')}", room, *remarks, self.hint) if part)


class Lanes(NamedTuple):
    lanes: tuple[Lane, ...]

    def told(self) -> list[str]:
        cards = [" ".join(card.flat for card in lane.cards) for lane in self.lanes]
        column = min(max(map(len, cards), default=0), 32)
        return [
            f"  row {lane.number}   {shown:<{column}}   {lane.told()}"
            for lane, shown in zip(self.lanes, cards, strict=True)
        ]

    def draw(self, width: int, level: int) -> list[Text]:
        if level == 2:
            return [self._flat(lane, width) for lane in self.lanes]
        lines: list[Text] = []
        for lane in self.lanes:
            drawn = self._boxes(lane, width)
            # Rows that overlap like cards on a crowded table: only the first shows its upper edge.
            lines += drawn if level == 0 or not lines else drawn[1:]
        return lines

    def _boxes(self, lane: Lane, width: int) -> list[Text]:
        side, label = self._side_width(), 2
        most = max(2, (width - label - 2 - side) // PITCH)
        column = PITCH * min(most, max((max(len(ln.cards), ln.places) for ln in self.lanes), default=0)) + 1
        cards = _shortened(lane.cards, most)
        drawn = box(cards) if cards else (Text(), Text(), Text())
        # A board that overlaps shows only the lines below the first: what matters most must stand there.
        hint = Text(lane.hint, STRONG)
        notes = [lane.price() if hint else Text(), hint or lane.price(), Text(" ").join(lane.remarks)]
        lines = []
        for index, (line, note) in enumerate(zip(drawn, notes, strict=True)):
            whole = Text().append(f"{lane.number} " if index == 1 else "  ", STRONG)
            whole.append_text(line)
            if index == 1 and len(cards) == len(lane.cards):
                # Places that are still free.
                free = "".join("  ·  " for _ in range(min(lane.room, most - len(cards))))
                whole.append(free if cards else free[1:], QUIET)
            lines.append(_with_note(whole, note, label + column + 1, width))
        return lines

    def _side_width(self) -> int:
        notes = [
            max(len(lane.hint), lane.price().cell_len, Text(" ").join(lane.remarks).cell_len) for lane in self.lanes
        ]
        return max(notes, default=0)

    def _flat(self, lane: Lane, width: int) -> Text:
        line = Text().append(f"{lane.number}  ", STRONG)
        for card in lane.cards:
            line.append(f"{card.flat} ", f"{card.style}{' reverse' if card.fresh else ''}")
        line.append("· " * lane.room, QUIET)
        notes = lane.price()
        for note in (Text(lane.hint, STRONG), *lane.remarks):
            if note:
                notes.append(" ").append_text(note)
        return _with_note(line, notes, max(0, width - notes.cell_len), width)


def _with_note(line: Text, note: Text, column: int, width: int) -> Text:
    whole = fit(line, column)
    whole.append_text(note)
    return fit(whole, width, pad=False)


def _shortened(cards: tuple[Card, ...], most: int) -> tuple[Card, ...]:
    """The last of them, and how many lie before, if there are too many."""
    if len(cards) <= most:
        return cards
    hidden = len(cards) - most + 1
    return (Card(f"+{hidden}", Text(), f"+{hidden}"), *cards[hidden:])


# -- piles and pools -------------------------------------------------------------------------------------------


class Piles(NamedTuple):
    """Piles of which only the top is seen."""

    tops: tuple[Card, ...]
    remarks: tuple[str, ...]
    """For each pile, five cells at most."""

    def told(self) -> list[str]:
        piles = [
            f"pile {number}: {top.flat}{f' ({remark})' if remark else ''}"
            for number, (top, remark) in enumerate(zip(self.tops, self.remarks, strict=True), 1)
        ]
        return [f"  {', '.join(piles[start : start + 4])}" for start in range(0, len(piles), 4)] or ["  no pile"]

    def draw(self, width: int, level: int) -> list[Text]:
        if not self.tops:
            return [Text("No pile is left.", ALARM)]
        if level == 2:
            tokens = [
                Text().append(f"{pile}: ", QUIET).append(top.flat, top.style) for pile, top in enumerate(self.tops, 1)
            ]
            return flow(tokens, width, pitch=11)
        pitch = 7 if level == 0 else 6
        each = width // pitch
        lines: list[Text] = []
        for start in range(0, len(self.tops), each):
            lines += self._line(start, min(start + each, len(self.tops)), pitch, remarks=level == 0)
        return lines

    def _line(self, start: int, stop: int, pitch: int, *, remarks: bool) -> list[Text]:
        lines = [Text() for _ in range(4)]
        for index in range(start, stop):
            drawn = [*box([self.tops[index]], label=f"{index + 1}"), Text(f" {self.remarks[index]}", QUIET)]
            for line, part in zip(lines, drawn, strict=True):
                line.append_text(fit(part, pitch))
        return lines if remarks and any(self.remarks[start:stop]) else lines[:3]


class Pool(NamedTuple):
    """Cards that lie open, to be picked."""

    cards: tuple[Card, ...]

    def told(self) -> list[str]:
        flat = [card.flat for card in self.cards]
        return [f"  {' '.join(flat[start : start + 12])}" for start in range(0, len(flat), 12)]

    def draw(self, width: int, level: int) -> list[Text]:
        # Seven cells hold 100(3) and a gap; six are enough for all others.
        return (
            flow(_tokens(self.cards), min(width, 42), pitch=7)
            if level == 0
            else flow(_tokens(self.cards), width, pitch=6)
        )


def _tokens(cards: Sequence[Card]) -> list[Text]:
    return [Text(card.flat, f"{card.style}{' reverse' if card.fresh else ''}") for card in cards]
