"""Records that people bring to have them reviewed: checked in the process of the judges, and kept for a while.

The same record is the same match, whoever brings it and however often: it is named by what it says.
"""

from __future__ import annotations

import asyncio
from base64 import urlsafe_b64encode
from contextlib import suppress
from functools import partial
from hashlib import sha256

import msgspec

from nimmt.bots import BOTS
from nimmt.match.match import game_of, verify
from nimmt.match.record import Practice, Record, RecordError, SeatInfo, read_record
from nimmt.rules.game import Seat
from nimmt.server.http.errors import Code, Refused
from nimmt.server.people.names import clean_label, distinct, herd_name
from nimmt.server.tables import log_entries as e
from nimmt.server.tables.commands import Tables, now_ms
from nimmt.server.tables.table import Table
from nimmt.server.worker_pool import Crowded, Mind, Minds
from nimmt.store import Conflict, Listing, Store

KIND = "upload"
"""Documents named after the matches, with the time at which they were last brought."""
MAX_RECORD = 256 * 1024
"""Bytes: a match of four to 66 has 17,000."""
RETENTION = 90 * 86_400_000
"""Milliseconds for which a match is kept that nobody brings again."""
MAX_UPLOADS = 2000
"""So many are kept at once; those that were brought longest ago give way."""
MAX_WAITING = 20
"""Records that may wait for being checked."""
TIMEOUT = 180.0
CHECK_TIMEOUT = 120.0
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
    return await mind.do(CHECK_TIMEOUT, check, data, now_ms())


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
            found = await self._minds.let(partial(_check, data), TIMEOUT)
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
            if place >= MAX_UPLOADS or found[table_id] < now_ms() - RETENTION:
                await self._tables.forget_for_good(table_id)
                await self._store.remove(KIND, table_id)


def _busy() -> Refused:
    return Refused(Code.BUSY, "Many records are waiting. Please try again in a minute.", retry_after=60)


# -- the record as a table ---------------------------------------------------------------------------------------------


class BroughtLog(msgspec.Struct, frozen=True, kw_only=True):
    """What is to be stored; `id` follows from the content of the record, however it is written."""

    id: str
    entries: tuple[bytes, ...]
    listing: Listing


def log_of(data: bytes, now: int) -> BroughtLog:
    """The log of a table at which this match was played; raises `Refused`."""
    record = checked(data)
    table_id, opened = _id_of(record), _opened(record, now)
    table = Table(table_id, opened)
    acted = [
        e.Acted(at=now, seat=move.seat, action=move.action, by_bot=opened.brought[move.seat].is_bot)
        for move in record.actions
    ]
    entries: list[e.AnyEntry] = [e.Started(at=now), *acted]
    for entry in entries:
        table.add(entry)
    return BroughtLog(
        id=table_id, entries=(e.encode(opened), *map(e.encode, entries)), listing=table.listing()
    )  # fmt: skip


def checked(data: bytes) -> Record:
    """A whole match whose deals are proven. The proof is what makes up for not knowing where it comes from: nobody can
    bring a running match of this server with an end of their own, as nobody has a seed from which its deals follow."""
    record = _read(data)
    try:
        verdict = verify(data)
    except RecordError as error:
        raise Refused(Code.BAD_RECORD, f"The record fails at {error}.") from None
    if verdict.outcome is None:
        raise Refused(Code.NOT_OVER, "There is a review only once the match is over.")
    if verdict.deals_proven is False:
        raise Refused(Code.NOT_PROVEN, "The record has no seed from which its deals follow.")
    return record


def _read(data: bytes) -> Record:
    try:
        record = read_record(data)
    except RecordError as error:
        raise Refused(Code.NOT_A_RECORD, f"It cannot be read: {error}.") from None
    try:
        game_of(record)
    except RecordError as error:
        raise Refused(Code.UNKNOWN_RULES, f"{error.reason}") from None
    return record


def _id_of(record: Record) -> str:
    """Like that of a table, but for its first letter; nobody can guess it who has not got the record."""
    return "r" + urlsafe_b64encode(bytes.fromhex(record.digest)[:16]).decode().rstrip("=")


def _opened(record: Record, now: int) -> e.Opened:
    fairness = record.fairness
    # Where nothing was dealt there is nothing to prove, and no seed.
    seed = (fairness.server_seed if fairness else None) or "00" * 32
    return e.Opened(
        at=now,
        game=record.game,
        options=msgspec.json.decode(record.options),
        seats=len(record.seats),
        public=False,
        tempo=e.NoClock(),
        host="",
        server_seed=seed,
        rules_version=record.rules_version,
        practice=isinstance(record.practice, Practice),
        brought=_seats(record),
    )


def _seats(record: Record) -> tuple[e.BroughtSeat, ...]:
    names: list[str] = []
    for seat, info in enumerate(record.seats):
        names.append(_name(info, seat, names))
    contributions = record.fairness.contributions if record.fairness else ("",) * len(names)
    practice = record.practice if isinstance(record.practice, Practice) else None
    return tuple(
        e.BroughtSeat(
            name=name,
            player=info.player,
            is_bot=info.player in BOTS,
            contribution=contributions[seat],
            hints=practice.hints[seat] if practice else 0,
            take_backs=practice.take_backs[seat] if practice else 0,
        )
        for seat, (name, info) in enumerate(zip(names, record.seats, strict=True))
    )


def _name(info: SeatInfo, seat: Seat, others: list[str]) -> str:
    """One that can be shown anywhere, and that nobody takes for another one at the table."""
    try:
        return distinct(clean_label(info.name), others)
    except Refused:
        return herd_name(seat, others)
