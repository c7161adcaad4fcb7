"""The bot that plays what costs least at once, as the table lies; one module a game says what things cost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from typing import Any, TypeAlias

from nimmt.rules.game import Action, AnyGame

Cost: TypeAlias = Callable[[Any, Action], tuple[int, ...]]
"""What an action costs at once for the owner of the view; the lowest is played, ties by the further numbers."""


class GreedyBot:
    def __init__(self, cost: Cost) -> None:
        self._cost = cost

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action:
        del rng
        return min(legal, key=lambda action: self._cost(view, action))


def make(game: AnyGame) -> GreedyBot:
    cost: Cost = import_module(f"nimmt.bots.greedy.{game.id}").cost
    return GreedyBot(cost)
