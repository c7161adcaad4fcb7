"""A whole store in one file, from any kind of store and into any other."""

from __future__ import annotations

import asyncio
import errno
import gzip
import hashlib
import os
import time
import zlib
from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, contextmanager
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

import msgspec

from nimmt.store import contract
from nimmt.store.contract import (
    Count,
    DocumentRow,
    EntryRow,
    KeyRow,
    Row,
    Store,
    StoreError,
    TableRow,
    in_batches,
    make_store,
)

# -- backup file -------------------------------------------------------------------------------------------------------
# The file of a backup: gzip over lines of JSON.
#
# A header with the version of the format and the counts; a line for each table, entry, key and document; at the end the
# SHA-256 of all lines before. `docs/backup.md` describes it for other programs.

FORMAT = "nimmt-backup"
VERSION = 1
BATCH = 500
MAX_LINE_LENGTH = 2**30

_encoder = msgspec.json.Encoder()


class BackupError(StoreError):
    """A file that is no backup, or not as it was written."""


class Header(msgspec.Struct, frozen=True, tag="header"):
    format: str
    version: int
    count: Count


class End(msgspec.Struct, frozen=True, tag="end"):
    sha256: str


Line: TypeAlias = Header | TableRow | EntryRow | KeyRow | DocumentRow | End

_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


class BackupWriter:
    """Writes a file that only its owner may read, for it holds secrets. The same rows give the same bytes."""

    def __init__(self, path: Path, count: Count) -> None:
        self._file = os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb")
        self._gzip = gzip.GzipFile("", "wb", compresslevel=6, fileobj=self._file, mtime=0)
        self._digest = hashlib.sha256()
        self.write([Header(FORMAT, VERSION, count)])

    def __enter__(self) -> BackupWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    def write(self, lines: Sequence[Line]) -> None:
        data = _encoder.encode_lines(lines)
        self._digest.update(data)
        self._gzip.write(data)

    def finish(self) -> None:
        """Without this it is no backup yet. When it returns, the file is on disk."""
        self.write([End(self._digest.hexdigest())])
        self._gzip.close()
        self._file.flush()
        os.fsync(self._file.fileno())


class BackupReader:
    """Reads the rows of a file, and raises `BackupError` at the latest at its end if it is not as it was written."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._gzip = gzip.open(path, "rb")  # noqa: SIM115
        self._digest = hashlib.sha256()
        try:
            self.count = self._read_header().count
        except BaseException:
            self._gzip.close()
            raise

    def __enter__(self) -> BackupReader:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._gzip.close()

    def _read_header(self) -> Header:
        try:
            header = self._next()
        except BackupError:
            header = None
        if not isinstance(header, Header) or header.format != FORMAT:
            raise BackupError(f"{self._path} is not a nimmt backup.")
        if header.version > VERSION:
            raise BackupError(f"{self._path} was written by a newer version of nimmt (format {header.version}).")
        return header

    def batches(self) -> Iterator[list[Row]]:
        seen: Counter[type] = Counter()
        rows = self._rows()
        while batch := list(islice(rows, BATCH)):
            seen.update(map(type, batch))
            yield batch
        if Count(*(seen[kind] for kind in (TableRow, EntryRow, KeyRow, DocumentRow))) != self.count:
            raise self._spoilt("it does not hold as much as it says")

    def _rows(self) -> Iterator[Row]:
        while not isinstance(line := self._next(), End):
            if isinstance(line, Header):
                raise self._spoilt("there is a second header")
            yield line

    def _next(self) -> Line:
        before = self._digest.copy()
        data = self._read_line()
        self._digest.update(data)
        try:
            line = _decoder.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self._spoilt("a line is not what it should be") from error
        if isinstance(line, End):
            if line.sha256 != before.hexdigest():
                raise self._spoilt("the checksum is wrong")
            if self._read_line(at_end=True):
                raise self._spoilt("there is something behind the end")
        return line

    def _read_line(self, at_end: bool = False) -> bytes:
        try:
            data = self._gzip.readline(MAX_LINE_LENGTH)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise self._spoilt("it is cut off or changed") from error
        if not data.endswith(b"\n") and not at_end:
            raise self._spoilt("it is cut off")
        return data

    def _spoilt(self, why: str) -> BackupError:
        return BackupError(f"{self._path} is not as it was written: {why}.")


# -- backup ------------------------------------------------------------------------------------------------------------

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
        raise FileExistsError(errno.EEXIST, "The file already exists", str(file))
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
            await contract.require_unused(store, time.time_ns() // 1_000_000)
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
