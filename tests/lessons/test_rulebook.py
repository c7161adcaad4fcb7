"""The text of the rules says the same in every language, and every rule in it is shown, taught or tested: both ways."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from nimmt.drawing.pictures import WORDS, Layout
from nimmt.lessons import LANGUAGES, lessons_of, walk
from nimmt.lessons.pictures import draw, pictures, plates_of
from nimmt.lessons.rulebook import read, rulebook
from nimmt.rules import registry
from nimmt.rules.kit.options import option_fields

ROOT = Path(__file__).resolve().parents[2]
GAMES = tuple(registry.GAMES)
MAX_WORDS = 110
"""Of one rule: more is not read."""

each_game = pytest.mark.parametrize("game", GAMES)


def rules_of(game: str) -> set[str]:
    return set(rulebook(game).rules)


def marked(source: str) -> Iterator[str]:
    """The rules that the tests of a file name: `@pytest.mark.rule("six.full-row")`."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(func=ast.Attribute(attr="rule"), args=[ast.Constant(value=str(rule))]):
                yield rule


TESTED = {rule for path in sorted((ROOT / "tests" / "rules").glob("*.py")) for rule in marked(path.read_text("utf-8"))}


# -- nothing is missing ----------------------------------------------------------------------------------------------


@each_game
def test_every_rule_has_a_picture_or_a_lesson(game: str) -> None:
    shown = {plate.rule for plate in plates_of(game).picture}
    taught = {rule for lesson in lessons_of(game).values() for rule in lesson.rules}
    assert rules_of(game) - shown - taught == set()


@each_game
def test_every_picture_lesson_and_condition_names_a_rule_of_the_text(game: str) -> None:
    plates = plates_of(game)
    named = {plate.rule for plate in plates.picture} | set(plates.when)
    named |= {rule for lesson in lessons_of(game).values() for rule in lesson.rules}
    assert named - rules_of(game) == set()


def test_every_rule_has_a_test_and_every_marked_test_a_rule() -> None:
    told = {f"{game}.{rule}" for game in GAMES for rule in rules_of(game)}
    assert told - TESTED == set(), "Mark the tests of these with @pytest.mark.rule."
    assert TESTED - told == set(), "The text of the rules does not know these."


def test_a_mark_is_found() -> None:
    assert list(marked('@pytest.mark.rule("six.cow")\ndef test_it():\n    pass')) == ["six.cow"]


@each_game
def test_the_text_tells_every_rule_that_events_name(game: str) -> None:
    assert set(registry.get(game).rules) - rules_of(game) == set()


@each_game
def test_whoever_tries_a_rule_has_something_to_do(game: str) -> None:
    """From where the table is set up to the last step of the rule, the learner is asked at least once."""
    for lesson in lessons_of(game).values():
        for rule in lesson.rules:
            parts = [part for part in walk(lesson).parts if rule in part.step.rules]
            assert any(part.accepted for part in parts), f"{lesson.id}: {rule}"


# -- the text --------------------------------------------------------------------------------------------------------


@each_game
def test_every_language_has_the_same_rules_in_the_same_order(game: str) -> None:
    books = [rulebook(game, language) for language in LANGUAGES]
    assert [book.language for book in books] == list(LANGUAGES)
    shapes = {tuple((section.id, section.level) for section in book.sections) for book in books}
    assert len(shapes) == 1


@each_game
def test_numbers_are_the_same_in_every_language(game: str) -> None:
    def numbers(text: str) -> list[str]:
        return sorted(re.findall(r"\d+", text))

    for sections in zip(*(rulebook(game, language).sections for language in LANGUAGES), strict=True):
        assert {tuple(numbers(f"{section.title} {section.text}")) for section in sections} == {
            tuple(numbers(f"{sections[0].title} {sections[0].text}"))
        }, sections[0].title


@each_game
def test_a_heading_without_an_id_only_holds_rules_together(game: str) -> None:
    sections = rulebook(game).sections
    for section, following in zip(sections, [*sections[1:], None], strict=True):
        if section.id is None:
            assert following is not None, section.title
            assert following.level > section.level, section.title


@each_game
def test_rules_are_short(game: str) -> None:
    for language in LANGUAGES:
        for section in rulebook(game, language).sections:
            assert len(section.text.split()) <= MAX_WORDS * 1.3, f"{language}: {section.title}"


def test_a_text_is_read_with_its_ids_and_printed_without() -> None:
    text = "# Calf\n\nFew win.\n\n## A turn <!-- turn -->\n\nPlay.\n\n### Twice\n\nAgain.\n"
    book = read("six", "en", text)
    assert (book.title, book.intro, book.rules) == ("Calf", "Few win.", ("turn",))
    assert [(section.title, section.level, section.text) for section in book.sections] == [
        ("A turn", 2, "Play."),
        ("Twice", 3, "Again."),
    ]
    assert book.markdown() == text.replace(" <!-- turn -->", "").rstrip()


# -- pictures --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(pictures()))
def test_a_picture_can_be_drawn_in_every_language_and_layout(name: str) -> None:
    plate = pictures()[name]
    layouts: tuple[Layout, ...] = ("wide", "tall")
    for language in LANGUAGES:
        wide, tall = (draw(plate, language, layout) for layout in layouts)
        assert plate.title.in_language(language).split()[0] in wide
        assert width(tall) <= min(width(wide), 500), "A phone has no room for it."


def width(svg: str) -> int:
    found = re.search(r'width="(\d+)"', svg)
    assert found
    return int(found[1])


def test_all_words_in_pictures_are_there_in_every_language() -> None:
    artists = [getattr(registry.part(game, "drawing"), "TableArtist", None) for game in GAMES]
    for words in (WORDS, *(artist.words for artist in artists if artist is not None and artist.words)):
        assert set(words) == set(LANGUAGES)
        assert len({frozenset(of_language) for of_language in words.values()}) == 1


@each_game
def test_conditions_are_options_with_values_that_they_can_have(game: str) -> None:
    fields = {field.name for field in option_fields(registry.get(game).options_type)}
    variants = [variant.options for variant in registry.get(game).variants]
    for rule, when in plates_of(game).when.items():
        assert set(when) <= fields, rule
        assert any(set(when) <= set(options) for options in variants), rule


# -- remarks ---------------------------------------------------------------------------------------------------------


def remarks(game: str) -> set[str]:
    text = (ROOT / "web" / "src" / "games" / game / "texts" / "en.ts").read_text("utf-8")
    return set(re.findall(r"^  '?remark\.([\w-]+)'?:", text, re.MULTILINE))


@each_game
def test_the_first_match_has_a_remark_on_every_rule_that_events_name(game: str) -> None:
    assert remarks(game) == set(registry.get(game).rules)


@each_game
def test_remarks_know_the_lesson_that_teaches_a_rule(game: str) -> None:
    """Whoever has finished it needs no remark. What no lesson teaches counts as known to who knows the basics."""
    page = (ROOT / "web" / "src" / "games" / game / "index.ts").read_text("utf-8")
    found = re.search(r"taughtIn: \{(.*?)\}", page, re.DOTALL)
    declared = dict(re.findall(r"'?([\w-]+)'?: '([\w-]+)'", found[1])) if found else {}
    teaching = {rule: lesson.id for lesson in reversed(lessons_of(game).values()) for rule in lesson.rules}
    for rule in remarks(game):
        assert declared.get(rule, "basic") == teaching.get(rule, "basic"), rule
