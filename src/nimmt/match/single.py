"""One deal instead of a whole match."""

from __future__ import annotations

from msgspec.structs import replace

from nimmt.rules.game import AnyGame, Options
from nimmt.rules.kit.options import option_fields

LENGTHS = ("rounds", "games")
"""Names of the options that say how many deals a match has."""


def length_option(game: AnyGame) -> str | None:
    """The option that says how many deals a match has; None where a match is one deal anyway."""
    return next((field.name for field in option_fields(game.options_type) if field.name in LENGTHS), None)


def single_deal(game: AnyGame, options: Options) -> Options:
    """The same way to play, for one deal only."""
    name = length_option(game)
    return replace(options, **{name: 1}) if name else options
