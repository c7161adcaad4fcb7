"""Lessons and rules as messages: what a page needs to play a lesson at a real table, and the rules with pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, get_args

import msgspec
from markdown_it import MarkdownIt

from nimmt.drawing.pictures import Layout
from nimmt.lessons import Lesson, Moment, Part, Text, lessons_of, walk
from nimmt.lessons.lesson import LANGUAGES, SEAT, Language
from nimmt.lessons.pictures import Plate, draw, plates_of
from nimmt.lessons.rulebook import Section, rulebook
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Value
from nimmt.server.tables import messages as m
from nimmt.server.tables.projection import changes, still_situation, still_table


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
        table=still_table(f"{lesson.game}/{lesson.id}", walked.game, walked.parts[0].state),
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
        return still_situation(self._game, state, SEAT, self._chairs)


# -- rules -------------------------------------------------------------------------------------------------------------

_SIZE = re.compile(r'width="(\d+)" height="(\d+)"')


class RulePicture(msgspec.Struct, frozen=True, kw_only=True):
    """A picture of a rule; the files have the names `<name>-wide.svg` and `<name>-tall.svg`."""

    name: str
    title: str
    wide: tuple[int, int]
    tall: tuple[int, int]
    """Width and height."""


class RuleSection(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the rules. Those with an id are rules, the others are headings above several of them."""

    id: str | None
    level: int
    title: str
    html: str
    when: dict[str, Any]
    """The options with which the rule holds; empty if it always does."""
    pictures: tuple[RulePicture, ...]
    lesson: str | None
    """The lesson in which it can be tried."""


class RulesPage(msgspec.Struct, frozen=True, kw_only=True):
    """The rules of a game in a language, or in English where they are not translated."""

    game: str
    language: Language
    title: str
    html: str
    sections: tuple[RuleSection, ...]


def rules_page(game_id: str, language: str) -> bytes | None:
    """The rules as JSON; None if there is no such game or language. The same for everybody, so they are made once."""
    known = game_id in registry.GAMES and language in LANGUAGES
    # Only what exists is remembered: anybody can make up names.
    return _page(game_id, language) if known else None


def rule_picture(game_id: str, language: str, file: str) -> bytes | None:
    """A picture as SVG, made once; None if there is no such picture."""
    stem, _, ending = file.rpartition(".")
    name, _, layout = stem.rpartition("-")
    if game_id not in registry.GAMES or language not in LANGUAGES or layout not in get_args(Layout) or ending != "svg":
        return None
    if not any(plate.name == name for plate in plates_of(game_id).picture):
        return None
    return _picture(game_id, language, name, layout).encode()


@cache
def _page(game_id: str, language: Language) -> bytes:
    book = rulebook(game_id, language)
    made = RulesPage(
        game=game_id,
        language=book.language,
        title=book.title,
        html=_html(book.intro),
        sections=tuple(_section(game_id, language, section) for section in book.sections),
    )
    return msgspec.json.encode(made)


def _section(game_id: str, language: Language, section: Section) -> RuleSection:
    plates = plates_of(game_id)
    return RuleSection(
        id=section.id,
        level=section.level,
        title=section.title,
        html=_html(section.text),
        when=plates.when.get(section.id or "", {}),
        pictures=tuple(_info(plate, language) for plate in plates.picture if plate.rule == section.id),
        lesson=next((lesson.id for lesson in lessons_of(game_id).values() if section.id in lesson.rules), None),
    )


def _html(text: str) -> str:
    # Markup in the text would be shown as it is written.
    return str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))


def _info(plate: Plate, language: Language) -> RulePicture:
    wide, tall = (_size(_picture(plate.game, language, plate.name, layout)) for layout in get_args(Layout))
    return RulePicture(name=plate.name, title=plate.title.in_language(language), wide=wide, tall=tall)


def _size(svg: str) -> tuple[int, int]:
    found = _SIZE.search(svg)
    return (int(found[1]), int(found[2])) if found else (0, 0)


@cache
def _picture(game_id: str, language: Language, name: str, layout: Layout) -> str:
    return draw(next(plate for plate in plates_of(game_id).picture if plate.name == name), language, layout)
