"""Reviews: asked for by anybody who may see the record, computed once, kept, and never for a match that goes on."""

import asyncio
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from nimmt.insight.figures import Review
from nimmt.insight.review import review
from nimmt.server.jobs import load_judge
from nimmt.server.reviews import JUDGES, KIND, KIND_OF_SUM, Reviews
from nimmt.server.worker_pool import Minds
from nimmt.testing.servers import ThreadServer

OPENED = {
    "game": "six",
    "seats": 2,
    "bots": ["greedy", "random"],
    "options": {"rounds": 1},
    "join": False,
    "pace": "instant",  # nobody watches
}


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
        assert reviewed(http, table, after=str(len(status["decisions"]) - 1))["decisions"] == status["decisions"][-1:]
        assert server.run(server.platform.store.get(KIND_OF_SUM, f"{table}/0/{JUDGES}")) is not None
        server.run(server.platform.tables.forget_for_good(table))
        for kind in (KIND, KIND_OF_SUM):
            assert server.run(server.platform.store.get(kind, f"{table}/0/{JUDGES}")) is None


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


def play(http: httpx.Client) -> str:
    """A finished match with a person on seat 0."""
    body = {"game": "six", "seats": 2, "bots": ["greedy"], "options": {"rounds": 1}, "start": True, "pace": "instant"}
    table: str = http.post("/api/tables/", json=body).raise_for_status().json()["id"]
    while (now := http.get(f"/api/tables/{table}").json()["situation"])["phase"] != "over":
        if now["decision"] is not None and now["waiting"] and now["waiting"][0]["seat"] == 0:
            act = {"decision": now["decision"], "action": now["legal"][-1]}
            http.post(f"/api/tables/{table}/act", json=act)
        else:
            time.sleep(0.02)
    return table


def test_mistakes_are_added_up_for_those_who_made_them() -> None:
    """Only of one's own seat, and only where a review was made."""
    with ThreadServer() as server, httpx.Client(base_url=server.url, timeout=600) as http:
        http.post("/api/guests", json={"name": "Anna"}).raise_for_status()
        table, _ = play(http), play(http)
        nothing = http.get("/api/me/mistakes").raise_for_status().json()
        assert (nothing["looked_at"], nothing["reviewed"], nothing["kinds"]) == (2, 0, [])
        reviewed(http, table, 1)  # the bot's
        assert http.get("/api/me/mistakes").json() == nothing
        status = reviewed(http, table, 0)
        found = http.get("/api/me/mistakes").json()
        assert (found["looked_at"], found["reviewed"]) == (2, 1)
        assert found["judged"] == len(status["decisions"])
        assert (found["lost"], found["accuracy"]) == (status["review"]["lost"], status["review"]["accuracy"])
        kinds = [one["kind"] for one in status["decisions"] if one["kind"]]
        assert {one["kind"]: one["count"] for one in found["kinds"]} == {kind: kinds.count(kind) for kind in kinds}
        assert all((one["kind"] is not None) >= one["named"] for one in status["decisions"])
        assert http.get("/api/me/mistakes", params={"game": "x"}).json()["looked_at"] == 0
        with httpx.Client(base_url=server.url) as other:
            assert other.get("/api/me/mistakes").status_code == 401
            other.post("/api/guests", json={"name": "Bruno"}).raise_for_status()
            assert other.get("/api/me/mistakes").json()["reviewed"] == 0


def test_the_judge_of_a_game_is_loaded_when_people_begin_to_play_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots alone want no review, and once is enough."""
    loaded: list[str] = []

    async def load(self: Reviews, game_id: str) -> None:
        loaded.append(game_id)

    monkeypatch.setattr(Reviews, "_load", load)
    with ThreadServer() as server, httpx.Client(base_url=server.url, timeout=60) as http:
        server.platform.reviews._warms_up = True
        bots_play(http)
        assert loaded == []
        play(http)
        assert loaded == ["six"]
        for game in ("six", "x"):
            body = {"game": game, "seats": 2, "bots": ["greedy"], "start": True}
            http.post("/api/tables/", json=body).raise_for_status()
    assert loaded == ["six", "x"]


def test_a_judge_can_be_loaded() -> None:
    """Of a game with rounds that it has only one of, too."""

    async def loaded() -> bytes:
        minds = Minds(1)
        try:
            return await minds.let(lambda mind: mind.do(600, load_judge, "buffalo"))
        finally:
            await minds.close()

    assert asyncio.run(loaded()) == b""


def test_what_another_version_kept_in_another_form_is_computed_again() -> None:
    from nimmt.server.reviews import sum_of
    from nimmt.store.memory import MemoryStore

    async def look() -> tuple[Any, Any]:
        store = MemoryStore()
        await store.open()
        for kind in (KIND, KIND_OF_SUM):
            await store.put(kind, f"t1/0/{JUDGES}", b'[{"of": "old"}]')
        return await Reviews(store, Minds(1))._kept("t1", 0), await sum_of(store, "t1", 0)

    assert asyncio.run(look()) == ([], None)
