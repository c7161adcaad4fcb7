"""Killing the server at random moments under load, and comparing what clients were told with what the log has.

    python -m nimmt.testing.death --kills 1000
    python -m nimmt.testing.death --kills 300 --workers 3 --database postgresql://…

Struck down are all processes at once, one worker of several, a process that bots think in, or only the process that
started the others. Ctrl-C or SIGTERM stops the server, compares and sums up what was done so far.

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
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import httpx
import msgspec
import websockets
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from nimmt.server.tables import log_entries as e
from nimmt.store.contract import make_store
from nimmt.testing.servers import UNLIMITED, flags

T = TypeVar("T")

NO_LIMITS = [word for name, value in UNLIMITED.items() for word in flags(name, value)]
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
            [*command, "--workers", str(self.workers), "--log-level", "error", *NO_LIMITS],
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

    def kill_parent(self) -> None:
        """SIGKILL to the process that was started. All that it started must find out and end by themselves."""
        assert self._process is not None
        _kill(self._process.pid)
        self._process.wait()
        end = time.monotonic() + ORPHAN_TIMEOUT
        while _group_lives(self._process.pid):
            assert time.monotonic() < end, "processes of the server have outlived the one that started them"
            time.sleep(0.05)
        self._process.communicate()

    def workers_of(self) -> list[int]:
        """The processes that answer."""
        assert self._process is not None
        return [self._process.pid] if self.workers == 1 else _children(self._process.pid)

    def bots_of(self) -> list[int]:
        """The processes that bots think in, as far as any has been needed."""
        return [bot for worker in self.workers_of() for bot in _children(worker)]

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self.kill()


STRIKES = ("all", "parent", "bot", "worker")
END_TIMEOUT = 600.0
"""Seconds after the last kill within which all tables must have come to their end, however busy the machine is."""
ORPHAN_TIMEOUT = 60.0
"""Seconds after which nobody may be left whose parent was killed."""


def strike(server: Server, kind: str, rng: random.Random) -> str:
    """Kill something, and start again what does not come back by itself; what it was in the end."""
    if kind == "worker" and server.workers == 1:
        kind = "all"
    victims = server.workers_of() if kind == "worker" else server.bots_of() if kind == "bot" else []
    if victims:
        _kill(rng.choice(victims))
        return kind
    if kind == "parent":
        server.kill_parent()
    else:
        kind = "all"
        server.kill()
    server.start()
    return kind


def strike_server(server: Server, rng: random.Random) -> str:
    """Any of the ways in which this server can be struck."""
    return strike(server, rng.choice(STRIKES if server.workers > 1 else STRIKES[:-1]), rng)


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def _children(pid: int) -> list[int]:
    """Processes that this one has started to work for it; not those that only clear up behind them."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == pid and b"spawn_main" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except (OSError, ValueError):
            continue
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
    # Nobody watches: else bots would wait until people could have seen what happened.
    pace = {"pace": "instant"}
    body = {"game": game, "options": options, "seats": 3, "bots": ["random"], **pace}
    table = (await http.post(f"{base}/api/tables/", json=body, headers={"cookie": cookies[0]})).json()["id"]
    joined = await http.post(f"{base}/api/tables/{table}/join", json=pace, headers={"cookie": cookies[1]})
    started = await http.post(f"{base}/api/tables/{table}/start", json={}, headers={"cookie": cookies[0]})
    assert (joined.status_code, started.status_code) == (200, 200), (joined.text, started.text)
    return [Person(server, table, seat, cookie, rng) for seat, cookie in enumerate(cookies)]


class KillReport(msgspec.Struct):
    kills: int
    struck: dict[str, int]
    """How often what was struck down."""
    tables: int
    acknowledged: int
    told_messages: int
    seconds: float
    seconds_for_a_kill: float


async def compare(database: str, people: list[Person], complete: bool = True) -> None:
    """What clients were told against what the log has. While a match goes on somebody may not have been told yet."""
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
            untold = set(own) - set(numbers)
            assert set(numbers) <= set(own), f"told {sorted(numbers)}, but the log has {own} for seat {person.seat}"
            assert not (complete and untold), f"nobody was told of {sorted(untold)} for seat {person.seat}"
            # Whoever could not come in before the match was over has heard nothing.
            first, last = (person.numbers[0], person.numbers[-1]) if person.numbers else (1, 0)
            assert person.numbers == list(range(first, last + 1))
            assert last <= len(log)
    finally:
        await store.close()


Strike = Callable[[Server, random.Random], str | None]
OnKill = Callable[[int, int], None]
"""Told how many kills there have been, and how many tables."""


async def torture(
    database: str,
    workers: int,
    kills: int,
    tables: int,
    seed: int,
    *,
    strike: Strike = strike_server,
    on_kill: OnKill = lambda *_: None,
) -> KillReport:
    """Play tables to their end while something is struck down again and again; each time all of them have come to
    their end they are compared. If it is cancelled, what was done so far is compared and counted."""
    rng, began = random.Random(seed), time.monotonic()
    server = Server(database, workers)
    struck, people, seated = Counter[str](), list[Person](), list[Person]()
    tasks: list[asyncio.Future[Any]] = []
    try:
        await _to_its_end(asyncio.to_thread(server.start))
        async with httpx.AsyncClient(timeout=5, limits=httpx.Limits(max_connections=None)) as http:
            while struck.total() < kills:
                seated = await _fresh_tables(server, http, tables, len(people) // 2, rng)
                people += seated
                tasks = [asyncio.create_task(person.play(http)) for person in seated]
                tasks += [asyncio.create_task(person.follow()) for person in seated]
                playing = asyncio.gather(*tasks)
                tasks.append(playing)  # somebody must hear how it ended
                while not playing.done() and struck.total() < kills:
                    await asyncio.wait({playing}, timeout=0.1 + rng.random() * 0.6)
                    if not playing.done():
                        kind = await _to_its_end(asyncio.to_thread(strike, server, rng))
                        struck[kind or "other"] += 1
                        on_kill(struck.total(), len(people) // 2)
                await asyncio.wait_for(playing, END_TIMEOUT)
                await compare(database, seated)
                seated = []
    except asyncio.CancelledError:
        pass
    finally:
        try:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        finally:
            server.stop()
    await compare(database, seated, complete=False)
    told = sum(len(person.told) for person in people)
    messages = sum(len(person.numbers) for person in people)
    seconds, count = time.monotonic() - began, struck.total()
    per_kill = round(seconds / count, 2) if count else 0.0
    return KillReport(count, dict(struck), len(people) // 2, told, messages, round(seconds, 1), per_kill)


async def _to_its_end(work: Coroutine[Any, Any, T]) -> T:
    """A thread goes on when nobody waits for it: a server that it starts then would be left behind."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            with contextlib.suppress(asyncio.CancelledError):  # however often somebody is told to stop
                await asyncio.wait({task})
        raise


async def _stopped_by_sigterm(work: Coroutine[Any, Any, T]) -> T:
    """As by Ctrl-C. Else the server, which is in a session of its own, would be left behind."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await work


async def _fresh_tables(
    server: Server, http: httpx.AsyncClient, tables: int, first: int, rng: random.Random
) -> list[Person]:
    while True:
        try:
            groups = [await _seat(server, http, first + number, rng) for number in range(tables)]
            return [person for group in groups for person in group]
        except (httpx.HTTPError, KeyError, ValueError, AssertionError):
            await asyncio.sleep(0.2)


COLUMNS = (
    TextColumn("{task.description}"),
    BarColumn(),
    MofNCompleteColumn(),
    TextColumn("{task.fields[tables]} tables"),
    TimeRemainingColumn(),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", default="", help="a file or a postgresql:// address (default: a new file)")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=12, help="tables played at the same time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=STRIKES, help="what is killed each time (default: any of them)")
    args = parser.parse_args()
    chosen: Strike = strike_server
    if args.only:
        chosen = lambda server, rng: strike(server, args.only, rng)  # noqa: E731
    with tempfile.TemporaryDirectory() as folder, Progress(*COLUMNS, console=Console(stderr=True)) as progress:
        bar = progress.add_task("kills", total=args.kills, tables=0)

        def on_kill(kills: int, tables: int) -> None:
            progress.update(bar, completed=kills, tables=tables)

        database = args.database or str(Path(folder) / "soak.db")
        work = torture(database, args.workers, args.kills, args.tables, args.seed, strike=chosen, on_kill=on_kill)
        report = asyncio.run(_stopped_by_sigterm(work))
    print(msgspec.json.encode(report).decode())


if __name__ == "__main__":
    main()
