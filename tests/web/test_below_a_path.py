"""The same page below a path, as it comes from the server and through a proxy that takes the path off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.testing import deployment
from nimmt.testing.servers import ThreadServer
from nimmt.testing.web import Player, wait_until

pytestmark = pytest.mark.in_turn("home")


@pytest.fixture(params=["direct", "nginx"])
def home(request: pytest.FixtureRequest, tmp_path: Any) -> Iterator[str]:
    if request.param == "direct":
        with ThreadServer(public_url="http://nimmt.example.org/games/nimmt") as server:
            yield f"{server.url}/games/nimmt"
    else:
        with deployment.in_front("nginx", "taken off", tmp_path) as front:
            yield front.url


OVER_TLS = ("status of 40", "An SSL certificate error")
"""What the browser says by itself: HTTP/2 has no words for a status, and a certificate that it was told to put up with
is still not good enough for a service worker."""


def open_page(new_page: Any, home: str) -> Any:
    page = new_page(base_url=home, ignore_https_errors=True)
    page.expected = OVER_TLS if home.startswith("https:") else ("404 (Not Found)",)
    return page


def come(page: Any, name: str) -> None:
    page.get_by_label("Nickname").fill(name)
    page.get_by_role("button", name="Here I am").click()


def test_from_the_lobby_to_a_rematch(home: str, new_page: Any, finish: Any) -> None:
    anna, ben = (open_page(new_page, home) for _ in range(2))
    strangers: list[str] = []
    for page in (anna, ben):
        page.spent = True
        page.on("request", lambda request: strangers.append(request.url) if not request.url.startswith(home) else None)
    anna.goto(f"{home}/")
    anna.get_by_role("link", name="New table").click()
    expect(anna).to_have_url(f"{home}/new")
    anna.get_by_role("link", name="6 nimmt!", exact=False).click()
    expect(anna).to_have_url(f"{home}/new/six")
    anna.get_by_text("Change", exact=True).click()
    anna.locator("#option-rounds").fill("1")
    for _ in range(2):
        anna.get_by_role("button", name="Fewer players").click()
    anna.get_by_role("button", name="With friends").click()
    come(anna, "Anna")
    expect(anna).to_have_url(re.compile(re.escape(f"{home}/t/") + r"[\w-]+"))
    shown = anna.get_by_role("textbox", name="Link").input_value()
    assert re.fullmatch(r"https?://[^/]+(/games)?/nimmt/t/[\w-]+", shown)
    link = anna.url
    ben.goto(link)
    ben.get_by_role("button", name="Sit here", exact=True).first.click()
    come(ben, "Ben")
    anna.get_by_role("button", name="Start the match").click()
    for page in (anna, ben):
        player = Player(page, seed=1)
        while len(player.done) < 2:
            player.step()
    finish(anna, link.rpartition("/")[2], ben)
    anna.get_by_role("button", name="Rematch").click()
    ben.get_by_role("link", name="Join the rematch").click()
    expect(anna).not_to_have_url(link)
    expect(ben).to_have_url(anna.url)

    ben.goto(f"{link}/replay")
    record = ben.get_by_role("link", name="record", exact=False).get_attribute("href")
    assert record == f"/{home.split('/', 3)[3]}/api/tables/{link.rpartition('/')[2]}/record"
    ben.get_by_role("link", name="To the table").first.click()
    expect(ben).to_have_url(link)
    assert strangers == []


def test_who_one_is_goes_along_to_another_device(home: str, new_page: Any) -> None:
    page, phone = (open_page(new_page, home) for _ in range(2))
    page.goto(f"{home}/")
    page.get_by_role("link", name="New table").click()
    page.get_by_role("link", name="6 nimmt!", exact=False).click()
    page.get_by_role("button", name="With friends").click()
    come(page, "Anna")
    expect(page.get_by_role("textbox", name="Link")).to_be_visible()
    page.get_by_role("link", name="To the lobby").click()
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="another device", exact=False).click()
    carry = page.get_by_role("dialog").get_by_role("textbox", name="Link").input_value()
    phone.goto(home + carry[carry.index("/carry#") :])
    phone.get_by_role("button", name="Bring them here").click()
    expect(phone.get_by_role("banner").get_by_text("Anna")).to_be_visible()
    expect(phone).to_have_url(f"{home}/")


# The words of the home come last.
KEEPS_THE_HOME = """async () => {
  const cache = await caches.open('nimmt-page/nimmt');
  for (const key of await cache.keys())
    if ((await (await cache.match(key)).text()).includes('Five card games')) return true;
  return false;
}"""


def test_the_page_is_kept_for_bad_times(new_page: Any) -> None:
    with ThreadServer(public_url="http://nimmt.example.org/nimmt") as server:
        page = new_page(base_url=server.url, service_workers="allow")
        page.expected = ("net::ERR_", "WebSocket connection")
        page.goto("/nimmt/t/some-table")
        assert page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)") == f"{server.url}/nimmt/"
        wait_until(page, "async () => Boolean(await caches.match('/nimmt/'))")
        wait_until(page, "async () => (await caches.keys()).join() === 'nimmt-page/nimmt'")
        wait_until(page, KEEPS_THE_HOME)
        manifest = page.evaluate("fetch(document.querySelector('link[rel=manifest]').href).then((r) => r.json())")
        assert manifest["start_url"] == "./"
        page.context.set_offline(True)
        page.goto("/nimmt/")
        expect(page.get_by_role("button", name="Settings")).to_be_visible()


def test_where_nothing_is_the_way_leads_to_our_lobby(home: str, new_page: Any) -> None:
    page = open_page(new_page, home)
    page.goto(f"{home}/t/x/nowhere")
    page.get_by_role("link", name="To the lobby").click()
    expect(page).to_have_url(f"{home}/")
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
