"""What may come in before the application sees any of it. uvicorn's own protocols set no such limits."""

from __future__ import annotations

import asyncio
from asyncio import TimerHandle
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

from nimmt.server.connections import Connections

LARGEST_HEAD = 64 * 1024
FIRST_SECONDS = 10.0
"""A connection on which nothing at all has come by then is closed."""
REQUEST_SECONDS = 20.0
READING_SECONDS = 30.0
MOST_AHEAD = 50
PINGS_IN_20_SECONDS = 50
MOST_FRAGMENTS = 50


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
            if self._head > LARGEST_HEAD:
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
        if len(self.pipeline) < MOST_AHEAD:
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
        if len(self.frames) >= MOST_FRAGMENTS:
            self.transport.abort()
        else:
            super().handle_cont(event)
