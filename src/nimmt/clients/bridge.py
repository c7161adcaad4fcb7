"""Between an engine and a server: any program that speaks the engine protocol sits at real tables."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import Any, Protocol

import msgspec

from nimmt.arena import engine as p
from nimmt.arena.engine import Engine, EngineFailed, Speaker
from nimmt.bots import get_bot
from nimmt.clients.remote import Client, Json, Refused, Streams
from nimmt.match.record import decode_action
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, IllegalAction

STAND_IN = "random"
RESTART_SECONDS = 30.0
"""Somebody waits: what takes longer than this to get ready is done before it sits down."""
TRAVEL_MS = 300
"""Kept back from the time the server gives, for the way there."""

Report = Callable[[str], None]


class Mind(Protocol):
    """What decides in one match."""

    def begin(self, game: AnyGame, new: p.New) -> None: ...
    def decide(self, game: AnyGame, asked: p.Decide) -> Action: ...
    def end(self, over: p.Over) -> None: ...
    def close(self) -> None: ...


class LevelMind:
    """A bot of ours, in this process."""

    def __init__(self, level: str) -> None:
        self._speaker = Speaker(level)

    def begin(self, game: AnyGame, new: p.New) -> None:
        del game
        self._speaker.answer(msgspec.json.encode(new))

    def decide(self, game: AnyGame, asked: p.Decide) -> Action:
        answer = self._speaker.answer(msgspec.json.encode(asked))
        assert isinstance(answer, p.Act)
        return decode_action(game, answer.action)

    def end(self, over: p.Over) -> None:
        pass

    def close(self) -> None:
        pass


class EngineMind:
    """A process, started anew when it has failed."""

    def __init__(self, command: Sequence[str]) -> None:
        self._engine = Engine(command)
        self._new: p.New | None = None

    def begin(self, game: AnyGame, new: p.New) -> None:
        self._new = new
        self._start(game)

    def _start(self, game: AnyGame) -> None:
        self._engine.start(game, RESTART_SECONDS)
        if self._new is not None:
            self._engine.tell(self._new)

    def decide(self, game: AnyGame, asked: p.Decide) -> Action:
        if not self._engine.running:
            self._start(game)
        return self._engine.decide(game, asked)

    def end(self, over: p.Over) -> None:
        self._engine.tell(over)

    def close(self) -> None:
        self._engine.quit()


class Bridge:
    """Plays all matches of one guest, or those of some games, each in a thread with a mind of its own."""

    def __init__(
        self,
        client: Client,
        mind: Callable[[], Mind],
        *,
        time_ms: int,
        most_failures: int,
        report: Report,
        games: Collection[str] | None = None,
    ) -> None:
        self._client, self._mind, self._time_ms = client, mind, time_ms
        self._most_failures, self._report = most_failures, report
        self._games = games
        self.failures = 0
        """How often the engine failed."""
        self.refused = 0
        """Matches that were given up: the server refused what cannot be refused by chance."""

    def play(self, matches: int | None = None) -> None:
        """Until so many matches have ended; without a number, for ever."""
        self._client.play_each(self.play_table, matches, self._games)

    def play_table(self, table: str, streams: Streams) -> None:
        mind = self._mind()
        try:
            _Match(self, self._client, table, mind).play(streams)
        except Refused as error:
            self.refused += 1
            self._report(f"Table {table}: {error.sentence}")
        finally:
            mind.close()

    def failed(self, table: str, failure: EngineFailed) -> bool:
        """Tell it; and whether there is any use in going on with the engine."""
        self.failures += 1
        self._report(f"Table {table}: {failure}")
        return self.failures < self._most_failures

    def time_ms(self, deadline: int | None) -> int:
        if deadline is None:
            return self._time_ms
        return max(1, min(self._time_ms, deadline - int(time.time() * 1000) - TRAVEL_MS))


class _Match:
    """One match at one table of the server."""

    def __init__(self, bridge: Bridge, client: Client, table: str, mind: Mind) -> None:
        self.bridge, self.client, self.table, self.mind = bridge, client, table, mind
        self.game: AnyGame = registry.get(client.look(table)["table"]["game"])
        self.begun = False
        self.usable = True
        self.events: list[Any] = []

    def play(self, streams: Streams) -> None:
        self.client.play_table(self.table, self._action, streams, self._hear)

    def _hear(self, message: Json) -> None:
        self.events += message.get("events", ())
        outcome = message["situation"]["outcome"]
        if outcome is not None:
            self.mind.end(p.Over(outcome=outcome, events=tuple(self.events)))

    def _action(self, situation: Json) -> Json:
        legal = [decode_action(self.game, msgspec.json.encode(action)) for action in situation["legal"]]
        action = legal[0] if len(legal) == 1 else self._choose(situation, legal)
        found: Json = msgspec.to_builtins(action)
        return found

    def _choose(self, situation: Json, legal: Sequence[Action]) -> Action:
        """The engine's answer; after a failure it is started anew and asked again, then somebody else decides."""
        for _ in range(2):
            if not self.usable:
                break
            try:
                if not self.begun:
                    self.mind.begin(self.game, self._new(situation))
                    self.begun = True
                asked = self._asked(situation, legal)
                return self._checked(situation, self.mind.decide(self.game, asked))
            except EngineFailed as failure:
                self.usable = self.bridge.failed(self.table, failure)
        return self._stand_in(situation, legal)

    def _checked(self, situation: Json, action: Action) -> Action:
        """Not every legal action is listed, but whether one is depends on nothing that a seat does not know."""
        view = msgspec.convert(situation["view"], self.game.view_type)
        try:
            self.game.apply(self.game.imagine(view, self.game.unseen(view)), view.seat, action)
        except IllegalAction as error:
            raise EngineFailed("illegal", f"{action}: {error}") from None
        return action

    def _stand_in(self, situation: Json, legal: Sequence[Action]) -> Action:
        view = msgspec.convert(situation["view"], self.game.view_type)
        return get_bot(STAND_IN, self.game).choose(view, legal, Random())

    def _new(self, situation: Json) -> p.New:
        table = situation["view"]["table"]
        return p.New(
            game=self.game.id,
            options=table["options"],
            seats=table["seats"],
            seat=situation["you"],
            time_ms=self.bridge.time_ms(None),
        )

    def _asked(self, situation: Json, legal: Sequence[Action]) -> p.Decide:
        waiting = next(waiting for waiting in situation["waiting"] if waiting["seat"] == situation["you"])
        families = Counter(action.family() for action in legal)
        events, self.events = tuple(self.events), []
        return p.Decide(
            decision=situation["decision"],
            kind=waiting["kind"],
            view=situation["view"],
            legal=tuple(legal),
            # The server lists so many at most, and does not say where it stopped.
            all_listed=max(families.values()) < p.LISTED_ACTIONS,
            events=events,
            time_ms=self.bridge.time_ms(waiting["deadline"]),
        )
