"""Everything a store holds, piece by piece: what goes from one store to another, or into a backup."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator
from typing import TypeAlias, TypeVar

import msgspec

from nimmt.store.contract import Listing

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
