"""What is kept of a finished match beside its log: enough for lists and statistics without reading the log again.

It follows from the log like everything else, and is written with it, as part of the listing. Matches that ended before
there were summaries get theirs when somebody who played there asks: see `people/matches.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from nimmt.rules.game import Event, Outcome, Seat
from nimmt.rules.kit.events import RoundEnded

VERSION = 1
"""Summaries of another version count as missing, and are made anew."""


class Summary(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Lists with an item for each seat."""

    version: int
    began: int
    ended: int
    """Milliseconds of the epoch."""
    rounds: int
    reason: str
    """Why the match ended, as the outcome says."""
    points: tuple[int, ...]
    winners: tuple[Seat, ...]
    takes: tuple[int, ...]
    """How often each seat took something from the table."""
    decisions: tuple[int, ...]
    by_bots: tuple[int, ...]
    """How many decisions each seat made, and how many of them a bot did."""
    guests: tuple[str | None, ...]
    """Who the people are: told to nobody, but two with the same name are not the same."""


class Tally(msgspec.Struct, frozen=True):
    """What is counted while a match goes on."""

    began: int
    ended: int
    rounds: int
    takes: tuple[int, ...]
    decisions: tuple[int, ...]
    by_bots: tuple[int, ...]

    @classmethod
    def at_start(cls, seats: int, at: int) -> Tally:
        nothing = (0,) * seats
        return cls(at, at, 0, nothing, nothing, nothing)

    def counted(self, seat: Seat, by_bot: bool, events: Sequence[Event], at: int) -> Tally:
        """With a decision and what came of it."""
        rounds = sum(isinstance(event, RoundEnded) for event in events)
        takers = [taker for event in events if (taker := event.taker()) is not None]
        return Tally(
            self.began,
            at,
            self.rounds + rounds,
            _added(self.takes, takers) if takers else self.takes,
            _added(self.decisions, (seat,)),
            _added(self.by_bots, (seat,)) if by_bot else self.by_bots,
        )

    def summary(self, outcome: Outcome, guests: Iterable[str | None]) -> Summary:
        return Summary(
            version=VERSION,
            began=self.began,
            ended=self.ended,
            rounds=max(1, self.rounds),  # where a match is one deal no round ends
            reason=outcome.reason,
            points=outcome.points,
            winners=outcome.winners,
            takes=self.takes,
            decisions=self.decisions,
            by_bots=self.by_bots,
            guests=tuple(guests),
        )


def _added(counts: tuple[int, ...], seats: Iterable[Seat]) -> tuple[int, ...]:
    new = [*counts]
    for seat in seats:
        new[seat] += 1
    return tuple(new)
