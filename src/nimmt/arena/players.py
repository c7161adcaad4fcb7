"""Who decides at a table of the arena: a bot of ours, or an engine with its rules of conduct."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol

from nimmt.arena import protocol as p
from nimmt.arena.engine import Engine, EngineFailed
from nimmt.arena.errors import ArenaError
from nimmt.arena.field import Contestant
from nimmt.bots import Bot, get_bot
from nimmt.rules.game import Action, AnyGame, Event, Outcome, Seat


class Seated(Protocol):
    """One who has sat down for a match at one seat."""

    def begin(self, new: p.New) -> None: ...
    def notice(self, events: Sequence[Event]) -> None: ...
    def choose(self, kind: str, view: Any, legal: Sequence[Action]) -> Action: ...
    def refuse(self, action: Action, why: str) -> Exception:
        """The rules do not allow what it chose: the error to raise."""
        ...

    def end(self, outcome: Outcome) -> None: ...
    def close(self) -> None: ...


class BotSeat:
    """A bot of ours: what happened it knows from the view."""

    def __init__(self, name: str, game: AnyGame) -> None:
        self._name, self._game = name, game
        self._bot: Bot = get_bot(name, game)
        self._rng = Random()

    def begin(self, new: p.New) -> None:
        self._rng = Random(new.seed)

    def notice(self, events: Sequence[Event]) -> None:
        pass

    def choose(self, kind: str, view: Any, legal: Sequence[Action]) -> Action:
        del kind
        try:
            return self._bot.choose(view, legal, self._rng)
        except Exception as error:
            raise ArenaError(f"The bot {self._name} failed: {type(error).__name__}: {error}") from error

    def refuse(self, action: Action, why: str) -> Exception:
        return ArenaError(f"The bot {self._name} chose {action}. {why}")

    def end(self, outcome: Outcome) -> None:
        pass

    def close(self) -> None:
        pass


class EngineSeat:
    """An engine's process. Raises `EngineFailed` in `begin` and in `choose`; the next `begin` starts it anew."""

    def __init__(self, command: Sequence[str], game: AnyGame, time_ms: int) -> None:
        self._engine, self._game, self._time_ms = Engine(command), game, time_ms
        self._seat: Seat = 0
        self._events: list[Event] = []
        self._decision = 0

    def begin(self, new: p.New) -> None:
        self._seat, self._events, self._decision = new.seat, [], 0
        if not self._engine.running:
            self._engine.start(self._game)
        self._engine.tell(new)

    def notice(self, events: Sequence[Event]) -> None:
        self._events += [seen for event in events if (seen := event.seen_by(self._seat)) is not None]

    def choose(self, kind: str, view: Any, legal: Sequence[Action]) -> Action:
        self._decision += 1
        told = p.listed(legal)
        asked = p.Decide(
            decision=self._decision,
            kind=kind,
            view=view,
            legal=told,
            all_listed=len(told) == len(legal),
            events=tuple(self._events),
            time_ms=self._time_ms,
        )
        self._events = []
        return self._engine.decide(self._game, asked)

    def refuse(self, action: Action, why: str) -> Exception:
        return self._engine.refuse(action, why)

    def end(self, outcome: Outcome) -> None:
        self._engine.tell(p.Over(outcome=outcome, events=tuple(self._events)))

    def close(self) -> None:
        self._engine.quit()


def sit_down(contestant: Contestant, game: AnyGame, time_ms: int) -> Seated:
    command = contestant.command
    return BotSeat(contestant.spec, game) if command is None else EngineSeat(command, game, time_ms)


def try_out(contestant: Contestant, game: AnyGame | None) -> None:
    """Refuse an engine that cannot even be started, before anything is played."""
    if contestant.command is None:
        return
    engine = Engine(contestant.command)
    try:
        engine.start(game)
    except EngineFailed as error:
        raise ArenaError(f"The engine {contestant.name} cannot take part. {error}") from None
    finally:
        engine.quit()
