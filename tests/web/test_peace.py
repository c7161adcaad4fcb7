"""What people do about each other on the page: report, mute, block, and undo it; and messages that are taken away."""

from typing import Any

import pytest

from nimmt.testing.servers import ThreadServer

expect = pytest.importorskip("playwright.sync_api").expect


def come_in(page: Any, name: str) -> None:
    assert page.request.post("/api/guests", data={"name": name}).ok


@pytest.fixture
def table(new_page: Any) -> Any:
    """Anna's table, which is open in her browser; Ben sits there, too."""
    anna, ben = new_page(), new_page()
    come_in(anna, "Anna")
    come_in(ben, "Ben")
    table = anna.request.post("/api/tables", data={"game": "six", "seats": 3}).json()["id"]
    assert ben.request.post(f"/api/tables/{table}/join", data={}).ok
    anna.goto(f"/t/{table}")
    expect(anna.get_by_role("region", name="Chat")).to_be_visible()
    return table, anna, ben


def say(page: Any, table: str, text: str) -> int:
    n: int = page.request.post(f"/api/tables/{table}/say", data={"text": text}).json()["n"]
    return n


def test_reporting_a_message_and_a_name(table: Any, server: ThreadServer) -> None:
    table_id, anna, ben = table
    say(anna, table_id, "Hello!")
    n = say(ben, table_id, "Something rude")
    chat = anna.get_by_role("region", name="Chat")
    expect(chat.get_by_text("Something rude")).to_be_visible()
    expect(chat.get_by_role("button")).to_have_count(1)  # nobody reports themselves
    chat.get_by_role("button", name="About this message by Ben").click()
    menu = anna.locator("dialog[data-kind=person]")
    expect(menu.get_by_text("Something rude")).to_be_visible()
    menu.get_by_label("What is wrong?").fill("That hurts.")
    menu.get_by_role("button", name="Report this message").click()
    expect(anna.get_by_text("Thank you.").first).to_be_visible()
    expect(menu).to_have_count(0)
    anna.get_by_role("button", name="Mute, block or report Ben").click()
    menu.get_by_role("button", name="Report this name").click()
    expect(menu).to_have_count(0)
    cases = [case.first for case in server.run(server.platform.reports.cases()) if case.first.table == table_id]
    assert {(case.n, case.name, case.comment) for case in cases} == {(n, "Ben", "That hurts."), (None, "Ben", "")}


def test_muting_and_undoing_it(table: Any) -> None:
    table_id, anna, ben = table
    say(ben, table_id, "Blah one")
    chat = anna.get_by_role("region", name="Chat")
    chat.get_by_role("button", name="About this message by Ben").click()
    anna.locator("dialog[data-kind=person]").get_by_role("button", name="Mute").click()
    expect(anna.get_by_text("Ben is muted.").first).to_be_visible()
    expect(chat.get_by_text("Blah one")).to_have_count(0)
    say(ben, table_id, "Blah two")
    say(anna, table_id, "Quiet here.")
    expect(chat.get_by_text("Quiet here.")).to_be_visible()
    expect(chat.get_by_text("Blah two")).to_have_count(0)
    anna.goto("/")
    anna.get_by_role("button", name="Settings").first.click()
    expect(anna.get_by_text("Ben is muted")).to_be_visible()
    anna.get_by_role("button", name="Undo").click()
    expect(anna.get_by_text("Ben is muted")).to_have_count(0)
    anna.goto(f"/t/{table_id}")
    expect(chat.get_by_text("Blah two")).to_be_visible()


def test_blocking_sends_away_and_keeps_out(table: Any) -> None:
    table_id, anna, ben = table
    ben.expected = ("403 (Forbidden)",)
    ben.goto(f"/t/{table_id}")
    anna.get_by_role("button", name="Mute, block or report Ben").click()
    anna.locator("dialog[data-kind=person]").get_by_role("button", name="Block").click()
    expect(anna.get_by_text("2 seats are still free.")).to_be_visible()
    ben.get_by_role("button", name="Join in").click()
    expect(ben.get_by_text("The host of this table has blocked you.").first).to_be_visible()


def test_a_message_that_is_taken_away_disappears(table: Any, server: ThreadServer) -> None:
    table_id, anna, ben = table
    n = say(ben, table_id, "Something vile")
    chat = anna.get_by_role("region", name="Chat")
    expect(chat.get_by_text("Something vile")).to_be_visible()
    server.run(server.platform.tables.do(table_id, lambda table: table.hush(n, table.at)))
    expect(chat.get_by_text("Something vile")).to_have_count(0)
    say(anna, table_id, "Thanks.")
    expect(chat.get_by_text("Thanks.")).to_be_visible()


def test_a_banned_person_is_told_so(table: Any, server: ThreadServer) -> None:
    table_id, _, ben = table
    ben.expected = ("403 (Forbidden)",)
    ben.goto(f"/t/{table_id}")
    expect(ben.get_by_role("region", name="Chat")).to_be_visible()
    guest = ben.request.get("/api/me").json()["id"]
    store, bans = server.platform.store, server.platform.bans
    until = 4_000_000_000_000
    server.run(store.put("ban:guest", guest, b'{"since":1,"until":%d}' % until, until))
    server.run(bans.look())
    expect(ben.get_by_text("You are banned from this server until").first).to_be_visible()
    ben.goto("/")
    expect(ben.get_by_text("You are banned from this server until").first).to_be_visible()
