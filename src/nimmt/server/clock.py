"""What happens by itself: time running out, bots that another process left waiting, tables that nobody uses."""

from __future__ import annotations

import asyncio
import logging

from nimmt.server.entries import Closed, Entry
from nimmt.server.refusals import Refused
from nimmt.server.table import Table
from nimmt.server.tables import Tables, now_ms
from nimmt.server.thinking import Thinkers
from nimmt.store import StoreError

log = logging.getLogger("nimmt.server")

HOUR = 3_600_000
DAY = 24 * HOUR
AT_ONCE = 100


class Clock:
    """Looks at the store again and again; all it knows it reads there, so any process can take over."""

    def __init__(self, tables: Tables, thinkers: Thinkers, tick: float = 0.25, sweep: float = 60.0) -> None:
        self.tables, self.thinkers = tables, thinkers
        self._tick, self._sweep = tick, sweep
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        self._tasks = [
            asyncio.create_task(self._forever(self.look, self._tick)),
            asyncio.create_task(self._forever(self.clear_up, self._sweep)),
        ]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _forever(self, job, seconds: float) -> None:  # type: ignore[no-untyped-def]
        while True:
            await asyncio.sleep(seconds)
            try:
                await job()
            except (StoreError, Refused) as error:
                log.warning("the clock could not look", extra={"reason": type(error).__name__})

    async def look(self) -> None:
        """Let time run out where it has, and bots think where they should have."""
        for table_id in await self.tables.store.due_tables(now_ms(), AT_ONCE):
            table, _ = await self.tables.do(table_id, lambda table: table.run_out(now_ms()))
            self.thinkers.look_at(table)

    async def clear_up(self) -> None:
        """Close what nobody uses, forget what was closed, and documents that have expired."""
        now, store = now_ms(), self.tables.store
        for table_id in await store.idle_tables(["waiting"], now - 2 * HOUR, AT_ONCE):
            await self.tables.do(table_id, _close_if_idle(now - 2 * HOUR))
        for table_id in await store.idle_tables(["playing"], now - 60 * DAY, AT_ONCE):
            await self.tables.do(table_id, _close_if_idle(now - 60 * DAY))
        for table_id in await store.idle_tables(["closed"], now - HOUR, AT_ONCE):
            await store.delete(table_id)
            self.tables.forget(table_id)
        await store.purge(now)


def _close_if_idle(before: int):  # type: ignore[no-untyped-def]
    def close(table: Table) -> list[Entry]:
        return [Closed(at=now_ms(), reason="idle")] if table.at < before and table.phase != "over" else []

    return close
