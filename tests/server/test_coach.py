"""The coach of practice tables: what it says, to whom, how often it is counted; and decisions that are taken back."""

import asyncio
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from nimmt.insight.hint import hint_for
from nimmt.match.match import verify
from nimmt.match.record import Practice, read_record
from nimmt.rules import registry
from nimmt.server import coach as coaching
from nimmt.server import jobs
from nimmt.server.coach import Coach
from nimmt.server.worker_pool import Mind
from nimmt.testing.postgres import PostgresServer
from nimmt.testing.servers import ThreadServer

Json = dict[str, Any]
OPENED = {
    "game": "six",
    "seats": 3,
    "bots": ["greedy", "random"],
    "options": {"rounds": 1},
    "start": True,
    "pace": "instant",
}


CLIENTS: list[httpx.Client] = []


@pytest.fixture(autouse=True)
def think_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots and coach in threads of this process: starting others takes most of the time, and is tested elsewhere."""

    async def do(self: Mind, seconds: float, job: Callable[..., bytes], *arguments: Any) -> bytes:
        return await asyncio.to_thread(job, *arguments)

    monkeypatch.setattr(Mind, "do", do)
    monkeypatch.setattr(jobs, "NICE", 0)


@pytest.fixture(autouse=True)
def close_clients() -> Iterator[None]:
    yield
    while CLIENTS:
        CLIENTS.pop().close()


class Guest:
    def __init__(self, url: str, name: str) -> None:
        self.http = httpx.Client(base_url=url, timeout=600)
        CLIENTS.append(self.http)
        if name:
            self.ask("/api/guests", {"name": name})

    def at(self, url: str) -> "Guest":
        """The same person at another process."""
        other = Guest(url, "")
        other.http.cookies = self.http.cookies
        return other

    def ask(self, path: str, body: Json | None = None, **headers: str) -> Any:
        answer = self.http.post(path, json=body, headers=headers)
        found = answer.json()
        return found["error"]["code"] if answer.is_error else found

    def open(self, **more: Any) -> str:
        table: str = self.ask("/api/tables/", {**OPENED, "practice": True, **more})["id"]
        return table

    def look(self, table: str) -> Json:
        found: Json = self.http.get(f"/api/tables/{table}").json()["situation"]
        return found

    def my_turn(self, table: str) -> Json:
        while True:
            now = self.look(table)
            if now["phase"] != "playing" or now["you"] in [one["seat"] for one in now["waiting"]]:
                return now
            time.sleep(0.01)

    def last_to_choose(self, table: str) -> Json:
        """When all others have chosen, which a seat sees: from then on it is the same question."""
        while True:
            now = self.look(table)
            if [one["seat"] for one in now["waiting"]] == [now["you"]]:
                return now
            time.sleep(0.01)

    def act(self, table: str, number: int = 0) -> Json:
        now = self.my_turn(table)
        action: Json = now["legal"][number % len(now["legal"])]  # a card, or a row if that is due
        assert self.ask(f"/api/tables/{table}/act", {"action": action, "decision": now["decision"]})["n"]
        return action

    def play(self, table: str) -> None:
        while self.my_turn(table)["phase"] == "playing":
            self.act(table)

    def hint(self, table: str, decision: int | None = None, language: str = "en") -> Any:
        return self.ask(f"/api/tables/{table}/hint?language={language}", {"decision": decision})

    def take_back(self, table: str, **headers: str) -> Any:
        return self.ask(f"/api/tables/{table}/take-back", **headers)


@pytest.fixture(scope="module")
def server() -> Iterator[ThreadServer]:
    with ThreadServer() as here:
        yield here


@pytest.fixture
def anna(server: ThreadServer) -> Guest:
    return Guest(server.url, "Anna")


# -- hints -----------------------------------------------------------------------------------------------------------


def test_a_hint_is_what_follows_from_the_view_alone(server: ThreadServer, anna: Guest) -> None:
    """The library says the same about what this seat sees: nothing else went into it."""
    table = anna.open()
    now = anna.last_to_choose(table)
    said = anna.hint(table, now["decision"])
    game = registry.get("six")
    view = msgspec.convert(now["view"], game.view_type)
    expected = hint_for(game, view)
    assert msgspec.json.encode(said["actions"]) == msgspec.json.encode(expected.actions)
    assert [one["action"] for one in said["actions"]] == now["legal"]
    assert anna.hint(table, language="de")["actions"][0]["reason"] != said["actions"][0]["reason"]


def test_it_is_given_to_whoever_has_to_decide_at_a_practice_table_and_nobody_else(
    server: ThreadServer, anna: Guest
) -> None:
    ben = Guest(server.url, "Ben")
    plain = anna.open(practice=False)
    anna.my_turn(plain)
    for who in (anna, ben):
        assert who.hint(plain) == "not_practice"
        assert who.take_back(plain) == "not_practice"
    table = anna.open(seats=4, bots=["greedy", "random"], start=False)
    ben.ask(f"/api/tables/{table}/join", {})
    assert anna.hint(table) == "not_playing"
    anna.ask(f"/api/tables/{table}/start", {})
    decision = anna.my_turn(table)["decision"]
    assert Guest(server.url, "Cleo").hint(table) == "not_seated"
    assert Guest(server.url, "").hint(table) == "not_signed_in"
    assert anna.hint(table, decision + 1) == "stale_decision"
    anna.act(table)
    assert anna.hint(table) == "not_your_turn", "the choice is made, though it could still be changed"
    assert ben.hint(table)["seat"] == 1
    assert anna.look(table)["coached"] == [{"hints": h, "take_backs": 0} for h in (0, 1, 0, 0)]
    ben.act(table)
    assert anna.hint(table, decision) in ("stale_decision", "not_your_turn")
    assert anna.take_back(table) == "not_alone"


def test_a_hint_for_a_decision_that_was_made_meanwhile_is_not_told(
    anna: Guest, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = anna.open()
    anna.my_turn(table)
    think = Coach.hint

    async def slowly(self: Coach, *question: Any) -> Any:
        said = await think(self, *question)
        await asyncio.to_thread(anna.act, table)
        return said

    monkeypatch.setattr(Coach, "hint", slowly)
    assert anna.hint(table) in ("stale_decision", "not_your_turn")
    assert anna.look(table)["coached"][0]["hints"] == 0


def test_the_same_question_is_one_computation_and_counts_once(anna: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    table, thought = anna.open(), []
    anna.last_to_choose(table)
    think = Coach._think

    async def counted(self: Coach, key: bytes, question: Any) -> Any:
        thought.append(key)
        return await think(self, key, question)

    monkeypatch.setattr(Coach, "_think", counted)
    assert anna.hint(table) == anna.hint(table) == anna.hint(table)
    assert len(thought) == 1
    assert anna.look(table)["coached"][0]["hints"] == 1
    notes = [one["note"] for one in anna.http.get(f"/api/tables/{table}/updates").json()]
    assert notes.count({"type": "HintGiven", "seat": 0}) == 1


def test_who_asks_too_much_has_to_wait() -> None:
    with ThreadServer(limited=True, hints_per_guest=2) as here:
        anna = Guest(here.url, "Anna")
        table, answers = anna.open(), []
        for _ in range(3):
            anna.my_turn(table)
            answers.append(anna.hint(table))
            anna.act(table)
        assert answers[2] == "too_many"
        assert all(isinstance(one, dict) for one in answers[:2])


def test_games_without_a_judge_have_take_backs_only(anna: Guest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coaching, "fast_games", lambda: ())
    table = anna.open()
    anna.my_turn(table)
    assert anna.hint(table) == "no_hint"
    assert anna.look(table)["coached"][0]["hints"] == 0


@pytest.mark.parametrize("game", ["x", "eleven", "baron", "buffalo"])
def test_every_game_has_a_coach(anna: Guest, game: str) -> None:
    table = anna.open(game=game, options={})
    for _ in range(3):
        while True:
            now, said = anna.my_turn(table), anna.hint(table)
            if isinstance(said, str):  # bots may have changed what is asked
                assert said in ("stale_decision", "not_your_turn")
            elif anna.my_turn(table)["decision"] == now["decision"]:
                break
        assert all(one["action"] in now["legal"] for one in said["actions"])
        anna.act(table)
    assert anna.take_back(table)["n"]


# -- taking back -----------------------------------------------------------------------------------------------------


def test_a_decision_taken_back_is_asked_for_again(anna: Guest) -> None:
    table = anna.open()
    assert anna.take_back(table) == "nothing_to_take_back"
    assert "may_take_back" not in anna.my_turn(table)
    first = anna.my_turn(table)
    anna.act(table, 3)
    second = anna.my_turn(table)
    assert second["may_take_back"]
    anna.act(table, 4)
    anna.my_turn(table)
    n = anna.take_back(table, **{"Idempotency-Key": "once"})["n"]
    assert anna.take_back(table, **{"Idempotency-Key": "once"})["n"] == n, "sent again, done once"
    again = anna.my_turn(table)
    assert again["view"]["hand"] == second["view"]["hand"]
    assert again["legal"] == second["legal"]
    assert again["decision"] > second["decision"], "an answer to the old question is stale"
    old = {"action": second["legal"][0], "decision": second["decision"]}
    assert anna.ask(f"/api/tables/{table}/act", old) == "stale_decision"
    anna.take_back(table)
    assert anna.my_turn(table)["view"]["hand"] == first["view"]["hand"]
    assert anna.take_back(table) == "nothing_to_take_back"
    assert anna.look(table)["coached"][0] == {"hints": 0, "take_backs": 2}


def test_a_choice_that_was_changed_is_taken_back_as_a_whole(server: ThreadServer, anna: Guest) -> None:
    """Bots that never move leave the choice secret: it may be changed, and is then one decision."""
    table = anna.open(bots=["greedy", "greedy"])
    server.platform.thinkers._is_closed = True
    try:
        table = anna.open(bots=["greedy", "greedy"])
        hand = anna.my_turn(table)["view"]["hand"]
        for card in hand[:2]:
            assert anna.ask(f"/api/tables/{table}/act", {"action": {"type": "PlayCard", "card": card}})["n"]
        anna.take_back(table)
        now = anna.my_turn(table)
        assert [one["seat"] for one in now["waiting"]] == [0, 1, 2]
        assert anna.take_back(table) == "nothing_to_take_back"
    finally:
        server.platform.thinkers._is_closed = False


def test_the_record_holds_the_final_line_and_is_proven(anna: Guest) -> None:
    table = anna.open(options={"rounds": 2})
    for _ in range(3):
        anna.act(table, 1)
    anna.my_turn(table)
    anna.hint(table)
    for _ in range(2):
        anna.take_back(table)
    anna.play(table)
    data = anna.http.get(f"/api/tables/{table}/record").content
    verdict = verify(data)
    assert verdict.deals_proven
    record = read_record(data)
    assert record.practice == Practice(hints=(1, 0, 0), take_backs=(2, 0, 0))
    assert anna.take_back(table) == "not_playing", "the seed is out: it is over for good"

    steps = anna.http.get(f"/api/tables/{table}/steps?seat=0").json()
    played = [step for step in steps if (step["note"] or {}).get("type") == "Decided"]
    assert len(played) == len(record.actions), "a replay shows what counted"
    hands = anna.http.get(f"/api/tables/{table}/hands").json()
    assert [one["n"] for one in hands] == [step["n"] for step in steps]
    told = anna.http.get(f"/api/tables/{table}/updates").json()
    assert [one["n"] for one in told] == list(range(1, len(told) + 1)), "nothing is lost"


def test_records_of_other_matches_say_nothing_of_it(anna: Guest) -> None:
    table = anna.open(practice=False)
    anna.play(table)
    assert b"practice" not in anna.http.get(f"/api/tables/{table}/record").content


def test_practice_is_marked_everywhere_and_counts_nowhere(anna: Guest) -> None:
    plain, practised = anna.open(practice=False), anna.open(public=True)
    listed = {one["id"]: one["practice"] for one in anna.http.get("/api/tables/").json()}
    assert listed[practised]
    mine = {one["id"]: one["practice"] for one in anna.http.get("/api/tables/mine").json()}
    assert (mine[plain], mine[practised]) == (False, True)
    assert anna.http.get(f"/api/tables/{practised}").json()["table"]["practice"]
    anna.play(plain)
    anna.hint(practised)
    anna.play(practised)
    found = {one["id"]: one for one in anna.http.get("/api/me/matches").json()["matches"]}
    assert (found[plain]["practice"], found[plain]["counted"]) == (False, True)
    own = found[practised]
    assert (own["practice"], own["counted"], own["hints"]) == (True, False, 1)
    statistics = anna.http.get("/api/me/statistics").json()
    assert (statistics["counts"]["matches"], statistics["practice"], statistics["uncounted"]) == (1, 1, 0)
    rematch = anna.ask(f"/api/tables/{practised}/rematch", {})["id"]
    assert anna.http.get(f"/api/tables/{rematch}").json()["table"]["practice"]


# -- elsewhere and later ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.soak)])
def test_restarts_and_other_processes_tell_the_same(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    database = str(tmp_path / "nimmt.db")
    if kind == "postgresql":
        postgres: PostgresServer = request.getfixturevalue("postgres_server")
        database = postgres.new_database()
        request.addfinalizer(lambda: postgres.drop_database(database))
    with ThreadServer(database) as one, ThreadServer(database) as two:
        anna = Guest(one.url, "Anna")
        elsewhere, table = anna.at(two.url), anna.open()
        hand = anna.my_turn(table)["view"]["hand"]
        anna.act(table)
        elsewhere.my_turn(table)
        assert elsewhere.take_back(table)["n"]
        assert anna.my_turn(table)["view"]["hand"] == hand
        anna.act(table, 2)
        anna.my_turn(table)
        anna.hint(table)
        told = anna.http.get(f"/api/tables/{table}/updates").json()
    with ThreadServer(database) as again:
        anna = anna.at(again.url)
        now = anna.my_turn(table)
        assert now["coached"][0] == {"hints": 1, "take_backs": 1}
        assert anna.http.get(f"/api/tables/{table}/updates").json()[: len(told)] == told
        assert anna.take_back(table)["n"]
        assert anna.my_turn(table)["view"]["hand"] == hand
        anna.play(table)
        verify(anna.http.get(f"/api/tables/{table}/record").content)


def test_many_take_backs_leave_no_more_than_one(anna: Guest, server: ThreadServer) -> None:
    """Whoever comes later folds them all; what is remembered of a table stays small."""
    table = anna.open()
    for _ in range(30):
        anna.act(table)
        anna.my_turn(table)
        anna.take_back(table)
    server.platform.tables.forget(table)
    found = server.run(server.platform.tables.load(table))
    assert found.coaching is not None
    assert (len(found.coaching.points), len(found.coaching.undone)) == (0, 1)
    assert found.match is not None
    assert found.coached[0].take_backs == 30
