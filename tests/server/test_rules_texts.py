"""The rules as the server hands them out: in every language, with pictures, and nothing else."""

from __future__ import annotations

from xml.etree import ElementTree

import msgspec
import pytest

from nimmt.lessons import LANGUAGES
from nimmt.lessons.pictures import plates_of
from nimmt.rules.registry import GAMES
from nimmt.server.lessons import RulesPage, rule_picture, rules_page


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_has_its_sections_and_pictures_that_exist(game: str, language: str) -> None:
    content = rules_page(game, language)
    assert content is not None
    page = msgspec.json.decode(content, type=RulesPage)
    assert page.language == language
    shown = [picture for section in page.sections for picture in section.pictures]
    assert {picture.name for picture in shown} == {plate.name for plate in plates_of(game).picture}
    for picture in shown:
        for layout, size in (("wide", picture.wide), ("tall", picture.tall)):
            svg = rule_picture(game, language, f"{picture.name}-{layout}.svg")
            assert svg is not None
            root = ElementTree.fromstring(svg)
            assert (root.get("width"), root.get("height")) == tuple(map(str, size))


def test_markup_in_a_text_is_shown_as_it_is_written() -> None:
    from nimmt.server.lessons import _html

    assert "<script>" not in _html("A <script>alert(1)</script> card.")
    assert "<td>55</td>" in _html("| number |\n|---|\n| 55 |")


@pytest.mark.parametrize(
    ("game", "language"), [("chess", "en"), ("six", "fr"), ("six", ""), ("../six", "en"), ("", "en")]
)
def test_what_does_not_exist_is_not_made(game: str, language: str) -> None:
    assert rules_page(game, language) is None
    assert rule_picture(game, language, "turn-wide.svg") is None


@pytest.mark.parametrize("file", ["turn", "turn-wide", "turn-round.svg", "x-tall.svg", "-tall.svg", "../turn-tall.svg"])
def test_a_picture_has_exactly_one_name(file: str) -> None:
    assert rule_picture("six", "en", file) is None
