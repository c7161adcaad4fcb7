"""Laws of the lists of tables, and of forgetting a table."""

from __future__ import annotations

from nimmt.store import Listing, Store
from nimmt.testing.stores.basics import conflicts, listing, same, stock


def _names(found: list[tuple[str, Listing]]) -> list[str]:
    return [table for table, _ in found]


async def public_tables_are_listed_by_phase(store: Store) -> None:
    shown = {phase: listing(phase, guests=("anna",)) for phase in ("waiting", "playing", "over", "closed")}
    for phase, one in shown.items():
        await store.append(phase, 0, [b"x"], one)
        await store.append(f"private {phase}", 0, [b"x"], listing(one.phase, public=False, guests=("anna",)))
    same("one phase", await store.public_tables(["over"], 9), [("over", shown["over"])])
    same("two phases", _names(await store.public_tables(["waiting", "playing"], 9)), ["playing", "waiting"])
    same("a phase twice", _names(await store.public_tables(["over", "over"], 9)), ["over"])
    same("no phase", await store.public_tables([], 9), [])


async def lists_begin_with_the_last_updated(store: Store) -> None:
    times = {"old": 10, "new": 30, "B of a kind": 20, "a of a kind": 20, "ä of a kind": 20}
    for table, updated in times.items():
        await store.append(table, 0, [b"x"], listing(guests=("anna",), updated=updated))
    order = ["new", "B of a kind", "a of a kind", "ä of a kind", "old"]
    same("public tables", _names(await store.public_tables(["waiting"], 9)), order)
    same("tables of a guest", _names(await store.tables_of("anna", 9)), order)
    for limit in range(6):
        same("public tables", _names(await store.public_tables(["waiting"], limit)), order[:limit])
        same("tables of a guest", _names(await store.tables_of("anna", limit)), order[:limit])
    await store.append("old", 1, [b"x"], listing(guests=("anna",), updated=31))
    same("after an append", _names(await store.public_tables(["waiting"], 1)), ["old"])


async def a_table_leaves_the_lists_it_no_longer_belongs_to(store: Store) -> None:
    await store.append("t", 0, [b"x"], listing("waiting", updated=1, due=5))
    await store.append("t", 1, [b"x"], listing("playing", updated=9, due=None))
    same("waiting", await store.public_tables(["waiting"], 9), [])
    same("playing", _names(await store.public_tables(["playing"], 9)), ["t"])
    same("due", await store.due_tables(99, 9), [])
    same("idle", await store.idle_tables(["waiting", "playing"], 9, 9), [])
    await store.append("t", 2, [b"x"], listing("playing", public=False, updated=9))
    same("no longer public", await store.public_tables(["playing"], 9), [])


async def guests_move_between_tables(store: Store) -> None:
    await store.append("t", 0, [b"x"], listing(guests=("anna", "ben", "anna")))
    await store.append("u", 0, [b"x"], listing(guests=("ben",), updated=2))
    same("tables of anna", _names(await store.tables_of("anna", 9)), ["t"])
    same("tables of ben", _names(await store.tables_of("ben", 9)), ["u", "t"])
    await store.append("t", 1, [b"x"], listing(guests=("cem", "anna"), updated=3))
    same("tables of anna", await store.tables_of("anna", 9), [("t", listing(guests=("cem", "anna"), updated=3))])
    same("tables of ben", _names(await store.tables_of("ben", 9)), ["u"])
    same("tables of cem", _names(await store.tables_of("cem", 9)), ["t"])
    await store.append("t", 2, [b"x"], listing(guests=("anna", "cem"), updated=3))
    same("swapped", await store.tables_of("cem", 9), [("t", listing(guests=("anna", "cem"), updated=3))])
    await store.append("t", 3, [b"x"], listing())
    same("an empty table", [await store.tables_of(guest, 9) for guest in ("anna", "cem")], [[], []])
    same("a part of a name", await store.tables_of("be", 9), [])


async def due_tables_begin_with_the_longest_overdue(store: Store) -> None:
    for table, due in {"c": 30, "b": 20, "a": 20, "d": 10, "never": None, "zero": 0}.items():
        await store.append(table, 0, [b"x"], listing(due=due))
    same("at 30", await store.due_tables(30, 9), ["zero", "d", "a", "b"])
    same("at 31", await store.due_tables(31, 9), ["zero", "d", "a", "b", "c"])
    same("at 0", await store.due_tables(0, 9), [])
    same("two of them", await store.due_tables(31, 2), ["zero", "d"])


async def idle_tables_begin_with_the_longest_idle(store: Store) -> None:
    for table, updated in {"c": 30, "b": 20, "a": 20, "d": 10}.items():
        await store.append(table, 0, [b"x"], listing("waiting", updated=updated, public=False))
        await store.append(f"{table} over", 0, [b"x"], listing("over", updated=updated))
    same("before 30", await store.idle_tables(["waiting"], 30, 9), ["d", "a", "b"])
    same("before 31", await store.idle_tables(["waiting"], 31, 9), ["d", "a", "b", "c"])
    same("two of them", await store.idle_tables(["waiting"], 31, 2), ["d", "a"])
    same("of two phases", await store.idle_tables(["waiting", "over"], 11, 9), ["d", "d over"])
    same("of none", await store.idle_tables([], 99, 9), [])
    await store.append("d", 1, [b"x"], listing("waiting", updated=99))
    same("after an append", await store.idle_tables(["waiting"], 21, 9), ["a", "b"])


async def tables_are_counted_by_phase(store: Store) -> None:
    for table in ("a", "b"):
        await store.append(table, 0, [b"x"], listing("waiting"))
    await store.append("b", 1, [b"x"], listing("playing"))
    same("waiting", await store.count("waiting"), 1)
    same("playing", await store.count("playing"), 1)
    same("over", await store.count("over"), 0)


async def a_deleted_table_leaves_nothing(store: Store) -> None:
    await store.append("other", 0, [b"x"], listing(guests=("anna",)), "k")
    before = await stock(store)
    await store.append("t", 0, [b"1", b"2"], listing(guests=("anna",), due=1, updated=2), "k")
    await store.delete("t")
    same("everything", await stock(store), before)
    same("entries", await store.read("t"), [])
    same("listing", await store.listing("t"), None)
    same("key", await store.find_key("t", "k"), None)
    same("tables of a guest", _names(await store.tables_of("anna", 9)), ["other"])
    same("due", await store.due_tables(9, 9), [])
    await conflicts("going on", store.append("t", 2, [b"3"], listing()))
    same("a new beginning", (await store.append("t", 0, [b"new"], listing(), "k")).length, 1)
    same("its entries", await store.read("t"), [b"new"])
    same("its guests", _names(await store.tables_of("anna", 9)), ["other"])


async def deleting_what_is_not_there_does_nothing(store: Store) -> None:
    await store.append("t", 0, [b"x"], listing())
    before = await stock(store)
    await store.delete("u")
    await store.delete("u")
    same("everything", await stock(store), before)
