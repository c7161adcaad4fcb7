"""What lies on the table and what is hidden in 6 nimmt!"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from nimmt.rules.game import Cards, Rows, Seat, Value
from nimmt.rules.games.six.options import Options

Phase: TypeAlias = Literal["deal", "draft", "choose", "row", "over"]
Parity: TypeAlias = Literal["even", "odd"]
Arrows: TypeAlias = Literal["up", "down"]


def parity(number: int) -> Parity:
    return "odd" if number % 2 else "even"


def twisted(card: int) -> int:
    """The number with its two digits swapped; one digit reads with a leading zero."""
    return card % 10 * 10 + card // 10


class Play(Value, frozen=True, gc=False):
    """A card that a seat plays this turn, perhaps with its twist card."""

    seat: Seat
    card: int
    twisted: bool = False

    @property
    def value(self) -> int:
        return twisted(self.card) if self.twisted else self.card

    def to_text(self) -> str:
        return f"{self.seat}:{self.card}{'~' if self.twisted else ''}"

    @classmethod
    def from_text(cls, text: str) -> Play:
        seat, _, card = text.partition(":")
        return cls(int(seat), int(card.removesuffix("~")), card.endswith("~"))


class ParityMarker(Value, frozen=True, gc=False):
    row: int
    parity: Parity

    def to_text(self) -> str:
        return f"{self.row}:{self.parity}"

    @classmethod
    def from_text(cls, text: str) -> ParityMarker:
        row, _, shown = text.partition(":")
        return cls(int(row), msgspec.convert(shown, Parity))


class MountainMarker(Value, frozen=True, gc=False):
    row: int
    arrows: Arrows

    def to_text(self) -> str:
        return f"{self.row}:{self.arrows}"

    @classmethod
    def from_text(cls, text: str) -> MountainMarker:
        row, _, shown = text.partition(":")
        return cls(int(row), msgspec.convert(shown, Arrows))


class Markers(Value, frozen=True, gc=False):
    """Where the fan cards lie: the row of each, and what it shows."""

    even_odd: ParityMarker | None = None
    mountain: MountainMarker | None = None
    cow: int | None = None


class History(Value, frozen=True, gc=False):
    """The round as everybody saw it; empty if it is not known, as in a position made by hand."""

    starts: Cards = ()
    """The cards with which the rows began."""
    turns: tuple[tuple[Play, ...], ...] = ()
    """All cards revealed, turn by turn, in the order of placement."""
    rows: Cards = ()
    """Rows chosen under rule 4, in the order in which that happened."""

    def to_text(self) -> str:
        """The first cards and the turns between bars, then the rows chosen: `12 37 43 58 | 1:5 0:60 ; 2`."""
        if not self.starts and not self.turns and not self.rows:
            return "-"
        turns = [" ".join(play.to_text() for play in turn) for turn in self.turns]
        return " | ".join([_spaced(self.starts), *turns]) + (f" ; {_spaced(self.rows)}" if self.rows else "")

    @classmethod
    def from_text(cls, text: str) -> History:
        if text == "-":
            return cls()
        played, _, rows = text.partition(";")
        starts, *turns = played.split("|")
        plays = tuple(tuple(map(Play.from_text, turn.split())) for turn in turns)
        return cls(tuple(map(int, starts.split())), plays, tuple(map(int, rows.split())))


def _spaced(numbers: Cards) -> str:
    return " ".join(map(str, numbers))


class Table(Value, frozen=True, gc=False):
    """All that everybody can see, or has seen and can remember."""

    options: Options
    seats: int
    phase: Phase
    round: int
    rows: Rows
    markers: Markers
    queue: tuple[Play, ...]
    """Cards revealed this turn and not placed yet, in the order of placement."""
    bulls: Cards
    """Bulls taken in this round, by seat."""
    taken: Cards
    """Cards taken in this round by anybody."""
    twists: tuple[bool, ...]
    """Who still holds a twist card."""
    pool: Cards
    """Draft: the cards nobody has taken yet."""
    drafted: Rows
    """Draft: the ten cards of each seat, played ones included; everybody saw them being picked."""
    scores: Rows
    """Bulls of each finished round, by seat."""
    history: History = History()


class State(Value, frozen=True, gc=False):
    table: Table
    hands: Rows
    piles: Rows
    """The bull piles: face down, only their owners may look through them."""
    chosen: tuple[Play | None, ...]
    waiting: tuple[Seat, ...]
    """Seats that have not chosen yet."""


class View(Value, frozen=True, gc=False):
    """What a seat may know; a spectator has no seat, no hand and no pile."""

    seat: Seat | None
    table: Table
    hand: Cards
    pile: Cards
    choice: Play | None
    """The own card of this turn, while it may still be changed."""
    waiting: tuple[Seat, ...]
    hand_sizes: Cards


def drafted_hands(table: Table) -> Rows:
    gone = {*table.taken, *(play.card for play in table.queue)}.union(*table.rows)
    return tuple(tuple(card for card in cards if card not in gone) for cards in table.drafted)
