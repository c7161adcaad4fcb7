"""What a store promises. Memory, SQLite and PostgreSQL keep it alike; `nimmt.testing.stores` checks that they do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, TypeAlias

import msgspec

Phase: TypeAlias = Literal["waiting", "playing", "over", "closed"]


class StoreError(Exception):
    """Base of what a store refuses or cannot do."""


class Conflict(StoreError):
    """The log has grown since it was read: read again and decide anew."""


class Unavailable(StoreError):
    """The database cannot be reached now. Nothing was acknowledged; trying again later is safe with the same key."""


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
    """What a list of tables shows of it, as JSON: public facts only."""


class Store(Protocol):
    """Logs of tables, and small documents (guests, tokens, keys) beside them. Times are milliseconds of the epoch."""

    async def open(self) -> None:
        """Connect and bring the schema up to date."""

    async def close(self) -> None: ...

    async def append(
        self, table: str, expected: int, entries: Sequence[bytes], listing: Listing, key: str | None = None
    ) -> int:
        """Append to a log that has `expected` entries (0: a new one) and return its new length.

        When it returns, the entries and the listing survive a crash of everything. Raises `Conflict`, and then
        nothing was written. With a `key` that was used for this table before, nothing is written and the length
        after that earlier append is returned: sending again is safe.
        """

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        """The entries behind the first `after`, in order; an unknown table has none."""

    async def find_key(self, table: str, key: str) -> int | None:
        """The length of the log after the append that used this key, if there was one."""

    async def listing(self, table: str) -> Listing | None: ...

    async def public_tables(self, phases: Sequence[Phase], limit: int) -> list[tuple[str, Listing]]:
        """Public tables in these phases, the last updated first."""

    async def tables_of(self, guest: str, limit: int) -> list[tuple[str, Listing]]:
        """Tables a guest sits at, the last updated first."""

    async def due_tables(self, now: int, limit: int) -> list[str]:
        """Tables that were due before now, the longest overdue first."""

    async def idle_tables(self, phases: Sequence[Phase], before: int, limit: int) -> list[str]:
        """Tables in these phases whose log has not grown since `before`."""

    async def delete(self, table: str) -> None:
        """Forget a table with its log, keys and listing."""

    async def put(self, kind: str, name: str, data: bytes, expires: int | None = None) -> None:
        """Write a document, in place of an older one."""

    async def put_if_absent(self, kind: str, name: str, data: bytes, expires: int | None = None) -> bytes:
        """Write a document unless there is one, and return the one that is there then."""

    async def get(self, kind: str, name: str, now: int = 0) -> bytes | None:
        """A document that has not expired."""

    async def take(self, kind: str, name: str, now: int = 0) -> bytes | None:
        """Read and delete a document in one step: of two takers only one gets it."""

    async def remove(self, kind: str, name: str) -> None: ...

    async def purge(self, now: int) -> int:
        """Forget the documents that have expired; how many there were."""

    async def check(self) -> None:
        """Raise `Unavailable` unless reading and writing work."""
