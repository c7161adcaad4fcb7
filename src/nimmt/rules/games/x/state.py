"""What lies on the table and what is hidden in X nimmt!"""

from __future__ import annotations

from typing import Literal, TypeAlias

from nimmt.rules.game import Cards, Rows, Seat, Value
from nimmt.rules.games.x.options import Options

Phase: TypeAlias = Literal["deal", "choose", "row", "keep", "over"]


class Play(Value, frozen=True, gc=False):
    """A card that a seat plays this turn."""

    seat: Seat
    card: int

    def to_text(self) -> str:
        return f"{self.seat}:{self.card}"

    @classmethod
    def from_text(cls, text: str) -> Play:
        seat, _, card = text.partition(":")
        return cls(int(seat), int(card))


class Taking(Value, frozen=True, gc=False):
    """Cards that a seat has just taken, before it says which one goes to the X row."""

    seat: Seat
    cards: Cards

    def to_text(self) -> str:
        return f"{self.seat}:{','.join(map(str, self.cards))}"

    @classmethod
    def from_text(cls, text: str) -> Taking:
        seat, _, cards = text.partition(":")
        return cls(int(seat), tuple(map(int, cards.split(","))))


class Table(Value, frozen=True, gc=False):
    """All that everybody can see, or has seen and can remember."""

    options: Options
    seats: int
    phase: Phase
    round: int
    rows: Rows
    queue: tuple[Play, ...]
    """Cards revealed this turn and not placed yet, in the order of placement."""
    taken: Taking | None
    """Cards that wait for their taker's decision; they lie open."""
    x_rows: Rows
    x_piles: Rows
    known: Rows
    """By seat: the cards of its hand that all have seen going there. When a round ends the hands lie open."""
    scores: Rows
    """Points of each finished round, by seat."""


class State(Value, frozen=True, gc=False):
    table: Table
    hands: Rows
    chosen: tuple[int | None, ...]
    waiting: tuple[Seat, ...]
    """Seats that have not chosen yet."""


class View(Value, frozen=True, gc=False):
    """What a seat may know; a spectator has no seat and no hand."""

    seat: Seat | None
    table: Table
    hand: Cards
    choice: int | None
    """The own card of this turn, while it may still be changed."""
    waiting: tuple[Seat, ...]
    hand_sizes: Cards
