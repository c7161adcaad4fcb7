"""What lies on the table and what is hidden in Baron Oxx."""

from __future__ import annotations

from typing import Literal, TypeAlias

from nimmt.rules.game import Cards, Rows, Seat, Value
from nimmt.rules.games.baron.options import Options

Phase: TypeAlias = Literal["deal", "choose", "row", "over"]


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


class Table(Value, frozen=True, gc=False):
    """All that everybody can see, or has seen and can remember."""

    options: Options
    seats: int
    phase: Phase
    round: int
    """The number of the game in the match."""
    rows: Rows
    queue: tuple[Play, ...]
    """Cards revealed this turn and not placed yet, in the order of placement."""
    bulls: Cards
    """Bulls taken in this game, by seat."""
    piles: Rows
    """The bull piles, by seat: all saw what was taken from the rows, and by whom."""
    returned: Rows
    """Variant 2: the cards that all saw going under each draw pile and that are still there, the lowest last."""
    known: Rows
    """Variant 2: the returned cards that each seat has drawn again and still holds, ascending."""
    idle: int
    """Variant 2: how many turns in a row nobody has placed a card."""
    left: Rows
    """Variant 2: what each seat had left when the game ended, laid open to be counted."""
    scores: Rows
    """Points of each finished game, by seat."""


def bare_table(options: Options, seats: int) -> Table:
    """The table before the first deal."""
    nothing: Rows = ((),) * seats
    return Table(
        options=options,
        seats=seats,
        phase="deal",
        round=1,
        rows=(),
        queue=(),
        bulls=(0,) * seats,
        piles=nothing,
        returned=nothing,
        known=nothing,
        idle=0,
        left=nothing,
        scores=(),
    )


class State(Value, frozen=True, gc=False):
    table: Table
    hands: Rows
    draw_piles: Rows
    """By seat, the top card first; hidden from everybody, their owners included."""
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
    draw_sizes: Cards
