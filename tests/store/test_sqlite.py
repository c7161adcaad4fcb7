"""What only SQLite can get wrong: the writer's thread, shared transactions, the file."""

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from nimmt.store import Conflict, StoreError, Unavailable, sqlite_file
from nimmt.store.sqlite import SqliteStore
from nimmt.store.sqlite_file import Writer, connect
from nimmt.testing.stores import listing, opened

Scene = Callable[[SqliteStore], Awaitable[None]]


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "nimmt.db")


def play(path: str, scene: Scene) -> None:
    async def run() -> None:
        store = SqliteStore(path)
        async with opened(lambda: store):
            await scene(store)

    asyncio.run(run())


def writer_of(store: SqliteStore) -> Writer:
    assert store._life is not None
    return store._life.writer


@contextmanager
def locked(path: str) -> Iterator[None]:
    """Another process is writing and takes its time."""
    other = connect(path)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.close()


def test_commits_reach_the_disk(path: str) -> None:
    connection = connect(path)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    connection.close()


def test_a_fresh_file_can_be_opened_by_many_at_once(tmp_path: Path) -> None:
    """SQLite itself does not always wait when several turn the same file to a write-ahead log."""
    with ThreadPoolExecutor(6) as threads:
        for number in range(100):
            path, start = str(tmp_path / f"{number}.db"), threading.Barrier(6)
            for connection in threads.map(connect_together, [path] * 6, [start] * 6):
                connection.close()


def connect_together(path: str, start: threading.Barrier) -> sqlite3.Connection:
    start.wait()
    return connect(path)


def test_nobody_hears_of_what_is_not_committed(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the commit fails, all who shared it are told so, and nothing is there."""

    async def scene(store: SqliteStore) -> None:
        writer = writer_of(store)
        # What is deferred to the commit fails there, and not before.
        await writer.write(lambda connection: connection.execute("CREATE TABLE parent (id INTEGER PRIMARY KEY)"))
        child = "CREATE TABLE child (id REFERENCES parent DEFERRABLE INITIALLY DEFERRED)"
        await writer.write(lambda connection: connection.execute(child))
        await writer.write(lambda connection: connection.execute("SELECT 1").fetchall())
        assert writer._connection is not None
        writer._connection.execute("PRAGMA foreign_keys = ON")
        orphan = writer.write(lambda connection: connection.execute("INSERT INTO child VALUES (7)").rowcount)
        appends = [store.append(f"t{number}", 0, [b"x"], listing()) for number in range(5)]
        results = await asyncio.gather(orphan, *appends, return_exceptions=True)
        assert [type(result) for result in results] == [Unavailable] * 6
        assert await store.public_tables(["waiting"], 9) == []
        assert (await store.append("t0", 0, [b"x"], listing())).length == 1  # with a new connection

    play(path, scene)


def test_many_share_a_transaction(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    original = Writer._write_together

    def counting(self: Writer, jobs: list[object]) -> None:
        sizes.append(len(jobs))
        original(self, jobs)  # type: ignore[arg-type]

    monkeypatch.setattr(Writer, "_write_together", counting)

    async def scene(store: SqliteStore) -> None:
        await asyncio.gather(*(store.append(f"t{number}", 0, [b"x"], listing()) for number in range(200)))

    play(path, scene)
    assert sum(sizes) == 200
    assert len(sizes) < 50


def test_a_write_that_fails_half_way_leaves_nothing_and_takes_nobody_with_it(path: str) -> None:
    class OurMistakeError(Exception):
        pass

    def half(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO documents VALUES ('k', 'half', x'00', NULL)")
        raise OurMistakeError

    def twice(connection: sqlite3.Connection) -> None:
        connection.execute("INSERT INTO documents VALUES ('k', 'twice', x'00', NULL)")
        connection.execute("INSERT INTO documents VALUES ('k', 'twice', x'00', NULL)")

    async def scene(store: SqliteStore) -> None:
        writer = writer_of(store)
        jobs = [store.put("k", "a", b"1"), writer.write(half), store.put("k", "b", b"2"), writer.write(twice)]
        jobs += [store.put("k", "too late", b"", expires=2**70), store.put("k", "c", b"3")]
        results = await asyncio.gather(*jobs, return_exceptions=True)
        kinds = [type(result) for result in results]
        assert kinds == [type(None), OurMistakeError, type(None), Unavailable, StoreError, type(None)]
        there = [await store.get("k", name) for name in ("a", "half", "b", "twice", "too late", "c")]
        assert there == [b"1", None, b"2", None, None, b"3"]

    play(path, scene)


def test_whoever_no_longer_waits_disturbs_nobody(path: str) -> None:
    async def scene(store: SqliteStore) -> None:
        gone = [asyncio.create_task(store.append(f"gone {n}", 0, [b"x"], listing())) for n in range(20)]
        stays = [asyncio.create_task(store.append(f"stays {n}", 0, [b"x"], listing())) for n in range(20)]
        await asyncio.sleep(0)
        for task in gone:
            task.cancel()
        assert [appended.length for appended in await asyncio.gather(*stays)] == [1] * 20

    play(path, scene)


def test_a_loop_that_has_ended_does_not_stop_the_writer(path: str) -> None:
    store = SqliteStore(path)
    block = threading.Event()

    async def leave_something() -> None:
        await store.open()
        task = asyncio.create_task(writer_of(store).write(lambda _: block.wait(10)))
        await asyncio.sleep(0.05)
        task.cancel()

    async def go_on() -> None:
        assert (await store.append("t", 0, [b"x"], listing())).length == 1
        await store.close()

    asyncio.run(leave_something())
    block.set()
    asyncio.run(go_on())


def test_another_process_that_writes_is_waited_for(path: str) -> None:
    async def scene(store: SqliteStore) -> None:
        await store.append("t", 0, [b"1"], listing())
        with locked(path):
            assert await store.read("t") == [b"1"]  # readers do not care
            slow = asyncio.create_task(store.append("t", 1, [b"2"], listing()))
            await asyncio.sleep(0.05)
            assert not slow.done()
        assert (await slow).length == 2

    play(path, scene)


def test_another_process_is_not_waited_for_without_end(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_file, "BUSY_SECONDS", 0.3)

    async def scene(store: SqliteStore) -> None:
        await store.append("t", 0, [b"1"], listing())
        with locked(path), pytest.raises(Unavailable):
            await store.append("t", 1, [b"2"], listing())
        assert (await store.append("t", 1, [b"2"], listing())).length == 2

    play(path, scene)


def test_a_full_disk_loses_nothing_and_heals(path: str) -> None:
    async def scene(store: SqliteStore) -> None:
        await store.append("t", 0, [b"1"], listing())
        await writer_of(store).write(lambda connection: connection.execute("PRAGMA max_page_count = 20").fetchall())
        sent = [store.append(f"large {n}", 0, [b"x" * 30_000], listing()) for n in range(20)]
        results = await asyncio.gather(*sent, store.append("t", 1, [b"2"], listing(), "k"), return_exceptions=True)
        assert {type(result) for result in results} <= {int, Unavailable}
        assert Unavailable in {type(result) for result in results}
        for n, result in enumerate(results[:20]):
            assert len(await store.read(f"large {n}")) == (1 if result == 1 else 0)
        await writer_of(store).write(lambda connection: connection.execute("PRAGMA max_page_count = 9999").fetchall())
        assert (await store.append("t", 1, [b"2"], listing(), "k")).length == 2
        assert await store.read("t") == [b"1", b"2"]

    play(path, scene)


def test_only_what_others_write_changes_the_data_version(path: str) -> None:
    async def scene(store: SqliteStore) -> None:
        async def settled() -> int:
            store.data_version()
            await writer_of(store).write(lambda _: None)  # then the writer has looked, too
            return store.data_version()

        before = await settled()
        for length in range(5):
            await store.append("t", length, [b"x"], listing())
        assert await settled() == before
        async with opened(lambda: SqliteStore(path)) as other:
            await other.append("t", 5, [b"x"], listing())
            after = await settled()
            assert after != before
            assert await settled() == after
            await asyncio.gather(store.append("u", 0, [b"x"], listing()), other.append("v", 0, [b"x"], listing()))
            assert await settled() != after

    play(path, scene)


@pytest.mark.parametrize("content", [b"This is not a database, but long enough to be one. " * 100])
def test_a_file_that_is_something_else_is_refused(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "letter.txt"
    file.write_bytes(content)
    with pytest.raises(StoreError, match="not an SQLite database"):
        asyncio.run(SqliteStore(str(file)).open())
    assert file.read_bytes() == content


def test_what_cannot_be_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name in (str(tmp_path), str(tmp_path / "file" / "below"), ":memory:"):
        with pytest.raises(StoreError):
            asyncio.run(SqliteStore(name).open())


def test_a_store_can_be_used_from_several_loops(path: str) -> None:
    """Each thread has its own event loop; the log still takes one of them at a time."""
    store = SqliteStore(path)
    asyncio.run(store.open())
    won: list[int] = []

    def one(number: int) -> None:
        async def run() -> None:
            for length in range(20):
                try:
                    await store.append("t", length, [str(number).encode()], listing())
                    won.append(length)
                except Conflict:
                    continue

        asyncio.run(run())

    threads = [threading.Thread(target=one, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == list(range(len(won)))
    asyncio.run(store.close())
