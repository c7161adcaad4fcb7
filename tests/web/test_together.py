"""Several browsers at one table, and several tabs of one person."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.match.match import verify
from nimmt.testing.web import Player

DESK = {"width": 1280, "height": 800}
FEW = 3
"""So many things everybody does on the page, before the rest is played without it."""


# The cards in the rows.
LYING = "() => [...document.querySelectorAll('[data-row] [data-card]')].map((node) => node.dataset.card).join()"


def test_three_people_by_an_invitation(new_page: Any, finish: Any) -> None:
    anna, ben, cem = new_page(viewport=DESK), new_page(has_touch=True), new_page()
    link = open_by_hand(anna)
    join(ben, link, "Ben")
    join(cem, link, "Cem", button="Join in")
    for page in (anna, ben, cem):
        expect(page.get_by_role("listitem").filter(has_text="Cem").first).to_be_visible()
    anna.get_by_role("button", name="Swap seats 2 and 3").click()
    for page in (anna, ben, cem):
        expect(page.get_by_role("listitem").nth(1)).to_contain_text("Cem")
    say(ben, "Hello there")
    expect(anna.get_by_role("region", name="Chat")).to_contain_text("Ben: Hello there")
    anna.get_by_role("button", name="Start the match").click()

    ways = {anna: "mouse", ben: "touch", cem: "keyboard"}
    players = [Player(page, way, seed) for seed, (page, way) in enumerate(ways.items())]  # type: ignore[arg-type]
    table = link.rpartition("/")[2]
    begin_together(players)
    finish(anna, table, ben, cem)
    for page in ways:
        expect(page.locator("dialog[data-kind=results]")).to_be_visible()
    standings = [page.get_by_role("dialog").get_by_role("table").inner_text() for page in ways]
    assert len({text.replace("you", "") for text in standings}) == 1, standings
    record = cem.context.request.get(f"/api/tables/{table}/record").body()
    assert verify(record).deals_proven

    anna.get_by_role("button", name="Rematch").click()
    expect(anna.get_by_role("button", name="Start the match")).to_be_disabled()
    ben.get_by_role("link", name="Join the rematch").click()
    ben.get_by_role("button", name="Join in", exact=True).click()
    expect(anna.get_by_role("listitem").filter(has_text="Ben").first).to_be_visible()
    assert ben.url == anna.url != link


def test_links_lead_friends_to_this_machine_and_not_to_their_own(page: Any, open_table: Any) -> None:
    table = open_table(page, "six", seats=2, bots=[], start=False)
    expect(page.get_by_role("textbox", name="Link to this table")).to_have_value(page.url)
    expect(page.get_by_text("works only on this machine", exact=False)).to_be_visible()
    page.route("**/api/address", lambda route: route.fulfill(json={"url": "http://192.168.1.5:8666"}))
    page.reload()
    expect(page.get_by_role("textbox", name="Link to this table")).to_have_value(f"http://192.168.1.5:8666/t/{table}")
    expect(page.get_by_text("works only on this machine", exact=False)).to_have_count(0)
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="another device", exact=False).click()
    carry = page.get_by_role("dialog").get_by_role("textbox", name="Link to this table")
    expect(carry).to_have_value(re.compile(r"^http://192\.168\.1\.5:8666/carry#."))


@pytest.mark.soak
def test_two_tabs_and_a_spectator_agree(new_page: Any, open_table: Any) -> None:
    one, stranger = new_page(), new_page(viewport=DESK)
    table = open_table(one, "six", seats=3, bots=["greedy"], start=False, options={"rounds": 1})
    ben = new_page()
    join(ben, f"/t/{table}", "Ben")
    one.get_by_role("button", name="Start the match").click()
    other = one.context.new_page()
    other.goto(f"/t/{table}")
    stranger.goto(f"/t/{table}")
    card = one.locator("[data-hand]").nth(4)
    number = card.get_attribute("data-hand")
    card.click()
    one.get_by_role("button", name="Play", exact=False).click()
    expect(other.locator(f"[data-hand='{number}']")).to_have_attribute("aria-pressed", "true")
    other.locator("[data-hand]").nth(7).dblclick()
    expect(one.locator("[data-hand]").nth(7)).to_have_attribute("aria-pressed", "true")
    expect(card).to_have_attribute("aria-pressed", "false")

    expect(stranger.get_by_text("You are watching").first).to_be_visible()
    assert stranger.locator("[data-hand]").count() == 0
    one.bring_to_front()
    before = one.evaluate(LYING)
    begin_together([Player(one, seed=1), Player(ben, seed=2)])
    while len(seen := {page.evaluate(LYING) for page in (one, other, ben, stranger)}) > 1:
        one.wait_for_timeout(20)
    assert seen != {before}

    one.get_by_role("button", name="Settings").click()
    one.get_by_label("Language").select_option("de")
    expect(other.locator("html")).to_have_attribute("lang", "de")


def open_by_hand(page: Any) -> str:
    """From the home to the waiting room, as a person does it; the link for the others."""
    page.goto("/")
    page.get_by_role("link", name="With friends 6 nimmt!").click()
    page.get_by_text("Change", exact=True).click()
    page.get_by_role("radio", name="Tactical draft", exact=False).first.check()
    page.get_by_role("radio", name="Basic game", exact=False).first.check()
    page.locator("#option-rounds").fill("1")
    page.get_by_role("button", name="Fewer players").click()
    page.get_by_role("button", name="With friends").click()
    page.get_by_label("Nickname").fill("Anna")
    page.get_by_role("button", name="Here I am").click()
    link: str = page.get_by_role("textbox", name="Link").input_value()
    assert link.startswith(page.url.split("/t/")[0])
    return link


def join(page: Any, link: str, name: str, button: str = "Sit here") -> None:
    page.goto(link)
    page.get_by_role("button", name=button, exact=True).first.click()
    page.get_by_label("Nickname").fill(name)
    page.get_by_role("button", name="Here I am").click()
    expect(page.get_by_role("listitem").filter(has_text="(you)").first).to_contain_text(name)


def say(page: Any, words: str) -> None:
    page.get_by_label("Say something").fill(words)
    page.get_by_role("button", name="Send").click()


def begin_together(players: list[Player]) -> None:
    """In any order, until each has done a few things."""
    rng = Random(1)
    while min(len(player.done) for player in players) < FEW:
        rng.choice(players).step(patience=0.05)
