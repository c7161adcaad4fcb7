"""What the coach of a practice table knows: what was done for whom, and where decisions can be taken back to.

Part of the fold of a log, and like it a value: each step gives a new one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from nimmt.match.match import Match
from nimmt.match.record import Practice
from nimmt.rules.game import Seat, Value
from nimmt.server.tables.log_entries import Opened
from nimmt.server.tables.messages import Coached
from nimmt.server.tables.moments import Asked
from nimmt.server.tables.summary import Tally

TAKE_BACKS = 100
"""So many of the latest decisions of people can be taken back, one after the other."""


class TurningPoint(NamedTuple):
    """A match as it stood when a seat's decision came up, with message `n`: there it goes on if that is taken back."""

    n: int
    seat: Seat
    state: Value
    moves: int
    deals: int
    tally: Tally


class Coaching(msgspec.Struct, frozen=True):
    coached: tuple[Coached, ...]
    """For each seat."""
    points: tuple[TurningPoint, ...] = ()
    """Where people have decided, the last one last."""
    came_up: Mapping[Seat, TurningPoint] = {}
    """Where the decisions that are asked for now came up."""
    undone: tuple[range, ...] = ()
    """The numbers of messages that tell of what was taken back."""

    @classmethod
    def at_first(cls, opened: Opened) -> Coaching | None:
        if not opened.practice:
            return None
        counted = [Coached(hints=one.hints, take_backs=one.take_backs) for one in opened.brought]
        return cls(tuple(counted) or (Coached(),) * opened.seats)

    def last_decision(self, seat: Seat) -> TurningPoint | None:
        """What this seat can take back."""
        return next((point for point in reversed(self.points) if point.seat == seat), None)

    def is_undone(self, n: int) -> bool:
        return any(n in numbers for numbers in self.undone)

    @property
    def practice(self) -> Practice:
        """For the record."""
        return Practice(
            hints=tuple([one.hints for one in self.coached]),
            take_backs=tuple([one.take_backs for one in self.coached]),
        )

    # -- steps ------------------------------------------------------------------------------------------------------

    def asked(self, asked: Mapping[Seat, Asked], n: int, match: Match, tally: Tally) -> Coaching:
        """Message `n` asks for these decisions, some of them for the first time."""
        here = (match.state, len(match.moves), len(match.deals), tally)
        fresh = {seat: TurningPoint(n, seat, *here) for seat, one in asked.items() if one.since == n}
        going_on = {seat: point for seat, point in self.came_up.items() if seat in asked}
        return msgspec.structs.replace(self, came_up=going_on | fresh)

    def decided(self, seat: Seat) -> Coaching:
        """A person makes a decision that was asked for; changing one's mind is not another decision."""
        point = self.came_up.get(seat)
        if point is None or point in self.points:
            return self
        return msgspec.structs.replace(self, points=(*self.points[-TAKE_BACKS + 1 :], point))

    def taken_back(self, point: TurningPoint, n: int) -> Coaching:
        """Message `n` says that the match goes on from this point."""
        points = tuple([other for other in self.points if other.n < point.n])
        undone = [numbers for numbers in self.undone if numbers.start <= point.n]
        first = point.n + 1
        if undone and undone[-1].stop == point.n:  # the same decision was taken back before
            first = undone.pop().start
        return msgspec.structs.replace(self, points=points, came_up={}, undone=(*undone, range(first, n)))

    def counted(self, seat: Seat, hints: int = 0, take_backs: int = 0) -> Coaching:
        had = self.coached[seat]
        now = Coached(hints=had.hints + hints, take_backs=had.take_backs + take_backs)
        return msgspec.structs.replace(self, coached=(*self.coached[:seat], now, *self.coached[seat + 1 :]))
