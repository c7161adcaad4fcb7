"""Old databases are brought up to date, newer ones are left alone, and several processes may start at once."""

import asyncio
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

import asyncpg
import pytest

from nimmt.store import KeyReused, Listing, StoreError
from nimmt.store import postgres as pool
from nimmt.store import sqlite_file as file
from nimmt.store.contract import Count, make_store
from nimmt.testing.stores import listing, opened, stock

OLD = Path(__file__).with_name("version-1.db")


async def open_and_close(database: str) -> None:
    async with opened(lambda: make_store(database)) as store:
        await store.check()


def refused(database: str) -> str:
    with pytest.raises(StoreError) as caught:
        asyncio.run(open_and_close(database))
    assert type(caught.value) is StoreError
    return str(caught.value)


def schema(path: Path) -> list[tuple[str, ...]]:
    connection = sqlite3.connect(path)
    try:
        version = connection.execute("PRAGMA user_version").fetchall()
        return [*version, *connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name")]
    finally:
        connection.close()


# -- SQLite -----------------------------------------------------------------------------------------------------------


def test_a_file_of_the_first_version_opens(tmp_path: Path) -> None:
    path = shutil.copy(OLD, tmp_path / "old.db")

    async def check() -> None:
        async with opened(lambda: make_store(str(path))) as store:
            assert (await stock(store))[0] == Count(tables=3, entries=5, keys=2, documents=2)
            assert await store.read("table-a", 2) == [b'{"type":"Acted"}']
            card, guests = b'{"game":"six"}', ("anna", "ben")
            assert await store.listing("table-a") == Listing("playing", True, "six", guests, 1700000001000, None, card)
            assert await store.listing("table-b") == Listing("waiting", False, "baron", (), 1700000002000, None)
            assert [table for table, _ in await store.tables_of("anna", 9)] == ["table-c", "table-a"]
            assert await store.get("secret", "cookie-key") == bytes(range(32))
            assert (await store.append("table-a", 0, [b"x"], listing(), "anna:1", "a hash")).length == 2
            assert (await store.append("table-a", 3, [b"x"], listing(guests=("cem of cems",)))).length == 4
            assert [table for table, _ in await store.tables_of("anna", 9)] == ["table-c"]

    asyncio.run(check())
    asyncio.run(check_again(str(path)))


async def check_again(path: str) -> None:
    async with opened(lambda: make_store(path)) as store:
        assert await store.listing("table-a") == listing(guests=("cem of cems",))


def test_every_version_becomes_the_newest(tmp_path: Path) -> None:
    asyncio.run(open_and_close(str(tmp_path / "fresh.db")))
    for version in range(1, len(file.SQLITE)):
        path = tmp_path / f"{version}.db"
        connection = sqlite3.connect(path)
        for statement in (statement for step in file.SQLITE[:version] for statement in step):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {version}")
        connection.commit()
        connection.close()
        asyncio.run(open_and_close(str(path)))
        assert schema(path) == schema(tmp_path / "fresh.db")


def test_a_newer_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "nimmt.db"
    asyncio.run(open_and_close(str(path)))
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = schema(path)
    assert "newer version of nimmt: it has schema 99" in refused(str(path))
    assert schema(path) == before


def test_a_step_that_fails_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "nimmt.db"
    asyncio.run(open_and_close(str(path)))
    before = schema(path)
    good, bad = ("CREATE TABLE more (x)",), ("CREATE TABLE even_more (x)", "CREATE NONSENSE")
    monkeypatch.setattr(file, "SQLITE", (*file.SQLITE, good, bad))
    with pytest.raises(StoreError):
        asyncio.run(open_and_close(str(path)))
    assert schema(path) == before
    monkeypatch.setattr(file, "SQLITE", file.SQLITE[:-1])
    asyncio.run(open_and_close(str(path)))
    asyncio.run(open_and_close(str(path)))
    assert len(schema(path)) == len(before) + 1


# -- PostgreSQL -------------------------------------------------------------------------------------------------------


def ask(url: str, statement: str) -> list[tuple[object, ...]]:
    async def run() -> list[tuple[object, ...]]:
        connection = await asyncpg.connect(url)
        try:
            return [tuple(row) for row in await connection.fetch(statement)]
        finally:
            await connection.close()

    return asyncio.run(run())


def test_a_newer_database_is_refused_and_left_alone(postgres_url: str) -> None:
    asyncio.run(open_and_close(postgres_url))
    ask(postgres_url, "UPDATE schema_version SET version = 99")
    assert "newer version of nimmt: it has schema 99" in refused(postgres_url)
    assert ask(postgres_url, "SELECT version FROM schema_version") == [(99,)]


def test_a_step_that_fails_in_postgres_changes_nothing(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = pool.POSTGRES
    good, bad = ("CREATE TABLE more (x INT)",), ("CREATE TABLE even_more (x INT)", "CREATE NONSENSE")
    monkeypatch.setattr(pool, "POSTGRES", (*steps, good, bad))
    with pytest.raises(StoreError):
        asyncio.run(open_and_close(postgres_url))
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
    assert ask(postgres_url, tables) == [(0,)]
    monkeypatch.setattr(pool, "POSTGRES", steps)
    asyncio.run(open_and_close(postgres_url))
    assert ask(postgres_url, "SELECT version FROM schema_version") == [(len(steps),)]
    ((before,),) = ask(postgres_url, tables)
    monkeypatch.setattr(pool, "POSTGRES", (*steps, good))
    asyncio.run(open_and_close(postgres_url))
    asyncio.run(open_and_close(postgres_url))
    assert ask(postgres_url, tables) == [(before + 1,)]  # type: ignore[operator]
    assert ask(postgres_url, "SELECT version FROM schema_version") == [(len(steps) + 1,)]


def test_a_database_of_the_first_version_opens(postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of old are there, and fit to every request."""
    steps = pool.POSTGRES
    monkeypatch.setattr(pool, "POSTGRES", steps[:1])
    asyncio.run(open_and_close(postgres_url))
    old = "'t', 0, ARRAY['x'::bytea], 'anna:1', 'waiting', true, 'six', ARRAY['anna'], 1, NULL, '{}'::bytea"
    assert ask(postgres_url, f"SELECT done FROM append_entries({old})") == [(True,)]
    monkeypatch.setattr(pool, "POSTGRES", steps)

    async def check() -> None:
        async with opened(lambda: make_store(postgres_url)) as store:
            assert (await store.append("t", 5, [b"y"], listing(), "anna:1", "a hash")).length == 1
            assert (await store.append("t", 1, [b"y"], listing(), "anna:2", "a hash")).length == 2
            with pytest.raises(KeyReused):
                await store.find_key("t", "anna:2", "another")

    asyncio.run(check())


# -- several at once --------------------------------------------------------------------------------------------------

OPENER = """
import asyncio, sys, time
from pathlib import Path
from nimmt.store.contract import make_store
from nimmt.testing.stores import listing

async def main(database, go, name):
    print("ready", flush=True)
    while not go.exists():
        time.sleep(0.001)
    store = make_store(database)
    await store.open()
    await store.append(name, 0, [b"x"], listing())
    print(await store.put_if_absent("secret", "key", name.encode()))
    await store.close()

asyncio.run(main(sys.argv[1], Path(sys.argv[2]), sys.argv[3]))
"""


def test_three_processes_open_a_fresh_database_at_once(
    database: str, tmp_path: Path, spawn: Callable[..., "Popen[str]"]
) -> None:
    go = tmp_path / "go"
    processes = [spawn(OPENER, database, str(go), f"process {number}") for number in range(3)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    go.touch()
    answers = [process.communicate(timeout=60)[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], answers
    assert len(set(answers)) == 1

    async def check() -> None:
        async with opened(lambda: make_store(database)) as store:
            assert len(await store.public_tables(["waiting"], 9)) == 3

    asyncio.run(check())
