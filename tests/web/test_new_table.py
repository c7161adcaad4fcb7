"""Opening a table: two taps are enough, what is chosen is what one gets, and what cannot be is said."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.testing.web import check_large

SMALL = {"width": 320, "height": 568}
DESK = {"width": 1280, "height": 800}


def change(page: Any) -> None:
    page.get_by_text("Change", exact=True).click()


@pytest.fixture
def form(page: Any) -> Any:
    """Everything that can be chosen for a table of 6 nimmt!, in front of somebody with a name."""
    assert page.context.request.post("/api/guests", data={"name": "Anna"}).ok
    page.goto("/new/six")
    change(page)
    return page


def seat(form: Any, number: int) -> Any:
    return form.get_by_label(f"Seat {number}", exact=True)


def table_of(page: Any) -> Any:
    page.wait_for_url("**/t/*")
    return page.context.request.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()


# -- two taps ---------------------------------------------------------------------------------------------------------


@pytest.mark.in_turn("viewport")
@pytest.mark.parametrize("viewport", [SMALL, DESK], ids=["phone", "desk"])
def test_two_taps_open_a_table(new_page: Any, viewport: Any) -> None:
    """Protects the short way: the game, and whom to play with. Who has a name is asked for nothing else."""
    page = new_page(viewport=viewport)
    assert page.context.request.post("/api/guests", data={"name": "Anna"}).ok
    ways = (
        ("buffalo", "With bots", "playing", False),
        ("eleven", "With friends", "waiting", False),
        ("baron", "Open to all", "waiting", True),
    )
    for game, way, phase, public in ways:
        page.goto("/new")
        page.locator(f"main a[href$='/new/{game}']").click()
        expect(page.get_by_role("button", name=way)).to_be_in_viewport(ratio=1)
        page.get_by_role("button", name=way).click()
        told = table_of(page)
        assert (told["table"]["game"], told["situation"]["phase"], told["table"]["public"]) == (game, phase, public)
        assert len(told["situation"]["chairs"]) == 4
    expect(page.get_by_role("textbox", name="Link")).to_be_visible()


def test_as_last_time(page: Any) -> None:
    """Protects what people have chosen: it is offered again, by the home too, and the usual is one tap away."""
    page.goto("/new/six")
    expect(page.get_by_role("button", name="As last time")).to_have_count(0)
    change(page)
    page.get_by_role("radio", name="Mountain climbing", exact=False).check()
    page.get_by_role("button", name="Fewer players").click()
    page.get_by_label("How strong they are").select_option("greedy")
    page.get_by_role("button", name="With bots").click()
    first = table_of(page)
    page.goto("/")
    expect(page.get_by_text("As last time: Mountain climbing · 3 players")).to_be_visible()
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("[data-hand]")).to_have_count(10)
    again = table_of(page)
    assert again["table"]["options"] == first["table"]["options"] == {"fan": ["mountain"]}
    assert [chair["level"] for chair in again["situation"]["chairs"]] == [None, "greedy", "greedy"]
    page.goto("/new/six")
    expect(page.get_by_role("button", name="As last time")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="As usual").click()
    page.get_by_role("button", name="With bots").click()
    assert table_of(page)["table"]["options"] == {}


def test_what_is_kept_from_other_days_does_no_harm(page: Any) -> None:
    """Bots and options come and go: then it is played as usual."""
    page.goto("/")
    old = {"variant": "gone", "changes": {"gone": 1}, "seats": 99, "levels": ["gone"], "among": 7}
    kept = json.dumps({"six": {**old, "tempo": {"kind": "none"}}, "x": 7})
    page.evaluate("kept => (localStorage['nimmt.openings'] = kept)", kept)
    page.expected = ("400 (Bad Request)", "404 (Not Found)", "422 (")
    page.get_by_role("button", name="Play now").click()
    expect(page.locator("[data-hand]")).to_have_count(10)
    assert table_of(page)["table"]["options"] == {}


@pytest.mark.in_turn("viewport")
@pytest.mark.parametrize("viewport", [SMALL, DESK], ids=["phone", "desk"])
def test_the_ways_to_start_are_always_in_sight(new_page: Any, viewport: Any) -> None:
    """Protects the start: however much can be changed above it, however large the text is."""
    page = new_page(viewport=viewport)
    page.goto("/new/six")
    for way in ("With bots", "With friends", "Open to all"):
        expect(page.get_by_role("button", name=way)).to_be_in_viewport(ratio=1)
    # With room for them, the variants are beside it; without, among what can be changed.
    variant = page.get_by_role("radio", name="Twisted numbers", exact=False)
    if viewport == DESK:
        expect(variant).to_be_in_viewport(ratio=1)
        variant.check()
        expect(page.get_by_role("region", name="What is played")).to_contain_text("Twisted numbers")
    else:
        expect(variant).to_be_hidden()
    change(page)
    expect(variant).to_have_count(1)
    for where in ("0", "document.documentElement.scrollHeight / 2"):
        page.evaluate(f"scrollTo(0, {where})")
        for way in ("With bots", "With friends", "Open to all"):
            expect(page.get_by_role("button", name=way)).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "has to be scrolled sideways"
    check_large(page)
    for way in ("With bots", "With friends", "Open to all"):
        expect(page.get_by_role("button", name=way)).to_be_in_viewport(ratio=0.9)


# -- what is chosen is what one gets ----------------------------------------------------------------------------------


def test_bots_sit_where_they_were_put(form: Any) -> None:
    form.get_by_text("Each seat by itself").click()
    seat(form, 3).select_option("greedy")
    seat(form, 4).select_option("random")
    form.get_by_role("button", name="More bots").click()
    form.get_by_role("button", name="More bots").click()
    expect(form.get_by_role("button", name="More bots")).to_be_disabled()  # somebody must be able to come
    form.get_by_role("button", name="With friends").click()
    chairs = form.get_by_role("list").first.get_by_role("listitem")
    expect(chairs).to_have_count(4)
    expect(chairs.nth(1)).to_contain_text("free")
    expect(chairs.nth(2).get_by_role("combobox")).to_have_value("greedy")
    expect(chairs.nth(3).get_by_role("combobox")).to_have_value("random")


def test_bots_start_at_once(form: Any) -> None:
    form.get_by_label("How strong they are").select_option("random")
    form.get_by_role("button", name="With bots").click()
    expect(form.locator("[data-hand]")).to_have_count(10)
    assert [chair["level"] for chair in table_of(form)["situation"]["chairs"]] == [None, *["random"] * 3]


def test_levels_are_explained(form: Any) -> None:
    hint = form.get_by_text("Plays what costs least at once.")
    expect(hint).to_have_count(0)
    form.get_by_text("Each seat by itself").click()
    seat(form, 2).select_option("greedy")
    seat(form, 4).select_option("greedy")
    expect(hint).to_have_count(1)
    form.get_by_role("button", name="More bots").click()
    form.get_by_role("button", name="With friends").click()
    expect(form.get_by_role("combobox").first).to_have_value("greedy")
    expect(hint).to_have_count(1)
    form.get_by_role("combobox").first.select_option("random")
    expect(form.get_by_text("Plays anything that is allowed.")).to_be_visible()


def test_a_wrong_number_is_shown_where_it_is(form: Any) -> None:
    target = form.get_by_label("Bulls that end the match")
    target.fill("0")
    change(form)
    expect(target).to_be_hidden()
    form.get_by_role("button", name="With friends").click()
    expect(target).to_be_focused()
    target.fill("20")
    form.get_by_role("button", name="With friends").click()
    expect(form.get_by_text("Bulls that end the match: 20", exact=False)).to_be_visible()


def test_seats_are_counted_from_one(form: Any) -> None:
    form.goto("/new/eleven")
    change(form)
    first = form.get_by_label("First seat")
    expect(first).to_have_value("1")
    first.fill("5")  # of four
    form.get_by_role("button", name="With friends").click()
    expect(first).to_be_focused()
    first.fill("2")
    form.get_by_role("button", name="With friends").click()
    expect(form.get_by_text("First seat: 2 · No clock")).to_be_visible()
    assert table_of(form)["table"]["options"] == {"starter": 1}


def test_a_draft_has_fewer_seats_and_that_is_said(form: Any) -> None:
    more = form.get_by_role("button", name="More players")
    players = form.locator("output").first
    for _ in range(4):
        more.click()
    form.get_by_role("radio", name="Tactical draft", exact=False).first.check()
    expect(players).to_have_text("6 players")
    expect(form.get_by_text("With these rules at most 6 can play.")).to_be_visible()
    expect(more).to_be_disabled()
    form.get_by_role("radio", name="Tactical draft, 2007 edition", exact=False).check()
    expect(players).to_have_text("8 players")


def test_a_variant_is_chosen_once_and_what_makes_no_sense_is_not_offered(form: Any) -> None:
    """Protects from a form that asks twice, or for what changes nothing; a mix of one's own has it all."""
    draft = form.get_by_role("checkbox", name="Tactical draft", exact=False)
    large = form.get_by_role("checkbox", name="Draft for up to ten", exact=False)
    target = form.get_by_label("Bulls that end the match")
    expect(draft).to_have_count(0)
    form.get_by_role("radio", name="Jumping cow", exact=False).check()
    form.get_by_role("radio", name="A mix of your own", exact=False).check()
    expect(form.get_by_role("checkbox", name="Jumping cow")).to_be_checked()
    expect(large).to_have_count(0)
    draft.check()
    expect(large).to_have_count(1)
    form.get_by_label("Fixed number of rounds").fill("2")
    form.get_by_label("Fixed number of rounds").blur()
    expect(target).to_have_count(0)
    form.get_by_role("button", name="With bots").click()
    options = {"fan": ["cow"], "draft": True, "rounds": 2}
    assert table_of(form)["table"]["options"] == options
    form.goto("/new/buffalo")
    change(form)
    for _ in range(3):
        form.get_by_role("button", name="Fewer players").click()
    expect(form.get_by_role("button", name="With friends")).to_be_disabled()
    form.get_by_role("button", name="Alone").click()
    assert len(table_of(form)["situation"]["chairs"]) == 1


def test_guests_see_what_is_played_before_they_sit_down(form: Any, new_page: Any) -> None:
    form.get_by_role("radio", name="Jumping cow", exact=False).check()
    form.get_by_label("Bulls that end the match").fill("20")
    form.get_by_role("radio", name="Seconds for each decision", exact=False).check()
    form.get_by_label("Seconds", exact=True).select_option("15 seconds")
    form.get_by_role("button", name="Open to all").click()
    terms = "Jumping cow · Bulls that end the match: 20 · 15 seconds for each decision"
    expect(form.get_by_text(terms)).to_be_visible()
    guest = new_page(viewport=DESK)
    guest.goto("/")
    card = guest.locator(f"a[href='{form.url[form.url.index('/t/') :]}']")
    unfold = guest.get_by_role("region", name="Open tables").get_by_role("button", name="Show all", exact=False)
    expect(card.or_(unfold).first).to_be_visible()
    if not card.count():
        unfold.click()
    expect(card).to_contain_text(terms)
    card.click()
    expect(guest.get_by_text(terms)).to_be_visible()
    guest.get_by_role("button", name="Rules").click()
    expect(guest.get_by_role("dialog").get_by_text(terms)).to_be_visible()
