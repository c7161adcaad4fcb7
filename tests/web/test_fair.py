"""Fair deals as people see them: the commitment before the cards, their part in the shuffle, the tick at the end."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.testing.web import Player, wait_until

DESK = {"width": 1280, "height": 800}
OWN_WORDS = "three blind mice, żółw 🐮"


def table_of(page: Any) -> str:
    page.wait_for_url("**/t/*")
    return str(page.url.rpartition("/")[2])


def open_by_hand(page: Any) -> str:
    """A table for one round against a bot, opened with the form; the match is not begun."""
    assert page.context.request.post("/api/guests", data={"name": "Anna"}).ok
    page.goto("/new/six")
    page.get_by_text("Change", exact=True).click()
    page.locator("#option-rounds").fill("1")
    page.get_by_role("button", name="Fewer players").click()
    page.get_by_role("button", name="Fewer players").click()
    page.get_by_role("button", name="With friends").click()
    return table_of(page)


def record_of(page: Any, table: str) -> Any:
    return page.context.request.get(f"/api/tables/{table}/record").json()


def kept(page: Any, table: str) -> Any:
    return page.evaluate("id => JSON.parse(localStorage['nimmt.fair'] ?? '{}')[id]", table)


def findings(page: Any) -> list[str]:
    marks = page.locator("[data-fair] [data-finding]")
    return [marks.nth(number).get_attribute("data-finding") for number in range(marks.count())]


def test_the_whole_journey(new_page: Any, axe: Any, tmp_path: Path, finish: Any) -> None:
    page = new_page(viewport=DESK)
    table = open_by_hand(page)
    shown = page.locator("[data-commitment]").inner_text()
    part = page.locator("[data-part]")
    expect(part).to_have_attribute("data-part", "random")
    assert kept(page, table)["commitment"] == shown
    assert kept(page, table)["early"] is True
    page.get_by_label("Your own words instead").fill(OWN_WORDS)
    page.get_by_role("button", name="Put them in").click()
    expect(part).to_have_attribute("data-part", "own")
    assert axe(page) == []
    page.reload()
    expect(part).to_have_attribute("data-part", "own")
    page.get_by_role("button", name="Bot", exact=True).click()
    page.get_by_role("button", name="Start the match").click()
    player = Player(page, seed=3)
    while len(player.done) < 3:
        player.step()
    finish(page, table)

    tick = page.locator("details[data-fair]")
    expect(tick).to_have_attribute("data-fair", "ok")
    expect(tick.locator("dd").filter(has_text=OWN_WORDS)).to_be_hidden()
    tick.locator("summary").click()
    expect(tick.locator("dd").filter(has_text=OWN_WORDS)).to_be_visible()
    expect(tick.get_by_text(shown)).to_be_visible()
    assert findings(page) == ["ok"] * 6
    assert axe(page) == []
    fairness = record_of(page, table)["fairness"]
    assert fairness["commitment"] == shown
    assert fairness["contributions"] == [OWN_WORDS, ""]

    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url(lambda url: table not in url)
    again = table_of(page)
    expect(part).to_have_attribute("data-part", "random")
    assert kept(page, again)["commitment"] == page.locator("[data-commitment]").inner_text() != shown
    chairs = page.context.request.get(f"/api/tables/{again}").json()["situation"]["chairs"]
    assert [chair["contributed"] for chair in chairs] == [True, False]


def test_play_now_contributes_before_the_cards(page: Any) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play now", exact=False).click()
    table = table_of(page)
    expect(page.locator("[data-hand]")).to_have_count(10)
    fair = page.context.request.get(f"/api/tables/{table}").json()["situation"]["fair"]
    known = kept(page, table)
    assert (known["commitment"], known["early"]) == (fair["commitment"], True)
    assert known["contribution"] in fair["contributions"]
    assert len(known["contribution"]) == 32
    wait_until(page, "id => JSON.parse(localStorage['nimmt.fair'])[id].hands", arg=table)
    notes = [update["note"] for update in page.context.request.get(f"/api/tables/{table}/updates").json()]
    kinds = [note and note["type"] for note in notes]
    assert kinds.index("Contributed") < kinds.index("MatchStarted")


def test_everybody_who_sits_down_contributes(new_page: Any) -> None:
    anna, ben = new_page(viewport=DESK), new_page()
    open_by_hand(anna)
    ben.goto(anna.url)
    ben.get_by_role("button", name="Join in", exact=True).click()
    ben.get_by_label("Nickname").fill("Ben")
    ben.get_by_role("button", name="Here I am").click()
    expect(ben.locator("[data-part]")).to_have_attribute("data-part", "random")
    expect(anna.get_by_text("In the shuffle so far: Anna and Ben")).to_be_visible()


Change = Callable[[Any], None]


def a_card(record: Any) -> None:
    cards = record["deals"][0]["decks"]["numbers"]
    cards[0], cards[1] = cards[1], cards[0]


def the_seed(record: Any) -> None:
    record["fairness"]["server_seed"] = "ab" * 32


def our_words(record: Any) -> None:
    record["fairness"]["contributions"][0] = "what the server prefers"


@pytest.mark.in_turn("change")
@pytest.mark.parametrize("change", [a_card, the_seed, our_words])
def test_a_record_that_was_tampered_with_is_no_tick(page: Any, finish: Any, change: Change) -> None:
    table = open_by_hand(page)
    expect(page.locator("[data-part]")).to_have_attribute("data-part", "random")

    def tamper(route: Any) -> None:
        record = route.fetch().json()
        change(record)
        route.fulfill(json=record)

    page.route("**/record", tamper)
    page.get_by_role("button", name="Bot", exact=True).click()
    page.get_by_role("button", name="Start the match").click()
    expect(page.locator("[data-hand]")).to_have_count(10)
    finish(page, table)
    warning = page.locator("details[data-fair]")
    expect(warning).to_have_attribute("data-fair", "bad")
    expect(warning.locator("summary")).to_have_text("The deals cannot be trusted")
    warning.locator("summary").click()
    assert "bad" in findings(page)


def test_a_commitment_that_changes_is_noticed_at_once(page: Any, pretend: Any, finish: Any) -> None:
    table = open_by_hand(page)
    expect(page.locator("[data-part]")).to_have_attribute("data-part", "random")
    before = kept(page, table)
    pretend(page, lambda situation: situation["fair"].update(commitment="cd" * 32))
    page.reload()
    expect(page.get_by_role("alert").first).to_contain_text("another commitment than before")
    assert kept(page, table) == before


@pytest.mark.soak
def test_a_list_without_the_commitment_is_noticed(page: Any, finish: Any) -> None:
    table = open_by_hand(page)
    expect(page.locator("[data-part]")).to_have_attribute("data-part", "random")
    empty = {"entries": [], "length": 0, "head": "0" * 64}
    page.route("**/api/commitments*", lambda route: route.fulfill(json=empty))
    page.get_by_role("button", name="Bot", exact=True).click()
    page.get_by_role("button", name="Start the match").click()
    expect(page.locator("[data-hand]")).to_have_count(10)
    finish(page, table)
    expect(page.locator("details[data-fair]")).to_have_attribute("data-fair", "bad")


def test_a_spectator_is_told_what_can_be_told(new_page: Any, open_table: Any, finish: Any) -> None:
    anna, cem = new_page(), new_page()
    table = open_table(anna, "six", seats=2, options={"rounds": 1})
    finish(anna, table)
    cem.goto(f"/t/{table}")
    tick = cem.locator("details[data-fair]")
    expect(tick).to_have_attribute("data-fair", "unknown")
    expect(tick.locator("summary")).to_have_text("The deals follow from the seed")


def test_without_a_connection_it_can_be_checked_later(page: Any, open_table: Any, finish: Any) -> None:
    page.expected = ("Failed to load resource",)
    table = open_table(page, "six", seats=2, options={"rounds": 1})
    page.route("**/record", lambda route: route.abort())
    expect(page.locator("[data-hand]")).to_have_count(10)
    finish(page, table)
    expect(page.locator("[data-fair=failed]")).to_be_visible()
    page.unroute("**/record")
    page.get_by_role("button", name="Check again").click()
    expect(page.locator("details[data-fair]")).to_be_visible()


def test_pages_that_came_by_plain_http_check_too(page: Any, open_table: Any, finish: Any) -> None:
    """There browsers have no Web Crypto."""
    page.spent = True
    page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined })")
    table = open_table(page, "six", seats=2, options={"rounds": 1})
    finish(page, table)
    expect(page.locator("details[data-fair]")).to_have_attribute("data-fair", "unknown")
    assert json.loads(page.evaluate("JSON.stringify(crypto.subtle ?? null)")) is None
