"""Who is who on the page: spectators and programs cannot be taken for players."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

DESK = {"width": 1280, "height": 800}


def test_what_spectators_say_is_marked_wherever_it_is_told(new_page: Any, open_table: Any) -> None:
    page, other = new_page(viewport=DESK), new_page()
    table = open_table(page, "six", seats=2, name="Anna")
    expect(page.locator("[data-hand]")).to_have_count(10)
    api = other.context.request
    assert api.post("/api/guests", data={"name": "Аnna"}).ok
    assert api.post(f"/api/tables/{table}/say", data={"text": "I give up"}).ok
    told = "Аnna (2), who is watching, says: I give up"
    expect(page.get_by_role("log").get_by_text(told)).to_be_attached()  # what screen readers hear
    expect(page.get_by_role("tabpanel").get_by_text(told)).to_be_visible()  # the log
    page.get_by_role("tab", name="Chat").click()
    expect(page.get_by_role("region", name="Chat").locator("p")).to_have_text("Аnna (2) (watching): I give up")


def test_programs_carry_a_mark_before_the_match_and_in_the_lobby(new_page: Any, open_table: Any) -> None:
    page, owner, program = new_page(), new_page(), new_page()
    table = open_table(page, "six", seats=10, bots=["greedy", *[None] * 8], start=False, public=True)
    assert owner.context.request.post("/api/guests", data={"name": "Zoe"}).ok
    fresh = owner.context.request.post("/api/tokens", data={"name": "a bot", "scopes": ["read", "play"]}).json()
    joined = program.context.request.post(
        f"/api/tables/{table}/join", data={}, headers={"Authorization": f"Bearer {fresh['token']}"}
    )
    assert joined.ok, joined.text()
    seat = page.get_by_role("listitem").filter(has_text="Zoe").first
    expect(seat).to_contain_text("a program")
    expect(seat.locator(".who > svg")).to_be_visible()
    page.goto("/")
    card = page.get_by_role("region", name="Your matches").get_by_role("listitem").filter(has_text="Zoe")
    expect(card).to_contain_text("Zoe (a program)")
    for name, marks in (("Anna", 0), ("Zoe", 1), ("Bruno", 1)):
        expect(card.locator(".chip", has_text=name).locator("svg")).to_have_count(marks)
