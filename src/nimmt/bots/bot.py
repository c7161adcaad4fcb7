"""The interface of a bot, and the bots by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from typing import Any, Protocol

from nimmt.rules.game import Action, AnyGame

BOTS = {
    "random": "Plays anything that is legal.",
    "greedy": "Plays what costs least at once, as the table lies.",
}


class Bot(Protocol):
    """Decides for a seat from what the seat may know. All chance comes from `rng`: same seed, same play."""

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action: ...


class UnknownBot(ValueError):
    """There is no bot with this name."""


def get_bot(name: str, game: AnyGame) -> Bot:
    """The bot of this name for this game; raises `UnknownBot`."""
    if name not in BOTS:
        raise UnknownBot(f"There is no bot {name!r}. The bots are: {', '.join(BOTS)}.")
    make: Callable[[AnyGame], Bot] = import_module(f"nimmt.bots.{name}").make
    return make(game)
