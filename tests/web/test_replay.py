"""A finished match, looked at again: step by step, from anybody's eyes, by keyboard, over a link."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from nimmt.match.match import verify
from nimmt.testing.web import check_large, wait_until

OTHER_HAND = """before => {
  const now = [...document.querySelectorAll('[data-hand]')].map(node => node.dataset.hand);
  return now.length && !now.some(card => before.includes(card));
}"""
SAME_HAND = (
    "hand => [...document.querySelectorAll('[data-hand]')].map(node => node.dataset.hand).join() === hand.join()"
)
DESK = {"width": 1280, "height": 800}


def test_the_replay(new_page: Any, open_table: Any, finish: Any) -> None:
    page = new_page(viewport=DESK)
    table = open_table(page, "six", seats=3, seed=11, options={"rounds": 2})
    page.goto(f"/t/{table}/replay")
    expect(page.get_by_text("This match is still being played.", exact=False)).to_be_visible()
    finish(page, table)
    page.goto(f"/t/{table}")
    page.get_by_role("link", name="Replay").click()
    slider = page.get_by_role("slider")
    expect(slider).to_have_value("0")

    page.get_by_role("button", name="Next", exact=False).first.click()
    expect(slider).to_have_value("1")
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_value("2")
    page.keyboard.press("ArrowLeft")
    expect(slider).to_have_value("1")
    page.keyboard.press("End")
    last = slider.get_attribute("max")
    expect(slider).to_have_value(str(last))
    page.keyboard.press("PageUp")
    expect(slider).not_to_have_value(str(last))
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")

    page.get_by_role("tab", name="Turns").click()
    turn = page.get_by_role("list", name="Turns").get_by_role("button").nth(4)
    turn.click()
    expect(turn).to_have_attribute("aria-current", "step")

    eyes = page.get_by_role("combobox").first
    seats = eyes.locator("option").all_inner_texts()
    assert len(seats) == 4
    hands: list[list[str]] = []
    for seat in (0, 1, 2):
        eyes.select_option(str(seat))
        expect(eyes).to_have_value(str(seat))
        wait_until(page, OTHER_HAND, arg=hands[-1] if hands else [])
        hands.append(hand(page))
    assert len({card for cards in hands for card in cards}) == sum(map(len, hands))
    page.wait_for_url("**/replay?eyes=3&at=*")  # the address bar follows a little later
    shared = page.url
    record = page.context.request.get(page.locator("a[download]").get_attribute("href")).body()
    assert verify(record).deals_proven

    friend = new_page()
    friend.goto(shared)
    expect(friend.get_by_role("slider")).to_have_value(slider.input_value())
    expect(friend.get_by_role("combobox").first).to_have_value("2")
    wait_until(friend, SAME_HAND, arg=hand(page))


def test_the_replay_of_every_game_plays_by_itself(
    page: Any, open_table: Any, finish: Any, axe: Any, soaking: bool
) -> None:
    """It keeps nobody out either: nothing for axe to find, and large text fits. The replays of X nimmt! and 11 nimmt!
    have nothing that others lack."""
    for game in ("buffalo", "baron", *(("x", "eleven") if soaking else ())):
        table = open_table(page, game, seats=2 if game != "baron" else 10, options=SHORT.get(game, {}))
        finish(page, table)
        page.goto(f"/t/{table}/replay?eyes=open&at=12")
        slider = page.get_by_role("slider")
        expect(slider).to_be_visible()
        assert axe(page) == [], game
        if game == "baron":
            check_open_hands(page)
        middle = int(slider.get_attribute("max")) // 2
        slider.fill(str(middle))
        page.get_by_role("button", name="Play", exact=True).click()
        expect(slider).not_to_have_value(str(middle))
        page.keyboard.press("End")
        expect(slider).to_have_value(str(slider.get_attribute("max")))
        check_large(page)


def check_open_hands(page: Any) -> None:
    """The colours of open cards can be seen, by shape too, and are named; all of it fits."""
    cards = page.get_by_role("region", name="All hands").locator("dd .card")
    page.keyboard.press("PageDown")
    expect(cards.first).to_be_attached()
    for card in cards.all()[:10]:
        number, _, colours = card.locator(".hidden").inner_text().partition(": ")
        assert number in card.inner_text()
        assert colours
        assert card.locator("svg path").count() >= 1
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


SHORT = {"eleven": {"rounds": 1}, "x": {"rounds": 1}}


def hand(page: Any) -> list[str]:
    found: list[str] = page.locator("[data-hand]").evaluate_all("nodes => nodes.map(node => node.dataset.hand)")
    return found
