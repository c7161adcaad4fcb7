"""Learning by playing: every lesson can be gone through to its end, in every language, by mouse, touch and keyboard.

Whoever learns here tries whatever can be tried, mostly what has to do with what is asked. So wrong tries are made in
many steps, and have to be answered without anything else happening.
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import expect

from nimmt.lessons import LANGUAGES, lessons_of
from nimmt.rules.registry import GAMES
from nimmt.testing.web import MATCH_TIMEOUT, Player, Way, check_large

LESSONS = [(game, lesson) for game in GAMES for lesson in lessons_of(game)]
WAYS: tuple[Way, ...] = ("mouse", "touch", "keyboard")
ELSEWHERE = [("six", "basic"), ("buffalo", "basic"), ("x", "basic"), ("baron", "basic")]
"""The first is learnt in parts below, and what the others show is looked at in the tests of their games."""
LOCALES = {"en": "en-GB", "de": "de-DE", "pl": "pl-PL", "ru": "ru-RU"}
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 360, "height": 640}


def cases() -> list[Any]:
    """The first lesson of each game in one language and one way, all of them in turn. That each lesson can be gone
    through by its rules is shown in tests/lessons; all of them on the page, in all languages, are for those who have
    time."""
    everything = [(*which, language) for which in LESSONS for language in LANGUAGES]
    first = [(game, next(iter(lessons_of(game)))) for game in GAMES]
    once = {(*which, LANGUAGES[index % 4]) for index, which in enumerate(first) if which not in ELSEWHERE}
    return [
        pytest.param(*case, WAYS[index % 3], id="-".join(case), marks=() if case in once else pytest.mark.soak)
        for index, case in enumerate(everything)
    ]


class Learner(Player):
    """Looks at the numbers of what is to be done: mostly a control with one of them in its name is the right one. What
    did not help before is tried less often."""

    script: Any = None
    tried: Counter[tuple[int, str]]

    def choose(self, controls: list[Any]) -> Any:
        number = int(self.page.locator(".teacher").get_attribute("data-step") or 0)
        meant = set(re.findall(r"\d+", json.dumps(self.script["steps"][number]["accepted"])))
        # The first number of a name is what it is; those that follow are its bulls, or where it fits.
        fitting = [control for control in controls if meant & set(re.findall(r"\d+", control["name"])[:1])]
        offered = fitting if fitting and self.rng.random() < 0.9 else controls
        least = min(self.tried[number, control["name"]] for control in offered)
        chosen = self.rng.choice([one for one in offered if self.tried[number, one["name"]] == least])
        self.tried[number, chosen["name"]] += 1
        return chosen


def learner(page: Any, lesson: str, way: Way = "mouse", seed: int = 1) -> Learner:
    player = Learner(page, way, seed)
    player.tried = Counter()
    player.script = page.context.request.get(f"/api/lessons/{lesson}").json()
    return player


def learn(page: Any, player: Player) -> None:
    """To the end of the lesson."""
    end = time.monotonic() + MATCH_TIMEOUT
    while not page.locator(".farewell").count():
        assert time.monotonic() < end, f"{page.locator('.teacher').inner_text()}: {player.done[-5:]}"
        go_on = page.locator(".teacher > button")
        if not go_on.count():
            player.step(patience=0.1)
        elif player.way == "keyboard":
            # It has the focus, unless the learner was just on the way to something else.
            is_there = page.evaluate("document.activeElement?.matches('.teacher > button')")
            page.keyboard.press("Enter" if is_there else "Shift+Tab")
        else:
            go_on.click()


@pytest.mark.parametrize(("game", "lesson", "language", "way"), cases())
def test_a_lesson_to_its_end(new_page: Any, game: str, lesson: str, language: str, way: Way) -> None:
    page = new_page(locale=LOCALES[language], has_touch=way == "touch")
    page.goto(f"/learn/{game}/{lesson}")
    found = lessons_of(game)[lesson]
    said = page.locator(".teacher p")
    expect(said).to_have_text(found.steps[0].say.in_language(language))  # type: ignore[arg-type]
    player = learner(page, f"{game}/{lesson}", way)
    learn(page, player)
    expect(said).to_have_text(found.steps[-1].say.in_language(language))  # type: ignore[arg-type]
    assert player.covered == []


def test_a_wrong_try_is_answered_and_changes_nothing(page: Any) -> None:
    page.goto("/learn/six/basic")
    hand, said = page.locator("[data-hand]"), page.locator(".teacher p")
    expect(hand).to_have_count(3)
    hand.last.click()
    page.get_by_role("button", name="Play 99").click()
    asked = lessons_of("six")["basic"].steps[0].say.en
    expect(said).to_have_text(f"Not this one. Goes to row 4, as things stand. {asked}")
    expect(hand).to_have_count(3)
    hand.nth(1).click()
    page.get_by_role("button", name="Play 48").click()
    expect(said).to_contain_text("The lowest card goes first.")
    expect(hand).to_have_count(2)
    expect(page.get_by_role("button", name="Go on")).to_be_focused()


def test_from_arrival_to_a_real_match_left_taken_up_again_and_repeated(page: Any) -> None:
    page.goto("/")
    page.get_by_role("link", name="Learn it in four minutes").click()
    page.get_by_role("link", name="Learn 6 nimmt!").click()
    for card in (48, 40):
        page.get_by_role("button", name=f"{card},").click()
        page.get_by_role("button", name=f"Play {card}").click()
        page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("Step 3 of 9")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Step 3 of 9")).to_be_visible()
    learn(page, learner(page, "six/basic"))
    page.get_by_role("button", name="Once more").click()
    expect(page.get_by_text("Step 1 of 9")).to_be_visible()
    page.goto("/learn")
    expect(page.get_by_role("link", name="Learn 6 nimmt!")).to_contain_text("done")
    page.evaluate("localStorage['nimmt.lessons'] = JSON.stringify({'six/basic': {step: 8, done: true}})")
    page.goto("/learn/six/basic")
    learn(page, learner(page, "six/basic"))
    page.get_by_role("button", name="Play 6 nimmt!").click()
    expect(page.locator("[data-hand]")).to_have_count(10)


def test_nothing_keeps_anybody_out(page: Any, axe_in_turns: Any) -> None:
    page.goto("/learn")
    expect(page.get_by_role("link", name="Learn Baron Oxx")).to_be_visible()
    assert axe_in_turns(page) == []
    for number, game in enumerate(GAMES):
        page.set_viewport_size((PHONE, DESK)[number % 2])
        page.goto(f"/learn/{game}/basic")
        expect(page.locator(".teacher p")).not_to_be_empty()
        assert axe_in_turns(page) == [], game


def test_large_text(page: Any) -> None:
    page.goto("/learn/six/basic")
    expect(page.locator("[data-hand]")).to_have_count(3)
    check_large(page)


def test_a_lesson_that_there_is_not(page: Any) -> None:
    page.expected = ("404",)
    page.goto("/learn/six/nothing")
    expect(page.get_by_role("alert")).to_have_text("There is nothing here.")
    page.get_by_role("link", name="Learn to play").last.click()
    expect(page.get_by_role("link", name="Learn 6 nimmt!")).to_be_visible()
