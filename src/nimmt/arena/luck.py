"""What luck did to a deal: control variates as in AIVAT, with mean zero by construction.

What may come of a position is looked up in many rounds that kernels play on from there. Two things are luck:

- the deal: rounds from this deal, less as many from fresh deals;
- what a bot whose chances are known happened to draw: rounds after what it did, less what rounds after everything that
  it could have done bring in the mean, each as likely as it was.

The mean of each of these differences is zero whatever the rounds are like: they may be played by other habits than the
bots have. Good habits only make the differences explain more. So nothing is biased by taking them off a result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nimmt.arena.plan import Contestant, Plan
from nimmt.arena.players import Luck
from nimmt.bots.levels import strength_of
from nimmt.bots.simple import Chances
from nimmt.fast import kernels
from nimmt.fast.game import FastGame, get_fast
from nimmt.fast.kernels import Lines, Players, new_lines
from nimmt.match.match import Match
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.game import Action, Options, Seat

Floats: TypeAlias = NDArray[np.float64]
Policy: TypeAlias = Callable[[Any, Sequence[Action]], Chances | None]
"""How likely somebody is to do what, from a view and what is legal; None if nobody knows."""

ROUNDS = 100
"""Rounds that are played on from a position unless told. More leave less noise and take longer."""
MAX_ACTIONS = 60
"""Of what a bot draws from more than that, luck is not looked at: all orders of a Sort, for instance."""
NO_CODES = np.zeros(0, np.int64)
HABITS = {"random": "random", "newcomer": "random", "greedy": "greedy"}
"""What a bot is taken for in thought, as far as kernels know it; all others are taken for careful ones."""


class Lucks:
    """Measures tables of a plan, as far as its game has kernels."""

    def __init__(self, plan: Plan, options: Options) -> None:
        game = registry.get(plan.game)
        self.game, self._fast, self._options, self._seats = game, get_fast(game.id), options, plan.seats
        self._rounds = plan.luck or ROUNDS
        habits = [_habit(contestant, self._fast) for contestant in plan.contestants]
        self._habits = np.array([self._fast.policies[habit] for habit in habits], np.int64)
        self._params = np.array([strength_of(game).careless], np.float32)
        self._high = game.high_score_wins(options)

    def at(self, who: Sequence[int], seed: bytes) -> TableLuck:
        return TableLuck(self, Players(self._habits[list(who)], self._params), int.from_bytes(seed[:7], "big"))

    def fresh(self, players: Players, seed: int) -> Floats:
        """What rounds from fresh deals bring in the mean."""
        lines = new_lines(self._rounds, self._seats)
        template = self._fast.template(self._options, self._seats, 1)
        kernels.play_rounds(template, self._fast.sorted_decks(), players, kernels.seeded(np.uint64(seed), 0), lines)
        mean: Floats = self._worth(lines).mean(axis=0)
        return mean

    def after(self, state: Any, seat: Seat, actions: Sequence[Action], players: Players, seed: int) -> Floats:
        """What rounds bring in the mean after each of the actions; and, at last, if the seat decides by habit."""
        codes = np.array([self._fast.encode(action) for action in actions], np.int64) if actions else NO_CODES
        worlds = np.repeat(self._fast.load(state), self._rounds)
        lines, soon = (
            new_lines(self._rounds, len(codes) + 1, self._seats),
            new_lines(self._rounds, len(codes) + 1, self._seats),
        )
        kernels.judge(worlds, seat, codes, players, np.uint64(seed), lines, soon)
        mean: Floats = self._worth(lines).mean(axis=0)
        return mean

    def _worth(self, lines: Lines) -> Floats:
        """Points and shares of the win, by round and seat; the last axis has both."""
        points = lines.points.astype(np.float64)
        if self.game.cooperative:
            wins = np.repeat((points[..., :1] < lines.other[..., 1:2]).astype(np.float64), self._seats, axis=-1)
        else:
            best = points == (points.max if self._high else points.min)(axis=-1, keepdims=True)
            wins = best / best.sum(axis=-1, keepdims=True)
        return np.stack((points, wins), axis=-1)


class TableLuck:
    """Adds up what was luck at one table."""

    def __init__(self, lucks: Lucks, players: Players, seed: int) -> None:
        self._lucks, self._players, self._seed = lucks, players, seed
        self._deal = self._turns = np.zeros((len(players.policies), 2))

    def dealt(self, state: Any) -> None:
        here = self._lucks.after(state, 0, (), self._players, self._next())[-1]
        self._deal = here - self._lucks.fresh(self._players, self._next())

    def acted(self, before: Any, seat: Seat, action: Action, policy: Policy) -> None:
        """A seat has done this in the state before, and might have done something else."""
        game = self._lucks.game
        chances = None if game.cooperative else policy(game.view(before, seat), game.legal(before, seat))
        # Whether it is looked at must not follow from what was drawn: luck would have another mean.
        if chances is None or not 1 < len(chances) <= MAX_ACTIONS:
            return
        actions = list(chances)
        worths = self._lucks.after(before, seat, actions, self._players, self._next())[:-1]
        expected = np.tensordot(list(chances.values()), worths, axes=1)
        self._turns = self._turns + worths[actions.index(action)] - expected

    def told(self) -> Luck:
        columns = (*self._deal.T, *self._turns.T)
        deal_points, deal_wins, turn_points, turn_wins = (tuple(map(_rounded, column)) for column in columns)
        return Luck(deal_points, turn_points, deal_wins, turn_wins)

    def _next(self) -> int:
        self._seed += 1
        return self._seed


def warm_up(plan: Plan) -> None:
    """Load or compile all that is needed: a deal, and the first decision after it."""
    game, options = registry.get(plan.game), plan.options_for("deals")
    seats = [SeatInfo(f"P{seat}") for seat in range(plan.seats)]
    match = Match(game, options, seats, Dealer(bytes(32), ()))
    table = Lucks(plan, options).at(plan.arrangements[0], bytes(32))
    table.dealt(match.state)
    decision = game.pending(match.state)[0]
    legal = game.legal(match.state, decision.seat)[:2]
    table.acted(match.state, decision.seat, legal[0], lambda *_: dict.fromkeys(legal, 1 / len(legal)))


def _habit(contestant: Contestant, fast: FastGame) -> str:
    habit = HABITS.get(contestant.spec, "careless")
    return habit if habit in fast.policies else "greedy"


def _rounded(value: float) -> float:
    return round(float(value), 6)
