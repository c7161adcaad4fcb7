"""Laws of opening and closing, and one that watches everything together."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any, TypeAlias

from nimmt.store import Conflict, KeyReused, Store, Unavailable
from nimmt.store.contract import Phase
from nimmt.store.memory import MemoryStore
from nimmt.testing.stores.basics import fill, listing, refuses, same, stock

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
