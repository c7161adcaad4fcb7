"""Faults that are put into the server on purpose: a simulation that does not find them would find no others.

Each is a slip that somebody could make in good faith, and is named by what goes wrong.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

import msgspec

from nimmt.rules.game import Seat
from nimmt.server.http import sockets
from nimmt.server.tables import log_entries as e
from nimmt.server.tables import moments, presence, projection, state
from nimmt.server.tables.clock import Clock
from nimmt.server.tables.commands import Once, Tables, _fold, now_ms
from nimmt.server.tables.commitments import Commitments
from nimmt.server.tables.table import Draft, Table
from nimmt.store import Unavailable
from nimmt.testing.simulation.process import EPOCH, HERE


class Fault:
    """Something to be replaced in the server: where, what, and by what."""

    def __init__(self, about: str, *patches: tuple[Any, str, Any]) -> None:
        self.about, self._patches = about, patches

    @contextmanager
    def into(self) -> Iterator[None]:
        with ExitStack() as stack:
            for target, name, value in self._patches:
                stack.enter_context(mock.patch.object(target, name, value))
            yield


Written = tuple[Table, int]

_write, _keep, _do = Tables._write, Tables._keep, Tables.do
_situation, _fair, _snapshot = projection.situation, projection._fair, projection.snapshot
_ask, _add = state.TableState._ask, Commitments.add


async def _tell_first(self: Tables, table: Table, draft: Draft, once: Once | None) -> Written:
    await self._tell(draft.after, before=table.phase)
    return await _write(self, table, draft, once)


async def _append_whatever(self: Tables, table: Table, draft: Draft, once: Once | None) -> Written:
    after, data = draft.after, [*map(e.encode, draft.entries)]
    expected = len(await self.store.read(table.id))
    appended = await self.store.append(table.id, expected, data, after.listing(), *(once or ()))
    await self._tell(after, before=table.phase)
    return after, appended.length


async def _answer_first(self: Tables, table: Table, draft: Draft, once: Once | None) -> Written:
    after, data = draft.after, [*map(e.encode, draft.entries)]

    async def later() -> None:
        await self.store.append(table.id, table.version, data, after.listing(), *(once or ()))

    task = asyncio.create_task(later())
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    await self._tell(after, before=table.phase)
    return after, after.version


async def _write_again(self: Tables, table: Table, draft: Draft, once: Once | None) -> Written:
    try:
        return await _write(self, table, draft, once)
    except Unavailable:
        await asyncio.sleep(0.1)
        after, data = draft.after, [*map(e.encode, draft.entries)]
        expected = len(await self.store.read(table.id))
        appended = await self.store.append(table.id, expected, data, after.listing())
        self.forget(table.id)
        return after, appended.length


async def _without_key(self: Tables, table_id: str, command: Any, once: Once | None = None) -> Written:
    del once
    return await _do(self, table_id, command)


def _keep_any(self: Tables, table: Table) -> Table:
    self._cache[table.id] = table
    return table


async def _load_any(self: Tables, table_id: str) -> Table:
    table = self._cache.get(table_id)
    known = table.version if table else 0
    data = await self.store.read(table_id, after=known)
    return self._keep(_fold(table_id, table, data) if data or table is None else table)


async def _only_time(self: Clock, table_id: str) -> None:
    await self.tables.do(table_id, lambda table: table.run_out(now_ms()))


async def _no_second_look(
    here: Any, table_id: str, subscription: Any, seconds: float, meter: Any
) -> tuple[Table, bool]:
    del meter
    heard = await subscription.wait(seconds)
    found = here.tables.cached(table_id) or await here.tables.load(table_id)
    return (await here.tables.follow(table_id) if heard else found), not heard


def _from_birth(tempo: e.Tempo, asked: moments.Asked, chair: moments.Chair) -> int | None:
    del chair
    limit, process = e.milliseconds(tempo), HERE.get()
    if limit is None:
        return None
    return int((EPOCH + process.born) * 1000) + limit if process else asked.at + limit


def _ask_forgetting(self: Table, entry: e.AnyEntry) -> None:
    expired = {seat for seat, asked in self.asked.items() if asked.expired}
    _ask(self, entry)
    late = {seat: msgspec.structs.replace(one, expired=True) for seat, one in self.asked.items() if seat in expired}
    self.asked = self.asked | late


def _one_more(table: Table, guest: str | None) -> Any:
    snapshot = _snapshot(table, guest)
    return msgspec.structs.replace(snapshot, n=snapshot.n - 1)


def _for_seat_0(table: Table, moment: Any, seat: Seat | None, *, is_host: bool) -> Any:
    seen = _situation(table, moment, seat, is_host=is_host)
    if seat is None and moment.state is not None:
        return msgspec.structs.replace(seen, view=table.game.view(moment.state, 0))
    return seen


def _open_seed(table: Table, moment: Any) -> Any:
    return msgspec.structs.replace(_fair(table, moment), server_seed=table.opened.server_seed)


def _all_documents(store: Any) -> Callable[..., Any]:
    async def documents(self: Any, kind: str, now: int = 0) -> dict[str, bytes]:
        del now
        return await store(self, kind, 0)  # type: ignore[no-any-return]

    return documents


async def _list_later(self: Commitments, table_id: str, commitment: str, at: int) -> int:
    number = (await self.head()).length + 1
    task = asyncio.create_task(_add(self, table_id, commitment, at))
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return number


def _never_paused(phase: str, chairs: tuple[moments.Chair, ...]) -> bool:
    del phase, chairs
    return False


def _no_time(self: Table, now: int) -> list[e.Entry]:
    del self, now
    return []


async def _refuse_again(self: Any, table: str, key: str, request: str | None = None) -> None:
    del self, table, key, request


def _not_due(self: Table) -> int | None:
    return self.deadline(self.waiting[0]) if self.phase == "playing" and self.waiting else None


def _planted() -> dict[str, Fault]:
    from nimmt.testing.simulation.storage import SimStore

    return {
        "tell-before-append": Fault("followers are told before the log has it", (Tables, "_write", _tell_first)),
        "no-expected-version": Fault("appends whatever was decided on", (Tables, "_write", _append_whatever)),
        "answer-before-append": Fault("acknowledges what is not written yet", (Tables, "_write", _answer_first)),
        "write-again": Fault("takes a lost answer for a failure and writes again", (Tables, "_write", _write_again)),
        "no-idempotency": Fault("does not keep the keys of requests", (Tables, "do", _without_key)),
        "refuse-again": Fault("refuses what was done already", (SimStore, "find_key", _refuse_again)),
        "cache-goes-back": Fault(
            "an older table takes the place of a newer one", (Tables, "_keep", _keep_any), (Tables, "load", _load_any)
        ),
        "bots-forgotten": Fault("bots' turns that a dead process left are forgotten", (Clock, "_look_at", _only_time)),
        "not-due": Fault("a bot's turn is not written down as due", (Table, "due", _not_due)),
        "no-second-look": Fault("a word that was lost is lost for good", (sockets, "_next_look", _no_second_look)),
        "deadline-from-birth": Fault(
            "time counts from when the process began",
            (state, "deadline", _from_birth),
            (projection, "deadline", _from_birth),
        ),
        "two-decisions": Fault("time that ran out costs the next decision too", (Table, "_ask", _ask_forgetting)),
        "time-stands-still": Fault("time never runs out", (Table, "run_out", _no_time)),
        "no-pause": Fault(
            "bots play on when all people are away",
            (state, "is_paused", _never_paused),
            (moments, "is_paused", _never_paused),
        ),
        "snapshot-off-by-one": Fault("a snapshot has the wrong number", (projection, "snapshot", _one_more)),
        "open-hand": Fault("spectators see what seat 0 sees", (projection, "situation", _for_seat_0)),
        "open-seed": Fault("the seed is told before the end", (projection, "_fair", _open_seed)),
        "listed-later": Fault("a table is there before its commitment is listed", (Commitments, "add", _list_later)),
        "ghosts": Fault(
            "people whose process died stay connected", (SimStore, "documents", _all_documents(SimStore.documents))
        ),
        "short-lease": Fault("presence is renewed too late", (presence, "RENEWAL", 1 << 40)),
    }


PLANTED = _planted()
