"""axe-core finds nothing on any screen, light or dark; what is asked fits and is told, and every card has a name."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.games.eleven import after as eleven
from nimmt.rules.registry import GAMES
from nimmt.testing.web import check_large, fits, wait_until

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 640}
FANS = ["even-odd", "mountain", "cow", "twist"]


def test_axe_around_the_table(new_page: Any, open_table: Any, axe_in_turns: Any) -> None:
    """The home is looked at in test_home.py, with matches in it."""
    page, axe = new_page(), axe_in_turns
    page.goto("/new/six")
    page.get_by_text("Change", exact=True).click()
    page.get_by_role("radio", name="A mix of your own", exact=False).check()
    page.get_by_text("Each seat by itself").click()
    page.set_viewport_size({"width": 360, "height": 4000})  # what can be scrolled lies under what is always in sight
    assert axe(page) == []
    page.set_viewport_size(PHONE)
    page.get_by_role("button", name="With friends").click()
    expect(page.get_by_label("Nickname")).to_be_visible()
    assert axe(page) == []
    open_table(page, "six", bots="greedy", seats=3, start=False, public=True)
    expect(page.get_by_role("img", name="QR code", exact=False)).to_be_visible()
    assert axe(page) == []
    page.goto("/carry#nothing")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    assert axe(page) == []


LOOKS = pytest.mark.parametrize(("scheme", "viewport"), [("light", PHONE), ("dark", DESK)], ids=["phone", "desk"])


@pytest.mark.each_once
@LOOKS
@pytest.mark.parametrize("game", GAMES)
def test_axe_at_every_table(new_page: Any, open_table: Any, axe: Any, game: str, scheme: str, viewport: Any) -> None:
    page = new_page(viewport=viewport, color_scheme=scheme)
    open_table(page, game, seats=3, seed=7, options={"fan": FANS} if game == "six" else {})
    page.locator("[data-hand][aria-disabled=false]").first.click()
    assert axe(page) == []


def test_axe_in_every_dialog(new_page: Any, open_table: Any, axe_in_turns: Any, finish: Any) -> None:
    """The rules, the chat and replays on phones are looked at where they are tested."""
    page, axe = new_page(settings={"tracker": True}), axe_in_turns
    table = open_table(page, "six", seats=2, options={"rounds": 2})
    for name in ("Scores", "Log", "Cards seen", "Settings"):
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("dialog")).to_be_visible()
        assert axe(page) == [], name
        page.keyboard.press("Escape")
    page.get_by_role("link", name="To the lobby").click()
    assert axe(page) == []
    page.keyboard.press("Escape")
    finish(page, table)  # the page stops after the first round, until somebody goes on
    expect(page.locator("dialog[data-kind=interlude]")).to_be_visible()
    assert axe(page) == []
    page.goto(f"/t/{table}")
    expect(page.locator("dialog[data-kind=results]")).to_be_visible()
    assert axe(page) == []
    page.get_by_role("link", name="Replay").click()
    page.set_viewport_size(DESK)
    expect(page.get_by_role("slider")).to_be_visible()
    assert axe(page) == []


DECISIONS = [
    ("six", "draft", "[data-draft]"),
    ("six", "row", "[data-choose-row]"),
    ("buffalo", "special", "[data-pass]"),
    ("x", "keep", "[data-keep]"),
    ("eleven", "giver", "[data-giver]"),
    ("baron", "row", "[data-choose-row]"),
]


@pytest.mark.each_once
@LOOKS
@pytest.mark.parametrize(("game", "kind", "mark"), DECISIONS)
def test_axe_at_special_decisions(
    new_page: Any,
    open_table: Any,
    axe: Any,
    decide_until: Any,
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    kind: str,
    mark: str,
    scheme: str,
    viewport: Any,
) -> None:
    # Without any bull cards in the supply it comes to that at once: all others have the most.
    monkeypatch.setattr(eleven, "BULL_CARDS", 0)
    page = new_page(viewport=viewport, color_scheme=scheme)
    table = open_table(page, game, seats=3, seed=1, options={"draft": True} if kind == "draft" else {})
    assert decide_until(page, table, kind)
    page.goto(f"/t/{table}")
    expect(page.locator(mark).first).to_be_visible()
    if kind == "special":
        assert axe(page) == [], "before a card is picked"
        page.locator("[data-kind]").first.click()
    assert axe(page) == []


@pytest.mark.parametrize(
    "game", [game if game in ("six", "buffalo") else pytest.param(game, marks=pytest.mark.soak) for game in GAMES]
)
def test_others_look_on(new_page: Any, open_table: Any, axe: Any, game: str) -> None:
    """A spectator of every game: nothing for axe to find, and large text fits. So it is with replays: test_replay.py"""
    page, other = new_page(), new_page(viewport=DESK, color_scheme="dark")
    table = open_table(page, game, seats=3, seed=7)
    other.goto(f"/t/{table}")
    expect(other.locator("[data-anchor=seat-2]")).to_be_visible()
    expect(other.locator("[data-hand]")).to_have_count(0)
    assert axe(other) == []
    other.set_viewport_size(PHONE)
    check_large(other)


def told(page: Any) -> str:
    """What screen readers can hear of what happens, in the tree that the browser gives them."""
    session = page.context.new_cdp_session(page)
    nodes = {node["nodeId"]: node for node in session.send("Accessibility.getFullAXTree")["nodes"]}

    def text(node: Any) -> str:
        if node.get("role", {}).get("value") == "StaticText":
            return str(node["name"]["value"])
        return " ".join(text(nodes[child]) for child in node.get("childIds", ()) if child in nodes)

    logs = [node for node in nodes.values() if not node["ignored"] and node["role"]["value"] == "log"]
    return " ".join(map(text, logs))


def test_what_happens_behind_a_dialog_is_heard(page: Any, open_table: Any, decide: Any) -> None:
    table = open_table(page, "six", seats=3, seed=7)
    expect(page.locator("[data-hand]")).to_have_count(10)
    decide(page, table, 1)
    expect(page.locator("[data-hand]")).to_have_count(9)
    before = told(page)
    assert before
    page.get_by_role("button", name="Rules").click()
    expect(page.get_by_role("dialog").get_by_role("log")).to_be_empty()  # nothing is told twice
    decide(page, table, 1)
    expect(page.get_by_role("dialog").get_by_role("log")).not_to_be_empty()
    assert told(page)
    page.keyboard.press("Escape")
    assert told(page).startswith(before)


def test_messages_lie_in_front_of_dialogs(page: Any, open_table: Any) -> None:
    open_table(page, "six", seats=2)
    page.context.grant_permissions(["clipboard-write"])
    page.spent = True
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Continue on another device").click()
    page.evaluate("delete Navigator.prototype.share")
    page.get_by_role("button", name="Share").click()
    message = page.get_by_role("button", name="The link is copied", exact=False)
    expect(message).to_have_count(1)
    assert "The link is copied" in told(page)
    message.click()  # fails if anything lies above it
    expect(message).to_have_count(0)
    page.get_by_role("button", name="Change name").click()
    expect(page.get_by_role("dialog").nth(1).locator(".toasts")).to_have_count(1)
    expect(page.locator(".toasts")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog", name="Settings").locator(".toasts")).to_have_count(1)


def ask(situation: Any, kind: str, legal: list[Any]) -> None:
    situation["waiting"] = [{"seat": 0, "kind": kind, "since": 5, "deadline": None}]
    situation["decision"], situation["legal"] = 5, legal


def ask_for_a_giver(situation: Any) -> None:
    ask(situation, "giver", [{"type": "ChooseGiver", "seat": seat} for seat in (1, 2, 3, 4)])


def ask_for_a_special(situation: Any) -> None:
    view = situation["view"]
    view["table"] |= {
        "phase": "window",
        "queue": [{"seat": seat, "card": 40 + seat} for seat in (-1, 0, 1, 2, 3)],
        "window": {"proposal": None, "passed": [False] * 4, "proposed": [0] * 4},
        "face_up": [1, 15],
        "rows": [[3, 8, 22, 30], [14, 26, 40], [45, 47, 50, 51, 52], [60, 61]],
    }
    view["hand"].pop()
    view["hand_sizes"] = [9] * 4
    uses: list[Any] = [{"type": kind, "row": row} for kind in ("Take7", "Stop") for row in (1, 2, 3, 4)]
    uses += [{"type": "Push", "card": card, "row": 4} for cards in view["table"]["rows"][:3] for card in cards]
    uses.append({"type": "Sort", "order": [-1, 0, 1, 2, 3]})
    ask(situation, "special", [{"type": "Pass"}, *({"type": "Propose", "use": use} for use in uses)])


def mark_a_row_twice(situation: Any) -> None:
    situation["view"]["table"]["markers"] = {
        "even_odd": {"row": 2, "parity": "even"},
        "mountain": {"row": 2, "arrows": "up"},
        "cow": 3,
    }


# The lines that the text of a button in the prompt, or the question itself, is broken into.
LINES = """() => Math.max(...[...document.querySelectorAll('main .prompt :is(p, button)')].map(node => {
  const range = document.createRange();
  range.selectNodeContents(node);
  return new Set([...range.getClientRects()].map(box => Math.round(box.top / 9))).size;
}))"""


@pytest.mark.each_once
@pytest.mark.parametrize(
    ("game", "seats", "change"),
    [("six", 10, mark_a_row_twice), ("eleven", 5, ask_for_a_giver), ("buffalo", 4, ask_for_a_special)],
    ids=["twist", "givers", "specials"],
)
@pytest.mark.parametrize("locale", ["de", "ru"])
def test_whatever_is_asked_fits(
    new_page: Any, open_table: Any, pretend: Any, game: str, seats: int, change: Any, locale: str
) -> None:
    page = new_page(locale=locale)
    pretend(page, change)
    open_table(page, game, seats=seats, seed=3, options={"fan": FANS} if game == "six" else {})
    expect(page.locator(".asked")).to_be_visible()
    if game == "six":
        page.locator("[data-hand]").nth(6).click()
    expect(page.locator(".asked button")).to_have_count({"six": 2, "eleven": 4, "buffalo": 1}[game])
    fits(page)
    if game == "buffalo":
        page.locator("[data-kind=Sort]").click()
        fits(page)
    check_large(page)
    assert page.evaluate(LINES) <= 4


def test_a_card_of_baron_oxx_is_named_by_its_colours(page: Any, open_table: Any, pretend: Any) -> None:
    open_table(page, "baron", seed=3)
    cards = page.locator("[data-hand]")
    expect(cards).to_have_count(4)
    names = cards.evaluate_all("nodes => nodes.map(node => node.ariaLabel)")
    pretend(page, lambda situation: situation.update(legal=[]))  # nothing can be played
    page.reload()
    expect(cards.first).to_have_attribute("aria-disabled", "true")
    idle = cards.evaluate_all("nodes => nodes.map(node => node.ariaLabel)")
    for number, name, short in zip(
        cards.evaluate_all("nodes => nodes.map(node => node.value)"), names, idle, strict=True
    ):
        assert name.startswith(f"{short}. It fits")
        assert short.startswith(f"{number}: ")
        assert any(colour in short for colour in ("blue", "yellow", "green", "red", "black", "white"))
        assert " 0 bulls" not in name


def times_told(page: Any, text: str) -> int:
    lines: list[str] = page.get_by_role("log", name="What happens").locator("p").all_inner_texts()
    return lines.count(text)


def test_what_is_asked_is_told_once(page: Any, open_table: Any) -> None:
    open_table(page, "six", seed=1)
    cards = page.locator("[data-hand]")
    expect(cards).to_have_count(10)
    question = "Choose a card."
    wait_until(page, "text => document.querySelector('[role=log]').textContent.includes(text)", arg=question)
    cards.last.click()
    expect(cards.last).to_have_attribute("aria-pressed", "true")
    assert times_told(page, question) == 1
    cards.last.click()
    expect(page.locator("[data-hand][aria-disabled=false]")).to_have_count(9)
    wait_until(
        page,
        "text => [...document.querySelectorAll('[role=log] p')].filter((p) => p.innerText === text).length > 1",
        arg=question,
    )
    assert times_told(page, question) == 2
    open_table(page, "eleven", seats=2, seed=1)
    expect(page.locator(".asked")).to_be_visible()
    assert times_told(page, "Lay a card, or take a pile.") == 1


def test_home_and_end_go_to_the_first_and_last_card(page: Any, open_table: Any) -> None:
    open_table(page, "six", seed=1)
    cards = page.locator("[data-hand]")
    cards.nth(4).focus()
    page.keyboard.press("End")
    expect(cards.last).to_be_focused()
    page.keyboard.press("Home")
    expect(cards.first).to_be_focused()
