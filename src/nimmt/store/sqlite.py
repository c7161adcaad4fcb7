"""SQLite: one file, one thread that writes, one that reads."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, TypeAlias

from nimmt.store import contract
from nimmt.store.sql import BATCH, SqlStore, sections
from nimmt.store.sqlite_file import (
    Work,
    Writer,
    connect,
    migrate,
    read_listing,
    seats,
    table_values,
    told_as_store_errors,
)

# -- sqlite copy -------------------------------------------------------------------------------------------------------
# Everything out of a file of SQLite, and into one, by connections of their own.

Run: TypeAlias = Callable[..., Awaitable[Any]]
"""Takes a function of a connection and its further arguments."""

TABLES = ("tables", "entries", "keys", "documents")
SECTIONS = sections(read_listing)

MENTIONING = "SELECT DISTINCT table_id FROM entries WHERE instr(data, ?) ORDER BY table_id"


@asynccontextmanager
async def _connected(path: str) -> AsyncIterator[Run]:
    """A connection with a thread of its own: even if the caller is cancelled, closing waits for its turn there."""
    thread = ThreadPoolExecutor(1, thread_name_prefix="nimmt-copy")
    run = partial(asyncio.get_running_loop().run_in_executor, thread)
    try:
        connection = await run(connect, path)
        try:
            yield lambda work, *values: run(work, connection, *values)
        finally:
            await run(connection.close)  # rolls back what was not committed
    finally:
        thread.shutdown(wait=False)


async def export(path: str) -> AsyncGenerator[contract.Count | contract.Row, None]:
    """One read transaction: it sees the file as it was at its beginning and keeps nobody from writing."""
    async with _connected(path) as run:
        yield await run(_begin)
        for statement, make in SECTIONS:
            cursor = await run(_select, statement)
            while rows := await run(_fetch, cursor):
                for row in rows:
                    yield make(*row)


async def mentioning(path: str, word: bytes) -> list[str]:
    async with _connected(path) as run:
        cursor = await run(_select, MENTIONING, (word,))
        return [row[0] for row in await run(_fetch_all, cursor)]


def _begin(connection: sqlite3.Connection) -> contract.Count:
    with told_as_store_errors("The database cannot be read at the moment"):
        connection.execute("BEGIN")
        return _count(connection)


def _count(connection: sqlite3.Connection) -> contract.Count:
    return contract.Count(*(connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in TABLES))


def _select(connection: sqlite3.Connection, statement: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
    with told_as_store_errors("The database cannot be read at the moment"):
        return connection.execute(statement, values)


def _fetch(_: sqlite3.Connection, cursor: sqlite3.Cursor) -> list[Any]:
    with told_as_store_errors("The database cannot be read at the moment"):
        return cursor.fetchmany(BATCH)


def _fetch_all(_: sqlite3.Connection, cursor: sqlite3.Cursor) -> list[Any]:
    with told_as_store_errors("The database cannot be read at the moment"):
        return cursor.fetchall()


async def import_rows(path: str, rows: AsyncIterable[contract.Row], replace: bool) -> None:
    """One transaction, in which nobody else can write."""
    async with _connected(path) as run:
        await run(_make_room, replace)
        async for batch in contract.in_batches(rows, BATCH):
            await run(_insert_all, batch)
        await run(_commit)


def _make_room(connection: sqlite3.Connection, replace: bool) -> None:
    with told_as_store_errors("The database takes nothing at the moment"):
        connection.execute("BEGIN IMMEDIATE")
        if replace:
            for name in (*TABLES, "seats"):
                connection.execute(f"DELETE FROM {name}")
        elif _count(connection).total:
            raise contract.NotEmpty("The database is not empty.")


def _insert_all(connection: sqlite3.Connection, batch: Sequence[contract.Row]) -> None:
    with told_as_store_errors("The database takes nothing at the moment"):
        for row in batch:
            try:
                _insert(connection, row)
            except sqlite3.IntegrityError as error:
                raise contract.StoreError(f"This occurs twice: {str(row)[:100]}") from error


def _insert(connection: sqlite3.Connection, row: contract.Row) -> None:
    match row:
        case contract.TableRow():
            values = table_values(row.id, row.length, row.listing)
            connection.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
            connection.executemany("INSERT INTO seats VALUES (?, ?)", seats(row.id, row.listing))
        case contract.EntryRow():
            connection.execute("INSERT INTO entries VALUES (?, ?, ?)", (row.table, row.number, row.data))
        case contract.KeyRow():
            values = row.table, row.key, row.length, row.request
            connection.execute("INSERT INTO keys VALUES (?, ?, ?, ?)", values)
        case contract.DocumentRow():
            values = row.kind, row.name, row.data, row.expires
            connection.execute("INSERT INTO documents VALUES (?, ?, ?, ?)", values)


def _commit(connection: sqlite3.Connection) -> None:
    with told_as_store_errors("The database takes nothing at the moment"):
        connection.execute("COMMIT")


# -- sqlite ------------------------------------------------------------------------------------------------------------

FIND_KEY = "SELECT length, request FROM keys WHERE table_id = ? AND key = ?"


class SqliteStore(SqlStore):
    read_listing = staticmethod(read_listing)

    def __init__(self, path: str) -> None:
        self.path = path
        self._life: _Life | None = None

    # -- life ---------------------------------------------------------------------------------------------------------

    async def open(self) -> None:
        if self._life is None:
            self._life = await asyncio.to_thread(_Life, self.path)

    async def close(self) -> None:
        life, self._life = self._life, None
        if life is not None:
            await asyncio.to_thread(life.end)

    @property
    def _opened(self) -> _Life:
        if self._life is None:
            raise contract.Unavailable("The store is closed.")
        return self._life

    def data_version(self) -> int:
        """Changes soon after another process has written to the file. Asking costs microseconds."""
        return self._opened.data_version()

    # -- writing ------------------------------------------------------------------------------------------------------

    async def _append(self, append: contract.Append) -> contract.Appended:
        return await self._opened.writer.write(lambda connection: _append(connection, append))

    async def rewrite(
        self, table: str, expected: int, entries: Sequence[bytes], listing: contract.Listing, keys_of: str
    ) -> None:
        contract.require_storable(table, keys_of, listing.game, *listing.guests)
        work: Work[None] = lambda connection: _rewrite(connection, table, expected, entries, listing, keys_of)  # noqa: E731
        await self._opened.writer.write(work)

    async def delete(self, table: str) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.execute("DELETE FROM tables WHERE id = ?", (table,))
            for name in ("entries", "keys", "seats"):
                connection.execute(f"DELETE FROM {name} WHERE table_id = ?", (table,))

        contract.require_storable(table)
        await self._opened.writer.write(work)

    async def _change(self, statement: str, *values: Any, repeatable: bool = False) -> list[Any]:
        del repeatable  # a write is done once or not at all
        # All rows, even if there is one at most: a statement that is not at its end would block the commit.
        return await self._opened.writer.write(
            lambda connection: connection.execute(_own(statement), values).fetchall()
        )

    async def check(self) -> None:
        def work(connection: sqlite3.Connection) -> None:
            connection.execute("INSERT OR REPLACE INTO documents VALUES ('health', 'check', x'', NULL)")
            connection.execute("DELETE FROM documents WHERE kind = 'health'")

        await self._opened.writer.write(work)
        await self.get("health", "check")

    # -- reading ------------------------------------------------------------------------------------------------------

    async def _rows(self, statement: str, *values: Any) -> list[Any]:
        life = self._opened
        if not contract.is_storable(*(value for value in values if isinstance(value, str))):
            return []
        return await asyncio.get_running_loop().run_in_executor(life.reading, life.fetch, _own(statement), values)

    async def mentioning(self, word: bytes) -> list[str]:
        _ = self._opened
        return await mentioning(self.path, word)

    # -- everything ---------------------------------------------------------------------------------------------------

    def export(self) -> AsyncGenerator[contract.Count | contract.Row, None]:
        _ = self._opened
        return export(self.path)

    async def import_rows(self, rows: AsyncIterable[contract.Row], replace: bool = False) -> None:
        _ = self._opened
        await import_rows(self.path, rows, replace)


class _Life:
    """What there is between opening and closing. Everything here may wait for the disk: not for the event loop."""

    def __init__(self, path: str) -> None:
        migrate(path)
        self._path = path
        self._reader: sqlite3.Connection | None = None
        self._watcher = connect(path)
        self._watched = 0
        self.writer = Writer(path)
        self.reading = ThreadPoolExecutor(1, thread_name_prefix="nimmt-read")

    def end(self) -> None:
        self.writer.close()
        self.reading.shutdown()
        self._watcher.close()
        if self._reader is not None:
            self._reader.close()

    def fetch(self, statement: str, values: tuple[Any, ...]) -> list[Any]:
        """Only in the thread for reading."""
        try:
            with told_as_store_errors("The database cannot be read at the moment"):
                self._reader = self._reader or connect(self._path)
                return self._reader.execute(statement, values).fetchall()
        except contract.Unavailable:
            self._forget_reader()
            raise

    def _forget_reader(self) -> None:
        reader, self._reader = self._reader, None
        if reader is not None:
            reader.close()

    def data_version(self) -> int:
        """The watcher sees at once that the file has changed, but not by whom: that only the writer can tell."""
        with suppress(sqlite3.Error):  # there will be another look soon
            watched = self._watcher.execute("PRAGMA data_version").fetchone()[0]
            if watched != self._watched:
                self._watched = watched
                self.writer.look()
        return self.writer.foreign


def _append(connection: sqlite3.Connection, append: contract.Append) -> contract.Appended:
    table, expected, entries, listing, key, request = append
    if key is not None:
        for done, used_for in connection.execute(FIND_KEY, (table, key)).fetchall():
            contract.require_same(used_for, request)
            return contract.Appended(int(done), is_new=False)
    found = connection.execute("SELECT length, guests FROM tables WHERE id = ?", (table,)).fetchone()
    length, seated = found or (0, "[]")
    if length != expected:
        raise contract.Conflict(f"The log has {length} entries, not {expected}.")
    length += len(entries)
    _write(connection, table, expected, entries, listing, seated)
    if key is not None:
        connection.execute("INSERT INTO keys VALUES (?, ?, ?, ?)", (table, key, length, request))
    return contract.Appended(length)


def _write(
    connection: sqlite3.Connection,
    table: str,
    behind: int,
    entries: Sequence[bytes],
    listing: contract.Listing,
    seated: str,
) -> None:
    """Entries behind the first so many, and the table's row and seats."""
    values = table_values(table, behind + len(entries), listing)
    connection.execute("INSERT OR REPLACE INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
    numbered = [(table, number, entry) for number, entry in enumerate(entries, behind + 1)]
    connection.executemany("INSERT INTO entries VALUES (?, ?, ?)", numbered)
    if seated != values[5]:
        connection.execute("DELETE FROM seats WHERE table_id = ?", (table,))
        connection.executemany("INSERT INTO seats VALUES (?, ?)", seats(table, listing))


def _rewrite(
    connection: sqlite3.Connection,
    table: str,
    expected: int,
    entries: Sequence[bytes],
    listing: contract.Listing,
    keys_of: str,
) -> None:
    found = connection.execute("SELECT length, guests FROM tables WHERE id = ?", (table,)).fetchone()
    if found is None or found[0] != expected:
        raise contract.Conflict("The log is not as long as expected.")
    connection.execute("DELETE FROM entries WHERE table_id = ?", (table,))
    _write(connection, table, 0, entries, listing, found[1])
    belongs = "substr(key, 1, length(?)) = ?"
    connection.execute(f"DELETE FROM keys WHERE table_id = ? AND {belongs}", (table, keys_of, keys_of))


def _own(statement: str) -> str:
    """With its values numbered as SQLite does."""
    return statement.replace("$", "?")
