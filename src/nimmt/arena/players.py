"""Playing a deal at all its tables: who decides, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from random import Random
from time import perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import msgspec

from nimmt.arena import engine as p
from nimmt.arena.engine import Engine, EngineFailed, Reason
from nimmt.arena.plan import ArenaError, Arrangement, Contestant, Kind, Plan
from nimmt.bots import SIMPLE, Bot, get_bot, warm_up
from nimmt.bots.levels import is_fast
from nimmt.bots.simple import Chances, chances_of
from nimmt.match.match import Match
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Event, IllegalAction, Outcome, Seat, abridged

if TYPE_CHECKING:
    from nimmt.arena.luck import Lucks

# -- players -----------------------------------------------------------------------------------------------------------
# Who decides at a table of the arena: a bot of ours, or an engine with its rules of conduct.


class Seated(Protocol):
    """One who has sat down for a match at one seat."""

    def begin(self, new: p.New) -> None: ...
    def notice(self, events: Sequence[Event]) -> None: ...
    def choose(self, kind: str, view: Any, legal: Sequence[Action]) -> Action: ...
    def refuse(self, action: Action, why: str) -> Exception:
        """The rules do not allow what it chose: the error to raise."""
        ...

    def chances(self, view: Any, legal: Sequence[Action]) -> Chances | None:
        """How likely it was to choose what, if that is known."""
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

    def chances(self, view: Any, legal: Sequence[Action]) -> Chances | None:
        return chances_of(self._bot, view, legal)

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
        told = abridged(legal, p.LISTED_ACTIONS)
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

    def chances(self, view: Any, legal: Sequence[Action]) -> Chances | None:
        del view, legal
        return None

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


# -- playing -----------------------------------------------------------------------------------------------------------
# Playing a deal at all its tables.

STAND_IN = "random"
"""Who plays on for an engine that has failed."""


class Forfeit(msgspec.Struct, frozen=True):
    seat: Seat
    reason: Reason
    report: str


class Luck(msgspec.Struct, frozen=True):
    """By seat: how much of its points, and of its share of the win, the deal and what bots drew in the turns have
    brought. All have mean zero over many deals, whoever plays: see `nimmt.arena.luck`."""

    deal_points: tuple[float, ...]
    turn_points: tuple[float, ...]
    deal_wins: tuple[float, ...]
    turn_wins: tuple[float, ...]


class TableResult(msgspec.Struct, frozen=True):
    """How one table ended; forfeits are counted in already."""

    who: Arrangement
    points: tuple[int, ...]
    winners: tuple[Seat, ...]
    forfeits: tuple[Forfeit, ...] = ()
    luck: Luck | None = None


class Clocked(msgspec.Struct, frozen=True):
    """How long a contestant thought, in all its seats."""

    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    def __add__(self, other: Clocked) -> Clocked:
        decisions, seconds = self.decisions + other.decisions, self.seconds + other.seconds
        return Clocked(decisions, seconds, max(self.slowest, other.slowest))


class DealResult(msgspec.Struct, frozen=True):
    """A deal is known by its kind and its number: the same deal twice is one result."""

    kind: Kind
    deal: int
    tables: tuple[TableResult, ...]
    clocks: tuple[Clocked, ...]
    """By contestant. Times differ from run to run, all else does not."""
    seconds: float
    """How long the deal took in all."""

    def failed(self) -> set[int]:
        """The contestants that have forfeited a table."""
        return {table.who[forfeit.seat] for table in self.tables for forfeit in table.forfeits}


class Unit(NamedTuple):
    """What one worker does at a time."""

    kind: Kind
    deals: tuple[int, ...]
    most_failures: int | None = None
    """After so many deals with a forfeit the rest is not worth playing: the arena gives up then."""


def play_unit(plan: Plan, unit: Unit) -> list[DealResult]:
    """Runs wherever there is room for it. Engines live as long as the unit."""
    results: list[DealResult] = []
    failures: Counter[int] = Counter()
    with Hall(plan, unit.kind) as hall:
        for deal in unit.deals:
            results.append(hall.play(deal))
            failures.update(results[-1].failed())
            if unit.most_failures in failures.values():
                break
    return results


def prepare(plan: Plan) -> None:
    """Load what bots think with, before they are clocked."""
    if any(contestant.command is None and contestant.spec not in SIMPLE for contestant in plan.contestants):
        _warm_up(plan.game)


_warm_up = cache(warm_up)


def lucks_of(plan: Plan, kind: Kind) -> Lucks | None:
    """What measures luck, if it is to be measured: in single deals, by kernels."""
    if not plan.luck or kind != "deals" or not is_fast(registry.get(plan.game)):
        return None
    from nimmt.arena.luck import Lucks  # NumPy and Numba: only for those who want it

    return Lucks(plan, plan.options_for(kind))


class Hall:
    """The contestants, ready to sit down: a player for each seat that one may have at the same table."""

    def __init__(self, plan: Plan, kind: Kind) -> None:
        self.plan, self.kind = plan, kind
        self.game = registry.get(plan.game)
        self.options = plan.options_for(kind)
        self._players: dict[tuple[int, int], Seated] = {}
        self.lucks = lucks_of(plan, kind)
        prepare(plan)

    def __enter__(self) -> Hall:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for player in self._players.values():
            player.close()

    def play(self, deal: int) -> DealResult:
        started = perf_counter()
        tables, clocks = [], [Clocked()] * len(self.plan.contestants)
        for who in self.plan.tables(deal):
            table = _Table(self, deal, who)
            tables.append(table.play())
            for contestant, clock in zip(who, table.clocks, strict=True):
                clocks[contestant] += clock
        return DealResult(self.kind, deal, tuple(tables), tuple(clocks), perf_counter() - started)

    def seat_all(self, who: Arrangement) -> list[Seated]:
        """A contestant with several seats needs as many players."""
        return [self._player(contestant, who[:seat].count(contestant)) for seat, contestant in enumerate(who)]

    def _player(self, contestant: int, copy: int) -> Seated:
        if (contestant, copy) not in self._players:
            player = sit_down(self.plan.contestants[contestant], self.game, self.plan.time_ms)
            self._players[contestant, copy] = player
        return self._players[contestant, copy]


class _Table:
    """One deal or match at one table."""

    def __init__(self, hall: Hall, deal: int, who: Arrangement) -> None:
        self.hall, self.deal, self.who = hall, deal, who
        self.players = hall.seat_all(who)
        self.forfeits: list[Forfeit] = []
        self.clocks = [Clocked() for _ in who]
        seed = hall.plan.chance(hall.kind, deal, "luck")
        self.luck = hall.lucks.at(who, seed) if hall.lucks is not None else None

    def play(self) -> TableResult:
        plan, hall = self.hall.plan, self.hall
        seats = [SeatInfo(plan.contestants[index].name) for index in self.who]
        match = Match(hall.game, hall.options, seats, Dealer(plan.chance(hall.kind, self.deal, "deals"), ()))
        for seat in range(len(self.who)):
            self._begin(seat)
        self._tell(match.opening)
        if self.luck is not None:
            self.luck.dealt(match.state)
        while (outcome := match.outcome) is None:
            try:
                self._tell(self._step(match))
            except ArenaError as error:
                where = f"{hall.kind} {self.deal}, seats {self.who}, seed {plan.seed}"
                raise ArenaError(f"{error} ({where})") from error
        for player in self.players:
            player.end(outcome)
        points, winners = settle(outcome, [forfeit.seat for forfeit in self.forfeits], cooperative=plan.cooperative)
        luck = None if self.luck is None else self.luck.told()
        return TableResult(self.who, points, winners, tuple(self.forfeits), luck)

    def _new(self, seat: Seat) -> p.New:
        plan, hall = self.hall.plan, self.hall
        return p.New(
            game=plan.game,
            options=msgspec.to_builtins(hall.options),
            seats=plan.seats,
            seat=seat,
            time_ms=plan.time_ms,
            seed=plan.chance(hall.kind, self.deal, f"seat/{seat}").hex(),
        )

    def _begin(self, seat: Seat) -> None:
        try:
            self.players[seat].begin(self._new(seat))
        except EngineFailed as failure:
            self._replace(seat, failure)

    def _replace(self, seat: Seat, failure: EngineFailed) -> None:
        """The match is lost for this seat; somebody plays on so that the others have theirs."""
        self.forfeits.append(Forfeit(seat, failure.reason, str(failure)))
        self.players[seat] = BotSeat(STAND_IN, self.hall.game)
        self.players[seat].begin(self._new(seat))

    def _tell(self, events: Sequence[Event]) -> None:
        for player in self.players:
            player.notice(events)

    def _step(self, match: Match) -> tuple[Event, ...]:
        """One decision. A seat with no choice is not asked."""
        seat, kind = (decision := match.game.pending(match.state)[0]).seat, decision.kind
        legal = match.game.legal(match.state, seat)
        if len(legal) == 1:
            return match.act(seat, legal[0])
        view = match.game.view(match.state, seat)
        try:
            return self._act(match, seat, self._ask(seat, kind, view, legal))
        except EngineFailed as failure:
            self._replace(seat, failure)
            return match.act(seat, self.players[seat].choose(kind, view, legal))

    def _ask(self, seat: Seat, kind: str, view: Any, legal: Sequence[Action]) -> Action:
        started = perf_counter()
        action = self.players[seat].choose(kind, view, legal)
        seconds = perf_counter() - started
        if all(forfeit.seat != seat for forfeit in self.forfeits):
            self.clocks[seat] += Clocked(1, seconds, seconds)
        return action

    def _act(self, match: Match, seat: Seat, action: Action) -> tuple[Event, ...]:
        before = match.state
        try:
            events = match.act(seat, action)
        except IllegalAction as error:
            raise self.players[seat].refuse(action, str(error)) from None
        if self.luck is not None:
            self.luck.acted(before, seat, action, self.players[seat].chances)
        return events


def settle(
    outcome: Outcome, forfeits: Sequence[Seat], *, cooperative: bool
) -> tuple[tuple[int, ...], tuple[Seat, ...]]:
    """Points and winners once those who forfeited have the worst points of the table and no win.

    Their win goes to the best of the others; where all win together, all lose together.
    """
    points, winners = outcome.points, outcome.winners
    if not forfeits:
        return points, winners
    if cooperative:
        return points, ()
    # Which way points count shows in who won.
    few_win = points[winners[0]] == min(points)
    best, worst = (min, max) if few_win else (max, min)
    others = [seat for seat in range(len(points)) if seat not in forfeits]
    lowest = worst(points)
    settled = tuple(lowest if seat in forfeits else number for seat, number in enumerate(points))
    first = best((points[seat] for seat in others), default=None)
    return settled, tuple(seat for seat in others if points[seat] == first)
