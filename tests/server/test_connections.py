"""Connections cost something before anything is asked: they are counted, and those who wait for nothing make way."""

import asyncio
import logging
import resource
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from nimmt.server.http import connections
from nimmt.server.http.connections import Connections, raise_descriptor_limit
from nimmt.server.settings import Settings
from nimmt.testing.servers import NO_TLS, TIMEOUT, LiveServer, Person, ThreadServer

IDLE = 1100


class Line(asyncio.Transport):
    """As much of a connection as is counted."""

    def __init__(self) -> None:
        super().__init__()
        self.aborted = self.closing = False

    def abort(self) -> None:
        self.aborted = True

    def is_closing(self) -> bool:
        return self.closing


@pytest.fixture
async def crowd() -> Connections:
    return Connections(most=4, per_address=3, proxies="10.0.0.1, 10.1.0.0/16")


# -- counting ---------------------------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_who_waits_for_nothing_makes_way_the_longest_idle_first(crowd: Connections) -> None:
    lines = [Line() for _ in range(6)]
    assert all(crowd.enter(line, f"192.0.2.{number}") for number, line in enumerate(lines[:4]))
    crowd.set_idle(lines[0], False)
    crowd.set_idle(lines[1], False)
    crowd.set_idle(lines[1], True)
    assert crowd.enter(lines[4], "192.0.2.9")
    assert [line.aborted for line in lines[:5]] == [False, False, True, False, False]
    assert crowd.total == 4
    for line in lines[3:5]:
        crowd.set_idle(line, False)
    # Who asked for something before goes only when all others have.
    assert crowd.enter(lines[5], "192.0.2.8")
    assert lines[1].aborted
    crowd.set_idle(lines[5], False)
    assert not crowd.enter(Line(), "192.0.2.7")
    crowd.leave(lines[0])
    assert crowd.enter(Line(), "192.0.2.7")


@pytest.mark.anyio
async def test_an_address_makes_way_for_itself_only(crowd: Connections) -> None:
    other, lines = Line(), [Line() for _ in range(5)]
    assert crowd.enter(other, "192.0.2.1")
    assert all(crowd.enter(line, "2001:db8::7") for line in lines[:3])
    assert crowd.enter(lines[3], "2001:db8::8")  # the same household
    assert [line.aborted for line in lines[:4]] == [True, False, False, False]
    for line in lines[1:4]:
        crowd.set_idle(line, False)
    assert not crowd.enter(lines[4], "2001:db8::9")
    assert not other.aborted
    for line in lines[1:4]:
        crowd.leave(line)
        crowd.leave(line)
    assert crowd._counts == {"192.0.2.1": 1}


@pytest.mark.anyio
@pytest.mark.parametrize("host", ["10.0.0.1", "10.1.2.3"])
async def test_a_proxy_brings_many_people(crowd: Connections, host: str) -> None:
    lines = [Line() for _ in range(4)]
    for line in lines:
        assert crowd.enter(line, host)
        crowd.set_idle(line, False)
    assert not crowd.enter(Line(), host)


@pytest.mark.anyio
async def test_the_log_says_once_that_there_are_too_many(
    crowd: Connections, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    for number in range(4):
        crowd.enter(line := Line(), f"192.0.2.{number}")
        crowd.set_idle(line, False)
    with caplog.at_level(logging.WARNING, "nimmt.server"):
        for _ in range(1000):
            assert not crowd.enter(Line(), "192.0.2.9")
        now[0] += connections.LOG_SECONDS
        crowd._sweep()
        crowd._sweep()
    assert [getattr(record, "count", 0) for record in caplog.records] == [1, 999]


@pytest.mark.anyio
async def test_who_was_hung_up_on_and_does_not_read_is_cut_off(crowd: Connections) -> None:
    line = Line()
    crowd.enter(line, "192.0.2.1")
    crowd._sweep()
    line.closing = True
    crowd._sweep()
    assert not line.aborted
    crowd._sweep()
    assert line.aborted


def test_all_descriptors_are_used_that_may_be_had() -> None:
    """In a process of its own: a limit that was raised is not to be lowered again here."""
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, resource.getrlimit(7)[1]))\n"
        "from nimmt.server.http.connections import raise_descriptor_limit\n"
        "print(raise_descriptor_limit(), *resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    room, soft, hard = map(int, told.stdout.split())
    assert soft == min(hard, connections.MAX_DESCRIPTORS) if hard > 0 else soft == connections.MAX_DESCRIPTORS
    assert room == soft - connections.RESERVED
    assert raise_descriptor_limit() > 0


# -- on a server ------------------------------------------------------------------------------------------------------


@contextmanager
def idle_connections(url: str, count: int, address: str = "127.0.0.1") -> Iterator[list[socket.socket]]:
    """Connections on which nothing is ever said."""
    parts = urlsplit(url)
    with ExitStack() as stack:
        yield [
            stack.enter_context(socket.create_connection((parts.hostname, parts.port), TIMEOUT, (address, 0)))
            for _ in range(count)
        ]


def person_from(address: str, url: str) -> Person:
    person = Person(url)
    person.http = httpx.AsyncClient(
        base_url=url, timeout=TIMEOUT, transport=httpx.AsyncHTTPTransport(verify=NO_TLS, local_address=address)
    )
    return person


def closed(connection: socket.socket) -> bool:
    """Whether the other side has hung up, by now."""
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


@contextmanager
def few_descriptors(limit: int) -> Iterator[None]:
    """Servers that are started now begin with so few."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.anyio
async def test_idle_connections_of_one_address_do_not_keep_others_out() -> None:
    with ExitStack() as stack:
        with few_descriptors(1024):
            server = stack.enter_context(LiveServer(limited=True))
        idle = stack.enter_context(idle_connections(server.url, IDLE))
        for address in ("127.0.0.2", "127.0.0.3", "127.0.0.1"):
            async with person_from(address, server.url) as anna:
                await anna.come_in("Anna")
                table = await anna.open_table("six", 2)
                async with anna.socket(table) as socket:
                    assert (await socket.next())["type"] == "Snapshot"
        async with asyncio.timeout(TIMEOUT):
            while sum(map(closed, idle)) < IDLE - Settings().connections_per_address:
                await asyncio.sleep(0.05)


@pytest.mark.anyio
async def test_when_all_places_are_taken_the_longest_idle_go() -> None:
    with LiveServer(max_connections=20) as server, ExitStack() as stack:
        waves = [stack.enter_context(idle_connections(server.url, 15, f"127.0.0.{n}")) for n in (2, 3, 4)]
        async with person_from("127.0.0.9", server.url) as anna:
            await anna.come_in("Anna")
            table = await anna.open_table("six", 2)
            async with anna.socket(table) as socket:
                await socket.next()
                # Who follows a table is not idle, however many come.
                with idle_connections(server.url, 60, "127.0.0.5"):
                    await anna.do(table, "say", text="Still here.")
                    assert (await socket.next())["note"]["type"] == "ChatSaid"
        assert all(map(closed, waves[0]))


@pytest.mark.anyio
async def test_who_is_turned_away_is_told_so(come: Any) -> None:
    with ThreadServer(limited=True, connections_per_address=2) as server:
        (anna,) = await come("Anna", at=server.url)
        table = await anna.open_table("six", 2)
        async with anna.socket(table) as one, anna.socket(table, cookie="") as two:
            await one.next()
            await two.next()
            async with Person(server.url) as late:
                answer = await late.ask("GET", "/api/me")
                assert answer.status_code == 429
                assert answer.json()["error"]["code"] == "too_many"
                assert answer.headers["retry-after"] == "5"
            async with person_from("127.0.0.2", server.url) as ben:
                await ben.come_in("Ben")
        async with asyncio.timeout(TIMEOUT):
            await anna.close()
            while server.connections.total:
                await asyncio.sleep(0.02)
        assert server.connections._counts == {}


@pytest.mark.anyio
async def test_a_connection_on_which_nothing_comes_is_closed_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "FIRST_SECONDS", 0.1)
    with ThreadServer() as server, idle_connections(server.url, 3) as idle:
        async with asyncio.timeout(TIMEOUT):
            while not all(map(closed, idle)):
                await asyncio.sleep(0.02)


@pytest.mark.anyio
async def test_who_takes_nothing_in_does_not_keep_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little enough that the server need not wait for the reader before it has said everything."""
    monkeypatch.setattr(connections, "SWEEP_SECONDS", 0.1)
    monkeypatch.setattr(connections, "READING_SECONDS", 0.3)
    with ThreadServer(requests_per_address=1_000_000) as server:
        parts = urlsplit(server.url)
        with socket.socket() as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
            deaf.connect((parts.hostname, parts.port))
            request = b"GET /api/games HTTP/1.1\r\nhost: x\r\n\r\n" * 40
            deaf.sendall(request[: -len(b"\r\n")] + b"connection: close\r\n\r\n")
            async with asyncio.timeout(TIMEOUT):
                while not server.connections.total:
                    await asyncio.sleep(0.02)
                while server.connections.total:
                    await asyncio.sleep(0.02)
