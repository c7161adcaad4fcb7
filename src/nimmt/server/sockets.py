"""What happens at a table, live: a WebSocket for browsers and newline-delimited JSON for programs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, contextmanager
from typing import Annotated, Any

import msgspec
from litestar import Request, WebSocket, get, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect
from litestar.params import Parameter
from litestar.response import Stream

from nimmt.server import telling
from nimmt.server.api import COOKIE, known_guest, maybe_guest, require
from nimmt.server.guests import Guest
from nimmt.server.platform import Platform
from nimmt.server.refusals import Code, Refused
from nimmt.server.security import origin_allowed
from nimmt.server.table import Table
from nimmt.server.tables import guest_topic
from nimmt.store import StoreError

Socket = WebSocket[Any, Any, State]

HEARTBEAT = 20.0
"""Seconds of silence after which a stream says that it is still there, and looks whether it missed anything."""
LARGEST_FRAME = 4096
FRAMES_IN_20_SECONDS = 50
REFUSED, TOO_MUCH, GONE = 4000, 1008, 1001

_encode = msgspec.json.Encoder().encode


class Told:
    """How far somebody has been told of a table."""

    def __init__(self, guest: Guest | None, after: int | None) -> None:
        self._guest = guest.id if guest else None
        self._n = after

    def news(self, table: Table) -> list[bytes]:
        """What they do not know yet: everything since the number they know, or how things are if they know nothing."""
        if self._n is None or self._n > table.version:
            snapshot = telling.snapshot(table, self._guest)
            self._n = snapshot.n
            return [_encode(snapshot)]
        news = telling.updates(table, self._guest, self._n)
        self._n = max(self._n, table.version)
        return [_encode(update) for update in news]


@contextmanager
def _counted(platform: Platform, address: str):  # type: ignore[no-untyped-def]
    limits = platform.limits
    limits.sockets.enter(address)
    try:
        limits.all_sockets.enter("all")
        try:
            yield
        finally:
            limits.all_sockets.leave("all")
    finally:
        limits.sockets.leave(address)


@websocket("/api/tables/{table_id:str}/socket")
async def table_socket(
    socket: Socket, table_id: str, after: Annotated[int | None, Parameter(ge=0, le=2**31)] = None
) -> None:
    """A snapshot, or all that happened behind message `after`; then everything that happens."""
    platform: Platform = socket.app.state.platform
    address = socket.client.host if socket.client else "unknown"
    await socket.accept()
    try:
        if not origin_allowed(socket.headers.get("origin"), socket.headers.get("host"), platform.settings):
            raise Refused(Code.FOREIGN_ORIGIN, "This page may not use this server.")
        platform.limits.address.spend(address)
        with _counted(platform, address):
            guest = await platform.guests.from_cookie(socket.cookies.get(COOKIE))
            await _serve(socket, platform, table_id, Told(guest, after))
    except Refused as error:
        await _say_goodbye(socket, REFUSED, error.code, str(error))
    except StoreError:
        await _say_goodbye(socket, REFUSED, Code.UNAVAILABLE, "The server cannot reach its database at the moment.")


async def _serve(socket: Socket, platform: Platform, table_id: str, told: Told) -> None:
    await platform.tables.load(table_id)
    with platform.hub.subscribe(table_id) as subscription:
        listener = asyncio.create_task(_listen(socket))
        listener.add_done_callback(lambda _: subscription.wake())
        try:
            while not listener.done():
                table = await platform.tables.follow(table_id)
                for message in told.news(table):
                    await socket.send_data(message, mode="text")
                if not await subscription.wait(HEARTBEAT):
                    await socket.send_data(b'{"type":"Heartbeat"}', mode="text")
            listener.result()
        except WebSocketDisconnect:
            pass
        finally:
            listener.cancel()


async def _listen(socket: Socket) -> None:
    """Browsers have nothing to say here: commands go by HTTP. A few frames are forgiven, a flood is not."""
    loop, frames, since = asyncio.get_running_loop(), 0, 0.0
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return
        now = loop.time()
        frames, since = (frames + 1, since) if now - since < 20 else (1, now)
        if frames > FRAMES_IN_20_SECONDS:
            raise Refused(Code.TOO_MANY, "Too many frames.")


async def _say_goodbye(socket: Socket, close_code: int, code: str, sentence: str) -> None:
    message = {"type": "Refused", "error": {"code": str(code), "message": sentence}}
    try:
        await socket.send_data(_encode(message), mode="text")
        await socket.close(code=close_code, reason=str(code))
    except (RuntimeError, WebSocketDisconnect):
        pass


# -- streams for programs --------------------------------------------------------------------------


@get("/api/stream/tables/{table_id:str}", media_type="application/x-ndjson", tags=["bots"])
async def stream_table(
    request: Request[Any, Any, State], table_id: str, after: Annotated[int | None, Parameter(ge=0, le=2**31)] = None
) -> Stream:
    """The same messages as the socket, one JSON object a line; an empty line now and then says that all is well."""
    guest = await maybe_guest(request)
    if guest:
        require(guest, "read")
    platform: Platform = request.app.state.platform
    await platform.tables.load(table_id)
    return Stream(_lines(platform, request, table_id, Told(guest, after)), media_type="application/x-ndjson")


@get("/api/stream/events", media_type="application/x-ndjson", tags=["bots"])
async def stream_events(request: Request[Any, Any, State]) -> Stream:
    """Matches of yours that are being played, and from then on whenever one begins or ends; one JSON object a line."""
    guest = await known_guest(request)
    require(guest, "read")
    return Stream(_event_lines(request.app.state.platform, request, guest), media_type="application/x-ndjson")


@asynccontextmanager
async def _stream(platform: Platform, request: Request[Any, Any, State], topic: str):  # type: ignore[no-untyped-def]
    address = request.client.host if request.client else "unknown"
    with _counted(platform, address), platform.hub.subscribe(topic) as subscription:
        yield subscription


async def _lines(
    platform: Platform, request: Request[Any, Any, State], table_id: str, told: Told
) -> AsyncIterator[bytes]:
    async with _stream(platform, request, table_id) as subscription:
        while True:
            table = await platform.tables.follow(table_id)
            for message in told.news(table):
                yield message + b"\n"
            if table.phase == "closed" or (table.phase == "over" and table.rematch):
                return
            if not await subscription.wait(HEARTBEAT / 3):
                yield b"\n"


async def _event_lines(platform: Platform, request: Request[Any, Any, State], guest: Guest) -> AsyncIterator[bytes]:
    known: dict[str, str] = {}
    async with _stream(platform, request, guest_topic(guest.id)) as subscription:
        while True:
            for table_id, listing in reversed(await platform.store.tables_of(guest.id, 100)):
                if known.get(table_id) != listing.phase and (listing.phase == "playing" or table_id in known):
                    kind = {"playing": "MatchBegun", "over": "MatchOver"}.get(listing.phase)
                    if kind:
                        yield _encode({"type": kind, "table": table_id, "game": listing.game}) + b"\n"
                known[table_id] = listing.phase
            if not await subscription.wait(HEARTBEAT / 3):
                yield b"\n"
