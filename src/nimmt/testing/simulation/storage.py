"""The database of a world: the memory store behind a disk and a network that are not always well."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, Callable, Coroutine, Sequence
from random import Random
from typing import Any, TypeVar

import msgspec

from nimmt.store.contract import Append, Appended, Listing, Phase, Row, Unavailable
from nimmt.store.memory import MemoryStore
from nimmt.testing.simulation.process import Process

# -- weather -----------------------------------------------------------------------------------------------------------
# What can go wrong in a world, and how often: drawn from its seed. After every storm there is a calm.

DISASTERS = ("crash", "stop", "outage", "slow disk", "clock", "cut")
"""What happens now and then to a process, the database or the network."""
ANNOYANCES = ("store fails", "store is unsure", "word is lost", "word is late", "word comes twice", "requests are lost",
              "answers are lost", "bots fail", "readers are slow")  # fmt: skip
"""What happens every so often to single messages."""


class Climate(msgspec.Struct, frozen=True):
    """What a world is like. Not everything goes wrong in each: what never meets its like would hide the rest."""

    tempo: str
    limit: float
    """Seconds for a decision; where there is no clock, what people take for one."""
    processes: int
    watched_file: bool
    """Processes learn of each other's changes by watching the database, as with SQLite; else they are told."""
    disasters: tuple[str, ...]
    annoyances: dict[str, float]
    skew: float
    """So many seconds the clock of a process is off at most."""
    tick: float
    look: float
    heartbeat: float

    @property
    def grace(self) -> float:
        """Seconds within which in calm weather everything must have happened that should."""
        return 30 + 3 * self.tick + 2 * self.skew

    @property
    def news(self) -> float:
        """Seconds after which everybody who is connected knows what has happened, also if word of it was lost."""
        return self.grace + 1.5 * self.heartbeat


def climate_of(rng: Random) -> Climate:
    tempo = rng.choice(("live", "turns", "turns", "turns", "none"))
    by_turns = tempo == "turns"
    look = 900.0 if by_turns else 2.0
    limit = 3600.0 * rng.choice((2, 6, 12, 24, 48)) if by_turns else float(rng.choice((5, 10, 20)))
    some = [name for name in ANNOYANCES if rng.random() < 0.5]
    return Climate(
        tempo=tempo,
        limit=limit,
        processes=rng.choice((1, 2, 2, 3)),
        watched_file=rng.random() < 0.25,
        disasters=tuple(name for name in DISASTERS if rng.random() < 0.6),
        annoyances={name: rng.choice((0.02, 0.1, 0.3)) for name in some},
        # Where clocks are further apart than that, processes take each other for dead, and presence cannot be right.
        skew=min(rng.choice((0.0, 0.02, 0.1)) * limit, 2.5 * look),
        tick=600.0 if by_turns else 0.5,
        look=look,
        heartbeat=7200.0 if by_turns else 20.0,
    )


class Weather:
    """How things are at the moment."""

    def __init__(self, climate: Climate, rng: Random) -> None:
        self.climate, self.rng = climate, rng
        self.is_storm = False
        self.outage = False
        self.slow = 0.0
        """Seconds that the disk takes in addition, at most."""

    def happens(self, name: str) -> bool:
        return self.is_storm and self.rng.random() < self.climate.annoyances.get(name, 0.0)

    def calm_down(self) -> None:
        self.is_storm = self.outage = False
        self.slow = 0.0

    def disk(self, writes: bool) -> tuple[float, float]:
        """Seconds until the database does something, and until it has said so."""
        if not self.slow and not writes and self.rng.random() < 0.7:
            return 0.0, 0.0
        usual = self.rng.expovariate(500)
        return usual + self.slow * self.rng.random(), self.rng.expovariate(1000) + self.slow * self.rng.random()

    def way(self) -> float:
        """Seconds that a message takes."""
        return 0.002 + self.rng.expovariate(50)

    def word(self) -> float:
        """Seconds until another process hears of a change."""
        late = self.climate.heartbeat * self.rng.random() if self.happens("word is late") else 0.0
        return self.rng.expovariate(300) + late


# -- storage -----------------------------------------------------------------------------------------------------------

T = TypeVar("T")

OnAppend = Callable[[Process, str, Sequence[bytes], float], None]
"""Told who wrote what, and when they decided on it."""


class Database:
    """What has been written, whoever lives or dies. Knows the order in which it really happened."""

    def __init__(self, weather: Weather) -> None:
        self.weather = weather
        self.kept = MemoryStore()
        self.writes: dict[int, int] = {}
        self.on_append: OnAppend = lambda *_: None

    def version_for(self, process: Process) -> int:
        """A number that changes whenever another process has written."""
        return sum(count for writer, count in self.writes.items() if writer != process.serial)


class SimStore(MemoryStore):
    """The database as one process reaches it. Each call takes its time; it may fail, also after it has been done."""

    def __init__(self, database: Database, process: Process) -> None:
        super().__init__()
        self._database, self._process = database, process

    async def open(self) -> None:
        self._is_open = True
        await self._reach(False, self._database.kept.check)

    async def close(self) -> None:
        self._is_open = False

    def data_version(self) -> int:
        return self._database.version_for(self._process)

    async def _reach(self, writes: bool, job: Callable[..., Coroutine[Any, Any, T]], *arguments: Any) -> T:
        weather = self._database.weather
        self._require_alive()
        if weather.outage or weather.happens("store fails"):
            await asyncio.sleep(weather.way())
            raise Unavailable("The simulated database cannot be reached.")
        before, after = weather.disk(writes)
        if not before and not after:
            return _at_once(job(*arguments))
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        loop.call_later(before, self._do, done, writes, after, lambda: job(*arguments))
        return await done

    def _do(
        self, done: asyncio.Future[T], writes: bool, after: float, job: Callable[[], Coroutine[Any, Any, T]]
    ) -> None:
        """The database does it, whether or not the process that asked is still alive."""
        weather = self._database.weather
        if not self._process.is_alive and weather.rng.random() < 0.5:
            return  # it never left the process
        loop = asyncio.get_running_loop()
        try:
            result = _at_once(job())
        except Exception as error:
            loop.call_later(after, _fail, done, error)
            return
        if writes:
            writer = self._process.serial
            self._database.writes[writer] = self._database.writes.get(writer, 0) + 1
            if weather.happens("store is unsure"):
                loop.call_later(after, _fail, done, Unavailable("The simulated answer got lost."))
                return
        loop.call_later(after, _succeed, done, result)

    def _require_alive(self) -> None:
        if not self._process.is_alive:
            raise asyncio.CancelledError
        self._require_open()

    # -- tables -------------------------------------------------------------------------------------------------------

    async def _append(self, append: Append) -> Appended:
        decided = asyncio.get_running_loop().time()

        async def job() -> Appended:
            appended = await self._database.kept.append(*append)
            if appended.is_new:
                self._database.on_append(self._process, append.table, append.entries, decided)
            return appended

        return await self._reach(True, job)

    async def rewrite(
        self, table: str, expected: int, entries: Sequence[bytes], listing: Listing, keys_of: str
    ) -> None:
        await self._reach(True, self._database.kept.rewrite, table, expected, entries, listing, keys_of)

    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[bytes]:
        return await self._reach(False, self._database.kept.read, table, after, limit)

    async def find_key(self, table: str, key: str, request: str | None = None) -> int | None:
        return await self._reach(False, self._database.kept.find_key, table, key, request)

    async def listing(self, table: str) -> Listing | None:
        return await self._reach(False, self._database.kept.listing, table)

    async def public_tables(self, phases: Sequence[Phase], limit: int) -> list[tuple[str, Listing]]:
        return await self._reach(False, self._database.kept.public_tables, phases, limit)

    async def tables_of(self, guest: str, limit: int) -> list[tuple[str, Listing]]:
        return await self._reach(False, self._database.kept.tables_of, guest, limit)

    async def due_tables(self, now: int, limit: int) -> list[str]:
        return await self._reach(False, self._database.kept.due_tables, now, limit)

    async def idle_tables(self, phases: Sequence[Phase], before: int, limit: int) -> list[str]:
        return await self._reach(False, self._database.kept.idle_tables, phases, before, limit)

    async def count(self, phase: Phase) -> int:
        return await self._reach(False, self._database.kept.count, phase)

    async def mentioning(self, word: bytes) -> list[str]:
        return await self._reach(False, self._database.kept.mentioning, word)

    async def delete(self, table: str) -> None:
        await self._reach(True, self._database.kept.delete, table)

    # -- documents ----------------------------------------------------------------------------------------------------

    async def put(self, kind: str, name: str, data: bytes, expires: int | None = None) -> None:
        await self._reach(True, self._database.kept.put, kind, name, data, expires)

    async def put_if_absent(self, kind: str, name: str, data: bytes, expires: int | None = None) -> bytes:
        return await self._reach(True, self._database.kept.put_if_absent, kind, name, data, expires)

    async def get(self, kind: str, name: str, now: int = 0) -> bytes | None:
        return await self._reach(False, self._database.kept.get, kind, name, now)

    async def documents(self, kind: str, now: int = 0) -> dict[str, bytes]:
        return await self._reach(False, self._database.kept.documents, kind, now)

    async def take(self, kind: str, name: str, now: int = 0) -> bytes | None:
        return await self._reach(True, self._database.kept.take, kind, name, now)

    async def remove(self, kind: str, name: str) -> None:
        await self._reach(True, self._database.kept.remove, kind, name)

    async def purge(self, now: int) -> int:
        return await self._reach(False, self._database.kept.purge, now)

    async def check(self) -> None:
        await self._reach(False, self._database.kept.check)

    def export(self) -> Any:
        self._require_alive()
        return self._database.kept.export()

    async def import_rows(self, rows: AsyncIterable[Row], replace: bool = False) -> None:
        self._require_alive()
        await self._database.kept.import_rows(rows, replace)


def _at_once(work: Coroutine[Any, Any, T]) -> T:
    """What the memory store does it does without waiting."""
    try:
        work.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise AssertionError("The memory store waits for something.")


def _succeed(done: asyncio.Future[T], result: T) -> None:
    if not done.done():
        done.set_result(result)


def _fail(done: asyncio.Future[T], error: Exception) -> None:
    if not done.done():
        done.set_exception(error)
