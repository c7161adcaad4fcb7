"""Two taps, where they are set: whatever acts shows first what it will do, in all games, for fingers and for keys."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.testing.web import settle

SMALL = {"width": 320, "height": 568}
PHONE = {"width": 390, "height": 844}
# The game, what is asked, its options, what can be tapped then, and what the first tap says of it.
QUESTIONS = [
    pytest.param("six", "draft", {"draft": True}, "[data-draft]", "bull", id="draft"),
    pytest.param("six", "row", {}, "[data-choose-row]", "Take row", id="row"),
    pytest.param("x", "row", {}, "[data-choose-row]", "Take row", id="x-row", marks=pytest.mark.soak),
    pytest.param("x", "keep", {}, "[data-keep]", "X row", id="keep"),
    pytest.param("eleven", "turn", {}, "[data-take]", "Take the pile", id="pile"),
    pytest.param("baron", "row", {}, "[data-choose-row]", "row", id="baron-row"),
    pytest.param("buffalo", "row", {}, "[data-choose-row]", "Take row", id="buffalo-row", marks=pytest.mark.soak),
    pytest.param("buffalo", "special", {}, "[data-choose-row]", "!", id="special"),
]


ROWS_AND_PILES = ("row", "pile", "special")
MIDDLE = "node => { const box = node.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2] }"


class Asked:
    """A page on which something is asked, and all that it sends as an answer."""

    def __init__(self, page: Any, table: str, kind: str, mark: str, way: str) -> None:
        self.page, self.way, self.sent = page, way, []
        page.on("request", self.note)
        page.goto(f"/t/{table}")
        expect(page.locator("main .asked")).to_be_visible()
        if kind == "special":
            page.locator("[data-kind=Push]").click()
            page.get_by_role("button", name="Push 98").click()
        self.offer = page.locator(mark).first
        expect(self.offer).to_be_visible()
        self.offer.scroll_into_view_if_needed()
        settle(page)

    def note(self, request: Any) -> None:
        if request.url.endswith("/act"):
            self.sent.append(request.post_data_json)

    def tap(self) -> None:
        if self.way == "keyboard":
            self.offer.press("Enter")
        else:
            self.offer.tap(force=True)

    def take_back(self) -> None:
        if self.way == "keyboard":
            self.page.keyboard.press("Escape")
        else:
            self.page.locator("[data-anchor=seat-1]").tap()


@pytest.fixture
def asked(new_page: Any, open_table: Any, decide_until: Any) -> Any:
    made: list[Asked] = []

    def make(game: str, kind: str, options: Any, mark: str, way: str = "touch", **more: Any) -> Asked:
        page = new_page(has_touch=True, **more)
        for seed in range(1, 9):
            table = open_table(page, game, seats=3, seed=seed, options=options)
            if decide_until(page, table, kind):
                made.append(Asked(page, table, kind, mark, way))
                return made[-1]
        raise AssertionError("It never came to that.")

    yield make
    for now in made:
        now.page.remove_listener("request", now.note)


@pytest.mark.each_once
@pytest.mark.parametrize("way", ["touch", "keyboard"])
@pytest.mark.parametrize(("game", "kind", "options", "mark", "words"), QUESTIONS)
def test_the_first_tap_tells_and_the_second_does(
    asked: Any, game: str, kind: str, options: Any, mark: str, words: str, way: str
) -> None:
    now = asked(game, kind, options, mark, way, viewport=SMALL if way == "touch" else PHONE)
    question = now.page.locator("main .prompt strong")
    before = question.inner_text()
    x, y = now.offer.evaluate(MIDDLE)
    now.tap()
    expect(now.offer).to_have_attribute("aria-pressed", "true")
    settle(now.page)
    moved = "nothing moves away under the finger"
    assert now.offer.evaluate("(node, [x, y]) => node.contains(document.elementFromPoint(x, y))", [x, y]), moved
    expect(question).to_contain_text(words)
    expect(question).to_contain_text("?")
    expect(now.page.locator("[aria-live]")).to_contain_text(["Once more confirms"])
    now.take_back()
    expect(now.offer).to_have_attribute("aria-pressed", "false")
    expect(question).to_have_text(before)
    assert now.sent == []
    now.tap()
    expect(now.offer).to_have_attribute("aria-pressed", "true")
    with now.page.expect_request("**/act"):
        now.tap()
    assert len(now.sent) == 1


def test_yes_does_it_and_no_does_not(asked: Any) -> None:
    now = asked("six", "row", {}, "[data-choose-row]")
    now.tap()
    now.page.get_by_role("button", name="No", exact=True).click()
    expect(now.offer).to_have_attribute("aria-pressed", "false")
    now.tap()
    with now.page.expect_request("**/act"):
        now.page.get_by_role("button", name="Yes: Take row", exact=False).click()
    assert [one["action"] for one in now.sent] == [{"type": "ChooseRow", "row": 1}]


@pytest.mark.parametrize(
    ("game", "kind", "options", "mark", "words"),
    [
        pytest.param(*one.values, id=one.id, marks=() if one.id in ROWS_AND_PILES else pytest.mark.soak)
        for one in QUESTIONS
    ],
)
def test_one_tap_is_enough_where_that_is_set(
    asked: Any, game: str, kind: str, options: Any, mark: str, words: str
) -> None:
    now = asked(game, kind, options, mark, settings={"confirm": False})
    assert now.offer.get_attribute("aria-pressed") is None
    with now.page.expect_request("**/act"):
        now.tap()
    assert len(now.sent) == 1


def test_a_card_that_was_picked_up_is_put_down_by_a_tap_elsewhere(new_page: Any, open_table: Any) -> None:
    page = new_page(viewport=PHONE)
    open_table(page, "six", seats=3)
    card = page.locator("[data-hand]").first
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Scores").click()  # only a look
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(card).to_have_attribute("aria-pressed", "true")
    page.locator("[data-row]").first.click()
    expect(card).to_have_attribute("aria-pressed", "false")
