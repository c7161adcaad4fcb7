"""Telling the other processes, and this one's own sockets, that a log has grown.

A hub carries no content: a message says only which table to read again. So nothing secret passes through it, and a
message that is lost costs nothing but time.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Subscription:
    """Wakes up when a table has changed; several changes in between are one."""

    def __init__(self) -> None:
        self._changed = asyncio.Event()

    def wake(self) -> None:
        self._changed.set()

    async def wait(self, timeout: float | None = None) -> bool:
        """False if nothing changed within the time."""
        try:
            async with asyncio.timeout(timeout):
                await self._changed.wait()
        except TimeoutError:
            return False
        self._changed.clear()
        return True


class Hub(Protocol):
    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def publish(self, table: str) -> None:
        """Wake all who follow this table, in every process."""

    def subscribe(self, table: str) -> contextmanager[Subscription]:  # type: ignore[valid-type]
        """Follow a table while the context lasts."""


class LocalHub:
    """The hub of a single process, and the part that others build on."""

    def __init__(self) -> None:
        self._followers: defaultdict[str, set[Subscription]] = defaultdict(set)

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def publish(self, table: str) -> None:
        self.wake(table)

    @contextmanager
    def subscribe(self, table: str) -> Iterator[Subscription]:
        subscription = Subscription()
        self._followers[table].add(subscription)
        try:
            yield subscription
        finally:
            self._followers[table].discard(subscription)
            if not self._followers[table]:
                del self._followers[table]

    def wake(self, table: str) -> None:
        for subscription in tuple(self._followers.get(table, ())):
            subscription.wake()

    def wake_all(self) -> None:
        """Something may have been missed: everybody looks again."""
        for table in tuple(self._followers):
            self.wake(table)

    def followed(self, table: str) -> bool:
        return table in self._followers

    @property
    def count(self) -> int:
        return sum(map(len, self._followers.values()))
