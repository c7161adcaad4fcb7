"""What must hold in every world: at every append, at the end of every calm, and when all is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from nimmt.match.commitments import Committed, Head, ListError, followed, public_name
from nimmt.match.record import RecordError
from nimmt.match.replay import verify
from nimmt.match.shuffle import commitment
from nimmt.server import entries as e
from nimmt.server.commitments import LIST
from nimmt.testing.simulation import wire
from nimmt.testing.simulation.ledger import Ledger
from nimmt.testing.simulation.people import Person, Watcher
from nimmt.testing.simulation.process import Process
from nimmt.testing.simulation.wire import Json

if TYPE_CHECKING:
    from nimmt.testing.simulation.world import World


class Laws:
    def __init__(self, world: World) -> None:
        self.world = world
        self._listed: list[Committed] = []
        self._head = Head()
        world.database.on_append = self.on_append

    def on_append(self, process: Process, table: str, data: Sequence[bytes], decided: float) -> None:
        world = self.world
        if table == LIST:
            self._check_list(process, data)
            return
        for line in data:
            entry = e.decode(line)
            if isinstance(entry, e.Opened):
                world.ledgers[table] = Ledger(world, table, entry)
                self._check_listed(table, entry)
            ledger = world.ledgers[table]
            world.note("append", process.serial, ledger.game.id, len(ledger.entries) + 1, line.decode()[:200])
            if ledger.spoilt:
                continue
            try:
                ledger.add(entry, decided)
            except Exception as error:
                ledger.spoilt = True
                ledger.broken(f"the log has an entry that cannot follow ({type(error).__name__}: {error})")

    def _check_list(self, process: Process, data: Sequence[bytes]) -> None:
        """The list of commitments: each entry is bound to the one before it."""
        entries = [msgspec.json.decode(line, type=Committed) for line in data]
        self.world.note("list", process.serial, *(f"{entry.index} {entry.hash}" for entry in entries))
        try:
            self._head = followed(self._head, entries)
        except ListError as error:
            self.world.broken(f"the list of commitments is refused: {error}")
        self._listed += entries

    def _check_listed(self, table: str, opened: e.Opened) -> None:
        """A table that is there has been listed before, with the seed it is dealt from."""
        number = opened.listed or 0
        entry = self._listed[number - 1] if 1 <= number <= len(self._listed) else None
        sealed = public_name(table), commitment(bytes.fromhex(opened.server_seed))
        if entry is None or (entry.table, entry.commitment) != sealed:
            self.world.broken(f"a table says that its commitment is entry {number} of the list, which has {entry}")

    def check_acknowledged(self, person: Person, n: int, action: Json) -> None:
        """Acknowledged means that the log has it, at the place that was told."""
        entries = person.ledger.entries
        entry = entries[n - 1] if n <= len(entries) else None
        if not isinstance(entry, e.Acted) or entry.by_bot or person.ledger.seat_of(person.guest, n) != entry.seat:
            self.world.broken(f"{person.name} is told that the action is entry {n}, but there the log has {entry}")
            return
        kept = msgspec.json.decode(bytes(entry.action))
        if {**kept, **action} != kept:
            self.world.broken(f"{person.name} is told that {action} is entry {n}, but there the log has {kept}")

    # -- in calm weather ----------------------------------------------------------------------------------------------

    def check_calm(self, watchers: list[Watcher]) -> None:
        """To be asked after some calm: everything that was lost has been found by now."""
        for ledger in self.world.ledgers.values():
            if (law := ledger.overdue()) is not None:
                ledger.broken(law)
        for watcher in watchers:
            if watcher.table:
                self._check_told(watcher)
                self._check_presence(watcher, watchers)

    def _check_told(self, watcher: Watcher) -> None:
        now, ledger, patience = self.world.now, watcher.ledger, self.world.climate.news
        could_know = watcher.line is not None and min(now - watcher.changed, now - ledger.grown) > patience
        if could_know and watcher.n != len(ledger.entries):
            self.world.broken(f"{watcher.name} knows message {watcher.n} of {len(ledger.entries)}, for long")

    def _check_presence(self, watcher: Watcher, everybody: list[Watcher]) -> None:
        world = self.world
        patience = world.climate.grace + 16 * world.climate.look
        if watcher.line is None or watcher.gone is None or world.now - watcher.changed < patience:
            return
        for other in everybody:
            seat = watcher.ledger.seat_of(other.guest, len(watcher.ledger.moments)) if other.guest else None
            if other.table != watcher.table or seat is None or world.now - other.changed < patience:
                continue
            if (other.line is None) != (seat in watcher.gone):
                state = "connected" if other.line else "gone"
                world.broken(f"{other.name} is {state}, and {watcher.name} is told otherwise")

    # -- when all is over -------------------------------------------------------------------------------------------

    async def check_end(self, people: list[Person]) -> None:
        for ledger in self.world.ledgers.values():
            if not ledger.spoilt:
                await self._check_table(ledger)
        for person in people:
            for key, n in person.acknowledged.items():
                self.check_acknowledged(person, n, person.sent[key].action)
            numbers = [*person.acknowledged.values()]
            if len(set(numbers)) != len(numbers):
                self.world.broken(f"{person.name} got the same number for two actions")

    async def _check_table(self, ledger: Ledger) -> None:
        listing = await self.world.database.kept.listing(ledger.id)
        if listing != ledger.table.listing():
            ledger.broken("what the table is listed as is not what its log says")
        if not ledger.over:
            if not ledger.closed:
                ledger.broken("the match has not come to its end")
            return
        answer = await wire.request(self.world, "GET", f"/api/tables/{ledger.id}/record", None, [])
        try:
            verdict = verify(answer.content)
            if verdict.actions != ledger.decisions:
                ledger.broken(f"the record has {verdict.actions} actions, the log {ledger.decisions}")
        except RecordError as error:
            ledger.broken(f"the record is refused: {error}")
