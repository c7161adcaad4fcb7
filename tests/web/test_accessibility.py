"""axe-core finds nothing on any screen, light or dark; large text fits; ten players fit on a small phone."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.rules.registry import GAMES
from nimmt.testing.web import settle

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 640}
FANS = ["even-odd", "mountain", "cow", "twist"]


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_axe_around_the_table(new_page: Any, open_table: Any, axe: Any, scheme: str) -> None:
    page = new_page(color_scheme=scheme)
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert axe(page) == []
    page.get_by_role("button", name="New table").click()
    assert axe(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_label("Language")).to_be_visible()
    assert axe(page) == []
    page.goto("/new")
    expect(page.get_by_role("radio", name="Basic game", exact=False).first).to_be_visible()
    page.get_by_text("Fine points").click()
    assert axe(page) == []
    open_table(page, "six", bots="greedy", seats=3, start=False, public=True)
    expect(page.get_by_role("img", name="QR code", exact=False)).to_be_visible()
    assert axe(page) == []
    page.goto("/carry#nothing")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert axe(page) == []


@pytest.mark.parametrize("game", GAMES)
def test_axe_at_every_table(new_page: Any, open_table: Any, axe: Any, game: str) -> None:
    for scheme, viewport in (("light", PHONE), ("dark", DESK)):
        page = new_page(color_scheme=scheme, viewport=viewport)
        open_table(page, game, seats=3, seed=7, options={"fan": FANS} if game == "six" else {})
        page.locator("[data-hand][aria-disabled=false]").first.click()
        assert axe(page) == [], scheme


def test_axe_in_every_dialog(new_page: Any, open_table: Any, axe: Any, finish: Any, scheme: str) -> None:
    page = new_page(color_scheme=scheme, settings={"tracker": True})
    table = open_table(page, "six", seats=2, options={"rounds": 2})
    for name in ("Rules", "Scores", "Log", "Chat", "Cards seen", "Settings"):
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert axe(page) == [], name
        page.keyboard.press("Escape")
    page.get_by_role("link", name="To the lobby").click()
    assert axe(page) == []
    page.keyboard.press("Escape")
    finish(page, table)  # the page stops after the first round, until somebody goes on
    expect(page.locator("dialog[data-kind=interlude]")).to_be_visible()
    assert axe(page) == []
    page.goto(f"/t/{table}")
    expect(page.locator("dialog[data-kind=results]")).to_be_visible()
    assert axe(page) == []
    page.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("slider")).to_be_visible()
    assert axe(page) == []
    page.set_viewport_size(DESK)
    assert axe(page) == []


# Everything that can be used, scrolled to: can it be hit in its middle, and does it lie inside the page?
UNREACHABLE = """() => {
  const found = [];
  const place = document.querySelector('dialog[open]') ?? document;
  for (const node of place.querySelectorAll('button, a[href], input, select, textarea, summary')) {
    if (!node.checkVisibility() || node.closest('details:not([open]) > :not(summary)')) continue;
    node.scrollIntoView({ block: 'center', inline: 'nearest' });
    const box = node.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const inside = box.left >= -1 && box.right <= innerWidth + 1;
    if (!inside || !(node.contains(top) || node.labels?.[0]?.contains(top)))
      found.push(`${node.outerHTML.slice(0, 90)} under ${top?.outerHTML.slice(0, 90)}`);
  }
  scrollTo(0, 0);
  return found;
}"""


def large(page: Any) -> None:
    """As if text were set to 200 % in the browser."""
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    settle(page)


def check_large(page: Any) -> None:
    large(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "has to be scrolled sideways"
    assert page.evaluate(UNREACHABLE) == []


def test_text_of_double_size(page: Any, open_table: Any, finish: Any) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    check_large(page)
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_label("Language")).to_be_visible()
    check_large(page)
    page.goto("/new")
    page.get_by_text("Fine points").click()
    check_large(page)
    open_table(page, "six", seats=3, start=False)
    expect(page.get_by_role("img", name="QR code", exact=False)).to_be_visible()
    check_large(page)
    for game in GAMES:
        open_table(page, game, seats=4, seed=7)
        page.locator("[data-hand][aria-disabled=false]").first.click()
        check_large(page)
    table = open_table(page, "six", seats=2, options={"rounds": 1})
    finish(page, table)
    page.goto(f"/t/{table}")
    expect(page.locator("dialog[data-kind=results]")).to_be_visible()
    check_large(page)
    page.goto(f"/t/{table}/replay")
    expect(page.get_by_role("slider")).to_be_visible()
    check_large(page)


@pytest.mark.parametrize("size", [(360, 640), (1280, 800), (800, 360)])
def test_ten_players_fit_without_scrolling(new_page: Any, open_table: Any, size: tuple[int, int]) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    open_table(page, "six", seats=10)
    expect(page.locator("[data-hand]")).to_have_count(10)
    page.locator("[data-hand]").first.click()
    settle(page)
    for what, count in (("[data-anchor^=seat]", 10), ("[data-row] .slot", 20), ("[data-hand]", 10), (".prompt", 1)):
        boxes = page.locator(f"main {what}").evaluate_all("nodes => nodes.map(node => node.getBoundingClientRect())")
        assert len(boxes) >= count
        for box in boxes:
            assert box["width"] > 0
            assert box["top"] >= 0
            assert box["left"] >= 0
            assert box["bottom"] <= size[1], what
            assert box["right"] <= size[0], what
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
