"""Laws of the lists of tables, of documents, and of taking a person's data out of logs."""

from __future__ import annotations

import asyncio

from nimmt.store import Listing, Store
from nimmt.testing.stores.keeping import conflicts, listing, same, stock

# -- listings ----------------------------------------------------------------------------------------------------------
# Laws of the lists of tables, and of forgetting a table.


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
    same("a new beginning", await store.append("t", 0, [b"new"], listing(), "k"), 1)
    same("its entries", await store.read("t"), [b"new"])
    same("its guests", _names(await store.tables_of("anna", 9)), ["other"])


async def deleting_what_is_not_there_does_nothing(store: Store) -> None:
    await store.append("t", 0, [b"x"], listing())
    before = await stock(store)
    await store.delete("u")
    await store.delete("u")
    same("everything", await stock(store), before)


# -- documents ---------------------------------------------------------------------------------------------------------
# Laws of documents: the last one counts, time runs out, and of several takers one gets it.

CROWD = 50


async def the_last_document_counts(store: Store) -> None:
    same("none", await store.get("k", "n"), None)
    await store.put("k", "n", b"one", expires=5)
    await store.put("k", "n", b"two")
    same("document", await store.get("k", "n", now=9), b"two")
    await store.put("k", "n", b"three", expires=5)
    same("expired", await store.get("k", "n", now=9), None)


async def documents_are_any_bytes(store: Store) -> None:
    for name, data in {"all": bytes(range(256)), "none": b"", "null": b"\0", "large": b"\0x" * 2**19}.items():
        await store.put("k", name, data)
        same(f"{name} is equal", await store.get("k", name) == data, True)
        same(f"{name} is equal", await store.put_if_absent("k", name, b"other") == data, True)
        same(f"{name} is equal", await store.take("k", name) == data, True)


async def kinds_are_apart(store: Store) -> None:
    await store.put("a", "n", b"one")
    await store.put("b", "n", b"two")
    await store.remove("a", "n")
    same("the other kind", await store.get("b", "n"), b"two")
    same("the one removed", await store.get("a", "n"), None)
    await store.remove("a", "n")


async def documents_of_a_kind_are_found_together(store: Store) -> None:
    same("none", await store.documents("k"), {})
    for name, expires in {"never": None, "soon": 20, "\N{COW}": 21}.items():
        await store.put("k", name, name.encode(), expires=expires)
    await store.put("other", "never", b"not this one")
    same("at first", await store.documents("k", now=19), {name: name.encode() for name in ("never", "soon", "\N{COW}")})
    same("later", await store.documents("k", now=20), {name: name.encode() for name in ("never", "\N{COW}")})
    same("a kind that cannot be", await store.documents("\0"), {})


async def documents_expire(store: Store) -> None:
    await store.put("k", "n", b"data", expires=100)
    same("before", await store.get("k", "n", now=99), b"data")
    same("then", await store.get("k", "n", now=100), None)
    same("without a time", await store.get("k", "n"), b"data")


async def purging_forgets_what_has_expired(store: Store) -> None:
    for name, expires in {"never": None, "early": 10, "then": 20, "later": 21}.items():
        await store.put("k", name, b"data", expires=expires)
    same("how many", await store.purge(20), 2)
    same("how many again", await store.purge(20), 0)
    for name, there in {"never": b"data", "early": None, "then": None, "later": b"data"}.items():
        same(name, await store.get("k", name), there)


async def put_if_absent_keeps_the_first(store: Store) -> None:
    same("first", await store.put_if_absent("k", "n", b"one", expires=10), b"one")
    same("second", await store.put_if_absent("k", "n", b"two"), b"one")
    same("it expires as the first said", await store.get("k", "n", now=10), None)
    same("expired, but there", await store.put_if_absent("k", "n", b"three"), b"one")
    await store.purge(10)
    same("after the purge", await store.put_if_absent("k", "n", b"four"), b"four")


async def of_many_who_put_one_is_first(store: Store) -> None:
    for name in ("n", "m"):
        puts = (store.put_if_absent("k", name, str(number).encode()) for number in range(CROWD))
        found = set(await asyncio.gather(*puts))
        same("number of different answers", len(found), 1)
        same("document", {await store.get("k", name)}, found)


async def a_document_is_taken_once(store: Store) -> None:
    await store.put("k", "n", b"data")
    await store.put("k", "old", b"data", expires=5)
    same("first", await store.take("k", "n"), b"data")
    same("second", await store.take("k", "n"), None)
    same("get", await store.get("k", "n"), None)
    same("expired", await store.take("k", "old", now=5), None)
    same("an expired one is gone too", await store.get("k", "old"), None)


async def of_many_who_take_one_gets_it(store: Store) -> None:
    for number in range(3):
        await store.put("k", f"n{number}", b"data")
        found = await asyncio.gather(*(store.take("k", f"n{number}") for _ in range(CROWD)))
        same("who got it", sorted(data or b"" for data in found), [b""] * (CROWD - 1) + [b"data"])


async def checking_leaves_nothing(store: Store) -> None:
    await asyncio.gather(*(store.check() for _ in range(20)))
    same("everything", (await stock(store))[1:], [])


# -- rewriting ---------------------------------------------------------------------------------------------------------
# Laws of what is done to take a person's data out of logs: finding it, and writing a log anew.


async def a_log_can_be_written_anew(store: Store) -> None:
    await store.append("t", 0, [b"anna", b"2"], listing(guests=("anna", "ben")))
    await store.append("u", 0, [b"anna"], listing(guests=("anna",)))
    new = listing("over", public=False, game="x", guests=("gone", "ben"), updated=7, due=9, card=b"new")
    await store.rewrite("t", 2, [b"gone", b"2", b"\0\xff"], new, "anna:")
    same("entries", await store.read("t"), [b"gone", b"2", b"\0\xff"])
    same("the last entry", await store.read("t", 2), [b"\0\xff"])
    same("listing", await store.listing("t"), new)
    same("tables of anna", [name for name, _ in await store.tables_of("anna", 9)], ["u"])
    same("tables of gone", await store.tables_of("gone", 9), [("t", new)])
    same("another table", await store.read("u"), [b"anna"])
    same("length", await store.append("t", 3, [b"4"], new), 4)


async def writing_anew_takes_the_expected_version(store: Store) -> None:
    await store.append("t", 0, [b"1", b"2"], listing(), "anna:k")
    before = await stock(store)
    for wrong in (0, 1, 3):
        await conflicts(f"{wrong} expected", store.rewrite("t", wrong, [b"x"] * 4, listing(updated=5), "anna:"))
    await conflicts("an unknown table", store.rewrite("u", 0, [b"x"], listing(), "anna:"))
    same("everything", await stock(store), before)


async def writing_anew_forgets_the_keys_of_one(store: Store) -> None:
    await store.append("t", 0, [b"1"], listing(), "anna:k", "hash")
    await store.append("t", 1, [b"2"], listing(), "anna_:k", "hash")
    await store.append("t", 2, [b"3"], listing(), "ben:anna:")
    await store.append("u", 0, [b"1"], listing(), "anna:k")
    await store.rewrite("t", 3, [b"1", b"2", b"3", b"4"], listing(), "anna:")
    same("key of anna", await store.find_key("t", "anna:k"), None)
    same("key of anna_", await store.find_key("t", "anna_:k"), 2)
    same("key of ben", await store.find_key("t", "ben:anna:"), 3)
    same("key at another table", await store.find_key("u", "anna:k"), 1)


async def tables_that_mention_something_are_found(store: Store) -> None:
    await store.append("u", 0, [b"one", b'{"guest":"An%a_x"}'], listing())
    await store.append("t", 0, [b"An%a_x\0\xff", b"An%a_x"], listing("closed", public=False))
    await store.append("v", 0, [b"an%a_x", b"AnHa_x", b"An%a", b"_x"], listing(guests=("An%a_x",)))
    same("tables", await store.mentioning(b"An%a_x"), ["t", "u"])
    same("bytes", await store.mentioning(b"\0\xff"), ["t"])
    same("nothing", await store.mentioning(b"zoe"), [])
