"""From the result of a match to its review: what decisions cost, with reasons, on phones and desks."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.testing.web import check_large

LONG = 600_000
"""Milliseconds: the judge may have to be compiled first, in a process that makes way for all others."""


@pytest.fixture
def reviewed(new_page: Any, open_table: Any, finish: Any) -> Any:
    page = new_page()
    table = open_table(page, "six", seats=2, options={"rounds": 1}, seed=3)
    finish(page, table)
    page.get_by_role("dialog").get_by_role("link", name="Review").click()
    expect(page.locator(".judge")).to_be_visible(timeout=LONG)
    return page


def test_from_the_result_to_the_review(reviewed: Any, axe: Any) -> None:
    page = reviewed
    expect(page.get_by_role("heading", name="Review: 6 nimmt!")).to_be_visible()
    expect(page.get_by_role("button", name="Anna")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("heading", name="How the result came about")).to_be_visible()
    expect(page.locator(".ledger > li")).to_have_count(5)
    assert axe(page) == []
    # Others are judged when somebody looks at them.
    page.get_by_role("button", name="Bruno").click()
    expect(page.locator(".judge")).to_be_visible(timeout=LONG)
    page.get_by_role("link", name="Look at the match").click()
    expect(page).to_have_url(re.compile(r"/replay\?eyes=2"))
    page.go_back()
    expect(page.locator(".judge")).to_be_visible(timeout=LONG)
    check_large(page)
