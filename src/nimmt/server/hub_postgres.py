"""The hub between processes on PostgreSQL: LISTEN and NOTIFY."""

from __future__ import annotations

import asyncio
import contextlib
import logging

import asyncpg

from nimmt.server.hub import LocalHub
from nimmt.server.logs import cause
from nimmt.store import StoreError
from nimmt.store.postgres import PostgresStore
from nimmt.store.postgres_pool import told

log = logging.getLogger("nimmt.server")

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
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

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
