"""What a server knows of a person: telling it to them, and forgetting it. `docs/privacy.md` says it to people."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from nimmt.match.record import write_record
from nimmt.rules.game import Seat
from nimmt.server.calls.subscriptions import SubscriptionInfo, Subscriptions
from nimmt.server.http.errors import Refused
from nimmt.server.people.guests import DeviceInfo, Guest, Guests, TokenInfo, came_on, today
from nimmt.server.people.keys import DAY
from nimmt.server.people.moderation import GUESTS, Reports, Shunned, Shunning
from nimmt.server.people.sessions import Sessions
from nimmt.server.tables import log_entries as e
from nimmt.server.tables.commands import Tables, now_ms
from nimmt.server.tables.messages import TablePhase
from nimmt.server.tables.moments import GONE, Chair
from nimmt.server.tables.table import Table
from nimmt.store import Store

# -- forgetting --------------------------------------------------------------------------------------------------------
# A log without one person: what they were called and what they said is taken out, what they played stays.
#
# The cards, the deals and the result belong to all who played, and the proof of the deals needs every contribution. So
# the match is left as it was, played by somebody without a name.

NOBODY = "N. N."
"""Said in many languages of somebody whose name is not known."""
UNSAID = "…"


def without(table: Table, log: list[bytes], guest: str, now: int) -> list[bytes] | None:
    """The log of this table as if the guest had never had a name; None if it does not mention them. At its end they
    have left, and an entry says that it was written anew."""
    if not any(guest.encode() in line for line in log):
        return None
    alias, lines = GONE + secrets.token_urlsafe(12), list[bytes]()
    folded: Table | None = None
    for line in log:
        entry = e.decode(line)
        if folded is None:
            assert isinstance(entry, e.Opened)
            folded = Table(table.id, entry)
        else:
            folded.add(entry)
        lines.append(_unnamed(line, entry, folded.chairs, guest, alias))
    return [*lines, *map(e.encode, [*_parting(table, guest, now), e.Forgotten(at=now)])]


def _unnamed(line: bytes, entry: e.AnyEntry, chairs: tuple[Chair, ...], guest: str, alias: str) -> bytes:
    """The line of an entry, after which these sit at the table."""
    changed: e.AnyEntry = entry
    match entry:
        case e.Opened(host=host) if host == guest:
            changed = msgspec.structs.replace(entry, host=alias)
        case e.Joined() | e.TookOver() if entry.guest == guest:
            changed = msgspec.structs.replace(entry, guest=alias, name=NOBODY)
        case e.Joined() | e.TookOver():
            # Whoever was called "Anna (2)" because of this person stays so.
            changed = msgspec.structs.replace(entry, name=chairs[entry.seat].name)
        case e.Said() if entry.guest == guest:
            changed = msgspec.structs.replace(entry, guest=alias, name=NOBODY, text=UNSAID, phrase=None)
    return line if changed == entry else e.encode(changed)


def _parting(table: Table, guest: str, now: int) -> list[e.Entry]:
    """Nobody waits for somebody who cannot come back: a table of theirs that waits is closed, and so is a match against
    nobody but bots; in a match with others a bot plays for them."""
    if table.phase not in ("waiting", "playing"):
        return []
    for way in (table.close, table.leave):
        try:
            return way(guest, now)
        except Refused:
            continue
    return []


# -- privacy -----------------------------------------------------------------------------------------------------------

log = logging.getLogger("nimmt.server")

LEAVING = "leaving"
"""Documents named after guests who are being forgotten, with the time."""
SECOND_LOOK = 10 * 60_000
"""After so many milliseconds it is looked whether something was left: by a request that was on its way, or by a process
that died."""
SWEPT = ("swept", "guests")
BATCH = 100

_encode = msgspec.json.Encoder().encode


class OwnMessage(msgspec.Struct, frozen=True):
    at: int
    text: str


class OwnReport(msgspec.Struct, frozen=True):
    """What a guest has reported to whoever runs the server."""

    at: int
    table: str
    name: str
    text: str | None
    comment: str


class OwnSummary(msgspec.Struct, frozen=True):
    """What statistics count of a finished match: how often the guest took something from the table, and who decided."""

    rounds: int
    points: int
    won: bool
    takes: int
    decisions: int
    by_bots: int


class OwnTable(msgspec.Struct, frozen=True):
    """A table where a guest sat, was host or said something. There is a record when the match is over: all cards are on
    the table then."""

    id: str
    game: str
    options: dict[str, Any]
    phase: TablePhase
    opened: int
    host: bool
    seat: Seat | None
    messages: tuple[OwnMessage, ...]
    record: msgspec.Raw | None
    summary: OwnSummary | None


class OwnData(msgspec.Struct, frozen=True):
    """All that a server knows of a guest. Times are milliseconds of the epoch; secrets are not told, and of other
    people only what this guest may see anyway."""

    id: str
    name: str
    created: int
    last_seen: int
    devices: tuple[DeviceInfo, ...]
    tokens: tuple[TokenInfo, ...]
    shunned: tuple[Shunned, ...] = ()
    reports: tuple[OwnReport, ...] = ()
    calls: tuple[SubscriptionInfo, ...] = ()
    tables: tuple[OwnTable, ...] = ()


class Privacy:
    def __init__(
        self,
        store: Store,
        guests: Guests,
        sessions: Sessions,
        tables: Tables,
        keep_guest_days: int,
        shunning: Shunning,
        reports: Reports,
        subscriptions: Subscriptions,
    ) -> None:
        self._store, self._guests, self._sessions, self._tables = store, guests, sessions, tables
        self._shunning, self._reports, self._subscriptions = shunning, reports, subscriptions
        self._keep_days = keep_guest_days
        self._looking = asyncio.Lock()
        """One at a time looks through everything."""

    # -- telling ------------------------------------------------------------------------------------------------------

    async def export(self, guest: Guest) -> AsyncIterator[bytes]:
        """An `OwnData` in JSON, piece by piece: the records of years may be long."""
        yield _encode(await self._own_data(guest))[: -len(b"]}")]
        async with self._looking:
            found = await self._store.mentioning(guest.id.encode())
        comma = b""
        for table_id in found:
            table = await self._own_table(table_id, guest.id)
            if table is not None:
                yield comma + b"\n" + _encode(table)
                comma = b","
            await asyncio.sleep(0)
        yield b"]}\n"

    async def _own_data(self, guest: Guest) -> OwnData:
        document = await self._guests.document(guest.id)
        seen = await self._guests.last_seen(guest.id) or today()
        devices, tokens = await self._guests.devices(guest), await self._guests.tokens(guest)
        created = document.created if document else 0
        shunned = await self._shunning.of(guest.id)
        reports = [OwnReport(r.at, r.table, r.name, r.text, r.comment) for r in await self._reports.by(guest.id)]
        calls = [one.info() for one in await self._subscriptions.of(guest.id)]
        known = (tuple(devices), tuple(tokens), tuple(shunned), tuple(reports), tuple(calls))
        return OwnData(guest.id, guest.name, created, seen * DAY, *known)

    async def _own_table(self, table_id: str, guest: str) -> OwnTable | None:
        try:
            table = await self._tables.load(table_id)
        except Refused:  # gone in the meantime
            return None
        said = [entry for entry in map(e.decode, await self._store.read(table_id)) if isinstance(entry, e.Said)]
        over, seat = table.match if table.phase == "over" else None, table.seat_of(guest)
        return OwnTable(
            table_id,
            table.game.id,
            table.opened.options,
            table.phase,
            table.opened.at,
            table.opened.host == guest,
            seat,
            tuple(OwnMessage(entry.at, entry.text) for entry in said if entry.guest == guest),
            msgspec.Raw(write_record(over.record()).strip()) if over else None,
            _own_summary(table, seat),
        )

    # -- forgetting ---------------------------------------------------------------------------------------------------

    async def forget(self, guest_id: str) -> None:
        """As soon as this has begun nobody can come in as this guest; when it returns, nothing of them is left but what
        is on its way at this moment, and `sweep` finds that."""
        await self._store.put(LEAVING, guest_id, str(now_ms()).encode())
        await self._forget(guest_id)

    async def _forget(self, guest_id: str) -> None:
        await self._guests.remove(guest_id)
        await self._sessions.end(guest_id)
        await self._shunning.forget(guest_id)
        await self._reports.forget(guest_id)
        await self._subscriptions.forget(guest_id)
        await self._store.remove(GUESTS, guest_id)  # nobody can be this guest again
        async with self._looking:
            found = await self._store.mentioning(guest_id.encode())
        for table_id in found:
            await self._tables.rewrite(
                table_id, lambda table, lines: without(table, lines, guest_id, now_ms()), f"{guest_id}:"
            )
            await asyncio.sleep(0)

    async def sweep(self) -> None:
        """Finish what was begun, and forget those who have not come for a long time."""
        for guest_id, since in (await self._store.documents(LEAVING)).items():
            if now_ms() - int(since) >= SECOND_LOOK:
                await self._forget(guest_id)
                await self._store.remove(LEAVING, guest_id)
        for day in range(await self._first_day_to_sweep(), today() - self._keep_days):
            for guest_id in await self._store.documents(came_on(day)):
                await self._forget_unless_back(guest_id, day)
            await self._store.put(*SWEPT, str(day).encode())

    async def _first_day_to_sweep(self) -> int:
        swept = await self._store.get(*SWEPT)
        if swept is None:
            await self._list_all()
            swept = str(today() - self._keep_days - 1).encode()
            await self._store.put(*SWEPT, swept)
        return int(swept) + 1

    async def _list_all(self) -> None:
        """Guests from before visits were noted: they count as having come today."""
        guests = [*await self._store.documents("guest")]
        for start in range(0, len(guests), BATCH):
            await asyncio.gather(*map(self._guests.note_visit, guests[start : start + BATCH]))

    async def _forget_unless_back(self, guest_id: str, day: int) -> None:
        if await self._guests.last_seen(guest_id) == day:
            await self.forget(guest_id)
            log.info("a guest who has not come for long was forgotten")
        await self._store.remove(came_on(day), guest_id)


def _own_summary(table: Table, seat: Seat | None) -> OwnSummary | None:
    summary = table.summary() if table.phase == "over" else None
    if summary is None or seat is None:
        return None
    return OwnSummary(
        summary.rounds,
        summary.points[seat],
        seat in summary.winners,
        summary.takes[seat],
        summary.decisions[seat],
        summary.by_bots[seat],
    )
