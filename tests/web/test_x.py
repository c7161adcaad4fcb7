"""X nimmt! at its own table: the card for the X row is chosen beside the rows, and points are explained."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.testing.web import fits, settle

SMALL = {"width": 320, "height": 568}
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}


def ask_what_to_keep(situation: Any) -> None:
    """Three cards were taken; our X row ends with 50, so that two of them would break it."""
    view, seats = situation["view"], situation["view"]["table"]["seats"]
    nothing: list[list[int]] = [[] for _ in range(seats)]
    view |= {"hand": [1, 7, 23, 58, 77], "hand_sizes": [5] * seats, "choice": None}
    view["table"] |= {
        "phase": "keep",
        "rows": [[80, 90], [20], [60, 61, 62]],
        "queue": [{"seat": 1, "card": 95}],
        "taken": {"seat": 0, "cards": [36, 45, 55]},
        "x_rows": [[10, 44, 50], *nothing[1:]],
        "x_piles": [[4, 11], *nothing[1:]],
    }
    situation["waiting"] = [{"seat": 0, "kind": "keep", "since": 5, "deadline": None}]
    situation["decision"] = 5
    situation["legal"] = [{"type": "KeepCard", "card": card} for card in (36, 45, 55)]
    situation["foreseen"] = [
        {"actions": [index], "rule": "x-row", "place": None, "takes": takes, "bulls": bulls}
        for index, (takes, bulls) in enumerate([([10, 44, 50], 11), ([10, 44, 50], 11), ([], 0)])
    ]


# Rows, X rows and cards of the hand of which something cannot be seen.
OUT_OF_SIGHT = """() => [...document.querySelectorAll('[data-row], [data-hand], .x-rows > li')].filter(node => {
  const box = node.getBoundingClientRect();
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return box.top < 0 || box.bottom > innerHeight || !node.contains(top);
}).map(node => node.outerHTML.slice(0, 80))"""


@pytest.mark.each_once
@pytest.mark.parametrize("size", [SMALL, PHONE, DESK], ids=["small", "phone", "desk"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_card_to_keep_is_chosen_beside_the_rows(
    new_page: Any, open_table: Any, pretend: Any, axe: Any, size: Any, scheme: str
) -> None:
    page = new_page(viewport=size, color_scheme=scheme)
    pretend(page, ask_what_to_keep)
    open_table(page, "x", seats=4, seed=3)
    expect(page.locator("[data-keep]")).to_have_count(3)
    settle(page)
    fits(page)
    assert page.evaluate(OUT_OF_SIGHT) == []
    assert axe(page) == []
    # What fits and what it costs otherwise is on the cards, and in their names.
    assert page.locator("[data-keep] .verdict").all_inner_texts() == ["+22", "+22", "✓"]
    expect(page.get_by_role("button", name="Keep 45: it is not higher", exact=False)).to_contain_text("+22")
    expect(page.get_by_text("over 50", exact=True)).to_be_visible()
    keep = page.get_by_role("button", name="Keep 55 in the X row", exact=True)
    keep.click()
    with page.expect_request("**/act") as sent:
        keep.click()
    assert sent.value.post_data_json["action"] == {"type": "KeepCard", "card": 55}


def test_the_rows_are_as_long_as_they_may_become(new_page: Any, open_table: Any) -> None:
    page = new_page(viewport=PHONE)
    open_table(page, "x", seats=2, seed=3)
    expect(page.locator("[data-row]")).to_have_count(3)
    places = page.locator("[data-row]").evaluate_all(
        "rows => rows.map(row => [row.querySelectorAll('.slot').length, row.querySelector('.trap').innerText.trim()])"
    )
    assert places == [[3, "3."], [4, "4."], [5, "5."]]


def test_the_end_of_a_round_tells_how_the_points_came_about(
    new_page: Any, open_table: Any, finish: Any, axe: Any
) -> None:
    page = new_page(viewport=PHONE)
    table = open_table(page, "x", seats=3, seed=3)
    expect(page.locator("[data-hand]")).to_have_count(8)
    finish(page, table)
    interlude = page.locator("dialog[data-kind=interlude]")
    expect(interlude).to_be_visible()
    own = interlude.locator(".breakdown li.you")
    for part in ("Hand", "X pile", "X row"):
        expect(own).to_contain_text(part)
    assert axe(page) == []
    view = page.context.request.get(f"/api/tables/{table}").json()["situation"]["view"]
    told = interlude.locator(".breakdown .who b").all_inner_texts()
    assert list(map(int, told)) == view["table"]["scores"][0]
