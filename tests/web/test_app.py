"""The page as an app: it is installed, has a shortcut, and opens without a connection."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from nimmt.testing.web import settle, wait_until

# What is said without a connection has been kept: it is fetched when all is there that somebody came for.
KEPT = """async () => {
  for (const cache of await Promise.all((await caches.keys()).map((name) => caches.open(name))))
    for (const kept of await cache.matchAll()) if ((await kept.text()).includes('opened before')) return true;
  return false;
}"""
WORKER = "navigator.serviceWorker.ready.then(() => true)"


def test_installing_is_offered_after_a_match_and_refused_for_good(
    page: Any, open_table: Any, finish: Any, axe: Any
) -> None:
    table = open_table(page, "six", seats=2, options={"rounds": 1})
    say = (
        "dispatchEvent(Object.assign(new Event('beforeinstallprompt'), { prompt: async () => (window.asked = true) }))"
    )
    page.evaluate(say)
    hint = page.get_by_role("complementary", name="Install")
    expect(page.locator("[data-hand]")).to_have_count(10)
    expect(hint).to_have_count(0)
    finish(page, table)
    page.evaluate(say)
    expect(hint).to_be_visible()
    assert axe(page) == []
    hint.get_by_role("button", name="Don’t show this again").click()
    expect(hint).to_have_count(0)
    page.reload()
    page.evaluate(say)
    expect(page.locator("dialog[data-kind=results]")).to_be_visible()
    settle(page)
    expect(hint).to_have_count(0)


def test_the_shortcut_of_the_app_leads_to_a_match_at_once(page: Any) -> None:
    page.goto("/?play=six")
    expect(page.locator("[data-hand]")).to_have_count(10)
    assert "play" not in page.url


def test_without_a_connection_the_page_opens_and_says_what_is_possible(new_page: Any, axe: Any) -> None:
    page = new_page(service_workers="allow")
    page.expected = ("ERR_INTERNET_DISCONNECTED", "Failed to load resource", "Failed to fetch")
    page.goto("/")
    page.evaluate(WORKER)
    wait_until(page, "navigator.serviceWorker.controller !== null")
    for seen in ("/learn", "/learn/six/basic", "/rules/x", "/"):
        page.goto(seen)
        page.wait_for_load_state("networkidle")
    wait_until(page, KEPT)
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_text("No connection. As soon as there is one")).to_be_visible()
    expect(page.get_by_text("Lessons that you have opened before can be repeated.")).to_be_visible()
    assert axe(page) == []
    page.get_by_role("link", name="X nimmt!", exact=True).first.click()
    expect(page.get_by_role("heading", name="X nimmt!").first).to_be_visible()
    page.goto("/learn/six/basic")
    expect(page.locator("[data-hand]").first).to_be_visible()
