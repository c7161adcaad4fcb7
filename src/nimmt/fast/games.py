"""The flat twins of the games by their id."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module

from nimmt.fast.game import FastGame
from nimmt.rules import registry


@cache
def get_fast(game_id: str) -> FastGame:
    """The flat twin of this game; raises `UnknownGame`. Loads Numba, compiles nothing."""
    registry.get(game_id)
    fast: FastGame = import_module(f"nimmt.fast.{game_id}").FAST
    return fast


def warm_up(game_ids: Iterable[str] = registry.GAMES) -> None:
    """Compile the kernels that search uses, or load them from disk, so that nobody has to wait for them later."""
    from nimmt.fast.trials import try_out

    for game_id in game_ids:
        try_out(get_fast(game_id))
