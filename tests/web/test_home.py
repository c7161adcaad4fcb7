"""The home: five games to begin at once, and what goes on at one's own tables and at others'."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.rules.registry import GAMES
from nimmt.testing.web import Player, check_large

SMALL = {"width": 320, "height": 568}
DESK = {"width": 1280, "height": 800}
OTHERS = ({"width": 390, "height": 844}, {"width": 820, "height": 1180}, {"width": 1180, "height": 820})
"""A usual phone, and a tablet either way up."""


@pytest.mark.in_turn("viewport")
@pytest.mark.parametrize("viewport", [SMALL, DESK], ids=["phone", "desk"])
def test_from_arrival_to_the_first_card(new_page: Any, viewport: Any) -> None:
    """Protects a newcomer's first minute: one tap without scrolling, and the first card can be played."""
    page = new_page(viewport=viewport)
    page.goto("/")
    play = page.get_by_role("button", name="Play now 6 nimmt!")
    for size in (*OTHERS, viewport):
        page.set_viewport_size(size)
        expect(play).to_be_in_viewport(ratio=1)
    play.click()
    expect(page.locator("[data-hand]")).to_have_count(10)
    player = Player(page)
    while page.locator("[data-hand]").count() == 10:
        player.step()


def test_every_game_can_be_played_learnt_and_read_about(new_page: Any) -> None:
    """Protects the ways from the home: each leads to the game that it stands at."""
    page = new_page(viewport=DESK)
    page.goto("/")
    tiles = page.get_by_role("list", name="The games").get_by_role("article")
    expect(tiles).to_have_count(len(GAMES))
    for game, name in (("baron", "Baron Oxx"), ("x", "X nimmt!")):
        tile = tiles.filter(has_text=name)
        expect(tile).to_contain_text(re.compile(r"\d+–\d+ players\s+about \d+ minutes"))
        assert tile.locator("svg[aria-hidden=true]").first.is_visible()
        assert tile.get_by_role("link", name="Rules").get_attribute("href") == f"/rules/{game}"
        tile.get_by_role("button", name="Play").click()
        page.wait_for_url("**/t/*")
        told = page.context.request.get(f"/api/tables/{page.url.rpartition('/')[2]}").json()
        assert (told["table"]["game"], told["situation"]["phase"]) == (game, "playing")
        page.goto("/")
    tiles.filter(has_text="11 nimmt!").get_by_role("link", name="Learn").click()
    expect(page).to_have_url(re.compile("/learn#eleven$"))
    expect(page.get_by_role("heading", name="11 nimmt!")).to_be_in_viewport()


def test_a_match_says_whose_turn_it_is_and_leads_there(new_page: Any, open_table: Any) -> None:
    """Protects those who play several matches: whose turn it is, how it stands, and those that wait for us first."""
    anna, ben = new_page(viewport=DESK), new_page()
    table = open_table(anna, "six", seats=2, bots=[None], start=False, tempo={"kind": "turns", "hours": 6})
    assert ben.context.request.post("/api/guests", data={"name": "Ben"}).ok
    assert ben.context.request.post(f"/api/tables/{table}/join", data={}).ok
    other = open_table(anna, "x", seats=2, bots=[None], start=False)
    assert ben.context.request.post(f"/api/tables/{other}/join", data={}).ok
    for one in (table, other):
        assert anna.context.request.post(f"/api/tables/{one}/start", data={}).ok
    act(anna, other)
    anna.goto("/")
    mine = anna.get_by_role("region", name="Your matches").get_by_role("listitem")
    expect(mine).to_have_count(2)
    expect(mine.nth(0)).to_contain_text("6 nimmt!")
    expect(mine.nth(0)).to_contain_text("Your turn")
    expect(mine.nth(0)).to_contain_text("Round 1 · 5 hours left")
    expect(mine.nth(0)).to_contain_text("Standings: Anna 0 and Ben 0")
    expect(mine.nth(1)).to_contain_text("Ben’s turn")
    expect(mine.nth(1)).to_contain_text("Round 1 of 2")
    act(anna, table)
    act(ben, other)
    settle_turn((anna, ben), other)  # the page looks again by itself
    expect(mine.nth(0)).to_contain_text("X nimmt!")
    expect(mine.nth(0)).to_contain_text("Your turn")
    expect(mine.nth(1)).to_contain_text("Ben’s turn")
    anna.get_by_role("link", name="It’s your turn: X nimmt!", exact=False).click()
    expect(anna).to_have_url(re.compile(f"/t/{other}$"))
    expect(anna.locator("[data-hand][aria-disabled=false]").first).to_be_visible()


def act(page: Any, table: str) -> None:
    """A decision without the page; whoever has to take a row first does that."""
    now = page.context.request.get(f"/api/tables/{table}").json()["situation"]
    answer = page.context.request.post(f"/api/tables/{table}/act", data={"action": now["legal"][-1]})
    assert answer.ok, answer.text()


def settle_turn(seats: tuple[Any, ...], table: str) -> None:
    """Cards may fit nowhere, as they were dealt: whoever is asked for anything else than a card decides that first."""
    while True:
        waiting = seats[0].context.request.get(f"/api/tables/{table}").json()["situation"]["waiting"]
        if {one["kind"] for one in waiting} == {"card"}:
            return
        act(seats[waiting[0]["seat"]], table)


def test_finished_matches_have_their_result_and_lead_to_the_replay(page: Any, open_table: Any, finish: Any) -> None:
    for game in ("six", "buffalo"):
        finish(page, open_table(page, game, seats=3, options={"rounds": 1} if game == "six" else {}))
    page.goto("/")
    finished = page.get_by_role("region", name="Finished matches")
    cards = page.context.request.get("/api/tables/mine").json()
    for name, card in (("6 nimmt!", cards[1]), ("Beat the Buffalo", cards[0])):
        shown = finished.get_by_role("listitem").filter(has_text=name)
        won = card["you"] in card["winners"]
        expect(shown).to_contain_text(re.compile(r"You (won|share)" if won else r"won( · place \d of 3)?"))
        for points in card["standing"]["points"]:
            expect(shown).to_contain_text(str(points))
    expect(finished.get_by_role("listitem").filter(has_text="Beat the Buffalo")).to_contain_text("Team")
    finished.locator("a.whole").filter(has_text="6 nimmt!").click()
    expect(page).to_have_url(re.compile("/replay"))


def test_long_lists_are_folded(new_page: Any, open_table: Any) -> None:
    """Protects a phone from a page without end; nothing is lost by it."""
    page = new_page(viewport=SMALL)
    for _ in range(4):
        open_table(page, "six", seats=2)
    page.goto("/")
    mine = page.get_by_role("region", name="Your matches")
    expect(mine.get_by_role("listitem")).to_have_count(2)
    mine.get_by_role("button", name="Show all 4").click()
    expect(mine.get_by_role("listitem")).to_have_count(4)
    mine.get_by_role("button", name="Show fewer").click()
    expect(mine.get_by_role("listitem")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "has to be scrolled sideways"
    check_large(page)


def test_axe_with_matches_of_all_kinds(new_page: Any, open_table: Any, finish: Any, axe: Any) -> None:
    page = new_page()
    finish(page, open_table(page, "six", seats=3, options={"rounds": 1}))
    open_table(page, "buffalo", seats=3)
    open_table(page, "x", seats=3, bots=[None, None], start=False, public=True)
    for scheme, viewport in (("light", SMALL), ("dark", DESK)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(viewport)
        page.goto("/")
        expect(page.get_by_role("region", name="Finished matches").get_by_role("listitem")).to_have_count(1)
        expect(page.get_by_role("region", name="Your matches").get_by_role("listitem")).to_have_count(2)
        assert axe(page) == [], scheme
        assert page.get_by_role("link", name="Your page Anna").get_attribute("href") == "/you"
        page.goto("/new")
        expect(page.get_by_role("link", name="6 nimmt!", exact=False)).to_be_visible()
        assert axe(page) == [], scheme
