"""What a special card must be able to do, and what several of them need."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar, Final, Generic, TypeAlias, TypeVar

from nimmt.rules.game import Event, Refusal, Seat
from nimmt.rules.games.buffalo.actions import SpecialUse
from nimmt.rules.games.buffalo.options import ROWS
from nimmt.rules.games.buffalo.state import BUFFALO, Play, State, Table

Refused: TypeAlias = tuple[Refusal, str]
U = TypeVar("U", bound=SpecialUse)


def no(sentence: str) -> Refused:
    return Refusal.SPECIAL_NOT_POSSIBLE, sentence


ROW_NUMBERS: Final = range(1, ROWS + 1)
NO_ROW: Final = (Refusal.NO_SUCH_ROW, f"There is no such row: rows are 1 to {ROWS}.")
STOPPED: Final = no("Nothing can be added to a stopped row, taken from it or moved.")
ALL_PLACED: Final = no("No card is left to be placed in this turn.")
NOT_THE_BUFFALOS: Final = no("It does nothing to the buffalo's card.")
NOT_TO_BE_PLACED: Final = no("This seat has no card left to be placed.")


def idle_uses_allowed(table: Table) -> bool:
    """May a special card be spent on what changes nothing, to turn up the next one?"""
    return table.rules_version > 1


class Special(ABC, Generic[U]):
    places: ClassVar[bool] = False
    """Using it is the placement that was due."""

    @abstractmethod
    def candidates(self, table: Table) -> Iterator[U]:
        """Every use that may be possible, and perhaps some that are not."""

    @abstractmethod
    def refusal(self, table: Table, use: U) -> Refused | None: ...

    @abstractmethod
    def act(self, state: State, use: U, events: list[Event]) -> State: ...

    def uses(self, table: Table) -> Iterator[U]:
        return (use for use in self.candidates(table) if self.refusal(table, use) is None)


def play_of(table: Table, seat: Seat) -> Play:
    return next(play for play in table.queue if play.seat == seat)


def other_plays(table: Table, seat: Seat) -> tuple[Play, ...]:
    return tuple(play for play in table.queue if play.seat != seat)


def not_a_team_card(table: Table, seat: Seat) -> Refused | None:
    if seat == BUFFALO:
        return NOT_THE_BUFFALOS
    return None if any(play.seat == seat for play in table.queue) else NOT_TO_BE_PLACED
