"""Bots at tables: they get a view and the legal actions, think in a process of their own and never block the server."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import TypeVar

import msgspec

from nimmt.bots import is_compiled
from nimmt.bots.levels import fast_games
from nimmt.match.record import decode_action
from nimmt.rules.game import Action, AnyGame, Seat
from nimmt.server.jobs import STAND_IN, choose, load_bots, prepare
from nimmt.server.limits import Timed
from nimmt.server.monitoring import FALL_BACKS
from nimmt.server.tables import log_entries as e
from nimmt.server.tables.commands import Tables, now_ms, shortened
from nimmt.server.tables.moments import Asked
from nimmt.server.tables.table import Draft, Table
from nimmt.server.warm_up import WarmUp, compile_apart
from nimmt.server.worker_pool import Crowded, Mind, Minds

log = logging.getLogger("nimmt.server")

T = TypeVar("T")

THINKING_TIMEOUT = 10.0
"""Seconds. A process that takes longer for a decision is taken for stuck."""
MIN_THOUGHT = 2.0
"""So many seconds every bot gets, even where the others of its table have used up the time."""
MAX_SHOW = 60_000
"""Milliseconds. If there seems to be more to watch, the clocks of two processes do not agree: nobody waits for that."""
REST = 3.0
"""Bots alone keep the server busy for a quarter of its time at most."""
LOADING_TIMEOUT = 600.0
"""Seconds to get the strong bots of a game ready, which may have to be compiled."""


def _seed(table: Table, seat: Seat) -> bytes:
    """Nobody can foresee it, and the same situation gives the same thought in every process."""
    return sha256(table.seed + f"/bot/{table.version}/{seat}".encode()).digest()


class Thought(msgspec.Struct, frozen=True):
    """What a bot would do when it is asked this and may do that."""

    seat: Seat
    asked: Asked
    legal: tuple[Action, ...]
    action: Action

    def decide(self, table: Table) -> Draft | list[e.Entry]:
        """Nothing if it was thought about something else: in a window of special cards others may have changed what can
        be done since."""
        seat = self.seat
        if (
            seat not in table.bots_to_decide()
            or table.asked[seat] != self.asked
            or self.legal != (*_legal(table, seat),)
        ):
            return []
        return table.act_for(seat, self.action, now_ms())


class Thinkers:
    """Lets bots decide wherever a table waits for one."""

    def __init__(self, tables: Tables, workers: int = 1, compile_first: bool = False) -> None:
        self.tables = tables
        self._minds = Minds(workers)
        self._left_over = asyncio.Semaphore(workers)
        self.warmth = WarmUp(fast_games() if compile_first else ())
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._news: dict[str, asyncio.Event] = {}
        """Wakes whoever waits at a table until people have watched what happened: perhaps they have."""
        self.waiting: set[str] = set()
        """Tables where bots know what to do and only leave people the time to watch."""
        self.queue = 0
        """Decisions that bots are making or still have to make."""
        self._warming: asyncio.Task[None] | None = None
        self._is_closed = False

    def warm_up(self) -> None:
        """Start a process before the first bot has a turn: nobody should wait for it."""
        self._warming = asyncio.create_task(self._warm_up())

    async def _warm_up(self) -> None:
        cold = self.warmth.cold
        with suppress(BrokenExecutor, TimeoutError):  # another process will do
            await self._minds.let(_start)
        places = asyncio.Semaphore(os.cpu_count() or 1)
        if cold:
            log.info("strong bots are getting ready", extra={"games": len(cold)})
            await asyncio.gather(*(self._get_ready(game_id, places) for game_id in cold))
            await self._get_judges_ready()

    async def _get_ready(self, game_id: str, places: asyncio.Semaphore) -> None:
        began = time.monotonic()
        try:
            async with places:
                await compile_apart(game_id, tell=self.warmth.tell)
            await self._minds.let(partial(_load, game_id))
            self.warmth.is_ready(game_id)
            about = {"game": game_id, "seconds": round(time.monotonic() - began, 1)}
            progress = {"games_left": len(self.warmth.cold), "percent": self.warmth.percent}
            log.info("strong bots are ready", extra=about | progress)
        except Exception as error:
            self.warmth.has_failed(game_id)
            log.error("strong bots cannot get ready; simple ones decide", extra={"game": game_id}, exc_info=error)

    async def _get_judges_ready(self) -> None:
        """What reviews and hints go by comes last: people play before they look back."""
        began = time.monotonic()
        try:
            if await compile_apart("--only-judges"):
                log.info("judges are ready", extra={"seconds": round(time.monotonic() - began, 1)})
        except Exception as error:
            log.warning("judges cannot get ready in advance", exc_info=error)

    async def close(self) -> None:
        self._is_closed = True
        tasks = [*self._busy.values(), *([self._warming] if self._warming else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._minds.close()

    def is_at(self, table_id: str) -> bool:
        """Are bots of this table at work here already?"""
        return table_id in self._busy

    def look_at(self, table: Table) -> None:
        """Start thinking if a bot has a turn here and nobody thinks yet."""
        if table.id in self._busy:
            self._news[table.id].set()
        elif table.bots_to_decide() and not self._is_closed:
            self._news[table.id] = asyncio.Event()
            task = asyncio.create_task(self._play(table.id))
            self._busy[table.id] = task
            task.add_done_callback(lambda _: self._done(table.id))

    def _done(self, table_id: str) -> None:
        self._busy.pop(table_id, None)
        self._news.pop(table_id, None)
        # Something may have come up between the last look and the end of the task.
        table = self.tables.cached(table_id)
        if table is not None:
            self.look_at(table)

    async def _play(self, table_id: str) -> None:
        try:
            while await self._play_once(table_id):
                pass
        except Exception as error:  # whatever it was: another look in a moment, and no other table is touched
            log.warning("a bot could not move", extra={"table": shortened(table_id)}, exc_info=error)
            await asyncio.sleep(1)

    async def _play_once(self, table_id: str) -> bool:
        """Think for all bots that have a turn, leave people the time to watch what happened before, then decide."""
        table = await self.tables.load(table_id)
        in_turn = self._when_free if table.is_bots_alone else _at_once
        thoughts = await in_turn(lambda: self._think_of_all(table))
        await self._wait_for_people(table_id)
        await in_turn(lambda: self._decide(table_id, thoughts))
        return bool(thoughts)

    async def _think_of_all(self, table: Table) -> list[Thought]:
        return [await self._think_about(table, seat) for seat in table.bots_to_decide()]

    async def _decide(self, table_id: str, thoughts: list[Thought]) -> None:
        for thought in thoughts:
            await self.tables.do(table_id, thought.decide)

    async def _when_free(self, work: Callable[[], Awaitable[T]]) -> T:
        """Bots alone get what people leave: a few tables at a time, and between steps the others have their turn."""
        seconds = 0.0

        def charge(more: float) -> None:
            nonlocal seconds
            seconds += more

        async with self._left_over:
            done = await Timed(work(), charge)
            await asyncio.sleep(REST * seconds)
        return done

    async def _wait_for_people(self, table_id: str) -> None:
        while (table := self.tables.cached(table_id)) is not None and table.bots_to_decide():
            wait = table.bots_wait_until() - now_ms()
            if not 0 < wait <= MAX_SHOW:
                return
            news = self._news[table_id]
            news.clear()
            self.waiting.add(table_id)
            try:
                async with asyncio.timeout(wait / 1000):
                    await news.wait()
            except TimeoutError:
                pass
            finally:
                self.waiting.discard(table_id)

    async def _think_about(self, table: Table, seat: Seat) -> Thought:
        self.queue += 1
        try:
            return Thought(seat, table.asked[seat], tuple(_legal(table, seat)), await self._think(table, seat))
        finally:
            self.queue -= 1

    async def _think(self, table: Table, seat: Seat) -> Action:
        game, state = table.game, table.moments[-1].state
        level = table.chairs[seat].level or STAND_IN
        is_cold = game.id in self.warmth.cold and is_compiled(level, game.id)
        if is_cold:
            level = STAND_IN
            FALL_BACKS.labels("warming up").inc()
        view, legal = game.view(state, seat), game.legal(state, seat)
        if len(legal) == 1:
            return legal[0]
        question = (msgspec.json.encode(view), msgspec.json.encode(legal), _seed(table, seat))
        about = {"table": shortened(table.id), "game": game.id, "level": level}
        try:
            if not is_cold:  # else the processes may be busy loading, for minutes where nothing is kept on disk
                alone = table.is_bots_alone  # then nobody waits for them, and they may have to
                ask, patience = partial(_ask, game.id, level, question), None if alone else _patience(table, seat)
                answer = await self._minds.let(ask, patience, last=alone)
                return _checked(decode_action(game, answer), legal)
        except Crowded:
            FALL_BACKS.labels("crowded").inc()
            log.warning("no process was free for a bot in time; a simple one decides", extra=about)
        except Exception as error:  # a match must not hang because a bot has a flaw
            FALL_BACKS.labels("failed").inc()
            log.error("a bot failed; a simple one decides", extra=about, exc_info=error)
            if level == STAND_IN:
                return legal[0]
        try:
            answer = await asyncio.to_thread(choose, game.id, STAND_IN, *question)
            return _checked(decode_action(game, answer), legal)
        except Exception as error:
            log.error("a bot failed", extra=about | {"level": STAND_IN}, exc_info=error)
            return legal[0]


async def _at_once(work: Callable[[], Awaitable[T]]) -> T:
    return await work()


async def _ask(game_id: str, level: str, question: tuple[bytes, bytes, bytes], mind: Mind) -> bytes:
    await _start(mind)
    if is_compiled(level, game_id) and game_id not in mind.loaded:
        await _load(game_id, mind)
    return await mind.do(THINKING_TIMEOUT, choose, game_id, level, *question)


async def _start(mind: Mind) -> bytes:
    return await mind.do(LOADING_TIMEOUT, prepare) if mind.is_new else b""


async def _load(game_id: str, mind: Mind) -> bytes:
    done = await mind.do(LOADING_TIMEOUT, load_bots, game_id)
    mind.loaded.add(game_id)
    return done


def _checked(action: Action, legal: Sequence[Action]) -> Action:
    if action not in legal:  # it would never be accepted, and asking again would give the same
        raise ValueError("A bot chose an illegal action.")
    return action


def _patience(table: Table, seat: Seat) -> float:
    """Seconds that the table waits for a bot: what the tempo leaves, and never long."""
    deadline = table.deadline(seat)
    left = THINKING_TIMEOUT if deadline is None else min(THINKING_TIMEOUT, (deadline - now_ms()) / 1000)
    return max(MIN_THOUGHT, left)


def _legal(table: Table, seat: Seat) -> Sequence[Action]:
    game: AnyGame = table.game
    return game.legal(table.moments[-1].state, seat)
