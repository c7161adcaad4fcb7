"""All games by their id: ours, then those of the folders that `NIMMT_GAMES` names.

A game is imported when it is asked for, so that a command starts quickly.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from nimmt.games import FOLDERS, VARIABLE, ids_in
from nimmt.rules.game import AnyGame, Game, RulesError

OURS = ("six", "buffalo", "x", "eleven", "baron")


class UnknownGame(RulesError):
    """There is no game with this id."""


class BrokenGame(RulesError):
    """A game from outside cannot be used, or its folder cannot be read."""


def _outside() -> tuple[str, ...]:
    found: dict[str, None] = {}
    for folder in FOLDERS:
        with suppress(OSError):  # said by `check_folders`, where somebody can be told
            found |= dict.fromkeys(ids_in(folder))
    return tuple(game_id for game_id in found if game_id not in OURS)


GAMES = (*OURS, *_outside())


def check_folders(folders: tuple[str, ...] = FOLDERS) -> None:
    """Raise `BrokenGame` unless each of the folders has games, and none twice."""
    homes = dict.fromkeys(OURS, "nimmt itself")
    for folder in folders:
        try:
            found = ids_in(folder)
        except OSError as error:
            raise BrokenGame(f"{VARIABLE} names {folder}, which cannot be read: {error.strerror}.") from None
        if not found:
            raise BrokenGame(
                f"{VARIABLE} names {folder}, but no folder with an __init__.py, that is no game, is in it."
            )
        for game_id in found:
            if game_id in homes:
                raise BrokenGame(f"The game {game_id!r} in {folder} is in {homes[game_id]} already.")
            homes[game_id] = folder


@cache
def get(game_id: str, rules_version: int | None = None) -> AnyGame:
    """The game under its newest rules, or under those of an older match; raises `UnknownGame` or `UnknownVersion`."""
    if rules_version is not None:
        newest = get(game_id)
        return newest if rules_version == newest.rules_version else newest.under(rules_version)
    if game_id not in GAMES:
        check_folders()
        raise UnknownGame(f"There is no game {game_id!r}. The games are: {', '.join(GAMES)}.")
    if is_from_outside(game_id):
        return _from_outside(game_id)
    game: AnyGame = import_module(f"nimmt.games.{game_id}").GAME
    return game


def _from_outside(game_id: str) -> AnyGame:
    """A game that nobody here has tested: what is wrong with it is said in a sentence."""
    try:
        game = getattr(import_module(f"nimmt.games.{game_id}"), "GAME", None)
    except Exception as error:
        raise BrokenGame(f"The game {game_id!r} cannot be imported: {type(error).__name__}: {error}") from error
    if not isinstance(game, Game):
        raise BrokenGame(f"The folder of {game_id!r} must have its game as GAME in its __init__.py.")
    if game.id != game_id:
        raise BrokenGame(f"The game in the folder {game_id!r} calls itself {game.id!r}: both must be the same.")
    return game


def is_from_outside(game_id: str) -> bool:
    """Whether nobody here knows anything about a game but what it says itself."""
    return game_id not in OURS


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
    check_folders()
    return tuple(get(game_id) for game_id in GAMES)
