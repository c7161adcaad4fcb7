"""What may come in before the application sees any of it. uvicorn's own protocols set no such limits."""

from __future__ import annotations

import asyncio
from asyncio import TimerHandle
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame

LARGEST_HEAD = 64 * 1024
REQUEST_SECONDS = 20.0
READING_SECONDS = 30.0
MOST_AHEAD = 50
PINGS_IN_20_SECONDS = 50
MOST_FRAGMENTS = 50


class ReadersMustRead(asyncio.Protocol):
    """Whoever does not take in what is sent is cut off: it would be kept in memory for as long as they please."""

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
        super().connection_lost(exc)

    def _stop_waiting_for_reader(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


class LimitedHttp(ReadersMustRead, HttpToolsProtocol):
    """Lines and headers end some time, and a request is there as a whole within seconds."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._in_head, self._head, self._head_ended = True, 0, False
        self._patience: TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        was_in_head, self._head_ended = self._in_head, False
        super().data_received(data)
        # Data in which a head or a body ended is mostly body, and that has a limit of its own.
        if was_in_head and self._in_head and not self._head_ended and not self.transport.is_closing():
            self._head += len(data)
            if self._head > LARGEST_HEAD:
                self.send_400_response("The head of this request is too large.")

    def handle_websocket_upgrade(self) -> None:
        self._stop_waiting()
        super().handle_websocket_upgrade()

    def on_message_begin(self) -> None:
        self._wait()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head, self._head, self._head_ended = False, 0, True
        if len(self.pipeline) < MOST_AHEAD:
            super().on_headers_complete()
        elif not self.transport.is_closing():
            # uvicorn reads on after every answer, so that requests sent ahead would pile up without end.
            self.send_400_response("Too many requests at once: wait for the answers.")

    def on_message_complete(self) -> None:
        self._in_head = True
        self._stop_waiting()
        super().on_message_complete()

    def _wait(self) -> None:
        self._stop_waiting()
        self._patience = self.loop.call_later(REQUEST_SECONDS, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None


class LimitedSocket(ReadersMustRead, WebSocketsSansIOProtocol):
    """Pings are answered at once, wherever the answers pile up; so there must not be many. Nor of pieces of a message,
    however small they are."""

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
