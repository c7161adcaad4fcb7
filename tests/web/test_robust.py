"""Nothing is lost: not when the page is loaded again, not when the connection is gone, not when the server is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from nimmt.match.match import verify
from nimmt.server.http import web as page_files
from nimmt.testing.servers import LiveServer, ThreadServer
from nimmt.testing.web import Player, two_frames, wait_until

NO_CONNECTION = ("net::ERR_", "WebSocket connection")
"""What the browser says by itself when it cannot reach the server."""


def test_a_reload_at_any_moment(page: Any, open_table: Any, finish: Any) -> None:
    table = open_table(page, "six", seats=4, options={"rounds": 1})
    player, rng = Player(page, seed=3), Random(3)
    expect(page.locator("[data-hand]")).to_have_count(10)
    reloads = 0
    while reloads < 4 and not player.step(patience=0.3):
        if rng.random() < 0.3:
            page.reload()
            page.wait_for_selector("[data-anchor=seat-0]")
            reloads += 1
    finish(page, table)
    expect(page.locator("dialog[data-kind=results]")).to_be_visible()
    record = page.context.request.get(f"/api/tables/{table}/record").body()
    assert verify(record).deals_proven


def test_offline_the_page_says_so_and_what_is_done_is_not_lost(page: Any, open_table: Any) -> None:
    page.expected, page.spent = NO_CONNECTION, True
    open_table(page, "six", seats=2, options={"rounds": 1})
    expect(page.locator("[data-hand]")).to_have_count(10)
    page.locator("[data-hand]").nth(2).click()
    page.context.set_offline(True)
    banner = no_connection(page)
    expect(banner).to_be_visible()
    page.get_by_role("button", name="Play", exact=False).click()
    # Sent while there was no connection: it is sent again, with the same key, when there is one.
    expect(held_up(page)).to_be_visible()
    page.context.set_offline(False)
    expect(banner).to_be_hidden()
    Player(page, seed=1).step(5)
    expect(page.locator("[data-hand]")).to_have_count(9)


def held_up(page: Any) -> Any:
    return page.locator("main").get_by_text("Not sent yet")


def choose_offline(page: Any, card: int = 2) -> Any:
    """Pick a card, lose the connection, play the card: it waits to be sent."""
    page.expected, page.spent = NO_CONNECTION, True
    chosen = page.locator("[data-hand]").nth(card)
    chosen.click()
    page.context.set_offline(True)
    page.get_by_role("button", name="Play", exact=False).click()
    expect(held_up(page)).to_be_visible()
    return chosen


def test_offline_a_card_has_no_tick_before_the_server_has_it(new_page: Any, open_table: Any) -> None:
    page, ben = new_page(), new_page()
    table = open_table(page, "six", seats=2, bots=[None], start=False)
    join(ben, table)
    page.get_by_role("button", name="Start the match").click()
    expect(page.locator("[data-hand]")).to_have_count(10)
    chosen = choose_offline(page)
    expect(chosen).to_have_accessible_name(re.compile("being sent"))
    expect(chosen.locator(".sending")).to_have_count(1)
    page.context.set_offline(False)
    expect(held_up(page)).to_have_count(0)
    expect(chosen).to_have_accessible_name(re.compile("chosen"))
    expect(chosen.locator(".tick:not(.sending)")).to_have_count(1)
    api = page.context.request
    updates = api.get(f"/api/tables/{table}/updates?after=0").json()
    chosen_events = [event for update in updates for event in update["events"] if event["type"] == "CardChosen"]
    assert len(chosen_events) == 1  # sent again and again, done once


def test_what_could_not_be_sent_can_be_taken_back(page: Any, open_table: Any) -> None:
    open_table(page, "six", seats=2)
    expect(page.locator("[data-hand]")).to_have_count(10)
    chosen = choose_offline(page)
    page.get_by_role("button", name="Take it back").click()
    expect(chosen).to_have_attribute("aria-pressed", "false")
    page.context.set_offline(False)
    expect(no_connection(page)).to_have_count(0)
    expect(page.locator("[data-hand]")).to_have_count(10)
    Player(page, seed=1).step(5)


def test_a_decision_that_comes_too_late_is_refused_in_words(page: Any, open_table: Any) -> None:
    table = open_table(page, "six", seats=2)
    expect(page.locator("[data-hand]")).to_have_count(10)
    choose_offline(page)
    # Another device of the same person decides meanwhile.
    api, path = page.context.request, f"/api/tables/{table}"
    now = api.get(path).json()["situation"]
    assert api.post(f"{path}/act", data={"action": now["legal"][-1], "decision": now["decision"]}).ok
    while api.get(path).json()["situation"]["decision"] in (None, now["decision"]):
        page.wait_for_timeout(20)
    page.context.set_offline(False)
    expect(page.get_by_role("button", name="Your decision came too late")).to_be_visible()
    expect(page.locator("[data-hand]")).to_have_count(9)
    expect(page.locator("[aria-pressed=true][data-hand]")).to_have_count(0)


def join(page: Any, table: str) -> None:
    assert page.context.request.post("/api/guests", data={"name": "Ben"}).ok
    assert page.context.request.post(f"/api/tables/{table}/join", data={}).ok


@pytest.fixture
def bare(new_page: Any) -> Any:
    """A page whose browser has kept nothing for bad times: parts that were not loaded yet cannot be."""
    page = new_page(fresh=True)
    page.expected = NO_CONNECTION
    return page


def no_connection(page: Any) -> Any:
    return page.get_by_role("status").filter(has_text="No connection")


def test_a_screen_that_could_not_be_loaded_comes_by_itself(bare: Any) -> None:
    bare.context.request.post("/api/guests", data={"name": "Anna"})
    bare.goto("/")
    expect(bare.get_by_role("banner").get_by_text("Anna")).to_be_visible()
    bare.context.set_offline(True)
    bare.get_by_role("link", name="New table").click()
    expect(no_connection(bare)).to_be_visible()
    bare.context.set_offline(False)
    expect(bare.get_by_role("link", name="6 nimmt!", exact=False)).to_be_visible()


def test_settings_that_could_not_be_loaded_come_by_themselves(bare: Any) -> None:
    bare.goto("/")
    expect(bare.get_by_role("button", name="Settings")).to_be_visible()
    bare.context.set_offline(True)
    bare.get_by_role("button", name="Settings").click()
    expect(bare.get_by_role("dialog", name="Settings").get_by_text("No connection")).to_be_visible()
    bare.get_by_role("button", name="Close").click()
    bare.get_by_role("button", name="Settings").click()
    bare.context.set_offline(False)
    expect(bare.get_by_role("dialog").get_by_label("Language")).to_be_visible()
    expect(bare.get_by_role("dialog")).to_have_count(1)


def test_rules_that_could_not_be_loaded_come_by_themselves(bare: Any, open_table: Any) -> None:
    open_table(bare, "six", seats=2)
    expect(bare.locator("[data-hand]")).to_have_count(10)
    bare.context.set_offline(True)
    bare.get_by_role("button", name="Rules").click()
    rules = bare.get_by_role("dialog")
    expect(rules.get_by_text("No connection")).to_be_visible()
    bare.context.set_offline(False)
    expect(rules.get_by_role("heading", level=2)).not_to_have_count(1)


def test_a_game_that_could_not_be_loaded_comes_by_itself(bare: Any, open_table: Any) -> None:
    bare.route("**/assets/six-*.js", lambda route: route.abort())
    open_table(bare, "six", seats=2)
    expect(no_connection(bare)).to_be_visible()
    bare.unroute_all()
    expect(bare.locator("[data-hand]")).to_have_count(10)


def test_a_language_that_could_not_be_loaded_comes_by_itself(bare: Any, open_table: Any) -> None:
    open_table(bare, "six", seats=2)
    expect(bare.locator("[data-hand]")).to_have_count(10)
    bare.get_by_role("button", name="Settings").click()
    expect(bare.get_by_label("Language")).to_be_visible()
    bare.context.set_offline(True)
    bare.get_by_label("Language").select_option("de")
    expect(bare.get_by_role("dialog").get_by_text("No connection")).to_be_visible()
    bare.context.set_offline(False)
    expect(bare.get_by_role("dialog", name="Einstellungen")).to_be_visible()
    expect(bare.get_by_text("Keine Verbindung")).to_have_count(0)


def test_without_any_texts_the_page_says_what_is_wrong(bare: Any) -> None:
    bare.goto("/")
    bare.get_by_role("button", name="Settings").click()
    bare.route("**/assets/pl-*.js", lambda route: route.abort())
    bare.get_by_label("Language").select_option("pl")
    bare.reload()
    expect(bare.get_by_text("Brak połączenia")).to_be_visible()
    bare.unroute_all()
    expect(bare.get_by_role("button", name="Ustawienia")).to_be_visible()


PAUSE = b"PAUSE = 500;"
# The dialog, and the parts of the page that it alone needs.
KEEPS_SETTINGS = """async () => {
  const parts = await (await fetch('/assets.json')).json();
  const needed = parts.filter((path) => /\\/(Settings|address|Nickname|CardBack)/.test(path));
  return (await Promise.all(needed.map((path) => caches.match(path)))).every(Boolean);
}"""


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadServer]:
    """A server whose visitors fetch at once what they may need later, without the pauses that spare it elsewhere."""

    def read_files(folder: Path) -> dict[str, page_files.File]:
        files = original(folder)
        worker = files["/sw.js"].forms[""]
        assert PAUSE in worker
        return files | {"/sw.js": replace(files["/sw.js"], forms={"": worker.replace(PAUSE, b"PAUSE = 1;")})}

    original = page_files.read_files
    monkeypatch.setattr(page_files, "read_files", read_files)
    with ThreadServer(log_level="warning") as server:
        yield server


@pytest.mark.soak
def test_what_was_not_needed_yet_is_kept_for_bad_times(new_page: Any, hasty: ThreadServer) -> None:
    page = new_page(base_url=hasty.url, service_workers="allow")
    page.expected = NO_CONNECTION
    page.goto("/")
    while not page.evaluate(KEEPS_SETTINGS):
        two_frames(page)
    page.context.set_offline(True)
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_label("Language")).to_be_visible()


def test_a_link_that_cannot_be_made_says_why(page: Any, open_table: Any) -> None:
    page.expected, page.spent = NO_CONNECTION, True
    open_table(page, "six", seats=2)
    expect(page.locator("[data-hand]")).to_have_count(10)
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("button", name="Continue on another device")).to_be_visible()
    page.context.set_offline(True)
    page.get_by_role("button", name="Continue on another device").click()
    expect(page.get_by_role("button", name="No connection to the server.")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("button", name="Continue on another device").click()
    expect(page.get_by_role("textbox", name="Link")).to_be_visible()


@pytest.mark.in_turn("path")
@pytest.mark.parametrize("path", ["/nix", "/t/some-table/x"])
def test_where_nothing_is_the_page_says_so(page: Any, path: str) -> None:
    page.expected = ("404 (Not Found)",)
    answer = page.goto(path)
    assert answer.status == 404
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    expect(page.get_by_role("heading", name="There is nothing here.")).to_be_visible()
    page.get_by_role("link", name="To the lobby").click()
    expect(page.get_by_role("button", name="Play now")).to_be_visible()


def test_nobody_is_called_back_to_a_match_that_is_over(page: Any, open_table: Any, finish: Any) -> None:
    table = open_table(page, "six", seats=2, options={"rounds": 1})
    finish(page, table)
    page.goto(f"/t/{table}")
    expect(page.locator("dialog[data-kind=results]")).to_be_visible()
    expect(page.get_by_text("a bot decides for you")).to_have_count(0)


@pytest.fixture
def live(tmp_path: Path) -> Iterator[LiveServer]:
    with LiveServer(str(tmp_path / "nimmt.db"), log_level="warning") as server:
        yield server


def test_the_server_is_restarted(new_page: Any, open_table: Any, finish: Any, live: LiveServer) -> None:
    page = new_page(base_url=live.url)
    page.expected = NO_CONNECTION
    table = open_table(page, "six", seats=2, options={"rounds": 1})
    player = Player(page, seed=5)
    page.wait_for_selector("[data-hand]")
    while len(hand := cards(page)) > 8:
        player.step()
    assert live.stop() == 0
    expect(page.get_by_role("status").filter(has_text="Reconnecting")).to_be_visible()
    assert cards(page) == hand
    live.settings["port"] = int(live.url.rpartition(":")[2])
    live.start()
    expect(page.get_by_role("status").filter(has_text="Reconnecting")).to_have_count(0)
    assert cards(page) == hand
    while len(cards(page)) == len(hand):
        player.step()
    finish(page, table)
    expect(page.locator("dialog[data-kind=results]")).to_be_visible()
    record = page.context.request.get(f"/api/tables/{table}/record").body()
    assert verify(record).deals_proven


def cards(page: Any) -> list[str]:
    found: list[str] = page.locator("[data-hand]").evaluate_all("nodes => nodes.map(node => node.dataset.hand)")
    return found


@pytest.mark.soak
def test_the_log_goes_back_to_the_beginning(page: Any, open_table: Any, finish: Any) -> None:
    """However long the match and however often the page is loaded: at the table and in the replay."""
    table = open_table(page, "six", seats=10, seed=3)
    finish(page, table)
    page.set_viewport_size({"width": 1280, "height": 800})
    for address in (f"/t/{table}", f"/t/{table}/replay"):
        page.goto(address)
        if address.endswith("replay"):
            page.get_by_role("slider").press("End")
        else:
            expect(page.locator("dialog[data-kind=results]")).to_be_visible()
            page.keyboard.press("Escape")
        log = page.get_by_role("region", name="Log")
        lines, earlier = log.get_by_role("listitem"), log.get_by_role("button", name="Earlier")
        expect(lines.last).to_contain_text("The match is over")
        expect(lines.last).to_be_in_viewport()
        expect(lines.filter(has_text="Round 1.")).to_have_count(0)
        top = lines.first.inner_text()
        earlier.focus()
        page.keyboard.press("Enter")
        expect(lines.filter(has_text=top)).not_to_have_count(0)
        expect(lines.first).not_to_have_text(top)
        expect(lines.last).not_to_be_in_viewport()
        while earlier.count():
            before = lines.count()
            earlier.click()
            wait_until(page, "before => document.querySelectorAll('.log li').length !== before", arg=before)
        expect(lines.filter(has_text=re.compile(r"^Round \d+\. The rows start with"))).to_have_count(3)
        expect(lines.filter(has_text=re.compile("^Revealed:"))).to_have_count(30)
        expect(log).to_be_focused()
