"""Opening a table by hand: what is chosen is what one gets, and what cannot be is said."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect


@pytest.fixture
def form(page: Any) -> Any:
    """The form for a new table, in front of somebody with a name."""
    page.goto("/")
    assert page.context.request.post("/api/guests", data={"name": "Anna"}).ok
    page.goto("/new")
    expect(page.get_by_role("radio", name="Basic game", exact=False).first).to_be_visible()
    return page


def seat(form: Any, number: int) -> Any:
    return form.get_by_label(f"Seat {number}", exact=True)


def test_bots_sit_where_they_were_put(form: Any) -> None:
    seat(form, 2).select_option("greedy")
    assert [seat(form, number).input_value() for number in (2, 3, 4)] == ["greedy", "", ""]
    seat(form, 4).select_option("random")
    assert [seat(form, number).input_value() for number in (2, 3, 4)] == ["greedy", "", "random"]
    form.get_by_role("button", name="Open the table").click()
    chairs = form.get_by_role("list").first.get_by_role("listitem")
    expect(chairs).to_have_count(4)
    expect(chairs.nth(1).get_by_role("combobox")).to_have_value("greedy")
    expect(chairs.nth(2)).to_contain_text("free")
    expect(chairs.nth(3).get_by_role("combobox")).to_have_value("random")


def test_only_bots_start_at_once(form: Any) -> None:
    seat(form, 3).select_option("random")
    expect(form.get_by_role("button", name="Start the match")).to_have_count(0)
    form.get_by_role("button", name="Only bots").click()
    assert [seat(form, number).input_value() for number in (2, 3, 4)] == ["random"] * 3
    form.get_by_role("button", name="Start the match").click()
    expect(form.locator("[data-hand]")).to_have_count(10)


def test_levels_are_explained(form: Any) -> None:
    hint = form.get_by_text("Plays what costs least at once.")
    expect(hint).to_have_count(0)
    seat(form, 2).select_option("greedy")
    seat(form, 4).select_option("greedy")
    expect(hint).to_have_count(1)
    form.get_by_role("button", name="Open the table").click()
    expect(form.get_by_role("combobox").first).to_have_value("greedy")
    expect(hint).to_have_count(1)
    form.get_by_role("combobox").first.select_option("random")
    expect(form.get_by_text("Plays anything that is allowed.")).to_be_visible()


def test_a_wrong_number_is_shown_where_it_is(form: Any) -> None:
    form.get_by_text("Details").click()
    target = form.get_by_label("Bulls that end the match")
    target.fill("0")
    form.get_by_text("Details").click()
    expect(target).to_be_hidden()
    form.get_by_role("button", name="Open the table").click()
    expect(target).to_be_focused()
    target.fill("20")
    form.get_by_role("button", name="Open the table").click()
    expect(form.get_by_text("Bulls that end the match: 20", exact=False)).to_be_visible()


def test_seats_are_counted_from_one(form: Any) -> None:
    form.get_by_role("radio", name="11 nimmt!", exact=False).check()
    form.get_by_text("Details").click()
    first = form.get_by_label("First seat")
    expect(first).to_have_value("1")
    first.fill("5")  # of four
    form.get_by_role("button", name="Open the table").click()
    expect(first).to_be_focused()
    first.fill("2")
    form.get_by_role("button", name="Open the table").click()
    expect(form.get_by_text("First seat: 2 · No clock")).to_be_visible()
    table = form.url.rpartition("/")[2]
    assert form.context.request.get(f"/api/tables/{table}").json()["table"]["options"] == {"starter": 1}


def test_a_draft_has_fewer_seats_and_that_is_said(form: Any) -> None:
    more = form.get_by_role("button", name="More players")
    for _ in range(4):
        more.click()
    form.get_by_text("Details").click()
    form.get_by_role("checkbox", name="Tactical draft", exact=False).check()
    expect(form.get_by_text("6 players")).to_be_visible()
    expect(form.get_by_text("With these rules at most 6 can play.")).to_be_visible()
    expect(more).to_be_disabled()
    form.get_by_role("checkbox", name="Draft for up to ten", exact=False).check()
    expect(form.get_by_text("8 players")).to_be_visible()


def test_guests_see_what_is_played_before_they_sit_down(form: Any, new_page: Any) -> None:
    form.get_by_role("radio", name="Jumping cow", exact=False).check()
    form.get_by_text("Details").click()
    form.get_by_label("Bulls that end the match").fill("20")
    form.get_by_role("radio", name="Seconds for each decision", exact=False).check()
    form.get_by_label("Seconds", exact=True).select_option("15 seconds")
    form.get_by_role("checkbox", name="Public", exact=False).check()
    form.get_by_role("button", name="Open the table").click()
    terms = "Jumping cow · Bulls that end the match: 20 · 15 seconds for each decision"
    expect(form.get_by_text(terms)).to_be_visible()
    guest = new_page()
    guest.goto("/")
    card = guest.locator(f"a[href='{form.url[form.url.index('/t/') :]}']")
    expect(card).to_contain_text(terms)
    card.click()
    expect(guest.get_by_text(terms)).to_be_visible()
    guest.get_by_role("button", name="Rules").click()
    expect(guest.get_by_role("dialog").get_by_text(terms)).to_be_visible()
