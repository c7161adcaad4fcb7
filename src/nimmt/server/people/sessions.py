"""Connections that end when what they were opened with is taken back: a token, a device, a guest.

What counts is in the store. A process hears through the hub that something was taken back, or finds out by looking at
documents that say so for a day: so word that was lost is made up for, and commands that run beside a server are heard.
"""

from __future__ import annotations

import logging
import secrets
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from nimmt.server.hub import LocalHub, Lookout, Subscription
from nimmt.server.people.guests import Guest, Guests
from nimmt.server.people.moderation import Bans
from nimmt.server.tables.commands import now_ms
from nimmt.store import Store, StoreError

log = logging.getLogger("nimmt.server")

LOOK_SECONDS = 10.0
TOPIC = "session:"
KIND = "ended"
ALL = "*"
SPECTATOR = ""
"""Stands for those who have not said who they are."""
DAY = 24 * 3_600_000


async def announce(store: Store, guest_id: str = ALL) -> None:
    """Something of this guest was taken back, or the keys have changed: let all processes look."""
    await store.put(KIND, guest_id, secrets.token_bytes(8), now_ms() + DAY)


class Watch:
    """A connection of somebody who may be shut out while it is open."""

    def __init__(
        self, guests: Guests, bans: Bans, guest: Guest | None, address: str, subscription: Subscription
    ) -> None:
        self._guests, self._guest, self._subscription = guests, guest, subscription
        self._bans, self._address = bans, address
        self._in_doubt = True  # it may have been taken back between the request and this moment

    def doubt(self) -> None:
        self._in_doubt = True
        self._subscription.wake()

    def wake(self) -> None:
        self._subscription.wake()

    async def check(self) -> None:
        """Raises `Refused` if what this was opened with counts no more, or who opened it is banned. Costs nothing while
        nobody says so."""
        guest = self._guest
        self._bans.require_address(self._address)
        self._bans.require_guest(guest.id if guest else None)
        if guest is None or not (self._in_doubt or (guest.until is not None and guest.until <= now_ms())):
            return
        self._in_doubt = False
        try:
            await self._guests.require_still(guest)
        except StoreError:
            self._in_doubt = True
            raise


class Sessions:
    def __init__(self, store: Store, hub: LocalHub, guests: Guests, bans: Bans) -> None:
        self._store, self._hub, self._guests, self._bans = store, hub, guests, bans
        self._watches: defaultdict[str, dict[Watch, None]] = defaultdict(dict)
        self._known: dict[str, bytes] = {}
        self._lookout = Lookout(self.look, lambda: LOOK_SECONDS, "sessions could not be checked")
        hub.listeners.append(self._hear)
        bans.on_change = self._wake_all

    async def open(self) -> None:
        self._known = await self._store.documents(KIND, now_ms())
        self._lookout.open()

    async def close(self) -> None:
        await self._lookout.close()

    @contextmanager
    def watched(self, guest: Guest | None, address: str, subscription: Subscription) -> Iterator[Watch]:
        watch, name = Watch(self._guests, self._bans, guest, address, subscription), guest.id if guest else SPECTATOR
        self._watches[name][watch] = None
        try:
            yield watch
        finally:
            self._watches[name].pop(watch, None)
            if not self._watches[name]:
                del self._watches[name]

    async def end(self, guest_id: str) -> None:
        """Something of this guest was taken back, and the store has it: tell all who serve them."""
        self._doubt(guest_id)
        await announce(self._store, guest_id)
        await self._hub.publish(TOPIC + guest_id)

    def _doubt(self, guest_id: str) -> None:
        self._guests.recall(guest_id)
        for watch in tuple(self._watches.get(guest_id, ())):
            watch.doubt()

    def _wake_all(self) -> None:
        for watches in self._watches.values():
            for watch in watches:
                watch.wake()

    def _hear(self, topic: str | None) -> None:
        if topic is None:
            self._lookout.look_soon()
        elif topic.startswith(TOPIC):
            self._doubt(topic.removeprefix(TOPIC))

    async def look(self) -> None:
        """Has anything been taken back, anywhere?"""
        found = await self._store.documents(KIND, now_ms())
        changed = {name for name, data in found.items() if self._known.get(name) != data}
        if ALL in changed:
            await self._guests.reload()
            changed |= self._watches.keys()
        self._known = found
        for guest_id in sorted(changed):
            self._doubt(guest_id)
