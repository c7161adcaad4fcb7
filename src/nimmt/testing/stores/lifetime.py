"""Laws of opening and closing, of export and import, and one that watches everything together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from random import Random
from typing import Any, TypeAlias

from nimmt.store import Conflict, KeyReused, NotEmpty, Store, StoreError, Unavailable
from nimmt.store.contract import Count, DocumentRow, EntryRow, KeyRow, Phase, Row, TableRow
from nimmt.store.memory import MemoryStore
from nimmt.testing.stores.basics import fill, listing, refuses, same, stock

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


# -- copying -----------------------------------------------------------------------------------------------------------
# Laws of export and import: one moment, everything, all or nothing.


async def _given(rows: Iterable[Count | Row], error: Exception | None = None) -> AsyncIterator[Row]:
    for row in rows:
        if not isinstance(row, Count):
            yield row
    if error is not None:
        raise error


async def _filled() -> list[Count | Row]:
    store = MemoryStore()
    await fill(store)
    return await stock(store)


async def an_empty_store_exports_a_zero(store: Store) -> None:
    same("everything", await stock(store), [Count()])


async def everything_is_exported(store: Store) -> None:
    await fill(store)
    first, *rows = await stock(store)
    same("count", first, Count(tables=3, entries=5, keys=3, documents=3))
    kinds = [TableRow] * 3 + [EntryRow] * 5 + [KeyRow] * 3 + [DocumentRow] * 3
    same("kinds", [type(row) for row in rows], kinds)
    same("everything", [first, *rows], await _filled())


async def an_export_shows_one_moment(store: Store) -> None:
    many = [str(number).encode() for number in range(1_000)]
    await fill(store)
    await store.append("long", 0, many, listing(guests=("anna",)), "k")
    before = await stock(store)
    rows: list[Count | Row] = []
    async for row in store.export():
        if len(rows) in (1, 20, 700):
            await store.append(f"new {len(rows)}", 0, [b"x"], listing(), "k")
            await store.append("long", 999 + len(await store.read("long", 999)), [b"x"], listing(), f"{len(rows)}")
            await store.put("k", f"n {len(rows)}", b"x")
            await store.put("secret", "key", b"changed")
            await store.delete("table b")
        rows.append(row)
    same("number of rows", len(rows), len(before))
    same("everything is equal", rows == before, True)
    same("afterwards it is another", await stock(store) == before, False)


async def an_export_may_be_left(store: Store) -> None:
    await fill(store)
    for rows_wanted in range(4):
        export = store.export()
        for _ in range(rows_wanted):
            await anext(export)
        await export.aclose()
    same("length", (await store.append("table b", 4, [b"x"], listing())).length, 5)
    same("number of rows", len(await stock(store)), 16)


async def an_import_gives_back_everything(store: Store) -> None:
    rows = await _filled()
    await store.import_rows(_given(rows))
    same("everything", await stock(store), rows)
    same("seats", [table for table, _ in await store.tables_of("ben", 9)], ["table b", "Table a"])
    same("a key", (await store.append("table b", 0, [b"x"], listing(), "key")).length, 3)
    same("the next length", (await store.append("table b", 4, [b"x"], listing())).length, 5)
    same("seats afterwards", [table for table, _ in await store.tables_of("ben", 9)], ["Table a"])


async def an_import_may_be_large(store: Store) -> None:
    source = MemoryStore()
    for number in range(50):
        table = f"table {number}"
        await source.append(table, 0, [b"x" * number] * 100, listing(guests=(f"guest {number % 7}",)), "k")
    rows = await stock(source)
    await store.import_rows(_given(rows))
    same("everything is equal", await stock(store) == rows, True)


async def an_import_does_not_bury_anything(store: Store) -> None:
    rows = await _filled()
    await store.put("k", "n", b"data")
    with_document = await stock(store)
    await refuses(NotEmpty, "an import beside a document", store.import_rows(_given(rows)))
    same("everything", await stock(store), with_document)
    await store.remove("k", "n")
    await store.append("t", 0, [], listing())
    with_table = await stock(store)
    await refuses(NotEmpty, "an import beside a table", store.import_rows(_given(rows)))
    same("everything", await stock(store), with_table)


async def an_import_can_replace_everything(store: Store) -> None:
    await store.append("t", 0, [b"x"], listing(guests=("ben", "old")), "k")
    await store.append("table b", 0, [b"other"], listing(guests=("old",)), "other key")
    await store.put("secret", "key", b"old")
    rows = await _filled()
    await store.import_rows(_given(rows), replace=True)
    same("everything", await stock(store), rows)
    same("old seats", await store.tables_of("old", 9), [])


class _Spoilt(Exception):
    pass


async def a_failed_import_changes_nothing(store: Store) -> None:
    rows = await _filled()
    await refuses(_Spoilt, "spoilt rows", store.import_rows(_given(rows, _Spoilt())))
    same("everything", await stock(store), [Count()])
    await refuses(OSError, "a file that cannot be read", store.import_rows(_given(rows, OSError())))
    await store.append("t", 0, [b"x"], listing(guests=("ben",)), "k")
    before = await stock(store)
    await refuses(_Spoilt, "spoilt rows", store.import_rows(_given(rows, _Spoilt()), replace=True))
    same("everything", await stock(store), before)
    for row in rows[1:]:
        await refuses(StoreError, f"{row} twice", store.import_rows(_given([*rows, row]), replace=True))
    same("everything", await stock(store), before)
