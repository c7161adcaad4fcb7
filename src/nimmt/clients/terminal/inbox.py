"""All that comes in at a table of a server, one after the other: what is typed here, and what the server says."""

from __future__ import annotations

import codecs
import os
import sys
import threading
import time
from collections import deque
from queue import Empty, SimpleQueue
from typing import NamedTuple, TypeAlias

import msgspec
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from nimmt.clients.terminal.screen import Gone, Keyboard
from nimmt.server.tables.messages import Presence, Snapshot, Update

SILENCE_TIMEOUT = 50.0
"""The server says something every 20 seconds; after such a silence the line is dead."""
FIRST_DELAY, LAST_DELAY = 0.4, 8.0
PASSING = frozenset(("too_many", "unavailable", "busy"))
"""Refusals that another try may get past."""


class Typed(NamedTuple):
    """What somebody has typed."""

    text: str


class End(NamedTuple):
    """Nobody types any more."""


class Lost(NamedTuple):
    """The server cannot be reached; it is tried again."""


class Found(NamedTuple):
    """The server is there (again)."""


class TurnedAway(NamedTuple):
    """The server refuses to tell more."""

    code: str
    sentence: str


class Foreign(NamedTuple):
    """The server says what nobody here understands."""

    reason: str


News: TypeAlias = Snapshot | Update | Presence
Item: TypeAlias = Typed | End | Lost | Found | TurnedAway | Foreign | News


class _Heartbeat(msgspec.Struct, frozen=True, tag="Heartbeat", tag_field="type"):
    pass


class _Error(msgspec.Struct, frozen=True):
    code: str
    message: str


class _Refused(msgspec.Struct, frozen=True, tag="Refused", tag_field="type"):
    error: _Error


_decoder = msgspec.json.Decoder(Snapshot | Update | Presence | _Heartbeat | _Refused)


class Inbox(Keyboard):
    """What is typed is read when it is wanted: a pipe gives one line for each question, people type when they like."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[Item] = SimpleQueue()
        self._aside: deque[Item] = deque()
        """What came in while a line was waited for."""
        self._lines: deque[str] = deque()
        self._wanted, self._is_wanted = threading.Semaphore(0), False
        self._is_at_end = False
        self.people_type = sys.stdin.isatty()
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    def put(self, item: Item) -> None:
        self._queue.put(item)

    def get(self, seconds: float | None, *, wants_line: bool) -> Item | None:
        """The next thing that comes in; None if nothing does for so long."""
        if self._aside:
            return self._aside.popleft()
        if self._lines and (wants_line or self.people_type):
            return Typed(self._lines.popleft())
        if wants_line or self.people_type:
            self._want()
        return self._take(seconds)

    def recover(self) -> None:
        """After an interrupt, which may have come between a line and its taking: whoever types is read again."""
        self._is_wanted = False

    def forget_table(self) -> None:
        """What is still to be said about a table that was left is no news."""
        while (item := self._take(0)) is not None:
            if isinstance(item, Typed):
                self._lines.append(item.text)
        self._aside.clear()

    # -- as a keyboard ------------------------------------------------------------------------------------------

    def line(self) -> str:
        while True:
            if self._lines:
                return self._lines.popleft()
            self._want()
            item = self._take(None)
            if isinstance(item, Typed):
                return item.text
            if item is not None:
                self._aside.append(item)

    def waits(self, seconds: float) -> bool:
        end = time.monotonic() + seconds
        if self.people_type:
            self._want()
        while not self._lines and (left := end - time.monotonic()) > 0:
            item = self._take(left)
            if isinstance(item, Typed):
                self._lines.append(item.text)
            elif item is not None:
                self._aside.append(item)
        return bool(self._lines)

    def _take(self, seconds: float | None) -> Item | None:
        try:
            item = self._queue.get(timeout=seconds) if seconds != 0 else self._queue.get_nowait()
        except Empty:
            return None
        if isinstance(item, Typed | End):
            self._is_wanted = False
        if isinstance(item, End):
            self._is_at_end = True
            raise Gone
        return item

    def _want(self) -> None:
        if self._is_at_end:
            raise Gone
        if not self._is_wanted:
            self._is_wanted = True
            self._wanted.release()

    def _read(self) -> None:
        """In a thread of its own. Not by way of `sys.stdin`, whose locks would keep the program from ending."""
        decoder, rest = codecs.getincrementaldecoder("utf-8")("replace"), ""
        while True:
            self._wanted.acquire()
            while "\n" not in rest:
                try:
                    data = os.read(sys.stdin.fileno(), 65536)
                except OSError:
                    data = b""
                if not data:
                    break
                rest += decoder.decode(data)
            line, newline, rest = rest.partition("\n")
            self.put(Typed(line) if newline or line else End())


class Follower:
    """Puts the news of a table into an inbox, connects again whenever the line breaks, and asks for what was missed."""

    def __init__(self, server: str, table: str, cookie: str | None, inbox: Inbox) -> None:
        scheme, _, rest = server.partition("://")
        self._url = f"{'wss' if scheme == 'https' else 'ws'}://{rest}/api/tables/{table}/socket"
        self._headers = {"cookie": cookie} if cookie else {}
        self._inbox, self._after = inbox, -1
        self._stopped = threading.Event()
        self._socket: ClientConnection | None = None
        threading.Thread(target=self._follow, name="news", daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()
        if self._socket is not None:
            threading.Thread(target=self._socket.close, daemon=True).start()

    def _put(self, item: Item) -> None:
        if not self._stopped.is_set():
            self._inbox.put(item)

    def _follow(self) -> None:
        delay, is_lost = FIRST_DELAY, False
        while not self._stopped.is_set():
            try:
                after = f"?after={self._after}" if self._after >= 0 else ""
                with connect(f"{self._url}{after}", additional_headers=self._headers, max_size=None) as socket:
                    self._socket = socket
                    if is_lost:
                        self._put(Found())
                    delay, is_lost = FIRST_DELAY, False
                    while not self._stopped.is_set():
                        self._hear(socket.recv(timeout=SILENCE_TIMEOUT))
            except (OSError, TimeoutError, WebSocketException) as error:
                self._socket = None
                if isinstance(error, InvalidStatus) and error.response.status_code in (403, 404):
                    self._put(TurnedAway("not_found", str(error)))
                    return
                if not is_lost:
                    self._put(Lost())
                is_lost = True
            except msgspec.MsgspecError as error:
                self._put(Foreign(str(error)))
                return
            self._stopped.wait(delay)
            delay = min(2 * delay, LAST_DELAY)

    def _hear(self, data: str | bytes) -> None:
        message = _decoder.decode(data)
        if isinstance(message, _Refused):
            if message.error.code not in PASSING:
                self._put(TurnedAway(message.error.code, message.error.message))
                self._stopped.set()
        elif isinstance(message, Presence):
            self._put(message)
        elif isinstance(message, Snapshot) or (isinstance(message, Update) and message.n == self._after + 1):
            self._after = message.n
            self._put(message)
        elif isinstance(message, Update) and message.n > self._after:
            self._after = -1  # a gap: begin again with how things are
            raise TimeoutError
