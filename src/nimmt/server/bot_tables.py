"""Matches of bots alone: nobody waits for them, so there are not many at once, and those that nobody watches end.

They are counted in the store, so that processes and restarts do not matter. Two processes that look at the same moment
may let in one too many: what is bounded is the load, not a seat.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from hashlib import blake2b

import msgspec

from nimmt.server.entries import Closed, Entry
from nimmt.server.hub import LocalHub
from nimmt.server.refusals import Code, Refused
from nimmt.server.table import Table
from nimmt.server.tables import Tables, now_ms

KIND = "bots-alone"
ABANDONED_AFTER = 10 * 60_000
"""Milliseconds after which a match of bots that nobody watches is closed."""
SOON = 60_000
"""Within so many milliseconds a match begins for which there was room."""


class _Known(msgspec.Struct, frozen=True):
    address: str
    """Not the address itself, but always the same for the same one."""
    seen: int
    """When somebody last watched, or it began."""


class BotTables:
    def __init__(self, tables: Tables, hub: LocalHub, per_address: int, most: int) -> None:
        self._tables, self._store, self._hub = tables, tables.store, hub
        self._per_address, self._most = per_address, most
        self._one_by_one = asyncio.Lock()
        self._key = b""

    async def open(self) -> None:
        self._key = await self._store.put_if_absent("secret", "address-key", secrets.token_bytes(32))

    async def enter(self, table_id: str, address: str) -> None:
        """Make a note of a match that is about to begin; raises `Refused` if there are too many."""
        whose = blake2b(address.encode(), key=self._key, digest_size=16).hexdigest()
        async with self._one_by_one:
            if self._is_full(await self._known(), whose):
                await self._forget_ended()
                if full := self._is_full(await self._known(), whose):
                    raise Refused(Code.TOO_MANY, full, retry_after=60)
            await self._note(table_id, _Known(whose, now_ms()))

    async def let_start(self, table_id: str, guest: str, address: str) -> bool:
        """Whether what this guest would begin now is a match of bots alone; raises `Refused` if there is no room."""
        table = await self._tables.load(table_id)
        try:
            table.start(guest, now_ms())
        except Refused:
            return False
        if table.is_bots_alone:
            await self.enter(table_id, address)
        return table.is_bots_alone

    async def leave(self, table_id: str) -> None:
        await self._store.remove(KIND, table_id)

    async def clear_up(self) -> None:
        """Forget what has ended, and end what nobody watches. Every process says which ones are watched through it."""
        await self._forget_ended()
        for table_id, known in (await self._known()).items():
            if self._hub.is_followed(table_id):
                await self._note(table_id, msgspec.structs.replace(known, seen=now_ms()))
            elif now_ms() - known.seen >= ABANDONED_AFTER:
                await self._tables.do(table_id, _abandon)

    def _is_full(self, known: dict[str, _Known], whose: str) -> str:
        """Why there is no room for one more, if there is none."""
        if Counter(one.address for one in known.values())[whose] >= self._per_address:
            return "Too many matches of bots alone from your network at once. Please close one, or wait for its end."
        return "Too many matches of bots alone at once. Please try again later." if len(known) >= self._most else ""

    async def _known(self) -> dict[str, _Known]:
        found = await self._store.documents(KIND)
        return {table_id: msgspec.json.decode(data, type=_Known) for table_id, data in found.items()}

    async def _note(self, table_id: str, known: _Known) -> None:
        await self._store.put(KIND, table_id, msgspec.json.encode(known))

    async def _forget_ended(self) -> None:
        """Matches that are over, in which people play by now, or which never began."""
        for table_id, known in (await self._known()).items():
            listing = await self._store.listing(table_id)
            begins = (listing is None or listing.phase == "waiting") and now_ms() - known.seen < SOON
            goes_on = listing is not None and listing.phase == "playing" and not listing.guests
            if not (begins or goes_on):
                await self.leave(table_id)


def _abandon(table: Table) -> list[Entry]:
    alone = table.phase == "playing" and table.is_bots_alone
    return [Closed(at=now_ms(), reason="abandoned")] if alone else []
