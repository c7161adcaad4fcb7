"""What SQLite and PostgreSQL share: the statements, with values numbered as PostgreSQL does, and what they give."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from nimmt.store.contract import (
    DocumentRow,
    EntryRow,
    KeyRow,
    Listing,
    Phase,
    Row,
    Store,
    TableRow,
    require_same,
    require_storable,
)

COLUMNS = "phase, public, game, guests, updated, due, card"
BATCH = 200
NO_LIMIT = 2**62
Section: TypeAlias = tuple[str, Callable[..., Row]]


def sections(read_listing: Callable[[Sequence[Any]], Listing]) -> tuple[Section, ...]:
    """Everything there is: a statement for each kind of rows, and what makes a row of its values."""
    return (
        (
            f"SELECT id, length, {COLUMNS} FROM tables ORDER BY id",
            lambda table, length, *rest: TableRow(table, length, read_listing(rest)),
        ),
        ("SELECT table_id, number, data FROM entries ORDER BY table_id, number", EntryRow),
        ("SELECT table_id, key, length, request FROM keys ORDER BY table_id, key", KeyRow),
        ("SELECT kind, name, data, expires FROM documents ORDER BY kind, name", DocumentRow),
    )


def _among(phases: Sequence[Phase]) -> str:
    """A condition. Phases are a few words of ours: there is nothing to escape."""
    named = ", ".join(f"'{phase}'" for phase in phases)
    return f"phase IN ({named})" if phases else "false"


class SqlStore(Store, ABC):
    """All of the contract that is a statement and no more."""

    @staticmethod
    @abstractmethod
    def read_listing(row: Sequence[Any]) -> Listing:
        """From the values of `COLUMNS`."""

    @abstractmethod
    async def _rows(self, statement: str, *values: Any) -> list[Any]:
        """What a statement reads; nothing if a text among the values could never have been stored."""

    @abstractmethod
    async def _change(self, statement: str, *values: Any, repeatable: bool = False) -> list[Any]:
        """What a statement returns that writes; `repeatable` if it does no harm to do it twice."""

    # -- tables -------------------------------------------------------------------------------------------------------

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        statement = (
            "SELECT data FROM entries WHERE table_id = $1 AND number > CAST($2 AS BIGINT) "
            "ORDER BY number LIMIT CAST($3 AS BIGINT)"
        )
        return await self._firsts(statement, table, after, NO_LIMIT if limit is None else limit)

    async def find_key(self, table: str, key: str, request: str | None = None) -> int | None:
        statement = "SELECT length, request FROM keys WHERE table_id = $1 AND key = $2"
        for length, used_for in await self._rows(statement, table, key):
            require_same(used_for, request)
            return int(length)
        return None

    async def listing(self, table: str) -> Listing | None:
        rows = await self._rows(f"SELECT {COLUMNS} FROM tables WHERE id = $1", table)
        return self.read_listing(rows[0]) if rows else None

    async def public_tables(self, phases: Sequence[Phase], limit: int) -> list[tuple[str, Listing]]:
        return await self._listed(f"WHERE public AND {_among(phases)} ORDER BY updated DESC, id LIMIT $1", limit)

    async def tables_of(self, guest: str, limit: int) -> list[tuple[str, Listing]]:
        seated = "JOIN seats ON seats.table_id = tables.id WHERE seats.guest = $1"
        return await self._listed(f"{seated} ORDER BY updated DESC, id LIMIT $2", guest, limit)

    async def due_tables(self, now: int, limit: int) -> list[str]:
        due = "SELECT id FROM tables WHERE due IS NOT NULL AND due < $1 ORDER BY due, id LIMIT $2"
        return await self._firsts(due, now, limit)

    async def idle_tables(self, phases: Sequence[Phase], before: int, limit: int) -> list[str]:
        idle = f"SELECT id FROM tables WHERE {_among(phases)} AND updated < $1 ORDER BY updated, id LIMIT $2"
        return await self._firsts(idle, before, limit)

    async def count(self, phase: Phase) -> int:
        (number,) = await self._firsts("SELECT count(*) FROM tables WHERE phase = $1", phase)
        return int(number)

    async def _firsts(self, statement: str, *values: Any) -> list[Any]:
        """The first column."""
        return [row[0] for row in await self._rows(statement, *values)]

    async def _listed(self, condition: str, *values: Any) -> list[tuple[str, Listing]]:
        rows = await self._rows(f"SELECT id, {COLUMNS} FROM tables {condition}", *values)
        return [(row[0], self.read_listing(row[1:])) for row in rows]

    # -- documents ----------------------------------------------------------------------------------------------------

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
        ((there,),) = await self._change(statement, kind, name, data, expires, repeatable=True)
        return bytes(there)

    async def get(self, kind: str, name: str, now: int = 0) -> bytes | None:
        statement = "SELECT data FROM documents WHERE kind = $1 AND name = $2 AND (expires IS NULL OR expires > $3)"
        found = await self._firsts(statement, kind, name, now)
        return found[0] if found else None

    async def documents(self, kind: str, now: int = 0) -> dict[str, bytes]:
        statement = "SELECT name, data FROM documents WHERE kind = $1 AND (expires IS NULL OR expires > $2)"
        return {name: data for name, data in await self._rows(statement, kind, now)}  # noqa: C416 - rows are no pairs

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
