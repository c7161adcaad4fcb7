"""Laws of opening and closing, of outliving the process, and of several processes on one database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any, TypeAlias

from nimmt.store import Conflict, KeyReused, Listing, Store, Unavailable
from nimmt.store.contract import Count, EntryRow, Phase, Row, TableRow
from nimmt.store.memory import MemoryStore

# -- basics ------------------------------------------------------------------------------------------------------------
# What all laws of stores need: listings, saying what is wrong, and taking stock.

Law: TypeAlias = Callable[[Store], Awaitable[None]]
"""Takes a store that is open and empty; raises an AssertionError."""
MakeStore: TypeAlias = Callable[[], Store]
"""A new store object each time, not yet open, always on the same database: what another process would have."""
KeepingLaw: TypeAlias = Callable[[MakeStore], Awaitable[None]]


def listing(
    phase: Phase = "waiting",
    *,
    public: bool = True,
    game: str = "six",
    guests: Iterable[str] = (),
    updated: int = 1,
    due: int | None = None,
    card: bytes = b"{}",
) -> Listing:
    return Listing(phase, public, game, tuple(guests), updated, due, card)


def same(what: str, found: Any, wanted: Any) -> None:
    if found != wanted:
        raise AssertionError(f"{what}: found {found!r:.2000}, wanted {wanted!r:.2000}")


async def refuses(kind: type[Exception], what: str, doing: Awaitable[object]) -> None:
    """That this raises just that."""
    try:
        result = await doing
    except kind as error:
        same(f"{what}: the kind of error", type(error), kind)
        return
    raise AssertionError(f"{what}: {kind.__name__} expected, got {result!r:.200}")


async def conflicts(what: str, doing: Awaitable[object]) -> None:
    await refuses(Conflict, what, doing)


async def stock(store: Store) -> list[Count | Row]:
    """Everything there is, to be compared."""
    return [row async for row in store.export()]


@asynccontextmanager
async def opened(make: MakeStore) -> AsyncIterator[Store]:
    store = make()
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def fill(store: Store) -> None:
    """Something of every kind, with what is easily lost on the way."""
    first = listing("playing", guests=("anna", "ben"), updated=5, due=9, card=b'{"chairs": "\xc3\xbc"}')
    await store.append("table b", 0, [b"one", b"\0\xff", b""], first, "key")
    await store.append("table b", 3, [b"four"], first, "ключ", "a hash")
    await store.append("Table a", 0, [b"x"], listing("over", public=False, game="baron", guests=("ben", "żółw 6")))
    await store.append("tänzer", 0, [], listing("closed", updated=2**53), "first")
    await store.put("secret", "key", bytes(range(256)))
    await store.put("link", "\N{COW}", b"", expires=2**53)
    await store.put("Link", "old", b"gone soon", expires=1)


# -- keeping -----------------------------------------------------------------------------------------------------------
# Laws of stores that outlive their process, and of several processes on one database.

CROWD = 40


async def everything_is_there_after_reopening(make: MakeStore) -> None:
    async with opened(make) as store:
        await fill(store)
        before = await stock(store)
    async with opened(make) as store:
        same("everything", await stock(store), before)
        same("a key", await store.append("table b", 0, [b"x"], listing(), "key"), 3)
        same("seats", [table for table, _ in await store.tables_of("ben", 9)], ["table b", "Table a"])
        same("length", await store.append("table b", 4, [b"five"], listing()), 5)


async def what_was_asked_for_is_finished_when_closing(make: MakeStore) -> None:
    store = make()
    await store.open()
    asked = [asyncio.create_task(store.append(f"t{number}", 0, [b"x"], listing())) for number in range(CROWD)]
    await asyncio.sleep(0)
    await store.close()
    done = await asyncio.gather(*asked, return_exceptions=True)
    async with opened(make) as store:
        for number, result in enumerate(done):
            if result == 1:
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
        same("length", await other.append("t", 1, [b"2"], listing()), 2)
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
        same("the same key", await other.append("t", 0, [b"x"], listing(), "k"), 1)
        await other.append("t", 1, [b"2"], listing())
        await conflicts("the same place", one.append("t", 1, [b"x"], listing()))
        same("entries", await one.read("t"), [b"1", b"2"])


async def of_many_in_two_processes_one_wins(make: MakeStore) -> None:
    async with opened(make) as one, opened(make) as other:
        for length in range(5):
            sent = [(one, other)[n % 2].append("t", length, [str(n).encode()], listing()) for n in range(CROWD)]
            results = await asyncio.gather(*sent, return_exceptions=True)
            same("winners", results.count(length + 1), 1)
            same("losers", sum(isinstance(result, Conflict) for result in results), CROWD - 1)
            same("entry", await one.read("t", length), [str(results.index(length + 1)).encode()])


async def one_key_counts_once_in_two_processes(make: MakeStore) -> None:
    async with opened(make) as one, opened(make) as other:
        for table in ("t", "u", "v"):
            sent = [(one, other)[n % 2].append(table, 0, [b"x"], listing(), "k") for n in range(CROWD)]
            same("lengths", set(await asyncio.gather(*sent)), {1})
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


# -- living ------------------------------------------------------------------------------------------------------------
# Laws of opening and closing, and one that watches everything together.

STEPS = 400
TABLES = ("t", "u", "T", "ü")
GUESTS = ("anna", "ben", "cem")
PHASES: tuple[Phase, ...] = ("waiting", "playing", "over", "closed")

Step: TypeAlias = Callable[[Store], Awaitable[Any]]


async def a_closed_store_is_unavailable(store: Store) -> None:
    await fill(store)
    before = await stock(store)
    await store.open()
    await store.close()
    await store.close()
    asked: list[Awaitable[object]] = [
        store.append("t", 0, [b"x"], listing()),
        store.read("t"),
        store.listing("t"),
        store.put("k", "n", b""),
        store.get("k", "n"),
        store.take("k", "n"),
        store.check(),
    ]
    for number, one in enumerate(asked):
        await refuses(Unavailable, f"question {number}", one)
    await store.open()
    same("everything", await stock(store), before)
    await store.check()


async def it_behaves_like_memory(store: Store) -> None:
    """Anything in any order, in both: every answer is the same, and so is everything in the end."""
    model, rng = MemoryStore(), Random(6)
    for number in range(STEPS):
        step = _random_step(rng)
        wanted, found = await _answer(step, model), await _answer(step, store)
        same(f"answer to step {number}", found, wanted)
    same("everything", await stock(store), await stock(model))


async def _answer(step: Step, store: Store) -> Any:
    try:
        return await step(store)
    except (Conflict, KeyReused) as error:
        return type(error)


def _random_step(rng: Random) -> Step:
    steps = (_append, _append, _append, _append, _look, _look, _delete, _write, _write, _get)
    return rng.choice(steps)(rng)


def _append(rng: Random) -> Step:
    table, expected, key = rng.choice(TABLES), rng.randrange(6), rng.choice((None, None, "k", "l", "m"))
    entries = [rng.randbytes(rng.randrange(5)) for _ in range(rng.randrange(3))]
    shown = listing(
        rng.choice(PHASES),
        public=rng.random() < 0.7,
        game=rng.choice(("six", "x")),
        guests=rng.choices(GUESTS, k=rng.randrange(4)),
        updated=rng.randrange(10),
        due=rng.choice((None, rng.randrange(10))),
        card=rng.randbytes(4),
    )
    request, anew = rng.choice((None, None, "r", "s")), rng.random() < 0.1
    if anew:
        return lambda store: store.rewrite(table, expected, entries, shown, "k")
    return lambda store: store.append(table, expected, entries, shown, key, request)


def _look(rng: Random) -> Step:
    table, when, limit = rng.choice(TABLES), rng.randrange(11), rng.randrange(5)
    guest, phases, key = rng.choice(GUESTS), rng.sample(PHASES, rng.randrange(5)), rng.choice("klm")
    looks: tuple[Step, ...] = (
        lambda store: store.read(table, when // 2),
        lambda store: store.find_key(table, key),
        lambda store: store.find_key(table, key, "r"),
        lambda store: store.mentioning(bytes([when])),
        lambda store: store.listing(table),
        lambda store: store.public_tables(phases, limit),
        lambda store: store.tables_of(guest, limit),
        lambda store: store.due_tables(when, limit),
        lambda store: store.idle_tables(phases, when, limit),
        lambda store: store.count(PHASES[limit % len(PHASES)]),
    )
    return rng.choice(looks)


def _delete(rng: Random) -> Step:
    table, rarely = rng.choice(TABLES), rng.random() < 0.3
    return lambda store: store.delete(table if rarely else "none")


def _write(rng: Random) -> Step:
    kind, name, data = rng.choice("ab"), rng.choice("mn"), rng.randbytes(3)
    expires, now = rng.choice((None, rng.randrange(10))), rng.randrange(10)
    writes: tuple[Step, ...] = (
        lambda store: store.put(kind, name, data, expires),
        lambda store: store.put_if_absent(kind, name, data, expires),
        lambda store: store.take(kind, name, now),
        lambda store: store.remove(kind, name),
        lambda store: store.purge(now // 3),
    )
    return rng.choice(writes)


def _get(rng: Random) -> Step:
    kind, name, now = rng.choice("ab"), rng.choice("mn"), rng.randrange(10)
    return lambda store: store.get(kind, name, now)
