"""The 6 nimmt! family of card games: rules, verifiable matches, bots and clients.

    >>> import nimmt
    >>> match = nimmt.Match("x", bots=["greedy", "random"], seed=1).play()
    >>> position = nimmt.position("six", rows="12 14 15 | 37 | 43 44 | 58 61", hands="21 | 26 | 30 | 36")

Importing this package is cheap on purpose: each of its names is imported when it is used. `docs/library.md` tells more.
"""

from __future__ import annotations

TYPE_CHECKING = False  # what `typing` calls it, without loading `typing`
if TYPE_CHECKING:
    from typing import Any

    from nimmt import envs
    from nimmt.bots import UnknownBot
    from nimmt.envs.simulator import simulate
    from nimmt.insight.hint import hint
    from nimmt.insight.puzzles import puzzles
    from nimmt.insight.review import review
    from nimmt.library.match import Match, game, list_bots, list_games, verify
    from nimmt.library.position import Position, position
    from nimmt.match.record import RecordError
    from nimmt.rules.game import (
        IllegalAction,
        InvalidDeal,
        InvalidOptions,
        InvalidPosition,
        RulesError,
    )
    from nimmt.rules.registry import BrokenGame, UnknownGame

    __version__: str

__all__ = [
    "BrokenGame",
    "IllegalAction",
    "InvalidDeal",
    "InvalidOptions",
    "InvalidPosition",
    "Match",
    "Position",
    "RecordError",
    "RulesError",
    "UnknownBot",
    "UnknownGame",
    "__version__",
    "envs",
    "game",
    "hint",
    "list_bots",
    "list_games",
    "position",
    "puzzles",
    "review",
    "simulate",
    "verify",
]

_HOMES = {
    "IllegalAction": "nimmt.rules.game",
    "InvalidDeal": "nimmt.rules.game",
    "InvalidOptions": "nimmt.rules.game",
    "InvalidPosition": "nimmt.rules.game",
    "Match": "nimmt.library.match",
    "Position": "nimmt.library.position",
    "RecordError": "nimmt.match.record",
    "RulesError": "nimmt.rules.game",
    "UnknownBot": "nimmt.bots",
    "BrokenGame": "nimmt.rules.registry",
    "UnknownGame": "nimmt.rules.registry",
    "game": "nimmt.library.match",
    "hint": "nimmt.insight.hint",
    "list_bots": "nimmt.library.match",
    "list_games": "nimmt.library.match",
    "position": "nimmt.library.position",
    "puzzles": "nimmt.insight.puzzles",
    "review": "nimmt.insight.review",
    "simulate": "nimmt.envs.simulator",
    "verify": "nimmt.library.match",
}
"""Where the names live. `simulate`, `review` and `hint` load NumPy and Numba, the others do not."""

_MODULES = {"envs": "nimmt.envs"}
"""Packages that are there without being imported by name."""


def __getattr__(name: str) -> Any:
    # Lazy, because reading package metadata costs more than all the rest of this import.
    if name == "__version__":
        from importlib.metadata import version

        return version("nimmt")
    from importlib import import_module

    if name in _MODULES:
        return import_module(_MODULES[name])
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__} - {"TYPE_CHECKING", "annotations"})
