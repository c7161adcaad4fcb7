"""Connections to PostgreSQL: a pool that heals by itself, the schema, and errors told as the contract's."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import asyncpg
from asyncpg.exceptions import InternalClientError

from nimmt.store.contract import Conflict, StoreError, Unavailable
from nimmt.store.migrations import POSTGRES

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


def told(error: Exception) -> StoreError:
    """What the contract says of a failure. Addresses stay out of it: there may be a password in them."""
    text = str(error) or type(error).__name__
    if isinstance(error, asyncpg.SerializationError | asyncpg.DeadlockDetectedError | asyncpg.UniqueViolationError):
        return Conflict(f"Somebody else was faster: {text}")
    if isinstance(error, ValueError | asyncpg.DataError):
        return StoreError(f"PostgreSQL cannot do this: {text}")
    return Unavailable(f"PostgreSQL: {text}")


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
                raise Unavailable("The store is closed.")
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
            raise StoreError(f"The database was made by a newer nimmt: {newer}.")
        if version < len(POSTGRES):
            await _take_steps(connection, version)


async def _take_steps(connection: Connection, version: int) -> None:
    for statements in POSTGRES[version:]:
        for statement in statements:
            await connection.execute(statement)
    await connection.execute("DELETE FROM schema_version")
    await connection.execute("INSERT INTO schema_version VALUES ($1)", len(POSTGRES))
