"""Whether the database can be used, said once when it cannot and once when it can again."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress

from nimmt.server.logs import cause, tell_left_out
from nimmt.server.metrics import DATABASE_ERRORS
from nimmt.server.tables import now_ms
from nimmt.store import Conflict, Store, StoreError, leases

log = logging.getLogger("nimmt.server")

LOOK_SECONDS = 5.0


class Health:
    """Looks after the store every few seconds; whoever is refused by it in between reports that here."""

    def __init__(self, store: Store, then: Callable[[], Awaitable[None]], load: Callable[[], bytes]) -> None:
        self._store, self._then, self._load = store, then, load
        self._process = secrets.token_hex(8)
        self._renewed = 0
        self._failing_since: float | None = None
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        await self.look()
        self._task = asyncio.create_task(self._look_on())

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            with suppress(StoreError):  # then it expires
                await leases.end(self._store, self._process)

    def failed(self, error: StoreError) -> None:
        """Something could not be read or written. That others were faster is no failure."""
        if isinstance(error, Conflict):
            return
        DATABASE_ERRORS.inc()
        if self._failing_since is None:
            self._failing_since = time.monotonic()
            log.error("the database cannot be used", extra={"cause": cause(error)})

    def works(self) -> None:
        if self._failing_since is not None:
            seconds, self._failing_since = time.monotonic() - self._failing_since, None
            log.warning("the database can be used again", extra={"seconds": round(seconds, 1)})

    async def look(self) -> None:
        """One look: does it read and write, and do the others know that this process uses it?"""
        try:
            if self._failing_since is not None:
                await self._store.check()
            if now_ms() - self._renewed > leases.RENEWAL:
                self._renewed = now_ms()
                await leases.renew(self._store, self._process, now_ms(), self._load())
            await self._then()
        except StoreError as error:
            self.failed(error)
        else:
            self.works()
        tell_left_out()

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.look()
            except Exception as error:
                log.warning("the server could not look after itself", exc_info=error)
