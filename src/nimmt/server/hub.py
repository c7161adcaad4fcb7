"""Telling the other processes, and this one's own sockets, that a log has grown.

A hub carries no content: a message says only which table to read again. So nothing secret passes through it, and a
message that is lost costs nothing but time.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager


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


class LocalHub:
    """The hub of a single process, and the part that the others build on."""

    def __init__(self) -> None:
        self._followers: defaultdict[str, set[Subscription]] = defaultdict(set)
        self._stale: set[str] = set()
        self.listeners: list[Callable[[str | None], None]] = []
        """Told whatever other processes say, followed or not; None if something may have been missed."""

    async def open(self) -> None:
        pass

    async def close(self) -> None:
        pass

    async def publish(self, table: str) -> None:
        self.wake(table)

    @contextmanager
    def subscribe(self, *topics: str) -> Iterator[Subscription]:
        subscription = Subscription()
        for topic in topics:
            self._followers[topic].add(subscription)
        try:
            yield subscription
        finally:
            for topic in topics:
                self._unsubscribe(topic, subscription)

    def _unsubscribe(self, topic: str, subscription: Subscription) -> None:
        self._followers[topic].discard(subscription)
        if not self._followers[topic]:
            del self._followers[topic]
            self._stale.discard(topic)

    def is_followed(self, table: str) -> bool:
        """Does somebody look at it here?"""
        return table in self._followers

    def wake(self, table: str) -> None:
        for subscription in tuple(self._followers.get(table, ())):
            subscription.wake()

    def hear(self, table: str) -> None:
        """Another process has changed it: what this one remembers is old."""
        for listener in self.listeners:
            listener(table)
        self._hear(table)

    def _hear(self, table: str) -> None:
        if table in self._followers:
            self._stale.add(table)
            self.wake(table)

    def hear_all(self) -> None:
        """Something may have been missed: everybody looks again."""
        for listener in self.listeners:
            listener(None)
        for table in tuple(self._followers):
            self._hear(table)

    def was_heard(self, table: str) -> bool:
        """Has another process changed the table since it was last read here? Asking answers for all."""
        heard = table in self._stale
        self._stale.discard(table)
        return heard

    @property
    def count(self) -> int:
        return len(set().union(*self._followers.values()))
