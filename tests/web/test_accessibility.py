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


def told(page: Any) -> str:
    """What screen readers can hear of what happens, in the tree that the browser gives them."""
    session = page.context.new_cdp_session(page)
    nodes = {node["nodeId"]: node for node in session.send("Accessibility.getFullAXTree")["nodes"]}

    def text(node: Any) -> str:
        if node.get("role", {}).get("value") == "StaticText":
            return str(node["name"]["value"])
        return " ".join(text(nodes[child]) for child in node.get("childIds", ()) if child in nodes)

    logs = [node for node in nodes.values() if not node["ignored"] and node["role"]["value"] == "log"]
    return " ".join(map(text, logs))


def test_what_happens_behind_a_dialog_is_heard(page: Any, open_table: Any, decide: Any) -> None:
    table = open_table(page, "six", seats=3, seed=7)
    expect(page.locator("[data-hand]")).to_have_count(10)
    decide(page, table, 1)
    expect(page.locator("[data-hand]")).to_have_count(9)
    before = told(page)
    assert before
    page.get_by_role("button", name="Rules").click()
    expect(page.get_by_role("dialog").get_by_role("log")).to_be_empty()  # nothing is told twice
    decide(page, table, 1)
    expect(page.get_by_role("dialog").get_by_role("log")).not_to_be_empty()
    assert told(page)
    page.keyboard.press("Escape")
    assert told(page).startswith(before)


def test_messages_lie_in_front_of_dialogs(page: Any, open_table: Any) -> None:
    open_table(page, "six", seats=2)
    page.context.grant_permissions(["clipboard-write"])
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Go on on another device").click()
    page.evaluate("delete Navigator.prototype.share")
    page.get_by_role("button", name="Share").click()
    message = page.get_by_role("button", name="The link is copied", exact=False)
    expect(message).to_have_count(1)
    assert "The link is copied" in told(page)
    message.click()  # fails if anything lies above it
    expect(message).to_have_count(0)
    page.get_by_role("button", name="Another name").click()
    expect(page.get_by_role("dialog").nth(1).locator(".toasts")).to_have_count(1)
    expect(page.locator(".toasts")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Settings").locator(".toasts")).to_have_count(1)
