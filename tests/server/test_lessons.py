"""Lessons come whole: with them a page can teach without asking again, and shows nothing that a learner may not see."""

from typing import Any

import httpx
import msgspec
import pytest

from nimmt.lessons import lessons_of
from nimmt.rules.registry import GAMES
from nimmt.server import lessons
from nimmt.server.tables.projection import changed
from nimmt.testing.servers import ThreadServer

LESSONS = [(game, lesson) for game in GAMES for lesson in lessons_of(game)]


@pytest.fixture(scope="module")
def http(server: ThreadServer) -> Any:
    with httpx.Client(base_url=server.url) as client:
        yield client


def test_they_are_listed_in_all_languages(http: httpx.Client) -> None:
    listed = http.get("/api/lessons").raise_for_status().json()
    assert [(lesson["game"], lesson["id"]) for lesson in listed] == LESSONS
    assert {tuple(lesson["title"]) for lesson in listed} == {("en", "de", "pl", "ru")}


@pytest.mark.parametrize(("game", "lesson"), LESSONS)
def test_what_happens_leads_from_view_to_view(http: httpx.Client, game: str, lesson: str) -> None:
    """As the page shows it: every step goes on from where the last one ended, event by event."""
    script = http.get(f"/api/lessons/{game}/{lesson}").raise_for_status().json()
    assert len(script["steps"]) == script["info"]["steps"]
    situation: Any = None
    for step in script["steps"]:
        situation = step["start"] or situation
        for update in step["before"]:
            situation = shown(situation, update)
        ends = [situation]
        for action, outcome in zip(step["accepted"], step["outcomes"], strict=True):
            assert action in situation["legal"]
            end = situation
            for update in outcome:
                end = shown(end, update)
            ends.append(end)
        situation = ends[-1] if len(ends) < 3 else None


def shown(situation: Any, update: Any) -> Any:
    view = situation["view"]
    for change in update.get("changes") or ():
        view = changed(view, change)
    assert set(view) == set(update["situation"]["view"])
    return update["situation"]


def test_hands_of_others_are_not_told(http: httpx.Client) -> None:
    """Not because anybody would cheat in a lesson: the table is the same as everywhere, and so are its messages."""
    script = http.get("/api/lessons/six/basic").raise_for_status().json()
    start = script["steps"][0]["start"]
    assert start["view"]["hand"] == [40, 48, 99]
    assert "hands" not in start["view"]


@pytest.mark.parametrize("path", ["six/nothing", "nothing/basic", "%2e%2e/basic", "six/1-basic"])
def test_there_is_no_such_lesson(http: httpx.Client, path: str) -> None:
    answer = http.get(f"/api/lessons/{path}")
    assert answer.status_code == 404
    assert msgspec.json.decode(answer.content)["error"]["code"] == "not_found"


def test_whoever_has_a_lesson_is_not_sent_it_again(http: httpx.Client) -> None:
    first = http.get("/api/lessons/six/basic").raise_for_status()
    again = http.get("/api/lessons/six/basic", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_made_up_names_are_not_remembered() -> None:
    """Anybody can ask for lessons that there are not, a million times."""
    before = lessons._encoded.cache_info().currsize
    assert [lessons.script("six", f"made up {number}") for number in range(100)] == [None] * 100
    assert lessons._encoded.cache_info().currsize == before
