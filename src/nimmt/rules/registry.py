"""All games by their id. A game is imported when it is asked for, so that a command starts quickly."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from nimmt.rules.game import AnyGame, RulesError

GAMES = ("six", "buffalo", "x", "eleven", "baron")


class UnknownGame(RulesError):
    """There is no game with this id."""


@cache
def get(game_id: str, rules_version: int | None = None) -> AnyGame:
    """The game under its newest rules, or under those of an older match; raises `UnknownGame` or `UnknownVersion`."""
    if rules_version is not None:
        newest = get(game_id)
        return newest if rules_version == newest.rules_version else newest.under(rules_version)
    if game_id not in GAMES:
        raise UnknownGame(f"There is no game {game_id!r}. The games are: {', '.join(GAMES)}.")
    game: AnyGame = import_module(f"nimmt.games.{game_id}").GAME
    return game


def all_games() -> tuple[AnyGame, ...]:
    return tuple(get(game_id) for game_id in GAMES)
