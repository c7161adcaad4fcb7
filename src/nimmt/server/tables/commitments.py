"""The list of all commitments of this server: a log like that of a table, but one that is never cleared up.

A commitment is in the list, and on disk, before anybody is shown it. So a table that vanishes leaves a trace: an entry
that was never opened.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence

import msgspec

from nimmt.match import shuffle as c
from nimmt.server.http.errors import Code, Refused
from nimmt.server.tables.log_entries import Opened, decode
from nimmt.store import Conflict, Listing, Store

LIST = "commitments"
"""The name of the log. Ids of tables are longer, and `Tables` does not let anybody get at this one."""
MAX_PAGE = 200
"""So many entries are told at once."""
ATTEMPTS = 60
SETTLING = 3_600_000
"""A table is in the store a moment after its commitment is in the list. If it is not there after so many milliseconds,
it never will be."""


class _Entry(c.Committed, frozen=True, kw_only=True):
    """As the log has it: with the id, which is nobody's business."""

    table_id: str


class _Settled(msgspec.Struct, frozen=True):
    """What became of an entry for good; kept when its table is forgotten."""

    server_seed: str | None

    @property
    def state(self) -> c.State:
        return "never" if self.server_seed is None else "opened"


class _New(msgspec.Struct, frozen=True):
    table_id: str
    commitment: str
    at: int
    listed: asyncio.Future[int]


_decoder = msgspec.json.Decoder(_Entry)
_head_decoder = msgspec.json.Decoder(c.Head)
_settled_decoder = msgspec.json.Decoder(_Settled)


class Commitments:
    def __init__(self, store: Store, clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self._store, self._clock = store, clock
        self._new: list[_New] = []
        self._writing = asyncio.Lock()

    # -- adding -------------------------------------------------------------------------------------------------------

    async def add(self, table_id: str, commitment: str, at: int) -> int:
        """List a commitment and return the number of its entry. When it returns, the entry survives a crash.

        Those who come while others are being written go into the list together: there is one list for all tables.
        """
        new = _New(table_id, commitment, at, asyncio.get_running_loop().create_future())
        self._new.append(new)
        async with self._writing:
            if not new.listed.done():
                batch, self._new = self._new, []
                await self._write(batch)
        return new.listed.result()

    async def _write(self, batch: list[_New]) -> None:
        try:
            first = await self._append(batch)
        except BaseException as error:
            # Whoever was taken along must not wait for ever, also when this request was given up.
            told = error if isinstance(error, Exception) else _busy()
            for new in batch:
                new.listed.set_exception(told)
                new.listed.exception()  # whoever is gone does not ask
            if not isinstance(error, Exception):
                raise
            return
        for number, new in enumerate(batch, first):
            new.listed.set_result(number)

    async def _append(self, batch: Sequence[_New]) -> int:
        """The number of the first of the new entries. If another process was faster they go behind its entries."""
        for attempt in range(ATTEMPTS):
            start = head = await self.head()
            entries = []
            for new in batch:
                entry = c.extended(head, c.public_name(new.table_id), new.commitment, new.at)
                entries.append(_Entry(**msgspec.structs.asdict(entry), table_id=new.table_id))
                head = entry.head()
            listing = Listing("kept", False, LIST, (), batch[-1].at, None, msgspec.json.encode(head))
            try:
                await self._store.append(LIST, start.length, [*map(msgspec.json.encode, entries)], listing)
            except Conflict:
                await asyncio.sleep(random.uniform(0, 0.002 * min(attempt, 20)))
                continue
            return start.length + 1
        raise _busy()

    # -- telling ------------------------------------------------------------------------------------------------------

    async def head(self) -> c.Head:
        """Written together with the entries, so it is always that of the last one."""
        listing = await self._store.listing(LIST)
        return c.Head() if listing is None else _head_decoder.decode(listing.card)

    async def page(self, after: int, most: int = MAX_PAGE) -> c.CommitmentList:
        """The entries behind the first `after`, with what became of them."""
        data = await self._store.read(LIST, after, min(most, MAX_PAGE))
        entries = [_decoder.decode(line) for line in data]
        settled: dict[str, bytes] = {}
        for kind in dict.fromkeys(_kind(entry.index) for entry in entries):
            settled |= await self._store.documents(kind)
        listed = [await self._told(entry, settled.get(str(entry.index))) for entry in entries]
        head = await self.head()
        return c.CommitmentList(entries=tuple(listed), length=head.length, head=head.hash)

    async def _told(self, entry: _Entry, known: bytes | None) -> c.ListedCommitment:
        settled = _settled_decoder.decode(known) if known else await self._find_out(entry)
        facts = {name: getattr(entry, name) for name in c.Committed.__struct_fields__}
        if settled is None:
            return c.ListedCommitment(**facts, state="sealed", server_seed=None)
        return c.ListedCommitment(**facts, state=settled.state, server_seed=settled.server_seed)

    async def _find_out(self, entry: _Entry) -> _Settled | None:
        """What has become of a table; written down when it is certain, so that it need not be looked up again."""
        listing = await self._store.listing(entry.table_id)
        if listing is None:
            is_gone = entry.at < self._clock() - SETTLING
            return await self._settle(entry.index, None) if is_gone else None
        if listing.phase in ("waiting", "playing"):
            return None
        opened = await self._opened(entry.table_id)
        if opened is None or opened.listed != entry.index or listing.phase != "over":
            return await self._settle(entry.index, None)
        return await self._settle(entry.index, opened.server_seed)

    async def settle(self, table_id: str) -> None:
        """Write down what became of a table before it is forgotten."""
        opened, listing = await self._opened(table_id), await self._store.listing(table_id)
        if opened is not None and opened.listed is not None and listing is not None:
            await self._settle(opened.listed, opened.server_seed if listing.phase == "over" else None)

    async def _settle(self, index: int, server_seed: str | None) -> _Settled:
        data = msgspec.json.encode(_Settled(server_seed))
        return _settled_decoder.decode(await self._store.put_if_absent(_kind(index), str(index), data))

    async def _opened(self, table_id: str) -> Opened | None:
        for line in await self._store.read(table_id, limit=1):
            first = decode(line)
            return first if isinstance(first, Opened) else None
        return None


def _kind(index: int) -> str:
    """What has become of the entries of one page can be asked for at once."""
    return f"commitments {(index - 1) // MAX_PAGE}"


def _busy() -> Refused:
    return Refused(Code.BUSY, "Too many tables are being opened. Please try again.", retry_after=1)
