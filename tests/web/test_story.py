"""What is read and heard does not run ahead of what is seen: log, scores and announcements follow the table."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.testing.web import Player

DESK = {"width": 1280, "height": 800}

# Looks at every change of the page: is a card told to be placed that still lies face up before somebody? And are the
# bulls of all seats those that have been told?
WATCH = r"""() => {
  window.tooEarly = [];
  window.seen = 0;
  const texts = (selector) => [...document.querySelectorAll(selector)].map((node) => node.textContent);
  const sinceLast = (lines, start) => lines.slice(lines.findLastIndex((line) => line.startsWith(start)) + 1);
  const sum = (numbers) => numbers.reduce((one, other) => one + Number(other), 0);
  const look = () => {
    const places = '.lineup [data-card], .front [data-card], .his [data-card]';
    const lying = [...document.querySelectorAll(places)].map((n) => n.dataset.card);
    for (const selector of ['.log li', '[role=log] p']) {
      const lines = texts(selector);
      const told = sinceLast(lines, 'Revealed').map((line) => /: (\d+) /.exec(line)?.[1]);
      const early = told.filter((card) => lying.includes(card));
      if (early.length) window.tooEarly.push(`${selector}: ${early} of ${lying}`);
      if (lying.length && told.length) window.seen++;
    }
    if (document.querySelector(".total")) {
      const told = sinceLast(texts('.log li'), 'Round').map((line) => /\((\d+) bulls?\)/.exec(line)?.[1] ?? 0);
      const counted = texts('[data-anchor^=seat] .figures b');
      if (sum(told) !== sum(counted)) window.tooEarly.push(`told ${told}, counted ${counted}`);
    }
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def turns(page: Any, count: int) -> None:
    """Play until so many turns have been revealed and shown to their end."""
    revealed = page.get_by_role("region", name="Log").get_by_role("listitem").filter(has_text="Revealed:")
    player = Player(page, seed=2)
    while revealed.count() < count:
        assert not player.step(patience=0.2)
    page.wait_for_selector(".asked")


@pytest.mark.in_turn("motion")
@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_log_does_not_tell_the_end_first(new_page: Any, open_table: Any, motion: str) -> None:
    page = new_page(viewport=DESK, speed="fast", reduced_motion=motion)
    open_table(page, "six", seats=8, seed=4, pace="fast")
    expect(page.locator("[data-hand]")).to_have_count(10)
    page.evaluate(WATCH)
    turns(page, 3)
    assert page.evaluate("tooEarly") == []
    assert page.evaluate("seen") > 0
    log = page.get_by_role("region", name="Log")
    expect(log.get_by_role("listitem").filter(has_text="takes")).not_to_have_count(0)


@pytest.mark.soak
@pytest.mark.parametrize("game", ["buffalo", "x", "baron"])
def test_nor_does_it_in_other_games(new_page: Any, open_table: Any, game: str) -> None:
    page = new_page(viewport=DESK, speed="fast")
    open_table(page, game, seats=4, seed=5, pace="fast")
    page.wait_for_selector("[data-hand]")
    page.evaluate(WATCH.replace(".total", ".none"))
    turns(page, 2)
    assert page.evaluate("tooEarly") == []


@pytest.mark.soak
def test_spectators_are_told_no_more_than_they_see(new_page: Any, open_table: Any) -> None:
    anna, stranger = new_page(), new_page(viewport=DESK, speed="fast")
    table = open_table(anna, "six", seats=6, seed=4)
    expect(anna.locator("[data-hand]")).to_have_count(10)
    stranger.goto(f"/t/{table}")
    stranger.wait_for_selector("[data-anchor=seat-5]")
    stranger.evaluate(WATCH)
    player = Player(anna, seed=1)
    revealed = stranger.get_by_role("region", name="Log").get_by_role("listitem").filter(has_text="Revealed:")
    # On a busy machine the first turns may be over before anything of them is drawn.
    while not (revealed.count() and stranger.evaluate("seen")):
        assert not player.step(patience=0.2), "The match is over, and nothing was seen."
    expect(stranger.get_by_role("button", name="Skip")).to_have_count(0)
    assert stranger.evaluate("tooEarly") == []
