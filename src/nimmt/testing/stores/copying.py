"""Laws of export and import: one moment, everything, all or nothing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

from nimmt.store import NotEmpty, Store, StoreError
from nimmt.store.contract import Count, DocumentRow, EntryRow, KeyRow, Row, TableRow
from nimmt.store.memory import MemoryStore
from nimmt.testing.stores.basics import fill, listing, refuses, same, stock


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
