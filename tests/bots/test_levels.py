"""The levels that people can ask for exist everywhere, say how they think, and cost nothing until they are asked."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from random import Random

import pytest

from nimmt.bots import BOTS, LEVELS, get_bot
from nimmt.bots.levels import engine_of
from nimmt.match.match import Match
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.kit.options import variant_options

LANGUAGES = {"en", "de", "pl", "ru"}
VARIANTS = [(game.id, variant.id) for game in registry.all_games() for variant in game.variants]


@pytest.mark.parametrize("level", LEVELS.values(), ids=LEVELS)
def test_a_level_has_a_name_and_a_line_in_every_language(level) -> None:
    assert set(level.names) == set(level.thinks) == LANGUAGES
    assert all(level.names.values())
    assert all(line.endswith(".") for line in level.thinks.values())


def test_every_game_has_every_level() -> None:
    engines = {engine_of(level, game) for game in registry.all_games() for level in LEVELS}
    assert all(hasattr(import_module(module), make) for module, _, make in (path.partition(":") for path in engines))
    assert set(LEVELS) < set(BOTS)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("game_id", "variant"), VARIANTS)
def test_every_level_plays_every_variant(game_id: str, variant: str, level: str) -> None:
    """The beginning of a match: its first decisions are legal."""
    game, rng = registry.get(game_id), Random(3)
    match = Match(game, variant_options(game, variant), [SeatInfo("A"), SeatInfo("B")], Dealer(bytes(32), ["", ""]))
    bot = get_bot(level, game)
    for _ in range(4):
        seat = game.pending(match.state)[0].seat
        legal = game.legal(match.state, seat)
        action = bot.choose(game.view(match.state, seat), legal, rng)
        assert action in legal
        match.act(seat, action)


def test_asking_for_bots_loads_no_compiler() -> None:
    code = "import sys, nimmt.bots; sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
