"""Everything out of a file of SQLite, and into one, by connections of their own."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeAlias

from nimmt.store.contract import NotEmpty, StoreError
from nimmt.store.rows import Count, DocumentRow, EntryRow, KeyRow, Row, TableRow, in_batches
from nimmt.store.sqlite_file import COLUMNS, connect, read_listing, seats, table_values, told_as_store_errors

Run: TypeAlias = Callable[..., Awaitable[Any]]
"""Takes a function of a connection and its further arguments."""

BATCH = 200
TABLES = ("tables", "entries", "keys", "documents")
SECTIONS: tuple[tuple[str, Callable[..., Row]], ...] = (
    (f"SELECT id, length, {COLUMNS} FROM tables ORDER BY id", lambda i, n, *rest: TableRow(i, n, read_listing(rest))),
    ("SELECT table_id, number, data FROM entries ORDER BY table_id, number", EntryRow),
    ("SELECT table_id, key, length, request FROM keys ORDER BY table_id, key", KeyRow),
    ("SELECT kind, name, data, expires FROM documents ORDER BY kind, name", DocumentRow),
)

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


async def export(path: str) -> AsyncGenerator[Count | Row, None]:
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


def _begin(connection: sqlite3.Connection) -> Count:
    with told_as_store_errors("The database cannot be read at the moment"):
        connection.execute("BEGIN")
        return _count(connection)


def _count(connection: sqlite3.Connection) -> Count:
    return Count(*(connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in TABLES))


def _select(connection: sqlite3.Connection, statement: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
    with told_as_store_errors("The database cannot be read at the moment"):
        return connection.execute(statement, values)


def _fetch(_: sqlite3.Connection, cursor: sqlite3.Cursor) -> list[Any]:
    with told_as_store_errors("The database cannot be read at the moment"):
        return cursor.fetchmany(BATCH)


def _fetch_all(_: sqlite3.Connection, cursor: sqlite3.Cursor) -> list[Any]:
    with told_as_store_errors("The database cannot be read at the moment"):
        return cursor.fetchall()


async def import_rows(path: str, rows: AsyncIterable[Row], replace: bool) -> None:
    """One transaction, in which nobody else can write."""
    async with _connected(path) as run:
        await run(_make_room, replace)
        async for batch in in_batches(rows, BATCH):
            await run(_insert_all, batch)
        await run(_commit)


def _make_room(connection: sqlite3.Connection, replace: bool) -> None:
    with told_as_store_errors("The database takes nothing at the moment"):
        connection.execute("BEGIN IMMEDIATE")
        if replace:
            for name in (*TABLES, "seats"):
                connection.execute(f"DELETE FROM {name}")
        elif _count(connection).total:
            raise NotEmpty("The database holds something already.")


def _insert_all(connection: sqlite3.Connection, batch: Sequence[Row]) -> None:
    with told_as_store_errors("The database takes nothing at the moment"):
        for row in batch:
            try:
                _insert(connection, row)
            except sqlite3.IntegrityError as error:
                raise StoreError(f"This is there twice: {str(row)[:100]}") from error


def _insert(connection: sqlite3.Connection, row: Row) -> None:
    match row:
        case TableRow():
            values = table_values(row.id, row.length, row.listing)
            connection.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values)
            connection.executemany("INSERT INTO seats VALUES (?, ?)", seats(row.id, row.listing))
        case EntryRow():
            connection.execute("INSERT INTO entries VALUES (?, ?, ?)", (row.table, row.number, row.data))
        case KeyRow():
            values = row.table, row.key, row.length, row.request
            connection.execute("INSERT INTO keys VALUES (?, ?, ?, ?)", values)
        case DocumentRow():
            values = row.kind, row.name, row.data, row.expires
            connection.execute("INSERT INTO documents VALUES (?, ?, ?, ?)", values)


def _commit(connection: sqlite3.Connection) -> None:
    with told_as_store_errors("The database takes nothing at the moment"):
        connection.execute("COMMIT")
