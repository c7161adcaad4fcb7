"""What can be played, and against whom."""

from __future__ import annotations

import msgspec
from litestar import Controller, get

from nimmt.bots import BOTS
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Variant
from nimmt.rules.kit.options import option_fields
from nimmt.server import bodies as b
from nimmt.server.description import ANYBODY


class GamesController(Controller):
    """What can be played."""

    path = "/api"
    tags = ("games",)

    @get("/games", security=ANYBODY, sync_to_thread=False)
    def games(self) -> list[b.GameInfo]:
        """All games with their variants and options."""
        return _games()

    @get("/bots", security=ANYBODY, sync_to_thread=False)
    def bots(self) -> list[b.BotInfo]:
        """The levels of bots."""
        return [b.BotInfo(level, description) for level, description in BOTS.items()]


def _variant(game: AnyGame, variant: Variant) -> b.VariantInfo:
    most = variant.max_seats or game.max_seats
    return b.VariantInfo(variant.id, variant.name, variant.summary, variant.options, most)


def _games() -> list[b.GameInfo]:
    return [
        b.GameInfo(
            game.id,
            game.name,
            game.summary,
            game.min_seats,
            game.max_seats,
            tuple(_variant(game, variant) for variant in game.variants),
            tuple(msgspec.convert(msgspec.to_builtins(f), b.OptionInfo) for f in option_fields(game.options_type)),
            dict(game.rules),
            dict(game.decisions),
        )
        for game in registry.all_games()
    ]
