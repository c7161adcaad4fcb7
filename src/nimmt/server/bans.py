"""Who is kept out of a server, and tables that were deleted: what `nimmt admin` decides and every process obeys.

It is in the store. Each process keeps a copy, so that asking costs nothing, and looks anew as soon as it hears that
something was decided, and every few seconds anyhow: word may be lost.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from datetime import UTC, datetime
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

import msgspec

from nimmt.server.hub import LocalHub
from nimmt.server.logs import cause
from nimmt.server.refusals import Code, Refused
from nimmt.server.tables import Tables, now_ms
from nimmt.store import Store, StoreError

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


_decode = msgspec.json.Decoder(Ban).decode


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
        guests = {name: _decode(data) for name, data in (await self._store.documents(GUESTS, now)).items()}
        addresses = {name: _decode(data) for name, data in (await self._store.documents(ADDRESSES, now)).items()}
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
