"""Laws of documents: the last one counts, time runs out, and of several takers one gets it."""

from __future__ import annotations

import asyncio

from nimmt.store import Store
from nimmt.testing.stores.basics import same, stock

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
