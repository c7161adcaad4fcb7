"""Which public tables are listed; matches of bots alone, which are few and end when nobody watches."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from hashlib import blake2b

import msgspec

from nimmt.server.http.errors import Code, Refused
from nimmt.server.hub import LocalHub
from nimmt.server.tables.commands import Tables, now_ms
from nimmt.server.tables.log_entries import Closed, Entry
from nimmt.server.tables.messages import TableCard, card_of
from nimmt.server.tables.table import Table
from nimmt.store import Store

# -- lobby -------------------------------------------------------------------------------------------------------------
# Which public tables are listed: those first that people can sit down at, and last those where bots play alone.

LISTED_TABLES = 50
SEARCHED_TABLES = 200
"""So many tables that wait are looked through for free seats."""


async def public_tables(store: Store) -> list[TableCard]:
    """Bots alone move without end, so what happened last says nothing about whom people may want to join."""
    found = await store.public_tables(["waiting"], SEARCHED_TABLES)
    found += await store.public_tables(["playing"], SEARCHED_TABLES)
    cards = [card_of(table_id, listing) for table_id, listing in found]
    return sorted(cards, key=lambda card: (_rank(card), -card.updated))[:LISTED_TABLES]


def _rank(card: TableCard) -> int:
    kinds = {chair.kind for chair in card.chairs}
    if card.phase == "waiting" and "empty" in kinds:
        return 0
    return 1 if "person" in kinds else 2


# -- bot tables --------------------------------------------------------------------------------------------------------
# Matches of bots alone: nobody waits for them, so there are not many at once, and those that nobody watches end.
#
# They are counted in the store, so that processes and restarts do not matter. Two processes that look at the same
# moment may let in one too many: what is bounded is the load, not a seat.

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
