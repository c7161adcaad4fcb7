"""Beat the Buffalo at its own table: special cards are tapped onto what they act on, and proposals are explained."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.testing.web import check_large, fits, settle

SMALL = {"width": 320, "height": 568}
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
SIZES = pytest.mark.parametrize(
    "size", [SMALL, pytest.param(PHONE, marks=pytest.mark.soak), DESK], ids=["small", "phone", "desk"]
)
pytestmark = pytest.mark.in_turn("size")

PLAYS = [(0, 33), (1, 35), (-1, 54), (2, 96)]
"""Cards still to be placed, and whose they are: the next one first."""
ROWS = [[3, 8, 22, 30], [14, 26, 40], [45, 47, 50, 51, 52], [60, 61]]
KINDS = {"Take7": 1, "Stop": 3, "Swap": 5, "Push": 9, "Sort": 15}


def between_two_cards(*face_up: str, proposal: Any = None, stopped: int | None = None) -> Any:
    """A table on which the team may use these special cards, or somebody has proposed something."""

    def change(situation: Any) -> None:
        view = situation["view"]
        hand = [1, 2, 5, 11, 16, 23, 39, 44, 100]
        beside = [[KINDS["Stop"]] if row == stopped else [] for row in (1, 2, 3, 4)]
        view |= {"hand": hand, "hand_sizes": [9] * 3, "choice": None, "buffalo_size": 9, "specials_left": 2}
        view["table"] |= {
            "phase": "window",
            "rows": ROWS,
            "beside": beside,
            "queue": [{"seat": seat, "card": card} for seat, card in PLAYS],
            "window": {"proposal": proposal, "passed": [False] * 3, "proposals": [0] * 3, "stopped": []},
            "face_up": [KINDS[kind] for kind in face_up],
        }
        kind = "answer" if proposal else "special"
        situation["waiting"] = [{"seat": 0, "kind": kind, "since": 5, "deadline": None}]
        situation["decision"] = 5
        answers = [{"type": "Agree"}, {"type": "Decline"}]
        situation["legal"] = answers if proposal else [*proposals(face_up, stopped), {"type": "Pass"}]

    return change


def proposals(face_up: tuple[str, ...], stopped: int | None) -> list[Any]:
    uses: list[Any] = [{"type": kind, "row": row} for kind in ("Take7", "Stop") for row in (1, 2, 3, 4)]
    uses += [{"type": "Swap", "seat": seat} for seat in (0, 1, 2)]
    uses += [
        {"type": "Push", "card": card, "row": row}
        for home, cards in enumerate(ROWS, 1)
        for card in cards
        for row in (1, 2, 3, 4)
        if row != home
    ]
    uses.append({"type": "Sort", "order": [0, 1, -1, 2]})  # one of many: the others are known to be possible
    lifts = [{"type": "Lift", "row": stopped}] if stopped else []
    return [{"type": "Propose", "use": use} for use in uses if use["type"] in face_up] + [
        {"type": "Propose", "use": use} for use in lifts
    ]


@pytest.fixture
def asked(new_page: Any, open_table: Any, pretend: Any) -> Any:
    """A page that asks about special cards."""

    def make(size: Any, *face_up: str, **more: Any) -> Any:
        page = new_page(viewport=size, has_touch=True)
        pretend(page, between_two_cards(*face_up, **more))
        open_table(page, "buffalo", seats=3, seed=3)
        expect(page.locator("main .asked")).to_be_visible()
        settle(page)
        return page

    return make


def sent_by(page: Any, tap: Any) -> Any:
    """What is sent when something is tapped. The server refuses it: the table is made up."""
    with page.expect_request("**/act") as made:
        tap()
    return made.value.post_data_json["action"]


# What of the rows and the hand cannot be seen: out of the window, or under something else.
OUT_OF_SIGHT = """() => [...document.querySelectorAll('[data-row] [data-card], [data-hand]')].filter(node => {
  const box = node.getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  const mine = node.closest('[data-row], [data-hand]');
  return box.top < 0 || box.bottom > innerHeight || !mine.contains(top);
}).map(node => node.outerHTML.slice(0, 80))"""

# Which card says that it comes when.
ORDER = """() => [...document.querySelectorAll('[data-order]')].map(
  node => [node.parentElement.querySelector('[data-card]').dataset.card, node.textContent.trim()])"""


@SIZES
def test_a_special_card_is_tapped_onto_a_row_beside_the_hand(asked: Any, axe: Any, size: Any) -> None:
    page = asked(size, "Take7", "Stop")
    fits(page)
    # Where there is no room for a line of all cards, each says when its turn comes.
    told = dict(page.evaluate(ORDER))
    assert told == ({str(card): str(place) for place, (_, card) in enumerate(PLAYS, 1)} if size == SMALL else {})
    card = page.get_by_role("button", name="Stop! Nothing joins or leaves this row.")
    card.tap()
    expect(card).to_have_attribute("aria-pressed", "true")
    question = page.locator("main .prompt strong")
    # Where the card itself has no room to say what it does, the question does.
    expect(question).to_have_text("Nothing joins or leaves this row. Tap a row." if size == SMALL else "Tap a row.")
    fits(page)
    assert page.evaluate(OUT_OF_SIGHT) == []
    assert axe(page) == []
    row = page.get_by_role("button", name="Stop! at row 2", exact=True)
    row.tap()
    expect(question).to_have_text("Stop! at row 2?")
    assert sent_by(page, row.tap) == {"type": "Propose", "use": {"type": "Stop", "row": 2}}


@SIZES
def test_what_somebody_proposes_is_explained_beside_the_hand(asked: Any, axe: Any, size: Any) -> None:
    swap = {"seat": 1, "use": {"type": "Swap", "seat": 1}, "agreed": [2]}
    page = asked(size, "Swap", "Push", proposal=swap)
    name = page.locator("[data-anchor=seat-1] .word").inner_text()
    question = page.locator("main .prompt strong")
    expect(question).to_have_text(f"{name} proposes: Swap!: {name} takes back 35 and plays another card.")
    expect(page.locator("[data-anchor=seat-2]")).to_contain_text("agrees")
    fits(page)
    assert page.evaluate(OUT_OF_SIGHT) == []
    page.emulate_media(color_scheme="dark")
    assert axe(page) == []
    assert sent_by(page, page.get_by_role("button", name="Decline").tap) == {"type": "Decline"}


@SIZES
def test_a_card_is_pushed_by_tapping_it_and_then_its_row(asked: Any, axe: Any, size: Any) -> None:
    page = asked(size, "Push", "Swap")
    page.locator("[data-kind=Push]").press("Enter")
    expect(page.locator("[data-push]")).to_have_count(14)
    assert axe(page) == []
    page.get_by_role("button", name="Push 26").press("Enter")
    expect(page.locator("[data-choose-row]")).to_have_count(3)  # not its own
    row = page.get_by_role("button", name="Push! 26 to row 4", exact=True)
    row.press("Enter")
    wanted = {"type": "Propose", "use": {"type": "Push", "card": 26, "row": 4}}
    assert sent_by(page, lambda: row.press("Enter")) == wanted


@SIZES
def test_cards_are_sorted_by_tapping_them_one_after_another(asked: Any, axe: Any, size: Any) -> None:
    page = asked(size, "Sort", "Swap")
    page.locator("[data-kind=Sort]").tap()
    for seat in (-1, 2):
        page.locator(f"[data-play='{seat}']").tap()
    assert axe(page) == []
    page.locator("[data-play='0']").tap()  # who is left comes last
    expect(page.locator("main .prompt strong")).to_contain_text("Sort: Buffalo →")
    fits(page)
    order = [-1, 2, 0, 1]
    assert sent_by(page, page.locator("[data-confirm]").tap) == {
        "type": "Propose",
        "use": {"type": "Sort", "order": order},
    }


def test_a_card_of_somebody_is_tapped_and_a_special_card_put_back(asked: Any) -> None:
    page = asked(PHONE, "Swap", "Stop")
    page.locator("[data-kind=Swap]").tap()
    expect(page.locator("[data-play]")).to_have_count(3)  # not the buffalo's
    page.get_by_role("button", name="Back", exact=True).tap()
    expect(page.locator("[data-play]")).to_have_count(0)
    page.locator("[data-kind=Swap]").tap()
    page.locator("[data-play='1']").tap()
    expect(page.locator("[data-play='1'][aria-pressed=true]")).to_have_count(1)
    page.keyboard.press("Escape")  # takes back what was tapped ...
    expect(page.locator("[data-play='1'][aria-pressed=true]")).to_have_count(0)
    expect(page.locator("[data-play]")).to_have_count(3)
    page.keyboard.press("Escape")  # ... then the card itself
    expect(page.locator("[data-play]")).to_have_count(0)
    page.locator("[data-kind=Swap]").tap()
    page.locator("[data-play='1']").tap()
    use = {"type": "Swap", "seat": 1}
    assert sent_by(page, page.locator("[data-play='1']").tap) == {"type": "Propose", "use": use}


def test_a_stop_is_lifted_by_tapping_it(asked: Any, axe: Any) -> None:
    page = asked(PHONE, "Swap", stopped=3)
    stop = page.get_by_role("button", name="Lift the Stop! at row 3", exact=True)
    assert axe(page) == []
    stop.tap()
    assert sent_by(page, stop.tap) == {"type": "Propose", "use": {"type": "Lift", "row": 3}}


@pytest.mark.parametrize("seats", [1, pytest.param(2, marks=pytest.mark.soak), 6])
def test_any_number_of_players_has_room(new_page: Any, open_table: Any, axe: Any, seats: int) -> None:
    page = new_page(viewport=SMALL)
    open_table(page, "buffalo", seats=seats, seed=3)
    expect(page.locator("[data-hand]")).to_have_count(10)
    for size in (SMALL, {"width": 768, "height": 1024}, {"width": 1024, "height": 768}, {"width": 800, "height": 360}):
        page.set_viewport_size(size)
        expect(page.get_by_text("Neck and neck")).to_be_attached()
        if size["height"] > 400:
            fits(page)
    assert axe(page) == []
    page.set_viewport_size(PHONE)
    check_large(page)
