"""Records that are brought from elsewhere: checked like `nimmt verify`, reviewed and shown like any other match."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

import nimmt
from nimmt.match.record import digest, write_record
from nimmt.server.uploads import KIND, MAX_RECORD, RETENTION, Uploads, log_of
from nimmt.testing.servers import ThreadServer

Document = dict[str, Any]


def record_of(game: str = "six", bots: tuple[str, ...] = ("greedy", "random"), seed: int = 1, **options: Any) -> bytes:
    return write_record(nimmt.Match(game, [*bots], seed=seed, **options).play().record)


RECORD = record_of(rounds=1)


def changed(change: Any, sealed: bool = True) -> bytes:
    """The record with something else in it, as somebody would make it up: with a digest that fits."""
    document = json.loads(RECORD)
    change(document)
    if sealed:
        document["digest"] = digest(document)
    return json.dumps(document).encode()


def bring(http: httpx.Client, data: bytes, kind: str = "application/json") -> httpx.Response:
    return http.post("/api/records", content=data, headers={"content-type": kind})


def code(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


@pytest.fixture(scope="module")
def server() -> Iterator[ThreadServer]:
    with ThreadServer() as server:
        yield server


@pytest.fixture
def http(server: ThreadServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=600) as http:
        yield http


def test_a_record_becomes_a_finished_match(http: httpx.Client) -> None:
    """With replay, hands, record and review; nobody needs a name for it, and nobody can do anything else there."""
    answer = bring(http, RECORD)
    assert answer.status_code == 201
    table = answer.json()["id"]
    told = http.get(f"/api/tables/{table}").json()
    assert (told["situation"]["phase"], told["table"]["brought"], told["situation"]["you"]) == ("over", True, None)
    assert [chair["level"] for chair in told["situation"]["chairs"]] == ["greedy", "random"]
    again = http.get(f"/api/tables/{table}/record").content
    assert json.loads(again) == json.loads(RECORD)
    steps = http.get(f"/api/tables/{table}/steps", params={"seat": 0}).json()
    assert len(steps) == 1 + len(json.loads(RECORD)["actions"])
    assert http.get(f"/api/tables/{table}/hands").json()[0]["hands"]
    while (status := http.post(f"/api/tables/{table}/review", params={"seat": 1}).json())["done"] < status["rounds"]:
        time.sleep(0.05)
    assert status["review"]["points"]["result"] == json.loads(RECORD)["result"]["points"][1]
    http.post("/api/guests", json={"name": "Anna"}).raise_for_status()
    assert code(http.post(f"/api/tables/{table}/say", json={"text": "Hi"})) == (410, "table_closed")
    assert code(http.post(f"/api/tables/{table}/rematch", json={})) == (403, "not_seated")
    assert code(http.post(f"/api/tables/{table}/join", json={})) == (409, "not_waiting")
    assert http.get("/api/tables/").json() == http.get("/api/tables/mine").json() == []
    assert http.get("/api/me/matches").json()["total"] == 0


def test_the_same_record_is_the_same_match(http: httpx.Client) -> None:
    """However it is written."""
    pretty = json.dumps(json.loads(RECORD), indent=3, sort_keys=True).encode()
    ids = {bring(http, data).json()["id"] for data in (RECORD, pretty)}
    assert len(ids) == 1
    other = bring(http, record_of(seed=2, rounds=1)).json()["id"]
    assert other not in ids


@pytest.mark.parametrize("game", ["x", "eleven", "baron", "buffalo"])
def test_every_game_can_be_brought(http: httpx.Client, game: str) -> None:
    data = record_of(game, ("greedy", "greedy"))
    table = bring(http, data).json()["id"]
    assert json.loads(http.get(f"/api/tables/{table}/record").content) == json.loads(data)


def without(name: str) -> Any:
    return lambda document: document.pop(name)


def unfinished(document: Document) -> None:
    del document["actions"][-1:]
    document["result"] = None


def with_other_card(document: Document) -> None:
    """One that another seat holds."""
    first, second = document["actions"][:2]
    first["action"]["card"] = second["action"]["card"]


def with_other_deal(document: Document) -> None:
    deck = next(iter(document["deals"][0]["decks"].values()))
    deck[-1], deck[-2] = deck[-2], deck[-1]


def unproven(document: Document) -> None:
    document["fairness"] = None


def with_a_secret_seed(document: Document) -> None:
    document["fairness"]["server_seed"] = None


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "not_a_record"),
        (b"no JSON", "not_a_record"),
        (b"\xff\xfe", "not_a_record"),
        (b"[" * 100_000, "not_a_record"),
        (b"[1, 2]", "not_a_record"),
        (b'"nimmt-record-1"', "not_a_record"),
        (b"{}", "not_a_record"),
        (b'{"format": "nimmt-record-99"}', "not_a_record"),
        (changed(without("deals")), "not_a_record"),
        (changed(lambda d: d.update(seats="Anna")), "not_a_record"),
        (changed(lambda d: d.update(comment="Mine")), "not_a_record"),
        (changed(lambda d: d.update(seats=[{"name": "\udc00"}] * 2)), "not_a_record"),
        (changed(lambda d: d.update(game="poker")), "unknown_rules"),
        (changed(lambda d: d.update(rules_version=99)), "unknown_rules"),
        (changed(lambda d: d.update(options={"rows": 1})), "bad_record"),
        (changed(lambda d: d.update(result=None)), "bad_record"),
        (changed(lambda d: d["result"].update(points=[0, 0])), "bad_record"),
        (changed(lambda d: d["seats"].reverse(), sealed=False), "bad_record"),
        (changed(lambda d: d["actions"].append(d["actions"][-1])), "bad_record"),
        (changed(with_other_card), "bad_record"),
        (changed(with_other_deal), "bad_record"),
        (changed(unfinished), "not_over"),
        (changed(unproven), "not_proven"),
        (changed(with_a_secret_seed), "not_proven"),
    ],
)  # fmt: skip
def test_what_verify_refuses_is_refused(http: httpx.Client, data: bytes, expected: str) -> None:
    answer = bring(http, data)
    assert code(answer) == (409 if expected == "not_over" else 422, expected), answer.text


def test_where_it_is_no_record_is_said_once(http: httpx.Client) -> None:
    said = bring(http, b"{}").json()["error"]["message"]
    assert said == "It cannot be read: $.format: this is not the record of a match."


def test_what_is_no_json_or_too_much_is_not_even_read(http: httpx.Client) -> None:
    assert code(bring(http, RECORD, "text/plain")) == (415, "not_json")
    assert code(bring(http, RECORD + b" " * MAX_RECORD)) == (413, "too_large")
    assert bring(http, RECORD + b" " * (MAX_RECORD - len(RECORD))).status_code == 201


def test_names_cannot_mislead_or_spoil_the_page(http: httpx.Client) -> None:
    """What cannot be seen, or would turn what stands beside it, is not shown; two with one name are told apart."""

    def rename(document: Document) -> None:
        document["seats"] = [{"name": "Anna", "player": "person"}, {"name": "A\u202enna", "player": "my engine"}]

    table = bring(http, changed(rename)).json()["id"]
    chairs = http.get(f"/api/tables/{table}").json()["situation"]["chairs"]
    assert [(chair["kind"], chair["name"], chair["program"]) for chair in chairs] == [
        ("person", "Anna", False),
        ("person", "Anna (2)", True),
    ]
    nameless = changed(lambda d: d["seats"][0].update(name="\u200b"))
    table = bring(http, nameless).json()["id"]
    assert http.get(f"/api/tables/{table}").json()["situation"]["chairs"][0]["name"]


def test_practice_stays_practice(http: httpx.Client) -> None:
    data = changed(lambda d: d.update(practice={"hints": [3, 0], "take_backs": [1, 0]}))
    table = bring(http, data).json()["id"]
    told = http.get(f"/api/tables/{table}").json()
    assert told["table"]["practice"]
    assert told["situation"]["coached"][0] == {"hints": 3, "take_backs": 1}
    assert json.loads(http.get(f"/api/tables/{table}/record").content) == json.loads(data)


def test_those_who_bring_the_same_at_once_wait_for_one_check(monkeypatch: pytest.MonkeyPatch) -> None:
    checked = []
    original = Uploads._bring

    async def count(self: Uploads, data: bytes) -> str:
        checked.append(data)
        return await original(self, data)

    monkeypatch.setattr(Uploads, "_bring", count)
    with ThreadServer() as server, httpx.Client(base_url=server.url, timeout=600) as http:
        with ThreadPoolExecutor(8) as pool:
            ids = {answer.json()["id"] for answer in pool.map(lambda _: bring(http, RECORD), range(8))}
        assert (len(ids), len(checked)) == (1, 1)


def test_nobody_can_bring_too_many() -> None:
    with (
        ThreadServer(uploads_per_guest=1, uploads_per_address=3) as server,
        httpx.Client(base_url=server.url, timeout=600) as anna,
        httpx.Client(base_url=server.url, timeout=600) as nobody,
    ):
        anna.post("/api/guests", json={"name": "Anna"}).raise_for_status()
        assert bring(anna, RECORD).status_code == 201
        assert code(bring(anna, RECORD)) == (429, "too_many")
        assert bring(nobody, RECORD).status_code == 201
        assert code(bring(nobody, b"{}")) == (422, "not_a_record")
        assert code(bring(nobody, RECORD)) == (429, "too_many")


def test_what_nobody_brings_again_is_forgotten(server: ThreadServer, http: httpx.Client) -> None:
    """With its reviews; until then it is there, also in another process."""
    here = server.platform
    table = bring(http, record_of(seed=7, rounds=1)).json()["id"]
    server.run(here.uploads.sweep())
    assert http.get(f"/api/tables/{table}").status_code == 200
    at = int(server.run(here.store.get(KIND, table)) or 0)
    server.run(here.store.put(KIND, table, str(at - RETENTION - 60_000).encode()))
    server.run(here.uploads.sweep())
    assert code(http.get(f"/api/tables/{table}")) == (404, "no_such_table")
    assert server.run(here.store.get(KIND, table)) is None


def test_a_running_match_cannot_be_brought(http: httpx.Client) -> None:
    """Who has seen its cards could make up the rest, but not a seed from which they follow: see `docs/review.md`."""
    http.post("/api/guests", json={"name": "Anna"}).raise_for_status()
    body = {"game": "six", "seats": 2, "bots": ["greedy"], "start": True, "options": {"rounds": 1}}
    running = http.post("/api/tables/", json=body).raise_for_status().json()["id"]
    seen = http.get(f"/api/tables/{running}").json()["situation"]
    document = json.loads(RECORD)
    document["fairness"]["commitment"] = seen["fair"]["commitment"]
    for seed in (document["fairness"]["server_seed"], None):
        document["fairness"]["server_seed"] = seed
        document["digest"] = digest(document)
        assert code(bring(http, json.dumps(document).encode()))[1] in ("bad_record", "not_proven")


def test_a_log_says_what_the_record_says() -> None:
    """Also where a match is long: what was verified is what is shown."""
    found = log_of(record_of(bots=("greedy",) * 4), 0)
    assert found.id.startswith("r")
    assert (found.listing.phase, found.listing.public, found.listing.guests) == ("over", False, ())
