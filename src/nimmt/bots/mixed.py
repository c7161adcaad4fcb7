"""A greedy player who now and then plays just anything: for levels that can be beaten."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from nimmt.bots import greedy
from nimmt.bots.random import RandomBot
from nimmt.rules.game import Action, AnyGame


class Slips(NamedTuple):
    """How often each level plays just anything."""

    newcomer: float
    casual: float
    club: float


USUAL = Slips(0.7, 0.3, 0.1)
SLIPS = {"x": Slips(0.9, 0.45, 0.0)}
"""In X nimmt! greedy play is worth less, so that levels must be further apart to be told apart."""


class MixedBot:
    def __init__(self, game: AnyGame, slips: float) -> None:
        self._slips, self._random, self._greedy = slips, RandomBot(), greedy.make(game)

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action:
        bot = self._random if rng.random() < self._slips else self._greedy
        return bot.choose(view, legal, rng)


def newcomer(game: AnyGame) -> MixedBot:
    return MixedBot(game, SLIPS.get(game.id, USUAL).newcomer)


def casual(game: AnyGame) -> MixedBot:
    return MixedBot(game, SLIPS.get(game.id, USUAL).casual)


def club(game: AnyGame) -> MixedBot:
    return MixedBot(game, SLIPS.get(game.id, USUAL).club)
