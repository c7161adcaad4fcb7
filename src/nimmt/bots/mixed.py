"""A greedy player who now and then plays just anything: for levels that can be beaten."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from nimmt.bots import greedy
from nimmt.bots.random import RandomBot
from nimmt.rules.game import Action, AnyGame


class MixedBot:
    def __init__(self, game: AnyGame, slips: float) -> None:
        self._slips, self._random, self._greedy = slips, RandomBot(), greedy.make(game)

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action:
        bot = self._random if rng.random() < self._slips else self._greedy
        return bot.choose(view, legal, rng)


def newcomer(game: AnyGame) -> MixedBot:
    return MixedBot(game, 0.7)


def casual(game: AnyGame) -> MixedBot:
    return MixedBot(game, 0.3)


def club(game: AnyGame) -> MixedBot:
    return MixedBot(game, 0.1)
