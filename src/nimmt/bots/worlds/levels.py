"""What plays X nimmt!, 11 nimmt! and Baron Oxx at the upper levels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from random import Random
from typing import Any

import numpy as np

from nimmt.bots.greedy import Cost, considered
from nimmt.bots.mixed import MixedBot, slips
from nimmt.bots.worlds.stakes import Chance
from nimmt.bots.worlds.trying import Effort, values_of
from nimmt.fast.games import get_fast
from nimmt.match.match import Match
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame

MASTER_ROUNDS = {"x": 12000, "eleven": 5000, "baron": 6000}
EXPERT_ROUNDS = {"x": 100, "eleven": 200, "baron": 200}
CLUB_ROUNDS = 30
"""Rounds that are played in thought for a decision."""
SLIPS = {"x": 10.0, "eleven": 3.0, "baron": 10.0}
"""How many decisions of a hundred the imagined players take without looking. In 11 nimmt! a single one costs a pile."""
BLEND = 0.01
"""What a point more than the others is worth besides the chance to win."""
MOST_ACTIONS = 24
"""Of longer lists only the cheapest at once are tried."""


class WorldsBot:
    """Tries what it may do in many worlds that look like its view."""

    def __init__(self, game: AnyGame, rounds: int, *, knows_standings: bool) -> None:
        self._game, self._fast, self._knows_standings = game, get_fast(game.id), knows_standings
        self._effort = Effort(rounds, SLIPS[game.id])
        self._cost: Cost = import_module(f"nimmt.bots.greedy.{game.id}").cost

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action:
        seed = rng.getrandbits(62)
        if len(legal) == 1:
            return legal[0]
        tried = sorted(legal, key=lambda action: self._cost(view, action))[:MOST_ACTIONS]
        codes = np.array([self._fast.encode(action) for action in tried], np.int64)
        worth = Chance(self._game, view, BLEND, knows_standings=self._knows_standings)
        values = values_of(self._fast, view, codes, self._effort, worth, seed)
        return tried[int(values.argmax())]


def club(game: AnyGame) -> MixedBot:
    """For X nimmt!, where the cost at once says little: a quick look ahead, and slips."""
    return MixedBot(WorldsBot(game, CLUB_ROUNDS, knows_standings=False), slips(game).club, considered(game))


def expert(game: AnyGame) -> WorldsBot:
    return WorldsBot(game, EXPERT_ROUNDS[game.id], knows_standings=False)


def master(game: AnyGame) -> WorldsBot:
    return WorldsBot(game, MASTER_ROUNDS[game.id], knows_standings=True)


def warm_up(game_id: str) -> None:
    """The first decision of a match: all kernels are in it."""
    game = registry.get(game_id)
    match = Match(game, game.options_type(), [SeatInfo("A"), SeatInfo("B")], Dealer(bytes(32), ["", ""]))
    seat = game.pending(match.state)[0].seat
    master(game).choose(game.view(match.state, seat), game.legal(match.state, seat), Random(1))


warm_up_x, warm_up_eleven, warm_up_baron = partial(warm_up, "x"), partial(warm_up, "eleven"), partial(warm_up, "baron")
