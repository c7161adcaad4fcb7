"""Durable appends a second: memory, SQLite and PostgreSQL, and sqlite3 with one commit for each append beside them.

At each table one append follows another, as fast as they are acknowledged; so many tables do so at once. Every append
is what the server writes for a command: an entry, the listing and a key. Files lie in the temporary folder: set TMPDIR
to measure another disk. Run by `python3 dev.py bench`, or `python benches/bench_store.py --help`.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Protocol

from nimmt.store import Appended, Listing
from nimmt.store.contract import Append, make_store
from nimmt.store.sqlite import _append
from nimmt.store.sqlite_file import connect, migrate
from nimmt.testing.postgres import PostgresServer

ENTRY = b'{"type":"Acted","at":1700000000000,"seat":2,"decision":41,"action":{"type":"PlayCard","card":104}}'
GUESTS = ("guest-one-000000000000", "guest-two-000000000000", "guest-three-0000000000", "guest-four-00000000000")
CHAIRS = b",".join([b'{"kind":"person","name":"Anna"}'] * 4)
CARD = b'{"game":"six","options":{},"tempo":"live","chairs":[' + CHAIRS + b"]}"


class Appends(Protocol):
    async def append(
        self, table: str, expected: int, entries: Sequence[bytes], listing: Listing, key: str | None = None
    ) -> Appended: ...


class OneByOne:
    """What is obvious: the same statements, and a commit for each append."""

    def __init__(self, path: str) -> None:
        migrate(path)
        self.connection: sqlite3.Connection = connect(path)

    async def append(
        self, table: str, expected: int, entries: Sequence[bytes], listing: Listing, key: str | None = None
    ) -> Appended:
        self.connection.execute("BEGIN IMMEDIATE")
        appended = _append(self.connection, Append(table, expected, entries, listing, key, None))
        self.connection.execute("COMMIT")
        return appended


async def measure(store: Appends, tables: int, seconds: float, mark: str) -> float:
    """Appends a second."""

    async def play(number: int) -> int:
        table, length = f"{mark}-{number:020}", 0
        while time.perf_counter() < ends:
            listing = Listing("playing", True, "six", GUESTS, 1700000000000 + length, None, CARD)
            length = (await store.append(table, length, [ENTRY], listing, f"{GUESTS[length % 4]}:{length}")).length
            await asyncio.sleep(0)  # let the others go on, even if nothing had to be waited for
        return length

    began = time.perf_counter()
    ends = began + seconds
    lengths = await asyncio.gather(*map(play, range(tables)))
    return sum(lengths) / (time.perf_counter() - began)


@asynccontextmanager
async def opened(database: str) -> AsyncIterator[Appends]:
    store = make_store(database)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def one_by_one(path: str) -> AsyncIterator[Appends]:
    store = OneByOne(path)
    try:
        yield store
    finally:
        store.connection.close()


@contextmanager
def databases(postgres: bool) -> Iterator[dict[str, Callable[[], object]]]:
    """How each kind is opened, on one disk."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="nimmt-bench-")))
        kinds: dict[str, Callable[[], object]] = {
            "memory (not durable)": lambda: opened("memory"),
            "sqlite3, one commit each": lambda: one_by_one(str(folder / "one.db")),
            "SQLite": lambda: opened(str(folder / "group.db")),
        }
        if postgres:
            url = stack.enter_context(PostgresServer(safe=True)).new_database()
            kinds["PostgreSQL"] = lambda: opened(url)
        yield kinds


async def run(kinds: dict[str, Callable[[], object]], crowds: Sequence[int], seconds: float) -> None:
    print(f"{'appends/s with so many tables':<30}" + "".join(f"{tables:>10,}" for tables in crowds))
    rates: dict[str, list[float]] = {kind: [] for kind in kinds}
    for tables in crowds:
        for kind, make in kinds.items():  # side by side, so that a noisy moment hits all
            async with make() as store:  # type: ignore[attr-defined]
                rates[kind].append(await measure(store, tables, seconds, f"{tables}"))
    for kind, found in rates.items():
        print(f"{kind:<30}" + "".join(f"{rate:>10,.0f}" for rate in found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each kind and number of tables (default 2)")
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 8, 64, 400])
    parser.add_argument("--no-postgres", action="store_true")
    args = parser.parse_args()
    with databases(not args.no_postgres) as kinds:
        asyncio.run(run(kinds, args.tables, args.seconds))


if __name__ == "__main__":
    main()
