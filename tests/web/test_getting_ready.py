"""After a first start the server compiles what strong bots think with: people see that, and how far it is."""

from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.server.warm_up import WarmUp
from nimmt.testing.servers import ThreadServer

from .conftest import DESK


@pytest.fixture
def warmth(server: ThreadServer, monkeypatch: pytest.MonkeyPatch) -> WarmUp:
    """The strong bots of two games are not ready."""
    cold = WarmUp(["six", "x"])
    monkeypatch.setattr(server.platform.thinkers, "warmth", cold)
    return cold


def test_people_see_how_far_strong_bots_are_until_they_are_ready(
    page: Any, open_table: Any, warmth: WarmUp, axe: Any
) -> None:
    warmth.tell("six", 50)
    open_table(page, "six", bots="master")
    told = page.locator("[data-getting-ready]")
    expect(told).to_contain_text("Strong bots are still getting ready; until then simple ones stand in.")
    expect(told).to_contain_text(f"{warmth.percent}%")
    assert axe(page) == []
    before = warmth.percent
    warmth.tell("six", 90)
    assert warmth.percent > before
    expect(told).to_contain_text(f"{warmth.percent}%")
    warmth.is_ready("six")
    expect(told).to_have_count(0)


def test_nobody_is_told_to_wait_for_bots_that_are_not_there(page: Any, open_table: Any, warmth: WarmUp) -> None:
    with page.expect_response("**/api/warm-up"):
        open_table(page, "six", bots=["greedy", "newcomer"], seats=3)
    expect(page.locator("[data-getting-ready]")).to_have_count(0)


def test_whoever_chooses_bots_sees_it_too(new_page: Any, open_table: Any, warmth: WarmUp) -> None:
    page = new_page(viewport=DESK, locale="pl")
    open_table(page, "x", bots=["expert"], seats=3, start=False)
    told = page.locator("[data-getting-ready]")
    expect(told).to_contain_text("Silne boty jeszcze się przygotowują;")
    warmth.is_ready("x")
    expect(told).to_have_count(0)
