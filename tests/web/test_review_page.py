"""From the result of a match to its review: what decisions cost, and why, to be tried again; on phones and desks."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.testing.web import check_large

LONG = 600_000
"""Milliseconds: the judge may have to be compiled first, in a process that makes way for all others."""
DESK = {"width": 1280, "height": 800}


@pytest.fixture
def play(new_page: Any, open_table: Any, finish: Any) -> Any:
    """A page at the result of a match, in which always the highest card was played: there are mistakes."""

    def make(**more: Any) -> tuple[Any, str]:
        page = new_page(**more)
        table = open_table(page, "six", seats=2, options={"rounds": 1}, seed=3)
        finish(page, table)
        return page, table

    return make


def choose(page: Any, number: int) -> None:
    """The card or row at this place of all that can be chosen, with two taps."""
    cards = page.locator(".hand button:not([aria-disabled=true])")
    target = cards.nth(number) if cards.count() else page.locator("main [data-tap]").nth(number)
    target.click()
    target.click()


def test_from_the_result_to_the_review(play: Any, axe: Any) -> None:
    page, table = play()
    page.get_by_role("dialog").get_by_role("link", name="Review").click()
    expect(page.locator(".judge")).to_be_visible(timeout=LONG)
    expect(page.get_by_role("heading", name="Review: 6 nimmt!")).to_be_visible()
    expect(page.get_by_role("button", name="Anna")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("heading", name="How the result came about")).to_be_visible()
    expect(page.locator(".ledger > li")).to_have_count(5)
    assert axe(page) == []
    # From a moment to the replay, and back.
    page.locator(".moments a").first.click()
    expect(page).to_have_url(re.compile(r"/replay\?eyes=1&(decision=\d+|at=[\d.]+&judged)"))
    brief = page.get_by_role("region", name="Review")
    expect(brief).to_contain_text("was better")
    brief.get_by_role("button", name="Why?").click()
    expect(page.get_by_role("dialog")).to_contain_text("What each would cost")
    assert axe(page) == []
    page.get_by_role("dialog").get_by_role("link", name="The whole review").click()
    # Others are judged when somebody looks at them, and their review has an address.
    page.get_by_role("button", name="Bruno").click()
    expect(page).to_have_url(re.compile(r"/review\?seat=2$"))
    expect(page.locator(".judge")).to_be_visible(timeout=LONG)
    page.reload()
    expect(page.get_by_role("button", name="Bruno")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".judge")).to_be_visible(timeout=LONG)
    check_large(page)
    # Lists lead there, and add up what was found.
    page.goto("/")
    expect(page.get_by_role("link", name="Review of 6 nimmt!")).to_have_attribute("href", f"/t/{table}/review")
    page.goto("/you")
    expect(page.get_by_role("heading", name="Your kinds of mistakes")).to_be_visible()
    expect(page.get_by_text("Reviewed: 1 of 1 match.")).to_be_visible()
    assert axe(page) == []


def learn(page: Any, table: str, axe: Any) -> None:
    """All mistakes of a match: wrong, wrong again, told; the others skipped."""
    page.goto(f"/t/{table}/review/learn")
    task = page.get_by_role("region", name="Your task")
    expect(task).to_contain_text("what would you do here?", timeout=LONG)
    expect(page.get_by_text("What each would cost")).to_have_count(0)
    assert axe(page) == []
    for number in range(10):
        choose(page, number)
        expect(task.get_by_role("button", name=re.compile("Try again|Next"))).to_be_visible()
        if task.get_by_role("button", name="Next").count():
            break
        # What was wrong is told, the best is not: it can be tried again.
        expect(task).to_contain_text("There is something better.")
        expect(page.get_by_text("What each would cost")).to_have_count(0)
        task.get_by_role("button", name="Try again").click()
    expect(task).to_contain_text(re.compile("best"))
    assert axe(page) == []


@pytest.mark.soak
def test_mistakes_are_tried_again_on_a_phone(play: Any, axe: Any) -> None:
    page, table = play()
    learn(page, table, axe)
    task = page.get_by_role("region", name="Your task")
    task.get_by_role("button", name="Why?").click()
    expect(page.get_by_role("dialog")).to_contain_text("What each would cost")
    page.keyboard.press("Escape")
    task.get_by_role("button", name="Next").click()
    while page.get_by_role("button", name="Skip").count():
        page.get_by_role("button", name="Skip").click()
    expect(page.get_by_text("solved at the first try")).to_be_visible()
    assert axe(page) == []
    check_large(page)
    page.get_by_role("button", name="Once more").click()
    expect(task).to_contain_text("what would you do here?")


def test_mistakes_are_tried_and_looked_up_on_a_desk(play: Any, axe: Any) -> None:
    """What each action costs stands beside the table, here and in the replay; all by keyboard."""
    page, table = play(viewport=DESK)
    learn(page, table, axe)
    expect(page.get_by_role("heading", name="What each would cost")).to_be_visible()
    expect(page.get_by_role("button", name="Next")).to_be_focused()
    page.goto(f"/t/{table}/replay?eyes=1")
    page.get_by_role("tab", name="Review").click()
    expect(page.get_by_role("heading", name="What each would cost")).to_be_visible()
    before = page.url
    page.get_by_role("button", name="Next mistake").press("Enter")
    expect(page.locator("aside .mistake")).to_be_visible()
    expect(page).not_to_have_url(before)
    assert axe(page) == []


def test_a_review_can_be_stopped(play: Any) -> None:
    page, table = play()
    asked: list[str] = []

    def answer(route: Any) -> None:
        asked.append(route.request.method)
        status = {"rounds": 9, "done": 0, "evaluator": None, "review": None, "decisions": []}
        route.fulfill(json=status)

    page.route("**/api/tables/*/review?*", answer)
    page.goto(f"/t/{table}/review")
    expect(page.get_by_text("Going through the decisions: round 1 of 9")).to_be_visible()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text("Stopped: 0 of 9 rounds done")).to_be_visible()
    with page.expect_request(lambda request: "review" in request.url and request.method == "POST"):
        page.get_by_role("button", name="Go on").click()
    assert "GET" in asked, "who has stopped only looks"
