"""Telling the other processes, and this one's own sockets, that a log has grown.

A hub carries no content: a message says only which table to read again. So nothing secret passes through it, and a
message that is lost costs nothing but time.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import asyncpg

from nimmt.server.logs import cause
from nimmt.store import Store, StoreError
from nimmt.store.postgres import PostgresStore, told
from nimmt.store.sqlite import SqliteStore

log = logging.getLogger("nimmt.server")


async def end(task: asyncio.Task[None]) -> None:
    """Cancel it, and wait until it has ended."""
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


# -- hub ---------------------------------------------------------------------------------------------------------------


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


class Lookout:
    """Looks into the store when somebody says so, and from time to time, in case word of it was lost."""

    def __init__(self, look: Callable[[], Awaitable[None]], seconds: Callable[[], float], failure: str) -> None:
        self._look, self._seconds, self._failure = look, seconds, failure
        self._soon = Subscription()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.create_task(self._keep_looking())

    async def close(self) -> None:
        if self._task:
            await end(self._task)

    def look_soon(self) -> None:
        self._soon.wake()

    async def _keep_looking(self) -> None:
        while True:
            await self._soon.wait(self._seconds())
            try:
                await self._look()
            except StoreError as error:
                log.warning(self._failure, extra={"cause": cause(error)})


class LocalHub:
    """The hub of a single process, and the part that the others build on."""

    def __init__(self) -> None:
        self._followers: defaultdict[str, dict[Subscription, None]] = defaultdict(dict)
        """In the order in which they came, which is the order in which they are woken."""
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
            self._followers[topic][subscription] = None
        try:
            yield subscription
        finally:
            for topic in topics:
                self._unsubscribe(topic, subscription)

    def _unsubscribe(self, topic: str, subscription: Subscription) -> None:
        self._followers[topic].pop(subscription, None)
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


# -- hub postgres ------------------------------------------------------------------------------------------------------
# The hub between processes on PostgreSQL: LISTEN and NOTIFY.


CHANNEL = "nimmt"
RECONNECT = 0.5


class PostgresHub(LocalHub):
    """One connection that listens. If it breaks it is made again, and then everybody looks for what was missed."""

    def __init__(self, store: PostgresStore) -> None:
        super().__init__()
        self._store = store
        self._task: asyncio.Task[None] | None = None
        self._listening = asyncio.Event()
        self._pid = 0
        self._untold: set[str] = set()
        self._telling: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self._task = asyncio.create_task(self._listen())
        await self._listening.wait()

    async def close(self) -> None:
        if self._telling:
            await asyncio.gather(self._telling, return_exceptions=True)
        if self._task:
            await end(self._task)

    async def publish(self, table: str) -> None:
        self.wake(table)
        self._untold.add(table)
        if self._telling is None or self._telling.done():
            self._telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        """Tell the other processes. What piles up while one message is on its way goes with the next one."""
        while self._untold:
            untold, self._untold = self._untold, set()
            # What is not told now is found by the next look of those who follow: the log is the truth.
            with contextlib.suppress(StoreError):
                await self._store.notify(CHANNEL, [f"{self._pid}/{table}" for table in untold])

    async def _listen(self) -> None:
        while True:
            try:
                await self._listen_once()
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                log.warning("the hub lost its connection", extra={"cause": cause(told(error))})
            await asyncio.sleep(RECONNECT)

    async def _listen_once(self) -> None:
        connection = await asyncpg.connect(self._store.url)
        closed = asyncio.Event()
        try:
            connection.add_termination_listener(lambda _: closed.set())
            self._pid = connection.get_server_pid()
            await connection.add_listener(CHANNEL, self._on_notification)
            self._listening.set()
            self.hear_all()
            await closed.wait()
        finally:
            connection.terminate()

    def _on_notification(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        sender, _, table = str(payload).partition("/")
        if sender != str(self._pid):
            self.hear(table)


# -- hub sqlite --------------------------------------------------------------------------------------------------------
# The hub between processes on SQLite: watching the file.


class SqliteHub(LocalHub):
    """Asks the file every `look` seconds whether another process has written to it; a question costs microseconds."""

    def __init__(self, store: SqliteStore, look: float) -> None:
        super().__init__()
        self._store, self._look = store, look
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self._task = asyncio.create_task(self._watch())

    async def close(self) -> None:
        if self._task:
            await end(self._task)

    async def _watch(self) -> None:
        known = self._store.data_version()
        while True:
            await asyncio.sleep(self._look)
            if (now := self._store.data_version()) != known:
                known = now
                self.hear_all()


# -- hubs --------------------------------------------------------------------------------------------------------------
# The hub that goes with a store and a number of processes.


def is_shared(store: Store, processes: int) -> bool:
    """Do other processes serve the same tables?"""
    return processes > 1 or type(store).__name__ == "PostgresStore"


def make_hub(store: Store, processes: int) -> LocalHub:
    """What a database is not used for need not be installed: each kind is imported when it is wanted."""
    kind = type(store).__name__
    if kind == "PostgresStore":
        return PostgresHub(store)  # type: ignore[arg-type]
    if kind == "SqliteStore":
        # Nothing keeps people from starting two servers on one file, and then they must get along.
        return SqliteHub(store, look=0.02 if processes > 1 else 0.25)  # type: ignore[arg-type]
    return LocalHub()
