"""The client for programs at a real server: it passes over what was decided already, and raises what is wrong."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from nimmt.clients import remote
from nimmt.clients.remote import Choose, Client, Json, Refused
from nimmt.testing.servers import TIMEOUT, ThreadServer

ONE_ROUND = {"rounds": 1}


@pytest.fixture(scope="module")
def own_server() -> Iterator[ThreadServer]:
    """In this process, so that its streams can be counted."""
    with ThreadServer() as server:
        yield server


@pytest.fixture
def come_in(own_server: ThreadServer) -> Iterator[Callable[[str], Client]]:
    here: list[Client] = []

    def call(name: str) -> Client:
        with Client(own_server.url) as person:
            person.come_in(name)
            here.append(Client(own_server.url, person.make_token("bot")))
        return here[-1]

    yield call
    for client in here:
        client.close()


def outcome(job: Callable[[], None]) -> BaseException | None:
    """How it ends: with this error, or well. It must end."""
    ended: list[BaseException | None] = []

    def run() -> None:
        try:
            job()
            ended.append(None)
        except BaseException as error:
            ended.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(TIMEOUT)
    assert ended, "It does not end."
    return ended[0]


def first(situation: Json) -> Json:
    found: Json = situation["legal"][0]
    return found


def last(situation: Json) -> Json:
    found: Json = situation["legal"][-1]
    return found


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


# -- what is wrong is raised ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ({"type": "PlayCard", "card": 1000}, "not_in_hand"),
        ({"type": "ChooseRow", "row": 1}, "wrong_action"),
        ({"type": "TakePile", "pile": 1}, "bad_action"),
    ],
)
def test_a_refused_action_ends_playing_with_its_code(come_in: Any, action: Json, code: str) -> None:
    client = come_in("Bo")
    client.open_table("six", 3, bots=["random", "random"], start=True)
    error = outcome(lambda: client.play(lambda _: action))
    assert isinstance(error, Refused)
    assert error.code == code
    assert str(error) == f"{code}: {error.sentence}"
    assert error.sentence.endswith(".")


class Mistake(Exception):
    pass


@pytest.mark.parametrize("mistake", [Mistake("a bug"), SystemExit(3)])
def test_an_error_of_the_bot_ends_playing_with_it(own_server: ThreadServer, come_in: Any, mistake: Exception) -> None:
    """Even while its other matches wait for somebody else; and all streams are closed."""
    client, other = come_in("Bo"), come_in("Al")
    asleep = client.open_table("six", 2)
    other.join(asleep)
    client.start(asleep)
    client.open_table("six", 2, bots=["random"], options=ONE_ROUND, start=True)
    sockets = own_server.platform.limits.all_sockets

    def choose(situation: Json) -> Json:
        if situation["chairs"][1]["kind"] == "bot":
            wait_until(lambda: sockets.total == 3)  # both tables, and the news of new ones
            raise mistake
        return first(situation)

    assert outcome(lambda: client.play(choose)) is mistake
    wait_until(lambda: sockets.total == 0)
    assert client.look(asleep)["situation"]["phase"] == "playing", "the client is still good for something"


def test_playing_ends_after_so_many_matches(own_server: ThreadServer, come_in: Any) -> None:
    client = come_in("Bo")
    tables = [client.open_table("six", 2, bots=["random"], options=ONE_ROUND, start=True) for _ in range(2)]
    assert outcome(lambda: client.play(first, matches=2)) is None
    assert [client.look(table)["situation"]["phase"] for table in tables] == ["over", "over"]
    wait_until(lambda: own_server.platform.limits.all_sockets.total == 0)


# -- what was decided already is passed over --------------------------------------------------------------------------


@contextmanager
def playing(client: Client, table: str, choose: Choose) -> Iterator[None]:
    """At the same time somebody plays to the end."""
    thread = threading.Thread(target=outcome, args=(lambda: client.play_table(table, choose),), daemon=True)
    thread.start()
    yield
    thread.join(TIMEOUT)


def test_a_decision_that_is_made_already_is_passed_over(come_in: Any) -> None:
    anna, ben = come_in("Anna"), come_in("Ben")
    table = anna.open_table("six", 2, options=ONE_ROUND)
    ben.join(table)
    anna.start(table)
    asked: list[int] = []

    def choose(situation: Json) -> Json:
        """Somebody has decided for her before her answer comes."""
        asked.append(situation["decision"])
        anna.act(table, first(situation))
        wait_until(lambda: anna.look(table)["situation"]["decision"] != situation["decision"])
        return first(situation)

    with playing(ben, table, first):
        assert outcome(lambda: anna.play_table(table, choose)) is None
    assert len(asked) == len(set(asked)) >= 10
    assert anna.look(table)["situation"]["phase"] == "over"


def test_who_was_overtaken_is_asked_again(come_in: Any) -> None:
    """Both may use a special card at the same time: the decision is still to be made, but the card is gone."""
    anna, ben = come_in("Anna"), come_in("Ben")
    assert any(overtakes(anna, ben) for _ in range(10)), "There was nothing left to decide each time."


def overtakes(anna: Client, ben: Client) -> bool:
    """In a match of the two Ben uses a special card before Anna does; is the same decision hers again? If nothing else
    could be done, it is none any more."""
    table = anna.open_table("buffalo", 2, options={"decide": "anyone"})
    ben.join(table)
    anna.start(table)
    asked: list[int] = []
    overtaken: list[int] = []

    def uses(situation: Json) -> list[Json]:
        """Of special cards; but after Swap! there is something else to decide."""
        used = [action for action in situation["legal"] if action["type"] == "Use"]
        return [action for action in used if action["use"]["type"] != "Swap"]

    def choose(situation: Json) -> Json:
        asked.append(situation["decision"])
        if not overtaken and (possible := uses(situation)):
            ben.act(table, possible[0])
            now = anna.look(table)["situation"]
            gone = [action for action in possible if action not in now["legal"]]
            if now["decision"] == situation["decision"] and gone:
                overtaken.append(now["decision"])
                return gone[0]
        return last(situation)

    def let_anna_go_first(situation: Json) -> Json:
        def has_moved_on() -> bool:
            if overtaken or not uses(situation):
                return True
            return bool(ben.look(table)["situation"]["decision"] != situation["decision"])

        wait_until(has_moved_on)
        return last(situation)

    with playing(ben, table, let_anna_go_first):
        assert outcome(lambda: anna.play_table(table, choose)) is None
    return bool(overtaken) and asked.count(overtaken[0]) == 2


# -- waiting ----------------------------------------------------------------------------------------------------------


class FastTime:
    """Sleeping takes no time, but the clock knows."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)

    def monotonic(self) -> float:
        return sum(self.slept)


@pytest.fixture
def fast_time(monkeypatch: pytest.MonkeyPatch) -> FastTime:
    clock = FastTime()
    monkeypatch.setattr(remote, "time", clock)
    monkeypatch.setattr(remote.Streams, "wait", lambda _, seconds: clock.sleep(seconds))
    return clock


def client_of(answers: Iterator[httpx.Response]) -> Client:
    client = Client("http://server")
    transport = httpx.MockTransport(lambda _: next(answers))
    client._http = httpx.Client(transport=transport, base_url="http://server")
    return client


def later(status: int, **headers: str) -> httpx.Response:
    error = {"code": "not_now", "message": "Not now."}
    return httpx.Response(status, headers={"retry-after": "7", **headers}, json={"error": error})


CALLS: dict[str, Callable[[Client], Any]] = {
    "a command": lambda client: client.me(),
    "a stream": lambda client: next(client.follow("t")),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("status", [429, 503])
def test_it_waits_as_long_as_it_is_told_and_asks_again(fast_time: FastTime, call: str, status: int) -> None:
    with client_of(iter([later(status), later(status), httpx.Response(200, content=b'{"n": 1}')])) as client:
        assert CALLS[call](client) == {"n": 1}
    assert fast_time.slept == [7, 7]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("status", [429, 503])
def test_it_does_not_wait_for_ever(fast_time: FastTime, call: str, status: int) -> None:
    with client_of(later(status) for _ in range(1000)) as client, pytest.raises(Refused, match="not_now: Not now"):
        CALLS[call](client)
    assert 1 < len(fast_time.slept) < 10
    with client_of(iter([later(status, **{"retry-after": "3600"})])) as client, pytest.raises(Refused):
        CALLS[call](client)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.usefixtures("fast_time")
def test_other_refusals_are_raised_at_once(call: str) -> None:
    with client_of(iter([later(404)])) as client, pytest.raises(Refused) as caught:
        CALLS[call](client)
    assert (caught.value.code, caught.value.status) == ("not_now", 404)


def test_a_proxy_may_say_later_in_its_own_words(fast_time: FastTime) -> None:
    bad = httpx.Response(502, headers={"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}, content=b"<html>")
    with client_of(iter([bad, httpx.Response(200, content=b"{}")])) as client:
        assert client.me() == {}
    assert fast_time.slept == [1]
