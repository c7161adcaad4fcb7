"""All games by their id. A game is imported when it is asked for, so that a command starts quickly."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

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


def part(game_id: str, name: str) -> ModuleType | None:
    """A file that a game has besides its rules, such as `terminal`; None if it does without."""
    return import_module(f"nimmt.games.{game_id}.{name}") if has_part(game_id, name) else None


@cache
def has_part(game_id: str, name: str) -> bool:
    """Whether a game has such a file; it is not imported for that."""
    try:
        return find_spec(f"nimmt.games.{game_id}.{name}") is not None
    except ModuleNotFoundError:  # not even a folder
        return False


def all_games() -> tuple[AnyGame, ...]:
    return tuple(get(game_id) for game_id in GAMES)
