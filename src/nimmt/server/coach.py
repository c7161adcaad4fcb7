"""The coach of practice tables: what may be expected of each action, from what a seat knows and nothing else.

Thought about in the process that also judges finished matches, before any of those. The same question, however often
it is asked, is thought about once.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from functools import partial
from hashlib import sha256
from typing import Any

import msgspec

from nimmt.bots.levels import fast_games
from nimmt.insight.advice import Hint
from nimmt.rules.game import Seat
from nimmt.server.http.errors import Code, Refused
from nimmt.server.jobs import load_coach, think_of_hint
from nimmt.server.tables.table import Table
from nimmt.server.worker_pool import Crowded, Mind, Minds

log = logging.getLogger("nimmt.server")

MAX_CACHED = 200
"""So many hints are remembered."""
TIMEOUT = 60.0
"""Seconds that somebody waits for a hint; the first one may have to be compiled."""
THINKING_TIMEOUT = 600.0
"""Seconds after which a process is taken for stuck."""
MAX_WAITING = 50
"""Questions that may wait; whoever comes then is told to come again."""

Question = tuple[str, bytes, bytes]
"""The game, the view of the seat and what it may do: all that the coach knows."""


class Coach:
    def __init__(self, minds: Minds) -> None:
        self._minds = minds
        self._known: OrderedDict[bytes, Hint | None] = OrderedDict()
        self._thinking: dict[bytes, asyncio.Task[Hint | None]] = {}
        self._ready: dict[str, asyncio.Task[None]] = {}

    async def close(self) -> None:
        tasks: list[asyncio.Task[Any]] = [*self._thinking.values(), *self._ready.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def get_ready(self, game_id: str) -> None:
        """Somebody will soon ask about this game: nobody should wait for the process to start."""
        if game_id in fast_games() and game_id not in self._ready:
            self._ready[game_id] = asyncio.create_task(self._load(game_id))

    async def _load(self, game_id: str) -> None:
        try:
            await self._minds.let(partial(_load, game_id), last=True)
        except Exception as error:  # then whoever asks first waits for it
            log.warning("the coach could not get ready", extra={"game": game_id}, exc_info=error)

    def is_new(self, question: Question) -> bool:
        """Would asking begin something?"""
        key = _key(question)
        return key not in self._known and key not in self._thinking

    async def hint(self, question: Question, language: str) -> Hint:
        """What there is to say, in this language; raises `Refused`."""
        key = _key(question)
        if key in self._known:
            self._known.move_to_end(key)
            return _told(self._known[key], language)
        if key not in self._thinking:
            if len(self._thinking) >= MAX_WAITING:
                raise _busy()
            task = self._thinking[key] = asyncio.create_task(self._think(key, question))
            task.add_done_callback(lambda _: self._thinking.pop(key, None))
        try:
            # Whoever asked first may go; others still wait for it.
            return _told(await asyncio.shield(self._thinking[key]), language)
        except (Crowded, TimeoutError):
            raise _busy() from None
        except Refused:
            raise
        except Exception as error:
            log.error("the coach failed", extra={"game": question[0]}, exc_info=error)
            raise _busy() from None

    async def _think(self, key: bytes, question: Question) -> Hint | None:
        data = await self._minds.let(partial(_think, question), TIMEOUT)
        found = msgspec.json.decode(data, type=Hint) if data else None
        self._known[key] = found
        if len(self._known) > MAX_CACHED:
            self._known.popitem(last=False)
        return found


def question_of(table: Table, seat: Seat) -> Question:
    """What this seat knows now; raises `Refused` if the coach does not know the game."""
    game, state = table.game, table.moments[-1].state
    if game.id not in fast_games():
        raise _nothing_to_say()
    return game.id, msgspec.json.encode(game.view(state, seat)), msgspec.json.encode(game.legal(state, seat))


async def _think(question: Question, mind: Mind) -> bytes:
    return await mind.do(THINKING_TIMEOUT, think_of_hint, *question)


async def _load(game_id: str, mind: Mind) -> bytes:
    return await mind.do(THINKING_TIMEOUT, load_coach, game_id)


def _key(question: Question) -> bytes:
    game_id, view, legal = question
    return sha256(game_id.encode() + b"\0" + view + b"\0" + legal).digest()


def _told(found: Hint | None, language: str) -> Hint:
    if found is None:
        raise _nothing_to_say()
    return found.told(language)


def _busy() -> Refused:
    return Refused(Code.BUSY, "Many are asking the coach. Please try again in a moment.", retry_after=5)


def _nothing_to_say() -> Refused:
    return Refused(Code.NO_HINT, "The coach has nothing to say about this decision.")
