"""Kill a process at any moment: everything it was told is written is there, and nothing is there by half."""

import asyncio
import subprocess
from collections.abc import Callable
from random import Random
from time import sleep

import asyncpg
import pytest

from nimmt.store.contract import EntryRow, TableRow, make_store
from nimmt.testing.stores import opened, stock

KILLS, SOAKING = 8, 20
TOGETHER = 3

# Several tables at once, so that transactions are shared; each append has several entries, a key and a new guest.
WRITER = f"""
import asyncio, sys
from nimmt.store.contract import make_store
from nimmt.testing.stores import listing

async def play(store, table):
    length = len(await store.read(table))
    while True:
        number = length // {TOGETHER}
        entries = [f"{{number}} {{part}}".encode() for part in range({TOGETHER})]
        shown = listing(guests=[f"guest {{number}}"])
        length = (await store.append(table, length, entries, shown, f"key {{number}}")).length
        print(table, number, flush=True)

async def main():
    store = make_store(sys.argv[1])
    await store.open()
    await asyncio.gather(*(play(store, f"table-{{number}}") for number in range(4)))

asyncio.run(main())
"""


def run_and_kill(process: "subprocess.Popen[str]", moment: float) -> dict[str, int]:
    """The last number that was acknowledged for each table."""
    assert process.stdout is not None
    acknowledged: dict[str, int] = {}
    with process:
        first = process.stdout.readline()  # it writes now
        sleep(moment)
        process.kill()
        for line in [first, *process.stdout]:
            if line.endswith("\n"):  # the last one may be cut off
                table, number = line.split()
                acknowledged[table] = int(number)
    return acknowledged


async def come_to_rest(database: str) -> None:
    """PostgreSQL finishes what it was sent by a process that is dead: wait until its connections have ended."""
    if not database.startswith("postgresql:"):
        return
    others = "FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    connection = await asyncpg.connect(database)
    try:
        while await connection.fetchval(f"SELECT count(*) {others} AND backend_type = 'client backend'"):
            await asyncio.sleep(0.01)
    finally:
        await connection.close()


async def look(database: str) -> dict[str, int]:
    """The last number in each table; everything that belongs to it is there, and no more."""
    await come_to_rest(database)
    async with opened(lambda: make_store(database)) as store:
        rows = await stock(store)
        found = {}
        for table in [row for row in rows if isinstance(row, TableRow)]:
            entries = [row.data for row in rows if isinstance(row, EntryRow) and row.table == table.id]
            count = table.length // TOGETHER
            assert entries == [f"{n} {part}".encode() for n in range(count) for part in range(TOGETHER)]
            assert table.length == len(entries)
            assert table.listing.guests == (f"guest {count - 1}",)
            assert [name for name, _ in await store.tables_of(f"guest {count - 1}", 9)].count(table.id) == 1
            assert await store.find_key(table.id, f"key {count - 1}") == table.length
            assert await store.find_key(table.id, f"key {count}") is None
            found[table.id] = count - 1
        return found


@pytest.mark.slow
def test_what_was_acknowledged_survives(
    database: str, spawn: Callable[..., "subprocess.Popen[str]"], soaking: bool
) -> None:
    rng = Random()
    for _ in range(SOAKING if soaking else KILLS):
        acknowledged = run_and_kill(spawn(WRITER, database), rng.uniform(0, 0.2))
        assert acknowledged
        found = asyncio.run(look(database))
        for table, number in acknowledged.items():
            # One more may have been written than was told.
            assert found[table] in (number, number + 1)
