"""Killing the server at random moments under load, and comparing what clients were told with what the log has.

    python -m nimmt.testing.death --kills 1000 --database soak.db --workers 3

The laws: every acknowledged action is in the log, at the place that was told; none is there twice; every table goes on
to its end; what a follower of a table was told is what the log says, without a gap.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import websockets

from nimmt.server import entries as e
from nimmt.store.choice import make_store

UNLIMITED = [
    "--requests-per-guest", "1000000", "--requests-per-address", "1000000", "--tables-per-address", "1000000",
    "--guests-per-address", "1000000", "--sockets-per-address", "100000",
]  # fmt: skip
GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("six", {"rounds": 1}),
    ("six", {"rounds": 1, "fan": ["cow", "twist"]}),
    ("x", {"rounds": 1}),
    ("eleven", {"rounds": 1}),
    ("baron", {}),
    ("buffalo", {"decide": "anyone"}),
)


class Server:
    """A server process that can be killed and comes back on the same port and database."""

    def __init__(self, database: str, workers: int) -> None:
        self.database, self.workers, self.port = database, workers, 0
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "nimmt", "serve", "--port", str(self.port), "--database", self.database]
        self._process = subprocess.Popen(
            [*command, "--workers", str(self.workers), "--log-level", "error", *UNLIMITED],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r":(\d+)", line)
        if found is None:
            raise RuntimeError(f"The server did not start: {line!r}")
        self.port = int(found[1])

    def kill(self) -> None:
        """SIGKILL to every process of the server: nobody gets to clean up."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.communicate()

    def kill_one_worker(self, rng: random.Random) -> None:
        """SIGKILL to one worker, or to a process that bots think in; the others go on."""
        assert self._process is not None
        children = _descendants(self._process.pid)
        if children:
            _kill(rng.choice(children))

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()


def strike_server(server: Server, rng: random.Random) -> None:
    """Kill the whole server and start it again, or only one of several workers."""
    if server.workers > 1 and rng.random() < 0.5:
        server.kill_one_worker(rng)
    else:
        server.kill()
        server.start()


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _descendants(pid: int) -> list[int]:
    found: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
        if parent == pid:
            found += [int(folder.name), *_descendants(int(folder.name))]
    return found


class Told(msgspec.Struct):
    """What a client was told about an action: the server said that it is the n-th entry."""

    table: str
    seat: int
    action: dict[str, Any]
    n: int


class Person:
    """Plays honestly and stubbornly: an action without an answer is sent again with the same key."""

    def __init__(self, server: Server, table: str, seat: int, cookie: str, rng: random.Random) -> None:
        self.server, self.table, self.seat, self.cookie, self.rng = server, table, seat, cookie, rng
        self.told: list[Told] = []
        self.numbers: list[int] = []
        self.sent: Counter[str] = Counter()

    async def follow(self) -> None:
        """Follow the table through all deaths; every number must come once and in order."""
        last: int | None = None
        while True:
            after = "" if last is None else f"?after={last}"
            url = f"ws://127.0.0.1:{self.server.port}/api/tables/{self.table}/socket{after}"
            try:
                async with websockets.connect(
                    url, additional_headers={"cookie": self.cookie}, open_timeout=5, compression=None
                ) as socket:
                    async for data in socket:
                        message = msgspec.json.decode(data)
                        if message["type"] == "Snapshot" and last is not None:
                            raise AssertionError("a follower that knew a number got a snapshot")
                        if message["type"] == "Update":
                            self.numbers.append(message["n"])
                        if message["type"] in ("Snapshot", "Update"):
                            last = message["n"]
                            if message["situation"]["phase"] == "over":
                                return
            except (OSError, websockets.WebSocketException, TimeoutError):
                await asyncio.sleep(0.05)

    async def play(self, http: httpx.AsyncClient) -> None:
        while True:
            snapshot = await self._ask(http, "GET", f"/api/tables/{self.table}")
            situation = snapshot["situation"]
            if situation["phase"] == "over":
                return
            asked = [waiting["seat"] for waiting in situation["waiting"]]
            if self.seat in asked and situation["legal"]:
                await self._decide(http, situation)
            await asyncio.sleep(self.rng.random() * 0.03)

    async def _decide(self, http: httpx.AsyncClient, situation: dict[str, Any]) -> None:
        action = self.rng.choice(situation["legal"])
        body, key = {"action": action, "decision": situation["decision"]}, secrets.token_hex(8)
        answer = await self._ask(http, "POST", f"/api/tables/{self.table}/act", body, key)
        if "n" in answer:
            self.told.append(Told(self.table, self.seat, action, answer["n"]))

    async def _ask(
        self, http: httpx.AsyncClient, method: str, path: str, body: Any = None, key: str | None = None
    ) -> dict[str, Any]:
        headers = {"cookie": self.cookie, **({"idempotency-key": key} if key else {})}
        while True:
            try:
                url = f"http://127.0.0.1:{self.server.port}{path}"
                answer = await http.request(method, url, json=body, headers=headers)
                if answer.status_code < 500 and answer.status_code != 429:
                    found: dict[str, Any] = answer.json()
                    return found
            except (httpx.HTTPError, OSError):
                pass
            await asyncio.sleep(0.05)


async def _seat(server: Server, http: httpx.AsyncClient, number: int, rng: random.Random) -> list[Person]:
    """A table with two people and a bot."""
    game, options = GAMES[number % len(GAMES)]
    base, cookies = f"http://127.0.0.1:{server.port}", []
    for name in ("Anna", "Ben"):
        answer = await http.post(f"{base}/api/guests", json={"name": name})
        cookies.append(answer.headers["set-cookie"].partition(";")[0])
    body = {"game": game, "options": options, "seats": 3, "bots": ["random"]}
    table = (await http.post(f"{base}/api/tables/", json=body, headers={"cookie": cookies[0]})).json()["id"]
    joined = await http.post(f"{base}/api/tables/{table}/join", json={}, headers={"cookie": cookies[1]})
    started = await http.post(f"{base}/api/tables/{table}/start", json={}, headers={"cookie": cookies[0]})
    assert (joined.status_code, started.status_code) == (200, 200), (joined.text, started.text)
    return [Person(server, table, seat, cookie, rng) for seat, cookie in enumerate(cookies)]


class Report(msgspec.Struct):
    kills: int
    tables: int
    acknowledged: int
    told_messages: int
    seconds: float


async def compare(database: str, people: list[Person]) -> None:
    """What clients were told against what the log has."""
    store = make_store(database)
    await store.open()
    try:
        for person in people:
            log = [e.decode(line) for line in await store.read(person.table)]
            for told in person.told:
                entry = log[told.n - 1]
                assert isinstance(entry, e.Acted), f"entry {told.n} of {told.table} is {entry}"
                kept = (entry.seat, msgspec.json.decode(bytes(entry.action)))
                assert kept == (told.seat, {**kept[1], **told.action}), f"told {told}, but the log has {kept}"
            numbers = [told.n for told in person.told]
            assert len(set(numbers)) == len(numbers), "two actions were acknowledged as the same entry"
            own = [n for n, one in enumerate(log, 1) if isinstance(one, e.Acted) and one.seat == person.seat]
            assert set(numbers) == set(own), f"told {sorted(numbers)}, but the log has {own} for seat {person.seat}"
            # Whoever could not come in before the match was over has heard nothing.
            first, last = (person.numbers[0], person.numbers[-1]) if person.numbers else (1, 0)
            assert person.numbers == list(range(first, last + 1))
            assert last <= len(log)
    finally:
        await store.close()


async def torture(
    database: str,
    workers: int,
    kills: int,
    tables: int,
    seed: int,
    *,
    strike: Callable[[Server, random.Random], None] = strike_server,
    show: bool = False,
) -> Report:
    """Play tables to their end while something is struck down again and again; then compare."""
    rng, began = random.Random(seed), time.monotonic()
    server = Server(database, workers)
    await asyncio.to_thread(server.start)
    done, people, numbered = 0, list[Person](), 0
    try:
        async with httpx.AsyncClient(timeout=5, limits=httpx.Limits(max_connections=None)) as http:
            while done < kills:
                seated = await _fresh_tables(server, http, tables, numbered, rng)
                numbered += tables
                people += seated
                tasks = [asyncio.create_task(person.play(http)) for person in seated]
                tasks += [asyncio.create_task(person.follow()) for person in seated]
                playing = asyncio.gather(*tasks)
                while not playing.done() and done < kills:
                    await asyncio.wait({playing}, timeout=0.1 + rng.random() * 0.6)
                    if playing.done():
                        break
                    done += 1
                    await asyncio.to_thread(strike, server, rng)
                    if show:
                        print(f"\r{done} of {kills} kills, {len(people) // 2} tables", end="", file=sys.stderr)
                await asyncio.wait_for(playing, 120)
    finally:
        server.stop()
    await compare(database, people)
    told = sum(len(person.told) for person in people)
    messages = sum(len(person.numbers) for person in people)
    return Report(done, len(people) // 2, told, messages, round(time.monotonic() - began, 1))


async def _fresh_tables(
    server: Server, http: httpx.AsyncClient, tables: int, first: int, rng: random.Random
) -> list[Person]:
    while True:
        try:
            groups = [await _seat(server, http, first + number, rng) for number in range(tables)]
            return [person for group in groups for person in group]
        except (httpx.HTTPError, KeyError, ValueError, AssertionError):
            await asyncio.sleep(0.2)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", default="", help="a file or a postgresql:// address (default: a new file)")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=12, help="tables that are played at the same time")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        database = args.database or str(Path(folder) / "soak.db")
        report = asyncio.run(torture(database, args.workers, args.kills, args.tables, args.seed, show=True))
    print("\n" + msgspec.json.encode(report).decode())


if __name__ == "__main__":
    main()
