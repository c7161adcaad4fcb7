"""The rules of the games as messages: the text of a language as a page shows it, and its pictures."""

from __future__ import annotations

import re
from functools import cache
from typing import Any, get_args

import msgspec
from markdown_it import MarkdownIt

from nimmt.drawing.pictures import Layout
from nimmt.lessons import lessons_of
from nimmt.lessons.lesson import LANGUAGES, Language
from nimmt.lessons.pictures import Plate, draw, plates_of
from nimmt.lessons.rulebook import Section, rulebook
from nimmt.rules import registry

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
