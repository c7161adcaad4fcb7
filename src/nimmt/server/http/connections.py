"""Who is connected to this process, and what may come in before the application sees any of it."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from asyncio import TimerHandle
from collections import Counter
from ipaddress import ip_address, ip_network
from itertools import chain
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from nimmt.server.http.security import network

# -- connections -------------------------------------------------------------------------------------------------------
# Who is connected to this process, before any request is read. Whoever waits for nothing makes way for others.

if sys.platform != "win32":  # which has no such limit
    import resource

log = logging.getLogger("nimmt.server")

RESERVED = 100
"""Descriptors for everything but connections: the database, bots, what is being opened and closed."""
MAX_DESCRIPTORS = 1_048_576
SWEEP_SECONDS = 30.0
"""Who was hung up on and has not taken in the rest by then is cut off."""
LOG_SECONDS = 60.0


def raise_descriptor_limit() -> int:
    """Every connection takes a descriptor, and systems start programs with few: take all that may be had.

    Returns how many connections a process can have.
    """
    if sys.platform == "win32":
        return MAX_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (OSError, ValueError) as error:
            log.warning(
                "the limit on file descriptors could not be raised", extra={"limit": soft, "reason": str(error)}
            )
    there = MAX_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
    return there - min(RESERVED, there // 4)


class Connections:
    """Counts connections by address and in all. Where there are too many the longest idle one goes, first of those that
    never asked for anything; if none is idle, the new one is turned away. `proxies` bring the people of many addresses:
    they are only counted in all."""

    def __init__(self, most: int, per_address: int, proxies: str = "") -> None:
        self.most, self.per_address = most, per_address
        self._proxies = [word.strip() for word in proxies.split(",") if word.strip()]
        self._address: dict[asyncio.Transport, str | None] = {}
        self._counts: Counter[str] = Counter()
        self._silent: dict[asyncio.Transport, None] = {}
        """Those that never asked for anything, the oldest first."""
        self._idle: dict[asyncio.Transport, None] = {}
        """Those that have been answered, the longest idle first."""
        self._closing: set[asyncio.Transport] = set()
        self._sweeping: asyncio.TimerHandle | None = None
        self._turned_away, self._logged = 0, float("-inf")

    @property
    def total(self) -> int:
        return len(self._address)

    def enter(self, transport: asyncio.Transport, host: str) -> bool:
        """Whether there is room for one more; it is idle until it asks for something."""
        address = None if self._is_proxy(host) else network(host)
        if not self._make_room(address):
            self._note_turned_away()
            return False
        self._address[transport] = address
        self._silent[transport] = None
        if address is not None:
            self._counts[address] += 1
        if self._sweeping is None:
            self._sweep()
        return True

    def leave(self, transport: asyncio.Transport) -> None:
        self._silent.pop(transport, None)
        self._idle.pop(transport, None)
        self._closing.discard(transport)
        address = self._address.pop(transport, None)
        if address is not None:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]

    def set_idle(self, transport: asyncio.Transport, idle: bool) -> None:
        self._silent.pop(transport, None)
        self._idle.pop(transport, None)
        if idle and transport in self._address:
            self._idle[transport] = None

    def _make_room(self, address: str | None) -> bool:
        if address is not None and self._counts[address] >= self.per_address:
            # Others of the same address only: nobody can make the connections of somebody else go like this.
            return self._send_away_idle(address)
        return self.total < self.most or self._send_away_idle(None)

    def _send_away_idle(self, address: str | None) -> bool:
        for transport in chain(self._silent, self._idle):
            if address is None or self._address[transport] == address:
                self.leave(transport)
                transport.abort()
                return True
        return False

    def _is_proxy(self, host: str) -> bool:
        return any(word in ("*", host) or _is_within(host, word) for word in self._proxies)

    def _note_turned_away(self) -> None:
        """One line a minute however many come: nobody should be able to fill the log."""
        self._turned_away += 1
        now = time.monotonic()
        if now - self._logged >= LOG_SECONDS:
            self._logged, count, self._turned_away = now, self._turned_away, 0
            log.warning("too many connections; some are turned away", extra={"count": count, "open": self.total})

    def _sweep(self) -> None:
        """A connection that was closed waits until its end has taken in the rest, which may be never."""
        for transport in [*self._closing]:
            transport.abort()
        self._closing = {transport for transport in self._address if transport.is_closing()}
        if self._turned_away and time.monotonic() - self._logged >= LOG_SECONDS:
            self._turned_away -= 1
            self._note_turned_away()
        again = bool(self._address or self._turned_away)
        self._sweeping = asyncio.get_running_loop().call_later(SWEEP_SECONDS, self._sweep) if again else None


def _is_within(host: str, word: str) -> bool:
    try:
        return ip_address(host) in ip_network(word, strict=False)
    except ValueError:
        return False


# -- protocols ---------------------------------------------------------------------------------------------------------
# What may come in before the application sees any of it. uvicorn's own protocols set no such limits.

MAX_HEAD = 64 * 1024
FIRST_SECONDS = 10.0
"""A connection on which nothing at all has come by then is closed."""
REQUEST_SECONDS = 20.0
READING_SECONDS = 30.0
MAX_AHEAD = 50
PINGS_IN_20_SECONDS = 50
MAX_FRAGMENTS = 50


_FULL = b'{"error":{"code":"too_many","message":"There are too many connections.","retry_after":5}}'
FULL = (
    b"HTTP/1.1 429 Too Many Requests\r\ncontent-type: application/json\r\nretry-after: 5\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%s" % (len(_FULL), _FULL)
)


class LimitedConfig(uvicorn.Config):
    """Carries what all connections of a process share."""

    open_connections: Connections


class Connected(asyncio.Protocol):
    """Is counted until it ends. Whoever does not take in what is sent is cut off: it would be kept in memory for as
    long as they please."""

    config: LimitedConfig
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _unread: TimerHandle | None = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread = self.loop.call_later(READING_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        self._stop_waiting_for_reader()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting_for_reader()
        self.config.open_connections.leave(self.transport)
        super().connection_lost(exc)

    def _stop_waiting_for_reader(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


class LimitedHttp(Connected, HttpToolsProtocol):
    """Lines and headers end some time, and a request is there as a whole within seconds."""

    config: LimitedConfig

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._in_head, self._head, self._head_ended = True, 0, False
        self._patience: TimerHandle | None = None
        self._has_begun = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if self.config.open_connections.enter(transport, self.client[0] if self.client else ""):
            self._wait(FIRST_SECONDS)
        else:
            transport.write(FULL)
            transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        was_in_head, self._head_ended = self._in_head, False
        if not self._has_begun:
            self._has_begun = True
            self._wait()
        super().data_received(data)
        # Data in which a head or a body ended is mostly body, and that has a limit of its own.
        if was_in_head and self._in_head and not self._head_ended and not self.transport.is_closing():
            self._head += len(data)
            if self._head > MAX_HEAD:
                self.send_400_response("The head of this request is too large.")

    def handle_websocket_upgrade(self) -> None:
        self._stop_waiting()
        self.config.open_connections.set_idle(self.transport, False)
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        self._wait()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head, self._head, self._head_ended = False, 0, True
        if len(self.pipeline) < MAX_AHEAD:
            super().on_headers_complete()
            self._note_whether_idle()
        elif not self.transport.is_closing():
            # uvicorn reads on after every answer, so that requests sent ahead would pile up without end.
            self.send_400_response("Too many requests at once: wait for the answers.")

    def on_message_complete(self) -> None:
        self._in_head = True
        self._stop_waiting()
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._note_whether_idle()

    def _note_whether_idle(self) -> None:
        """Nothing that was asked for is still to be answered."""
        cycle: RequestResponseCycle | None = self.cycle
        idle = not self.pipeline and (cycle is None or cycle.response_complete)
        self.config.open_connections.set_idle(self.transport, idle)

    def _wait(self, seconds: float = REQUEST_SECONDS) -> None:
        self._stop_waiting()
        self._patience = self.loop.call_later(seconds, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None


class LimitedSocket(Connected, WebSocketsSansIOProtocol):
    """Pings are answered at once, wherever the answers pile up; so there must not be many. Nor of pieces of a message,
    however small they are."""

    config: LimitedConfig

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._pings, self._since = 0, 0.0

    def handle_ping(self) -> None:
        now = self.loop.time()
        self._pings, self._since = (self._pings + 1, self._since) if now - self._since < 20 else (1, now)
        if self._pings > PINGS_IN_20_SECONDS:
            self.transport.abort()
        else:
            super().handle_ping()

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= MAX_FRAGMENTS:
            self.transport.abort()
        else:
            super().handle_cont(event)
