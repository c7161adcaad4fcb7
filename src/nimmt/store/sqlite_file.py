"""The file of SQLite: connections to it, its schema, and the one thread that writes to it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import sqlite3
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import msgspec

from nimmt.store.contract import Listing, StoreError, Unavailable
from nimmt.store.migrations import SQLITE

# -- sqlite file -------------------------------------------------------------------------------------------------------
# The file of SQLite: connections to it, its schema, and how listings are written in it.

BUSY_SECONDS = 10.0
CHECKPOINT_PAGES = 4000
"""Pages of busy tables are written again and again: the later they are copied into the file, the fewer there are."""


def connect(path: str) -> sqlite3.Connection:
    """WAL with synchronous=FULL: what was committed survives a crash of the machine, and readers block nobody."""
    with told_as_store_errors(path):
        connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        try:
            _enter_wal(connection)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA fullfsync = ON")  # on macOS a plain sync ends in the memory of the disk
            connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        except BaseException:
            connection.close()
            raise
    return connection


def identity(path: str) -> tuple[int, int]:
    """Which file it is, whatever it is called."""
    found = Path(path).stat()
    return found.st_dev, found.st_ino


def require_same(path: str, known: tuple[int, int]) -> None:
    """SQLite would go on writing to a file that has been deleted or replaced, and all of that would be lost."""
    try:
        is_same = identity(path) == known
    except OSError:
        is_same = False
    if not is_same:
        raise Unavailable(f"{path} is gone, or is another file than it was: the server must be started again.")


def _enter_wal(connection: sqlite3.Connection) -> None:
    """SQLite itself does not wait here for other processes that do the same."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        except sqlite3.OperationalError as error:
            if _is_busy(error) and time.monotonic() < deadline:
                time.sleep(0.01)
                continue
            raise
        if mode != "wal":
            raise StoreError(f"SQLite cannot keep a write-ahead log for this file (only {mode!r}).")
        return


def _is_busy(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def migrate(path: str) -> None:
    """Make the file if there is none, and bring its schema up to date: all steps in one transaction."""
    try:
        Path(path).absolute().parent.mkdir(parents=True, exist_ok=True)
        _make_private(path)
    except OSError as error:
        raise Unavailable(f"{path}: {error.strerror}") from error
    connection = connect(path)
    try:
        with told_as_store_errors(path):
            connection.execute("BEGIN IMMEDIATE")
            _take_steps(connection, path)
            connection.execute("COMMIT")
    finally:
        connection.close()


def _make_private(path: str) -> None:
    """Seeds, hands and the key that signs cookies are in it: only its owner may read it. What SQLite writes beside it
    has the same permissions. A file that is there is not touched: to close it would open the locks that others hold."""
    if path != ":memory:" and not Path(path).exists():  # to SQLite that is no file
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))


def is_private(path: str) -> bool:
    return os.name != "posix" or not Path(path).stat().st_mode & 0o077


def _take_steps(connection: sqlite3.Connection, path: str) -> None:
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(SQLITE):
        raise StoreError(
            f"{path} was written by a newer version of nimmt: it has schema {version}, this one knows {len(SQLITE)}."
        )
    for statements in SQLITE[version:]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {len(SQLITE)}")


@contextmanager
def told_as_store_errors(what: str) -> Iterator[None]:
    """SQLite's errors as the contract's. What cannot be bound (a number too large, half a character) is refused."""
    try:
        yield
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_NOTADB:
            raise StoreError(f"{what} is not an SQLite database.") from error
        raise Unavailable(f"{what}: {error}") from error
    except (OverflowError, UnicodeEncodeError) as error:
        raise StoreError(f"This cannot be stored: {error}") from error


def table_values(table: str, length: int, listing: Listing) -> tuple[Any, ...]:
    """A row of `tables`."""
    guests = msgspec.json.encode(listing.guests).decode()
    rest = listing.updated, listing.due, listing.card
    return table, length, listing.phase, listing.public, listing.game, guests, *rest


def read_listing(row: Sequence[Any]) -> Listing:
    phase, public, game, guests, updated, due, card = row
    return Listing(phase, bool(public), game, msgspec.json.decode(guests, type=tuple[str, ...]), updated, due, card)


def seats(table: str, listing: Listing) -> list[tuple[str, str]]:
    """The rows of `seats`."""
    return [(guest, table) for guest in sorted(set(listing.guests))]


# -- sqlite writer -----------------------------------------------------------------------------------------------------
# The one thread that writes to SQLite.
#
# Everything that waits when the thread gets to it goes into one transaction, so that many tables share one sync of the
# disk. Nobody hears that something was written before that transaction is committed.

T = TypeVar("T")
Work: TypeAlias = Callable[[sqlite3.Connection], T]

BATCH = 512


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
            while len(waiting) < BATCH:
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
