"""Which servers use a store now. Each says so again and again: one that was killed is soon forgotten."""

from __future__ import annotations

from nimmt.store.contract import Store, StoreError

KIND = "server"
LEASE = 25_000
"""Milliseconds after which a server that says nothing is taken for gone."""
RENEWAL = 10_000


class InUse(StoreError):
    """A server uses the store."""


async def renew(store: Store, process: str, now: int, load: bytes = b"") -> None:
    """`load` is what the process tells of itself meanwhile."""
    await store.put(KIND, process, load, now + LEASE)


async def running(store: Store, now: int) -> list[bytes]:
    """What the processes tell of themselves that use the store."""
    return [*(await store.documents(KIND, now)).values()]


async def end(store: Store, process: str) -> None:
    await store.remove(KIND, process)


async def require_unused(store: Store, now: int) -> None:
    if await store.documents(KIND, now):
        raise InUse(
            "A server is using this database, or was killed within the last "
            f"{LEASE // 1000} seconds. Stop it first: it would go on with what it remembers."
        )
