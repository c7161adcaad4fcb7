"""Which games there are, and who plays them."""

from __future__ import annotations

from nimmt.bots import BOTS
from nimmt.rules import registry
from nimmt.rules.game import AnyGame


def list_games() -> list[str]:
    """The ids of all games."""
    return list(registry.GAMES)


def list_bots() -> dict[str, str]:
    """The names of all bots, and how they think."""
    return dict(BOTS)


def game(game_id: str) -> AnyGame:
    """A game: its `name`, its `variants`, its rules as functions. Raises `UnknownGame`."""
    return registry.get(game_id)
