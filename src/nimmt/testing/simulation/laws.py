"""What must hold in every world: at every append, at the end of every calm, and when all is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from nimmt.match.match import Match, verify
from nimmt.match.record import RecordError, SeatInfo, decode_action
from nimmt.match.shuffle import Committed, Dealer, Head, ListError, commitment, followed, public_name
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Event, Seat
from nimmt.rules.kit.options import read_options
from nimmt.server.tables import log_entries as e
from nimmt.server.tables.commitments import LIST
from nimmt.server.tables.table import Table
from nimmt.testing.simulation import wire
from nimmt.testing.simulation.people import Person, Watcher
from nimmt.testing.simulation.process import Process
from nimmt.testing.simulation.wire import Json

# -- ledger ------------------------------------------------------------------------------------------------------------
# What really happened at a table, told a second time: from the rules and the log alone, not by the server's own fold.
#
# Every entry is put under the laws in the moment in which the database has it.

if TYPE_CHECKING:
    from nimmt.testing.simulation.world import World

SHORT = (5_000, 6)
"""The clock of somebody who is away: a sixth, and so many milliseconds at least."""
AWAY_AFTER = 3


class Sitting(msgspec.Struct):
    """What is on a seat."""

    guest: str | None = None
    is_bot: bool = False
    away: str | None = None
    missed: int = 0
    owed: bool = False
    """Time ran out, and a bot has not decided yet."""


class Moment(msgspec.Struct, frozen=True):
    """The match after an entry, and who sat where."""

    state: Any
    events: tuple[Event, ...]
    at: float
    """In true time."""
    guests: tuple[str | None, ...]
    over: bool


class Answered(msgspec.Struct, frozen=True):
    n: int
    action: Any
    by_bot: bool


class Ledger:
    def __init__(self, world: World, table_id: str, opened: e.Opened) -> None:
        self.world, self.id, self.opened = world, table_id, opened
        self.game: AnyGame = registry.get(opened.game)
        self.entries: list[e.Entry] = []
        self.moments: list[Moment] = []
        self.sitting = [Sitting() for _ in range(opened.seats)]
        self.contributions = [""] * opened.seats
        self.match: Match | None = None
        self.over = self.closed = False
        self.spoilt = False
        """What is in the log makes no sense any more."""
        self.grown = 0.0
        """When the log grew last, in true time."""
        self.decided = 0.0
        """When the last entry was decided on, which is when clocks start: a slow disk takes nobody's time."""
        self.since: dict[Seat, float] = {}
        """When the decision of each seat came up that is waited for, or its clock was started anew."""
        self.answered: dict[tuple[Seat, int], list[Answered]] = {}
        self.said: dict[str, int] = {}
        self.decisions = 0
        self.table = Table(table_id, opened)
        """The server's own fold, for what it says of the future: when something is due."""
        self.folded = [*self.table.moments[:]]
        """All of its moments; the table itself remembers only the latest."""

    def broken(self, law: str) -> None:
        self.world.broken(f"{law}; entry {len(self.entries)} of a table of {self.game.id}")

    def add(self, entry: e.Entry, decided: float) -> None:
        self.grown, self.decided = self.world.now, decided
        self.entries.append(entry)
        events: tuple[Event, ...] = ()
        before = self._pending()
        match entry:
            case e.Opened():
                pass
            case e.Acted():
                self._check_action(entry)
                events = self._act(entry)
            case e.Started():
                events = self._start()
            case e.TimeRanOut(seat=seat):
                self._check_time(seat)
                self._miss(seat)
            case _:
                self._seat(entry)
        self._note_pending(before, entry)
        guests = tuple(sitting.guest for sitting in self.sitting)
        state = self.match.state if self.match else None
        self.moments.append(Moment(state, events, self.grown, guests, self.over))
        if not isinstance(entry, e.Opened):
            self.table.add(entry)  # type: ignore[arg-type]
            self.folded.append(self.table.moments[-1])

    # -- folding ------------------------------------------------------------------------------------------------------

    def _pending(self) -> dict[Seat, str]:
        if self.match is None or self.over or self.closed:
            return {}
        return {decision.seat: decision.kind for decision in self.game.pending(self.match.state)}

    def _start(self) -> tuple[Event, ...]:
        options = read_options(self.game.options_type, self.opened.options)
        dealer = Dealer(bytes.fromhex(self.opened.server_seed), tuple(self.contributions))
        self.match = Match(self.game, options, [SeatInfo("", "")] * self.opened.seats, dealer)
        return self.match.opening

    def _act(self, entry: e.Acted) -> tuple[Event, ...]:
        assert self.match is not None
        self.decisions += 1
        action = msgspec.json.decode(entry.action)
        asked = self.table.asked.get(entry.seat)
        answered = Answered(len(self.entries), action, entry.by_bot)
        self.answered.setdefault((entry.seat, asked.since if asked else 0), []).append(answered)
        sitting = self.sitting[entry.seat]
        sitting.owed = False
        if not entry.by_bot:
            sitting.missed = 0
        events = self.match.act(entry.seat, decode_action(self.game, entry.action))
        self.over = self.match.outcome is not None
        return events

    def _miss(self, seat: Seat) -> None:
        sitting = self.sitting[seat]
        sitting.owed, sitting.missed = True, sitting.missed + 1
        if sitting.missed >= AWAY_AFTER or sitting.away:
            sitting.away = "time"

    def _seat(self, entry: e.Entry) -> None:
        match entry:
            case e.Joined(seat=seat):
                self.sitting[seat], self.contributions[seat] = Sitting(entry.guest), entry.contribution
            case e.TookOver(seat=seat):
                self.sitting[seat] = Sitting(entry.guest)
                self.since[seat] = self.decided
            case e.BotSeated(seat=seat):
                self.sitting[seat] = Sitting(is_bot=True)
            case e.Stood(seat=seat) | e.BotDismissed(seat=seat):
                self.sitting[seat] = Sitting()
            case e.WentAway(seat=seat, reason=reason):
                self.sitting[seat].away = reason
            case e.CameBack(seat=seat):
                self._come_back(seat)
            case e.Closed():
                self.closed = True
            case e.Said(text=text):
                self._check_saying(text)

    def _come_back(self, seat: Seat) -> None:
        sitting, was_paused = self.sitting[seat], self.is_paused
        left = sitting.away == "left"
        sitting.away, sitting.missed = None, 0
        for each in self._pending() if was_paused else () if left else (seat,):
            self.since[each], self.sitting[each].owed = self.decided, False

    def _note_pending(self, before: dict[Seat, str], entry: e.Entry) -> None:
        actor = entry.seat if isinstance(entry, e.Acted) else None
        for seat, kind in self._pending().items():
            if before.get(seat) != kind or seat == actor:
                # What was missed before may be gone without a bot's decision: somebody else has ended the window.
                self.since[seat], self.sitting[seat].owed = self.decided, False

    @property
    def is_paused(self) -> bool:
        people = [sitting for sitting in self.sitting if sitting.guest]
        return bool(people) and all(sitting.away for sitting in people)

    def seat_of(self, guest: str | None, n: int) -> Seat | None:
        guests = self.moments[n - 1].guests
        return guests.index(guest) if guest is not None and guest in guests else None

    def bots_turns(self) -> list[Seat]:
        """Seats that a bot must decide for now."""
        if self.is_paused:
            return []
        return [seat for seat in self._pending() if self._is_bots(self.sitting[seat])]

    def _is_bots(self, sitting: Sitting) -> bool:
        return sitting.is_bot or sitting.owed or sitting.away in ("left", "absent")

    # -- laws ---------------------------------------------------------------------------------------------------------

    def _check_action(self, entry: e.Acted) -> None:
        sitting = self.sitting[entry.seat]
        if entry.by_bot:
            if self.is_paused:
                self.broken("a bot decides in a match that waits for its people")
            if not self._is_bots(sitting):
                self.broken("a bot decides for a person whose time has not run out")
        elif sitting.guest is None:
            self.broken("a person decides where none sits")

    def _limit(self, sitting: Sitting) -> float | None:
        limit = e.milliseconds(self.opened.tempo)
        if limit is not None and sitting.away == "time":
            limit = min(limit, max(SHORT[0], limit // SHORT[1]))
        return None if limit is None else limit / 1000

    def _check_time(self, seat: Seat) -> None:
        sitting = self.sitting[seat]
        limit = self._limit(sitting)
        if self.is_paused or sitting.guest is None or sitting.owed or seat not in self._pending():
            self.broken("time runs out for a seat that has no clock running")
        elif limit is None:
            self.broken("time runs out where there is no clock")
        elif self.decided < self.since[seat] + limit - 2 * self.world.climate.skew - 0.01:
            early = self.since[seat] + limit - self.decided
            self.broken(f"time runs out {early:.1f} s early")

    def _check_saying(self, text: str) -> None:
        self.said[text] = self.said.get(text, 0) + 1
        if self.said[text] > 1:
            self.broken("somebody says once what the log has twice")

    def overdue(self) -> str | None:
        """What should have happened by itself by now, in calm weather."""
        grace, now = self.world.climate.grace, self.world.now_ms()
        if self.match is None or self.over or self.closed or self.world.now - self.grown < grace:
            return None
        if self.bots_turns() and now > self.table.bots_wait_until() + 1000 * grace:
            return "a bot has a turn and does not move"
        for seat in self._pending():
            sitting = self.sitting[seat]
            if sitting.guest and not self._is_bots(sitting) and not self.is_paused:
                deadline = self.table.deadline(seat)
                if deadline is not None and now > deadline + 1000 * grace:
                    return "time does not run out"
        return None


# -- laws --------------------------------------------------------------------------------------------------------------

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
