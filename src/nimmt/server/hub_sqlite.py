"""The hub between processes on SQLite: watching the file."""

from __future__ import annotations

import asyncio

from nimmt.server.hub import LocalHub
from nimmt.store.sqlite import SqliteStore


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
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _watch(self) -> None:
        known = self._store.data_version()
        while True:
            await asyncio.sleep(self._look)
            if (now := self._store.data_version()) != known:
                known = now
                self.hear_all()
