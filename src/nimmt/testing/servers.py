"""Real servers for tests, and people who come to them: nothing between the two is left out or made up."""

from __future__ import annotations

import asyncio
import re
import signal
import ssl
import subprocess
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlsplit

import httpx
import msgspec
import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from nimmt.server.app import create_app
from nimmt.server.http.sockets import REFUSED
from nimmt.server.platform import Platform
from nimmt.server.serve import listen, uvicorn_config
from nimmt.server.settings import Settings
from nimmt.store.contract import make_store
from nimmt.testing.random_play import pick

# -- servers -----------------------------------------------------------------------------------------------------------

T = TypeVar("T")
Json: TypeAlias = dict[str, Any]

UNLIMITED: Json = {
    "requests_per_guest": 1_000_000,
    "requests_per_address": 1_000_000,
    "tables_per_address": 1_000_000,
    "guests_per_address": 1_000_000,
    "messages_per_guest": 1_000_000,
    "reports_per_address": 1_000_000,
    "uploads_per_guest": 1_000_000,
    "uploads_per_address": 1_000_000,
    "hints_per_guest": 1_000_000,
    "hints_per_address": 1_000_000,
    "sockets_per_address": 100_000,
    "connections_per_address": 100_000,
    "bot_tables_per_address": 1_000_000,
    "max_bot_tables": 1_000_000,
    "work_per_guest": 1_000_000,
    "work_per_address": 1_000_000,
    "kilobytes_per_guest": 1_000_000_000,
    "kilobytes_per_address": 1_000_000_000,
}
TIMEOUT = 60.0
"""Seconds after which a test gives up waiting for what a server should do."""
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""All of this is plain HTTP; but without it every client would read all certificates of the world first."""


# -- servers ----------------------------------------------------------------------------------------------------------


class LiveServer:
    """`nimmt serve` in a process of its own. Settings that are not given are the usual ones, but for the limits."""

    def __init__(self, database: str = "memory", *, limited: bool = False, **settings: Any) -> None:
        self.settings = {"port": 0, "database": database, "warm_up": False} | ({} if limited else UNLIMITED) | settings
        self.url = ""
        self._process: subprocess.Popen[str] | None = None
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115

    def start(self) -> None:
        words = [word for name, value in self.settings.items() for word in flags(name, value)]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "nimmt", "serve", *words], stdout=subprocess.PIPE, stderr=self._log, text=True
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        found = re.search(r":(\d+)\s", line)
        if found is None:
            raise RuntimeError(f"The server does not start: {line}{self.log}")
        self.url = f"http://127.0.0.1:{found[1]}"

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """The exit code."""
        if self._process is None:
            return 0
        self._process.send_signal(how)
        self._process.communicate(timeout=TIMEOUT)
        return self._process.returncode

    def restart(self) -> None:
        """Stop as an administrator does, and start again on the same port and database."""
        self.settings["port"] = urlsplit(self.url).port
        self.stop()
        self.start()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        self._log.seek(0)
        return self._log.read()

    def memory_mb(self) -> float:
        """What the process that answers holds in memory."""
        found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{self.pid}/status").read_text())
        return int(found[1]) / 1024 if found else float("nan")

    def __enter__(self) -> LiveServer:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()
        self._log.close()


def flags(name: str, value: Any) -> list[str]:
    """A setting as words of a command."""
    flag = "--" + name.replace("_", "-")
    if isinstance(value, bool):
        return [flag if value else flag.replace("--", "--no-", 1)]
    values = value if isinstance(value, tuple | list) else (value,)
    return [word for each in values for word in (flag, str(each))]


class ThreadServer:
    """The same application on a port of its own in a thread of this process: for tests that deal the cards themselves
    or set the time."""

    def __init__(self, database: str = "memory", *, limited: bool = False, **settings: Any) -> None:
        usual: Json = {"port": 0, "database": database, "warm_up": False} | ({} if limited else UNLIMITED)
        self.settings = Settings(**(usual | settings))
        self._app = create_app(self.settings)
        config = uvicorn_config(self._app, self.settings)
        self._server, self.connections = uvicorn.Server(config), config.open_connections
        self._socket = listen(self.settings)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="server")
        self._is_up = threading.Event()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        serving = asyncio.create_task(self._server.serve(sockets=[self._socket]))
        while not self._server.started and not serving.done():
            await asyncio.sleep(0.01)
        self._is_up.set()
        await serving

    @property
    def platform(self) -> Platform:
        found: Platform = self._app.state.platform
        return found

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Do something where the server runs, and wait for it."""
        assert self._loop is not None
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(TIMEOUT)

    def __enter__(self) -> ThreadServer:
        self._thread.start()
        if not self._is_up.wait(TIMEOUT):
            raise RuntimeError("The server does not start.")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.should_exit = True
        self._thread.join(TIMEOUT)


# -- people -----------------------------------------------------------------------------------------------------------


class ServerRefused(Exception):
    """An error that the server answered with."""

    def __init__(self, status: int, code: str, sentence: str) -> None:
        super().__init__(f"{status} {code}: {sentence}")
        self.status, self.code = status, code


class Overtaken(ServerRefused):
    """Things are not any more as they were: a bot, say, was faster."""


class Person:
    """Somebody with a browser of their own, or a program with a token. Without a name nobody but an spectator."""

    def __init__(self, url: str, token: str | None = None, tls: ssl.SSLContext = NO_TLS) -> None:
        self.url = url
        self.id = ""
        self._tls = tls
        self.http = httpx.AsyncClient(
            base_url=url,
            headers={"authorization": f"Bearer {token}"} if token else {},
            timeout=TIMEOUT,
            verify=tls,
            limits=httpx.Limits(max_connections=None),
        )

    async def come_in(self, name: str) -> Person:
        self.id = (await self.post("/api/guests", {"name": name}))["id"]
        return self

    def at(self, url: str) -> Person:
        """The same person in another tab, or at another process of the same server."""
        other = Person(url)
        other.id, other.http.cookies = self.id, self.http.cookies
        return other

    async def close(self) -> None:
        await self.http.aclose()

    async def __aenter__(self) -> Person:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    @property
    def cookie(self) -> str:
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar)

    # -- HTTP -----------------------------------------------------------------------------------------------------

    async def ask(
        self, method: str, path: str, body: Any = None, key: str | None = None, **headers: str
    ) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if key is not None:
            named["idempotency-key"] = key
        content = None if body is None else body if isinstance(body, bytes) else msgspec.json.encode(body)
        if content is not None:
            named.setdefault("content-type", "application/json")
        return await self.http.request(method, path, content=content, headers=named)

    async def get(self, path: str) -> Any:
        return _content(await self.ask("GET", path))

    async def post(self, path: str, body: Any = None, key: str | None = None) -> Any:
        return _content(await self.ask("POST", path, body, key))

    # -- tables -----------------------------------------------------------------------------------------------------

    async def open_table(self, game: str, seats: int, **more: Any) -> str:
        """Nobody watches in most tests: unless they say so bots need not wait for anybody."""
        opened = await self.post("/api/tables", {"game": game, "seats": seats, "pace": "instant", **more})
        table: str = opened["id"]
        return table

    async def do(self, table: str, command: str, key: str | None = None, **body: Any) -> Json:
        """A command: `do(table, "join", seat=2)`."""
        has_body = command not in ("leave", "back", "close", "unlist")
        if command == "join":
            body = {"pace": "instant", **body}
        done: Json = await self.post(f"/api/tables/{table}/{command}", body if has_body else None, key)
        return done

    async def act(self, table: str, action: Json, decision: int | None = None, key: str | None = None) -> int:
        n: int = (await self.do(table, "act", key, action=action, decision=decision))["n"]
        return n

    async def look(self, table: str) -> Json:
        found: Json = await self.get(f"/api/tables/{table}")
        return found

    async def situation(self, table: str) -> Json:
        found: Json = (await self.look(table))["situation"]
        return found

    async def updates(self, table: str, after: int = 0) -> list[Json]:
        """All of them, however many there are."""
        found: list[Json] = []
        while more := await self.get(f"/api/tables/{table}/updates?after={after}"):
            found += more
            after = more[-1]["n"]
        return found

    async def record(self, table: str) -> bytes:
        answer = await self.ask("GET", f"/api/tables/{table}/record")
        _content(answer)
        return answer.content

    # -- news -------------------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def socket(self, table: str, after: int | None = None, **headers: str) -> AsyncIterator[TableSocket]:
        query = "" if after is None else f"?after={after}"
        url = f"ws{self.url.removeprefix('http')}/api/tables/{table}/socket{query}"
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.cookie:
            named.setdefault("cookie", self.cookie)
        # Whatever nobody reads any more must not keep the goodbye from being heard: else closing takes ten seconds.
        how: Json = {"compression": None, "ping_interval": None, "proxy": None, "max_queue": None}
        if url.startswith("wss:"):
            how["ssl"] = self._tls
        async with connect(url, additional_headers=named, **how) as socket:
            yield TableSocket(socket)

    @asynccontextmanager
    async def lines(self, path: str) -> AsyncIterator[AsyncIterator[bytes]]:
        """A stream of lines; the empty ones are left out."""
        async with self.http.stream("GET", path) as answer:
            if not answer.is_success:
                await answer.aread()
                _content(answer)
            yield _full_lines(answer)


class TableSocket:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[bytes] = []
        """All that came, as it came, but for heartbeats and who is there."""
        self.gone: list[int] | None = None
        """The seats of people who are not connected, as far as it was told."""

    async def hear(self) -> Json | None:
        """The next message, if it is one that has a number."""
        frame = await asyncio.wait_for(self.socket.recv(decode=False), TIMEOUT)
        message: Json = msgspec.json.decode(frame)
        if message["type"] == "Presence":
            self.gone = [gone["seat"] for gone in message["gone"]]
        if message["type"] in ("Presence", "Heartbeat"):
            return None
        self.frames.append(frame)
        return message

    async def next(self) -> Json:
        """The next message that has a number."""
        while (message := await self.hear()) is None:
            pass
        return message

    async def until(self, is_last: Callable[[Json], bool]) -> list[Json]:
        """Messages up to one with this property."""
        messages = [await self.next()]
        while not is_last(messages[-1]):
            messages.append(await self.next())
        return messages

    async def until_number(self, n: int) -> list[Json]:
        return await self.until(lambda message: message["n"] >= n)


def _content(answer: httpx.Response) -> Any:
    if answer.is_success:
        return msgspec.json.decode(answer.content) if answer.content else None
    error = msgspec.json.decode(answer.content)["error"]
    kind = Overtaken if answer.status_code == 409 else ServerRefused
    raise kind(answer.status_code, error["code"], error["message"])


async def _full_lines(answer: httpx.Response) -> AsyncIterator[bytes]:
    async for line in answer.aiter_lines():
        if line:
            yield line.encode()


# -- playing ----------------------------------------------------------------------------------------------------------


def any_action(legal: Sequence[Json], rng: Random) -> Json:
    """First what kind of action, then which one, as `playing.pick_action` does it."""

    def kind(action: Json) -> tuple[str, str]:
        return action["type"], action.get("use", {}).get("type", "")

    chosen = pick(rng, list(dict.fromkeys(map(kind, legal))))
    return pick(rng, [action for action in legal if kind(action) == chosen])


def asks(situation: Json) -> bool:
    """Is the reader of this situation waited for?"""
    return situation["you"] in [waiting["seat"] for waiting in situation["waiting"]]


async def play_on(people: Iterable[Person], table: str, rng: Random, steps: int | None = None) -> Json:
    """Let these people decide anything whenever they are waited for, until the match is over or so many decisions are
    made; the last situation that one of them saw."""
    made, people = 0, list(people)
    while True:
        idle = True
        for person in people:
            situation = await person.situation(table)
            if situation["phase"] != "playing" or made == steps:
                return situation
            if asks(situation):
                with suppress(Overtaken):
                    await person.act(table, any_action(situation["legal"], rng), situation["decision"])
                made, idle = made + 1, False
        if idle:
            await asyncio.sleep(0.01)


# -- houses ------------------------------------------------------------------------------------------------------------
# Servers on one database and the people who come to them; refusals and goodbyes that a test expects.


class House:
    """One server, or two on the same database; people who come are at the first, `elsewhere` is the other."""

    def __init__(self, database: str, servers: list[LiveServer]) -> None:
        self.database, self.servers = database, servers
        self._people: list[Person] = []

    async def come(self, *names: str) -> list[Person]:
        people = [Person(self.servers[0].url) for _ in names]
        self._people += people
        return [await person.come_in(name) if name else person for person, name in zip(people, names, strict=True)]

    def elsewhere(self, person: Person) -> Person:
        other = person.at(self.servers[-1].url)
        other.http.cookies = dict(person.http.cookies)
        self._people.append(other)
        return other

    def program(self, token: str) -> Person:
        """At the other server."""
        program = Person(self.servers[-1].url, token)
        self._people.append(program)
        return program

    def restart(self) -> None:
        if self.database != "memory":
            for server in self.servers:
                server.restart()

    async def everything(self) -> str:
        """All that the database holds, as text; nothing that must not be in it may be found here."""
        store = make_store(self.database)
        await store.open()
        try:
            return "\n".join([repr(row) async for row in store.export()])
        finally:
            await store.close()

    async def close(self) -> None:
        for person in self._people:
            await person.close()


async def refused(code: str, asking: Any) -> None:
    """What is asked for must be refused with this code."""
    try:
        await asking
    except ServerRefused as error:
        found = error.code
    else:
        found = "done"
    assert found == code


async def goodbye(socket: TableSocket) -> str:
    """The code with which a socket ends; whatever else comes before."""
    message = await socket.next()
    while message["type"] != "Refused":
        message = await socket.next()
    with suppress(ConnectionClosed):
        while await socket.hear() is None:
            pass
    assert socket.socket.close_code == REFUSED
    code: str = message["error"]["code"]
    return code
