"""A match that was played elsewhere: its record is chosen or dropped, and leads to its review and its replay."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

import nimmt
from nimmt.match.record import write_record
from nimmt.testing.web import check_large

LONG = 600_000
"""Milliseconds: the judge may have to be compiled first."""
DESK = {"width": 1280, "height": 800}
DROP = """([node, name, text]) => {
  const data = new DataTransfer();
  data.items.add(new File([text], name, { type: 'application/json' }));
  for (const type of ['dragenter', 'dragover', 'drop'])
    node.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer: data }));
}"""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "match.json"
    path.write_bytes(write_record(nimmt.Match("six", ["greedy", "random"], seed=11, rounds=1).play().record))
    return path


def choose(page: Any, file: Path | dict[str, Any]) -> None:
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Choose a record").click()
    chooser.value.set_files(file)


def test_a_record_is_chosen_on_a_phone(new_page: Any, record: Path, axe: Any) -> None:
    """Nobody needs a name for it. What is no record says so, and another one can be tried."""
    page = new_page()
    page.expected = ("422 (Unprocessable",)
    page.goto("/you")
    choose(page, {"name": "photo.json", "mimeType": "application/json", "buffer": b"no JSON at all"})
    expect(page.get_by_role("alert")).to_contain_text("not the record of a match")
    spoilt = json.loads(record.read_text())
    spoilt["seats"][0]["name"] = "Somebody else"
    choose(page, {"name": "m.json", "mimeType": "application/json", "buffer": json.dumps(spoilt).encode()})
    expect(page.get_by_role("alert")).to_contain_text("This record was changed")
    expect(page.get_by_role("alert")).to_contain_text("$.digest")
    assert axe(page) == []
    check_large(page)
    choose(page, record)
    expect(page).to_have_url(re.compile(r"/t/r[\w-]{22}/review"))
    expect(page.get_by_text("This match was played elsewhere")).to_be_visible()
    expect(page.locator(".judge")).to_be_visible(timeout=LONG)
    page.get_by_role("link", name="Look at the match").click()
    expect(page.get_by_role("button", name="Next step")).to_be_visible()
    # Its own page is that of a finished match: nobody can talk there, or play again.
    page.goto(page.url.partition("/replay")[0])
    expect(page.get_by_role("dialog").get_by_role("link", name="Review")).to_be_visible()
    expect(page.get_by_role("button", name="Rematch")).to_have_count(0)
    expect(page.get_by_role("button", name="Chat")).to_have_count(0)


@pytest.mark.soak
def test_a_record_is_dropped_on_a_desk(new_page: Any, record: Path, axe: Any) -> None:
    """Beside the puzzles; whoever gets the link sees the same."""
    page = new_page(viewport=DESK)
    page.goto("/puzzles")
    place = page.get_by_role("region", name="A match from elsewhere")
    expect(place.get_by_text("or drop it here")).to_be_visible()
    assert axe(page) == []
    page.evaluate(DROP, [place.element_handle(), record.name, record.read_text()])
    expect(page.locator(".judge")).to_be_visible(timeout=LONG)
    other = new_page(viewport=DESK)
    other.goto(page.url)
    expect(other.locator(".judge")).to_be_visible(timeout=LONG)


@pytest.mark.soak
def test_what_special_cards_brought_is_told(new_page: Any, axe: Any) -> None:
    """Each card that the seat has used, in a match of Beat the Buffalo."""
    record = nimmt.Match("buffalo", ["random"] * 3, seed=1, variant="anyone").play().record
    used = [one for one in record.actions if one.seat == 0 and json.loads(bytes(one.action))["type"] == "Use"]
    assert used
    page = new_page()
    page.goto("/you")
    choose(page, {"name": "m.json", "mimeType": "application/json", "buffer": write_record(record)})
    told = page.get_by_role("region", name="What special cards brought").get_by_role("listitem")
    expect(told).to_have_count(len(used), timeout=LONG)
    expect(told.first).to_have_text(re.compile(r"\w+!? · Round 1, turn \d+\s+[+−-]?[\d.]+ \(± [\d.]+\)"))
    assert axe(page) == []
