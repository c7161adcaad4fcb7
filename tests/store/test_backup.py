"""From any store to any other by way of a file; a file that is not as it was written changes nothing."""

import asyncio
import gzip
import json
import os
import stat
import tracemalloc
from collections.abc import Callable
from contextlib import aclosing
from pathlib import Path
from random import Random

import pytest

from nimmt.store import NotEmpty, Store, StoreError
from nimmt.store.backup import BackupError, backup, restore
from nimmt.store.contract import Count, EntryRow, Row, TableRow, make_store
from nimmt.testing.stores import fill, listing, opened, stock

FILLED = Count(tables=3, entries=5, keys=3, documents=3)

MakeDatabase = Callable[[str], str]


@pytest.fixture
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> MakeDatabase:
    """Fresh ones, of a kind that is named."""
    made = 0

    def make(kind: str) -> str:
        nonlocal made
        made += 1
        if kind == "sqlite":
            return str(tmp_path / f"{made}.db")
        server = request.getfixturevalue("postgres_server")
        url: str = server.new_database()
        request.addfinalizer(lambda: server.drop_database(url))
        return url

    return make


@pytest.fixture
def good(tmp_path: Path) -> Path:
    """A backup."""
    database, file = str(tmp_path / "source.db"), tmp_path / "good.nimmt"
    asyncio.run(use(database, fill))
    asyncio.run(backup(database, file))
    return file


async def use(database: str, work: Callable[[Store], object]) -> None:
    async with opened(lambda: make_store(database)) as store:
        await work(store)  # type: ignore[misc]


async def all_in(database: str) -> list[Count | Row]:
    async with opened(lambda: make_store(database)) as store:
        return await stock(store)


def lines_of(file: Path) -> list[bytes]:
    return gzip.decompress(file.read_bytes()).splitlines(keepends=True)


@pytest.mark.parametrize("source", ["sqlite", "postgres"])
@pytest.mark.parametrize("target", ["sqlite", "postgres"])
def test_it_moves_from_any_to_any(source: str, target: str, new_database: MakeDatabase, tmp_path: Path) -> None:
    async def scene() -> None:
        old, new, file = new_database(source), new_database(target), tmp_path / "all.nimmt"
        await use(old, fill)
        done: list[tuple[int, int]] = []
        assert await backup(old, file, progress=lambda *numbers: done.append(numbers)) == FILLED
        assert done[-1] == (FILLED.total, FILLED.total)
        assert await restore(file, new, progress=lambda *numbers: done.append(numbers)) == FILLED
        assert await all_in(new) == await all_in(old)
        again = tmp_path / "again.nimmt"
        await backup(new, again)
        assert again.read_bytes() == file.read_bytes()
        async with opened(lambda: make_store(new)) as store:
            assert (await store.append("table b", 0, [b"x"], listing(), "key")).length == 3
            assert (await store.append("table b", 4, [b"x"], listing(), "new")).length == 5

    asyncio.run(scene())


def test_the_file_can_be_read_by_other_programs(good: Path) -> None:
    header, *rows, end = map(json.loads, lines_of(good))
    count = {"tables": 3, "entries": 5, "keys": 3, "documents": 3}
    assert header == {"type": "header", "format": "nimmt-backup", "version": 1, "count": count}
    assert rows[3] == {"type": "entry", "table": "Table a", "number": 1, "data": "eA=="}
    assert end.keys() == {"type", "sha256"}


def test_only_its_owner_may_read_it(good: Path) -> None:
    assert stat.S_IMODE(good.stat().st_mode) == 0o600
    assert [file.name for file in good.parent.glob("*.part")] == []


def test_a_backup_is_of_one_moment_while_others_write(database: str, tmp_path: Path) -> None:
    """Each append raises two counters together; a backup that sees one of them changed sees the other."""

    async def write(store: Store, stop: asyncio.Event) -> None:
        length = 0
        while not stop.is_set():
            for table in ("left", "right"):
                await store.append(table, length, [b"x" * 100, str(length).encode()], listing(updated=length))
            length += 2

    async def scene() -> None:
        stop = asyncio.Event()
        async with opened(lambda: make_store(database)) as store:
            writing = asyncio.create_task(write(store, stop))
            while not await store.read("right"):
                await asyncio.sleep(0.01)
            for number in range(5):
                file = tmp_path / f"{number}.nimmt"
                await asyncio.gather(backup(database, file), asyncio.sleep(0.05))
                check(await restored(file, tmp_path / f"copy {number}.db"))
            stop.set()
            await writing

    async def restored(file: Path, target: Path) -> list[Count | Row]:
        await restore(file, str(target))
        return await all_in(str(target))

    def check(rows: list[Count | Row]) -> None:
        lengths = {row.id: row.length for row in rows if isinstance(row, TableRow)}
        assert lengths["left"] - lengths["right"] in (0, 2)
        for row in rows:
            if isinstance(row, TableRow):
                entries = [entry for entry in rows if isinstance(entry, EntryRow) and entry.table == row.id]
                assert [entry.number for entry in entries] == list(range(1, row.length + 1))
                assert row.listing.updated == row.length - 2

    asyncio.run(scene())


def test_a_store_that_is_not_empty_is_not_overwritten(database: str, good: Path) -> None:
    async def scene() -> None:
        await use(database, lambda store: store.put("k", "n", b"mine"))
        with pytest.raises(NotEmpty):
            await restore(good, database)
        assert (await all_in(database))[0] == Count(documents=1)
        await restore(good, database, force=True)
        assert (await all_in(database))[0] == FILLED

    asyncio.run(scene())


# -- spoilt files -----------------------------------------------------------------------------------------------------


def spoil(data: bytes, how: Callable[[list[bytes]], list[bytes]]) -> bytes:
    return gzip.compress(b"".join(how(gzip.decompress(data).splitlines(keepends=True))))


SPOILT: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda data: b"",
    "something else": lambda data: b"SQLite format 3",
    "other gzip": lambda data: gzip.compress(b"hello\nworld\n"),
    "other json": lambda data: gzip.compress(b'{"type": "end", "sha256": ""}\n'),
    "cut off early": lambda data: data[:20],
    "cut off in the middle": lambda data: data[: len(data) // 2],
    "the last byte cut off": lambda data: data[:-1],
    "without its end": lambda data: spoil(data, lambda lines: lines[:-1]),
    "a line missing": lambda data: spoil(data, lambda lines: lines[:5] + lines[6:]),
    "a line twice": lambda data: spoil(data, lambda lines: [*lines[:5], *lines[4:]]),
    "lines swapped": lambda data: spoil(data, lambda lines: [*lines[:4], lines[5], lines[4], *lines[6:]]),
    "a changed entry": lambda data: spoil(data, lambda lines: [line.replace(b'"eA=="', b'"eQ=="') for line in lines]),
    "a changed count": lambda data: spoil(data, lambda lines: [lines[0].replace(b"5", b"6"), *lines[1:]]),
    "nonsense inside": lambda data: spoil(data, lambda lines: [*lines[:4], b"{}\n", *lines[4:]]),
    "a half character inside": lambda data: spoil(data, lambda lines: [*lines[:4], b'"\xc3\n', *lines[4:]]),
    "two headers": lambda data: spoil(data, lambda lines: [lines[0], *lines]),
    "something behind": lambda data: data + gzip.compress(b"x\n"),
    "rubbish behind": lambda data: data + b"rubbish",
    "a newer format": lambda data: spoil(
        data, lambda lines: [lines[0].replace(b'"version":1', b'"version":2'), *lines[1:]]
    ),
}


@pytest.mark.parametrize("how", SPOILT)
def test_a_spoilt_file_changes_nothing(how: str, good: Path, tmp_path: Path) -> None:
    target, file = str(tmp_path / "target.db"), tmp_path / "spoilt.nimmt"
    file.write_bytes(SPOILT[how](good.read_bytes()))

    async def scene() -> None:
        await use(target, lambda store: store.put("k", "n", b"mine"))
        before = await all_in(target)
        with pytest.raises(BackupError):
            await restore(file, target, force=True)
        assert await all_in(target) == before

    asyncio.run(scene())


def test_no_changed_byte_goes_unnoticed(good: Path, tmp_path: Path) -> None:
    data, rng, target = good.read_bytes(), Random(6), str(tmp_path / "target.db")
    file = tmp_path / "spoilt.nimmt"
    for _ in range(60):
        place = rng.randrange(10, len(data))  # before that is the header of gzip with its date and system
        file.write_bytes(data[:place] + bytes([data[place] ^ (1 << rng.randrange(8))]) + data[place + 1 :])
        with pytest.raises(BackupError):
            asyncio.run(restore(file, target))
    assert asyncio.run(all_in(target)) == [Count()]


def test_a_spoilt_file_changes_nothing_in_postgres(good: Path, postgres_url: str) -> None:
    file = good.with_name("spoilt.nimmt")
    file.write_bytes(spoil(good.read_bytes(), lambda lines: lines[:-1]))
    with pytest.raises(BackupError):
        asyncio.run(restore(file, postgres_url))
    assert asyncio.run(all_in(postgres_url)) == [Count()]


# -- what can go wrong ------------------------------------------------------------------------------------------------


def test_what_is_not_there_cannot_be_saved(tmp_path: Path, good: Path) -> None:
    for database in ("memory", str(tmp_path / "none.db"), str(tmp_path)):
        with pytest.raises(StoreError):
            asyncio.run(backup(database, tmp_path / "new.nimmt"))
    assert not (tmp_path / "none.db").exists()
    with pytest.raises(StoreError):
        asyncio.run(restore(good, "memory"))
    with pytest.raises(FileNotFoundError):
        asyncio.run(restore(tmp_path / "none.nimmt", str(tmp_path / "target.db")))
    assert not (tmp_path / "target.db").exists()


def test_a_file_is_not_overwritten(good: Path) -> None:
    database, before = str(good.with_name("source.db")), good.read_bytes()
    with pytest.raises(FileExistsError):
        asyncio.run(backup(database, good))
    assert good.read_bytes() == before
    asyncio.run(backup(database, good, overwrite=True))


def test_a_backup_that_fails_leaves_the_old_one(good: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    before = good.read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        asyncio.run(backup(str(good.with_name("source.db")), good, overwrite=True))
    assert good.read_bytes() == before
    assert list(good.parent.glob("*.part")) == []


@pytest.mark.soak
def test_memory_stays_flat(tmp_path: Path, new_database: MakeDatabase) -> None:
    """Ten megabytes pass through, and never more than some of them are at hand."""
    source, file = new_database("sqlite"), tmp_path / "all.nimmt"
    rng = Random(1)

    async def grow(store: Store) -> None:
        for number in range(100):
            await store.append(f"t{number}", 0, [rng.randbytes(1000) for _ in range(100)], listing())

    asyncio.run(use(source, grow))
    tracemalloc.start()
    for work in (backup(source, file), restore(file, new_database("sqlite")), restore(file, new_database("postgres"))):
        tracemalloc.reset_peak()
        asyncio.run(work)
        assert tracemalloc.get_traced_memory()[1] < 4 * 2**20
    tracemalloc.stop()


def test_an_export_that_is_left_frees_the_database(database: str) -> None:
    async def scene() -> None:
        async with opened(lambda: make_store(database)) as store:
            await fill(store)
            async with aclosing(store.export()) as rows:
                await anext(rows)
                await anext(rows)
            await store.import_rows(nothing(), replace=True)
            assert await stock(store) == [Count()]

    async def nothing():  # type: ignore[no-untyped-def]
        for row in ():
            yield row

    asyncio.run(scene())
