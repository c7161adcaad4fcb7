"""Bots that do not search: at random, greedy, and greedy with slips for the lower levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from typing import Any, NamedTuple, TypeAlias, TypeVar

from nimmt.bots.bot import Bot
from nimmt.rules.game import Action, AnyGame

# -- greedy ------------------------------------------------------------------------------------------------------------
# The bot that plays what costs least at once, as the table lies; one module a game says what things cost.

Cost: TypeAlias = Callable[[Any, Action], tuple[int, ...]]
"""What an action costs at once for the owner of the view; the lowest is played, ties by the further numbers."""

Consider: TypeAlias = Callable[[Any, Sequence[Action]], Sequence[Action]]
"""What of the legal actions a bot with manners thinks about; never nothing."""


class GreedyBot:
    def __init__(self, cost: Cost, considered: Consider) -> None:
        self._cost, self._considered = cost, considered

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action:
        del rng
        return min(self._considered(view, legal), key=lambda action: self._cost(view, action))


def make_greedy(game: AnyGame) -> GreedyBot:
    cost: Cost = _module(game).cost
    return GreedyBot(cost, considered(game))


def considered(game: AnyGame) -> Consider:
    """A game's module may leave out what would be bad manners."""
    found: Consider = getattr(_module(game), "considered", _everything)
    return found


def _module(game: AnyGame) -> Any:
    return import_module(f"nimmt.games.{game.id}.bot")


def _everything(view: Any, legal: Sequence[Action]) -> Sequence[Action]:
    del view
    return legal


# -- random ------------------------------------------------------------------------------------------------------------
# The bot that plays anything that is legal.

T = TypeVar("T")


class RandomBot:
    """Every kind of action is as likely as any other, then every action of that kind.

    Some kinds come in thousands (all orders of Beat the Buffalo's Sort), others alone (passing): choosing among all
    alike would never pass.
    """

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action:
        del view
        if len(set(map(type, legal))) == 1 and not hasattr(legal[0], "use"):
            return _any_of(legal, rng)
        families: dict[Any, list[Action]] = {}
        for action in legal:
            families.setdefault(_family(action), []).append(action)
        return _any_of(_any_of(list(families.values()), rng), rng)


def _family(action: Action) -> tuple[type, type]:
    """Its kind and, where it carries an action within (such as a proposal), the kind of that."""
    return type(action), type(getattr(action, "use", None))


def _any_of(choices: Sequence[T], rng: Random) -> T:
    return choices[int(rng.random() * len(choices))]


def make_random(game: AnyGame) -> RandomBot:
    del game
    return RandomBot()


# -- mixed -------------------------------------------------------------------------------------------------------------
# A bot that now and then plays just anything: for levels that can be beaten.


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
    return MixedBot(make_greedy(game), slips(game).newcomer, considered(game))


def casual(game: AnyGame) -> MixedBot:
    return MixedBot(make_greedy(game), slips(game).casual, considered(game))


def club(game: AnyGame) -> MixedBot:
    return MixedBot(make_greedy(game), slips(game).club, considered(game))
