"""Reviews: asked for by anybody who may see the record, computed once, kept, and never for a match that goes on."""

import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from nimmt.insight.figures import Review
from nimmt.insight.review import review
from nimmt.server.reviews import JUDGES, KIND, Reviews
from nimmt.testing.servers import ThreadServer

OPENED = {"game": "six", "seats": 2, "bots": ["greedy", "random"], "options": {"rounds": 1}, "join": False}


def bots_play(http: httpx.Client) -> str:
    """A finished match."""
    if http.get("/api/me").status_code == 401:
        http.post("/api/guests", json={"name": "Anna"}).raise_for_status()
    table: str = http.post("/api/tables/", json={**OPENED, "start": True}).raise_for_status().json()["id"]
    while http.get(f"/api/tables/{table}").json()["situation"]["phase"] != "over":
        time.sleep(0.02)
    return table


def reviewed(http: httpx.Client, table: str, seat: int = 0, **more: str) -> Any:
    while True:
        status = http.post(f"/api/tables/{table}/review", params={"seat": seat, **more}).raise_for_status().json()
        if status["done"] == status["rounds"]:
            return status
        time.sleep(0.05)


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("reviews") / "nimmt.db"


def test_a_review_is_what_the_library_says_and_is_kept(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ThreadServer(str(database)) as server, httpx.Client(base_url=server.url, timeout=600) as http:
        table = bots_play(http)
        assert http.get(f"/api/tables/{table}/review", params={"seat": 0}).json()["done"] == 0
        status = reviewed(http, table)
        record = http.get(f"/api/tables/{table}/record").content
    expected: Review = review(record, seats=[0])
    assert status["evaluator"] == expected.evaluator
    assert status["review"]["points"]["result"] == expected.seats[0].points.result
    assert [one["cost"] for one in status["decisions"]] == [one.cost for one in expected.decisions]
    assert [one["reason"] for one in status["decisions"]] == [one.reason for one in expected.decisions]

    async def never(*_: object) -> None:
        raise AssertionError("It was computed already.")

    monkeypatch.setattr(Reviews, "_compute", never)
    with ThreadServer(str(database)) as server, httpx.Client(base_url=server.url) as http:
        assert reviewed(http, table) == status
        german = reviewed(http, table, language="de")
        assert german["review"] == status["review"]
        assert german["decisions"][0]["reason"] != status["decisions"][0]["reason"]
        assert b"Anna" not in server.run(server.platform.store.get(KIND, f"{table}/0/{JUDGES}")) or b""
        server.run(server.platform.tables.forget_for_good(table))
        assert server.run(server.platform.store.get(KIND, f"{table}/0/{JUDGES}")) is None


def test_a_running_match_has_none() -> None:
    with ThreadServer() as server, httpx.Client(base_url=server.url) as http:
        http.post("/api/guests", json={"name": "Anna"}).raise_for_status()
        body = {"game": "six", "seats": 2, "bots": ["greedy"], "start": True}
        table = http.post("/api/tables/", json=body).raise_for_status().json()["id"]
        for ask in (http.get, http.post):
            answer = ask(f"/api/tables/{table}/review", params={"seat": 0})
            assert (answer.status_code, answer.json()["error"]["code"]) == (409, "not_over")


@pytest.mark.parametrize(
    ("params", "code"),
    [
        ({"seat": 7}, "no_such_seat"),
        ({"seat": -1}, "no_such_seat"),
        ({"seat": "Anna"}, "bad_request"),
        ({}, "bad_request"),
        ({"seat": 0, "language": "xx"}, "bad_request"),
    ],
)
def test_what_is_asked_wrongly_is_refused(finished: tuple[httpx.Client, str], params: Any, code: str) -> None:
    http, table = finished
    answer = http.post(f"/api/tables/{table}/review", params=params)
    assert answer.json()["error"]["code"] == code


@pytest.fixture(scope="module")
def finished() -> Any:
    with ThreadServer() as server, httpx.Client(base_url=server.url) as http:
        yield http, bots_play(http)


def test_nobody_can_begin_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asking for the same again costs nothing; beginning others does."""
    begun = []

    async def compute(self: Reviews, table: Any, seat: int) -> None:
        begun.append(seat)

    monkeypatch.setattr(Reviews, "_compute", compute)
    with ThreadServer(reviews_per_address=1) as server, httpx.Client(base_url=server.url) as http:
        table = bots_play(http)
        assert http.post(f"/api/tables/{table}/review", params={"seat": 0}).status_code == 200
        answer = http.post(f"/api/tables/{table}/review", params={"seat": 1})
        assert (answer.status_code, answer.json()["error"]["code"]) == (429, "too_many")
    assert begun == [0]


def test_many_who_ask_at_once_are_one_computation(monkeypatch: pytest.MonkeyPatch) -> None:
    from nimmt.server import reviews

    judged = []
    original = reviews._judge

    async def judge(record: bytes, seat: int, number: int, mind: Any) -> bytes:
        judged.append((seat, number))
        return await original(record, seat, number, mind)

    monkeypatch.setattr(reviews, "_judge", judge)
    with ThreadServer() as server, httpx.Client(base_url=server.url, timeout=600) as http:
        table = bots_play(http)
        for _ in range(30):
            http.post(f"/api/tables/{table}/review", params={"seat": 1}).raise_for_status()
        reviewed(http, table, 1)
    assert judged == [(1, 1)]
