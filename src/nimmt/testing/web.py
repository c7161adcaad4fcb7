"""Somebody who plays through the page, by mouse, by touch or by keyboard, and knows nothing but what the page shows.

Whatever the game is: the page marks that we are asked, and all that can be done are enabled buttons with names.
"""

from __future__ import annotations

import os
import shutil
import time
from random import Random
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from playwright.sync_api import Page

Way: TypeAlias = Literal["mouse", "touch", "keyboard"]
Control: TypeAlias = dict[str, Any]

SHELL = "chromium-headless-shell"
"""The engine of Chromium without its windows: a page is opened there in two thirds of the time."""
WHOLE_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
MATCH_TIMEOUT = 240.0
"""Seconds for a whole match at instant speed, on a busy machine."""
COVERED = 5.0
"""Seconds after which what lies on top of a control is there to stay."""
MAX_KEYS = 150
"""Nobody wants to press Tab more often than that to get to a card."""
FOLLOW_UP = 0.8
"""How likely we go on with what we have begun: a card that is picked up is usually played."""


def find_browser(*, whole: bool = False) -> str | None:
    """The one that NIMMT_CHROMIUM names, or Chromium of the system: its shell will do, unless all of it is needed."""
    names = WHOLE_BROWSERS if whole else (SHELL, *WHOLE_BROWSERS)
    return os.environ.get("NIMMT_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


# What can be done now; waits a while for something to do. The nodes are kept for what follows.
_LOOK = """async (patience) => {
  const enabled = (node) => !node.disabled && node.getAttribute('aria-disabled') !== 'true' && node.checkVisibility();
  const control = (node, index) => ({
    index,
    name: (node.getAttribute('aria-label') ?? node.textContent).trim(),
    pressed: node.getAttribute('aria-pressed') === 'true',
    hand: node.closest('[role=toolbar]') !== null,
  });
  const end = performance.now() + patience;
  for (;;) {
    const dialog = document.querySelector('dialog[open]');
    const over = dialog?.dataset.kind === 'results';
    const place = dialog ? dialog.querySelector('footer') : document.querySelector('main:has(.asked)');
    // A click for a card may have come late and closed the result: it can be opened again.
    const all = place?.querySelectorAll('button') ?? document.querySelectorAll('button.results');
    const nodes = over ? [] : [...all].filter(enabled);
    window.nimmtControls = nodes;
    if (over || nodes.length || performance.now() > end) return { over, controls: nodes.map(control) };
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}"""

# The middle of a control, scrolled to if need be, and what lies on top of it there.
_AIM = """(index) => {
  const node = window.nimmtControls[index];
  if (!node.isConnected) return null;
  const inside = (box) => box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
  const scrolled = !inside(node.getBoundingClientRect());
  const aim = () => {
    const box = node.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    const top = document.elementFromPoint(x, y);
    return { x, y, scrolled, free: node.contains(top), on: top?.outerHTML.slice(0, 120) ?? 'nothing' };
  };
  // It may also be out of sight in a list that scrolls by itself.
  if (scrolled || !aim().free) node.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  return aim();
}"""

# The key that brings the focus nearer to a control.
_STEER = """(index) => {
  const node = window.nimmtControls[index];
  const at = document.activeElement;
  if (!node.isConnected) return 'gone';
  if (at === node) return node.matches(':focus-visible') ? 'here' : 'invisible';
  const after = !at || at === document.body || at.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING;
  const toolbar = node.closest('[role=toolbar]');
  if (toolbar && toolbar !== at && toolbar.contains(at)) return after ? 'ArrowRight' : 'ArrowLeft';
  return after ? 'Tab' : 'Shift+Tab';
}"""


# Until nothing has moved for a while: parts of the page take their size when the others have theirs.
_SETTLE = """async (patience) => {
  const place = (node) => Object.values(node.getBoundingClientRect().toJSON()).join();
  // What repeats is there to be noticed: it stays where it is.
  const moves = ({ playState, effect }) => playState === 'running' && effect?.getComputedTiming().iterations === 1;
  const end = performance.now() + patience;
  let before = '';
  for (let still = 0; still < 2 && performance.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const now = [...document.body.querySelectorAll('*')].map(place).join(' ');
    still = now === before && !document.getAnimations().some(moves) ? still + 1 : 0;
    before = now;
  }
}"""


def settle(page: Page, patience: float = 3.0) -> None:
    """Wait until everything is in its place, or for so many seconds."""
    page.evaluate(_SETTLE, 1000 * patience)


def wait_until(page: Page, script: str, arg: Any = None) -> None:
    """Until an expression is true, or a function, which may be asynchronous, says yes. Playwright's `wait_for_function`
    takes the promise itself for an answer, and what it asks a second time the page forbids, as it forbids all code that
    it did not bring."""
    while not page.evaluate(script, arg):
        page.wait_for_timeout(50)


# Everything that can be used, scrolled to: can it be hit in its middle, and does it lie inside the page?
_UNREACHABLE = """() => {
  const found = [];
  const place = document.querySelector('dialog[open]') ?? document;
  for (const node of place.querySelectorAll('button, a[href], input, select, textarea, summary')) {
    if (!node.checkVisibility() || node.closest('details:not([open]) > :not(summary)')) continue;
    node.scrollIntoView({ block: 'center', inline: 'nearest' });
    const box = node.getBoundingClientRect();
    const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const inside = box.left >= -1 && box.right <= innerWidth + 1;
    if (!inside || !(node.contains(top) || node.labels?.[0]?.contains(top)))
      found.push(`${node.outerHTML.slice(0, 90)} under ${top?.outerHTML.slice(0, 90)}`);
  }
  scrollTo(0, 0);
  return found;
}"""


def large(page: Page) -> None:
    """As if text were set to 200 % in the browser."""
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    settle(page)


def check_large(page: Page) -> None:
    """With large text everything can be reached, and nothing has to be scrolled sideways."""
    large(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "has to be scrolled sideways"
    assert page.evaluate(_UNREACHABLE) == []


def fits(page: Page) -> None:
    """The whole page is on the screen."""
    settle(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "has to be scrolled sideways"
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "has to be scrolled"


def two_frames(page: Any) -> None:
    """Wait until the page has laid itself out and shown it."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


class Player:
    """Plays at one page. The same seed makes the same choices from the same offers."""

    def __init__(self, page: Page, way: Way = "mouse", seed: int = 0) -> None:
        self.page, self.way = page, way
        self.rng = Random(seed)
        self.done: list[str] = []
        """The names of all that was activated."""
        self.covered: list[str] = []
        """What could not be reached because something lay on top of it."""
        self.scrolled = False
        """Did anything have to be scrolled to?"""

    def play(self, seconds: float = MATCH_TIMEOUT) -> None:
        """Until the result is shown."""
        end = time.monotonic() + seconds
        while not self.step():
            if time.monotonic() > end:
                shown = self.page.inner_text("body")
                raise AssertionError(f"Not over after {seconds:.0f} s; the last steps: {self.done[-8:]}\n{shown}")

    def step(self, patience: float = 0.5) -> bool:
        """Do one thing, if there is something to do before our patience ends; is the match over?"""
        found = self.page.evaluate(_LOOK, 1000 * patience)
        if found["controls"]:
            self.activate(self.choose(found["controls"]))
        return bool(found["over"])

    def choose(self, controls: list[Control]) -> Control:
        pressed = [control for control in controls if control["pressed"]]
        others = [control for control in controls if not control["hand"]]
        for begun in (pressed, others):
            if begun and self.rng.random() < FOLLOW_UP:
                return self.rng.choice(begun)
        return self.rng.choice(controls)

    def activate(self, control: Control) -> None:
        assert control["name"], f"A button without a name, after {self.done[-3:]}"
        reached = self._press(control) if self.way == "keyboard" else self._point(control)
        if reached:
            self.done.append(control["name"])

    def _point(self, control: Control) -> bool:
        end = time.monotonic() + COVERED
        aim = self.page.evaluate(_AIM, control["index"])
        while aim is not None and not aim["free"] and time.monotonic() < end:
            self.page.wait_for_timeout(100)  # a dialog may be going away at this moment, and the control with it
            aim = self.page.evaluate(_AIM, control["index"])
        if aim is None:
            return False
        self.scrolled |= aim["scrolled"]
        if not aim["free"]:
            self.covered.append(f"{control['name']} by {aim['on']}")
        if self.way == "touch":
            self.page.touchscreen.tap(aim["x"], aim["y"])
        else:
            self.page.mouse.click(aim["x"], aim["y"])
        return True

    def _press(self, control: Control) -> bool:
        """With keys alone: the focus has to get there, and to be seen there."""
        for _ in range(MAX_KEYS):
            key = self.page.evaluate(_STEER, control["index"])
            if key in ("here", "gone"):
                break
            assert key != "invisible", f"The focus on {control['name']} cannot be seen."
            self.page.keyboard.press(key)
        else:
            raise AssertionError(f"{control['name']} cannot be reached by keyboard.")
        if key == "here":
            self.page.keyboard.press(self.rng.choice(("Enter", "Space")))
        return bool(key == "here")
