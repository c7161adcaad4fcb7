"""A whole store in one file, from any kind of store and into any other."""

from __future__ import annotations

import asyncio
import errno
import os
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing, asynccontextmanager, contextmanager
from pathlib import Path
from typing import TypeAlias

from nimmt.store import leases
from nimmt.store.backup_file import BATCH, BackupError, BackupReader, BackupWriter
from nimmt.store.choice import make_store
from nimmt.store.contract import Store, StoreError
from nimmt.store.rows import Count, Row, in_batches

__all__ = ["BackupError", "Progress", "backup", "restore"]

Progress: TypeAlias = Callable[[int, int], None]
"""Told again and again how many rows are done, and of how many."""


def _nothing(done: int, total: int) -> None:
    del done, total


async def backup(store_url: str, file: str | Path, *, overwrite: bool = False, progress: Progress = _nothing) -> Count:
    """Write everything in a store to a file, as it is at one moment; the store may be in use.

    The file appears when it is whole. Raises `FileExistsError` rather than overwrite one, unless it may.
    """
    _require_database(store_url)
    file = Path(file)
    if file.exists() and not overwrite:
        raise FileExistsError(errno.EEXIST, "There is such a file already", str(file))
    part = file.with_name(f"{file.name}.part")
    async with _opened(store_url) as store:
        try:
            count = await _write(part, store, progress)
            os.replace(part, file)
        finally:
            part.unlink(missing_ok=True)
    return count


def _require_database(store_url: str) -> None:
    """Opening would make an empty one."""
    if store_url == "memory":
        raise StoreError("What is in memory cannot be seen from another process.")
    if "://" not in store_url and not Path(store_url).is_file():
        raise StoreError(f"There is no database {store_url}.")


@asynccontextmanager
async def _opened(store_url: str) -> AsyncIterator[Store]:
    store = make_store(store_url)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def _write(path: Path, store: Store, progress: Progress) -> Count:
    async with aclosing(store.export()) as everything:
        count = await anext(everything)
        assert isinstance(count, Count)
        with BackupWriter(path, count) as writer:
            done = 0
            async for batch in in_batches(_only_rows(everything), BATCH):
                await asyncio.to_thread(writer.write, batch)
                progress(done := done + len(batch), count.total)
            await asyncio.to_thread(writer.finish)
    return count


async def _only_rows(everything: AsyncGenerator[Count | Row, None]) -> AsyncIterator[Row]:
    async for row in everything:
        if not isinstance(row, Count):
            yield row


async def restore(file: str | Path, store_url: str, *, force: bool = False, progress: Progress = _nothing) -> Count:
    """Put what a file holds into a store: all of it, or nothing if the file is not as it was written.

    Raises `NotEmpty` if there is something in the store already, unless forced: then that is replaced. Raises `InUse`
    if a server uses the store. What was not there before is not there after a failure.
    """
    if store_url == "memory":
        raise StoreError("What is restored to memory is forgotten at once.")
    with await asyncio.to_thread(BackupReader, Path(file)) as reader, _nothing_left_behind(store_url):
        async with _opened(store_url) as store:
            await leases.require_unused(store, time.time_ns() // 1_000_000)
            await store.import_rows(_rows(reader, progress), replace=force)
        return reader.count


@contextmanager
def _nothing_left_behind(store_url: str) -> Iterator[None]:
    """Opening makes a file; if nothing comes of it, it goes again."""
    was_there = "://" in store_url or Path(store_url).exists()
    try:
        yield
    except BaseException:
        if not was_there:
            for suffix in ("", "-wal", "-shm"):
                Path(store_url + suffix).unlink(missing_ok=True)
        raise


async def _rows(reader: BackupReader, progress: Progress) -> AsyncIterator[Row]:
    batches = reader.batches()
    done = 0
    while batch := await asyncio.to_thread(next, batches, None):
        for row in batch:
            yield row
        progress(done := done + len(batch), reader.count.total)
