"""A record as a story: its steps in rounds and turns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from nimmt.clients.cli.common import clean
from nimmt.match.record import Record, RecordError
from nimmt.match.replay import Step, game_of, options_of, replay
from nimmt.rules.game import AnyGame, Decision, Event, Options, Seat, Value


class Scene(NamedTuple):
    """A step, and where in the match it belongs. Turn 0 is all that comes before the first turn of a round."""

    round: int
    turn: int
    step: Step

    def events(self, eyes: Eyes) -> Iterator[Event]:
        """What there was to see for these eyes."""
        for event in self.step.events:
            seen = event if eyes.all else event.seen_by(eyes.seat)
            if seen is not None:
                yield seen


class Eyes(NamedTuple):
    """Who looks: somebody who sees all, a seat, or (None) a spectator."""

    all: bool
    seat: Seat | None = None


class Story(NamedTuple):
    """A match that was replayed, as far as its record goes: `error` is what stopped it."""

    record: Record
    game: AnyGame
    options: Options
    names: tuple[str, ...]
    scenes: list[Scene]
    error: RecordError | None


def read_story(record: Record) -> Story:
    game = game_of(record)
    names = tuple(clean(" ".join(seat.name.split())) or f"seat {n}" for n, seat in enumerate(record.seats))
    options, error = options_of(record, game), None
    steps: list[Step] = []
    try:
        steps.extend(replay(record))
    except RecordError as refused:
        error = refused
    start = game.setup(options, len(record.seats)) if steps else None
    return Story(record, game, options, names, list(_scenes(game, start, steps)), error)


def _scenes(game: AnyGame, start: Value | None, steps: list[Step]) -> Iterator[Scene]:
    before = [start, *(step.state for step in steps)][:-1]
    asked = [() if step.seat is None else game.pending(state) for state, step in zip(before, steps, strict=True)]
    opening = _opening_kind(asked)
    current = turn = 0
    awaited: set[Seat] = set()  # who was still to answer the question that opened the turn
    for state, step, pending in zip(before, steps, asked, strict=True):
        number = _round_of(state)
        if number != current:
            current, turn = number, 0
        seats = {decision.seat for decision in pending if decision.kind == opening}
        if seats and not (turn and seats <= awaited):
            turn += 1
        awaited = seats - {step.seat}
        yield Scene(current, turn, step)


def _round_of(state: Any) -> int:
    # A game of one round need not number it.
    return int(getattr(state.table, "round", 1))


def _opening_kind(asked: list[tuple[Decision, ...]]) -> str | None:
    """The kind of decision that begins a turn: asked of most seats at once and, among equals, asked first."""
    most = max(asked, key=len, default=())
    return most[0].kind if most else None
