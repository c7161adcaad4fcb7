"""What a lesson is, and where lessons come from: files in a game's folder, one for each lesson.

A lesson is a list of steps. A step says something, and most of them ask the learner to do something: only what it names
is accepted, everything else is answered. What the others do then is part of the step; what happens follows from the
rules, and the step claims the events that matter, so that a test can see that it teaches what is true.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Literal, TypeAlias

import msgspec

from nimmt.rules import registry
from nimmt.rules.game import Seat

Language: TypeAlias = Literal["en", "de", "pl", "ru"]
LANGUAGES: tuple[Language, ...] = ("en", "de", "pl", "ru")

Choice: TypeAlias = int | str | list[Any] | dict[str, Any]
"""An action as `nimmt.match.by_hand` reads it: `21`, `[44, 1]`, `{type = "ChooseRow", row = 2}`."""


class BrokenLesson(Exception):
    """A lesson that does not do what it says; the sentence names the lesson and the step."""


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text in every language."""

    en: str
    de: str
    pl: str
    ru: str

    def in_language(self, language: Language) -> str:
        text: str = getattr(self, language)
        return text


class Step(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something to learn."""

    say: Text
    rules: list[str] = []
    """What it teaches: ids of rules in the text of the rules. Each can be tried alone, from the last position on."""
    position: dict[str, Any] | None = None
    """The table anew, as `nimmt.position` takes it. Without one the step goes on where the last one ended."""
    variant: str | None = None
    """Of that position."""
    before: list[Choice] = []
    """What others do before the learner is asked."""
    do: list[Choice] = []
    """What the learner may do: any of these. With none, there is only something to read."""
    others: list[Choice] = []
    """What the others do after that, one by one, each the first who is waited for; `{seat = 2, action = …}` is the
    action of another seat."""
    happens: list[dict[str, Any]] = []
    """Events that the learner sees, in this order, with others between them; of each the fields that matter."""
    why: Text | None = None
    """What to say when it has happened."""
    hint: Text | None = None
    """What to say after a wrong try, besides what would come of it."""


class Lesson(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A lesson of a game. The learner sits on seat 0."""

    title: Text
    about: Text
    """What it teaches, in a line."""
    minutes: int
    names: list[str]
    """Of the other seats."""
    steps: list[Step]
    game: str = ""
    id: str = ""

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that it teaches, in the order in which it comes to them."""
        return tuple(dict.fromkeys(rule for step in self.steps for rule in step.rules))


SEAT: Seat = 0
"""Where the learner sits."""


@cache
def lessons_of(game_id: str) -> Mapping[str, Lesson]:
    """The lessons of a game by their ids, in the order in which they are best taken."""
    registry.get(game_id)
    folder = resources.files(f"nimmt.games.{game_id}") / "lessons"
    if not folder.is_dir():
        return {}
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    found = (_read(game_id, file.name, file.read_bytes()) for file in files)
    return {lesson.id: lesson for lesson in found}


def _read(game_id: str, name: str, data: bytes) -> Lesson:
    """Files are called `1-basic.toml`: their numbers say in which order they come."""
    lesson_id = name.removesuffix(".toml").partition("-")[2]
    try:
        read = msgspec.toml.decode(data, type=Lesson)
    except msgspec.MsgspecError as error:
        raise BrokenLesson(f"{game_id}/{name}: {error}.") from error
    return msgspec.structs.replace(read, game=game_id, id=lesson_id)


def lesson(game_id: str, lesson_id: str) -> Lesson | None:
    return lessons_of(game_id).get(lesson_id)
