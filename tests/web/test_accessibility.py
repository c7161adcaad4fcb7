"""axe-core finds nothing on any screen, light or dark."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

DESK = {"width": 1280, "height": 800}


@pytest.fixture(params=["light", "dark"])
def scheme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_lobby_and_dialogs(new_page: Any, axe: Any, scheme: str) -> None:
    page = new_page(color_scheme=scheme)
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert axe(page) == []
    page.get_by_role("button", name="Play now").click()
    assert axe(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_label("Language")).to_be_visible()
    assert axe(page) == []


def test_new_table(new_page: Any, axe: Any, scheme: str) -> None:
    page = new_page(color_scheme=scheme)
    page.goto("/new")
    expect(page.get_by_role("radio", name="Basic game", exact=False).first).to_be_visible()
    page.get_by_text("Fine points").click()
    assert axe(page) == []


@pytest.mark.parametrize("desk", [False, True])
def test_table(new_page: Any, open_table: Any, axe: Any, scheme: str, desk: bool) -> None:
    page = new_page(color_scheme=scheme, viewport=DESK if desk else None)
    open_table(page, "six", options={"fan": ["even-odd", "mountain", "cow", "twist"], "rounds": 1})
    page.locator("[data-hand]").nth(3).click()
    assert axe(page) == []
    page.get_by_role("button", name="Rules").click()
    expect(page.get_by_role("heading", name="Bulls")).to_be_visible()
    assert axe(page) == []


def test_waiting_room(new_page: Any, open_table: Any, axe: Any, scheme: str) -> None:
    page = new_page(color_scheme=scheme)
    open_table(page, "six", bots="greedy", seats=3, start=False, public=True)
    expect(page.get_by_role("img", name="QR code", exact=False)).to_be_visible()
    assert axe(page) == []
