"""Laws of what is done to take a person's data out of logs: finding it, and writing a log anew."""

from __future__ import annotations

from nimmt.store import Store
from nimmt.testing.stores.basics import conflicts, listing, same, stock


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
