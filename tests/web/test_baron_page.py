"""The table of Baron Oxx: colours one can see, rows that say what is dangerous, and where a card would go."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.testing.web import fits, settle

SMALLEST = {"width": 320, "height": 568}
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}

# How wide each card in the rows is, how many bulls it has, and how large the smallest of their shapes.
SIZES = """() => {
  const box = (node) => node.getBoundingClientRect();
  const cards = [...document.querySelectorAll('[data-anchor^=row] [data-card]')];
  const shapes = (card) => [...card.querySelectorAll('g path')];
  const least = (card) => Math.min(...shapes(card).map((shape) => Math.max(box(shape).width, box(shape).height)));
  return cards.map((card) => [box(card).width, shapes(card).length, least(card)]);
}"""

# How much of each card can be seen to the left of the next one.
VISIBLE = """() => [...document.querySelectorAll('.cards .slot:not(:last-child)')].map((slot) =>
  slot.getBoundingClientRect().width / slot.querySelector('[data-card]').getBoundingClientRect().width)"""


@pytest.mark.each_once
@pytest.mark.parametrize("seats", [4, 10])
@pytest.mark.parametrize("options", [{}, {"colour_counts": True, "bulls_are_good": True}], ids=["basic", "both"])
def test_colours_are_large_on_a_phone(new_page: Any, open_table: Any, decide: Any, seats: int, options: Any) -> None:
    page = new_page(viewport=PHONE)
    table = open_table(page, "baron", seats=seats, seed=4, options=options)
    decide(page, table, 6)
    page.goto(f"/t/{table}")
    expect(page.locator("[data-anchor=row-5]")).to_be_visible()
    fits(page)
    for width, bulls, shape in page.evaluate(SIZES):
        assert width >= 60
        assert shape >= (16 if bulls <= 3 else 14), bulls  # the Baron shows every colour, and a crown
    # Another card may cover a number, but never the colours beside it.
    covered = page.evaluate(VISIBLE)
    assert all(part >= 0.44 for part in covered)


@pytest.mark.in_turn("viewport")
@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_where_a_card_fits_is_marked_as_the_rules_have_it(new_page: Any, open_table: Any, viewport: Any) -> None:
    page = new_page(viewport=viewport)
    table = open_table(page, "baron", seats=4, seed=4)
    now = page.context.request.get(f"/api/tables/{table}").json()["situation"]
    hand = page.locator("[data-hand]")
    expect(hand).to_have_count(4)
    for index, action in enumerate(now["legal"]):
        meant = [one for one in now["foreseen"] if index in one["actions"]]
        rows = {one["place"]: "takes" if one.get("takes") else "fits" for one in meant}
        page.locator(f"[data-hand='{action['card']}']").click()
        expect(page.locator("[data-ahead]")).to_have_count(len(rows))
        for row, how in rows.items():
            expect(page.locator(f"[data-anchor=row-{row}]")).to_have_attribute("data-ahead", how)


def near_six(situation: Any) -> None:
    """Row 1 has five blue bulls, row 2 five cards."""
    situation["view"]["table"]["rows"][:2] = [[19, 13], [23, 29, 36, 39, 42]]


def test_a_row_says_what_takes_it(new_page: Any, open_table: Any, pretend: Any) -> None:
    page = new_page(viewport=PHONE)
    pretend(page, near_six)
    open_table(page, "baron", seed=4)
    rows = page.locator("[data-anchor^=row]")
    expect(rows.nth(0).locator("[data-count=blue]")).to_have_text("5")
    expect(rows.nth(0)).to_contain_text("One more blue bull takes it")
    expect(rows.nth(1)).to_contain_text("The next card takes it")
    expect(rows.nth(2)).not_to_contain_text("takes it")


@pytest.mark.parametrize(
    ("options", "words", "short"),
    [
        ({}, ["Fewest bulls win.", "The 6th card takes a row"], "Fewest bulls win"),
        ({"colour_counts": True}, ["Fewest bulls win.", "however long it is"], "Fewest bulls win"),
        ({"bulls_are_good": True}, ["Most bulls win.", "count against you"], "Most bulls win"),
    ],
    ids=["basic", "colour", "good"],
)
def test_what_counts_in_this_match_is_said(
    new_page: Any, open_table: Any, options: Any, words: list[str], short: str
) -> None:
    page = new_page(viewport=PHONE)
    open_table(page, "baron", seed=4, options=options)
    for word in words:
        expect(page.locator(".aim")).to_contain_text(word)
    page.set_viewport_size(SMALLEST)
    expect(page.locator(".aim")).to_have_count(0)
    expect(page.locator("header")).to_contain_text(short)
    fits(page)


@pytest.mark.each_once
@pytest.mark.parametrize("lesson", ["basic", "colour-counts", "bulls-are-good"])
@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "ru-RU"])
def test_the_hand_is_in_sight_in_a_lesson_on_the_smallest_phone(new_page: Any, lesson: str, locale: str) -> None:
    page = new_page(viewport=SMALLEST, locale=locale)
    page.goto(f"/learn/baron/{lesson}")
    expect(page.locator("[data-hand]").first).to_be_visible()
    settle(page)
    bottoms = page.locator("[data-hand]").evaluate_all("nodes => nodes.map((n) => n.getBoundingClientRect().bottom)")
    assert max(bottoms) <= SMALLEST["height"]


@pytest.mark.each_once
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_nothing_keeps_anybody_out(new_page: Any, open_table: Any, axe: Any, viewport: Any, scheme: str) -> None:
    page = new_page(viewport=viewport, color_scheme=scheme)
    open_table(page, "baron", seed=4, options={"bulls_are_good": scheme == "dark"})
    page.locator("[data-hand]").last.click()
    expect(page.locator("[data-ahead]").first).to_be_visible()
    assert axe(page) == []
