"""PostgreSQL: for many processes. An append is one round trip: a function in the database, a transaction by itself."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Callable, Sequence
from typing import TYPE_CHECKING, Any

import asyncpg

from nimmt.store.contract import (
    Appended,
    Conflict,
    Count,
    DocumentRow,
    EntryRow,
    KeyReused,
    KeyRow,
    Listing,
    NotEmpty,
    Phase,
    Row,
    StoreError,
    TableRow,
    Unavailable,
    in_batches,
    is_storable,
    require_same,
    require_storable,
)
from nimmt.store.postgres_pool import Connections, told_as_store_errors

# -- postgres rows -----------------------------------------------------------------------------------------------------
# How listings are written in PostgreSQL.

COLUMNS = "phase, public, game, guests, updated, due, card"


def listing_values(listing: Listing) -> tuple[Any, ...]:
    rest = listing.updated, listing.due, listing.card
    return listing.phase, listing.public, listing.game, list(listing.guests), *rest


def read_listing(row: Sequence[Any]) -> Listing:
    phase, public, game, guests, updated, due, card = row
    return Listing(phase, public, game, tuple(guests), updated, due, card)


# -- postgres copy -----------------------------------------------------------------------------------------------------
# Everything out of a database of PostgreSQL, and into one, by connections of their own.

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


# -- postgres ----------------------------------------------------------------------------------------------------------

APPEND = "SELECT done, reused, fresh, new_length FROM append_entries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
REWRITE = "SELECT rewrite_entries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"


class PostgresStore:
    def __init__(self, url: str) -> None:
        self.url = url
        self._connections = Connections(url)

    async def open(self) -> None:
        await self._connections.open()

    async def close(self) -> None:
        await self._connections.close()

    # -- writing ------------------------------------------------------------------------------------------------------

    async def append(
        self,
        table: str,
        expected: int,
        entries: Sequence[bytes],
        listing: Listing,
        key: str | None = None,
        request: str | None = None,
    ) -> Appended:
        require_storable(table, key, request, listing.game, *listing.guests)
        values = table, expected, list(entries), key, request, *listing_values(listing)
        # Only the key tells a second attempt that the first one was successful.
        ((done, reused, is_new, length),) = await self._change(APPEND, *values, repeatable=key is not None)
        if reused:
            raise KeyReused("The key was used for another request.")
        if not done:
            raise Conflict(f"The log has {length} entries, not {expected}.")
        return Appended(int(length), is_new)

    async def rewrite(
        self, table: str, expected: int, entries: Sequence[bytes], listing: Listing, keys_of: str
    ) -> None:
        require_storable(table, keys_of, listing.game, *listing.guests)
        values = table, expected, list(entries), keys_of, *listing_values(listing)
        ((done,),) = await self._change(REWRITE, *values)
        if not done:
            raise Conflict("The log is not as long as expected.")

    async def delete(self, table: str) -> None:
        require_storable(table)
        await self._change("SELECT delete_table($1)", table)

    async def put(self, kind: str, name: str, data: bytes, expires: int | None = None) -> None:
        require_storable(kind, name)
        statement = (
            "INSERT INTO documents VALUES ($1, $2, $3, $4) "
            "ON CONFLICT (kind, name) DO UPDATE SET data = excluded.data, expires = excluded.expires"
        )
        await self._change(statement, kind, name, data, expires, repeatable=True)

    async def put_if_absent(self, kind: str, name: str, data: bytes, expires: int | None = None) -> bytes:
        require_storable(kind, name)
        # The update changes nothing, but waits for another who is writing and returns what is there then.
        statement = (
            "INSERT INTO documents AS old VALUES ($1, $2, $3, $4) "
            "ON CONFLICT (kind, name) DO UPDATE SET data = old.data RETURNING data"
        )
        rows = await self._change(statement, kind, name, data, expires, repeatable=True)
        there: bytes = rows[0][0]
        return there

    async def take(self, kind: str, name: str, now: int = 0) -> bytes | None:
        require_storable(kind, name)
        statement = "DELETE FROM documents WHERE kind = $1 AND name = $2 RETURNING data, expires"
        for data, expires in await self._change(statement, kind, name):
            return data if expires is None or expires > now else None
        return None

    async def remove(self, kind: str, name: str) -> None:
        require_storable(kind, name)
        await self._change("DELETE FROM documents WHERE kind = $1 AND name = $2", kind, name)

    async def purge(self, now: int) -> int:
        return len(await self._change("DELETE FROM documents WHERE expires <= $1 RETURNING 1", now))

    async def notify(self, channel: str, messages: Sequence[str]) -> None:
        """Tell all who listen. A message that a crash swallows costs nothing but time, so it waits for no disk."""
        statement = (
            "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, word) FROM unnest($2::text[]) word"
        )
        await self._change(statement, channel, list(messages), repeatable=True)

    async def check(self) -> None:
        statement = """DO $$ BEGIN
            INSERT INTO documents VALUES ('health', pg_backend_pid()::text, '');
            DELETE FROM documents WHERE kind = 'health' AND name = pg_backend_pid()::text;
        END $$"""
        await self._connections.run(lambda connection: connection.execute(statement), repeatable=True)

    async def _change(self, statement: str, *values: Any, repeatable: bool = False) -> list[Any]:
        return await self._connections.run(lambda connection: connection.fetch(statement, *values), repeatable)

    # -- reading ------------------------------------------------------------------------------------------------------

    async def _rows(self, statement: str, *values: Any) -> list[Any]:
        if not is_storable(*(value for value in values if isinstance(value, str))):
            return []
        return await self._connections.run(lambda connection: connection.fetch(statement, *values), repeatable=True)

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        statement = (
            "SELECT data FROM entries WHERE table_id = $1 AND number > $2::bigint ORDER BY number LIMIT $3::bigint"
        )
        return [row[0] for row in await self._rows(statement, table, after, limit)]

    async def find_key(self, table: str, key: str, request: str | None = None) -> int | None:
        statement = "SELECT length, request FROM keys WHERE table_id = $1 AND key = $2"
        for length, used_for in await self._rows(statement, table, key):
            require_same(used_for, request)
            return int(length)
        return None

    async def listing(self, table: str) -> Listing | None:
        rows = await self._rows(f"SELECT {COLUMNS} FROM tables WHERE id = $1", table)
        return read_listing(rows[0]) if rows else None

    async def public_tables(self, phases: Sequence[Phase], limit: int) -> list[tuple[str, Listing]]:
        statement = (
            f"SELECT id, {COLUMNS} FROM tables WHERE public AND phase = ANY ($1) ORDER BY updated DESC, id LIMIT $2"
        )
        return [(row[0], read_listing(row[1:])) for row in await self._rows(statement, list(phases), limit)]

    async def tables_of(self, guest: str, limit: int) -> list[tuple[str, Listing]]:
        statement = (
            f"SELECT id, {COLUMNS} FROM tables JOIN seats ON seats.table_id = tables.id WHERE seats.guest = $1 "
            "ORDER BY updated DESC, id LIMIT $2"
        )
        return [(row[0], read_listing(row[1:])) for row in await self._rows(statement, guest, limit)]

    async def due_tables(self, now: int, limit: int) -> list[str]:
        rows = await self._rows("SELECT id FROM tables WHERE due < $1 ORDER BY due, id LIMIT $2", now, limit)
        return [row[0] for row in rows]

    async def idle_tables(self, phases: Sequence[Phase], before: int, limit: int) -> list[str]:
        statement = "SELECT id FROM tables WHERE phase = ANY ($1) AND updated < $2 ORDER BY updated, id LIMIT $3"
        return [row[0] for row in await self._rows(statement, list(phases), before, limit)]

    async def count(self, phase: Phase) -> int:
        rows = await self._rows("SELECT count(*) FROM tables WHERE phase = $1", phase)
        return int(rows[0][0])

    async def mentioning(self, word: bytes) -> list[str]:
        statement = "SELECT DISTINCT table_id FROM entries WHERE position($1::bytea IN data) > 0 ORDER BY table_id"
        return [row[0] for row in await self._rows(statement, word)]

    async def get(self, kind: str, name: str, now: int = 0) -> bytes | None:
        statement = "SELECT data FROM documents WHERE kind = $1 AND name = $2 AND (expires IS NULL OR expires > $3)"
        rows = await self._rows(statement, kind, name, now)
        return rows[0][0] if rows else None

    async def documents(self, kind: str, now: int = 0) -> dict[str, bytes]:
        statement = "SELECT name, data FROM documents WHERE kind = $1 AND (expires IS NULL OR expires > $2)"
        return {row[0]: row[1] for row in await self._rows(statement, kind, now)}

    # -- everything ---------------------------------------------------------------------------------------------------

    def export(self) -> AsyncGenerator[Count | Row, None]:
        self._require_open()
        return export(self._connections)

    async def import_rows(self, rows: AsyncIterable[Row], replace: bool = False) -> None:
        self._require_open()
        await import_rows(self._connections, rows, replace)

    def _require_open(self) -> None:
        if not self._connections.is_open:
            raise Unavailable("The store is closed.")
