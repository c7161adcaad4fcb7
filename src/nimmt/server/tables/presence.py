"""Who is connected to which table, in all processes that share the store.

Nothing of this is in a log: it is no part of a match, and it must not outlive a process that dies. Each process writes
down whom it has connections to, in one document that soon expires, and reads the documents of the others.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

import msgspec

from nimmt.rules.game import Seat
from nimmt.server.hub import LocalHub, end
from nimmt.server.logs import cause
from nimmt.server.tables import messages as m
from nimmt.server.tables.commands import now_ms
from nimmt.server.tables.table import Table
from nimmt.store import Store, StoreError

log = logging.getLogger("nimmt.server")

KIND = "presence"
LOOK_SECONDS = 2.0
LEASE = 25_000
"""Milliseconds after which the connections of a process that died are forgotten."""
RENEWAL = 10_000
MAX_REMEMBERED = 50_000

_Here = dict[str, list[str]]
"""The guests who are connected, by table."""


def presence_topic(table_id: str) -> str:
    return f"presence:{table_id}"


class Presence:
    """`shared`: other processes may have connections to the same tables."""

    def __init__(self, store: Store, hub: LocalHub, shared: bool) -> None:
        self._store, self._hub, self._shared = store, hub, shared
        self._process = secrets.token_hex(8)
        self._here: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._elsewhere: dict[str, frozenset[str]] = {}
        self._last_seen: dict[tuple[str, str], int] = {}
        self._since = now_ms()
        self._changed, self._written = False, 0
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self._since = now_ms()
        if self._shared:
            self._task = asyncio.create_task(self._look_around())

    async def close(self) -> None:
        if self._task:
            await end(self._task)
            with suppress(StoreError):  # then it expires
                await self._store.remove(KIND, self._process)

    @contextmanager
    def connected(self, table_id: str, guest: str | None) -> Iterator[None]:
        """A guest follows a table as long as this goes on."""
        if guest is None:
            yield
            return
        self._enter(table_id, guest)
        try:
            yield
        finally:
            self._leave(table_id, guest)

    def _enter(self, table_id: str, guest: str) -> None:
        self._here[table_id][guest] += 1
        if self._here[table_id][guest] == 1:
            self._tell(table_id)

    def _leave(self, table_id: str, guest: str) -> None:
        guests = self._here[table_id]
        guests[guest] -= 1
        if not guests[guest]:
            del guests[guest]
            self._note_last_seen(table_id, guest, now_ms())
            if not guests:
                del self._here[table_id]
            self._tell(table_id)

    def _tell(self, table_id: str) -> None:
        self._changed = True
        self._hub.wake(presence_topic(table_id))

    def is_connected(self, table_id: str, guest: str) -> bool:
        return guest in self._here.get(table_id, ()) or guest in self._elsewhere.get(table_id, ())

    def gone(self, table: Table) -> Mapping[Seat, int]:
        """The people at a table who are not connected, and since when at least."""
        return {
            seat: max(self._since, self._last_seen.get((table.id, chair.guest), 0), chair.seen)
            for seat, chair in enumerate(table.chairs)
            if chair.guest is not None and not self.is_connected(table.id, chair.guest)
        }

    def message(self, table: Table) -> m.Presence:
        gone = tuple(m.Gone(seat=seat, since=since) for seat, since in self.gone(table).items())
        return m.Presence(at=now_ms(), gone=gone)

    def _note_last_seen(self, table_id: str, guest: str, now: int) -> None:
        """However many come and go: who was forgotten counts as gone since this process is up."""
        self._last_seen.pop((table_id, guest), None)
        self._last_seen[table_id, guest] = now
        if len(self._last_seen) > MAX_REMEMBERED:
            del self._last_seen[next(iter(self._last_seen))]

    # -- other processes ----------------------------------------------------------------------------------------------

    async def _look_around(self) -> None:
        while True:
            try:
                await self.exchange()
            except StoreError as error:
                log.warning("presence could not be exchanged", extra={"cause": cause(error)})
            await asyncio.sleep(LOOK_SECONDS)

    async def exchange(self) -> None:
        """Write down who is connected here, if that has changed or would expire, and read who is elsewhere."""
        now = now_ms()
        if self._changed or now - self._written > RENEWAL:
            self._changed, self._written = False, now
            here: _Here = {table_id: [*guests] for table_id, guests in self._here.items()}
            await self._store.put(KIND, self._process, msgspec.json.encode(here), now + LEASE)
        found: defaultdict[str, set[str]] = defaultdict(set)
        for process, data in (await self._store.documents(KIND, now)).items():
            if process != self._process:
                for table_id, guests in msgspec.json.decode(data, type=_Here).items():
                    found[table_id].update(guests)
        self._hear({table_id: frozenset(guests) for table_id, guests in found.items()}, now)

    def _hear(self, elsewhere: dict[str, frozenset[str]], now: int) -> None:
        before, self._elsewhere = self._elsewhere, elsewhere
        nobody: frozenset[str] = frozenset()
        for table_id in sorted(before.keys() | elsewhere.keys()):
            was, now_there = before.get(table_id, nobody), elsewhere.get(table_id, nobody)
            for guest in sorted(was - now_there):
                self._note_last_seen(table_id, guest, now)
            if was != now_there:
                self._hub.wake(presence_topic(table_id))
