"""PostgreSQL: for many processes. An append is one round trip: a function in the database, a transaction by itself."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import asyncpg
from asyncpg.exceptions import InternalClientError

from nimmt.store import contract
from nimmt.store.migrations import POSTGRES
from nimmt.store.sql import BATCH, SqlStore, sections

# -- postgres pool -----------------------------------------------------------------------------------------------------
# Connections to PostgreSQL: a pool that heals by itself, the schema, and errors told as the contract's.

if TYPE_CHECKING:
    from asyncpg.pool import PoolConnectionProxy

    Connection: TypeAlias = asyncpg.Connection[asyncpg.Record]
    Pool: TypeAlias = asyncpg.Pool[asyncpg.Record]
    Lent: TypeAlias = PoolConnectionProxy[asyncpg.Record]

T = TypeVar("T")

CONNECTIONS = 8
CONNECT_SECONDS = 5.0
COMMAND_SECONDS = 15.0
RETRIES = (0.2, 1.0)
"""So many seconds before what has failed is tried again, and once more."""
MIGRATION_LOCK = int.from_bytes(b"nimmt")
SERVER_SETTINGS = {
    "application_name": "nimmt",
    # Whatever the database's own defaults are: what is acknowledged is on disk, and each statement looks anew.
    "synchronous_commit": "on",
    "default_transaction_isolation": "read committed",
}

FAILURES = (OSError, ValueError, asyncpg.PostgresError, asyncpg.InterfaceError, InternalClientError)
PASSING = (
    OSError,
    InternalClientError,
    asyncpg.InterfaceError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,  # shutting down, starting up, a crash of another session
    asyncpg.TooManyConnectionsError,
)
"""What a new connection may cure."""


class _Connection(asyncpg.Connection):
    def get_reset_query(self) -> str:
        """Nothing here leaves anything behind in its session, and cleaning up would be one more round trip."""
        return ""


def told(error: Exception) -> contract.StoreError:
    """What the contract says of a failure. Addresses stay out of it: there may be a password in them."""
    text = str(error) or type(error).__name__
    if isinstance(error, asyncpg.SerializationError | asyncpg.DeadlockDetectedError | asyncpg.UniqueViolationError):
        return contract.Conflict(f"Somebody else was faster: {text}")
    if isinstance(error, ValueError | asyncpg.DataError):
        return contract.StoreError(f"PostgreSQL cannot do this: {text}")
    return contract.Unavailable(f"PostgreSQL: {text}")


@contextmanager
def told_as_store_errors() -> Iterator[None]:
    try:
        yield
    except FAILURES as error:
        raise told(error) from error


class Connections:
    """A few connections that are lent for one round trip at a time and made anew when they break."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._pool: Pool | None = None

    async def open(self) -> None:
        if self._pool is not None:
            return
        await _patiently(self._migrate)
        with told_as_store_errors():
            # None are kept for their own sake, so that an outage is noticed by those who want something.
            self._pool = await asyncpg.create_pool(
                self._url,
                min_size=0,
                max_size=CONNECTIONS,
                connection_class=_Connection,
                timeout=CONNECT_SECONDS,
                command_timeout=COMMAND_SECONDS,
                server_settings=SERVER_SETTINGS,
            )

    async def close(self) -> None:
        pool, self._pool = self._pool, None
        if pool is None:
            return
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await pool.close()
        except FAILURES:
            pool.terminate()

    async def _migrate(self) -> None:
        connection = await self._connect()
        try:
            await migrate(connection)
        finally:
            await _hang_up(connection)

    async def _connect(self) -> Connection:
        return await asyncpg.connect(self._url, timeout=CONNECT_SECONDS, server_settings=SERVER_SETTINGS)

    @asynccontextmanager
    async def single(self) -> AsyncIterator[Connection]:
        """A connection for something long, without a limit of time."""
        with told_as_store_errors():
            connection = await self._connect()
        try:
            yield connection
        finally:
            await _hang_up(connection)

    @property
    def is_open(self) -> bool:
        return self._pool is not None

    async def run(self, work: Callable[[Lent], Awaitable[T]], repeatable: bool) -> T:
        """Do something with a connection. When one breaks nobody knows whether the work was done:
        it is only tried again if doing it twice is the same as once."""

        async def attempt() -> T:
            pool = self._pool
            if pool is None:
                raise contract.Unavailable("The store is closed.")
            connection = await pool.acquire(timeout=CONNECT_SECONDS)
            try:
                return await work(connection)
            except PASSING as error:
                if repeatable:
                    raise
                raise told(error) from error
            finally:
                await _give_back(pool, connection)

        return await _patiently(attempt)


async def _patiently(attempt: Callable[[], Awaitable[T]]) -> T:
    """Try again when a new connection may help; raises only the contract's errors."""
    for delay in RETRIES:
        try:
            return await attempt()
        except PASSING as error:
            # Whoever has waited for long, or asks for nonsense, is not helped by waiting again.
            if isinstance(error, TimeoutError | ValueError):
                raise told(error) from error
        except FAILURES as error:
            raise told(error) from error
        await asyncio.sleep(delay)
    with told_as_store_errors():
        return await attempt()


async def _give_back(pool: Pool, connection: Lent) -> None:
    """What was done is done, even if the connection breaks now."""
    with contextlib.suppress(*FAILURES):
        await pool.release(connection, timeout=CONNECT_SECONDS)


async def _hang_up(connection: Connection) -> None:
    """What was not committed is rolled back."""
    try:
        await connection.close(timeout=CONNECT_SECONDS)
    except FAILURES:
        connection.terminate()


async def migrate(connection: Connection) -> None:
    """Bring the schema up to date in one transaction. Of several processes one does it, the others wait and look."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK)
        await connection.execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)")
        version: int = await connection.fetchval("SELECT coalesce(max(version), 0) FROM schema_version")
        if version > len(POSTGRES):
            newer = f"it has schema {version}, this one knows {len(POSTGRES)}"
            raise contract.StoreError(f"The database was written by a newer version of nimmt: {newer}.")
        if version < len(POSTGRES):
            await _take_steps(connection, version)


async def _take_steps(connection: Connection, version: int) -> None:
    for statements in POSTGRES[version:]:
        for statement in statements:
            await connection.execute(statement)
    await connection.execute("DELETE FROM schema_version")
    await connection.execute("INSERT INTO schema_version VALUES ($1)", len(POSTGRES))


# -- postgres rows -----------------------------------------------------------------------------------------------------
# How listings are written in PostgreSQL.


def listing_values(listing: contract.Listing) -> tuple[Any, ...]:
    rest = listing.updated, listing.due, listing.card
    return listing.phase, listing.public, listing.game, list(listing.guests), *rest


def read_listing(row: Sequence[Any]) -> contract.Listing:
    phase, public, game, guests, updated, due, card = row
    return contract.Listing(phase, public, game, tuple(guests), updated, due, card)


# -- postgres copy -----------------------------------------------------------------------------------------------------
# Everything out of a database of PostgreSQL, and into one, by connections of their own.

if TYPE_CHECKING:
    pass

SECTIONS = sections(read_listing)
# In this order an append takes them too, so that they never wait for each other.
TABLES = ("tables", "keys", "entries", "seats", "documents")


async def export(connections: Connections) -> AsyncGenerator[contract.Count | contract.Row, None]:
    """One snapshot, which keeps nobody from writing."""
    async with connections.single() as connection:
        with told_as_store_errors():
            await connection.transaction(isolation="repeatable_read", readonly=True).start()
            yield await _count(connection)
            for statement, make in SECTIONS:
                async for row in connection.cursor(statement, prefetch=BATCH):
                    yield make(*row)


async def _count(connection: Connection) -> contract.Count:
    tables = ("tables", "entries", "keys", "documents")
    counts = await connection.fetchrow(f"SELECT {', '.join(f'(SELECT count(*) FROM {name})' for name in tables)}")
    return contract.Count(*(counts or ()))


async def import_rows(connections: Connections, rows: AsyncIterable[contract.Row], replace: bool) -> None:
    """One transaction, in which nobody else can write. What `rows` raises is not the database's: it passes."""
    async with connections.single() as connection:
        transaction = connection.transaction()
        with told_as_store_errors():
            await transaction.start()
            await _make_room(connection, replace)
        async for batch in contract.in_batches(rows, BATCH):
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
        raise contract.NotEmpty("The database is not empty.")


async def _insert_all(connection: Connection, batch: Sequence[contract.Row]) -> None:
    records: dict[str, list[tuple[Any, ...]]] = {name: [] for name in TABLES}
    for row in batch:
        match row:
            case contract.TableRow():
                records["tables"].append((row.id, row.length, *listing_values(row.listing)))
                records["seats"] += [(guest, row.id) for guest in set(row.listing.guests)]
            case contract.EntryRow():
                records["entries"].append((row.table, row.number, row.data))
            case contract.KeyRow():
                records["keys"].append((row.table, row.key, row.length, row.request))
            case contract.DocumentRow():
                records["documents"].append((row.kind, row.name, row.data, row.expires))
    try:
        for name, values in records.items():
            if values:
                await connection.copy_records_to_table(name, records=values)
    except asyncpg.UniqueViolationError as error:
        raise contract.StoreError(f"Something occurs twice: {error.detail}") from error


# -- postgres ----------------------------------------------------------------------------------------------------------

APPEND = "SELECT done, reused, fresh, new_length FROM append_entries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)"
REWRITE = "SELECT rewrite_entries($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"


class PostgresStore(SqlStore):
    read_listing = staticmethod(read_listing)

    def __init__(self, url: str) -> None:
        self.url = url
        self._connections = Connections(url)

    async def open(self) -> None:
        await self._connections.open()

    async def close(self) -> None:
        await self._connections.close()

    # -- writing ------------------------------------------------------------------------------------------------------

    async def _append(self, append: contract.Append) -> contract.Appended:
        table, expected, entries, listing, key, request = append
        values = table, expected, list(entries), key, request, *listing_values(listing)
        # Only the key tells a second attempt that the first one was successful.
        ((done, reused, is_new, length),) = await self._change(APPEND, *values, repeatable=key is not None)
        if reused:
            raise contract.KeyReused("The key was used for another request.")
        if not done:
            raise contract.Conflict(f"The log has {length} entries, not {expected}.")
        return contract.Appended(int(length), is_new)

    async def rewrite(
        self, table: str, expected: int, entries: Sequence[bytes], listing: contract.Listing, keys_of: str
    ) -> None:
        contract.require_storable(table, keys_of, listing.game, *listing.guests)
        values = table, expected, list(entries), keys_of, *listing_values(listing)
        ((done,),) = await self._change(REWRITE, *values)
        if not done:
            raise contract.Conflict("The log is not as long as expected.")

    async def delete(self, table: str) -> None:
        contract.require_storable(table)
        await self._change("SELECT delete_table($1)", table)

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
        if not contract.is_storable(*(value for value in values if isinstance(value, str))):
            return []
        return await self._connections.run(lambda connection: connection.fetch(statement, *values), repeatable=True)

    async def mentioning(self, word: bytes) -> list[str]:
        statement = "SELECT DISTINCT table_id FROM entries WHERE position($1::bytea IN data) > 0 ORDER BY table_id"
        return [row[0] for row in await self._rows(statement, word)]

    # -- everything ---------------------------------------------------------------------------------------------------

    def export(self) -> AsyncGenerator[contract.Count | contract.Row, None]:
        self._require_open()
        return export(self._connections)

    async def import_rows(self, rows: AsyncIterable[contract.Row], replace: bool = False) -> None:
        self._require_open()
        await import_rows(self._connections, rows, replace)

    def _require_open(self) -> None:
        if not self._connections.is_open:
            raise contract.Unavailable("The store is closed.")
