"""There is room for everything: large text, ten players on the smallest phone, the totals of a long match."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.rules.registry import GAMES
from nimmt.testing.web import check_large, fits, settle

FANS = ["even-odd", "mountain", "cow", "twist"]


def test_text_of_double_size(page: Any, open_table: Any, finish: Any) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    check_large(page)
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_label("Language")).to_be_visible()
    check_large(page)
    page.goto("/new")
    expect(page.get_by_role("link", name="6 nimmt!", exact=False)).to_be_visible()
    check_large(page)
    page.goto("/new/six")
    page.get_by_text("Change", exact=True).click()
    check_large(page)
    open_table(page, "six", seats=3, start=False)
    expect(page.get_by_role("img", name="QR code", exact=False)).to_be_visible()
    check_large(page)
    table = open_table(page, "six", seats=2, options={"rounds": 1})
    finish(page, table)
    page.goto(f"/t/{table}")
    expect(page.locator("dialog[data-kind=results]")).to_be_visible()
    check_large(page)
    page.goto(f"/t/{table}/replay")
    expect(page.get_by_role("slider")).to_be_visible()
    check_large(page)


# How wide cards are, those in the hand first.
WIDTHS = """() => ['[data-hand]', '[data-anchor^=row] [data-card]'].map(
  (what) => Math.min(...[...document.querySelectorAll(what)].map((node) => node.getBoundingClientRect().width)))"""


@pytest.mark.each_once
@pytest.mark.parametrize("size", [(390, 844), (320, 568), (1280, 800), (800, 360)])
@pytest.mark.parametrize("game", GAMES)
def test_large_text_leaves_the_cards_as_large_as_they_were(
    new_page: Any, open_table: Any, game: str, size: tuple[int, int]
) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    open_table(page, game, seats=4, seed=7)
    expect(page.locator("[data-hand]").first).to_be_visible()
    settle(page)
    before = page.evaluate(WIDTHS)
    check_large(page)
    after = page.evaluate(WIDTHS)
    # As many pixels, but for the half in which sizes are told.
    assert all(now >= was - 0.5 for was, now in zip(before, after, strict=True)), (before, after)
    assert page.evaluate(OVERLAPS) == []
    page.locator("[data-hand][aria-disabled=false]").first.click()  # then there is more to be reached
    check_large(page)


# Parts of the table that lie on top of others, and cards that do so.
OVERLAPS = """() => {
  const box = (node) => node.getBoundingClientRect();
  const covers = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const found = [];
  const named = (node) => node.outerHTML.slice(0, 60);
  for (const what of ['.felt > :not(.deck)', '[data-row] .slot', '[data-hand]', '[data-anchor^=seat]']) {
    const nodes = [...document.querySelectorAll(`main ${what}`)];
    nodes.forEach((node, index) => nodes.slice(index + 1).forEach((other) => {
      if (covers(box(node), box(other))) found.push(`${named(node)} and ${named(other)}`);
    }));
  }
  return found;
}"""


# What of these does not lie on the screen as it is, without scrolling.
OUTSIDE = """(what) => [...document.querySelectorAll(what)].filter((node) => {
  const box = node.getBoundingClientRect();
  return box.width === 0 || box.top < 0 || box.left < 0 || box.bottom > innerHeight || box.right > innerWidth;
}).map((node) => node.outerHTML.slice(0, 90))"""
SMALLEST = {"width": 320, "height": 568}


@pytest.mark.each_once
@pytest.mark.parametrize("locale", ["en", "de", "pl", "ru"])
@pytest.mark.parametrize(
    ("game", "options"),
    [("six", {}), ("six", {"fan": FANS}), ("baron", {}), ("six", {"draft": True, "large_draft": True})],
    ids=["six", "fans", "baron", "draft"],
)
def test_ten_players_on_the_smallest_phone(
    new_page: Any, open_table: Any, decide: Any, decide_until: Any, game: str, options: Any, locale: str
) -> None:
    """Seats, rows, prompt and the whole hand are in sight, also when a row has to be chosen, and when it is."""
    page = new_page(viewport=SMALLEST, locale=locale)
    table = open_table(page, game, seats=10, seed=3, options=options)
    everything = "main :is([data-anchor^=seat], [data-anchor^=row], .prompt, [data-hand])"

    def check() -> None:
        fits(page)
        assert page.evaluate(OUTSIDE, everything) == []
        assert page.evaluate(OVERLAPS) == []

    if options.get("draft"):
        decide(page, table, 5)
        page.goto(f"/t/{table}")
        expect(page.locator("[data-hand]")).to_have_count(5)
        check()
        assert page.locator("[data-draft]").first.bounding_box()["width"] >= 24
        decide_until(page, table, "card")
        page.goto(f"/t/{table}")
    hand = page.locator("[data-hand]")
    expect(hand).to_have_count(4 if game == "baron" else 10)
    check()
    hand.last.click()
    expect(hand.last).to_have_attribute("aria-pressed", "true")
    check()
    assert decide_until(page, table, "row")
    page.goto(f"/t/{table}")
    rows = page.locator("[data-choose-row]")
    expect(rows.first).to_be_visible()
    check()
    rows.first.click()
    expect(rows.first).to_have_attribute("aria-pressed", "true")
    check()


@pytest.mark.soak
@pytest.mark.parametrize("locale", ["de", *(pytest.param(one, marks=pytest.mark.soak) for one in ("en", "pl", "ru"))])
def test_the_result_shows_totals_first(new_page: Any, open_table: Any, finish: Any, locale: str) -> None:
    page = new_page(locale=locale)
    table = open_table(page, "six", seats=10, name="Quiet Cow of the far valley", options={"rounds": 5})
    finish(page, table)
    for size in (SMALLEST, {"width": 390, "height": 844}):
        page.set_viewport_size(size)
        page.goto(f"/t/{table}")
        result = page.locator("dialog[data-kind=results]")
        expect(result.locator("td.total")).to_have_count(10)
        settle(page)
        assert page.evaluate(OUTSIDE, "dialog :is(h2, td.total, .winner, tbody bdi, footer :is(a, button))") == []
        bottom = result.locator("footer").bounding_box()["y"]
        assert all(box.bounding_box()["y"] < bottom - 10 for box in result.locator("td.total").all())
        after = result.locator("tbody tr").first.locator("td")
        assert after.count() == 6
        expect(after.first).to_have_class(re.compile("total"))


def test_ten_players_fit_without_scrolling(new_page: Any, open_table: Any) -> None:
    page = new_page(viewport=SMALLEST)
    open_table(page, "six", seats=10)
    expect(page.locator("[data-hand]")).to_have_count(10)
    page.locator("[data-hand]").first.click()
    for width, height in ((320, 568), (360, 640), (1280, 800), (800, 360)):
        page.set_viewport_size({"width": width, "height": height})
        fits(page)
        for what, count in (("[data-anchor^=seat]", 10), ("[data-row] .slot", 20), ("[data-hand]", 10), (".prompt", 1)):
            assert page.locator(f"main {what}").count() >= count
            assert page.evaluate(OUTSIDE, f"main {what}") == [], (width, height)
