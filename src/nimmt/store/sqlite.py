"""SQLite: one file, one thread that writes.

Everything that waits to be written when the thread gets to it goes into one transaction, so that many tables share one
sync of the disk. WAL with synchronous=FULL: what was acknowledged survives a crash of the machine.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from nimmt.store.contract import Conflict, Listing, Phase, StoreError, Unavailable
from nimmt.store.migrations import SQLITE

T = TypeVar("T")

BUSY_MS = 10_000
AT_ONCE = 512
_COLUMNS = "phase, public, game, guests, updated, due, card"


class _Job:
    """Something to write, and who waits for it."""

    def __init__(self, work: Callable[[sqlite3.Connection], Any]) -> None:
        self.work = work
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()

    def finish(self, result: Any, error: BaseException | None) -> None:
        def settle() -> None:
            if self.future.done():
                return
            if error is None:
                self.future.set_result(result)
            else:
                self.future.set_exception(error)

        self.loop.call_soon_threadsafe(settle)


class SqliteStore:
    def __init__(self, path: str) -> None:
        self.path = path
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._writer: threading.Thread | None = None
        self._reader: sqlite3.Connection | None = None
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="nimmt-read")

    # -- life ---------------------------------------------------------------------------------------------------------

    async def open(self) -> None:
        Path(self.path).absolute().parent.mkdir(parents=True, exist_ok=True)
        await asyncio.to_thread(self._migrate)
        self._reader = self._connect()
        self._watcher = self._connect()
        self._writer = threading.Thread(target=self._write_forever, name="nimmt-write", daemon=True)
        self._writer.start()

    async def close(self) -> None:
        if self._writer is not None:
            self._jobs.put(None)
            await asyncio.to_thread(self._writer.join)
            self._writer = None
        self._reading.shutdown()
        if self._reader is not None:
            self._reader.close()
            self._watcher.close()
            self._reader = None

    def _connect(self) -> sqlite3.Connection:
        try:
            connection = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
            connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
        except sqlite3.Error as error:
            raise Unavailable(f"{self.path}: {error}") from error
        return connection

    def _migrate(self) -> None:
        connection = self._connect()
        try:
            connection.execute("BEGIN IMMEDIATE")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version > len(SQLITE):
                connection.execute("ROLLBACK")
                raise StoreError(f"{self.path} was made by a newer version of nimmt (schema {version}).")
            for number, statements in enumerate(SQLITE[version:], version + 1):
                for statement in statements:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise Unavailable(f"{self.path}: {error}") from error
        finally:
            connection.close()

    def data_version(self) -> int:
        """Changes when another process has written to the file."""
        version: int = self._watcher.execute("PRAGMA data_version").fetchone()[0]
        return version

    # -- writing ------------------------------------------------------------------------------------------------------

    def _write_forever(self) -> None:
        connection = self._connect()
        while (job := self._jobs.get()) is not None:
            jobs = [job]
            while len(jobs) < AT_ONCE and not self._jobs.empty():
                more = self._jobs.get()
                if more is None:
                    self._jobs.put(None)
                    break
                jobs.append(more)
            self._write_together(connection, jobs)
        connection.close()

    def _write_together(self, connection: sqlite3.Connection, jobs: list[_Job]) -> None:
        """One transaction for all; each in a savepoint of its own, so that one that fails takes no other with it."""
        results: list[tuple[_Job, Any, BaseException | None]] = []
        try:
            connection.execute("BEGIN IMMEDIATE")
            for job in jobs:
                results.append((job, *_attempt(connection, job.work)))
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            failed = Unavailable(f"The database does not take anything at the moment: {error}")
            results = [(job, None, failed) for job in jobs]
        for job, result, error in results:
            job.finish(result, error)

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._writer is None:
            raise Unavailable("The store is closed.")
        job = _Job(work)
        self._jobs.put(job)
        result: T = await job.future
        return result

    async def append(
        self, table: str, expected: int, entries: Sequence[bytes], listing: Listing, key: str | None = None
    ) -> int:
        return await self._write(lambda connection: _append(connection, table, expected, entries, listing, key))

    async def delete(self, table: str) -> None:
        def work(connection: sqlite3.Connection) -> None:
            for name in ("entries", "keys", "seats", "tables"):
                column = "id" if name == "tables" else "table_id"
                connection.execute(f"DELETE FROM {name} WHERE {column} = ?", (table,))

        await self._write(work)

    async def put(self, kind: str, name: str, data: bytes, expires: int | None = None) -> None:
        statement = "INSERT OR REPLACE INTO documents (kind, name, data, expires) VALUES (?, ?, ?, ?)"
        await self._write(lambda connection: connection.execute(statement, (kind, name, data, expires)) and None)

    async def put_if_absent(self, kind: str, name: str, data: bytes, expires: int | None = None) -> bytes:
        def work(connection: sqlite3.Connection) -> bytes:
            statement = "INSERT OR IGNORE INTO documents (kind, name, data, expires) VALUES (?, ?, ?, ?)"
            connection.execute(statement, (kind, name, data, expires))
            found: bytes = connection.execute(
                "SELECT data FROM documents WHERE kind = ? AND name = ?", (kind, name)
            ).fetchone()[0]
            return found

        return await self._write(work)

    async def take(self, kind: str, name: str, now: int = 0) -> bytes | None:
        def work(connection: sqlite3.Connection) -> bytes | None:
            statement = "DELETE FROM documents WHERE kind = ? AND name = ? RETURNING data, expires"
            row = connection.execute(statement, (kind, name)).fetchone()
            return None if row is None or (row[1] is not None and row[1] <= now) else row[0]

        return await self._write(work)

    async def remove(self, kind: str, name: str) -> None:
        statement = "DELETE FROM documents WHERE kind = ? AND name = ?"
        await self._write(lambda connection: connection.execute(statement, (kind, name)) and None)

    async def purge(self, now: int) -> int:
        statement = "DELETE FROM documents WHERE expires IS NOT NULL AND expires <= ?"
        return await self._write(lambda connection: connection.execute(statement, (now,)).rowcount)

    async def check(self) -> None:
        await self.put("health", "check", b"ok")
        if await self.get("health", "check") != b"ok":
            raise Unavailable("What was written cannot be read.")

    # -- reading ------------------------------------------------------------------------------------------------------

    async def _rows(self, statement: str, *values: Any) -> list[Any]:
        def work() -> list[Any]:
            if self._reader is None:
                raise Unavailable("The store is closed.")
            try:
                return self._reader.execute(statement, values).fetchall()
            except sqlite3.Error as error:
                raise Unavailable(f"The database cannot be read at the moment: {error}") from error

        if self._reader is None:
            raise Unavailable("The store is closed.")
        return await asyncio.get_running_loop().run_in_executor(self._reading, work)

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        statement = "SELECT data FROM entries WHERE table_id = ? AND number > ? ORDER BY number"
        return [row[0] for row in await self._rows(statement, table, after)]

    async def find_key(self, table: str, key: str) -> int | None:
        rows = await self._rows("SELECT length FROM keys WHERE table_id = ? AND key = ?", table, key)
        return rows[0][0] if rows else None

    async def listing(self, table: str) -> Listing | None:
        rows = await self._rows(f"SELECT {_COLUMNS} FROM tables WHERE id = ?", table)
        return _listing(rows[0]) if rows else None

    async def public_tables(self, phases: Sequence[Phase], limit: int) -> list[tuple[str, Listing]]:
        statement = (
            f"SELECT id, {_COLUMNS} FROM tables WHERE public AND phase IN ({_marks(phases)}) "
            "ORDER BY updated DESC, id LIMIT ?"
        )
        return [(row[0], _listing(row[1:])) for row in await self._rows(statement, *phases, limit)]

    async def tables_of(self, guest: str, limit: int) -> list[tuple[str, Listing]]:
        statement = (
            f"SELECT id, {_COLUMNS} FROM tables JOIN seats ON seats.table_id = tables.id WHERE seats.guest = ? "
            "ORDER BY updated DESC, id LIMIT ?"
        )
        return [(row[0], _listing(row[1:])) for row in await self._rows(statement, guest, limit)]

    async def due_tables(self, now: int, limit: int) -> list[str]:
        statement = "SELECT id FROM tables WHERE due IS NOT NULL AND due < ? ORDER BY due, id LIMIT ?"
        return [row[0] for row in await self._rows(statement, now, limit)]

    async def idle_tables(self, phases: Sequence[Phase], before: int, limit: int) -> list[str]:
        statement = (
            f"SELECT id FROM tables WHERE phase IN ({_marks(phases)}) AND updated < ? ORDER BY updated, id LIMIT ?"
        )
        return [row[0] for row in await self._rows(statement, *phases, before, limit)]

    async def get(self, kind: str, name: str, now: int = 0) -> bytes | None:
        statement = "SELECT data FROM documents WHERE kind = ? AND name = ? AND (expires IS NULL OR expires > ?)"
        rows = await self._rows(statement, kind, name, now)
        return rows[0][0] if rows else None


def _attempt(
    connection: sqlite3.Connection, work: Callable[[sqlite3.Connection], Any]
) -> tuple[Any, BaseException | None]:
    connection.execute("SAVEPOINT job")
    try:
        result = work(connection)
    except StoreError as error:
        connection.execute("ROLLBACK TO job")
        connection.execute("RELEASE job")
        return None, error
    connection.execute("RELEASE job")
    return result, None


def _append(
    connection: sqlite3.Connection,
    table: str,
    expected: int,
    entries: Sequence[bytes],
    listing: Listing,
    key: str | None,
) -> int:
    if key is not None:
        row = connection.execute("SELECT length FROM keys WHERE table_id = ? AND key = ?", (table, key)).fetchone()
        if row is not None:
            return int(row[0])
    found = connection.execute("SELECT length FROM tables WHERE id = ?", (table,)).fetchone()
    length = found[0] if found else 0
    if length != expected:
        raise Conflict(f"The log has {length} entries, not {expected}.")
    length += len(entries)
    connection.execute(
        f"INSERT INTO tables (id, length, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
        "length = excluded.length, phase = excluded.phase, public = excluded.public, guests = excluded.guests, "
        "updated = excluded.updated, due = excluded.due, card = excluded.card",
        (table, length, *_values(listing)),
    )
    numbered = [(table, expected + number, entry) for number, entry in enumerate(entries, 1)]
    connection.executemany("INSERT INTO entries (table_id, number, data) VALUES (?, ?, ?)", numbered)
    if key is not None:
        connection.execute("INSERT INTO keys (table_id, key, length) VALUES (?, ?, ?)", (table, key, length))
    _seat(connection, table, listing.guests)
    return length


def _seat(connection: sqlite3.Connection, table: str, guests: tuple[str, ...]) -> None:
    seated = {row[0] for row in connection.execute("SELECT guest FROM seats WHERE table_id = ?", (table,))}
    if seated == set(guests):
        return
    connection.execute("DELETE FROM seats WHERE table_id = ?", (table,))
    rows = [(table, guest) for guest in sorted(set(guests))]
    connection.executemany("INSERT INTO seats (table_id, guest) VALUES (?, ?)", rows)


def _values(listing: Listing) -> tuple[Any, ...]:
    guests = " ".join(listing.guests)
    return listing.phase, listing.public, listing.game, guests, listing.updated, listing.due, listing.card


def _listing(row: Sequence[Any]) -> Listing:
    phase, public, game, guests, updated, due, card = row
    return Listing(phase, bool(public), game, tuple(guests.split()), updated, due, bytes(card))


def _marks(values: Sequence[Any]) -> str:
    return ", ".join("?" * len(values))
