"""A game that the page knows nothing about is played at a plain table, made from what the server says about it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.rules.game import AnyGame
from nimmt.testing.servers import LiveServer
from nimmt.testing.web import Player, check_large, fits

DESK = {"width": 1280, "height": 800}
SIZES = [(390, 844), (1280, 800), (320, 568)]


@pytest.fixture(scope="module")
def server(calf_folder: Path) -> Iterator[LiveServer]:
    """A server that was started with one more game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NIMMT_GAMES", str(calf_folder))
        with LiveServer(log_level="warning") as running:
            yield running


def test_from_the_new_table_to_the_replay(new_page: Any, calf: AnyGame) -> None:
    from nimmt.match.match import verify

    page = new_page(viewport=DESK)
    assert page.context.request.post("/api/guests", data={"name": "Anna"}).ok
    page.goto("/new")
    page.get_by_role("link", name=calf.name).click()
    page.get_by_text("Change", exact=True).click()
    page.get_by_role("radio", name="Upside down").check()
    page.get_by_role("button", name="With bots").click()
    expect(page.locator("[data-hand]")).to_have_count(5)

    player = Player(page, "mouse", seed=1)
    player.play()
    assert player.covered == []
    results = page.get_by_role("dialog")
    expect(results.get_by_role("row")).to_have_count(5)
    table = page.url.rsplit("/t/", 1)[1].partition("/")[0].partition("?")[0]
    record = page.context.request.get(f"/api/tables/{table}/record").body()
    verdict = verify(record)
    assert verdict.deals_proven
    assert verdict.outcome is not None

    page.keyboard.press("Escape")
    log = page.get_by_role("region", name="Log")
    expect(log.get_by_text("The cards are dealt.")).to_have_count(1)
    expect(log.get_by_text("Revealed: ", exact=False)).to_have_count(3)
    expect(log.get_by_text("The match is over: ", exact=False)).to_have_count(1)
    assert "{" not in log.inner_text()
    page.goto(f"/t/{table}/replay")
    expect(page.get_by_role("slider")).to_be_visible()
    expect(page.get_by_text("Dario").first).to_be_visible()


def test_what_may_be_done_is_a_button_with_words(new_page: Any, open_table: Any) -> None:
    page = new_page()
    table = open_table(page, "calf", seats=3)
    card = page.locator("[data-hand]").first
    number = card.get_attribute("data-hand")
    card.click()
    page.get_by_role("button", name=f"Play card {number}").click()
    expect(page.locator("[data-hand]")).to_have_count(4)
    points = page.context.request.get(f"/api/tables/{table}").json()["situation"]["view"]["table"]["points"]
    assert sum(points) > 0


@pytest.mark.soak
def test_it_fits_and_can_be_used_by_all(new_page: Any, open_table: Any, axe: Any, finish: Any) -> None:
    page = new_page()
    table = open_table(page, "calf", seats=4)
    expect(page.locator("[data-hand]").first).to_be_visible()
    page.locator("[data-hand]").first.click()
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        fits(page)
        assert axe(page) == []
    check_large(page)
    finish(page, table)
    expect(page.locator("dialog[data-kind=results]")).to_be_visible()


def test_spectators_see_no_hand(new_page: Any, open_table: Any) -> None:
    page, other = new_page(), new_page()
    table = open_table(page, "calf", seats=3, public=True)
    expect(page.locator("[data-hand]").first).to_be_visible()
    other.goto(f"/t/{table}")
    expect(other.get_by_text("piles").first).to_be_visible()
    expect(other.locator("[data-hand]")).to_have_count(0)


def test_rules_are_told_in_the_words_of_the_game(new_page: Any, open_table: Any) -> None:
    page = new_page(locale="de")
    open_table(page, "calf", seats=2)
    page.get_by_role("button", name="Regeln").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Calf")
    expect(dialog).to_contain_text("Diese Regeln sind noch nicht übersetzt.")
    expect(dialog).to_contain_text("Whoever played the lowest card takes all cards of the turn.")
