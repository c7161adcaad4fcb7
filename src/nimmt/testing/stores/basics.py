"""What all laws of stores need: listings, saying what is wrong, and taking stock."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from nimmt.store import Conflict, Listing, Store
from nimmt.store.contract import Count, Phase, Row

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
