"""Lessons as messages: what a page needs to play one at the same table as any match, without asking again."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from nimmt.lessons import Lesson, Moment, Part, Text, lessons_of, walk
from nimmt.lessons.lesson import SEAT
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Value
from nimmt.server.still import situation, table_info
from nimmt.server.tables import messages as m
from nimmt.server.tables.projection import changes


class LessonInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson in a list."""

    game: str
    id: str
    title: Text
    about: Text
    minutes: int
    steps: int


class LessonStep(msgspec.Struct, frozen=True, kw_only=True):
    """Something to learn. `start` is the table set up anew, or null where the step goes on from the one before."""

    say: Text
    rules: tuple[str, ...]
    """The rules that it teaches, by their ids in the text of the rules."""
    why: Text | None
    hint: Text | None
    start: m.Situation | None
    before: tuple[m.Update, ...]
    """What others do first."""
    accepted: tuple[Any, ...]
    """What the learner may do; everything else is answered. Empty if there is only something to read."""
    outcomes: tuple[tuple[m.Update, ...], ...]
    """What comes of each of these actions."""


class LessonScript(msgspec.Struct, frozen=True, kw_only=True):
    """A whole lesson, from the learner's seat."""

    info: LessonInfo
    table: m.TableInfo
    steps: tuple[LessonStep, ...]


def catalogue() -> list[LessonInfo]:
    """All lessons, in the order in which they are best taken."""
    return [info(lesson) for game in registry.GAMES for lesson in lessons_of(game).values()]


def info(lesson: Lesson) -> LessonInfo:
    return LessonInfo(
        game=lesson.game,
        id=lesson.id,
        title=lesson.title,
        about=lesson.about,
        minutes=lesson.minutes,
        steps=len(lesson.steps),
    )


def script(game_id: str, lesson_id: str) -> bytes | None:
    """A lesson as JSON; None if there is none. The same for everybody, so it is made once."""
    # Only what exists is remembered: anybody can make up names.
    return _encoded(game_id, lesson_id) if lesson_id in lessons_of(game_id) else None


@cache
def _encoded(game_id: str, lesson_id: str) -> bytes:
    return msgspec.json.encode(_script(lessons_of(game_id)[lesson_id]))


def _script(lesson: Lesson) -> LessonScript:
    walked = walk(lesson)
    stage = _Stage(walked.game, lesson)
    return LessonScript(
        info=info(lesson),
        table=table_info(f"{lesson.game}/{lesson.id}", walked.game, walked.parts[0].state),
        steps=tuple(stage.step(part) for part in walked.parts),
    )


class _Stage:
    """A table of nobody's: it numbers what happens at it."""

    def __init__(self, game: AnyGame, lesson: Lesson) -> None:
        self._game = game
        bots = (m.Chair(kind="bot", name=name, level="greedy") for name in lesson.names)
        self._chairs = (m.Chair(kind="person"), *bots)

    def step(self, part: Part) -> LessonStep:
        step = part.step
        return LessonStep(
            say=step.say,
            rules=tuple(step.rules),
            why=step.why,
            hint=step.hint,
            start=self._situation(part.state) if part.fresh else None,
            before=tuple(self._updates(part.state, part.before)),
            accepted=part.accepted,
            outcomes=tuple(tuple(self._updates(part.asked, outcome)) for outcome in part.outcomes),
        )

    def _updates(self, state: Value, moments: tuple[Moment, ...]) -> Iterator[m.Update]:
        for number, moment in enumerate(moments, 1):
            yield m.Update(
                n=number,
                at=0,
                note=m.Decided(seat=moment.seat, by_bot=moment.seat != SEAT),
                events=moment.events,
                situation=self._situation(moment.state),
                changes=changes(self._game, state, SEAT, moment.events[:-1]),
            )
            state = moment.state

    def _situation(self, state: Value) -> m.Situation:
        return situation(self._game, state, SEAT, self._chairs)
