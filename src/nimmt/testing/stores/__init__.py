"""What every store promises, as checks: each sentence of the contract is a law here.

A store kept elsewhere is tested by obeying all `LAWS`, each on a fresh database; if it outlives its process, all
`KEEPING_LAWS` too, which open several stores on one database.
"""

from __future__ import annotations

from inspect import iscoroutinefunction
from types import ModuleType
from typing import Any

from nimmt.testing.stores import documents, durability, lifetime, logs
from nimmt.testing.stores.basics import KeepingLaw, Law, MakeStore, fill, listing, opened, stock

__all__ = ["KEEPING_LAWS", "LAWS", "KeepingLaw", "Law", "MakeStore", "fill", "listing", "obey", "opened", "stock"]


def _laws_of(module: ModuleType) -> list[Any]:
    """Everything public in it that is its own and can be awaited."""
    found = [value for name, value in vars(module).items() if not name.startswith("_")]
    return [law for law in found if iscoroutinefunction(law) and law.__module__ == module.__name__]


LAWS: tuple[Law, ...] = tuple(law for module in (logs, documents, lifetime) for law in _laws_of(module))
KEEPING_LAWS: tuple[KeepingLaw, ...] = tuple(_laws_of(durability))


async def obey(law: Law, make: MakeStore) -> None:
    """Raises an AssertionError unless a store obeys the law."""
    async with opened(make) as store:
        await law(store)
