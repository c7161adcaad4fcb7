"""Every example in docs/positions.md can be read, and its moves lead where the page says."""

import re
from pathlib import Path
from typing import Any

import pytest

from nimmt.lessons.pictures import pictures, play
from nimmt.rules.game import InvalidPosition
from nimmt.rules.kit.notation import read
from nimmt.rules.position import from_json, from_text, to_json, to_text

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "positions.md").read_text("utf-8")
EXAMPLES = {
    name: (what, after, text)
    for what, after, name, text in re.findall(
        r"^Afterwards the (rows|tops) are `([^`]*)`\.\n\n<!-- position ([\w-]+) -->\n```text\n(.*?)^```$",
        PAGE,
        re.MULTILINE | re.DOTALL,
    )
}


def _after(name: str) -> tuple[Any, Any, tuple[Any, ...]]:
    game, state = from_text(EXAMPLES[name][2])
    plate = pictures()[name]
    moves = [*plate.prelude, *plate.moves]
    return game, *play(game, state, moves)


def test_all_examples_are_found() -> None:
    assert PAGE.count("<!-- position ") == len(EXAMPLES) == 23


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_can_be_read_in_both_forms(name: str) -> None:
    text = EXAMPLES[name][2]
    game, state = from_text(text)
    assert to_text(game, state) == text
    assert from_json(to_json(game, state)) == (game, state)


@pytest.mark.usefixtures("docs")
@pytest.mark.parametrize("name", EXAMPLES)
def test_its_moves_lead_where_the_page_says(name: str) -> None:
    what, after, _ = EXAMPLES[name]
    table = _after(name)[1].table
    if what == "tops":
        assert table.tops == read(after, tuple[int, ...])
    else:
        assert table.rows == read(after, tuple[tuple[int, ...], ...])


@pytest.mark.usefixtures("docs")
@pytest.mark.parametrize(
    ("name", "attribute", "value"),
    [
        ("six-full-row", "bulls", (0, 0, 6, 0)),
        ("six-trap-lower", "bulls", (1, 7)),
        ("buffalo-sort", "buffalo_taken", 5),
        ("buffalo-first", "buffalo_bulls", 4),
        ("x-full-row", "x_rows", ((22,), (), ())),
        ("x-too-low", "x_rows", ((22, 59), (), ())),
        ("x-score", "scores", ((23, 0),)),
        ("eleven-take", "bull_cards", (0, 0, 1)),
        ("eleven-around", "bull_cards", (0, 0, 0)),
    ],
)
def test_and_what_else_it_says(name: str, attribute: str, value: Any) -> None:
    assert getattr(_after(name)[1].table, attribute) == value


@pytest.mark.usefixtures("docs")
def test_markers_of_the_examples() -> None:
    assert _after("six-even-odd")[1].table.markers.even_odd.to_text() == "1:odd"
    assert _after("six-mountain")[1].table.markers.mountain.to_text() == "3:up"
    assert _after("six-cow")[1].table.markers.cow == 4


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("phase: choose", "cows: 1"), "Line 4: 'cows' is not part of a position of six."),
        (("hands: 14 ", "hands: 12 "), "Card 12 lies in row 1 and in the hand of seat 0."),
        (("markers: -\n", ""), "The position lacks: markers."),
    ],
)
def test_refusals_read_as_on_the_page(change: tuple[str, str], sentence: str) -> None:
    text = EXAMPLES["six-turn"][2]
    assert change[0] in text
    with pytest.raises(InvalidPosition) as caught:
        from_text(text.replace(*change))
    assert str(caught.value) == sentence
