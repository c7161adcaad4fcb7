"""What happens by itself: time running out, bots that another process left waiting, tables that nobody uses."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Awaitable, Callable

from nimmt.server.bot_runner import Thinkers
from nimmt.server.logs import cause
from nimmt.server.tables.commands import Tables, now_ms, shortened
from nimmt.server.tables.lobby import BotTables
from nimmt.server.tables.log_entries import Closed, Entry
from nimmt.server.tables.table import Table
from nimmt.store import StoreError
from nimmt.store.contract import Phase

log = logging.getLogger("nimmt.server")

HOUR = 3_600_000
DAY = 24 * HOUR
BATCH = 100
DUE_BATCH = 2000
COLLECT_SECONDS = 600.0
IDLE_LIMITS: dict[Phase, int] = {"waiting": 2 * HOUR, "playing": 60 * DAY}
"""Tables where nothing has happened for so long are closed. A match that all people have left waits for less long: see
`table_state.ABANDONED_AFTER`."""


class Clock:
    """Looks at the store again and again; all it knows it reads there, so any process can take over."""

    def __init__(
        self,
        tables: Tables,
        thinkers: Thinkers,
        keep_days: int = 3650,
        tick: float = 0.25,
        sweep: float = 60.0,
        bot_tables: BotTables | None = None,
    ) -> None:
        self.tables, self.thinkers, self.keep_days, self.bot_tables = tables, thinkers, keep_days, bot_tables
        self.tick, self.sweep = tick, sweep
        """Seconds between looks at what is due, and at what can be cleared up."""
        self.chores: list[Callable[[], Awaitable[None]]] = []
        """What else is done now and then."""
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        self._tasks = [
            asyncio.create_task(_forever(self.look, self.tick)),
            asyncio.create_task(_forever(self.clear_up, self.sweep)),
            asyncio.create_task(_forever(_collect_garbage, COLLECT_SECONDS)),
        ]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def look(self) -> None:
        """Let time run out where it has, and bots think where they should have."""
        await _each(self._people_first(await self.tables.store.due_tables(now_ms(), DUE_BATCH)), self._look_at)

    def _people_first(self, due: list[str]) -> list[str]:
        """Where time has run out for people first. Where bots are at work here already there is nothing else to do;
        however many they are, nobody's clock waits for them."""
        late, others, now = [], [], now_ms()
        for table_id in due:
            table = self.tables.cached(table_id)
            if table is not None and table.run_out(now):
                late.append(table_id)
            elif not self.thinkers.is_at(table_id):
                others.append(table_id)
        return late + others

    async def _look_at(self, table_id: str) -> None:
        table, _ = await self.tables.do(table_id, lambda table: table.run_out(now_ms()))
        self.thinkers.look_at(table)

    async def clear_up(self) -> None:
        """Close what nobody uses, forget what was closed or is very old, and documents that have expired."""
        now, store = now_ms(), self.tables.store
        for phase, limit in IDLE_LIMITS.items():
            idle = await store.idle_tables([phase], now - limit, BATCH)
            await _each(idle, lambda table_id, before=now - limit: self._close(table_id, before))  # type: ignore[misc]
        forget = self.tables.forget_for_good
        await _each(await store.idle_tables(["closed"], now - HOUR, BATCH), forget)
        await _each(await store.idle_tables(["over"], now - self.keep_days * DAY, BATCH), forget)
        await store.purge(now)
        for chore in self.chores:
            await chore()
        if self.bot_tables is not None:
            await self.bot_tables.clear_up()

    async def _close(self, table_id: str, before: int) -> None:
        def close(table: Table) -> list[Entry]:
            return [Closed(at=now_ms(), reason="idle")] if table.at < before and table.phase in IDLE_LIMITS else []

        await self.tables.do(table_id, close)


async def _collect_garbage() -> None:
    """See `serve`: it does not happen by itself."""
    gc.collect()


async def _forever(job: Callable[[], Awaitable[None]], seconds: float) -> None:
    while True:
        await asyncio.sleep(seconds)
        try:
            await job()
        except Exception as error:  # whatever it was, time goes on
            log.warning("the clock could not check the tables", extra={"cause": cause(error)})


async def _each(table_ids: list[str], job: Callable[[str], Awaitable[None]]) -> None:
    """One table that nobody can make sense of must not stop the time of all others."""
    for table_id in table_ids:
        try:
            await job(table_id)
        except StoreError:
            raise
        except Exception as error:
            log.warning("the clock skipped a table", extra={"table": shortened(table_id)}, exc_info=error)
