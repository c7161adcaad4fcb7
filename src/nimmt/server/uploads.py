"""Records that people bring to have them reviewed: checked in the process of the judges, and kept for a while.

The same record is the same match, whoever brings it and however often: it is named by what it says.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from hashlib import sha256

import msgspec

from nimmt.server.http.errors import Code, Refused
from nimmt.server.tables.brought import BroughtLog, log_of
from nimmt.server.tables.commands import Tables, now_ms
from nimmt.server.worker_pool import Crowded, Mind, Minds
from nimmt.store import Conflict, Store

KIND = "upload"
"""Documents named after the matches, with the time at which they were last brought."""
MAX_RECORD = 256 * 1024
"""Bytes: a match of four to 66 has 17,000."""
KEPT = 90 * 86_400_000
"""Milliseconds for which a match is kept that nobody brings again."""
MOST = 2000
"""So many are kept at once; those that were brought longest ago give way."""
MAX_WAITING = 20
"""Records that may wait for being checked."""
PATIENCE = 180.0
CHECKING = 120.0
"""Seconds until a record must be checked, waiting for a process and without it. It takes a moment, but the process may
have to start first, beside much else."""


class _Answer(msgspec.Struct, frozen=True):
    log: BroughtLog | None = None
    code: str = ""
    sentence: str = ""


def check(data: bytes, now: int) -> bytes:
    """Runs in another process: whatever a record makes of the rules does not stop anybody's clock."""
    try:
        answer = _Answer(log=log_of(data, now))
    except Refused as refused:
        answer = _Answer(code=refused.code, sentence=str(refused))
    return msgspec.json.encode(answer)


async def _check(data: bytes, mind: Mind) -> bytes:
    return await mind.do(CHECKING, check, data, now_ms())


class Uploads:
    def __init__(self, store: Store, minds: Minds, tables: Tables) -> None:
        self._store, self._minds, self._tables = store, minds, tables
        self._checking: dict[bytes, asyncio.Task[str]] = {}

    async def close(self) -> None:
        tasks = [*self._checking.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def bring(self, data: bytes) -> str:
        """The id of the match; raises `Refused`. Those who bring the same at once wait for one check."""
        name = sha256(data).digest()
        task = self._checking.get(name)
        if task is None:
            if len(self._checking) >= MAX_WAITING:
                raise _busy()
            task = self._checking[name] = asyncio.create_task(self._bring(data))
            task.add_done_callback(lambda _: self._checking.pop(name, None))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
        return await asyncio.shield(task)

    async def _bring(self, data: bytes) -> str:
        try:
            found = await self._minds.let(partial(_check, data), PATIENCE)
        except (Crowded, TimeoutError):
            raise _busy() from None
        answer = msgspec.json.decode(found, type=_Answer)
        if answer.log is None:
            raise Refused(answer.code, answer.sentence)
        log = answer.log
        # Noted before it is there: nothing is kept that nobody would clear up.
        await self._store.put(KIND, log.id, str(now_ms()).encode())
        with suppress(Conflict):  # it was brought before
            await self._store.append(log.id, 0, log.entries, log.listing)
        return log.id

    async def sweep(self) -> None:
        """Forget what nobody has brought for long, and what is too much."""
        found = {table_id: int(at) for table_id, at in (await self._store.documents(KIND)).items()}
        latest = sorted(found, key=lambda table_id: found[table_id], reverse=True)
        for place, table_id in enumerate(latest):
            if place >= MOST or found[table_id] < now_ms() - KEPT:
                await self._tables.forget_for_good(table_id)
                await self._store.remove(KIND, table_id)


def _busy() -> Refused:
    return Refused(Code.BUSY, "Many records are waiting. Please try again in a minute.", retry_after=60)
