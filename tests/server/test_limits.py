"""Whoever does too much is told so, in numbers that are written down, and the server stays as large as it was."""

import asyncio
import contextlib
import re
import socket
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import SplitResult, urlsplit

import httpx
import pytest

from nimmt.match.shuffle import MAX_CONTRIBUTION_LENGTH
from nimmt.server import app, bot_runner, coach, limits, platform, reviews, serve, uploads
from nimmt.server.http import api, connections, people_api, security, sockets
from nimmt.server.http.errors import Refused
from nimmt.server.limits import Counter, Limit
from nimmt.server.people import guests, moderation, names
from nimmt.server.settings import Settings
from nimmt.server.tables import clock, commitments, lobby, moments, practice, state, table
from nimmt.testing.servers import TIMEOUT, LiveServer, Person, ServerRefused, ThreadServer

PAGE = Path(__file__).parents[2] / "docs" / "limits.md"


# -- the page ---------------------------------------------------------------------------------------------------------


def rows() -> dict[str, list[str]]:
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| ")][1:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {row[3].strip("`") if row[3] != "–" else row[0]: row for row in cells}


def numbers(text: str) -> list[int]:
    return [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", text)]


def test_the_page_has_the_numbers_of_the_settings() -> None:
    found = {name: numbers(row[1])[0] for name, row in rows().items() if hasattr(Settings(), name)}
    assert found == {name: getattr(Settings(), name) for name in found}
    assert set(found) == {name for name in Settings.__struct_fields__ if "_per_" in name or name.startswith("max_")}


FIXED = {
    "frames sent by a client": [sockets.FRAMES_IN_20_SECONDS, 20],
    "a frame": [serve.MAX_FRAME, connections.MAX_FRAGMENTS],
    "a record that is brought": [uploads.MAX_RECORD // 1024],
    "records that are kept": [uploads.MAX_UPLOADS, uploads.RETENTION // 86_400_000],
    "records that wait to be checked": [uploads.MAX_WAITING],
    "the body of any other request": [app.MAX_BODY // 1024],
    "the head of a request": [connections.MAX_HEAD // 1024],
    "requests sent ahead of the answers": [connections.MAX_AHEAD],
    "the time in which a request must be there": [int(connections.REQUEST_SECONDS)],
    "the time in which a first request must begin": [int(connections.FIRST_SECONDS)],
    "the time in which what was sent must be taken in": [int(connections.READING_SECONDS)],
    "updates or steps in one answer": [api.UPDATES_AT_ONCE],
    "tables in a list": [lobby.LISTED_TABLES],
    "commitments in one answer": [commitments.MAX_PAGE],
    "hints that wait at once": [coach.MAX_WAITING],
    "decisions that can be taken back, one after the other": [practice.TAKE_BACKS],
    "matches whose reviews are added up": [reviews.MAX_MATCHES],
    "reports that are kept": [moderation.MAX_REPORTS],
    "people whom a guest has muted or blocked": [moderation.MAX_SHUNNED],
    "a nickname": [names.MAX_NAME_LENGTH],
    "a chat message": [table.MAX_TEXT_LENGTH, state.CHAT_KEPT],
    "a contribution to the shuffle": [MAX_CONTRIBUTION_LENGTH],
    "an idempotency key": [api.MAX_KEY_LENGTH],
    "tokens": [guests.MAX_TOKENS, guests.TOKEN_DAYS, guests.MAX_TOKEN_DAYS],
    "devices that came by a link": [guests.MAX_DEVICES],
    "downloading or deleting one's data": [people_api.COST_OF_LOOKING],
}


def test_the_page_has_the_numbers_that_are_fixed() -> None:
    assert {name: numbers(row[1]) for name, row in rows().items() if row[3] == "–"} == FIXED
    assert connections.PINGS_IN_20_SECONDS == sockets.FRAMES_IN_20_SECONDS
    text = PAGE.read_text("utf-8")
    assert f"at most {limits.MAX_BUCKETS:,} of a kind" in text
    assert f"more than\n  {sockets.FAR_BEHIND} messages behind" in text
    assert f"more than {limits.TOTAL_WORK:,} ms in 20 s" in text
    assert f"after {int(sockets.MAX_DELAY)} seconds at most" in text
    assert f"the last {moments.MIN_MOMENTS} to {2 * moments.MIN_MOMENTS} messages" in text
    assert f"has followed for {lobby.ABANDONED_AFTER // 60_000} minutes" in text
    assert bot_runner.REST == 3  # a quarter
    assert f"wait after {clock.IDLE_LIMITS['waiting'] // clock.HOUR} hours" in text
    assert f"after {clock.IDLE_LIMITS['playing'] // clock.DAY} days" in text


# -- counting ---------------------------------------------------------------------------------------------------------


def test_a_bucket_fills_up_again() -> None:
    now = [0.0]
    limit = Limit("things", 4, 20, lambda: now[0])
    for _ in range(4):
        limit.spend("Anna")
    with pytest.raises(Refused) as caught:
        limit.spend("Anna")
    assert caught.value.retry_after == 5
    limit.spend("Ben")
    now[0] += 5
    limit.spend("Anna")
    with pytest.raises(Refused):
        limit.spend("Anna")
    now[0] += 1000
    for _ in range(4):
        limit.spend("Anna")


def test_however_many_come_they_are_not_all_remembered() -> None:
    now = [0.0]
    limit = Limit("things", 10, 20, lambda: now[0])
    for number in range(3 * limits.MAX_BUCKETS):
        now[0] += 0.00001
        limit.spend(f"{number}")
        assert len(limit._buckets) <= limits.MAX_BUCKETS
    # The latest are among those that are remembered.
    for _ in range(9):
        limit.spend(f"{3 * limits.MAX_BUCKETS - 1}")
    with pytest.raises(Refused):
        limit.spend(f"{3 * limits.MAX_BUCKETS - 1}")


def test_a_counter_forgets_those_who_left() -> None:
    counter = Counter("things", 2)
    for name in ("Anna", "Anna", "Ben"):
        counter.enter(name)
    assert counter.total == 3
    with pytest.raises(Refused):
        counter.enter("Anna")
    for name in ("Anna", "Anna", "Ben"):
        counter.leave(name)
    assert counter._counts == {}


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("somewhere", "somewhere"),
    ],
)
def test_a_household_counts_as_one_address(host: str, name: str) -> None:
    assert security.network(host) == name


# -- on a server ------------------------------------------------------------------------------------------------------


def too_many(answer: httpx.Response) -> bool:
    """Is this the answer to too much, complete?"""
    if answer.status_code != 429:
        return False
    error = answer.json()["error"]
    assert error["code"] == "too_many"
    assert int(answer.headers["retry-after"]) == error["retry_after"] >= 1
    assert answer.headers["content-security-policy"]
    return True


@pytest.fixture
def stand_still(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bucket fills up while a busy machine takes its time."""
    monkeypatch.setattr(platform, "Limit", lambda *words: Limit(*words, clock=lambda: 0.0))


async def until_refused(ask: Callable[[int], Any], most: int = 50) -> int:
    """How often it goes well."""
    for number in range(most):
        if too_many(await ask(number)):
            return number
    return most


@pytest.mark.anyio
@pytest.mark.usefixtures("stand_still")
async def test_requests_of_a_guest_are_limited(come: Any) -> None:
    with ThreadServer(limited=True, requests_per_guest=8) as server:
        anna, ben, nobody = await come("Anna", "Ben", "", at=server.url)
        assert await until_refused(lambda _: anna.ask("GET", "/api/me")) == 8
        assert too_many(await anna.ask("POST", "/api/tables", {"game": "six", "seats": 2}))
        async with anna.at(server.url) as other_tab:
            assert too_many(await other_tab.ask("GET", "/api/me"))
        assert await ben.get("/api/me")
        assert await nobody.get("/api/tables") == []


JUNK: list[Callable[[Person], Any]] = [
    lambda person: person.ask("GET", "/api/me"),
    lambda person: person.ask("GET", "/api/games"),
    lambda person: person.ask("POST", "/api/guests", b"{"),
    lambda person: person.ask("POST", "/api/guests", b"x=1", content_type="application/x-www-form-urlencoded"),
    lambda person: person.ask("POST", "/api/tables", {}, origin="https://elsewhere.test"),
    lambda person: person.ask("GET", "/api/me", authorization="Bearer nonsense"),
    lambda person: person.ask("GET", "/api/me", cookie="nimmt=a.b"),
    lambda person: person.ask("GET", "/"),
    lambda person: person.ask("GET", "/api/schema/openapi.json"),
]


@pytest.mark.anyio
@pytest.mark.usefixtures("stand_still")
async def test_requests_from_an_address_are_limited_whatever_they_are(come: Any) -> None:
    with ThreadServer(limited=True, requests_per_address=30) as server:
        anna, nobody = await come("Anna", "", at=server.url)
        # Coming in was the first.
        assert await until_refused(lambda number: JUNK[number % len(JUNK)](nobody)) == 29
        assert too_many(await anna.ask("GET", "/api/me"))
        table_socket = nobody.socket("x")
        async with table_socket as socket:
            assert (await socket.next())["error"]["code"] == "too_many"


@pytest.mark.anyio
@pytest.mark.usefixtures("stand_still")
async def test_new_tables_and_guests_are_limited(come: Any) -> None:
    with ThreadServer(limited=True, tables_per_address=3, guests_per_address=5) as server:
        anna, ben = await come("Anna", "Ben", at=server.url)
        body = {"game": "six", "seats": 2}
        assert await until_refused(lambda number: (anna, ben)[number % 2].ask("POST", "/api/tables", body)) == 3
        # Guessing codes counts like coming in.
        guess = {"code": "guess"}
        assert await until_refused(lambda _: ben.ask("POST", "/api/me/claim", guess)) == 3
        assert too_many(await ben.ask("POST", "/api/guests", {"name": "Cleo"}))


@pytest.mark.anyio
@pytest.mark.usefixtures("stand_still")
async def test_talking_is_limited(come: Any) -> None:
    with ThreadServer(limited=True, messages_per_guest=4) as server:
        anna, ben = await come("Anna", "Ben", at=server.url)
        here = await anna.open_table("six", 2)
        assert await until_refused(lambda n: anna.ask("POST", f"/api/tables/{here}/say", {"text": f"{n}"})) == 4
        assert (await ben.do(here, "say", text="Hush!"))["n"]


@pytest.mark.anyio
@pytest.mark.parametrize("setting", ["sockets_per_address", "max_sockets"])
async def test_sockets_and_streams_are_limited(setting: str, come: Any) -> None:
    with ThreadServer(limited=True, **{setting: 3}) as server:
        (anna,) = await come("Anna", at=server.url)
        here = await anna.open_table("six", 2)
        path = f"/api/stream/tables/{here}"
        async with anna.socket(here) as one, anna.lines(path) as two, anna.lines("/api/stream/events"):
            await one.next()
            await anext(two)
            async with anna.socket(here) as socket:
                assert (await socket.next())["error"]["code"] == "too_many"
            for refused in (path, "/api/stream/events"):
                assert too_many(await anna.ask("GET", refused))
        async with asyncio.timeout(TIMEOUT):
            while server.platform.limits.all_sockets.total:
                await asyncio.sleep(0.05)
        async with anna.socket(here) as socket:
            assert (await socket.next())["type"] == "Snapshot"
        assert server.platform.hub._stale == set()


@pytest.mark.anyio
@pytest.mark.usefixtures("stand_still")
async def test_where_a_request_comes_from_is_not_what_it_says(come: Any) -> None:
    with ThreadServer(limited=True, guests_per_address=3) as server:
        (nobody,) = await come("", at=server.url)
        names = ({"name": f"P{number}"} for number in range(50))
        asking = lambda n: nobody.ask("POST", "/api/guests", next(names), x_forwarded_for=f"192.0.2.{n}")  # noqa: E731
        assert await until_refused(asking) == 3


@pytest.mark.anyio
@pytest.mark.usefixtures("stand_still")
async def test_behind_a_proxy_that_is_trusted_people_have_their_own_addresses(come: Any) -> None:
    with ThreadServer(limited=True, guests_per_address=3, trusted_proxies="127.0.0.1") as server:
        (nobody,) = await come("", at=server.url)
        for number in range(8):
            answer = await nobody.ask("POST", "/api/guests", {"name": "P"}, x_forwarded_for=f"192.0.2.{number}")
            assert answer.status_code == 201
        asking = lambda _: nobody.ask("POST", "/api/guests", {"name": "P"}, x_forwarded_for="192.0.2.99")  # noqa: E731
        assert await until_refused(asking) == 3
        answer = await nobody.ask(
            "POST", "/api/guests", {"name": "P"}, x_forwarded_for="192.0.2.50", x_forwarded_proto="https"
        )
        assert answer.headers["set-cookie"].startswith("__Host-nimmt=")
        assert "strict-transport-security" in answer.headers


@pytest.mark.anyio
@pytest.mark.usefixtures("stand_still")
async def test_the_client_for_programs_waits_as_long_as_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from nimmt.clients import remote

    waited: list[float] = []
    monkeypatch.setattr(remote.time, "sleep", waited.append)
    monkeypatch.setattr(remote, "TIMEOUT", 0.5)
    with ThreadServer(limited=True, guests_per_address=1) as server, remote.Client(server.url) as client:
        await asyncio.to_thread(client.come_in, "Bo")
        with pytest.raises(remote.Refused) as caught:
            await asyncio.to_thread(client.come_in, "Bo")
        assert caught.value.code == "too_many"


# -- floods -----------------------------------------------------------------------------------------------------------


def junk_request(rng: Random) -> bytes:
    """Something that may come to any server in the world."""
    word = rng.randbytes(8).hex()
    head = f"host: x\r\ncookie: nimmt={word}.{word}\r\nidempotency-key: {word}\r\nx-{word}: {word}\r\n"
    body = pick_body(rng, word)
    line = rng.choice(
        [
            f"GET /{word} HTTP/1.1",
            f"GET /api/tables/{word} HTTP/1.1",
            f"GET /api/tables/{word}/updates?after={word} HTTP/1.1",
            f"GET /api/stream/tables/{word} HTTP/1.1",
            f"DELETE /api/tokens/{word} HTTP/1.1",
            f"PATCH /api/{word} HTTP/1.1",
            "POST /api/guests HTTP/1.1",
            "POST /api/tables HTTP/1.1",
            "POST /api/me/claim HTTP/1.1",
            f"POST /api/tables/{word}/act HTTP/1.1",
        ]
    )
    if rng.random() < 0.2:
        head += f"authorization: Bearer {word}\r\n"
    if not line.startswith("POST"):
        return f"{line}\r\n{head}\r\n".encode()
    return f"{line}\r\n{head}content-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body


def pick_body(rng: Random, word: str) -> bytes:
    return rng.choice([b"{", b"[]", rng.randbytes(60), f'{{"{word}": 1}}'.encode(), f'{{"code": "{word}"}}'.encode()])


async def flood(url: str, count: int, seed: int) -> None:
    """So many requests, twenty at a time."""
    rng, parts = Random(seed), urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    for _ in range(count // 20):
        writer.write(b"".join(junk_request(rng) for _ in range(20)))
        answers, tail = 0, b""
        while answers < 20:
            data = tail + await reader.read(1 << 16)
            assert len(data) > len(tail)
            assert b"HTTP/1.1 5" not in data
            answers += data.count(b"HTTP/1.1 ")
            tail = data[-8:]
    writer.close()


async def answers_to(address: SplitResult, sent: bytes) -> bytes:
    """All that comes back, also when the server hangs up before it has heard everything."""
    loop, answers = asyncio.get_running_loop(), b""
    with socket.create_connection((address.hostname, address.port), TIMEOUT) as connection:
        connection.setblocking(False)
        sending = asyncio.create_task(loop.sock_sendall(connection, sent))
        with contextlib.suppress(ConnectionError):
            while more := await loop.sock_recv(connection, 1 << 16):
                answers += more
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
    return answers


@pytest.mark.anyio
async def test_who_sends_requests_without_end_is_cut_off() -> None:
    with LiveServer() as server:
        parts = urlsplit(server.url)
        async with Person(server.url) as ben:  # what the first visitor brings into memory is not what this is about
            await ben.come_in("Ben")
        before = server.memory_mb()
        for seed in range(5):
            rng = Random(seed)
            data = await answers_to(parts, b"".join(junk_request(rng) for _ in range(5000)))
            # At least one answer, and far from all of them.
            assert 1 <= data.count(b"HTTP/1.1 ") < 2500
        async with Person(server.url) as anna:
            await anna.come_in("Anna")
        assert server.memory_mb() < before + 15


@pytest.mark.anyio
@pytest.mark.soak
@pytest.mark.parametrize("limited", [False, True])
async def test_memory_stays_flat_under_a_flood(limited: bool) -> None:
    with LiveServer(limited=limited) as server:
        async with Person(server.url) as anna:
            await anna.come_in("Anna")
            here = await anna.open_table("six", 2)
            await asyncio.gather(*[flood(server.url, 500, seed) for seed in range(4)])
            before = server.memory_mb()
            await asyncio.gather(*[flood(server.url, 1500, 10 + seed) for seed in range(4)])
            for _ in range(20):
                with pytest.raises(ServerRefused):
                    await frames_until_refused(anna, here)
            assert server.memory_mb() < before + 8
            assert "error" not in server.log


async def frames_until_refused(anna: Person, here: str) -> None:
    async with anna.socket(here) as socket:
        first = await socket.next()
        if first["type"] != "Refused":
            for number in range(51):
                await socket.socket.send(f"junk {number}")
            first = await socket.next()
        raise ServerRefused(0, first["error"]["code"], first["error"]["message"])
