"""Practice tables on the page: opened with a switch, with hints on the cards and reasons, and decisions taken back."""

import re
from typing import Any

from playwright.sync_api import expect

from nimmt.testing.web import check_large

LONG = 600_000
"""Milliseconds: the judge may have to be compiled first, in a process that makes way for all others."""
DESK = {"width": 1280, "height": 800}
SMALL = {"width": 320, "height": 568}


def test_practising_with_a_coach(new_page: Any, axe: Any, finish: Any) -> None:
    page = new_page(viewport=SMALL)
    scripts: list[str] = []
    page.spent = True
    page.on("request", lambda request: scripts.append(request.url) if "/Coach-" in request.url else None)
    page.goto("/new/six")
    page.get_by_role("switch", name=re.compile("Practise with a coach")).check()
    assert axe(page) == []
    page.get_by_role("button", name=re.compile("With bots")).click()

    coach = page.get_by_role("region", name="Coach")
    hand = page.get_by_role("toolbar", name="Your hand").get_by_role("button")
    expect(coach).to_contain_text("Hints: 0 · taken back: 0", timeout=LONG)
    assert scripts, "the coach is a file of its own"
    expect(page.get_by_role("heading", level=1)).to_contain_text("Practice")
    expect(coach.get_by_role("button", name="Take back")).to_have_attribute("aria-disabled", "true")
    expect(hand).to_have_count(10)
    page.keyboard.press("h")
    expect(hand.locator(".advice.best")).to_have_count(1, timeout=LONG)
    expect(hand.locator(".advice")).to_have_count(10)
    expect(coach.get_by_role("status")).to_contain_text("Best:")
    best = hand.filter(has=page.locator(".advice.best"))
    expect(best).to_have_accessible_name(re.compile(r"The coach: best"))
    for viewport in (DESK, SMALL):
        page.set_viewport_size(viewport)
        assert axe(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    coach.get_by_role("button", name="Why?").click()
    said = page.get_by_role("dialog", name="What the coach says")
    expect(said.get_by_role("listitem")).to_have_count(10)
    expect(said.get_by_role("listitem").first).to_contain_text("nothing is better")
    assert axe(page) == []
    page.keyboard.press("Escape")

    cards = hand.evaluate_all("nodes => nodes.map((node) => node.value)")
    best.click()
    page.get_by_role("button", name=re.compile("^Play ")).click()
    expect(hand).to_have_count(9)
    expect(page.locator(".advice")).to_have_count(0)
    expect(coach).to_contain_text("Hints: 1 · taken back: 0")
    page.keyboard.press("u")
    expect(hand).to_have_count(10)
    assert hand.evaluate_all("nodes => nodes.map((node) => node.value)") == cards
    expect(coach).to_contain_text("Hints: 1 · taken back: 1")
    expect(coach.get_by_role("button", name="Take back")).to_have_attribute("aria-disabled", "true")
    check_large(page)


def test_other_tables_have_no_coach(page: Any, open_table: Any) -> None:
    scripts: list[str] = []
    page.spent = True
    page.on("request", lambda request: scripts.append(request.url) if "/Coach-" in request.url else None)
    open_table(page, "six", seats=2)
    expect(page.get_by_role("toolbar", name="Your hand")).to_be_visible()
    expect(page.get_by_role("region", name="Coach")).to_have_count(0)
    assert scripts == []


def test_the_result_says_how_often_the_coach_helped(page: Any, open_table: Any, finish: Any) -> None:
    table = open_table(page, "six", seats=2, options={"rounds": 1}, practice=True)
    page.get_by_role("button", name="Hint").click()
    expect(page.get_by_role("region", name="Coach")).to_contain_text("Best:", timeout=LONG)
    finish(page, table)
    expect(page.get_by_role("dialog")).to_contain_text("Anna: hints 1, taken back 0")
    page.goto("/you")
    expect(page.get_by_role("main")).to_contain_text("hints: 1, taken back: 0")
    expect(page.get_by_role("main")).to_contain_text("1 practice match is not counted.")
