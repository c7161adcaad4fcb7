"""Time runs out, friends are gone, seats are taken over: what the page shows of it, and that one touch is enough."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.server.tables.commands import now_ms
from nimmt.server.tables.log_entries import Entry, TimeRanOut
from nimmt.server.tables.presence import presence_topic
from nimmt.server.tables.table import ABSENT_AFTER, Table
from nimmt.testing.servers import ThreadServer
from nimmt.testing.web import settle

DESK = {"width": 1280, "height": 800}
LIVE = {"kind": "live", "seconds": 600}


def time_runs_out(server: ThreadServer, table: str) -> None:
    """As if the clock of the people who are waited for had come to its end."""

    def run_out(now: Table) -> list[Entry]:
        late = [seat for seat in now.waiting if not now.bot_decides(seat) and not now.is_paused]
        return [TimeRanOut(at=now_ms(), seat=seat) for seat in late]

    server.run(server.platform.tables.do(table, run_out))


def was_gone_long(server: ThreadServer, table: str) -> None:
    """As if everybody who is not connected had not been for some minutes."""
    presence = server.platform.presence

    async def go_back_in_time() -> None:
        presence._since -= 10 * ABSENT_AFTER
        there = server.platform.tables.cached(table)
        for seat in range(len(there.chairs)):
            there._change(seat, seen=0)
        presence._last_seen = {who: at - 3 * ABSENT_AFTER for who, at in presence._last_seen.items()}
        server.platform.hub.wake(presence_topic(table))

    server.run(go_back_in_time())


def join(page: Any, table: str, name: str) -> None:
    assert page.context.request.post("/api/guests", data={"name": name}).ok
    assert page.context.request.post(f"/api/tables/{table}/join", data={"pace": "instant"}).ok
    page.goto(f"/t/{table}")


@pytest.mark.in_turn("how")
@pytest.mark.parametrize("how", ["touch", "key"])
def test_one_touch_is_enough_to_be_back(new_page: Any, open_table: Any, server: ThreadServer, how: str) -> None:
    page = new_page(has_touch=True)
    table = open_table(page, "six", seats=2, tempo=LIVE, options={"rounds": 1})
    expect(page.locator("[data-hand]")).to_have_count(10)
    while not page.context.request.get(f"/api/tables/{table}").json()["situation"]["paused"]:
        time_runs_out(server, table)
    banner = page.get_by_text("The match waits for you.")
    expect(banner).to_be_visible()
    cards = page.locator("[data-hand]").count()
    if how == "touch":
        page.touchscreen.tap(180, 320)
    else:
        page.keyboard.press("Shift")
    expect(banner).to_have_count(0)
    expect(page.locator("[data-hand]")).to_have_count(cards)


def test_others_let_a_bot_play_for_somebody_who_is_gone(new_page: Any, open_table: Any, server: ThreadServer) -> None:
    anna, ben = new_page(viewport=DESK), new_page()
    table = open_table(anna, "six", seats=2, bots=[None], start=False)
    join(ben, table, "Ben")
    anna.get_by_role("button", name="Start the match").click()
    expect(ben.locator("[data-hand]")).to_have_count(10)
    ben.goto("about:blank")
    seat = anna.get_by_role("list", name="Players").get_by_role("listitem").nth(1)
    expect(seat).to_contain_text("not connected")
    was_gone_long(server, table)
    anna.get_by_role("button", name="Let a bot play", exact=False).click()
    expect(seat).to_contain_text("away, a bot decides")
    ben.goto(f"/t/{table}")
    expect(seat).not_to_contain_text("away")
    expect(seat).not_to_contain_text("not connected")


def test_a_spectator_takes_over_from_a_bot(new_page: Any, open_table: Any) -> None:
    anna, ben = new_page(), new_page(viewport=DESK)
    table = open_table(anna, "six", seats=3, start=False)
    anna.get_by_role("checkbox", name="Others may take the seats of bots", exact=False).check()
    anna.get_by_role("button", name="Start the match").click()
    expect(anna.locator("[data-hand]")).to_have_count(10)
    ben.goto(f"/t/{table}")
    ben.get_by_role("button", name="Take Bruno’s seat").click()
    ben.get_by_label("Nickname").fill("Ben")
    ben.get_by_role("button", name="Here I am").click()
    expect(ben.locator("[data-hand]")).to_have_count(10)
    expect(anna.get_by_role("list", name="Players")).to_contain_text("Ben")


def test_a_match_against_bots_is_given_up_and_a_finished_one_taken_off_the_list(
    page: Any, open_table: Any, finish: Any
) -> None:
    finish(page, open_table(page, "six", seats=2, options={"rounds": 1}))
    open_table(page, "x", seats=2)
    expect(page.locator("[data-hand]").first).to_be_visible()
    page.get_by_role("link", name="lobby", exact=False).click()
    page.get_by_role("dialog").get_by_role("button", name="lobby", exact=False).click()
    mine = page.get_by_role("region", name="Your matches")
    expect(mine).to_contain_text("X nimmt!")
    page.spent = True
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Give up the match: X nimmt!").click()
    expect(mine).to_have_count(0)
    page.get_by_role("button", name="Remove from the list: 6 nimmt!").click()
    expect(page.get_by_role("region", name="Finished matches")).to_have_count(0)


OVERLAP = """() => {
  const box = (selector) => document.querySelector(`[data-anchor=seat-0] ${selector}`).getBoundingClientRect();
  const [name, seat, clock] = [box('.word'), box('.name').width, box('[role=timer]')];
  const apart = clock.right <= name.left || clock.left >= name.right || clock.top >= name.bottom - 1
    || clock.bottom <= name.top + 1;
  return { apart, shown: name.width > 0.4 * Math.min(seat, 100) };
}"""


@pytest.mark.each_once
@pytest.mark.parametrize("seats", [4, 10])
@pytest.mark.parametrize("name", ["👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦 Schmidt", "Maximiliane-Alexandra Wittelsb"])
def test_a_clock_and_a_name_keep_apart(new_page: Any, open_table: Any, seats: int, name: str) -> None:
    page = new_page(viewport=DESK)
    open_table(page, "six", seats=seats, name=name, bots="random", tempo=LIVE)
    expect(page.locator("[data-anchor=seat-0] [role=timer]")).to_be_visible()
    for width, height in ((320, 568), (390, 844), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        assert page.evaluate(OVERLAP) == {"apart": True, "shown": True}, (width, height)
