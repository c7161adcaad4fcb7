"""Puzzles on the page: a position at the real table, an answer, what it costs and why; days, archive and practice."""

import json
import time
from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.insight.puzzles import Puzzle, puzzles, today
from nimmt.testing.web import MATCH_TIMEOUT, Player, Way, check_large

DESK = {"width": 1280, "height": 800}


def solve(page: Any, way: Way = "mouse") -> None:
    """By trying whatever can be tried."""
    player, end = Player(page, way), time.monotonic() + MATCH_TIMEOUT
    while not page.locator("[data-open]").count():
        assert time.monotonic() < end, player.done[-8:]
        again = page.get_by_role("button", name="Try again")
        if not again.count():
            player.step()
        elif way == "keyboard":
            again.press("Enter")
        else:
            again.click()


def card_puzzle(is_right: bool) -> tuple[Puzzle, int]:
    """A puzzle of 6 nimmt! without twist cards in which a card is played, and a card that is best, or not."""
    for puzzle in puzzles("six"):
        table = puzzle.view.table
        if table.phase == "choose" and not any(table.twists):
            option = puzzle.best if is_right else puzzle.second_best
            return puzzle, option.action.card  # type: ignore[attr-defined]
    raise AssertionError


def play(page: Any, card: int) -> None:
    page.locator(f".hand button:has([data-card='{card}'])").click()


@pytest.mark.in_turn("viewport")
@pytest.mark.parametrize("viewport", [None, DESK], ids=["phone", "desk"])
def test_wrong_then_right(new_page: Any, axe: Any, viewport: Any) -> None:
    """What is wrong is told what it costs, nothing more; the solution comes when it is found, with the costs of all."""
    page = new_page(viewport=viewport, settings={"confirm": False})
    answers: list[str] = []
    page.spent = True
    page.on("response", lambda response: answers.append(response.url) if "/answer" in response.url else None)
    puzzle, wrong = card_puzzle(False)
    best = puzzle.best.action.card  # type: ignore[attr-defined]
    page.goto(f"/puzzles/six/{puzzle.id}")
    expect(page.locator(".teacher")).to_contain_text("One move is clearly best. Which one?")
    assert axe(page) == []
    assert answers == []
    play(page, wrong)
    expect(page.locator(".teacher")).to_contain_text("There is something better.")
    expect(page.locator(".teacher")).not_to_contain_text(f"{best} is best")
    page.get_by_role("button", name="Try again").click()
    play(page, best)
    expect(page.locator(".teacher")).to_contain_text(f"Right! {best} is best.")
    assert len(answers) == 1
    if viewport is None:
        page.get_by_role("button", name="Why?").click()
    expect(page.get_by_role("heading", name="What each would cost")).to_be_visible()
    expect(page.locator(".costs li")).to_have_count(len(puzzle.actions))
    assert axe(page) == []
    if viewport is None:
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_role("heading", name="Puzzles")).to_be_visible()
    kept = json.loads(page.evaluate("localStorage['nimmt.puzzles']"))
    assert kept["answers"] == {puzzle.id: False}
    assert kept["days"] == []


def test_nothing_can_be_chosen_while_the_answer_is_awaited(new_page: Any) -> None:
    """Who pressed a key twice would have gone on to the next puzzle before the solution was seen."""
    page = new_page(viewport=DESK, settings={"confirm": False})
    page.expected = ("429 (Too Many Requests)",)
    held: list[Any] = []

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/answer*", hold)
    puzzle, best = card_puzzle(True)
    page.goto(f"/puzzles/six/{puzzle.id}")
    play(page, best)
    expect(page.locator(".asked")).to_have_count(0)
    expect(page.get_by_role("button", name="being sent")).to_have_count(1)
    expect(page.locator("[data-open]")).to_have_count(0)
    held[0].fulfill(status=429, json={"error": {"code": "too_many", "message": "Too many.", "retry_after": 1}})
    expect(page.locator(".asked")).to_have_count(1)
    play(page, best)
    expect(page.locator(".asked")).to_have_count(0)
    held[1].continue_()
    expect(page.locator("[data-open]")).to_be_visible()


def test_the_days_puzzle_begins_a_streak(new_page: Any, axe: Any) -> None:
    page = new_page()
    page.goto("/")
    page.get_by_role("link", name="Puzzle of the day").click()
    expect(page.get_by_text("Solve one of today’s puzzles to begin a streak.")).to_be_visible()
    assert axe(page) == []
    check_large(page)
    # The day's first game may be one with a hundred answers, of which one is right.
    page.locator("main ul a[href*='/six/']").press("Enter")
    expect(page.locator(".teacher")).to_be_visible()
    solve(page, "keyboard")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("1 day in a row")).to_be_visible()
    expect(page.locator("td .done")).to_have_text(str(today().day))
    page.goto("/")
    expect(page.get_by_role("link", name="Puzzle of the day")).to_contain_text("1 day in a row")


def test_solving_it_counts_today_only(new_page: Any) -> None:
    """A day that is over can be looked at, and its puzzles solved, but it makes no streak any more."""
    page = new_page(viewport=DESK, settings={"confirm": False})
    yesterday = (today() - timedelta(days=1)).isoformat()
    page.goto(f"/puzzles?date={yesterday}")
    expect(page.get_by_role("heading", name="Puzzles of")).to_be_visible()
    page.get_by_role("button", name=", Today").click()
    expect(page.get_by_role("heading", name="Puzzle of the day")).to_be_visible()
    page.evaluate(f"localStorage['nimmt.puzzles'] = JSON.stringify({{days: ['{yesterday}']}})")
    page.reload()
    expect(page.get_by_text("1 day in a row")).to_be_visible()
    expect(page.get_by_text("Solve one today to keep it.")).to_be_visible()


def test_practice_goes_on(new_page: Any) -> None:
    page = new_page(viewport=DESK)
    page.goto("/puzzles")
    page.get_by_label("6 nimmt!").check()
    page.get_by_label("Hard", exact=True).check()
    page.get_by_role("link", name="Practise").click()
    expect(page.locator(".teacher")).to_contain_text("One move is clearly best.")
    first = page.locator("main").inner_text()
    page.get_by_role("button", name="Skip").click()
    expect(page.locator("main")).not_to_have_text(first)
    expect(page.locator("h1")).to_contain_text("Hard")


def test_what_is_not_there_is_said(new_page: Any) -> None:
    page = new_page()
    page.expected = ("404 (Not Found)",)
    page.goto("/puzzles/six/2020-01-01")
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_role("link", name="All puzzles").click()
    expect(page.get_by_role("heading", name="Puzzles", exact=True)).to_be_visible()
