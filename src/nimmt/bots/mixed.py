"""A bot that now and then plays just anything: for levels that can be beaten."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from nimmt.bots import greedy
from nimmt.bots.bot import Bot
from nimmt.bots.greedy import Consider, considered
from nimmt.bots.random import RandomBot
from nimmt.rules.game import Action, AnyGame


class Slips(NamedTuple):
    """How often each level plays just anything."""

    newcomer: float
    casual: float
    club: float


USUAL = Slips(0.7, 0.3, 0.1)
SLIPS = {"six": Slips(0.8, 0.4, 0.0), "x": Slips(0.8, 0.2, 0.3), "buffalo": Slips(0.8, 0.4, 0.0)}
"""Where the cost at once says less, levels must be further apart to be told apart (`benches/results.md`)."""


def slips(game: AnyGame) -> Slips:
    return SLIPS.get(game.id, USUAL)


class MixedBot:
    def __init__(self, bot: Bot, slips: float, considered: Consider) -> None:
        self._bot, self._slips, self._random, self._considered = bot, slips, RandomBot(), considered

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action:
        bot = self._random if rng.random() < self._slips else self._bot
        return bot.choose(view, self._considered(view, legal), rng)


def newcomer(game: AnyGame) -> MixedBot:
    return MixedBot(greedy.make(game), slips(game).newcomer, considered(game))


def casual(game: AnyGame) -> MixedBot:
    return MixedBot(greedy.make(game), slips(game).casual, considered(game))


def club(game: AnyGame) -> MixedBot:
    return MixedBot(greedy.make(game), slips(game).club, considered(game))
