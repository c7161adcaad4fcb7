"""Laws of logs and of the lists of tables: appending, writing anew, finding."""

from __future__ import annotations

import asyncio
from typing import Any

from nimmt.store import Appended, Conflict, KeyReused, Listing, Store, StoreError
from nimmt.testing.stores.basics import conflicts, listing, refuses, same, stock

# -- appending ---------------------------------------------------------------------------------------------------------
# Laws of logs: the expected version, keys, all or nothing, and many at once.

CROWD = 100
ODD_NAMES = (
    "",
    " ",
    "a",
    "A",
    "a ",
    "a'b",
    'a"b',
    "a\\b",
    "a%",
    "a_",
    "a\tb\nc",
    "straße",
    "STRASSE",
    "\u00e9",  # one sign
    "e\u0301",  # two that look like it
    "żółw",
    "корова",
    "牛头王",
    "\N{COW}",
    "\N{RIGHT-TO-LEFT OVERRIDE}x",
    "x" * 500,
)


async def an_unknown_table_has_nothing(store: Store) -> None:
    same("entries", await store.read("t"), [])
    same("listing", await store.listing("t"), None)
    same("key", await store.find_key("t", "k"), None)
    await conflicts("an append behind nothing", store.append("t", 1, [b"x"], listing()))


async def append_returns_the_new_length(store: Store) -> None:
    same("length", (await store.append("t", 0, [b"1"], listing())).length, 1)
    same("length", (await store.append("t", 1, [b"2", b"3"], listing())).length, 3)
    same("entries", await store.read("t"), [b"1", b"2", b"3"])


async def read_skips_what_is_known(store: Store) -> None:
    entries = [b"1", b"2", b"3"]
    await store.append("t", 0, entries, listing())
    await store.append("u", 0, [b"other"], listing())
    for after in range(5):
        same(f"entries after {after}", await store.read("t", after), entries[after:])
        for limit in range(5):
            some = await store.read("t", after, limit)
            same(f"{limit} entries after {after}", some, entries[after : after + limit])


async def the_expected_version_must_be_right(store: Store) -> None:
    await store.append("t", 0, [b"1", b"2"], listing())
    for wrong in (0, 1, 3, 2**40):
        await conflicts(f"{wrong} expected", store.append("t", wrong, [b"x"], listing()))
    same("length", (await store.append("t", 2, [b"3"], listing())).length, 3)


async def a_conflict_writes_nothing(store: Store) -> None:
    await store.append("t", 0, [b"1"], listing(guests=("anna",)), "k")
    before = await stock(store)
    changed = listing("over", public=False, game="x", guests=("ben",), updated=9, due=9, card=b"changed")
    await conflicts("too short", store.append("t", 0, [b"x", b"y"], changed, "new key"))
    await conflicts("too long", store.append("t", 2, [b"x", b"y"], changed, "new key"))
    await conflicts("a new table", store.append("u", 1, [b"x", b"y"], changed, "new key"))
    same("everything", await stock(store), before)
    same("key", await store.find_key("t", "new key"), None)
    same("tables of one who sits there", [table for table, _ in await store.tables_of("anna", 9)], ["t"])
    same("tables of one who does not", await store.tables_of("ben", 9), [])


async def the_listing_is_that_of_the_last_append(store: Store) -> None:
    first = listing("waiting", guests=("anna", "ben", "anna"), updated=7, due=8, card=b"\0\xff")
    await store.append("t", 0, [b"1"], first)
    same("listing", await store.listing("t"), first)
    second = listing("over", public=False, game="x", guests=("ben", "żółw of 6"), updated=2**53, card=b"")
    await store.append("t", 1, [b"2"], second)
    same("listing", await store.listing("t"), second)


async def an_append_of_nothing_changes_the_listing(store: Store) -> None:
    same("length", (await store.append("t", 0, [], listing(updated=1))).length, 0)
    same("length", (await store.append("t", 0, [b"1"], listing(updated=2), "k")).length, 1)
    same("length", (await store.append("t", 1, [], listing(updated=3), "l")).length, 1)
    same("updated", await store.listing("t"), listing(updated=3))
    same("key", await store.find_key("t", "l"), 1)


# -- keys -----------------------------------------------------------------------------------------------------------


async def a_key_counts_once(store: Store) -> None:
    same("the first", await store.append("t", 0, [b"1", b"2"], listing(updated=1), "k"), Appended(2, is_new=True))
    before = await stock(store)
    for expected in (0, 2, 1, 77):
        again = await store.append("t", expected, [b"x"], listing(updated=2, guests=("ben",)), "k")
        same(f"again with {expected} expected", again, Appended(2, is_new=False))
    same("everything", await stock(store), before)
    same("key", await store.find_key("t", "k"), 2)


async def a_key_answers_after_others_have_appended(store: Store) -> None:
    await store.append("t", 0, [b"1"], listing(), "k")
    await store.append("t", 1, [b"2"], listing(), "l")
    await store.append("t", 2, [b"3"], listing())
    same("length after k", (await store.append("t", 3, [b"x"], listing(), "k")).length, 1)
    same("length after l", (await store.append("t", 0, [b"x"], listing(), "l")).length, 2)
    same("entries", await store.read("t"), [b"1", b"2", b"3"])
    same("another key", await store.find_key("t", "m"), None)


async def keys_belong_to_their_table(store: Store) -> None:
    await store.append("t", 0, [b"1", b"2"], listing(), "k")
    same("key of another table", await store.find_key("u", "k"), None)
    same("length", (await store.append("u", 0, [b"1"], listing(), "k")).length, 1)
    same("key", await store.find_key("t", "k"), 2)


async def a_conflict_uses_up_no_key(store: Store) -> None:
    await store.append("t", 0, [b"1"], listing())
    await conflicts("too short", store.append("t", 0, [b"x"], listing(), "k"))
    same("length", (await store.append("t", 1, [b"2"], listing(), "k")).length, 2)


async def a_key_is_for_one_request(store: Store) -> None:
    await store.append("t", 0, [b"1"], listing(), "k", "open")
    before = await stock(store)
    for expected in (0, 1, 7):
        other = store.append("t", expected, [b"x"], listing(updated=2), "k", "join")
        await refuses(KeyReused, f"another request with {expected} expected", other)
    await refuses(KeyReused, "looking for another request", store.find_key("t", "k", "join"))
    same("everything", await stock(store), before)
    same("the same request", (await store.append("t", 0, [b"x"], listing(), "k", "open")).length, 1)
    same("looking for the same request", await store.find_key("t", "k", "open"), 1)
    same("no request", (await store.append("t", 0, [b"x"], listing(), "k")).length, 1)
    same("looking for no request", await store.find_key("t", "k"), 1)


async def a_key_without_a_request_fits_to_all(store: Store) -> None:
    """Such keys are in databases of older versions."""
    await store.append("t", 0, [b"1"], listing(), "k")
    same("any request", (await store.append("t", 1, [b"x"], listing(), "k", "join")).length, 1)
    same("looking for any request", await store.find_key("t", "k", "open"), 1)


# -- anything can be written ----------------------------------------------------------------------------------------


async def entries_are_any_bytes(store: Store) -> None:
    entries = [bytes(range(256)), b"", b"\0", b"\0\0x", b"\xff\xfe", "żółw".encode()]
    await store.append("t", 0, entries, listing(card=bytes(range(256))))
    same("entries", await store.read("t"), entries)
    same("listing", await store.listing("t"), listing(card=bytes(range(256))))


async def names_are_any_text(store: Store) -> None:
    for number, name in enumerate(ODD_NAMES):
        data = str(number).encode()
        await store.append(name, 0, [data], listing(game=name, guests=(name,), updated=number), name)
        await store.put(name, name, data)
    for number, name in enumerate(ODD_NAMES):
        data, wanted = str(number).encode(), listing(game=name, guests=(name,), updated=number)
        same(f"entries of {name!r}", await store.read(name), [data])
        same(f"key {name!r}", await store.find_key(name, name), 1)
        same(f"tables of {name!r}", await store.tables_of(name, 9), [(name, wanted)])
        same(f"document {name!r}", await store.get(name, name), data)


async def impossible_names_are_refused(store: Store) -> None:
    """Some databases cannot write them; so none does, and nobody gets to see an error that is the database's own."""
    for name in ("a\0b", "\0", "\ud800"):
        writes: list[Any] = [
            store.append(name, 0, [b"x"], listing()),
            store.append("t", 0, [b"x"], listing(), name),
            store.append("t", 0, [b"x"], listing(guests=(name,))),
            store.append("t", 0, [b"x"], listing(game=name)),
            store.delete(name),
            store.put(name, "n", b""),
            store.put_if_absent("k", name, b""),
            store.take("k", name),
            store.remove(name, "n"),
        ]
        for number, write in enumerate(writes):
            await refuses(StoreError, f"write {number} of {name!r}", write)
        same("entries", await store.read(name), [])
        same("listing", await store.listing(name), None)
        same("key", await store.find_key("t", name), None)
        same("tables", await store.tables_of(name, 9), [])
        same("document", await store.get("k", name), None)
    same("writing afterwards", (await store.append("t", 0, [b"x"], listing())).length, 1)


async def entries_may_be_large(store: Store) -> None:
    entries = [bytes([number]) * 2**20 for number in range(3)]
    await store.append("t", 0, entries, listing(card=b"c" * 2**16))
    await store.append("t", 3, [b"small"], listing())
    same("entries are equal", await store.read("t") == [*entries, b"small"], True)


async def logs_may_be_long(store: Store) -> None:
    entries = [str(number).encode() for number in range(5_000)]
    for start in (0, 4_000, 4_500, 4_999):
        end = {0: 4_000, 4_000: 4_500, 4_500: 4_999}.get(start, 5_000)
        same("length", (await store.append("t", start, entries[start:end], listing())).length, end)
    same("entries are equal", await store.read("t") == entries, True)
    same("the last ones", await store.read("t", 4_998), entries[4_998:])


# -- many at once ---------------------------------------------------------------------------------------------------


async def _crowd(store: Store, table: str, expected: int) -> list[int]:
    """The numbers of those whose append was taken."""

    async def one(number: int) -> bool:
        mine = listing(guests=(f"guest {number}",), updated=number)
        try:
            await store.append(table, expected, [str(number).encode()], mine, f"key {number}")
        except Conflict:
            return False
        return True

    won = await asyncio.gather(*map(one, range(CROWD)))
    return [number for number, has_won in enumerate(won) if has_won]


async def of_many_at_once_one_wins(store: Store) -> None:
    await store.append("t", 0, [b"first"], listing())
    for table, expected in (("t", 1), ("new", 0)):
        winners = await _crowd(store, table, expected)
        same("number of winners", len(winners), 1)
        (winner,) = winners
        same("entries", await store.read(table, expected), [str(winner).encode()])
        same("listing", await store.listing(table), listing(guests=(f"guest {winner}",), updated=winner))
        for number in range(CROWD):
            key = await store.find_key(table, f"key {number}")
            same(f"key {number}", key, expected + 1 if number == winner else None)


async def of_one_key_many_times_at_once_one_counts(store: Store) -> None:
    for expected in range(20):
        key = f"key {expected}"
        sent = (store.append("t", expected, [str(n).encode()], listing(), key) for n in range(CROWD // 4))
        appended = await asyncio.gather(*sent)
        same("lengths", {one.length for one in appended}, {expected + 1})
        (written,) = [str(n).encode() for n, one in enumerate(appended) if one.is_new]
        same("entries", (await store.read("t"))[expected:], [written])


async def tables_do_not_disturb_each_other(store: Store) -> None:
    async def play(table: str) -> None:
        for length in range(8):
            data = f"{table} {length}".encode()
            mine = listing(guests=(f"{table} {length}",), updated=length)
            same("length", (await store.append(table, length, [data], mine, str(length))).length, length + 1)

    tables = [f"table {number}" for number in range(50)]
    await asyncio.gather(*map(play, tables))
    for table in tables:
        same(table, await store.read(table), [f"{table} {length}".encode() for length in range(8)])
        same("old seat", await store.tables_of(f"{table} 6", 9), [])
        same("new seat", [found for found, _ in await store.tables_of(f"{table} 7", 9)], [table])


async def a_conflict_does_not_spoil_what_is_written_with_it(store: Store) -> None:
    """Stores write together what comes together: what one of them refuses must not take the others with it."""
    good = [store.append(f"good {number}", 0, [b"x"], listing(), "k") for number in range(20)]
    bad = [store.append(f"bad {number}", 5, [b"x"], listing(), "k") for number in range(20)]
    mixed = [one for pair in zip(good, bad, strict=True) for one in pair]
    results = await asyncio.gather(*mixed, return_exceptions=True)
    same("good ones", results[::2], [Appended(1)] * 20)
    same("bad ones", [type(result) for result in results[1::2]], [Conflict] * 20)
    for number in range(20):
        same("a good one", await store.read(f"good {number}"), [b"x"])
        same("a bad one", (await store.read(f"bad {number}"), await store.listing(f"bad {number}")), ([], None))


async def what_goes_together_is_seen_together(store: Store) -> None:
    done = asyncio.Event()

    async def write() -> None:
        for length in range(0, 150, 3):
            entries = [str(number).encode() for number in range(length, length + 3)]
            await store.append("t", length, entries, listing(updated=length + 3))
            same("acknowledged", len(await store.read("t")), length + 3)
        done.set()

    async def watch() -> None:
        seen = 0
        while not done.is_set():
            entries = await store.read("t")
            same("entries", entries, [str(number).encode() for number in range(len(entries))])
            same("entries come in threes", len(entries) % 3, 0)
            same("a log grows", len(entries) >= seen, True)
            seen = len(entries)

    await asyncio.gather(write(), watch(), watch())


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
    same("length", (await store.append("t", 3, [b"4"], new)).length, 4)


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
    same("a new beginning", (await store.append("t", 0, [b"new"], listing(), "k")).length, 1)
    same("its entries", await store.read("t"), [b"new"])
    same("its guests", _names(await store.tables_of("anna", 9)), ["other"])


async def deleting_what_is_not_there_does_nothing(store: Store) -> None:
    await store.append("t", 0, [b"x"], listing())
    before = await stock(store)
    await store.delete("u")
    await store.delete("u")
    same("everything", await stock(store), before)
