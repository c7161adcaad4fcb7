"""Games for OpenSpiel: importing this registers those that have an adapter, which is `nimmt_six`.

    >>> import pyspiel
    >>> import nimmt.envs.openspiel
    >>> game = pyspiel.load_game("nimmt_six(players=4)")

It needs more than nimmt itself: pip install 'nimmt[openspiel]'. `docs/envs.md` describes the game.
"""

from __future__ import annotations

from nimmt.rules import registry


def _register() -> tuple[str, ...]:
    try:
        modules = [registry.part(game.id, "openspiel") for game in registry.all_games()]
    except ModuleNotFoundError as error:
        if error.name != "pyspiel":
            raise
        raise ImportError(
            "nimmt.envs.openspiel needs OpenSpiel: pip install 'nimmt[openspiel]'", name="pyspiel"
        ) from None
    return tuple(module.NAME for module in modules if module)


GAMES = _register()
"""The names by which `pyspiel.load_game` knows them."""
