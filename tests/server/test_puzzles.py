"""Puzzles on a server: the same for everybody, and without their solutions until somebody has answered."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import httpx
import pytest

from nimmt.insight.puzzles import FIRST_DAY, Puzzle, games_with_puzzles, puzzles, today
from nimmt.testing.servers import ThreadServer

GAMES = games_with_puzzles()


@pytest.fixture(scope="module")
def http(server: ThreadServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, headers={"origin": server.url}) as client:
        yield client


def puzzle_of(sheet: Any) -> Puzzle:
    return puzzles(sheet["info"]["game"]).by_id[sheet["info"]["id"]]


def test_a_day_has_one_for_each_game(http: httpx.Client) -> None:
    day = http.get("/api/puzzles").raise_for_status().json()
    assert [one["game"] for one in day["puzzles"]] == list(GAMES)
    assert day["game"] in GAMES
    assert day == http.get("/api/puzzles", params={"date": day["date"]}).json()
    for one in day["puzzles"]:
        by_date = http.get(f"/api/puzzles/{one['game']}/{day['date']}").raise_for_status().json()
        assert by_date["info"] == one
        assert by_date == http.get(f"/api/puzzles/{one['game']}/{one['id']}").json()


def test_another_day_has_others(http: httpx.Client) -> None:
    yesterday = (today() - timedelta(days=1)).isoformat()
    before, now = (http.get("/api/puzzles", params=params).json() for params in ({"date": yesterday}, {}))
    assert all(one["id"] != other["id"] for one, other in zip(before["puzzles"], now["puzzles"], strict=True))


@pytest.mark.parametrize(
    "which",
    [
        "nothing",
        "2026-13-01",
        (FIRST_DAY - timedelta(days=1)).isoformat(),
        (today() + timedelta(days=2)).isoformat(),
        "%00",
    ],
)
def test_days_to_come_have_none_yet(http: httpx.Client, which: str) -> None:
    for answer in (
        http.get(f"/api/puzzles/six/{which}"),
        http.get(f"/api/puzzles?date={which}"),
        http.post(f"/api/puzzles/six/{which}/answer", json={"action": {"type": "PlayCard", "card": 1}}),
    ):
        assert answer.status_code == 404
        assert answer.json()["error"]["code"] == "not_found"
    assert http.get("/api/puzzles/chess/next").status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_the_solution_is_not_in_it(http: httpx.Client, game: str) -> None:
    """Two puzzles are told in the same words whatever their solution is: nothing but the position goes out."""
    sheet = http.get(f"/api/puzzles/{game}/next").raise_for_status().json()
    puzzle = puzzle_of(sheet)
    assert set(sheet) == {"info", "table", "situation"}
    assert set(sheet["info"]) == {"game", "id", "difficulty", "seats", "variant"}
    assert len(sheet["situation"]["legal"]) == len(puzzle.actions)
    text = str(sheet)
    for word in ("value", "cost", "error", "best", "tried", "source", "'seed'"):
        assert word not in text, word
    assert puzzle.id in sheet["table"]["id"]


@pytest.mark.parametrize("game", GAMES)
def test_an_answer_is_told_what_everything_is_worth(http: httpx.Client, game: str) -> None:
    sheet = http.get(f"/api/puzzles/{game}/next", params={"difficulty": "hard"}).raise_for_status().json()
    puzzle, legal = puzzle_of(sheet), sheet["situation"]["legal"]
    path = f"/api/puzzles/{game}/{puzzle.id}/answer"
    answers = [http.post(path, json={"action": action}).raise_for_status().json() for action in legal]
    right = [action for action, answer in zip(legal, answers, strict=True) if answer["right"]]
    assert right == [answers[0]["best"]]
    assert [one["action"] for one in answers[0]["options"]] == legal
    assert sorted(one["cost"] for one in answers[0]["options"])[0] == 0
    assert all(answer["reason"] for answer in answers)
    german = http.post(path, params={"language": "de"}, json={"action": legal[0]}).json()
    assert german["reason"] != answers[0]["reason"]
    assert german["best"] == answers[0]["best"]


@pytest.mark.parametrize(
    "body",
    [
        {"action": {"type": "PlayCard", "card": 9999}},
        {"action": {"type": "Nothing"}},
        {"action": {}},
    ],
)
def test_what_is_no_answer_learns_nothing(http: httpx.Client, body: Any) -> None:
    puzzle = puzzles("six")[0]
    answer = http.post(f"/api/puzzles/six/{puzzle.id}/answer", json=body)
    assert answer.status_code == 422
    assert set(answer.json()) == {"error"}
    assert answer.json()["error"]["code"] == "bad_action"


def test_whoever_has_it_is_not_sent_it_again(http: httpx.Client) -> None:
    puzzle = puzzles("six")[0]
    first = http.get(f"/api/puzzles/six/{puzzle.id}")
    again = http.get(f"/api/puzzles/six/{puzzle.id}", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 304
    assert "max-age" in first.headers["cache-control"]


def test_practice_goes_on_from_the_last_one(http: httpx.Client) -> None:
    first = http.get("/api/puzzles/six/next", params={"difficulty": "easy"}).json()
    second = http.get("/api/puzzles/six/next", params={"difficulty": "easy", "after": first["info"]["id"]}).json()
    assert first["info"]["id"] != second["info"]["id"]
    assert second["info"]["difficulty"] == "easy"
    assert http.get("/api/puzzles/six/next", params={"difficulty": "absurd"}).status_code == 400


@pytest.mark.parametrize(("path", "title"), [("/puzzles", "Puzzle of the day"), ("/puzzles/x/2026-01-31", "X nimmt!")])
def test_a_link_tells_what_it_leads_to(http: httpx.Client, path: str, title: str) -> None:
    page = http.get(path, headers={"accept-language": "en"})
    assert page.status_code == 200
    assert title in page.text
    assert "One move is clearly best" in page.text
