"""The rules of a game for people: one text for each language, for the page, the terminal and the documentation alike.

`RULES.md` in a game's folder is the English text, `RULES.de.md` the German one, and so on; a game that has only the
first is read in English by everybody. A heading with an id behind it is a rule: `### Full rows <!-- full-row -->`. The
same ids stand in all languages. Events name the rule that applied by them, lessons the rules that they teach.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

import msgspec

from nimmt.lessons.lesson import Language
from nimmt.rules import registry

_HEADING = re.compile(r"^(#{1,3}) (.+?)(?: <!-- ([\w-]+) -->)?$", re.MULTILINE)


class Section(msgspec.Struct, frozen=True):
    """A heading and what stands below it. Those with an id are rules, the others hold several together."""

    title: str
    level: int
    text: str
    """Markdown."""
    id: str | None = None


class Rulebook(msgspec.Struct, frozen=True):
    game: str
    language: Language
    """That it is really written in."""
    title: str
    intro: str
    sections: tuple[Section, ...]

    @property
    def rules(self) -> tuple[str, ...]:
        return tuple(section.id for section in self.sections if section.id)

    def markdown(self) -> str:
        """The whole text, as a person reads it."""
        return "\n\n".join(filter(None, [f"# {self.title}", self.intro, *map(_written, self.sections)]))


def _written(section: Section) -> str:
    heading = f"{'#' * section.level} {section.title}"
    return f"{heading}\n\n{section.text}" if section.text else heading


@cache
def rulebook(game_id: str, language: Language = "en") -> Rulebook:
    """The rules in a language, or in English where they are not translated. A game without a text is told by the
    sentences of its rules."""
    game = registry.get(game_id)
    folder = resources.files(f"nimmt.games.{game_id}")
    file = folder / (f"RULES.{language}.md" if language != "en" else "RULES.md")
    if file.is_file():
        return read(game_id, language, file.read_text("utf-8"))
    if language != "en":
        return rulebook(game_id)
    sentences = "\n".join(f"- {sentence}" for sentence in (*game.rules.values(), *game.ends.values()))
    return Rulebook(game_id, "en", game.name, f"{game.summary}\n\n{sentences}", ())


def read(game_id: str, language: Language, text: str) -> Rulebook:
    sections = tuple(_sections(text))
    if not sections or sections[0].level > 1:  # a text without a name of its own
        return Rulebook(game_id, language, registry.get(game_id).name, text.partition("\n#")[0].strip(), sections)
    return Rulebook(game_id, language, sections[0].title, sections[0].text, sections[1:])


def _sections(text: str) -> Iterator[Section]:
    found = list(_HEADING.finditer(text))
    ends = [heading.start() for heading in found[1:]] + [len(text)]
    for heading, end in zip(found, ends, strict=True):
        signs, title, rule = heading.groups()
        yield Section(title, len(signs), text[heading.end() : end].strip(), rule)
