"""A store that forgets everything with its process: for tests and for playing around."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable, Sequence
from itertools import islice

import msgspec

from nimmt.store import contract


class _Table(msgspec.Struct):
    listing: contract.Listing
    log: list[bytes] = []
    keys: dict[str, tuple[int, str | None]] = {}
    """The length of the log after it, and the request that it was used for."""

    def used(self, key: str, request: str | None) -> int | None:
        length, used_for = self.keys.get(key, (None, None))
        contract.require_same(used_for, request)
        return length


class _Document(msgspec.Struct, frozen=True):
    data: bytes
    expires: int | None

    def has_expired(self, now: int) -> bool:
        return self.expires is not None and self.expires <= now


class MemoryStore(contract.Store):
    """Nothing here waits, so everything happens in one step."""

    def __init__(self) -> None:
        self._all_tables: dict[str, _Table] = {}
        self._all_documents: dict[tuple[str, str], _Document] = {}
        self._is_open = True  # there is nothing to connect to

    async def open(self) -> None:
        self._is_open = True

    async def close(self) -> None:
        self._is_open = False

    @property
    def _tables(self) -> dict[str, _Table]:
        self._require_open()
        return self._all_tables

    @property
    def _documents(self) -> dict[tuple[str, str], _Document]:
        self._require_open()
        return self._all_documents

    def _require_open(self) -> None:
        if not self._is_open:
            raise contract.Unavailable("The store is closed.")

    # -- tables -------------------------------------------------------------------------------------------------------

    async def _append(self, append: contract.Append) -> contract.Appended:
        table, expected, entries, listing, key, request = append
        found = self._tables.get(table)
        if found and key is not None and (done := found.used(key, request)) is not None:
            return contract.Appended(done, is_new=False)
        length = len(found.log) if found else 0
        if length != expected:
            raise contract.Conflict(f"The log has {length} entries, not {expected}.")
        found = self._tables.setdefault(table, _Table(listing))
        found.listing = listing
        found.log += entries
        if key is not None:
            found.keys[key] = len(found.log), request
        return contract.Appended(len(found.log))

    async def rewrite(
        self, table: str, expected: int, entries: Sequence[bytes], listing: contract.Listing, keys_of: str
    ) -> None:
        contract.require_storable(table, keys_of, listing.game, *listing.guests)
        found = self._tables.get(table)
        if found is None or len(found.log) != expected:
            raise contract.Conflict("The log is not as long as expected.")
        keys = {key: used for key, used in found.keys.items() if not key.startswith(keys_of)}
        # Another list: an export may be reading the old one.
        self._tables[table] = _Table(listing, [*entries], keys)

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        found = self._tables.get(table)
        return found.log[after : None if limit is None else after + limit] if found else []

    async def find_key(self, table: str, key: str, request: str | None = None) -> int | None:
        found = self._tables.get(table)
        return found.used(key, request) if found else None

    async def listing(self, table: str) -> contract.Listing | None:
        found = self._tables.get(table)
        return found.listing if found else None

    def _latest(self) -> list[tuple[str, contract.Listing]]:
        items = [(table, found.listing) for table, found in self._tables.items()]
        return sorted(items, key=lambda item: (-item[1].updated, item[0]))

    async def public_tables(self, phases: Sequence[contract.Phase], limit: int) -> list[tuple[str, contract.Listing]]:
        return [item for item in self._latest() if item[1].public and item[1].phase in phases][:limit]

    async def tables_of(self, guest: str, limit: int) -> list[tuple[str, contract.Listing]]:
        return [item for item in self._latest() if guest in item[1].guests][:limit]

    async def due_tables(self, now: int, limit: int) -> list[str]:
        due = [(one.listing.due, table) for table, one in self._tables.items() if one.listing.due is not None]
        return [table for when, table in sorted(due) if when < now][:limit]

    async def idle_tables(self, phases: Sequence[contract.Phase], before: int, limit: int) -> list[str]:
        idle = [(one.listing.updated, table) for table, one in self._tables.items() if one.listing.phase in phases]
        return [table for when, table in sorted(idle) if when < before][:limit]

    async def count(self, phase: contract.Phase) -> int:
        return sum(table.listing.phase == phase for table in self._tables.values())

    async def mentioning(self, word: bytes) -> list[str]:
        return sorted(table for table, one in self._tables.items() if any(word in entry for entry in one.log))

    async def delete(self, table: str) -> None:
        contract.require_storable(table)
        self._tables.pop(table, None)

    # -- documents ----------------------------------------------------------------------------------------------------

    async def put(self, kind: str, name: str, data: bytes, expires: int | None = None) -> None:
        contract.require_storable(kind, name)
        self._documents[kind, name] = _Document(data, expires)

    async def put_if_absent(self, kind: str, name: str, data: bytes, expires: int | None = None) -> bytes:
        contract.require_storable(kind, name)
        return self._documents.setdefault((kind, name), _Document(data, expires)).data

    async def get(self, kind: str, name: str, now: int = 0) -> bytes | None:
        found = self._documents.get((kind, name))
        return None if found is None or found.has_expired(now) else found.data

    async def documents(self, kind: str, now: int = 0) -> dict[str, bytes]:
        return {
            name: found.data
            for (its_kind, name), found in self._documents.items()
            if its_kind == kind and not found.has_expired(now)
        }

    async def take(self, kind: str, name: str, now: int = 0) -> bytes | None:
        contract.require_storable(kind, name)
        found = self._documents.pop((kind, name), None)
        return None if found is None or found.has_expired(now) else found.data

    async def remove(self, kind: str, name: str) -> None:
        contract.require_storable(kind, name)
        self._documents.pop((kind, name), None)

    async def purge(self, now: int) -> int:
        expired = [name for name, document in self._documents.items() if document.has_expired(now)]
        for name in expired:
            del self._documents[name]
        return len(expired)

    async def check(self) -> None:
        self._require_open()

    # -- everything ---------------------------------------------------------------------------------------------------

    async def export(self) -> AsyncGenerator[contract.Count | contract.Row, None]:
        # Logs only grow, so their lengths are enough to keep this moment.
        tables = [(name, one.listing, one.log, len(one.log), dict(one.keys)) for name, one in self._tables.items()]
        tables.sort(key=lambda table: table[0])
        documents = sorted(self._documents.items())
        keys = [contract.KeyRow(name, key, *found[key]) for name, _, _, _, found in tables for key in sorted(found)]
        yield contract.Count(len(tables), sum(length for _, _, _, length, _ in tables), len(keys), len(documents))
        for name, listing, _, length, _ in tables:
            yield contract.TableRow(name, length, listing)
        for name, _, log, length, _ in tables:
            for number, data in enumerate(islice(log, length), 1):
                yield contract.EntryRow(name, number, data)
        for key in keys:
            yield key
        for (kind, name), document in documents:
            yield contract.DocumentRow(kind, name, document.data, document.expires)

    async def import_rows(self, rows: AsyncIterable[contract.Row], replace: bool = False) -> None:
        if not replace:
            self._require_empty()
        tables, documents = await _collect(rows)
        if not replace:
            self._require_empty()
        self._require_open()
        self._all_tables, self._all_documents = tables, documents

    def _require_empty(self) -> None:
        if self._tables or self._documents:
            raise contract.NotEmpty("The store is not empty.")


async def _collect(
    rows: AsyncIterable[contract.Row],
) -> tuple[dict[str, _Table], dict[tuple[str, str], _Document]]:
    tables: dict[str, _Table] = {}
    documents: dict[tuple[str, str], _Document] = {}
    async for row in rows:
        if not _add(row, tables, documents):
            raise contract.StoreError(f"This does not match what came before: {str(row)[:100]}")
    return tables, documents


def _add(row: contract.Row, tables: dict[str, _Table], documents: dict[tuple[str, str], _Document]) -> bool:
    match row:
        case contract.TableRow(id=table) if table not in tables:
            tables[table] = _Table(row.listing)
        case contract.EntryRow(table=table) if table in tables and row.number == len(tables[table].log) + 1:
            tables[table].log.append(row.data)
        case contract.KeyRow(table=table, key=key) if table in tables and key not in tables[table].keys:
            tables[table].keys[key] = row.length, row.request
        case contract.DocumentRow(kind=kind, name=name) if (kind, name) not in documents:
            documents[kind, name] = _Document(row.data, row.expires)
        case _:
            return False
    return True
