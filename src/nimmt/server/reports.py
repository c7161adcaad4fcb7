"""What players report to whoever runs the server: a message, or the name of somebody at a table.

There is one document for each person who reports a thing, so the same person counts once, however often they ask.
"""

from __future__ import annotations

from collections import defaultdict
from hashlib import sha256
from typing import Literal, TypeAlias

import msgspec

from nimmt.rules.game import Seat
from nimmt.server.keys import DAY
from nimmt.server.refusals import Code, Refused
from nimmt.server.table import Table, clean_text
from nimmt.server.table_state import GONE
from nimmt.server.tables import now_ms
from nimmt.store import Store

KIND = "report"
KEPT_DAYS = 90
MOST = 5000
"""So many are kept at most: who runs a server where there are more has other troubles."""

State: TypeAlias = Literal["open", "resolved", "dismissed"]


class Report(msgspec.Struct, frozen=True):
    """What one person reports. `text` is the message as it was then; null if it is about the name."""

    at: int
    reporter: str
    table: str
    guest: str
    """About whom."""
    name: str
    n: int | None = None
    text: str | None = None
    comment: str = ""
    state: State = "open"


class Case(msgspec.Struct, frozen=True):
    """All reports of one thing."""

    id: str
    reports: tuple[Report, ...]

    @property
    def first(self) -> Report:
        return self.reports[0]

    @property
    def state(self) -> State:
        """Somebody who reports it anew opens it again."""
        states = [report.state for report in self.reports]
        return "open" if "open" in states else states[-1]


_decode = msgspec.json.Decoder(Report).decode


class Target(msgspec.Struct, frozen=True):
    """A message, or the person on a seat."""

    guest: str
    name: str
    n: int | None = None
    text: str | None = None


def target_of(table: Table, n: int | None, seat: Seat | None) -> Target:
    """What is meant, if it is there; raises `Refused`."""
    if (n is None) == (seat is None):
        raise Refused(Code.BAD_REQUEST, "Please name a message or a seat, and not both.")
    target = _author(table, n) if n is not None else _sitter(table, seat or 0)
    if target.guest.startswith(GONE):
        raise Refused(Code.NO_SUCH_MESSAGE, "Whoever this was has been forgotten.")
    return target


def _author(table: Table, n: int) -> Target:
    said = table.message(n)
    return Target(table.speakers[n], said.name, n, said.text)


def _sitter(table: Table, seat: Seat) -> Target:
    if seat not in range(len(table.chairs)):
        raise Refused(Code.NO_SUCH_SEAT, f"There is no seat {seat}.")
    chair = table.chairs[seat]
    if chair.guest is None:
        raise Refused(Code.NO_SUCH_SEAT, "No person sits there.")
    return Target(chair.guest, chair.name)


class Reports:
    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(self, reporter: str, table: Table, target: Target, comment: str) -> None:
        if reporter == target.guest:
            raise Refused(Code.YOURSELF, "That is you.")
        about = f"{table.id}:{target.n}" if target.n is not None else f"{target.guest}:{target.name}"
        name = f"{_short(about)}:{_short(f'{about}:{reporter}')}"
        if await self._store.get(KIND, name, now_ms()) is not None:
            return
        if len(await self._store.documents(KIND, now_ms())) >= MOST:
            raise Refused(Code.TOO_MANY, "There are too many reports at the moment.", retry_after=3600)
        report = Report(
            now_ms(), reporter, table.id, target.guest, target.name, target.n, target.text, clean_text(comment)
        )
        await self._store.put(KIND, name, msgspec.json.encode(report), now_ms() + KEPT_DAYS * DAY)

    async def cases(self) -> list[Case]:
        """The latest first."""
        found: defaultdict[str, list[Report]] = defaultdict(list)
        for name, data in (await self._store.documents(KIND, now_ms())).items():
            found[name.partition(":")[0]].append(_decode(data))
        cases = [Case(case, tuple(sorted(reports, key=lambda one: one.at))) for case, reports in found.items()]
        return sorted(cases, key=lambda case: (-case.reports[-1].at, case.id))

    async def settle(self, case: Case, state: State) -> None:
        for name, data in (await self._store.documents(KIND, now_ms())).items():
            if name.partition(":")[0] == case.id:
                settled = msgspec.structs.replace(_decode(data), state=state)
                await self._store.put(KIND, name, msgspec.json.encode(settled), now_ms() + KEPT_DAYS * DAY)

    async def by(self, guest: str) -> list[Report]:
        found = (await self._store.documents(KIND, now_ms())).values()
        return sorted((report for report in map(_decode, found) if report.reporter == guest), key=lambda one: one.at)

    async def forget(self, guest: str) -> None:
        """What this guest has reported, and what was reported of them."""
        for name, data in (await self._store.documents(KIND)).items():
            report = _decode(data)
            if guest in (report.reporter, report.guest):
                await self._store.remove(KIND, name)


def _short(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:10]
