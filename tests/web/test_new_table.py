"""Opening a table by hand: what is chosen is what one gets, and what cannot be is said."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect


@pytest.fixture
def form(page: Any) -> Any:
    """The form for a new table, in front of somebody with a name."""
    page.goto("/")
    assert page.context.request.post("/api/guests", data={"name": "Anna"}).ok
    page.goto("/new")
    expect(page.get_by_role("radio", name="Basic game", exact=False).first).to_be_visible()
    return page


def seat(form: Any, number: int) -> Any:
    return form.get_by_label(f"Seat {number}", exact=True)


def test_bots_sit_where_they_were_put(form: Any) -> None:
    seat(form, 2).select_option("greedy")
    assert [seat(form, number).input_value() for number in (2, 3, 4)] == ["greedy", "", ""]
    seat(form, 4).select_option("random")
    assert [seat(form, number).input_value() for number in (2, 3, 4)] == ["greedy", "", "random"]
    form.get_by_role("button", name="Open the table").click()
    chairs = form.get_by_role("list").first.get_by_role("listitem")
    expect(chairs).to_have_count(4)
    expect(chairs.nth(1).get_by_role("combobox")).to_have_value("greedy")
    expect(chairs.nth(2)).to_contain_text("free")
    expect(chairs.nth(3).get_by_role("combobox")).to_have_value("random")


def test_only_bots_start_at_once(form: Any) -> None:
    seat(form, 3).select_option("random")
    expect(form.get_by_role("button", name="Start the match")).to_have_count(0)
    form.get_by_role("button", name="Only bots").click()
    assert [seat(form, number).input_value() for number in (2, 3, 4)] == ["random"] * 3
    form.get_by_role("button", name="Start the match").click()
    expect(form.locator("[data-hand]")).to_have_count(10)
