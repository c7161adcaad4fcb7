"""How much is fetched before somebody can begin: whoever follows a link on a train waits for every byte."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from nimmt.server.http import web as page_files

MOST = 95_000
"""Bytes of JavaScript, compressed with gzip: below the 100 kB that were promised, with a little to spare."""
LATE = ("Home", "Learn", "Lesson", "NewTable", "Puzzle", "Results", "Review", "RulesText", "SettingsDialog", "You")
"""Screens and dialogs that are fetched when somebody asks for them."""
SCRIPTS = """() => performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
  .filter((path) => path.endsWith('.js'))"""


def weigh(page: Any) -> dict[str, int]:
    """The scripts fetched so far, and what the server has to send for them."""
    sizes = {}
    for path in set(page.evaluate(SCRIPTS)):
        file = page_files.STATIC / path.lstrip("/")
        packed = file.with_name(f"{file.name}.gz")
        sizes[path] = (packed if packed.is_file() else file).stat().st_size
    return sizes


def test_the_first_card_of_six_comes_soon(page: Any, open_table: Any) -> None:
    open_table(page, "six", seed=1)
    expect(page.locator("[data-hand]")).to_have_count(10)
    sizes = weigh(page)
    assert any("TableScreen" in path for path in sizes), "else nothing was counted"
    assert [path for path in sizes if path.rpartition("/")[2].startswith(LATE)] == [], "they can wait"
    assert sum(sizes.values()) < MOST, sorted(sizes.items(), key=lambda item: -item[1])[:12]


def test_the_home_comes_soon(page: Any) -> None:
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert sum(weigh(page).values()) < MOST
