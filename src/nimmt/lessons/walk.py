"""A lesson from its beginning to its end: what the learner sees at each step, as the rules have it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from nimmt.lessons.lesson import SEAT, BrokenLesson, Choice, Lesson, Step
from nimmt.match.by_hand import read_choice, set_up
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Event, RulesError, Seat, Value


class Moment(NamedTuple):
    """Somebody has done something: how things are now, and what the learner saw of it."""

    seat: Seat
    state: Value
    events: tuple[Event, ...]


class Part(NamedTuple):
    """A step with what comes of it."""

    step: Step
    state: Value
    """Before anybody does anything in it."""
    fresh: bool
    """Whether the table was set up anew."""
    before: tuple[Moment, ...]
    accepted: tuple[Action, ...]
    """What the learner may do."""
    outcomes: tuple[tuple[Moment, ...], ...]
    """For each of these actions what comes of it: the action itself, and then those of the others."""

    @property
    def asked(self) -> Value:
        """The state in which the learner is asked."""
        return self.before[-1].state if self.before else self.state


class Walk(NamedTuple):
    lesson: Lesson
    game: AnyGame
    parts: tuple[Part, ...]


def walk(lesson: Lesson) -> Walk:
    """The whole lesson; raises `BrokenLesson` if the rules do not agree with it."""
    game = registry.get(lesson.game)
    return Walk(lesson, game, tuple(_parts(lesson, game)))


def _parts(lesson: Lesson, game: AnyGame) -> Iterator[Part]:
    state: Value | None = None
    for number, step in enumerate(lesson.steps, 1):
        try:
            part = _part(game, step, state)
            _check_claims(part)
        except (RulesError, BrokenLesson) as error:
            raise BrokenLesson(f"{lesson.game}/{lesson.id}, step {number}: {error}") from error
        yield part
        # Where several ways lead on, the next step sets the table up anew.
        ends = [outcome[-1].state for outcome in part.outcomes] or [part.asked]
        state = ends[0] if len(ends) == 1 else None


def _part(game: AnyGame, step: Step, state: Value | None) -> Part:
    fresh = step.position is not None
    if step.position is not None:
        state = set_up(game, step.position, step.variant)
    if state is None:
        raise BrokenLesson("A position is needed: at the beginning, and where the learner had a choice before.")
    before = tuple(_others(game, state, step.before))
    asked = before[-1].state if before else state
    accepted = tuple(read_choice(game, asked, SEAT, choice) for choice in step.do)
    if step.others and not accepted:
        raise BrokenLesson("Others act after the learner, or before: here the learner does nothing.")
    outcomes = tuple(tuple(_outcome(game, asked, action, step.others)) for action in accepted)
    return Part(step, state, fresh, before, accepted, outcomes)


def _outcome(game: AnyGame, state: Value, action: Action, others: Sequence[Choice]) -> Iterator[Moment]:
    own = _act(game, state, SEAT, action)
    yield own
    yield from _others(game, own.state, others)


def _others(game: AnyGame, state: Value, choices: Sequence[Choice]) -> Iterator[Moment]:
    for choice in choices:
        seat, what = _whose(game, state, choice)
        moment = _act(game, state, seat, read_choice(game, state, seat, what))
        state = moment.state
        yield moment


def _whose(game: AnyGame, state: Value, choice: Choice) -> tuple[Seat, Choice]:
    if isinstance(choice, dict) and "seat" in choice:
        return choice["seat"], choice["action"]
    waiting = [decision.seat for decision in game.pending(state) if decision.seat != SEAT]
    if not waiting:
        raise BrokenLesson(f"Nobody else is waited for, so nobody can do {choice}.")
    return waiting[0], choice


def _act(game: AnyGame, state: Value, seat: Seat, action: Action) -> Moment:
    after, events = game.apply(state, seat, action)
    seen = (event.seen_by(SEAT) for event in events)
    return Moment(seat, after, tuple(event for event in seen if event is not None))


def _check_claims(part: Part) -> None:
    """Every event that the step claims happens, in this order, whichever way the learner takes."""
    if part.step.happens and not part.outcomes:
        raise BrokenLesson("Nothing happens where nobody does anything.")
    for outcome in part.outcomes:
        events = (event for moment in outcome for event in moment.events)
        for claim in part.step.happens:
            if not any(_is(event, claim) for event in events):  # goes on behind the last one found
                raise BrokenLesson(f"This does not happen, or not in this order: {claim}.")


def _is(event: Event, claim: dict[str, Any]) -> bool:
    told: dict[str, Any] = msgspec.to_builtins(event)
    return all(name in told and _plain(told[name]) == _plain(value) for name, value in claim.items())


def _plain(value: Any) -> Any:
    """With lists for tuples, however deep: files know no others."""
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value
