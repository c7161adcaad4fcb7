"""What a store promises. Memory, SQLite and PostgreSQL keep it alike; `nimmt.testing.stores` checks that they do."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Sequence
from typing import Literal, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec

# -- contract ----------------------------------------------------------------------------------------------------------

Phase: TypeAlias = Literal["waiting", "playing", "over", "closed", "kept"]
"""Where a table is. `kept` is no table but a log of the server's own, which is never cleared up."""


class StoreError(Exception):
    """Base of what a store refuses or cannot do."""


class Conflict(StoreError):
    """The log has grown since it was read: read again and decide anew."""


class Unavailable(StoreError):
    """The database cannot be reached now. Nothing was acknowledged; trying again later is safe with the same key."""


class KeyReused(StoreError):
    """The key was used for this table before, with another request."""


class NotEmpty(StoreError):
    """The store is not empty that would be lost."""


class Listing(msgspec.Struct, frozen=True):
    """How a table is found again: kept beside its log, written together with it, never the truth."""

    phase: Phase
    public: bool
    game: str
    guests: tuple[str, ...]
    """Whose tables this is among."""
    updated: int
    """When the log last grew, in milliseconds of the epoch."""
    due: int | None
    """When something must happen by itself (a bot's turn, a deadline), in milliseconds of the epoch."""
    card: bytes = b"{}"
    """What a list of tables shows of it, as JSON: public facts only; and the summary of a finished match, for those who
    played."""


class Append(NamedTuple):
    """What is to be appended: see `Store.append`."""

    table: str
    expected: int
    entries: Sequence[bytes]
    listing: Listing
    key: str | None
    request: str | None


class Appended(NamedTuple):
    """What became of an append."""

    length: int
    """Of the log after it; or after the earlier append that used its key."""
    is_new: bool = True
    """It was written just now. False: its key was used before."""


def is_storable(*texts: str | None) -> bool:
    """Whether all of these can be names. There is no NUL in text in PostgreSQL, and no half of a surrogate anywhere."""
    return all(text is None or ("\0" not in text and _is_unicode(text)) for text in texts)


def _is_unicode(text: str) -> bool:
    return text.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in text)


def require_same(used_for: str | None, request: str | None) -> None:
    """Raises `KeyReused` if both are known and differ."""
    if used_for is not None and request is not None and used_for != request:
        raise KeyReused("The key was used for another request.")


def require_storable(*texts: str | None) -> None:
    if not is_storable(*texts):
        raise StoreError("A name with a NUL or with half a character cannot be stored.")


class Store(Protocol):
    """Logs of tables, and small documents (guests, tokens, keys) beside them. Times are milliseconds of the epoch.

    Entries, documents and cards are any bytes. Names (of tables, keys, guests, games, documents) are any Unicode text
    without NUL: whatever writes refuses others with a `StoreError`, whatever reads does not find them. Tables that an
    order does not tell apart go by their names, by code points.
    """

    async def open(self) -> None:
        """Connect and bring the schema up to date; refuses a schema newer than it knows with a `StoreError`.

        A store that was closed can be opened again.
        """

    async def close(self) -> None:
        """Finish what is being written. Everything asked for afterwards is `Unavailable`."""

    async def append(
        self,
        table: str,
        expected: int,
        entries: Sequence[bytes],
        listing: Listing,
        key: str | None = None,
        request: str | None = None,
    ) -> Appended:
        """Append to a log that has `expected` entries (0: a new one) and return its new length.

        When it returns, the entries and the listing survive a crash of everything. Raises `Conflict`, and then
        nothing was written. With a `key` that was used for this table before, nothing is written and the length
        after that earlier append is returned, whatever is expected now: sending again is safe. `is_new` says whether
        these entries stand behind the expected ones for certain. If not, read the log: a store that lost its
        connection and tried again may have written them with the first attempt.

        `request` says in short (a hash) what the key is used for. Raises `KeyReused` if it was used for something else;
        keys that were written without a request fit to every one.
        """
        require_storable(table, key, request, listing.game, *listing.guests)
        return await self._append(Append(table, expected, entries, listing, key, request))

    async def _append(self, append: Append) -> Appended:
        """What `append` promises, for names that can be stored."""
        raise NotImplementedError

    async def rewrite(
        self, table: str, expected: int, entries: Sequence[bytes], listing: Listing, keys_of: str
    ) -> None:
        """Put other entries in place of a log that has `expected` of them (and is not empty), in one step; and forget
        the table's keys that begin with `keys_of`. Raises `Conflict`, and then nothing was written.

        Logs are append-only but for this: it is there to take a person's data out of them. Whoever keeps a copy of a
        log must find out by the last entry, so `entries` is longer than what it replaces.
        """

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        """The entries behind the first `after`, in order, so many at most; an unknown table has none."""

    async def find_key(self, table: str, key: str, request: str | None = None) -> int | None:
        """The length of the log after the append that used this key, if there was one; raises `KeyReused` like
        `append`."""

    async def listing(self, table: str) -> Listing | None:
        """The listing that came with the last append."""

    async def public_tables(self, phases: Sequence[Phase], limit: int) -> list[tuple[str, Listing]]:
        """Public tables in these phases, the last updated first."""

    async def tables_of(self, guest: str, limit: int) -> list[tuple[str, Listing]]:
        """Tables a guest sits at, the last updated first."""

    async def due_tables(self, now: int, limit: int) -> list[str]:
        """Tables that were due before now, the longest overdue first."""

    async def idle_tables(self, phases: Sequence[Phase], before: int, limit: int) -> list[str]:
        """Tables in these phases whose log has not grown since `before`, the longest idle first."""

    async def count(self, phase: Phase) -> int:
        """How many tables are in a phase."""

    async def mentioning(self, word: bytes) -> list[str]:
        """Tables with an entry that contains this, by name. All logs are looked through, so it takes a while; but
        others are served meanwhile."""

    async def delete(self, table: str) -> None:
        """Forget a table with its log, keys and listing. Its name is then free for a new one."""

    async def put(self, kind: str, name: str, data: bytes, expires: int | None = None) -> None:
        """Write a document, in place of an older one."""

    async def put_if_absent(self, kind: str, name: str, data: bytes, expires: int | None = None) -> bytes:
        """Write a document unless there is one, and return the one that is there then.

        One that has expired counts as there until it is purged or taken.
        """

    async def get(self, kind: str, name: str, now: int = 0) -> bytes | None:
        """A document unless it has expired: `expires` is the first moment without it."""

    async def documents(self, kind: str, now: int = 0) -> dict[str, bytes]:
        """All documents of a kind that have not expired, by name."""

    async def take(self, kind: str, name: str, now: int = 0) -> bytes | None:
        """Read and delete a document in one step: of two takers only one gets it."""

    async def remove(self, kind: str, name: str) -> None:
        """Forget a document if there is one."""

    async def purge(self, now: int) -> int:
        """Forget the documents that have expired; how many there were."""

    async def check(self) -> None:
        """Raise `Unavailable` unless reading and writing work. Leaves nothing behind."""

    def export(self) -> AsyncGenerator[Count | Row, None]:
        """Everything as of one moment, while others go on writing: the count, then tables, entries, keys, documents.

        Each of the four is ordered. Close the generator if it is left early.
        """

    async def import_rows(self, rows: AsyncIterable[Row], replace: bool = False) -> None:
        """Take in what `export` gave: all of it, or nothing if `rows` raises or repeats something.

        Raises `NotEmpty` if there is anything already, unless that is to be replaced.
        """


# -- leases ------------------------------------------------------------------------------------------------------------
# Which servers use a store now. Each says so again and again: one that was killed is soon forgotten.

KIND = "server"
LEASE = 25_000
"""Milliseconds after which a server that says nothing is taken for gone."""
RENEWAL = 10_000


class InUse(StoreError):
    """A server uses the store."""


async def renew(store: Store, process: str, now: int, load: bytes = b"") -> None:
    """`load` is what the process tells of itself meanwhile."""
    await store.put(KIND, process, load, now + LEASE)


async def running(store: Store, now: int) -> list[bytes]:
    """What the processes tell of themselves that use the store."""
    return [*(await store.documents(KIND, now)).values()]


async def end(store: Store, process: str) -> None:
    await store.remove(KIND, process)


async def require_unused(store: Store, now: int) -> None:
    if await store.documents(KIND, now):
        raise InUse(
            "A server is using this database, or was killed within the last "
            f"{LEASE // 1000} seconds. Stop it first: it would go on with what it remembers."
        )


# -- rows --------------------------------------------------------------------------------------------------------------
# Everything a store holds, piece by piece: what goes from one store to another, or into a backup.

T = TypeVar("T")


class Count(msgspec.Struct, frozen=True):
    """How much there is."""

    tables: int = 0
    entries: int = 0
    keys: int = 0
    documents: int = 0

    @property
    def total(self) -> int:
        return self.tables + self.entries + self.keys + self.documents


class TableRow(msgspec.Struct, frozen=True, gc=False, tag="table"):
    id: str
    length: int
    listing: Listing


class EntryRow(msgspec.Struct, frozen=True, gc=False, tag="entry"):
    table: str
    number: int
    """From 1."""
    data: bytes


class KeyRow(msgspec.Struct, frozen=True, gc=False, tag="key"):
    table: str
    key: str
    length: int
    request: str | None = None
    """What it was used for, in short; backups and keys of older versions do not say."""


class DocumentRow(msgspec.Struct, frozen=True, gc=False, tag="document"):
    kind: str
    name: str
    data: bytes
    expires: int | None


Row: TypeAlias = TableRow | EntryRow | KeyRow | DocumentRow


async def in_batches(rows: AsyncIterable[T], size: int) -> AsyncIterator[list[T]]:
    batch: list[T] = []
    async for row in rows:
        batch.append(row)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


# -- choice ------------------------------------------------------------------------------------------------------------
# The store that a setting names.


def make_store(database: str) -> Store:
    """`memory`, a postgresql:// address, or the path of a file for SQLite."""
    if database == "memory":
        from nimmt.store.memory import MemoryStore

        return MemoryStore()
    if database.startswith(("postgresql://", "postgres://")):
        from nimmt.store.postgres import PostgresStore

        return PostgresStore(database)
    from nimmt.store.sqlite import SqliteStore

    return SqliteStore(database)
