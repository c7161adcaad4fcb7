"""Reviews of finished matches: judged round by round in a process of their own, kept, and shared by all who ask.

Rounds that are judged stay judged, whatever becomes of the process: who asks again goes on where it ended. A review
that nobody asks for any more stops after its round. Names are not kept: they come from the table.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TypeVar

import msgspec

from nimmt.bots.levels import fast_games
from nimmt.insight.figures import KINDS, JudgedDecision, Kind, SeatReview, joined, whole
from nimmt.match.record import write_record
from nimmt.rules import registry
from nimmt.rules.game import Seat
from nimmt.server.http.errors import Code, Refused
from nimmt.server.jobs import judge_round, load_judge
from nimmt.server.limits import in_thread
from nimmt.server.people.matches import Filter, Matches
from nimmt.server.tables.commands import now_ms, shortened
from nimmt.server.tables.table import Table
from nimmt.server.worker_pool import Mind, Minds
from nimmt.store import Store

log = logging.getLogger("nimmt.server")

KIND, KIND_OF_SUM = "review", "review-sum"
JUDGES = 2
"""Counts the judges that reviews went by: what was kept by others is not mixed with theirs."""
ROUND_TIMEOUT = 600.0
"""Seconds for a round; the first one may have to be compiled."""
RETENTION = 90 * 86_400_000
"""Milliseconds for which a review is kept; then it is computed again if somebody asks."""
TIMEOUT = 20.0
"""Seconds after which nobody seems to wait for a review any more."""
MAX_WAITING = 50
"""Reviews that may wait for the process; whoever comes then is told to come again."""
MAX_SEATS = max(game.max_seats for game in registry.all_games())


class ReviewPart(msgspec.Struct, frozen=True, kw_only=True):
    """A round of a seat, as it is kept."""

    evaluator: str
    seat: SeatReview
    decisions: tuple[JudgedDecision, ...]


class KindCount(msgspec.Struct, frozen=True, kw_only=True):
    """How often a kind of mistake was made, and what it cost: points, and chances to win."""

    kind: Kind
    count: int
    lost: float
    win_lost: float


class ReviewSum(msgspec.Struct, frozen=True, kw_only=True):
    """What a whole review comes to, as it is kept for whoever adds up many."""

    judged: int
    lost: float
    stake: float
    kinds: tuple[KindCount, ...]


class ReviewStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A review of one seat, as far as it has come: `done` of `rounds` are judged, and it goes on while you ask.
    `decisions` are those behind the first ones that you know already."""

    rounds: int
    done: int
    evaluator: str | None
    review: SeatReview | None
    decisions: tuple[JudgedDecision, ...]


async def forget(store: Store, table_id: str) -> None:
    """The table is gone."""
    for seat in range(MAX_SEATS):
        for kind in (KIND, KIND_OF_SUM):
            await store.remove(kind, _name(table_id, seat))


async def sum_of(store: Store, table_id: str, seat: Seat) -> ReviewSum | None:
    """What the review of a seat comes to, if there is a whole one."""
    data = await store.get(KIND_OF_SUM, _name(table_id, seat), now_ms())
    return _decoded(data, ReviewSum)


T = TypeVar("T")


def _decoded(data: bytes | None, form: type[T]) -> T | None:
    """What was kept; nothing if another version of the program wrote it in another form: then it is computed again."""
    try:
        return None if data is None else msgspec.json.decode(data, type=form)
    except msgspec.ValidationError:
        return None


class Reviews:
    def __init__(self, store: Store, minds: Minds, warm_up: bool = False) -> None:
        self._store, self._minds = store, minds
        self._warms_up = warm_up
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._jobs: dict[tuple[str, Seat], asyncio.Task[None]] = {}
        self._asked: dict[tuple[str, Seat], float] = {}

    async def close(self) -> None:
        tasks = [*self._jobs.values(), *self._loading.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def expect(self, table: Table) -> None:
        """People play the first match of a game here: when it is over they may want to see its review at once. A
        process takes seconds to start and to load the judge of a game, so it does now."""
        game = table.game.id
        if not self._warms_up or game in self._loading or table.match is None or table.is_bots_alone:
            return
        if game in fast_games():
            self._loading[game] = asyncio.create_task(self._load(game))

    async def _load(self, game_id: str) -> None:
        try:
            await self._minds.let(lambda mind: mind.do(ROUND_TIMEOUT, load_judge, game_id), last=True)
        except Exception as error:  # then the first review takes longer
            log.warning("a judge could not be loaded", extra={"game": game_id}, exc_info=error)

    def is_new(self, table_id: str, seat: Seat) -> bool:
        """Would asking begin something here?"""
        return (table_id, seat) not in self._jobs

    async def look(self, table: Table, seat: Seat, language: str = "en", after: int = 0) -> ReviewStatus:
        """How far it is, with the decisions behind the first `after`; raises `Refused` if there can be none."""
        rounds = _rounds_of(table)
        if seat not in range(len(table.chairs)):
            raise Refused(Code.NO_SUCH_SEAT, f"There is no seat {seat}.")
        parts = await self._kept(table.id, seat)
        return _status(table, seat, rounds, parts, language, after)

    async def ask(self, table: Table, seat: Seat) -> None:
        """See that it is computed: begin, or go on."""
        key = (table.id, seat)
        self._asked[key] = time.monotonic()
        if key in self._jobs:
            return
        if len(self._jobs) >= MAX_WAITING:
            raise Refused(Code.BUSY, "Many reviews are waiting. Please try again in a minute.", retry_after=60)
        task = asyncio.create_task(self._compute(table, seat))
        self._jobs[key] = task
        task.add_done_callback(lambda _: self._done(key))

    def _done(self, key: tuple[str, Seat]) -> None:
        self._jobs.pop(key, None)
        self._asked.pop(key, None)

    # -- computing ----------------------------------------------------------------------------------------------

    async def _compute(self, table: Table, seat: Seat) -> None:
        assert table.match is not None
        match, rounds, name = table.match, _rounds_of(table), _name(table.id, seat)
        record = await in_thread(lambda: write_record(match.record()))
        try:
            parts = await self._kept(table.id, seat)
            while len(parts) < rounds and time.monotonic() - self._asked[table.id, seat] < TIMEOUT:
                found = await self._minds.let(partial(_judge, record, seat, len(parts) + 1), last=True)
                parts.append(msgspec.json.decode(found, type=ReviewPart))
                await self._keep(name, rounds, parts)
        except Exception as error:
            log.error("a review failed", extra={"table": shortened(table.id)}, exc_info=error)

    async def _keep(self, name: str, rounds: int, parts: Sequence[ReviewPart]) -> None:
        expires = now_ms() + RETENTION
        await self._store.put(KIND, name, msgspec.json.encode(parts), expires)
        if len(parts) == rounds:
            await self._store.put(KIND_OF_SUM, name, msgspec.json.encode(summed(parts)), expires)

    async def _kept(self, table_id: str, seat: Seat) -> list[ReviewPart]:
        """The rounds that are judged, from the first."""
        data = await self._store.get(KIND, _name(table_id, seat), now_ms())
        return _decoded(data, list[ReviewPart]) or []


def summed(parts: Sequence[ReviewPart]) -> ReviewSum:
    decisions = [one for part in parts for one in part.decisions]
    by_kind = {kind: [one for one in decisions if one.kind == kind] for kind in KINDS}
    return ReviewSum(
        judged=len(decisions),
        lost=whole(part.seat.lost for part in parts),
        stake=whole(part.seat.stake for part in parts),
        kinds=tuple(
            KindCount(
                kind=kind,
                count=len(found),
                lost=whole(one.cost for one in found),
                win_lost=whole(max(value.win for value in one.values) - _win_of(one) for one in found),
            )
            for kind, found in by_kind.items()
            if found
        ),
    )


def _win_of(decision: JudgedDecision) -> float:
    return next(value.win for value in decision.values if value.action == decision.action)


async def _judge(record: bytes, seat: Seat, number: int, mind: Mind) -> bytes:
    return await mind.do(ROUND_TIMEOUT, judge_round, record, seat, number)


def _name(table_id: str, seat: Seat) -> str:
    return f"{table_id}/{seat}/{JUDGES}"


def _rounds_of(table: Table) -> int:
    if table.phase != "over" or table.match is None:
        raise Refused(Code.NOT_OVER, "There is a review only once the match is over.")
    return max(1, len(getattr(table.match.state.table, "scores", ())))  # type: ignore[attr-defined]


def _status(
    table: Table, seat: Seat, rounds: int, parts: Sequence[ReviewPart], language: str, after: int
) -> ReviewStatus:
    found = joined([part.seat for part in parts]) if parts else None
    name = table.match.names[seat] if table.match else ""
    decisions = [one for part in parts for one in part.decisions]
    return ReviewStatus(
        rounds=rounds,
        done=len(parts),
        evaluator=parts[0].evaluator if parts else None,
        review=found and msgspec.structs.replace(found, name=name),
        decisions=tuple(one.told(language) for one in decisions[after:]),
    )


# -- somebody's mistakes -----------------------------------------------------------------------------------------------

MAX_MATCHES = 100
"""So many matches are looked at, the latest first."""


class OwnMistakes(msgspec.Struct, frozen=True, kw_only=True):
    """What the reviews of your latest matches say about your decisions. `looked_at` of your matches fit, 100 at most;
    `reviewed` of them have a whole review of your seat."""

    looked_at: int
    reviewed: int
    judged: int
    """Decisions."""
    lost: float
    """Points lost by decisions that mattered."""
    accuracy: float
    """Of what could be lost by them, so many per cent were not."""
    kinds: tuple[KindCount, ...]
    """The most frequent first; those that were never made are left out."""


class Mistakes:
    def __init__(self, store: Store, matches: Matches) -> None:
        self._store, self._matches = store, matches

    async def of(self, guest: str, wanted: Filter) -> OwnMistakes:
        latest = (await self._matches.fitting(guest, wanted))[:MAX_MATCHES]
        found = [await sum_of(self._store, match.id, match.seat) for match in latest]
        return added(len(latest), [one for one in found if one is not None])


def added(looked_at: int, sums: list[ReviewSum]) -> OwnMistakes:
    lost, stake = whole(one.lost for one in sums), whole(one.stake for one in sums)
    counts = [_added(kind, (count for one in sums for count in one.kinds)) for kind in KINDS]
    return OwnMistakes(
        looked_at=looked_at,
        reviewed=len(sums),
        judged=sum(one.judged for one in sums),
        lost=lost,
        accuracy=round(100 * (1 - lost / stake), 1) if stake else 100.0,
        kinds=tuple(sorted((one for one in counts if one.count), key=lambda one: -one.count)),
    )


def _added(kind: Kind, counts: Iterable[KindCount]) -> KindCount:
    same = [one for one in counts if one.kind == kind]
    return KindCount(
        kind=kind,
        count=sum(one.count for one in same),
        lost=whole(one.lost for one in same),
        win_lost=whole(one.win_lost for one in same),
    )
