"""The four fan cards as pieces that compose.

Each may change the value a card is played with, which rows it fits, how many places a row has, and what happens
after a card was placed or a row taken. The order of `FANS` is the order in which they act.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from nimmt.games.six.types import ROW_LIMIT, ROWS, Fan, Markers, MountainMarker, ParityMarker, parity
from nimmt.rules.game import Cards, Event, Names, Seat
from nimmt.rules.kit.cards import bulls
from nimmt.rules.kit.events import count, spaced


class MarkerMoved(Event, frozen=True, gc=False):
    """The marker of Even/Odd or Mountain climbing lies at another row now."""

    fan: Fan
    row: int
    shows: str

    def tell(self, names: Names) -> str:
        del names
        if self.fan == "even-odd":
            return f"The Even/Odd marker moves to row {self.row}: only {self.shows} numbers there."
        return f"The mountain marker moves to row {self.row}, arrows {self.shows}: numbers descend there."


class CowJumped(Event, frozen=True, gc=False):
    """The cow has landed on a row. On a full one it makes the seat take all but the highest number."""

    seat: Seat
    row: int
    kept: int | None
    taken: Cards
    bulls: int

    def seconds(self) -> float:
        return 1.6 if self.taken else self.SECONDS

    def tell(self, names: Names) -> str:
        if not self.taken:
            return f"The cow jumps to row {self.row}."
        loot = f"{spaced(self.taken)} ({count(self.bulls, 'bull')})"
        return f"The cow jumps onto the full row {self.row}: {names[self.seat]} takes {loot}, {self.kept} stays."


class Loot(NamedTuple):
    """A row that a seat takes, or what it takes of it."""

    seat: Seat
    cards: Cards
    bulls: int


class Board:
    """The rows while cards are being placed: a scratch pad that never outlives the call it is made in."""

    def __init__(self, rows: Sequence[Cards], markers: Markers) -> None:
        self.rows = list(rows)
        self.markers = markers
        self.events: list[Event] = []
        self.loot: list[Loot] = []
        """What was taken, row by row."""

    def lowest_end(self, but: int) -> int:
        """The row with the lowest end, leaving one row out."""
        others = (row for row in range(1, ROWS + 1) if row != but)
        return min(others, key=lambda row: self.rows[row - 1][-1])


class FanCard:
    """What a fan card can do; the base changes nothing."""

    def start(self, markers: Markers, board: Board) -> Markers:
        del board
        return markers

    def descends(self, markers: Markers, row: int) -> bool:
        del markers, row
        return False

    def admits(self, markers: Markers, row: int, value: int) -> bool:
        del markers, row, value
        return True

    def occupies(self, markers: Markers, row: int) -> int:
        del markers, row
        return 0

    def after_placing(self, board: Board, seat: Seat, row: int) -> None:
        del board, seat, row

    def after_taking(self, board: Board) -> None:
        del board


class Cow(FanCard):
    """Counts as a card without a number. Jumps away from a card that joins it or takes its row."""

    def start(self, markers: Markers, board: Board) -> Markers:
        return replace(markers, cow=board.lowest_end(but=0))

    def occupies(self, markers: Markers, row: int) -> int:
        return int(markers.cow == row)

    def after_placing(self, board: Board, seat: Seat, row: int) -> None:
        if board.markers.cow == row:
            self._jump(board, seat, row)

    def _jump(self, board: Board, seat: Seat, leaves: int) -> None:
        row = board.lowest_end(but=leaves)
        board.markers = replace(board.markers, cow=row)
        cards = board.rows[row - 1]
        if len(cards) < ROW_LIMIT:
            board.events.append(CowJumped(seat, row, None, (), 0))
            return
        kept = max(cards)
        taken = tuple(card for card in cards if card != kept)
        board.rows[row - 1] = (kept,)
        board.loot.append(Loot(seat, taken, bulls(taken)))
        board.events.append(CowJumped(seat, row, kept, taken, bulls(taken)))
        self._jump(board, seat, row)


class EvenOdd(FanCard):
    """Only numbers of the parity shown may join the marked row."""

    def start(self, markers: Markers, board: Board) -> Markers:
        return replace(markers, even_odd=self._at(board, board.lowest_end(but=0)))

    def admits(self, markers: Markers, row: int, value: int) -> bool:
        marker = markers.even_odd
        return marker is None or marker.row != row or parity(value) == marker.parity

    def after_taking(self, board: Board) -> None:
        marker = board.markers.even_odd
        if marker is not None:
            moved = self._at(board, board.lowest_end(but=marker.row))
            board.markers = replace(board.markers, even_odd=moved)
            board.events.append(MarkerMoved("even-odd", moved.row, moved.parity))

    def _at(self, board: Board, row: int) -> ParityMarker:
        return ParityMarker(row, parity(board.rows[row - 1][-1]))


class Mountain(FanCard):
    """In the marked row numbers descend."""

    def start(self, markers: Markers, board: Board) -> Markers:
        del board
        return replace(markers, mountain=MountainMarker(ROWS, "up"))

    def descends(self, markers: Markers, row: int) -> bool:
        return markers.mountain is not None and markers.mountain.row == row

    def after_taking(self, board: Board) -> None:
        marker = board.markers.mountain
        if marker is not None:
            row = marker.row - 1 if marker.arrows == "up" else marker.row + 1
            arrows = "down" if row == 1 else "up" if row == ROWS else marker.arrows
            board.markers = replace(board.markers, mountain=MountainMarker(row, arrows))
            board.events.append(MarkerMoved("mountain", row, arrows))


FANS: dict[Fan, FanCard] = {"cow": Cow(), "even-odd": EvenOdd(), "mountain": Mountain()}
"""Twisted numbers is not here: it changes the value of a play (`Play.value`), nothing on the table."""
