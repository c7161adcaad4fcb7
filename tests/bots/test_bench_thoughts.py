"""Worlds of somebody who sees all hands: what others hold is true there, and nothing else is."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from random import Random

import pytest

from nimmt.fast.game import get_fast
from nimmt.match.match import Match, single_deal
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.kit.options import variant_options

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("game_id", ["x", "baron", "buffalo"])
def test_hands_are_open_and_nothing_else(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "benches")
    game, rng = registry.get(game_id), Random(3)
    options = single_deal(game, variant_options(game, game.variants[0].id))
    match = Match(game, options, [SeatInfo(str(seat)) for seat in range(3)], Dealer(bytes(32), [""] * 3))
    fast = import_module("bench_thoughts").open_hands(get_fast(game_id))
    for _ in range(12):
        seat = game.pending(match.state)[0].seat
        view, fast.truth = game.view(match.state, seat), match.state
        worlds = fast.worlds(view, fast.shuffled(view, 5, 1))
        for world in worlds:
            held = [set(world["hands"][other, : world["sizes"][other]].tolist()) for other in range(3)]
            assert held == [set(hand) for hand in match.state.hands]
        assert len(set(map(bytes, worlds))) == (1 if game_id == "x" else 5), "X nimmt! has no other secret"
        match.act(seat, rng.choice(game.legal(match.state, seat)))
