"""Playing through the page: what the tests of all games share. `page` is one of Playwright's."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

LONGEST = 120.0
"""Seconds for a whole match at instant speed."""


def play_on(page: Any, decide: Callable[[Any], bool], seconds: float = LONGEST) -> None:
    """Make every decision that the page asks for, and go on after every round, until the result is shown."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if page.locator("dialog[data-kind=results]").count():
            return
        go_on = page.locator("dialog[data-kind=interlude] footer button")
        if go_on.count():
            go_on.click()
        elif not _tried(page, decide):
            page.wait_for_timeout(20)
    raise AssertionError(f"The match was not over after {seconds:.0f} s: {page.inner_text('main')}")


def _tried(page: Any, decide: Callable[[Any], bool]) -> bool:
    """What was to be clicked may be gone meanwhile; then it is looked for again."""
    page.set_default_timeout(1500)
    try:
        return decide(page)
    except Exception as error:
        if "Timeout" not in str(error):
            raise
        return False
    finally:
        page.set_default_timeout(15_000)
