"""The one thread that writes to SQLite.

Everything that waits when the thread gets to it goes into one transaction, so that many tables share one sync of the
disk. Nobody hears that something was written before that transaction is committed.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from nimmt.store.contract import Unavailable
from nimmt.store.sqlite_file import connect, identity, require_same, told_as_store_errors

T = TypeVar("T")
Work: TypeAlias = Callable[[sqlite3.Connection], T]

AT_ONCE = 512


class _Job:
    """Something to write, and who waits for it."""

    def __init__(self, work: Work[Any], loop: asyncio.AbstractEventLoop) -> None:
        self.work, self.loop = work, loop
        self.future: asyncio.Future[Any] = loop.create_future()
        self.result: Any = None
        self.error: Exception | None = None

    def settle(self) -> None:
        if self.future.done():  # whoever waited has gone
            return
        if self.error is None:
            self.future.set_result(self.result)
        else:
            self.future.set_exception(self.error)


class Writer:
    def __init__(self, path: str) -> None:
        self._path = path
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._door = threading.Lock()
        self._is_closed = False
        connection = connect(path)
        self._file = identity(path)
        self._connection: sqlite3.Connection | None = connection
        self._seen: int | None = _data_version(connection)
        self.foreign = 0
        """Grows when somebody else was found to have written to the file."""
        self._thread = threading.Thread(target=self._run, name="nimmt-write", daemon=True)
        self._thread.start()

    async def write(self, work: Work[T]) -> T:
        job = self._put(work)
        result: T = await job.future
        return result

    def look(self) -> None:
        """Have `foreign` brought up to date soon: an empty transaction costs no sync."""
        job = self._put(lambda _: None)
        job.future.add_done_callback(lambda future: future.cancelled() or future.exception())

    def _put(self, work: Work[Any]) -> _Job:
        job = _Job(work, asyncio.get_running_loop())
        with self._door:  # nothing gets behind the None that ends the thread, where nobody would ever take it
            if self._is_closed:
                raise Unavailable("The store is closed.")
            self._jobs.put(job)
        return job

    def close(self) -> None:
        """Waits until everything that was asked for is written."""
        with self._door:
            if not self._is_closed:
                self._is_closed = True
                self._jobs.put(None)
        self._thread.join()

    # -- in the thread ------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            waiting = self._take()
            jobs = [job for job in waiting if job is not None]
            if jobs:
                self._write_together(jobs)
                _settle(jobs)
            if len(jobs) < len(waiting):
                break
        self._disconnect()

    def _take(self) -> list[_Job | None]:
        waiting = [self._jobs.get()]
        with contextlib.suppress(queue.Empty):
            while len(waiting) < AT_ONCE:
                waiting.append(self._jobs.get_nowait())
        return waiting

    def _write_together(self, jobs: list[_Job]) -> None:
        """One transaction for all; each in a savepoint of its own, so that one that fails takes no other with it."""
        try:
            with told_as_store_errors("The database takes nothing at the moment"):
                require_same(self._path, self._file)
                connection = self._connection = self._connection or connect(self._path)
                connection.execute("BEGIN IMMEDIATE")
                self._notice_others(connection)
                for job in jobs:
                    _attempt(connection, job)
                connection.execute("COMMIT")
        except Exception as error:
            # Whatever it was (a full disk, a file that is gone): nothing was acknowledged, and the next try is fresh.
            self._disconnect()
            for job in jobs:
                job.error = error

    def _notice_others(self, connection: sqlite3.Connection) -> None:
        """What this connection writes itself does not change its data_version. After a reconnection nobody knows."""
        version = _data_version(connection)
        if version != self._seen:
            self._seen = version
            self.foreign += 1

    def _disconnect(self) -> None:
        connection, self._connection, self._seen = self._connection, None, None
        if connection is not None:
            with contextlib.suppress(sqlite3.Error):
                connection.close()  # rolls back


def _data_version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA data_version").fetchone()[0]
    return version


def _attempt(connection: sqlite3.Connection, job: _Job) -> None:
    connection.execute("SAVEPOINT job")
    try:
        with told_as_store_errors("The database refuses this"):
            job.result = job.work(connection)
    except Exception as error:
        if not connection.in_transaction:
            raise  # SQLite has given up the whole transaction, that of the others too
        connection.execute("ROLLBACK TO job")
        job.error = error
    connection.execute("RELEASE job")


def _settle(jobs: list[_Job]) -> None:
    by_loop: defaultdict[asyncio.AbstractEventLoop, list[_Job]] = defaultdict(list)
    for job in jobs:
        by_loop[job.loop].append(job)
    for loop, group in by_loop.items():
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(_settle_all, group)


def _settle_all(jobs: list[_Job]) -> None:
    for job in jobs:
        job.settle()
