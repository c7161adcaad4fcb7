"""The table while cards are turned over, and what all tables share: it fits, can be skipped, says who has what."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.testing.web import fits

SMALLEST = {"width": 320, "height": 568}
DESK = {"width": 1280, "height": 800}

# Notes what is told of the cards as they go, and how many pictures of cards have flown.
WATCH = """() => {
  window.told = [];
  window.flown = 0;
  const look = (changes) => {
    const line = document.querySelector('.prompt .caption')?.textContent;
    if (line && window.told.at(-1) !== line) window.told.push(line);
    window.flown += changes.filter(({ target }) => target.id === 'flights').length;
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def play_highest(page: Any) -> None:
    page.locator("[data-hand][aria-disabled=false]").last.click()
    page.locator("[data-hand][aria-pressed=true]").click()


def test_ten_fit_on_the_smallest_phone(new_page: Any, open_table: Any) -> None:
    """Whoever has to scroll to the hand, or does not see a row, plays with half a table."""
    page = new_page(viewport=SMALLEST, speed="slow")
    open_table(page, "six", seats=10, seed=3)
    expect(page.locator("[data-hand]")).to_have_count(10)
    fits(page)
    play_highest(page)
    expect(page.locator(".lineup [data-card]")).to_have_count(10)
    fits(page)
    order = page.eval_on_selector_all(".lineup [data-card]", "cards => cards.map((card) => Number(card.dataset.card))")
    assert order == sorted(order)
    page.keyboard.press("Escape")


@pytest.mark.in_turn("way")
@pytest.mark.parametrize("way", ["tap", "key"])
def test_a_tap_on_the_felt_or_a_key_skips(new_page: Any, open_table: Any, way: str) -> None:
    page = new_page(speed="slow")
    open_table(page, "six", seats=6, seed=1, options={"rounds": 1})
    expect(page.locator("[data-hand]")).to_have_count(10)
    page.evaluate(WATCH)
    play_highest(page)
    expect(page.get_by_text("All cards are revealed")).to_be_visible()
    if way == "tap":
        page.locator("[data-anchor=row-1]").click()
    else:
        page.keyboard.press("Enter")  # the focus is on a card of the hand
    expect(page.locator("[data-hand][aria-disabled=false]").first).to_be_visible()
    assert len(page.evaluate("told")) <= 2, "the rest was not played out"
    expect(page.locator(".ghost")).to_have_count(0)
    expect(page.locator(".toast")).to_have_count(0)


def test_nothing_flies_for_those_who_want_none_of_it(new_page: Any, open_table: Any) -> None:
    page = new_page(speed="fast", reduced_motion="reduce")
    open_table(page, "six", seed=1, options={"rounds": 1})
    expect(page.locator("[data-hand]")).to_have_count(10)
    page.evaluate(WATCH)
    play_highest(page)
    expect(page.locator("[data-hand]")).to_have_count(9)
    expect(page.locator("[data-hand][aria-disabled=false]").first).to_be_visible()
    assert len(page.evaluate("told")) > 2, "it was played out"
    assert page.evaluate("flown") == 0


def test_a_draft_shows_everybodys_picks_and_stays_in_place(new_page: Any, open_table: Any, axe: Any) -> None:
    page = new_page()
    open_table(page, "six", seed=3, options={"draft": True})
    cards = page.locator("[data-draft]")
    expect(cards).to_have_count(44)
    places = """cards => Object.fromEntries(cards.map(card => {
      const { x, y } = card.getBoundingClientRect();
      return [card.dataset.draft, [x, y]];
    }))"""
    fits(page)
    before = cards.evaluate_all(places)
    card = page.locator("[data-draft='20']")
    card.click()
    card.click()
    expect(cards).to_have_count(40)
    expect(page.locator("[data-hand]")).to_have_count(1)
    fits(page)
    after = cards.evaluate_all(places)
    assert {number: before[number] for number in after} == after
    picks = page.get_by_role("region", name="Who has taken what").locator("dd")
    expect(picks.first).to_have_text("20")
    for seat in range(4):
        expect(picks.nth(seat)).to_have_text(re.compile(r"^\d+$"))
    assert axe(page) == []


def test_the_mountain_says_which_way_numbers_run(new_page: Any, open_table: Any) -> None:
    page = new_page()
    open_table(page, "six", seed=3, options={"fan": ["mountain"]})
    marker = page.locator(".mountain")
    expect(marker).to_contain_text("9→1")
    expect(marker).to_have_attribute("title", re.compile("only lower cards fit.*goes up next"))


# -- what is said with one tap -----------------------------------------------------------------------------------------


@pytest.mark.soak
def test_each_reads_it_in_their_own_language(new_page: Any, axe: Any) -> None:
    anna, ben = new_page(), new_page(viewport=DESK, locale="de")
    for page, name in ((anna, "Anna"), (ben, "Ben")):
        assert page.request.post("/api/guests", data={"name": name}).ok
    body = {"game": "six", "seats": 2, "pace": "instant"}
    table = anna.request.post("/api/tables/", data=body).json()["id"]
    assert ben.request.post(f"/api/tables/{table}/join", data={}).ok
    assert anna.request.post(f"/api/tables/{table}/start", data={}).ok
    for page in (anna, ben):
        page.goto(f"/t/{table}")
        expect(page.locator("[data-hand]")).to_have_count(10)
    anna.get_by_role("button", name="Chat").click()
    assert axe(anna) == []
    anna.get_by_role("button", name="Well played!").click()
    expect(anna.get_by_role("dialog")).to_have_count(0)
    expect(anna.locator("[data-anchor=seat-0] .bubble")).to_have_text("Well played!")
    expect(ben.locator("[data-anchor=seat-0] .bubble")).to_have_text("Gut gespielt!")
    expect(ben.locator("[data-anchor=seat-0] .bubble")).to_have_count(0)  # after a moment
    ben.get_by_role("button", name="Schnell etwas sagen").click()
    assert axe(ben) == []
    ben.get_by_role("button", name="lacht").click()
    expect(anna.locator("[data-anchor=seat-1] .bubble svg")).to_be_visible()
    expect(anna.locator("[role=log]")).to_contain_text("Ben laughs.")
    ben.get_by_role("tab", name="Chat").click()
    expect(ben.locator(".lines")).to_contain_text("Gut gespielt!")
    assert anna.request.post(f"/api/tables/{table}/shun", data={"seat": 1}).ok
    assert ben.request.post(f"/api/tables/{table}/phrase", data={"phrase": "hello"}).ok
    assert ben.request.post(f"/api/tables/{table}/phrase", data={"phrase": "clap"}).ok
    assert anna.request.post(f"/api/tables/{table}/phrase", data={"phrase": "sorry"}).ok
    expect(anna.locator("[data-anchor=seat-0] .bubble")).to_have_text("Sorry!")
    expect(anna.locator("[data-anchor=seat-1] .bubble")).to_have_count(0)


def test_faces_are_closed_where_talking_is(new_page: Any, open_table: Any) -> None:
    page = new_page(viewport=DESK)
    open_table(page, "buffalo", seed=3)
    expect(page.locator("[data-hand]").first).to_be_visible()
    page.get_by_role("button", name="Say something quickly").click()
    faces = page.get_by_role("dialog").locator("[data-phrase]")
    expect(faces).to_have_count(16)
    for index in range(16):
        expect(faces.nth(index)).to_be_disabled()
