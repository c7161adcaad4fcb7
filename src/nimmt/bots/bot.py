"""The interface of a bot, and the bots by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from random import Random
from typing import Any, Protocol

from nimmt.bots.levels import LEVELS, engine_of, is_fast, strength_of
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame

SIMPLE = {
    "random": "Plays anything that is legal.",
    "greedy": "Plays what costs least at once, as the table stands.",
}
BOTS = SIMPLE | {name: level.thinks["en"] for name, level in LEVELS.items()}


class Bot(Protocol):
    """Decides for a seat from what the seat may know. All chance comes from `rng`: same seed, same play."""

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action: ...


class UnknownBot(ValueError):
    """There is no bot with this name."""


def get_bot(name: str, game: AnyGame) -> Bot:
    """The bot of this name for this game; raises `UnknownBot`."""
    if name not in BOTS:
        raise UnknownBot(f"There is no bot {name!r}. The bots are: {', '.join(BOTS)}.")
    engine = f"nimmt.bots.simple:make_{name}" if name in SIMPLE else engine_of(name, game)
    make: Callable[[AnyGame], Bot] = _named(engine)
    return make(game)


def puzzle_player(name: str, game: AnyGame) -> Bot:
    """Who plays the matches that puzzles come from: the bot of this name as it was when the game's puzzles were found,
    so that those matches can be played again."""
    engine = strength_of(game).puzzle_engines.get(name)
    if engine is None:
        return get_bot(name, game)
    bot: Bot = _named(engine)(game)
    return bot


def is_compiled(name: str, game_id: str) -> bool:
    """Whether this bot thinks with machine code that may have to be compiled first."""
    game = registry.get(game_id)
    return name not in SIMPLE and is_fast(game) and not engine_of(name, game).startswith("nimmt.bots.simple:")


def warm_up(game_id: str) -> None:
    """Compile, or load from disk, what the bots of this game think with, so that nobody waits for it later."""
    game = registry.get(game_id)
    if is_fast(game):
        _named(strength_of(game).warm_up)(game)


def _named(path: str) -> Callable[..., Any]:
    module, _, name = path.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), name)
    return found
