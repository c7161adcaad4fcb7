"""Everything out of a database of PostgreSQL, and into one, by connections of their own."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Callable, Sequence
from typing import TYPE_CHECKING, Any

import asyncpg

from nimmt.store.contract import NotEmpty, StoreError
from nimmt.store.postgres_pool import Connections, told_as_store_errors
from nimmt.store.postgres_rows import COLUMNS, listing_values, read_listing
from nimmt.store.rows import Count, DocumentRow, EntryRow, KeyRow, Row, TableRow, in_batches

if TYPE_CHECKING:
    from nimmt.store.postgres_pool import Connection

BATCH = 200
SECTIONS: tuple[tuple[str, Callable[..., Row]], ...] = (
    (f"SELECT id, length, {COLUMNS} FROM tables ORDER BY id", lambda i, n, *rest: TableRow(i, n, read_listing(rest))),
    ("SELECT table_id, number, data FROM entries ORDER BY table_id, number", EntryRow),
    ("SELECT table_id, key, length, request FROM keys ORDER BY table_id, key", KeyRow),
    ("SELECT kind, name, data, expires FROM documents ORDER BY kind, name", DocumentRow),
)
# In this order an append takes them too, so that they never wait for each other.
TABLES = ("tables", "keys", "entries", "seats", "documents")


async def export(connections: Connections) -> AsyncGenerator[Count | Row, None]:
    """One snapshot, which keeps nobody from writing."""
    async with connections.single() as connection:
        with told_as_store_errors():
            await connection.transaction(isolation="repeatable_read", readonly=True).start()
            yield await _count(connection)
            for statement, make in SECTIONS:
                async for row in connection.cursor(statement, prefetch=BATCH):
                    yield make(*row)


async def _count(connection: Connection) -> Count:
    tables = ("tables", "entries", "keys", "documents")
    counts = await connection.fetchrow(f"SELECT {', '.join(f'(SELECT count(*) FROM {name})' for name in tables)}")
    return Count(*(counts or ()))


async def import_rows(connections: Connections, rows: AsyncIterable[Row], replace: bool) -> None:
    """One transaction, in which nobody else can write. What `rows` raises is not the database's: it passes."""
    async with connections.single() as connection:
        transaction = connection.transaction()
        with told_as_store_errors():
            await transaction.start()
            await _make_room(connection, replace)
        async for batch in in_batches(rows, BATCH):
            with told_as_store_errors():
                await _insert_all(connection, batch)
        with told_as_store_errors():
            await transaction.commit()


async def _make_room(connection: Connection, replace: bool) -> None:
    await connection.execute(f"LOCK TABLE {', '.join(TABLES)} IN EXCLUSIVE MODE")
    if replace:
        for name in TABLES:
            await connection.execute(f"DELETE FROM {name}")
    elif (await _count(connection)).total:
        raise NotEmpty("The database holds something already.")


async def _insert_all(connection: Connection, batch: Sequence[Row]) -> None:
    records: dict[str, list[tuple[Any, ...]]] = {name: [] for name in TABLES}
    for row in batch:
        match row:
            case TableRow():
                records["tables"].append((row.id, row.length, *listing_values(row.listing)))
                records["seats"] += [(guest, row.id) for guest in set(row.listing.guests)]
            case EntryRow():
                records["entries"].append((row.table, row.number, row.data))
            case KeyRow():
                records["keys"].append((row.table, row.key, row.length, row.request))
            case DocumentRow():
                records["documents"].append((row.kind, row.name, row.data, row.expires))
    try:
        for name, values in records.items():
            if values:
                await connection.copy_records_to_table(name, records=values)
    except asyncpg.UniqueViolationError as error:
        raise StoreError(f"Something is there twice: {error.detail}") from error
