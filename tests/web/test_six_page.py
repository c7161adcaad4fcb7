"""6 nimmt! played through the page, by clicking. The model for the other games' tests."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.testing.web import play_on


def test_a_whole_match_against_bots_from_the_lobby(page: Any) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    page.get_by_label("Nickname").fill("Anna")
    page.get_by_role("button", name="Here I am").click()
    expect(page.locator("[data-hand]")).to_have_count(10)
    play_on(page, decide)
    expect(page.get_by_role("dialog")).to_contain_text("win")
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    page.get_by_role("button", name="Rematch").click()
    expect(page.get_by_role("button", name="Start the match")).to_be_visible()


@pytest.mark.parametrize("variant", ["draft", "even-odd", "mountain", "cow", "twist", "all-fans"])
def test_a_round_of_every_variant(page: Any, open_table: Any, variant: str) -> None:
    options = {"rounds": 1, "draft": variant == "draft"}
    fans = {"all-fans": ["even-odd", "mountain", "cow", "twist"], "draft": []}.get(variant, [variant])
    open_table(page, "six", seats=3, options={**options, "fan": fans})
    play_on(page, decide)
    expect(page.get_by_role("dialog")).to_contain_text("win")


def test_cards_fly_one_after_another_and_can_be_skipped(new_page: Any, open_table: Any) -> None:
    page = new_page(speed="slow")
    open_table(page, "six", options={"rounds": 1})
    card = page.locator("[data-hand]").first
    card.click()
    page.get_by_role("button", name="Play", exact=False).click()
    expect(page.get_by_text("All cards are revealed")).to_be_visible()
    page.get_by_role("button", name="Skip").click()
    expect(page.locator("[data-hand]")).to_have_count(9)


def test_a_choice_can_be_changed_until_all_have_chosen(new_page: Any, server: Any) -> None:
    anna, ben = new_page(), new_page()
    table = seat_two(anna, ben)
    anna.goto(f"/t/{table}")
    ben.goto(f"/t/{table}")
    cards = anna.locator("[data-hand]")
    expect(cards).to_have_count(10)
    cards.nth(0).dblclick()
    expect(cards.nth(0)).to_have_attribute("aria-pressed", "true")
    expect(anna.get_by_text("Waiting for Ben")).to_be_visible()
    cards.nth(5).dblclick()
    expect(cards.nth(5)).to_have_attribute("aria-pressed", "true")
    expect(cards.nth(0)).to_have_attribute("aria-pressed", "false")
    anna.reload()
    expect(anna.locator("[data-hand]").nth(5)).to_have_attribute("aria-pressed", "true")
    expect(ben.get_by_text("Choose a card.")).to_be_visible()


def test_by_keyboard_alone(page: Any, open_table: Any) -> None:
    open_table(page, "six", seats=2, options={"rounds": 1})
    expect(page.locator("[data-hand]")).to_have_count(10)
    page.locator("[data-hand]").first.focus()
    for _ in range(200):
        if page.get_by_role("dialog").count():
            break
        row = page.locator("[data-choose-row]:focus")
        if row.count() == 0 and page.locator("[data-hand]:focus").count() == 0:
            page.keyboard.press("Tab")
            continue
        page.keyboard.press("Enter")
        page.wait_for_timeout(30)
    expect(page.get_by_role("dialog")).to_contain_text("win")


def decide(page: Any) -> bool:
    """Make the decision that is asked for; False if none is."""
    for choice in ("[data-choose-row]", "[data-draft]:not(.idle)"):
        if page.locator(choice).count():
            page.locator(choice).first.click()
            return True
    cards = page.locator("[data-hand]:not(.idle):not(.chosen)")
    if cards.count():
        cards.first.dblclick()
        return True
    return False


def seat_two(anna: Any, ben: Any) -> str:
    anna.goto("/")
    ben.goto("/")
    for page, name in ((anna, "Anna"), (ben, "Ben")):
        assert page.context.request.post("/api/guests", data={"name": name}).ok
    request = anna.context.request
    table: str = request.post("/api/tables/", data={"game": "six", "seats": 2}).json()["id"]
    assert ben.context.request.post(f"/api/tables/{table}/join", data={}).ok
    assert request.post(f"/api/tables/{table}/start", data={}).ok
    return table
