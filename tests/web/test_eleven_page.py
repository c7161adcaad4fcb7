"""The table of 11 nimmt!: piles in order, what fits is marked, a pile is tapped, and the points are explained."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.testing.web import Player, fits

SMALLEST = {"width": 320, "height": 568}
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
TOPS = "nodes => nodes.map((node) => Number(node.querySelector('[data-card]').dataset.card))"


def many_piles(situation: Any) -> None:
    """Fifteen piles, and two bull cards of our own."""
    table = situation["view"]["table"]
    table["tops"] = [46, 42, 78, 17, 61, 73, 10, 31, 83, 8, 21, 68, 51, 26, 55]
    table["bull_cards"][0] = 2
    situation["legal"] = [{"type": "TakePile", "pile": pile} for pile in range(1, 16)] + [
        {"type": "LayCard", "card": card, "pile": pile}
        for card in situation["view"]["hand"]
        for pile, top in enumerate(table["tops"], 1)
        if 1 <= (card - top) % 100 <= 10
    ]


@pytest.fixture
def crowded(new_page: Any, open_table: Any, pretend: Any) -> Any:
    def make(**more: Any) -> Any:
        page = new_page(**more)
        pretend(page, many_piles)
        open_table(page, "eleven", seats=4, seed=5)
        expect(page.locator("main .asked")).to_be_visible()
        return page

    return make


@pytest.mark.in_turn("viewport")
@pytest.mark.parametrize("viewport", [SMALLEST, PHONE, DESK], ids=["small", "phone", "desk"])
def test_piles_lie_in_order_and_say_what_fits(crowded: Any, viewport: Any) -> None:
    page = crowded(viewport=viewport)
    piles = page.locator("ol.piles > li")
    tops = piles.evaluate_all(TOPS)
    assert tops == sorted(tops)
    assert len(tops) == 15
    fits(page)
    bottoms = page.locator("[data-hand]").evaluate_all("nodes => nodes.map((n) => n.getBoundingClientRect().bottom)")
    assert max(bottoms) <= viewport["height"]
    card = int(page.locator("[data-hand][aria-disabled=false]").first.get_attribute("value"))
    meant = [top for top in tops if 1 <= (card - top) % 100 <= 10]
    for top in meant:
        expect(page.get_by_role("button", name=f"Take the pile with {top} on top")).to_have_accessible_name(
            f"Take the pile with {top} on top. Your cards that fit: "
            + ", ".join(str(one) for one in hand_of(page) if 1 <= (one - top) % 100 <= 10)
        )
    page.locator(f"[data-hand='{card}']").click()
    if len(meant) > 1:
        expect(page.locator("[data-lay]")).to_have_count(len(meant))
        names = page.locator("[data-lay]").evaluate_all("nodes => nodes.map((node) => node.ariaLabel)")
        assert names == [f"Lay {card} on {top}" for top in meant]


def hand_of(page: Any) -> list[int]:
    return page.locator("[data-hand]").evaluate_all("nodes => nodes.map((node) => Number(node.value))")


def test_bull_cards_say_what_they_allow(crowded: Any, new_page: Any, open_table: Any) -> None:
    page = crowded(viewport=PHONE)
    expect(page.get_by_text("as many cards as you like on 2 piles")).to_be_visible()
    other = new_page(viewport=PHONE)
    open_table(other, "eleven", seats=2, seed=5)
    expect(other.get_by_text("Taking three cards or more brings a bull card.")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_keeps_anybody_out(crowded: Any, axe: Any, scheme: str) -> None:
    page = crowded(viewport=PHONE if scheme == "light" else DESK, color_scheme=scheme)
    page.locator("[data-take]").first.click()
    expect(page.locator("[data-take][aria-pressed=true]")).to_have_count(1)
    assert axe(page) == []


def test_a_round_ends_with_how_the_points_came_about(new_page: Any, open_table: Any, axe: Any) -> None:
    page = new_page(viewport=PHONE, has_touch=True)
    open_table(page, "eleven", seats=2, seed=5, options={"rounds": 1})
    player = Player(page, "touch", seed=3)
    player.play()
    assert player.covered == []
    parts = page.locator(".breakdown li")
    expect(parts).to_have_count(2)
    totals = page.locator("td.total").all_inner_texts()
    assert sorted(totals) == sorted(parts.locator(".who b").all_inner_texts())
    for part in parts.all():
        cards = part.locator(".card .hidden").all_inner_texts()
        bulls = sum(int(card.split(", ")[1].split()[0]) for card in cards)
        assert part.locator(".who b").inner_text() == str(bulls)
    assert axe(page) == []
