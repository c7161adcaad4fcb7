"""Laws of stores that outlive their process, and of several processes on one database."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from nimmt.store import Appended, Conflict, Store
from nimmt.store.contract import EntryRow, TableRow
from nimmt.testing.stores.basics import MakeStore, conflicts, fill, listing, opened, same, stock

CROWD = 40


async def everything_is_there_after_reopening(make: MakeStore) -> None:
    async with opened(make) as store:
        await fill(store)
        before = await stock(store)
    async with opened(make) as store:
        same("everything", await stock(store), before)
        same("a key", (await store.append("table b", 0, [b"x"], listing(), "key")).length, 3)
        same("seats", [table for table, _ in await store.tables_of("ben", 9)], ["table b", "Table a"])
        same("length", (await store.append("table b", 4, [b"five"], listing())).length, 5)


async def what_was_asked_for_is_finished_when_closing(make: MakeStore) -> None:
    store = make()
    await store.open()
    asked = [asyncio.create_task(store.append(f"t{number}", 0, [b"x"], listing())) for number in range(CROWD)]
    await asyncio.sleep(0)
    await store.close()
    done = await asyncio.gather(*asked, return_exceptions=True)
    async with opened(make) as store:
        for number, result in enumerate(done):
            if result == Appended(1):
                same(f"table {number}", await store.read(f"t{number}"), [b"x"])


async def one_sees_what_another_writes(make: MakeStore) -> None:
    async with opened(make) as one, opened(make) as other:
        await one.append("t", 0, [b"1"], listing(guests=("anna",), due=1), "k")
        same("entries", await other.read("t"), [b"1"])
        same("listing", await other.listing("t"), listing(guests=("anna",), due=1))
        same("key", await other.find_key("t", "k"), 1)
        same("due", await other.due_tables(9, 9), ["t"])
        same("public tables", len(await other.public_tables(["waiting"], 9)), 1)
        same("tables of a guest", len(await other.tables_of("anna", 9)), 1)
        same("length", (await other.append("t", 1, [b"2"], listing())).length, 2)
        same("entries", await one.read("t", 1), [b"2"])
        await other.put("k", "n", b"data")
        same("document", await one.take("k", "n"), b"data")
        same("document", await other.get("k", "n"), None)
        await one.delete("t")
        same("deleted", await other.read("t"), [])


async def two_can_be_in_conflict(make: MakeStore) -> None:
    async with opened(make) as one, opened(make) as other:
        await one.append("t", 0, [b"1"], listing(), "k")
        await conflicts("the same beginning", other.append("t", 0, [b"x"], listing()))
        same("the same key", (await other.append("t", 0, [b"x"], listing(), "k")).length, 1)
        await other.append("t", 1, [b"2"], listing())
        await conflicts("the same place", one.append("t", 1, [b"x"], listing()))
        same("entries", await one.read("t"), [b"1", b"2"])


async def of_many_in_two_processes_one_wins(make: MakeStore) -> None:
    async with opened(make) as one, opened(make) as other:
        for length in range(5):
            sent = [(one, other)[n % 2].append("t", length, [str(n).encode()], listing()) for n in range(CROWD)]
            results = await asyncio.gather(*sent, return_exceptions=True)
            won = Appended(length + 1)
            same("winners", results.count(won), 1)
            same("losers", sum(isinstance(result, Conflict) for result in results), CROWD - 1)
            same("entry", await one.read("t", length), [str(results.index(won)).encode()])


async def one_key_counts_once_in_two_processes(make: MakeStore) -> None:
    async with opened(make) as one, opened(make) as other:
        for table in ("t", "u", "v"):
            sent = [(one, other)[n % 2].append(table, 0, [b"x"], listing(), "k") for n in range(CROWD)]
            appended = await asyncio.gather(*sent)
            same("lengths", {result.length for result in appended}, {1})
            same("written", sum(result.is_new for result in appended), 1)
            same("entries", await one.read(table), [b"x"])


async def documents_are_shared_by_two_processes(make: MakeStore) -> None:
    async with opened(make) as one, opened(make) as other:
        puts = [(one, other)[n % 2].put_if_absent("k", "n", str(n).encode()) for n in range(CROWD)]
        found = set(await asyncio.gather(*puts))
        same("number of different answers", len(found), 1)
        takes = await asyncio.gather(*((one, other)[n % 2].take("k", "n") for n in range(CROWD)))
        same("who got it", [data for data in takes if data is not None], list(found))


async def nothing_is_lost_or_done_twice_in_a_crowd(make: MakeStore) -> None:
    """Read, decide, append, again after a conflict: as the server does it, from two processes."""

    async def play(store: Store, name: str) -> None:
        for number in range(10):
            while True:
                length = len(await store.read("t"))
                try:
                    await store.append("t", length, [f"{name} {number}".encode()], listing(), f"{name} {number}")
                    break
                except Conflict:
                    continue

    async with opened(make) as one, opened(make) as other:
        players = [play((one, other)[n % 2], f"player {n}") for n in range(6)]
        await asyncio.gather(*players)
        log = [entry.decode() for entry in await one.read("t")]
        for n in range(6):
            name = f"player {n}"
            mine = [entry for entry in log if entry.startswith(name)]
            same(f"entries of {name}", mine, [f"{name} {number}" for number in range(10)])


async def deleting_and_appending_leave_no_pieces(make: MakeStore) -> None:
    """A table that comes and goes while two processes use it is whole or not there, never in between."""

    async def use(store: Store) -> None:
        for _ in range(10):
            length = len(await store.read("t"))
            with suppress(Conflict):
                await store.append("t", length, [b"x", b"y"], listing(guests=("anna",)))

    async def begin(store: Store) -> None:
        for _ in range(10):
            with suppress(Conflict):
                await store.append("t", 0, [b"x"], listing(), "k")

    async def clear(store: Store) -> None:
        for _ in range(20):
            await store.delete("t")

    async with opened(make) as one, opened(make) as other:
        for _ in range(5):
            await asyncio.gather(use(one), use(other), begin(one), begin(other), clear(other), clear(one))
            _, *rows = await stock(one)
            lengths = [row.length for row in rows if isinstance(row, TableRow)]
            entries = [row for row in rows if isinstance(row, EntryRow)]
            same("number of entries", len(entries), sum(lengths))
            await one.delete("t")
            same("everything", (await stock(other))[1:], [])
