"""Between people and processes: requests, sockets and streams of the real application, without a network card.

The application is called as a web server calls it (ASGI), so routes, cookies, errors and the loops that serve sockets
are the real ones. What lies between loses, delays and breaks off.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec
from litestar.datastructures import State
from litestar.types import ASGIApp

from nimmt.server.app import create_app
from nimmt.server.limits import Metered
from nimmt.server.monitoring import Door
from nimmt.server.settings import Settings
from nimmt.testing.servers import UNLIMITED
from nimmt.testing.simulation.process import HERE, Process

if TYPE_CHECKING:
    from nimmt.testing.simulation.world import World

Json: TypeAlias = dict[str, Any]
Headers: TypeAlias = list[tuple[bytes, bytes]]

SERVER_ERROR = 4500
"""The code with which the application closes a socket whose handler has failed."""
TIMEOUT = 30.0
"""Seconds after which somebody gives up waiting for an answer."""


class NoAnswer(Exception):
    """Whether it was done or not: nobody knows."""


class _PlatformHere(State):
    """The platform of the process in which a request is being handled: one application serves them all."""

    def __getattr__(self, name: str) -> Any:
        here = HERE.get()
        if name == "platform" and here is not None:
            return here.platform
        return super().__getattr__(name)


def settings(workers: int) -> Settings:
    usual: Json = {"database": "memory", "warm_up": False, "max_sockets": 1_000_000, "workers": workers}
    # Worlds may last for years, and nobody in them wants to be forgotten.
    usual["keep_guest_days"] = 100_000
    return Settings(**(usual | UNLIMITED))


@cache
def application() -> ASGIApp:
    """Made once: it takes half a second, and all that it knows of a world is in the platforms."""
    app = create_app(settings(1))
    app.state = _PlatformHere()
    return Door(Metered(app))


class Answer(msgspec.Struct, frozen=True):
    status: int
    content: bytes
    cookie: str

    def json(self) -> Any:
        return msgspec.json.decode(self.content)


def _scope(kind: str, target: str, headers: Headers, **more: str) -> Json:
    path, _, query = target.partition("?")
    return {
        **more,
        "type": kind,
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(b"host", b"sim"), *headers],
        "client": ("10.0.0.1", 1),
        "server": ("sim", 80),
        "subprotocols": [],
        "state": {},
        "extensions": {},
    }


class _Call:
    """One request on its way: the answer, or that nobody will ever answer."""

    def __init__(self, process: Process, body: bytes) -> None:
        self.process, self.body = process, body
        self.done: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._status, self._cookie, self._content, self._asked = 0, "", b"", False

    async def run(self, scope: Json) -> None:
        try:
            await application()(scope, self._receive, self._send)  # type: ignore[arg-type]
        except Exception as error:
            self.process.world.broken(f"a request ended in {type(error).__name__}: {error}")

    async def _receive(self) -> Json:
        if self._asked:
            await asyncio.get_running_loop().create_future()
        self._asked = True
        return {"type": "http.request", "body": self.body, "more_body": False}

    async def _send(self, message: Json) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            found = [value for name, value in message["headers"] if name.lower() == b"set-cookie"]
            self._cookie = found[0].decode().partition(";")[0] if found else ""
        else:
            self._content += message.get("body", b"")
            if not message.get("more_body") and not self.done.done():
                self.done.set_result(Answer(self._status, self._content, self._cookie))

    def lost(self) -> None:
        if not self.done.done():
            self.done.set_exception(NoAnswer("The process died."))


async def request(world: World, method: str, target: str, body: Any, headers: Headers) -> Answer:
    """Ask any process that is up; raises `NoAnswer`."""
    weather = world.weather
    await asyncio.sleep(weather.way())
    process = world.any_process()
    if process is None or weather.happens("requests are lost"):
        await asyncio.sleep(weather.rng.random() * 3)
        raise NoAnswer("Nobody heard it.")
    content = b"" if body is None else msgspec.json.encode(body)
    if content:
        headers = [*headers, (b"content-type", b"application/json"), (b"content-length", b"%d" % len(content))]
    call = _Call(process, content)
    process.connect(call.lost)
    process.run(call.run(_scope("http", target, headers, method=method)))
    try:
        async with asyncio.timeout(TIMEOUT):
            answer = await call.done
    except TimeoutError:
        raise NoAnswer("It takes too long.") from None
    finally:
        process.disconnect(call.lost)
    await asyncio.sleep(weather.way())
    if weather.happens("answers are lost"):
        raise NoAnswer("The answer was lost.")
    if answer.status == 500:
        world.broken(f"{method} {target} answers with {answer.content.decode()}")
    return answer


class Wire:
    """A socket or stream from its reader's side: messages in order, until it breaks."""

    def __init__(self, world: World, process: Process) -> None:
        self.world, self.process = world, process
        self.is_open = True
        self._loop = asyncio.get_running_loop()
        self._inbox: deque[bytes] = deque()
        self._news = asyncio.Event()
        self._arrival = 0.0
        self._hung_up: asyncio.Future[None] = self._loop.create_future()
        self._begun = False

    async def next(self) -> bytes | None:
        """The next message; None when nothing comes any more."""
        while not self._inbox:
            if not self.is_open:
                return None
            self._news.clear()
            await self._news.wait()
        return self._inbox.popleft()

    def deliver(self, message: bytes) -> None:
        """Takes a while, and nothing overtakes anything."""
        if self.is_open and self.process.is_alive:
            self._arrival = max(self._arrival + 1e-6, self._loop.time() + self.world.weather.way())
            self._loop.call_at(self._arrival, self._arrive, message)

    def _arrive(self, message: bytes) -> None:
        if self.is_open:
            self._inbox.append(message)
            self._news.set()

    def end(self) -> None:
        """The server has hung up, or died."""
        self._loop.call_at(max(self._arrival, self._loop.time()) + 0.001, self.cut, 0.0)

    def cut(self, server_learns_after: float) -> None:
        """Nothing arrives any more. The server learns of it at once, or when it misses a sign of life."""
        if self.is_open:
            self.is_open = False
            self.process.disconnect(self.end)
            self._news.set()
            self.world.lines.pop(self, None)
            self._loop.call_later(server_learns_after, self.hang_up)

    def hang_up(self) -> None:
        if not self._hung_up.done():
            self._hung_up.set_result(None)

    @property
    def is_known_broken(self) -> bool:
        return self._hung_up.done()

    async def wait_for_end(self) -> None:
        await asyncio.shield(self._hung_up)

    async def pause(self) -> None:
        """A reader that does not read: what is sent waits."""
        if self.world.weather.happens("readers are slow"):
            await asyncio.sleep(self.world.weather.rng.random() * 5)


async def _run_socket(line: Wire, scope: Json) -> None:
    begun = False

    async def receive() -> Json:
        nonlocal begun
        if not begun:
            begun = True
            return {"type": "websocket.connect"}
        await line.wait_for_end()
        return {"type": "websocket.disconnect", "code": 1006}

    async def send(message: Json) -> None:
        if message["type"] == "websocket.send":
            if line.is_known_broken:
                raise OSError("The simulated socket is closed.")
            await line.pause()
            line.deliver((message.get("text") or "").encode() or message.get("bytes") or b"")
        elif message["type"] == "websocket.close":
            if message["code"] == SERVER_ERROR:
                line.world.broken(f"a socket is closed with {message}")
            line.end()

    await _serve(line, scope, receive, send)


async def _run_stream(line: Wire, scope: Json) -> None:
    begun, rest = False, b""

    async def receive() -> Json:
        nonlocal begun
        if not begun:
            begun = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await line.wait_for_end()
        return {"type": "http.disconnect"}

    async def send(message: Json) -> None:
        nonlocal rest
        if message["type"] == "http.response.body" and not line.is_known_broken:
            *lines, rest = (rest + message.get("body", b"")).split(b"\n")
            for one in lines:
                await line.pause()
                if one:
                    line.deliver(one)
            if not message.get("more_body"):
                line.hang_up()  # web servers tell the application so when it has said all

    await _serve(line, scope, receive, send)


async def _serve(line: Wire, scope: Json, receive: Callable[..., Any], send: Callable[..., Any]) -> None:
    try:
        await application()(scope, receive, send)  # type: ignore[arg-type]
    except Exception as error:
        line.world.broken(f"a line ended in {type(error).__name__}: {error} {error.__cause__!r}")
    finally:
        line.end()


async def connect(world: World, table: str, after: int | None, headers: Headers, stream: bool) -> Wire | None:
    """Follow a table at any process that is up."""
    await asyncio.sleep(world.weather.way())
    process = world.any_process()
    if process is None:
        return None
    line = Wire(world, process)
    world.lines[line] = None
    process.connect(line.end)
    query = "" if after is None else f"?after={after}"
    if stream:
        scope = _scope("http", f"/api/stream/tables/{table}{query}", headers, method="GET")
        process.run(_run_stream(line, scope))
    else:
        scope = _scope("websocket", f"/api/tables/{table}/socket{query}", headers)
        process.run(_run_socket(line, scope))
    return line
