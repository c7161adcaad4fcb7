"""Who is connected to this process, before any request is read. Whoever waits for nothing makes way for others."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections import Counter
from ipaddress import ip_address, ip_network
from itertools import chain

from nimmt.server.security import network

if sys.platform != "win32":  # which has no such limit
    import resource

log = logging.getLogger("nimmt.server")

RESERVED = 100
"""Descriptors for everything but connections: the database, bots, what is being opened and closed."""
MOST_DESCRIPTORS = 1_048_576
SWEEP_SECONDS = 30.0
"""Who was hung up on and has not taken in the rest by then is cut off."""
LOG_SECONDS = 60.0


def raise_descriptor_limit() -> int:
    """Every connection takes a descriptor, and systems start programs with few: take all that may be had.

    Returns how many connections a process can have.
    """
    if sys.platform == "win32":
        return MOST_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MOST_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
        except (OSError, ValueError) as error:
            log.warning("the limit of descriptors stays as it is", extra={"limit": soft, "reason": str(error)})
    there = MOST_DESCRIPTORS if soft == resource.RLIM_INFINITY else soft
    return there - min(RESERVED, there // 4)


class Connections:
    """Counts connections by address and in all. Where there are too many the longest idle one goes, first of those that
    never asked for anything; if none is idle, the new one is turned away. `proxies` bring the people of many addresses:
    they are only counted in all."""

    def __init__(self, most: int, per_address: int, proxies: str = "") -> None:
        self.most, self.per_address = most, per_address
        self._proxies = [word.strip() for word in proxies.split(",") if word.strip()]
        self._address: dict[asyncio.Transport, str | None] = {}
        self._counts: Counter[str] = Counter()
        self._silent: dict[asyncio.Transport, None] = {}
        """Those that never asked for anything, the oldest first."""
        self._idle: dict[asyncio.Transport, None] = {}
        """Those that have been answered, the longest idle first."""
        self._closing: set[asyncio.Transport] = set()
        self._sweeping: asyncio.TimerHandle | None = None
        self._turned_away, self._logged = 0, float("-inf")

    @property
    def total(self) -> int:
        return len(self._address)

    def enter(self, transport: asyncio.Transport, host: str) -> bool:
        """Whether there is room for one more; it is idle until it asks for something."""
        address = None if self._is_proxy(host) else network(host)
        if not self._make_room(address):
            self._note_turned_away()
            return False
        self._address[transport] = address
        self._silent[transport] = None
        if address is not None:
            self._counts[address] += 1
        if self._sweeping is None:
            self._sweep()
        return True

    def leave(self, transport: asyncio.Transport) -> None:
        self._silent.pop(transport, None)
        self._idle.pop(transport, None)
        self._closing.discard(transport)
        address = self._address.pop(transport, None)
        if address is not None:
            self._counts[address] -= 1
            if not self._counts[address]:
                del self._counts[address]

    def set_idle(self, transport: asyncio.Transport, idle: bool) -> None:
        self._silent.pop(transport, None)
        self._idle.pop(transport, None)
        if idle and transport in self._address:
            self._idle[transport] = None

    def _make_room(self, address: str | None) -> bool:
        if address is not None and self._counts[address] >= self.per_address:
            # Others of the same address only: nobody can make the connections of somebody else go like this.
            return self._send_away_idle(address)
        return self.total < self.most or self._send_away_idle(None)

    def _send_away_idle(self, address: str | None) -> bool:
        for transport in chain(self._silent, self._idle):
            if address is None or self._address[transport] == address:
                self.leave(transport)
                transport.abort()
                return True
        return False

    def _is_proxy(self, host: str) -> bool:
        return any(word in ("*", host) or _is_within(host, word) for word in self._proxies)

    def _note_turned_away(self) -> None:
        """One line a minute however many come: nobody should be able to fill the log."""
        self._turned_away += 1
        now = time.monotonic()
        if now - self._logged >= LOG_SECONDS:
            self._logged, count, self._turned_away = now, self._turned_away, 0
            log.warning("too many connections; some are turned away", extra={"count": count, "open": self.total})

    def _sweep(self) -> None:
        """A connection that was closed waits until its end has taken in the rest, which may be never."""
        for transport in [*self._closing]:
            transport.abort()
        self._closing = {transport for transport in self._address if transport.is_closing()}
        if self._turned_away and time.monotonic() - self._logged >= LOG_SECONDS:
            self._turned_away -= 1
            self._note_turned_away()
        again = bool(self._address or self._turned_away)
        self._sweeping = asyncio.get_running_loop().call_later(SWEEP_SECONDS, self._sweep) if again else None


def _is_within(host: str, word: str) -> bool:
    try:
        return ip_address(host) in ip_network(word, strict=False)
    except ValueError:
        return False
