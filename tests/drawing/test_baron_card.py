"""The cards of Baron Oxx in pictures are those of the page."""

import re
from pathlib import Path

import pytest

import nimmt
from nimmt.drawing.things import CARD_H, CARD_W, FIELDS, SHAPES, baron_card, definitions

PAGE = Path(nimmt.__file__).parents[2] / "web" / "src" / "games" / "baron"


def test_shapes_and_colours_are_those_of_the_page() -> None:
    """Who reads the rules and then plays must know the cards again."""
    if not PAGE.is_dir():
        pytest.skip("the page is not here")
    shapes = dict(re.findall(r"(\w+): '(M[^']+)'", (PAGE / "faces.ts").read_text("utf-8")))
    assert shapes == SHAPES
    fields = dict(re.findall(r"\.(\w+) rect \{\s+fill: (#\w+);", (PAGE / "Field.svelte").read_text("utf-8")))
    assert fields == FIELDS


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6, 7])
def test_every_bull_has_a_field_with_its_shape(count: int) -> None:
    colours = [list(SHAPES)[index % 6] for index in range(count)]
    card = baron_card(104, colours)
    assert (card.width, card.height) == (CARD_W, CARD_H)
    assert [card.svg.count(f'href="#{colour}"') for colour in SHAPES] == [colours.count(each) for each in SHAPES]
    assert ("#6d2149" in card.svg) == (count >= 6), "only a card with every colour is noble"
    assert all(f'id="{colour}"' in definitions(card.svg) for colour in colours)
