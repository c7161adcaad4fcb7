"""Commands on tables: read the log, decide, append with the expected version, then tell.

Any process may handle any table. Two commands at once: the log takes one, the other is decided anew on what the log
says then. What is kept in memory here is only a copy of what the log has acknowledged.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import NamedTuple, TypeAlias

import msgspec

from nimmt.match.shuffle import SEED_BYTES, commitment
from nimmt.rules import registry
from nimmt.server.http.errors import Code, Refused
from nimmt.server.hub import LocalHub
from nimmt.server.limits import charged
from nimmt.server.tables import log_entries as e
from nimmt.server.tables.commitments import LIST, Commitments
from nimmt.server.tables.table import Draft, Table, check_opening
from nimmt.store import Conflict, KeyReused, Store

Command: TypeAlias = Callable[[Table], Draft | list[e.Entry]]
Rewriting: TypeAlias = Callable[[Table, list[bytes]], list[bytes] | None]

ATTEMPTS = 20
"""So often a command is decided anew when others were faster; even ten people choosing at once need fewer."""


OPENING = "open"
"""The key of a table with which it was opened; those of commands have a guest in front."""


class Once(NamedTuple):
    """What makes sending again safe: a key, and in short what it is used for."""

    key: str
    request: str


CHUNK = 50
"""So many entries are read and folded in one go, which takes milliseconds: less than `moments.KEPT`."""
MAX_PAST_TABLES = 16
WEIGHT_OF_TABLE, WEIGHT_OF_MOMENT, WEIGHT_OF_ENTRY = 20_000, 1_800, 150
"""Bytes: measured on long matches of many seats. Of older entries only what a record needs is kept."""


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def guest_topic(guest: str) -> str:
    """What the hub calls the news of a guest: a match of theirs has begun or ended."""
    return f"guest:{guest}"


def new_table_id() -> str:
    """Whoever knows it may come in: 128 bits that nobody can guess. Never like an option of a command: `--join -x…`"""
    return "t" + secrets.token_urlsafe(16)


def shortened(table_id: str) -> str:
    """For logs: enough to tell tables apart, not enough to come in."""
    return f"{table_id[:6]}…"


def weight(table: Table) -> int:
    """About how many bytes it takes in memory."""
    states = table.moments.kept + (len(table.coaching.points) if table.coaching else 0)
    return WEIGHT_OF_TABLE + WEIGHT_OF_MOMENT * states + WEIGHT_OF_ENTRY * table.version


class Tables:
    def __init__(self, store: Store, hub: LocalHub, kept: int = 2000, megabytes: int = 500) -> None:
        self.store = store
        self.hub = hub
        self.commitments = Commitments(store, now_ms)
        self._kept, self._heaviest = kept, 1_000_000 * megabytes
        self._cache: OrderedDict[str, Table] = OrderedDict()
        self._weight = 0
        self._past: list[Table] = []
        """Tables as they once were, the last used last: whoever looks at one again goes on from there."""
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self.long_work = asyncio.Lock()
        """What takes milliseconds is done one at a time: however many ask for it, others have their turn after each."""
        self._locks: dict[str, asyncio.Lock] = {}
        self._waiting_for: dict[str, int] = {}
        self._reading: dict[str, asyncio.Task[Table]] = {}
        self.on_rewrite: Callable[[str], None] = lambda _: None
        """Told of every table whose log was written anew: what was remembered of it must not be told any more."""
        self.on_change: Callable[[Table], None] = _nothing
        self.on_delete: Callable[[str], Awaitable[None]] = _nothing_more
        """Told of every table that this process has changed: bots may have a turn now."""

    # -- reading ----------------------------------------------------------------------------------------------------

    async def load(self, table_id: str) -> Table:
        """The table as the log has it now; raises `Refused`."""
        if table_id == LIST:
            raise _no_such_table()
        table = self._cache.get(table_id)
        known = table.version if table else 0
        data = await self.store.read(table_id, known, CHUNK)
        if len(data) == CHUNK or (table is not None and any(map(_is_anew, data))):
            return await self._load_long(table_id)
        # While this process was waiting another task may have taken in the same entries, and more; or forgotten the
        # table, as it does with one that was deleted: then only the whole log tells whether it is still there.
        newer = self._cache.get(table_id)
        if newer is not None and newer.version >= known + len(data):
            return self._keep(newer)
        if newer is None and table is not None:
            return await self.load(table_id)
        if data:
            table = _fold(table_id, table, data)
        if table is None:
            raise _no_such_table()
        return self._keep(table)

    async def _load_long(self, table_id: str) -> Table:
        """Once for all who ask for it; between portions of the log others have their turn."""
        loading = self._loading.get(table_id)
        if loading is None or loading.done():
            loading = self._loading[table_id] = asyncio.create_task(charged(self._fold_long(table_id)))
        try:
            return await asyncio.shield(loading)
        finally:
            if self._loading.get(table_id) is loading and loading.done():
                del self._loading[table_id]

    async def _fold_long(self, table_id: str) -> Table:
        table = self._cache.get(table_id)
        was_cached = table is not None
        while data := await self.store.read(table_id, table.version if table else 0, CHUNK):
            if was_cached and any(map(_is_anew, data)):
                self._forget_past(table_id)
                table, was_cached = None, False  # what is remembered is not what the log says any more
            else:
                table = await self._fold_in_turn(table_id, table, data)
        if was_cached and table_id not in self._cache:
            return await self._fold_long(table_id)  # forgotten meanwhile: it may have been deleted
        if table is None:
            raise _no_such_table()
        return self._keep(table)

    async def _fold_in_turn(self, table_id: str, table: Table | None, data: list[bytes]) -> Table:
        async with self.long_work:
            await asyncio.sleep(0)
            return _fold(table_id, table, data)

    async def remembering(
        self, table: Table, after: int, most: int, check: Callable[[], None] = lambda: None
    ) -> Table:  # fmt: skip
        """A table that remembers what came behind `after`: this one, or what it was soon afterwards. `check` may refuse
        that this goes on."""
        if table.moments.first <= after:
            return table
        same = [old for old in self._past if (old.id, old.seed) == (table.id, table.seed)]
        fitting = [old for old in same if old.moments.first <= after]
        past = max(fitting, key=lambda old: old.version, default=None)
        if past is not None:
            self._past.remove(past)
        try:
            while past is None or past.version < min(after + most, table.version):
                check()
                data = await self.store.read(table.id, past.version if past else 0, CHUNK)
                if not data:
                    raise _no_such_table()
                past = await self._fold_in_turn(table.id, past, data)
        finally:
            if past is not None:
                self._past = [*self._past[-MAX_PAST_TABLES + 1 :], past]
        return past

    def _forget_past(self, table_id: str) -> None:
        self._past = [old for old in self._past if old.id != table_id]
        self.on_rewrite(table_id)

    async def follow(self, table_id: str) -> Table:
        """The table for somebody who was just told that it has changed. What this process wrote needs no reading,
        and what another one wrote is read once for all who follow."""
        if self.hub.was_heard(table_id):
            self._reading[table_id] = asyncio.create_task(self.load(table_id))
        reading = self._reading.get(table_id)
        if reading is not None:
            try:
                await asyncio.shield(reading)
            finally:
                if self._reading.get(table_id) is reading and reading.done():
                    del self._reading[table_id]
        return self._cache.get(table_id) or await self.load(table_id)

    @property
    def in_memory(self) -> int:
        return len(self._cache)

    def cached(self, table_id: str) -> Table | None:
        return self._cache.get(table_id)

    def forget(self, table_id: str) -> None:
        if (table := self._cache.pop(table_id, None)) is not None:
            self._weight -= weight(table)

    def _keep(self, table: Table) -> Table:
        """Remember it, unless more is known: while somebody who wrote was waiting, others may have written and read."""
        known = self._cache.get(table.id)
        if known is not None and known.version > table.version:
            table = known
        self.forget(table.id)
        self._cache[table.id] = table
        self._weight += weight(table)
        while len(self._cache) > self._kept or (self._weight > self._heaviest and len(self._cache) > 1):
            self.forget(next(iter(self._cache)))
        return table

    # -- deciding -----------------------------------------------------------------------------------------------------

    def new_id(self) -> str:
        return new_table_id()

    async def open_table(
        self,
        host: str,
        terms: e.Terms,
        furnish: Command,
        once: Once | None = None,
        table_id: str | None = None,
    ) -> Table:
        """A new table with what `furnish` puts there, or nothing at all if that is refused. `once` has the id of the
        table as its key: if it is taken, this was done before."""
        check_opening(terms.game, terms.options, terms.seats)
        if once and await self.store.listing(once.key) is not None:  # nothing is listed in vain
            return await self._opened_before(once)
        opened = e.Opened(
            at=now_ms(),
            host=host,
            server_seed=secrets.token_hex(SEED_BYTES),
            rules_version=registry.get(terms.game).rules_version,
            **msgspec.structs.asdict(terms),
        )
        table = Table(once.key if once else table_id or self.new_id(), opened)
        drafted = _drafted(table, furnish)
        entries = drafted.entries if drafted else []
        # Listed before the table is there, so that nobody is ever shown a commitment that could still vanish.
        listed = await self.commitments.add(table.id, commitment(table.seed), opened.at)
        opened = msgspec.structs.replace(opened, listed=listed)
        after = Draft(Table(table.id, opened)).add(entries).after
        data = [e.encode(opened), *map(e.encode, entries)]
        key, request = (OPENING, once.request) if once else (None, None)
        try:
            appended = await self.store.append(table.id, 0, data, after.listing(), key, request)
        except Conflict:  # opened by a version that kept no such keys
            return await self.load(table.id)
        except KeyReused:
            raise _reused() from None
        if not appended.is_new:
            after = await self.load(table.id)
        await self._tell(after, before="waiting")
        return after

    async def _opened_before(self, once: Once) -> Table:
        try:
            await self.store.find_key(once.key, OPENING, once.request)
        except KeyReused:
            raise _reused() from None
        return await self.load(once.key)

    async def do(self, table_id: str, command: Command, once: Once | None = None) -> tuple[Table, int]:
        """Carry out a command; returns the table and the number of the last thing that the command brought about.

        With a key that was used before nothing is done again, and the number is that of the first time; with one that
        was used for something else nothing is done at all.
        """
        try:
            async with self._lock(table_id):
                return await self._do(table_id, command, once)
        except KeyReused:
            raise _reused() from None

    async def _do(self, table_id: str, command: Command, once: Once | None) -> tuple[Table, int]:
        remembered = self._cache.get(table_id)
        if remembered is not None and (done := await self._try_remembered(remembered, command, once)):
            return done
        for _ in range(ATTEMPTS):
            table = await self.load(table_id)
            try:
                return await self._try(table, command, once)
            except Conflict:
                continue
            except Refused:
                # A command that was carried out and is sent again looks refused: it has no second effect.
                done_before = await self._done_before(table_id, once)
                if done_before is None:
                    raise
                return table, done_before
        raise Refused(Code.BUSY, "Too much is happening at this table. Please try again.", retry_after=1)

    async def rewrite(self, table_id: str, change: Rewriting, keys_of: str) -> None:
        """Write a log anew, unless there is nothing to change or no such table; see `Store.rewrite`."""
        async with self._lock(table_id):
            for _ in range(ATTEMPTS):
                log = await self.store.read(table_id)
                table = _fold(table_id, None, log) if log else None
                changed = change(table, log) if table else None
                if table is None or changed is None:
                    return
                after = _fold(table_id, None, changed)
                try:
                    await self.store.rewrite(table_id, len(log), changed, after.listing(), keys_of)
                except Conflict:
                    continue
                self._forget_past(table_id)
                await self._tell(after, before=table.phase)
                return
        raise Refused(Code.BUSY, "Too much is happening at this table. Please try again.", retry_after=1)

    async def _done_before(self, table_id: str, once: Once | None) -> int | None:
        return await self.store.find_key(table_id, once.key, once.request) if once else None

    async def forget_for_good(self, table_id: str) -> None:
        """Delete a table. What became of its commitment is kept."""
        await self.commitments.settle(table_id)
        await self.store.delete(table_id)
        await self.on_delete(table_id)
        self.forget(table_id)

    async def rematch(self, table_id: str, guest: str, name: str, once: Once | None = None) -> Table:
        """The table of the next match. The first who asks opens it with the same seats; the others join it."""
        old, _ = await self.do(table_id, lambda table: table.check_rematch(guest), once)
        if old.rematch is None:
            old = await self._open_rematch(old, guest, name, once)
        new, _ = await self.do(old.rematch or table_id, lambda new: _sit_again(new, old, guest, name), once)
        return new

    async def _open_rematch(self, old: Table, guest: str, name: str, once: Once | None) -> Table:
        opened = old.opened
        terms = e.Terms(
            game=opened.game,
            options=opened.options,
            seats=opened.seats,
            public=opened.public,
            tempo=opened.tempo,
            rematch_of=old.id,
            pace=opened.pace,
            takeover=old.takeover,
            practice=opened.practice,
        )
        new = await self.open_table(guest, terms, lambda new: _same_seats(new, old, guest, name))
        offered, _ = await self.do(
            old.id, lambda table: [] if table.rematch else table.offer_rematch(guest, new.id, now_ms()), once
        )
        if offered.rematch != new.id:  # somebody else was faster: nobody needs two
            await self.do(new.id, lambda table: table.close(guest, now_ms()))
        return offered

    async def _try_remembered(self, table: Table, command: Command, once: Once | None) -> tuple[Table, int] | None:
        """Mostly nobody else has changed the table, and appending finds out. A refusal, or that there is nothing to do,
        only counts when the log says so."""
        try:
            draft = _drafted(table, command)
            return await self._write(table, draft, once) if draft else None
        except (Conflict, Refused):
            return None

    async def _try(self, table: Table, command: Command, once: Once | None) -> tuple[Table, int]:
        draft = _drafted(table, command)
        if draft is None:
            return table, await self._done_before(table.id, once) or table.version
        return await self._write(table, draft, once)

    async def _write(self, table: Table, draft: Draft, once: Once | None) -> tuple[Table, int]:
        after, data = draft.after, [*map(e.encode, draft.entries)]
        appended = await self.store.append(table.id, table.version, data, after.listing(), *(once or ()))
        if not appended.is_new:
            # The key was used before, perhaps by a process that did not live to tell of it: what is kept in memory, and
            # told once more, must be what the log says.
            after = await self.load(table.id)
        await self._tell(after, before=table.phase)
        return after, appended.length

    async def _tell(self, after: Table, before: str) -> None:
        self._keep(after)
        await self.hub.publish(after.id)
        if after.phase != before:
            for guest in after.listing().guests:
                await self.hub.publish(guest_topic(guest))
        self.on_change(after)

    def _lock(self, table_id: str) -> _TableLock:
        return _TableLock(self._locks, self._waiting_for, table_id)


class _TableLock:
    """One command at a time for a table in this process: they would only take turns in losing to each other."""

    def __init__(self, locks: dict[str, asyncio.Lock], users: dict[str, int], table_id: str) -> None:
        self._locks, self._users, self._id = locks, users, table_id

    async def __aenter__(self) -> None:
        self._users[self._id] = self._users.get(self._id, 0) + 1
        try:
            await self._locks.setdefault(self._id, asyncio.Lock()).acquire()
        except asyncio.CancelledError:
            self._leave()
            raise

    async def __aexit__(self, *_: object) -> None:
        self._locks[self._id].release()
        self._leave()

    def _leave(self) -> None:
        self._users[self._id] -= 1
        if not self._users[self._id]:
            del self._users[self._id], self._locks[self._id]


def _reused() -> Refused:
    return Refused(Code.KEY_REUSED, "This idempotency key was used for another request. Please use a new one.")


def _same_seats(new: Table, old: Table, guest: str, name: str) -> list[e.Entry]:
    """The one who asks sits down again, the bots too; the seats of the others are free for them."""
    entries: list[e.Entry] = []
    for seat, chair in enumerate(old.chairs):
        if chair.guest == guest:
            entries += new.join(guest, name, seat, "", now_ms(), chair.pace, chair.program)
        elif chair.level is not None:
            entries += new.seat_bot(guest, seat, chair.level, now_ms())
    return entries


def _sit_again(new: Table, old: Table, guest: str, name: str) -> list[e.Entry]:
    """On the seat of the last match if it is free, on any other if not."""
    seat = old.seat_of(guest)
    if new.phase != "waiting" or new.seat_of(guest) is not None or seat is None:
        return []
    chair = old.chairs[seat]
    free = seat if new.chairs[seat].is_empty else None
    return new.join(guest, name, free, "", now_ms(), chair.pace, chair.program)


def _drafted(table: Table, command: Command) -> Draft | None:
    """What a command brings about, if there is anything."""
    found = command(table)
    if isinstance(found, Draft):
        return found
    return Draft(table).add(found) if found else None


def _no_such_table() -> Refused:
    return Refused(Code.NO_SUCH_TABLE, "This table does not exist, or no longer does.")


async def _nothing_more(table_id: str) -> None:
    del table_id  # nothing else is kept about tables


def _nothing(table: Table) -> None:
    del table


def _is_anew(line: bytes) -> bool:
    """Does this entry say that those before it were changed?"""
    return b"Forgotten" in line and isinstance(e.decode(line), e.Forgotten)


def _fold(table_id: str, table: Table | None, data: list[bytes]) -> Table:
    """The table with more entries. A copy: whoever holds the older one is telling it to somebody."""
    entries = [e.decode(line) for line in data]
    if table is None:
        first, entries = entries[0], entries[1:]
        if not isinstance(first, e.Opened):
            raise Refused(Code.UNAVAILABLE, "The log of this table is damaged.")
        folded = Table(table_id, first)
    else:
        folded = table.fork()
    for entry in entries:
        folded.add(entry)
    return folded
