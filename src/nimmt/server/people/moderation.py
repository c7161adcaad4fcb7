"""Who is kept out, which tables were deleted, and what players report to whoever runs the server."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Literal, TypeAlias

import msgspec

from nimmt.rules.game import Seat
from nimmt.server.http.errors import Code, Refused
from nimmt.server.hub import LocalHub
from nimmt.server.logs import cause
from nimmt.server.people.keys import DAY
from nimmt.server.tables.commands import Tables, now_ms
from nimmt.server.tables.state import GONE
from nimmt.server.tables.table import Table, clean_text
from nimmt.store import Store, StoreError

# -- bans --------------------------------------------------------------------------------------------------------------
# Who is kept out of a server, and tables that were deleted: what `nimmt admin` decides and every process obeys.
#
# It is in the store. Each process keeps a copy, so that asking costs nothing, and looks anew as soon as it hears that
# something was decided, and every few seconds anyhow: word may be lost.

log = logging.getLogger("nimmt.server")

TOPIC = "admin"
"""What the hub calls it when something was decided."""
GUESTS, ADDRESSES = "ban:guest", "ban:address"
"""The kinds of documents: named after guests, and after addresses or networks."""
DELETED = "deleted"
"""Documents named after tables that were deleted a short while ago: whoever remembers one forgets it."""
LOOK_SECONDS = 5.0

Network = IPv4Network | IPv6Network


class Ban(msgspec.Struct, frozen=True):
    """`until` is null for good."""

    since: int
    until: int | None = None
    reason: str = ""


_decode_ban = msgspec.json.Decoder(Ban).decode


def network_of(text: str) -> Network:
    """The network that an address, or a network, stands for: with IPv6 at least the one that a household has to itself.
    Raises `ValueError`."""
    network = ip_network(text.strip().partition("%")[0], strict=False)
    if isinstance(network, IPv4Network):
        return network
    mapped = network.network_address.ipv4_mapped
    if mapped is not None and network.prefixlen == 128:
        return IPv4Network(mapped)
    return network.supernet(new_prefix=64) if network.prefixlen > 64 else network


def written(network: Network) -> str:
    """As it is told: an address alone without the length of its prefix."""
    is_one = isinstance(network, IPv4Network) and network.prefixlen == 32
    return str(network.network_address) if is_one else str(network)


def end_of(ban: Ban) -> str:
    if ban.until is None:
        return "for good"
    return f"until {datetime.fromtimestamp(ban.until / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def _refusal(ban: Ban) -> Refused:
    because = f" Reason: {ban.reason}" if ban.reason else ""
    left = None if ban.until is None else max(1, (ban.until - now_ms()) // 1000)
    return Refused(Code.BANNED, f"You are banned from this server {end_of(ban)}.{because}", retry_after=left)


class Bans:
    def __init__(self, store: Store, hub: LocalHub, tables: Tables) -> None:
        self._store, self._hub, self._tables = store, hub, tables
        self._guests: dict[str, Ban] = {}
        self._addresses: dict[str, Ban] = {}
        self._networks: dict[Network, Ban] = {}
        self._deleted: set[str] = set()
        self._look_soon = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.on_change: Callable[[], None] = lambda: None
        """Told when somebody else is kept out than before: they may have something open."""
        hub.listeners.append(self._hear)

    async def open(self) -> None:
        await self.look()
        self._task = asyncio.create_task(self._keep_looking())

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    # -- asking -------------------------------------------------------------------------------------------------------

    def require_address(self, address: str) -> None:
        """Raises `Refused` if nobody may come from there; `address` is one of `security.address_of`."""
        ban = self._addresses.get(address) or (self._wider(address) if self._networks else None)
        if ban is not None and _counts(ban):
            raise _refusal(ban)

    def _wider(self, address: str) -> Ban | None:
        try:
            one = ip_address(address.partition("/")[0])
        except ValueError:  # a socket of the system has none
            return None
        return next((ban for network, ban in self._networks.items() if one in network and _counts(ban)), None)

    def require_guest(self, guest: str | None) -> None:
        ban = self._guests.get(guest) if guest is not None else None
        if ban is not None and _counts(ban):
            raise _refusal(ban)

    # -- looking ------------------------------------------------------------------------------------------------------

    def _hear(self, topic: str | None) -> None:
        if topic is None or topic == TOPIC:
            self._look_soon.set()

    async def _keep_looking(self) -> None:
        while True:
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._look_soon.wait()
            except TimeoutError:
                pass
            self._look_soon.clear()
            try:
                await self.look()
            except StoreError as error:
                log.warning("bans could not be read", extra={"cause": cause(error)})

    async def look(self) -> None:
        """What has been decided, anywhere?"""
        now = now_ms()
        guests = {name: _decode_ban(data) for name, data in (await self._store.documents(GUESTS, now)).items()}
        addresses = {name: _decode_ban(data) for name, data in (await self._store.documents(ADDRESSES, now)).items()}
        for table_id in (deleted := {*await self._store.documents(DELETED, now)}) - self._deleted:
            self._tables.forget(table_id)
            self._hub.wake(table_id)
        self._deleted = deleted
        if (guests, addresses) != (self._guests, self._addresses):
            self._guests, self._addresses = guests, addresses
            self._networks = {ip_network(name): ban for name, ban in addresses.items() if "/" in name}
            self.on_change()


def _counts(ban: Ban) -> bool:
    return ban.until is None or now_ms() < ban.until


# -- reports -----------------------------------------------------------------------------------------------------------
# What players report to whoever runs the server: a message, or the name of somebody at a table.
#
# There is one document for each person who reports a thing, so the same person counts once, however often they ask.

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


_decode_report = msgspec.json.Decoder(Report).decode


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
            found[name.partition(":")[0]].append(_decode_report(data))
        cases = [Case(case, tuple(sorted(reports, key=lambda one: one.at))) for case, reports in found.items()]
        return sorted(cases, key=lambda case: (-case.reports[-1].at, case.id))

    async def settle(self, case: Case, state: State) -> None:
        for name, data in (await self._store.documents(KIND, now_ms())).items():
            if name.partition(":")[0] == case.id:
                settled = msgspec.structs.replace(_decode_report(data), state=state)
                await self._store.put(KIND, name, msgspec.json.encode(settled), now_ms() + KEPT_DAYS * DAY)

    async def by(self, guest: str) -> list[Report]:
        found = (await self._store.documents(KIND, now_ms())).values()
        return sorted(
            (report for report in map(_decode_report, found) if report.reporter == guest), key=lambda one: one.at
        )

    async def forget(self, guest: str) -> None:
        """What this guest has reported, and what was reported of them."""
        for name, data in (await self._store.documents(KIND)).items():
            report = _decode_report(data)
            if guest in (report.reporter, report.guest):
                await self._store.remove(KIND, name)


def _short(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:10]
