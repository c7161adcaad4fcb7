"""Games for OpenSpiel: importing this registers those that have an adapter, which is `nimmt_six`.

    >>> import pyspiel
    >>> import nimmt.envs.openspiel
    >>> game = pyspiel.load_game("nimmt_six(players=4)")

It needs more than nimmt itself: pip install 'nimmt[openspiel]'. `docs/envs.md` describes the game.
"""

from __future__ import annotations

from nimmt.rules import registry

GAMES = tuple(module.NAME for game in registry.all_games() if (module := registry.part(game.id, "openspiel")))
"""The names by which `pyspiel.load_game` knows them."""
