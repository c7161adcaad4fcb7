"""One module a game: its actions as numbers, its views as arrays. Imported when it is asked for."""

from __future__ import annotations

from importlib import import_module

from nimmt.envs.codecs.base import Codec
from nimmt.rules.game import AnyGame, Options

__all__ = ["Codec", "get_codec"]


def get_codec(game: AnyGame, options: Options, seats: int) -> Codec:
    codec: type[Codec] = import_module(f"nimmt.envs.codecs.{game.id}").CODEC
    return codec(game, options, seats)
