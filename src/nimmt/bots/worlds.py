"""Monte Carlo search on the fast core: the upper levels of all games except 6 nimmt!, which has its own search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nimmt.bots.levels import Thought, strength_of
from nimmt.bots.simple import MixedBot, cost_of
from nimmt.fast import kernels
from nimmt.fast.game import FastGame, get_fast, weights_in
from nimmt.fast.jit import Flats
from nimmt.fast.kernels import Players
from nimmt.fast.simulation import try_actions
from nimmt.match.match import Match
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame
from nimmt.rules.kit.cards import totals

# -- trying ------------------------------------------------------------------------------------------------------------
# Trying actions in imagined worlds: each is played to the end of the round, those clearly behind are given up.

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.int64]
Worth: TypeAlias = Callable[[Floats, Floats], Floats]
"""Maps the points of all seats, and those of a rival without a seat, to the value of each rollout."""

STAGES = 6
"""Stages of the search; after each, actions clearly behind are dropped."""
CLEARLY = 2.5
"""An action this many standard errors behind the best is dropped."""
MIN_WORLDS = 4
POLICY = "careless"


class Effort(NamedTuple):
    rounds: int
    """Rollouts per decision, roughly; shared by the actions still in the running."""
    slips: float
    """Percentage of random actions in the rollout policy."""
    policy: str = POLICY
    """Rollout policy."""
    turns: int = 0
    """Truncate rollouts after this many turns; 0: play to the end of the round."""
    outlook: str = ""
    """The value network for truncated rollouts, one of `OUTLOOKS`; empty: points so far count."""
    high_wins: bool = False
    """Whether high scores win: gives the network's estimates, once converted to points, the right sign."""


OUTLOOKS = {"win": 0.4, "points": 1.0}
"""Weight of the points, relative to the win, if this round decides the match and if others follow. Points always
count: they carry more information about a round than its winner does."""


def values_of(fast: FastGame, view: Any, codes: Codes, effort: Effort, worth: Worth, seed: int) -> Floats:
    """The value of each action; minus infinity for those dropped on the way."""
    alive, results, left = np.arange(len(codes)), np.empty((0, len(codes))), effort.rounds
    for stage in range(STAGES):
        count = max(MIN_WORLDS, effort.rounds // (STAGES * len(alive)))
        worlds = fast.worlds(view, fast.shuffled(view, count, seed + stage))
        tried = np.zeros((count, len(codes)))
        tried[:, alive] = worth(*play(fast, worlds, view.seat, codes[alive], effort, seed + stage))
        results = np.concatenate((results, tried))
        left -= tried[:, alive].size
        alive = alive[_not_behind(results[:, alive])]
        if len(alive) == 1 or left <= 0:
            break
    values = np.full(len(codes), -np.inf)
    values[alive] = results[:, alive].mean(axis=0)
    return values


def play(fast: FastGame, worlds: Flats, seat: int, codes: Codes, effort: Effort, seed: int) -> tuple[Floats, Floats]:
    """Roll every action out in every world: points by world, action and seat, and the rival's points."""
    seats = int(worlds[0]["seats"])
    players = Players(fast.policy_codes(effort.policy, seats), fast.params(effort.slips))
    if effort.outlook:
        points = foretell(fast, worlds, seat, codes, effort, seed)
        return points, np.zeros(points.shape[:2])
    if effort.turns:
        points = np.zeros((len(worlds), len(codes), seats), np.int16)
        kernels.look_ahead(worlds, seat, codes, players, np.uint64(seed), effort.turns, points)
        return points.astype(np.float64), np.zeros(points.shape[:2])
    lines = try_actions(worlds, seat, codes, players, seed)
    return lines.points.astype(np.float64), lines.other[..., 1].astype(np.float64)


def foretell(fast: FastGame, worlds: Flats, seat: int, codes: Codes, effort: Effort, seed: int) -> Floats:
    """The value network's estimates, converted to points, by world, action and seat."""
    seats, spread, sign = int(worlds[0]["seats"]), strength_of(fast.rules).spread, -1 if effort.high_wins else 1
    players = Players(fast.policy_codes(effort.policy, seats), fast.params(effort.slips))
    weights = weights_in(fast.outlook_file, effort.outlook)
    found = kernels.new_prospects(weights, len(worlds), len(codes), seats)
    kernels.look_out(worlds, seat, codes, players, np.uint64(seed), effort.turns, found)
    ends = np.log(worth_of_rounds(sign * found.points, spread, OUTLOOKS[effort.outlook]))
    return -sign * spread * np.where(found.ended[..., None], ends, found.scores)


def worth_of_rounds(points: NDArray[Any], spread: float, lead: float) -> Floats:
    """The value of finished rounds to each seat, for the win and for few points; sums to 1 over the seats."""
    behind = points - points.min(axis=-1, keepdims=True).astype(np.float64)
    won, near = (behind == 0).astype(np.float64), np.exp(-behind / spread)
    worth: Floats = (1 - lead) * won / won.sum(axis=-1, keepdims=True) + lead * near / near.sum(axis=-1, keepdims=True)
    return worth


def _not_behind(results: Floats) -> NDArray[np.bool_]:
    """Which actions are not clearly worse than the best. All share the same worlds, so differences are compared."""
    best = results.mean(axis=0).argmax()
    gaps = results[:, best : best + 1] - results
    errors = gaps.std(axis=0) / np.sqrt(len(results))
    near: NDArray[np.bool_] = gaps.mean(axis=0) <= CLEARLY * errors
    return near


# -- stakes ------------------------------------------------------------------------------------------------------------
# What the points of a round are worth: the chance to win, and the lead over the others.


class Chance:
    """The chance to win the match given the points of a round, plus a small weight for the lead over the others.

    After the last round it is the share of the win, before that an estimate from the standings and the rounds to come.
    Without the standings, the objective is to win the round. The rest of a truncated round counts as a round to come.
    """

    def __init__(self, game: AnyGame, view: Any, blend: float, *, knows_standings: bool, goes_on: bool = False) -> None:
        table = view.table
        rounds = game.length(table.options, table.seats).rounds or table.round
        self._seat, self._blend = view.seat, blend
        self._sign = -1.0 if game.high_score_wins(table.options) else 1.0
        self._before = np.array(totals(table.scores, table.seats), np.float64) * knows_standings
        self._left = (rounds - table.round) * knows_standings + goes_on
        self._spread = strength_of(game).spread * max(1, self._left) ** 0.5

    def __call__(self, points: Floats, rival: Floats) -> Floats:
        del rival
        behind = self._sign * (self._before + points)
        behind -= behind.min(axis=-1, keepdims=True)
        weights = np.exp(-behind / self._spread) if self._left else (behind == 0).astype(np.float64)
        share: Floats = weights[..., self._seat] / weights.sum(axis=-1)
        return share + self._blend * self._lead(points)

    def _lead(self, points: Floats) -> Floats:
        own = points[..., self._seat]
        lead: Floats = self._sign * ((points.sum(axis=-1) - own) / (points.shape[-1] - 1) - own)
        return lead


# -- levels ------------------------------------------------------------------------------------------------------------
# What plays X nimmt!, 11 nimmt! and Baron Oxx at the upper levels.

BLEND = 0.01
"""Weight of the lead in points, relative to the chance to win."""
MAX_ACTIONS = 24
"""From longer lists only the actions with the lowest immediate cost are tried."""


class WorldsBot:
    """Tries its actions in many worlds sampled to fit its view."""

    def __init__(self, game: AnyGame, thought: Thought, *, knows_standings: bool, fast: FastGame | None = None) -> None:
        self._game, self._fast, self._knows_standings = game, fast or get_fast(game.id), knows_standings
        self._effort = Effort(thought.rounds, strength_of(game).careless, thought.policy, thought.turns)
        self._asks = thought.outlook
        self._cost = cost_of(game)

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action:
        seed = rng.getrandbits(62)
        if len(legal) == 1:
            return legal[0]
        tried, values = self.weigh(view, legal, seed)
        return tried[int(values.argmax())]

    def weigh(self, view: Any, legal: Sequence[Action], seed: int) -> tuple[Sequence[Action], Floats]:
        """The actions tried and their values; minus infinity for those dropped on the way."""
        tried, effort = self._cheapest(view, legal), self._effort_for(view)
        codes = np.array([self._fast.encode(action) for action in tried], np.int64)
        blend = 0.0 if effort.outlook else BLEND
        worth = Chance(self._game, view, blend, knows_standings=self._knows_standings, goes_on=effort.turns > 0)
        return tried, values_of(self._fast, view, codes, effort, worth, seed)

    def _effort_for(self, view: Any) -> Effort:
        """Roll out to the end of the round if it is near; use the value network if the game has one."""
        effort = self._effort
        if self._asks and self._fast.has_outlook:
            outlook = "win" if decides(self._game, view) else "points"
            return effort._replace(outlook=outlook, high_wins=self._game.high_score_wins(view.table.options))
        if effort.turns and turns_left(self._game, view) <= effort.turns:
            return effort._replace(turns=0)
        return effort

    def _cheapest(self, view: Any, legal: Sequence[Action]) -> Sequence[Action]:
        cost = self._cost
        return sorted(legal, key=lambda action: cost(view, action))[:MAX_ACTIONS] if cost else legal[:MAX_ACTIONS]


def decides(game: AnyGame, view: Any) -> bool:
    """Whether this round decides the match: it is the last one, and all scores are level."""
    table = view.table
    level = len(set(totals(table.scores, table.seats))) == 1
    return level and game.length(table.options, table.seats).rounds == table.round


def turns_left(game: AnyGame, view: Any) -> int:
    """The minimum number of turns left, from the game's `bot.py`; needed for truncated rollouts."""
    left: int = registry.part(game.id, "bot").turns_left(view)  # type: ignore[union-attr]
    return left


def club(game: AnyGame) -> MixedBot:
    """A shallow search with slips, for games where immediate cost says little."""
    strength = strength_of(game)
    bot = WorldsBot(game, Thought(strength.club_rounds), knows_standings=False)
    return MixedBot(game, bot, strength.slips.club)


def expert(game: AnyGame) -> WorldsBot:
    return WorldsBot(game, strength_of(game).expert, knows_standings=False)


def first_expert(game: AnyGame) -> WorldsBot:
    """The Expert as it was when the puzzles were mined, for games whose Expert has improved since."""
    return WorldsBot(game, Thought(200), knows_standings=False)


def master(game: AnyGame) -> WorldsBot:
    return WorldsBot(game, strength_of(game).master, knows_standings=True)


def first_decision(game: AnyGame) -> tuple[Any, Sequence[Action]]:
    """The first decision of a two-player match: the view and the legal actions."""
    match = Match(game, game.options_type(), [SeatInfo("A"), SeatInfo("B")], Dealer(bytes(32), ["", ""]))
    seat = game.pending(match.state)[0].seat
    return game.view(match.state, seat), game.legal(match.state, seat)


def warm_up(game: AnyGame) -> None:
    """Make a first decision with every kind of search, which uses all kernels."""
    view, legal = first_decision(game)
    for bot in (master(game), expert(game), WorldsBot(game, Thought(1), knows_standings=True)):
        bot.choose(view, legal, Random(1))
