"""The file of SQLite: connections to it, its schema, and how listings are written in it."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from nimmt.store.contract import Listing, StoreError, Unavailable
from nimmt.store.migrations import SQLITE

BUSY_SECONDS = 10.0
CHECKPOINT_PAGES = 4000
"""Pages of busy tables are written again and again: the later they are copied into the file, the fewer there are."""
COLUMNS = "phase, public, game, guests, updated, due, card"


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
        raise StoreError(f"{path} was made by a newer nimmt: it has schema {version}, this one knows {len(SQLITE)}.")
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
            raise StoreError(f"{what} is no database of SQLite.") from error
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
