"""The bot that plays what costs least at once, as the table lies; one module a game says what things cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from typing import Any, TypeAlias

from nimmt.rules.game import Action, AnyGame

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


def make(game: AnyGame) -> GreedyBot:
    cost: Cost = _module(game).cost
    return GreedyBot(cost, considered(game))


def considered(game: AnyGame) -> Consider:
    """A game's module may leave out what would be bad manners."""
    found: Consider = getattr(_module(game), "considered", _everything)
    return found


def _module(game: AnyGame) -> Any:
    return import_module(f"nimmt.bots.greedy.{game.id}")


def _everything(view: Any, legal: Sequence[Action]) -> Sequence[Action]:
    del view
    return legal
