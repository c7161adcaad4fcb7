"""Bots that do not search: at random, greedy, and greedy with slips for the lower levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, TypeAlias, TypeVar

from nimmt.bots.bot import Bot
from nimmt.bots.levels import strength_of
from nimmt.bots.protocol_search import ImaginingBot
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame

# -- greedy ------------------------------------------------------------------------------------------------------------
# The bot that plays what costs least at once, as the table stands; the game's `bot.py` says what things cost.

GREEDY_WORLDS = 4
"""Worlds for a rough estimate in games that define no cost."""

Cost: TypeAlias = Callable[[Any, Action], tuple[int, ...]]
"""The immediate cost of an action to the owner of the view; the lowest is played, later numbers break ties."""

Chances: TypeAlias = dict[Action, float]
"""A bot's action probabilities; actions that are missing have none."""

Consider: TypeAlias = Callable[[Any, Sequence[Action]], Sequence[Action]]
"""Selects the legal actions that a well-behaved bot considers; never empty."""


class GreedyBot:
    def __init__(self, cost: Cost, considered: Consider) -> None:
        self._cost, self._considered = cost, considered

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action:
        del rng
        return min(self._considered(view, legal), key=lambda action: self._cost(view, action))

    def chances(self, view: Any, legal: Sequence[Action]) -> Chances:
        return {self.choose(view, legal, Random()): 1.0}


def make_greedy(game: AnyGame) -> Bot:
    cost = cost_of(game)
    return GreedyBot(cost, considered(game)) if cost else ImaginingBot(game, GREEDY_WORLDS)


def cost_of(game: AnyGame) -> Cost | None:
    """The cost function of a game's `bot.py`, if it has one."""
    found: Cost | None = getattr(registry.part(game.id, "bot"), "cost", None)
    return found


def considered(game: AnyGame) -> Consider:
    """A game's `bot.py` may rule out actions that would be bad manners."""
    found: Consider = getattr(registry.part(game.id, "bot"), "considered", _everything)
    return found


def careless(game: AnyGame) -> Consider:
    """A game's `bot.py` may rule out actions even for random slips."""
    found: Consider = getattr(registry.part(game.id, "bot"), "careless", _everything)
    return found


def _everything(view: Any, legal: Sequence[Action]) -> Sequence[Action]:
    del view
    return legal


# -- random ------------------------------------------------------------------------------------------------------------
# The bot that plays anything that is legal.

T = TypeVar("T")


class RandomBot:
    """Picks a kind of action uniformly, then an action of that kind.

    Some kinds have thousands of actions (all orders of Beat the Buffalo's Sort), others one (passing): a uniform choice
    among all actions would never pass.
    """

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action:
        del view
        if len(set(map(type, legal))) == 1 and len(legal[0].family()) == 1:
            return _any_of(legal, rng)
        return _any_of(_any_of(_families(legal), rng), rng)

    def chances(self, view: Any, legal: Sequence[Action]) -> Chances:
        del view
        families = _families(legal)
        return {action: 1 / len(families) / len(family) for family in families for action in family}


def _families(legal: Sequence[Action]) -> list[list[Action]]:
    families: dict[Any, list[Action]] = {}
    for action in legal:
        families.setdefault(action.family(), []).append(action)
    return list(families.values())


def _any_of(choices: Sequence[T], rng: Random) -> T:
    return choices[int(rng.random() * len(choices))]


def make_random(game: AnyGame) -> RandomBot:
    del game
    return RandomBot()


# -- chances -----------------------------------------------------------------------------------------------------------


def chances_of(bot: Bot, view: Any, legal: Sequence[Action]) -> Chances | None:
    """The bot's action probabilities, if it knows them: a searching bot does not."""
    say: Callable[[Any, Sequence[Action]], Chances | None] | None = getattr(bot, "chances", None)
    return say(view, legal) if say else None


# -- mixed -------------------------------------------------------------------------------------------------------------
# A bot that now and then plays just anything: for levels that can be beaten.


class MixedBot:
    def __init__(self, game: AnyGame, bot: Bot, slips: float) -> None:
        self._bot, self._slips, self._random = bot, slips, RandomBot()
        self._considered, self._careless = considered(game), careless(game)

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action:
        legal = self._considered(view, legal)
        if rng.random() < self._slips:
            return self._random.choose(view, self._careless(view, legal), rng)
        return self._bot.choose(view, legal, rng)

    def chances(self, view: Any, legal: Sequence[Action]) -> Chances | None:
        considered = self._considered(view, legal)
        careful = chances_of(self._bot, view, considered)
        if careful is None:
            return None
        slipping = self._random.chances(view, self._careless(view, considered))
        mixed = {action: self._slips * chance for action, chance in slipping.items()}
        for action, chance in careful.items():
            mixed[action] = mixed.get(action, 0.0) + (1 - self._slips) * chance
        return mixed


def newcomer(game: AnyGame) -> MixedBot:
    return MixedBot(game, make_greedy(game), strength_of(game).slips.newcomer)


def casual(game: AnyGame) -> MixedBot:
    return MixedBot(game, make_greedy(game), strength_of(game).slips.casual)


def club(game: AnyGame) -> MixedBot:
    return MixedBot(game, make_greedy(game), strength_of(game).slips.club)
