"""The rules on the page: read, searched, tried, at hand at the table; and the remarks of the first match."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.lessons.rulebook import rulebook
from nimmt.rules.registry import GAMES
from nimmt.testing.web import wait_until

DESK = {"width": 1280, "height": 800}
SMALL = {"width": 320, "height": 568}


def no_wider(page: Any) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


READERS = {
    "small": (SMALL, "light", "de"),
    "phone": (None, "dark", "ru"),
    "desk": (DESK, "light", "pl"),
    "dark-desk": (DESK, "dark", "en-GB"),
}


@pytest.mark.parametrize("reader", READERS)
def test_nothing_keeps_anybody_out(new_page: Any, axe: Any, reader: str, soaking: bool) -> None:
    """All rules of all games are there, in the language of the reader, with pictures that load, for everybody. Each
    game for one of these readers; for all of them where it may take long."""
    viewport, scheme, locale = READERS[reader]
    page = new_page(viewport=viewport, color_scheme=scheme, locale=locale)
    language: Any = locale[:2]
    number = list(READERS).index(reader)
    for game in [game for index, game in enumerate(GAMES) if soaking or index % len(READERS) == number]:
        page.goto(f"/rules/{game}")
        book = rulebook(game, language)
        expect(page.locator("section[data-rule]")).to_have_count(len(book.rules))
        expect(page.get_by_role("heading", name=book.sections[-1].title)).to_be_attached()
        picture = page.locator("figure img").first
        picture.scroll_into_view_if_needed()
        wait_until(page, "image => image.complete && image.naturalWidth > 100", arg=picture.element_handle())
        assert no_wider(page)
        assert axe(page) == []


def test_words_are_found_while_they_are_typed_and_by_keyboard_alone(new_page: Any, axe: Any) -> None:
    page = new_page(locale="pl")
    page.goto("/rules/six")
    search, rules = page.get_by_role("searchbox"), page.locator("section[data-rule]")
    search.focus()
    page.keyboard.type("krowa")
    expect(rules).to_have_count(2)
    expect(rules.first.locator("mark").first).to_have_text("krowa", ignore_case=True)
    expect(page.get_by_text("Znaleziono 2 zasady")).to_be_visible()
    assert axe(page) == []
    page.keyboard.press("Enter")
    expect(rules.first.get_by_role("heading")).to_be_focused()
    search.focus()
    page.keyboard.type(" bawół")
    expect(rules).to_have_count(0)
    expect(page.get_by_text("Nic nie znaleziono.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(rules).to_have_count(len(rulebook("six").rules))


def test_an_address_leads_to_a_rule_and_the_contents_to_every_other(new_page: Any) -> None:
    page = new_page(viewport=DESK)
    page.goto("/rules/six#cow")
    expect(page.get_by_role("heading", name="Jumping cow")).to_be_focused()
    expect(page.get_by_role("heading", name="Jumping cow")).to_be_in_viewport()
    page.get_by_role("navigation", name="Contents").get_by_role("link", name="Bulls").click()
    expect(page.get_by_role("heading", name="Bulls", exact=True)).to_be_in_viewport()
    assert page.url.endswith("/rules/six#bulls")
    page.get_by_role("navigation", name="other games").get_by_role("link", name="X nimmt!").click()
    expect(page.get_by_role("heading", name="What you take")).to_be_attached()


def test_a_rule_is_tried_at_the_table_and_leads_back(page: Any) -> None:
    page.goto("/rules/six")
    page.get_by_role("link", name="Try it: Rule 4").click()
    page.get_by_role("button", name="3,", exact=False).first.click()
    page.get_by_role("button", name="Play 3").click()
    page.get_by_role("button", name="Row 2", exact=False).click()
    if (confirm := page.locator("[data-confirm]")).count():
        confirm.click()
    expect(page.locator(".teacher p")).to_contain_text("Only 1 bull.")
    page.get_by_role("link", name="Back to the rules").last.click()
    expect(page.get_by_role("heading", name="Rule 4", exact=False)).to_be_focused()
    # Who has tried a rule has not begun the lesson.
    page.goto("/learn")
    expect(page.get_by_role("link", name="Learn 6 nimmt!")).not_to_contain_text("begun")


def test_at_the_table_the_rules_say_what_holds_there(new_page: Any, open_table: Any, axe: Any) -> None:
    page = new_page(viewport=SMALL)
    open_table(page, "six", seats=2, options={"fan": ["cow"]})
    page.get_by_role("button", name="Rules").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("[data-rule=cow] .badge")).to_have_text("At this table")
    expect(dialog.locator("[data-rule=twist] .badge")).to_have_text("Not at this table")
    expect(dialog.locator("[data-rule=full-row] .badge")).to_have_count(0)
    expect(dialog.locator("[data-rule=cow] .try")).to_have_attribute("target", "_blank")
    assert axe(page) == []
    dialog.get_by_role("searchbox").fill("twist")
    page.keyboard.press("Escape")  # the search first, then the dialog
    expect(dialog.get_by_role("searchbox")).to_have_value("")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


# -- the first match -------------------------------------------------------------------------------------------------


def play_a_card(page: Any) -> None:
    page.locator("[data-hand]").first.click()


def test_a_rule_is_remarked_on_once_and_never_when_that_is_switched_off(
    new_page: Any, open_table: Any, axe: Any
) -> None:
    page = new_page(speed="fast", settings={"remarks": True, "confirm": False})
    open_table(page, "six", seats=2, seed=1)
    play_a_card(page)
    remark = page.locator("[data-remark]")
    expect(remark).to_contain_text("closest lower one")
    assert page.evaluate("JSON.parse(localStorage['nimmt.remarks'])") == ["six.smallest-difference"]
    assert axe(page) == []
    top, hand = remark.bounding_box(), page.locator("[data-hand]").first.bounding_box()
    assert top["y"] + top["height"] < hand["y"]
    remark.get_by_role("button", name="No more remarks").click()
    expect(remark).to_have_count(0)
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("checkbox", name="Remarks on the rules")).not_to_be_checked()


def test_who_has_had_the_lesson_gets_no_remarks(new_page: Any, open_table: Any) -> None:
    page = new_page(speed="fast", settings={"remarks": True, "confirm": False})
    page.spent = True
    page.add_init_script("localStorage['nimmt.lessons'] = JSON.stringify({'six/basic': {step: 0, done: true}})")
    open_table(page, "six", seats=2, seed=1)
    play_a_card(page)
    expect(page.get_by_text("turn 2")).to_be_visible()
    expect(page.locator("[data-remark]")).to_have_count(0)
    assert page.evaluate("localStorage['nimmt.remarks'] ?? null") is None
