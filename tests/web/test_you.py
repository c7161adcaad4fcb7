"""Your page: what you have played, found again and counted; and a result that is shared."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from nimmt.server.tables.log_entries import NoClock
from nimmt.server.tables.messages import Chair, StoredCard
from nimmt.server.tables.summary import VERSION, Summary
from nimmt.store import Listing
from nimmt.testing.servers import ThreadServer
from nimmt.testing.web import wait_until

expect = pytest.importorskip("playwright.sync_api").expect

DESK = {"width": 1280, "height": 800}
SMALL = {"width": 320, "height": 568}


def fits(page: Any) -> bool:
    """Nothing is wider than the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


async def fill(server: ThreadServer, guest: str, count: int) -> None:
    """Matches as if they had been played: every third with Ben and won, every fourth of another game."""
    for number in range(count):
        won, game = number % 3 == 0, "six" if number % 4 else "x"
        points = (5, 20) if won else (20, 5)
        other = Chair(kind="person", name="Ben") if won else Chair(kind="bot", name="Bella", level="club")
        summary = Summary(
            version=VERSION,
            began=number * 60_000,
            ended=number * 86_400_000,
            rounds=2,
            reason="points",
            points=points,
            winners=(0 if won else 1,),
            takes=(3, 4),
            decisions=(20, 20),
            by_bots=(0, 0),
            guests=(guest, "ben" if won else None),
        )
        chairs = (Chair(kind="person", name="Anna"), other)
        card = StoredCard(game=game, options={}, tempo=NoClock(), chairs=chairs, summary=summary)
        listing = Listing("over", False, game, (guest,), number, None, msgspec.json.encode(card))
        await server.platform.store.append(f"made-{guest}-{number}", 0, [b"{}"], listing)


@pytest.mark.in_turn("viewport")
@pytest.mark.parametrize("viewport", [SMALL, DESK])
def test_matches_are_found_filtered_and_counted(
    new_page: Any, server: ThreadServer, axe: Callable[[Any], list[str]], viewport: Any
) -> None:
    page = new_page(viewport=viewport)
    page.goto("/you")
    expect(page.get_by_role("heading", name="Nothing played yet")).to_be_visible()
    assert axe(page) == []
    assert fits(page)
    guest = page.request.post("/api/guests", data={"name": "Anna"}).json()["id"]
    server.run(fill(server, guest, 30))
    page.goto("/you")
    expect(page.get_by_role("heading", name="Anna")).to_be_visible()
    expect(page.get_by_role("img", name="33% won")).to_be_visible()
    assert axe(page) == []
    assert fits(page)
    phone = viewport is SMALL
    if phone:
        page.get_by_role("button", name="Matches", exact=True).click()
        page.get_by_role("button", name="Filter").click()
    rows = page.locator("section.list li")
    expect(rows).to_have_count(12)
    page.get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(24)
    page.get_by_role("searchbox", name="Names of the others").fill("ben")
    expect(page.get_by_text("10 of 10")).to_be_visible()
    page.get_by_label("Game", exact=True).select_option("x")
    expect(page.get_by_text("3 of 3")).to_be_visible()
    assert axe(page) == []
    # What is chosen stands in the address, so it survives loading the page again.
    page.reload()
    if phone:
        page.get_by_role("button", name="Matches", exact=True).click()
        page.get_by_role("button", name="Filter").click()
    expect(page.get_by_text("3 of 3")).to_be_visible()
    page.get_by_role("radio", name="not won").check()
    expect(page.get_by_text("No match fits.")).to_be_visible()
    page.get_by_role("button", name="Show all again").click()
    expect(page.get_by_text("12 of 30")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_have_value("")


def test_name_data_and_settings_are_reached_from_here(page: Any, axe: Callable[[Any], list[str]]) -> None:
    page.request.post("/api/guests", data={"name": "Anna"})
    page.goto("/you")
    page.get_by_role("button", name="Change name").click()
    page.locator("#nickname").fill("Anja")
    page.locator("dialog").get_by_role("button").last.click()
    expect(page.get_by_role("heading", name="Anja")).to_be_visible()
    page.get_by_role("button", name="Your data").click()
    expect(page.get_by_role("link", name="Download my data")).to_be_visible()
    assert axe(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_role("dialog")).to_contain_text("Language")


STUB = """
  window.shared = [];
  navigator.canShare = () => true;
  navigator.share = async (data) => {
    const files = await Promise.all((data.files ?? []).map(async (file) => [file.type, file.size]));
    window.shared.push({ text: data.text, files });
  };
"""


def test_a_result_is_shared_as_text_and_picture(
    new_page: Any, open_table: Callable[..., str], finish: Any, axe: Callable[[Any], list[str]]
) -> None:
    """From the results with what the browser offers for it; from the replay by hand, where it offers nothing."""
    page = new_page(viewport={"width": 390, "height": 844})
    page.spent = True
    page.add_init_script(STUB)
    table = open_table(page, "six", seats=2, options={"rounds": 1})
    finish(page, table)
    results = page.locator("dialog[data-kind=results]")
    results.get_by_role("button", name="Share").click()
    expect(page.get_by_role("img", name="A picture with the result")).to_be_visible()
    assert axe(page) == []
    page.get_by_role("button", name="Share …").click()
    wait_until(page, "window.shared.length === 1")
    (shared,) = page.evaluate("window.shared")
    first, *scores, link = shared["text"].split("\n")
    assert first.startswith("6 nimmt!: ")
    assert link.endswith(f"/t/{table}/replay")
    points = page.request.get(f"/api/tables/{table}").json()["situation"]["outcome"]["points"]
    assert [int(line.rsplit(" ", 1)[1]) for line in scores] == sorted(points)
    ((kind, size),) = shared["files"]
    assert kind == "image/png"
    assert size > 10_000

    desk = page.context.browser.new_context(base_url=page.url.partition("/t/")[0], viewport=DESK)
    desk.grant_permissions(["clipboard-read", "clipboard-write"])
    other = desk.new_page()
    other.add_init_script("delete Navigator.prototype.share")
    other.goto(f"/t/{table}/replay")
    other.get_by_role("button", name="Share").click()
    other.get_by_role("button", name="Copy text").click()
    assert "\n".join([first, *scores]) in other.evaluate("navigator.clipboard.readText()")
    with other.expect_download() as download:
        other.get_by_role("button", name="Save picture").click()
    assert download.value.suggested_filename.endswith(".png")
    desk.close()
