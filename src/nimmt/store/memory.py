"""A store that forgets everything with its process: for tests and for playing around."""

from __future__ import annotations

from collections.abc import Sequence

from nimmt.store.contract import Conflict, Listing, Phase


class MemoryStore:
    def __init__(self) -> None:
        self._logs: dict[str, list[bytes]] = {}
        self._listings: dict[str, Listing] = {}
        self._keys: dict[tuple[str, str], int] = {}
        self._documents: dict[tuple[str, str], tuple[bytes, int | None]] = {}

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def append(
        self, table: str, expected: int, entries: Sequence[bytes], listing: Listing, key: str | None = None
    ) -> int:
        if key is not None and (table, key) in self._keys:
            return self._keys[table, key]
        log = self._logs.get(table, [])
        if len(log) != expected:
            raise Conflict(f"The log has {len(log)} entries, not {expected}.")
        self._logs[table] = [*log, *entries]
        self._listings[table] = listing
        length = expected + len(entries)
        if key is not None:
            self._keys[table, key] = length
        return length

    async def read(self, table: str, after: int = 0) -> list[bytes]:
        return self._logs.get(table, [])[after:]

    async def find_key(self, table: str, key: str) -> int | None:
        return self._keys.get((table, key))

    async def listing(self, table: str) -> Listing | None:
        return self._listings.get(table)

    def _latest(self) -> list[tuple[str, Listing]]:
        return sorted(self._listings.items(), key=lambda item: (-item[1].updated, item[0]))

    async def public_tables(self, phases: Sequence[Phase], limit: int) -> list[tuple[str, Listing]]:
        return [item for item in self._latest() if item[1].public and item[1].phase in phases][:limit]

    async def tables_of(self, guest: str, limit: int) -> list[tuple[str, Listing]]:
        return [item for item in self._latest() if guest in item[1].guests][:limit]

    async def due_tables(self, now: int, limit: int) -> list[str]:
        due = [(listing.due, table) for table, listing in self._listings.items() if listing.due is not None]
        return [table for when, table in sorted(due) if when < now][:limit]

    async def idle_tables(self, phases: Sequence[Phase], before: int, limit: int) -> list[str]:
        idle = [(table, one) for table, one in self._listings.items() if one.phase in phases and one.updated < before]
        return [table for table, _ in sorted(idle, key=lambda item: (item[1].updated, item[0]))][:limit]

    async def delete(self, table: str) -> None:
        self._logs.pop(table, None)
        self._listings.pop(table, None)
        self._keys = {key: length for key, length in self._keys.items() if key[0] != table}

    async def put(self, kind: str, name: str, data: bytes, expires: int | None = None) -> None:
        self._documents[kind, name] = (data, expires)

    async def put_if_absent(self, kind: str, name: str, data: bytes, expires: int | None = None) -> bytes:
        return self._documents.setdefault((kind, name), (data, expires))[0]

    async def get(self, kind: str, name: str, now: int = 0) -> bytes | None:
        data, expires = self._documents.get((kind, name), (None, None))
        return None if expires is not None and expires <= now else data

    async def take(self, kind: str, name: str, now: int = 0) -> bytes | None:
        data = await self.get(kind, name, now)
        self._documents.pop((kind, name), None)
        return data

    async def remove(self, kind: str, name: str) -> None:
        self._documents.pop((kind, name), None)

    async def purge(self, now: int) -> int:
        before = len(self._documents)
        self._documents = {k: d for k, d in self._documents.items() if d[1] is None or d[1] > now}
        return before - len(self._documents)

    async def check(self) -> None:
        pass
