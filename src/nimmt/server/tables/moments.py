"""A table at a moment: who sits there, who is asked since when; and the latest moments, as far as they are remembered.

A match may have a hundred thousand of them; older ones can be had from the log.
"""

from __future__ import annotations

from typing import Any, Generic, NamedTuple, TypeVar, overload

import msgspec

from nimmt.rules.game import Action, Event, Seat, Value
from nimmt.server.tables import messages as m
from nimmt.server.tables.log_entries import AwayReason, BroughtSeat, Opened, Pace, Tempo, milliseconds, short_clock

T = TypeVar("T")

MIN_MOMENTS = 200
"""So many are remembered at least, and twice as many at most."""


GONE = "gone:"
"""Begins what stands in a log for a guest who was forgotten: nobody can be that guest again."""


class Chair(msgspec.Struct, frozen=True):
    """What sits on a seat: a person (guest), a bot (level), or nothing."""

    guest: str | None = None
    name: str = ""
    contribution: str = ""
    level: str | None = None
    away: AwayReason | None = None
    missed: int = 0
    """So many decisions in a row this person's time ran out for."""
    seen: int = 0
    """When this person last did something here."""
    pace: Pace = "normal"
    program: bool = False
    wanting_stand_in: tuple[Seat, ...] = ()
    unlisted: bool = False
    played_by: str = ""
    """What the record of a match from elsewhere calls it."""

    @property
    def is_empty(self) -> bool:
        return self.guest is None and self.level is None

    @property
    def is_present(self) -> bool:
        """Does a person sit here who is not away?"""
        return self.guest is not None and self.away is None

    @property
    def has_stand_in(self) -> bool:
        """Does a bot decide here, whatever is asked? Whoever only missed some decisions has time for the next one."""
        return self.level is not None or self.away in ("left", "absent")

    @property
    def player(self) -> str:
        """What a record calls it."""
        return self.played_by or self.level or ("program" if self.program else "person")

    def shown(self) -> m.Chair:
        kind: Any = "bot" if self.level else "person" if self.guest else "empty"
        return m.Chair(
            kind=kind,
            name=self.name,
            level=self.level,
            away=self.away,
            missed=self.missed,
            program=self.program,
            pace=self.pace,
            wanting_stand_in=self.wanting_stand_in,
            contributed=bool(self.contribution),
        )


EMPTY = Chair()


def chairs_at_first(opened: Opened) -> tuple[Chair, ...]:
    """All empty, unless the match is over already: then nobody can be those who sat there."""
    return tuple(map(_brought, range(opened.seats), opened.brought)) if opened.brought else (EMPTY,) * opened.seats


def _brought(seat: Seat, one: BroughtSeat) -> Chair:
    return Chair(
        guest=None if one.is_bot else f"{GONE}{seat}",
        name=one.name,
        contribution=one.contribution,
        level=one.player if one.is_bot else None,
        program=not one.is_bot and one.player != "person",
        unlisted=True,
        played_by=one.player,
    )


class Asked(msgspec.Struct, frozen=True):
    """Since which message a seat is asked for a decision of this kind, and when its clock started: as soon as what had
    happened before could have been watched."""

    since: int
    at: int
    kind: str
    expired: bool = False
    """Time ran out: a bot makes this decision."""
    hinted: bool = False
    """The coach has said something about it."""


class Moment(msgspec.Struct, frozen=True):
    """The table right after an entry, with what is needed to tell it to anybody."""

    n: int
    at: int
    note: m.Note | None
    events: tuple[Event, ...]
    phase: m.TablePhase
    chairs: tuple[Chair, ...]
    state: Value | None
    before: Value | None
    """The state as it was before the events; None before the match."""
    asked: dict[Seat, Asked]
    """Seats that are waited for, and seats that may still change their mind."""
    waiting: tuple[Seat, ...]
    chat_open: bool
    takeover: bool
    rematch: str | None
    coached: tuple[m.Coached, ...] = ()
    """What the coach did for each seat, at a practice table."""
    may_take_back: frozenset[Seat] = frozenset()

    @property
    def is_paused(self) -> bool:
        return is_paused(self.phase, self.chairs)


class ForeseenAt(NamedTuple):
    """What a seat could foresee of its actions when the table stood like this."""

    table: Any
    legal: tuple[Action, ...]
    foresights: tuple[m.Foresight, ...]


def is_paused(phase: m.TablePhase, chairs: tuple[Chair, ...]) -> bool:
    """There are people at the table, and all of them are away: nothing is decided until the first one is back."""
    people = [chair for chair in chairs if chair.guest is not None]
    return phase == "playing" and bool(people) and not any(chair.is_present for chair in people)


def deadline(tempo: Tempo, asked: Asked, chair: Chair) -> int | None:
    """When a bot makes this decision for a person who has not."""
    limit = milliseconds(tempo)
    if limit is None:
        return None
    return asked.at + (short_clock(limit) if chair.away == "time" else limit)


class Moments(Generic[T]):
    """Like a list that has forgotten its first items but not their number."""

    def __init__(self, first: int = 0, kept: list[T] | None = None) -> None:
        self.first = first
        """So many are forgotten."""
        self._kept: list[T] = [] if kept is None else kept

    def append(self, moment: T) -> None:
        self._kept.append(moment)
        if len(self._kept) > 2 * MIN_MOMENTS:
            self.first += len(self._kept) - MIN_MOMENTS
            del self._kept[:-MIN_MOMENTS]

    def fork(self) -> Moments[T]:
        return Moments(self.first, [*self._kept])

    @property
    def kept(self) -> int:
        return len(self._kept)

    def __len__(self) -> int:
        return self.first + len(self._kept)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> list[T]: ...
    def __getitem__(self, place: int | slice) -> T | list[T]:
        if isinstance(place, slice):
            start, stop, _ = place.indices(len(self))
            self._require(start)
            return self._kept[start - self.first : max(0, stop - self.first)]
        number = place + len(self) if place < 0 else place
        self._require(number)
        return self._kept[number - self.first]

    def _require(self, number: int) -> None:
        if number < self.first:
            raise LookupError(f"Moment {number} is forgotten; the first that is remembered is {self.first}.")
