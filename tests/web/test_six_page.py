"""What is special about a table of 6 nimmt!, and how people get there."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from nimmt.testing.web import two_frames


def test_a_rematch_is_one_tap_away(page: Any, open_table: Any, finish: Any) -> None:
    finish(page, open_table(page, "six", seats=2, options={"rounds": 1}))
    page.reload()
    page.get_by_role("button", name="Rematch").click()
    expect(page.get_by_role("button", name="Start the match")).to_be_enabled()


def test_newcomers_have_a_name_that_they_can_change(page: Any) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("[data-hand]")).to_have_count(10)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Change name").click()
    nickname = page.get_by_label("Nickname")
    assert nickname.input_value() == page.context.request.get("/api/me").json()["name"]
    nickname.fill("Anna")
    page.get_by_role("button", name="Here I am").click()
    expect(page.get_by_text("You are called Anna.")).to_be_visible()


def test_who_was_here_before_does_not_become_somebody_else(page: Any) -> None:
    """Not even by a click before the server has said who that is."""
    page.goto("/")
    assert page.context.request.post("/api/guests", data={"name": "Anna"}).ok
    held: list[Any] = []
    is_answered = False

    def hold(route: Any) -> None:
        """It may ask once more later."""
        if is_answered:
            route.continue_()
        else:
            held.append(route)

    page.route("**/api/me", hold)
    page.reload()
    page.get_by_role("button", name="Play now").click()
    two_frames(page)
    assert held, "the page asks who this is"
    is_answered = True
    for route in held:
        route.continue_()
    expect(page.locator("[data-hand]")).to_have_count(10)
    assert page.context.request.get("/api/me").json()["name"] == "Anna"


def test_cards_fly_one_after_another_and_can_be_skipped(new_page: Any, open_table: Any) -> None:
    page = new_page(speed="slow")
    open_table(page, "six", seed=1, options={"rounds": 1})
    card = page.locator("[data-hand]").last  # the highest: with a low one we might have to choose a row
    card.click()
    page.get_by_role("button", name="Play", exact=False).click()
    expect(page.get_by_text("All cards are revealed")).to_be_visible()
    page.get_by_role("button", name="Skip").click()
    expect(page.locator("[data-hand]")).to_have_count(9)
    page.locator("[data-hand][aria-disabled=false]").last.dblclick()
    expect(page.locator("[data-hand]")).to_have_count(8)
    expect(page.locator("[data-hand]:focus")).to_have_count(1)  # the card that was played left the focus to another
    page.get_by_role("button", name="Skip").click()
    expect(page.locator("[data-hand][aria-disabled=false]").first).to_be_visible()
    expect(page.locator(".ghost, .husk")).to_have_count(0)  # nothing is left lying about of what flew


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
    expect(ben.locator(".asked")).to_have_text("Choose a card.")


def seat_two(anna: Any, ben: Any) -> str:
    for page, name in ((anna, "Anna"), (ben, "Ben")):
        assert page.context.request.post("/api/guests", data={"name": name}).ok
    request = anna.context.request
    table: str = request.post("/api/tables/", data={"game": "six", "seats": 2}).json()["id"]
    assert ben.context.request.post(f"/api/tables/{table}/join", data={}).ok
    assert request.post(f"/api/tables/{table}/start", data={}).ok
    return table


def test_an_impatient_click_does_not_close_the_result(page: Any, open_table: Any, finish: Any) -> None:
    """Who plays the last card by clicking once too often still sees how it ended; a later click beside it closes it."""
    table = open_table(page, "six", seats=2, seed=2, options={"rounds": 1})
    expect(page.locator("[data-hand]")).to_have_count(10)
    page.evaluate(
        """() => new MutationObserver((_, watch) => {
          const result = document.querySelector('dialog[data-kind=results]');
          if (result) [watch.disconnect(), result.click()];
        }).observe(document.body, { childList: true, subtree: true })"""
    )
    finish(page, table)
    result = page.locator("dialog[data-kind=results]")
    expect(result).to_be_visible()
    while result.count():
        page.mouse.click(3, 3)
