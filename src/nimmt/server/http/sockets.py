"""What happens at a table, live: a WebSocket for browsers and newline-delimited JSON for programs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import aclosing, contextmanager, suppress
from itertools import chain
from typing import Annotated, Any

import msgspec
from litestar import WebSocket, get, websocket
from litestar.datastructures import State
from litestar.exceptions import WebSocketDisconnect
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream

from nimmt.server.http.auth import Asking, known_guest, platform, spectator
from nimmt.server.http.errors import Code, ErrorBody, Refused
from nimmt.server.http.openapi import SIGNED_IN, SPECTATOR
from nimmt.server.http.security import address_of, foreign_origin, origin_allowed
from nimmt.server.hub import Subscription
from nimmt.server.limits import Meter, Timed, meter_of
from nimmt.server.people.guests import Guest
from nimmt.server.people.sessions import Watch
from nimmt.server.platform import Platform
from nimmt.server.tables import messages as m
from nimmt.server.tables import projection
from nimmt.server.tables.commands import guest_topic
from nimmt.server.tables.presence import presence_topic
from nimmt.server.tables.table import Table
from nimmt.store import StoreError

Socket = WebSocket[Any, Any, State]

HEARTBEAT = 20.0
"""Seconds of silence after which a stream says that it is still there, and looks whether it missed anything."""
HEARTBEAT_MESSAGE = b'{"type":"Heartbeat"}'
FAR_BEHIND = 50
"""Who has missed more messages than that gets a snapshot; `…/updates` has the rest, in portions."""
MAX_DELAY = 5.0
"""Seconds after which somebody is told even if they have had too much."""
FRAMES_IN_20_SECONDS = 50
REFUSED = 4000
"""The code with which a socket is closed after it was told why."""
NDJSON = "application/x-ndjson"
AT_ONCE = {"cache-control": "no-store, no-transform", "x-accel-buffering": "no"}
"""Proxies must pass on every line when it comes, not wait for more to send or to pack."""

_encode = msgspec.json.Encoder().encode


class Told:
    """How far somebody has been told of a table."""

    def __init__(self, reader: Guest | None, address: str, after: int | None, updates: projection.Updates) -> None:
        self.reader, self.address = reader, address
        self.guest = reader.id if reader else None
        self._updates = updates
        self._n = after
        self._gone: tuple[m.Gone, ...] | None = None

    def news(self, table: Table, muted: frozenset[str]) -> Iterator[bytes]:
        """What they do not know yet: everything since the number they know; how things are now if they know nothing, or
        so little that nobody would look at it piece by piece."""
        if self._n is None or not 0 <= table.version - self._n <= FAR_BEHIND:
            self._n = table.version
            yield _encode(projection.snapshot(table, self.guest, muted))
        while self._n < table.version:
            # One by one: somebody may be far behind and take in slowly.
            self._n += 1
            yield self._updates.get(table, self.guest, self._n, muted)

    def presence(self, message: m.Presence) -> Iterator[bytes]:
        """Who is there, if that is news."""
        if message.gone != self._gone:
            self._gone = message.gone
            yield _encode(message)


@contextmanager
def _counted(here: Platform, address: str) -> Iterator[None]:
    limits = here.limits
    limits.sockets.enter(address)
    try:
        limits.all_sockets.enter("all")
        try:
            yield
        finally:
            limits.all_sockets.leave("all")
    finally:
        limits.sockets.leave(address)


async def _next_look(
    here: Platform, table_id: str, subscription: Subscription, seconds: float, meter: Meter
) -> tuple[Table, bool]:
    """The table when something has happened, or after so many seconds of silence; and whether there was silence.

    Then the log is read, come what may: word of a change may have been lost. Who has had too much is told later, and
    then perhaps with a snapshot.
    """
    changed = await subscription.wait(seconds)
    if delay := min(meter.wait(), MAX_DELAY):
        await asyncio.sleep(delay)
    if changed:
        return await here.tables.follow(table_id), False
    return await here.tables.load(table_id), True


@websocket("/api/tables/{table_id:str}/socket")
async def table_socket(
    socket: Socket, table_id: FromPath[str], after: Annotated[int | None, QueryParameter(ge=0, le=2**31)] = None
) -> None:
    """A snapshot, or all that happened behind message `after`; then everything that happens."""
    here, address = platform(socket), address_of(socket)
    await socket.accept()
    try:
        here.bans.require_address(address)
        if not origin_allowed(socket.headers.get("origin"), socket.headers.get("host"), here.settings):
            raise foreign_origin(socket.headers.get("origin"), here.settings)
        here.limits.address.spend(address)
        meter_of(socket).check()
        with _counted(here, address):
            await _serve(socket, here, table_id, Told(await spectator(socket), address, after, here.updates))
    except Refused as error:
        await _say_goodbye(socket, error)
    except StoreError as error:
        here.health.failed(error)
        await _say_goodbye(socket, Refused(Code.UNAVAILABLE, "The server cannot reach its database at the moment."))
    except Gone:
        pass


async def _serve(socket: Socket, here: Platform, table_id: str, told: Told) -> None:
    topics = (table_id, presence_topic(table_id))
    with (
        here.presence.connected(table_id, told.guest),
        here.hub.subscribe(*topics) as subscription,
        here.sessions.watched(told.reader, told.address, subscription) as watch,
    ):
        table, quiet = await here.tables.load(table_id), False
        listener = asyncio.create_task(_listen(socket))
        listener.add_done_callback(lambda _: subscription.wake())
        try:
            while not listener.done():
                await watch.check()
                muted = await here.shunning.muted(told.guest)
                for message in chain(told.news(table, muted), told.presence(here.presence.message(table))):
                    await watch.check()
                    await _send(socket, message)
                    await asyncio.sleep(0)  # others have their turn, however much there is to tell
                    quiet = False
                if quiet:
                    await _send(socket, HEARTBEAT_MESSAGE)
                table, quiet = await _next_look(here, table_id, subscription, HEARTBEAT, meter_of(socket))
            listener.result()
        finally:
            listener.cancel()
            # What it had still to say matters to nobody any more, but somebody must have listened.
            await asyncio.gather(listener, return_exceptions=True)


class Gone(Exception):
    """Nobody listens at this socket any more."""


async def _send(socket: Socket, message: bytes) -> None:
    try:
        await socket.send_data(message, mode="text")
    except (WebSocketDisconnect, OSError, RuntimeError) as error:
        raise Gone from error


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


async def _say_goodbye(socket: Socket, error: Refused) -> None:
    message = {"type": "Refused", "error": ErrorBody(error.code, str(error), error.retry_after)}
    with suppress(Gone, WebSocketDisconnect, OSError, RuntimeError):
        await _send(socket, _encode(message))
        await socket.close(code=REFUSED, reason=error.code)


# -- streams for programs --------------------------------------------------------------------------


@get("/api/stream/tables/{table_id:str}", media_type=NDJSON, tags=["bots"], security=SPECTATOR)
async def stream_table(
    request: Asking, table_id: FromPath[str], after: Annotated[int | None, QueryParameter(ge=0, le=2**31)] = None
) -> Stream:
    """The same messages as the socket, one JSON object a line; an empty line now and then says that all is well."""
    guest, here = await spectator(request), platform(request)
    await here.tables.load(table_id)
    told, meter = Told(guest, address_of(request), after, here.updates), meter_of(request)
    return _stream(request, _lines(here, table_id, told, meter))


@get("/api/stream/events", media_type=NDJSON, tags=["bots"], security=SIGNED_IN)
async def stream_events(request: Asking) -> Stream:
    """Matches of yours that are being played, and from then on whenever one begins or ends; one JSON object a line."""
    guest = await known_guest(request, "read")
    return _stream(request, _event_lines(platform(request), address_of(request), guest))


def _stream(request: Asking, lines: AsyncGenerator[bytes, None]) -> Stream:
    """Refuses while it can still be said in an answer; what is counted is the stream itself, when it begins."""
    limits = platform(request).limits
    limits.sockets.check(address_of(request))
    limits.all_sockets.check("all")
    return Stream(_metered(lines, meter_of(request)), media_type=NDJSON, headers=AT_ONCE)


async def _metered(lines: AsyncGenerator[bytes, None], meter: Meter) -> AsyncIterator[bytes]:
    """A stream goes on in a task of its own, behind the back of what measures requests. One that cannot go on ends:
    there is no saying why in the midst of it, but whoever asks again is told."""
    with suppress(StoreError, Refused):
        async with aclosing(lines):
            while (line := await Timed(anext(lines, None), meter.charge_work)) is not None:
                yield line


async def _lines(here: Platform, table_id: str, told: Told, meter: Meter) -> AsyncGenerator[bytes, None]:
    with (
        _counted(here, told.address),
        here.presence.connected(table_id, told.guest),
        here.hub.subscribe(table_id) as subscription,
        here.sessions.watched(told.reader, told.address, subscription) as watch,
    ):
        table, quiet = await here.tables.load(table_id), False
        while await _is_let_in(watch):
            for message in told.news(table, await here.shunning.muted(told.guest)):
                if not await _is_let_in(watch):
                    return
                yield message + b"\n"
                quiet = False
            if quiet:
                yield b"\n"
            if table.phase == "closed" or (table.phase == "over" and table.rematch):
                return
            table, quiet = await _next_look(here, table_id, subscription, HEARTBEAT / 3, meter)


async def _is_let_in(watch: Watch) -> bool:
    """A stream just ends; whoever asks for it again is told why."""
    try:
        await watch.check()
    except Refused:
        return False
    return True


async def _event_lines(here: Platform, address: str, guest: Guest) -> AsyncGenerator[bytes, None]:
    known: dict[str, str] = {}
    with (
        _counted(here, address),
        here.hub.subscribe(guest_topic(guest.id)) as subscription,
        here.sessions.watched(guest, address, subscription) as watch,
    ):
        while await _is_let_in(watch):
            for table_id, listing in reversed(await here.store.tables_of(guest.id, 100)):
                if known.get(table_id) != listing.phase and (listing.phase == "playing" or table_id in known):
                    kind = {"playing": "MatchBegun", "over": "MatchOver"}.get(listing.phase)
                    if kind:
                        yield _encode({"type": kind, "table": table_id, "game": listing.game}) + b"\n"
                known[table_id] = listing.phase
            if not await subscription.wait(HEARTBEAT / 3):
                yield b"\n"
