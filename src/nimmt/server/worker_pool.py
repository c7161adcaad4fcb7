"""Processes in which bots think: one job at a time in each, and none of them can keep the server waiting for ever."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
from collections.abc import Awaitable, Callable
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from heapq import heappop, heappush
from itertools import count as count_up
from typing import Any

from nimmt.insight.crew import enlist

# -- minds -------------------------------------------------------------------------------------------------------------

log = logging.getLogger("nimmt.server")

Work = Callable[["Mind"], Awaitable[bytes]]


class Crowded(Exception):
    """No process became free in time."""


class Mind:
    """A process that starts with its first job. If it dies or takes too long, the next job starts another one."""

    def __init__(self) -> None:
        self.loaded: set[str] = set()
        """Games whose strong bots can think here at once."""
        self._pool: ProcessPoolExecutor | None = None

    @property
    def is_new(self) -> bool:
        return self._pool is None

    async def do(self, seconds: float, job: Callable[..., bytes], *arguments: Any) -> bytes:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"), initializer=enlist)
        try:
            async with asyncio.timeout(seconds):
                # A pool may stumble over jobs that are cancelled while it breaks: this one never is.
                return await _only_wait(asyncio.get_running_loop().run_in_executor(self._pool, job, *arguments))
        except (BrokenExecutor, TimeoutError) as error:
            trouble = "took too long" if isinstance(error, TimeoutError) else "died"
            log.warning(f"a bots' process {trouble}; another one takes its place", extra={"job": job.__name__})
            self.end()
            raise
        except asyncio.CancelledError:
            self.end()
            raise

    def end(self) -> None:
        pool, self._pool = self._pool, None
        self.loaded.clear()
        if pool is not None:
            for process in [*(pool._processes or {}).values()]:  # it has no other way to stop one that hangs
                process.kill()
            pool.shutdown(wait=False, cancel_futures=True)


class Minds:
    """Hands out whichever process is free, first to those whom people wait for."""

    def __init__(self, count: int) -> None:
        self._at_work: set[asyncio.Task[bytes]] = set()
        self._all = [Mind() for _ in range(count)]
        self._free = [*self._all]
        self._waiting: list[tuple[bool, int, asyncio.Future[Mind]]] = []
        self._numbers = count_up()

    async def let(self, work: Work, patience: float | None = None, last: bool = False) -> bytes:
        """What comes of some work, or `Crowded` or `TimeoutError` after so many seconds.

        Work that comes `last` waits for all that does not. Work that has begun goes on when nobody waits for it any
        more: how long it may take is its own affair, and a process is not to blame for having been busy with others.
        """
        end = None if patience is None else asyncio.get_running_loop().time() + patience
        try:
            async with asyncio.timeout_at(end):
                mind = await self._take(last)
        except TimeoutError:
            raise Crowded from None
        task = asyncio.create_task(self._work(mind, work))
        self._at_work.add(task)
        task.add_done_callback(self._at_work.discard)
        async with asyncio.timeout_at(end):
            return await _only_wait(task)

    async def _take(self, last: bool) -> Mind:
        if self._free:
            return self._free.pop(0)
        handed: asyncio.Future[Mind] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (last, next(self._numbers), handed))
        try:
            return await handed
        except asyncio.CancelledError:
            if handed.done() and not handed.cancelled():
                self._give(handed.result())
            raise

    def _give(self, mind: Mind) -> None:
        while self._waiting:
            handed = heappop(self._waiting)[2]
            if not handed.done():  # else nobody waits for it any more
                handed.set_result(mind)
                return
        self._free.append(mind)

    async def _work(self, mind: Mind, work: Work) -> bytes:
        try:
            return await work(mind)
        finally:
            self._give(mind)

    async def close(self) -> None:
        for task in self._at_work:
            task.cancel()
        await asyncio.gather(*self._at_work, return_exceptions=True)
        for mind in self._all:
            mind.end()


def _only_wait(future: asyncio.Future[bytes]) -> asyncio.Future[bytes]:
    """Whoever stops waiting does not stop what they wait for, and has no interest in what becomes of it."""
    future.add_done_callback(lambda done: done.cancelled() or done.exception())
    return asyncio.shield(future)
