"""Everything in four languages: nothing is left in English, no text is missing, and all changes at once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

LANGUAGES = ("en", "de", "pl", "ru")
SOURCES = Path(__file__).resolve().parents[2] / "web" / "src"
SAME_EVERYWHERE = re.compile(
    r"nimmt|Baron Oxx|https?://|Anna|^(English|Deutsch|Polski|Русский|Bot|Chat)$|^(bot|--host) \d|^[0-9a-f]{32,64}$"
)

# What is written on the page or said of it, but for what was announced before in another language.
TEXTS = r"""() => {
  const found = new Set();
  const skipped = (node) => node.closest('[role=log], .toasts, noscript, script, option[lang], .chat .lines p b');
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (skipped(node.nodeType === Node.TEXT_NODE ? node.parentElement : node)) continue;
    if (node.nodeType === Node.TEXT_NODE) found.add(node.data.trim());
    else for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-valuetext'])
      if (node.hasAttribute(name)) found.add(node.getAttribute(name).trim());
  }
  found.add(document.title);
  return [...found].filter((text) => /\p{L}{3}/u.test(text));
}"""

SWITCH = """async ([language, newValue]) => {
  localStorage.setItem('nimmt.settings', newValue);
  dispatchEvent(new StorageEvent('storage', { key: 'nimmt.settings', newValue }));
  const end = performance.now() + 30_000;
  // The rules of a game come from the server, and say in which language they are.
  const late = () => document.querySelector('.rules[lang]')?.lang ?? language;
  while (document.documentElement.lang !== language || late() !== language) {
    if (performance.now() > end) throw new Error(`The page does not speak ${language}.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}"""


@pytest.fixture
def keys() -> set[str]:
    """Names of texts: where a text is missing, its name is shown."""
    return {
        key
        for file in SOURCES.glob("**/texts/en.ts")
        for key in re.findall(r"^  '?([\w.]+)'?:", file.read_text("utf-8"), re.M)
        if "." in key
    }


class Speaker:
    """Changes the language as another tab would do it, so that dialogs stay open, and collects what is shown."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.shown: dict[str, set[str]] = {language: set() for language in LANGUAGES}

    def look(self, others: Sequence[str]) -> None:
        for language in (*others, "en"):
            settings = json.dumps({"language": language, "speed": "instant", "sound": False, "tracker": True})
            self.page.evaluate(SWITCH, [language, settings])
            self.shown[language].update(self.page.evaluate(TEXTS))


def test_nothing_is_left_in_english(page: Any, open_table: Any, finish: Any, keys: set[str], soaking: bool) -> None:
    """Every screen in English and in one of the others in turn; in all of them where it may take long. That no language
    lacks a text is known before, from their types."""
    page.goto("/")
    speaker = Speaker(page)
    for number, _ in enumerate(screens(page, open_table, finish)):
        speaker.look(LANGUAGES[1:] if soaking else [LANGUAGES[1 + number % 3]])
    assert min(map(len, speaker.shown.values())) > 150
    assert len(speaker.shown["en"]) > 300
    for language, shown in speaker.shown.items():
        missing = {text for text in shown for word in text.split() if word.strip(".,:") in keys or "{" in word}
        assert missing == set(), language
        if language != "en":
            left = {text for text in shown & speaker.shown["en"] if not SAME_EVERYWHERE.search(text)}
            assert left <= COINCIDENCES, (language, left - COINCIDENCES)


COINCIDENCES = {"(Bot)", "Bots", "Bruno", "Cleo", "Moment", "Team", "Tempo", "normal", "Stop!"}
"""Names of bots, and words that really are the same in another language."""


def screens(page: Any, open_table: Any, finish: Any) -> Iterator[str]:
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    yield "lobby"
    page.get_by_role("button", name="Settings").click()
    expect(page.locator("input[name=table]").first).to_be_attached()  # the last part of it
    yield "settings"
    page.keyboard.press("Escape")
    page.goto("/new/six")
    page.get_by_role("button", name="With friends").click()
    expect(page.get_by_label("Nickname")).to_be_visible()
    yield "nickname"
    page.goto("/new")
    games = page.locator("main a[href*='/new/']")
    expect(games).to_have_count(5)
    yield "which game"
    for number in range(5):
        with everything_fetched(page):
            games.nth(number).click()
            page.get_by_text("Change", exact=True).click()
        page.locator("details").evaluate_all("nodes => nodes.forEach(node => (node.open = true))")
        yield "new table"
        page.goto("/new")
    yield from tables(page, open_table)
    table = open_table(page, "six", seats=2, seed=1, options={"rounds": 2})
    finish(page, table)
    page.goto(f"/t/{table}")
    expect(page.get_by_role("dialog")).to_be_visible()
    yield "results"
    page.goto(f"/t/{table}/replay")
    expect(page.get_by_role("slider")).to_be_visible()
    yield "replay"


@contextmanager
def everything_fetched(page: Any) -> Iterator[None]:
    """Then waits until all is there that was asked for, and what that asks for in turn."""
    asked: set[Any] = set()

    def note(request: Any) -> None:
        asked.add(request)

    def strike_out(request: Any) -> None:
        asked.discard(request)

    page.spent = True
    page.on("request", note)
    page.on("requestfinished", strike_out)
    page.on("requestfailed", strike_out)
    yield
    quiet = 0
    while quiet < 10:
        page.wait_for_timeout(50)
        quiet = 0 if asked else quiet + 1


def tables(page: Any, open_table: Any) -> Iterator[str]:
    open_table(page, "six", seats=3, start=False, bots=["greedy"])
    expect(page.get_by_role("button", name="Start the match")).to_be_visible()
    yield "waiting room"
    for game in ("six", "buffalo", "x", "eleven", "baron"):
        open_table(page, game, seats=2, seed=1)
        page.locator("[data-hand]").first.evaluate("card => card.click()")
        yield game
    page.get_by_role("button", name="Rules").click()  # those of all games are read in test_rules_page.py
    expect(page.locator("[role=dialog] .rules, dialog .rules").first).to_be_visible()
    yield "rules"
    page.keyboard.press("Escape")
    for name in ("Scores", "Log", "Chat", "Cards seen"):
        page.get_by_role("button", name=name).click()
        yield name
        page.keyboard.press("Escape")
    page.get_by_role("link", name="To the lobby").click()
    yield "leave"


@pytest.mark.in_turn("locale")
@pytest.mark.parametrize(("locale", "words"), [("de-AT", "Jetzt spielen"), ("pl-PL", "graj"), ("ru-RU", "грать")])
def test_the_browser_decides_until_somebody_does(new_page: Any, locale: str, words: str) -> None:
    page = new_page(locale=locale)
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", locale[:2])
    expect(page.get_by_role("main").get_by_role("button").first).to_contain_text(re.compile(words, re.I))
