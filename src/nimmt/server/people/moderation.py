"""Whom a guest has muted or blocked. It is theirs alone: nobody else is told.

Muted: what that person says is told to this guest nowhere. Blocked: muted, and that person cannot sit down or talk at
tables whose host this guest is.
"""

from __future__ import annotations

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
from nimmt.server.hub import LocalHub, Lookout
from nimmt.server.people.keys import DAY
from nimmt.server.tables.commands import Tables, guest_topic, now_ms
from nimmt.server.tables.moments import GONE
from nimmt.server.tables.table import Table, clean_text
from nimmt.store import Store

# Who is kept out, which tables were deleted, and what players report to whoever runs the server.

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
        self._lookout = Lookout(self.look, lambda: LOOK_SECONDS, "bans could not be read")
        self.on_change: Callable[[], None] = lambda: None
        """Told when somebody else is kept out than before: they may have something open."""
        hub.listeners.append(self._hear)

    async def open(self) -> None:
        await self.look()
        self._lookout.open()

    async def close(self) -> None:
        await self._lookout.close()

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
            self._lookout.look_soon()

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
MAX_REPORTS = 5000
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
        raise Refused(Code.BAD_REQUEST, "Please name either a message or a seat.")
    target = _author(table, n) if n is not None else _sitter(table, seat or 0)
    if target.guest.startswith(GONE):
        raise Refused(Code.NO_SUCH_MESSAGE, "This person’s data has been deleted.")
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
        if len(await self._store.documents(KIND, now_ms())) >= MAX_REPORTS:
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


# -- blocks ------------------------------------------------------------------------------------------------------------

REMEMBERED = 5000
"""Milliseconds for which a process that did not hear of a change goes on as before."""
MAX_REMEMBERED = 50_000
MAX_SHUNNED = 500


class Shunned(msgspec.Struct, frozen=True):
    """Somebody whom a guest has muted or blocked, as they were called then. `id` stands for them in requests."""

    id: str
    name: str
    blocked: bool
    since: int


_decode = msgspec.json.Decoder(Shunned).decode


class Shunning:
    def __init__(self, store: Store, hub: LocalHub) -> None:
        self._store, self._hub = store, hub
        self._known: dict[str, tuple[int, dict[str, Shunned]]] = {}
        self._recalls = 0
        hub.listeners.append(self._hear)

    async def muted(self, guest: str | None) -> frozenset[str]:
        """Guests whose words are not told to this one."""
        return frozenset(await self._of(guest)) if guest is not None else frozenset()

    async def require_welcome(self, host: str, guest: str) -> None:
        """Raises `Refused` if the host of a table has blocked this guest."""
        found = (await self._of(host)).get(guest)
        if found is not None and found.blocked:
            raise Refused(Code.BLOCKED, "The host of this table has blocked you. You may watch.")

    async def of(self, guest: str) -> list[Shunned]:
        return sorted((await self._of(guest)).values(), key=lambda one: (one.name, one.id))

    async def _of(self, guest: str) -> dict[str, Shunned]:
        known = self._known.get(guest)
        if known is not None and now_ms() - known[0] < REMEMBERED:
            return known[1]
        since, recalls = now_ms(), self._recalls
        found = {other: _decode(data) for other, data in (await self._store.documents(_list(guest))).items()}
        if recalls == self._recalls:  # else it may be old already
            if len(self._known) >= MAX_REMEMBERED:
                self._known.clear()
            self._known[guest] = since, found
        return found

    def _recall(self, guest: str) -> None:
        self._recalls += 1
        self._known.pop(guest, None)

    async def shun(self, guest: str, other: str, name: str, blocked: bool) -> None:
        """Mute or block somebody; again, to have it otherwise."""
        if guest == other:
            raise Refused(Code.YOURSELF, "That is you.")
        mine = await self._store.documents(_list(guest))
        if other not in mine and len(mine) >= MAX_SHUNNED:
            raise Refused(Code.FORBIDDEN, f"You have already muted {MAX_SHUNNED} people. Please unmute somebody first.")
        one = Shunned(sha256(f"{guest}:{other}".encode()).hexdigest()[:16], name, blocked, now_ms())
        await self._store.put(_list(guest), other, msgspec.json.encode(one))
        await self._store.put(_shunners(other), guest, b"")
        await self._tell(guest)

    async def take_back(self, guest: str, ref: str) -> None:
        for other, data in (await self._store.documents(_list(guest))).items():
            if _decode(data).id == ref:
                await self._remove(guest, other)
        await self._tell(guest)

    async def _remove(self, guest: str, other: str) -> None:
        await self._store.remove(_list(guest), other)
        await self._store.remove(_shunners(other), guest)

    async def forget(self, guest: str) -> None:
        """Nothing says any more whom this guest has shunned, or who has shunned them."""
        for other in await self._store.documents(_list(guest)):
            await self._remove(guest, other)
        for other in await self._store.documents(_shunners(guest)):
            await self._remove(other, guest)
            await self._tell(other)
        self._recall(guest)

    async def _tell(self, guest: str) -> None:
        self._recall(guest)
        await self._hub.publish(guest_topic(guest))

    def _hear(self, topic: str | None) -> None:
        if topic is None:
            self._recalls += 1
            self._known.clear()
        elif topic.startswith("guest:"):
            self._recall(topic.removeprefix("guest:"))


def _list(guest: str) -> str:
    """The kind of documents that are named after those whom a guest has shunned."""
    return f"shunned:{guest}"


def _shunners(guest: str) -> str:
    """The other way round, for the day when this guest is forgotten."""
    return f"shunned-by:{guest}"
