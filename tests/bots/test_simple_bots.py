"""The simple bots decide legally everywhere, from the view alone, and the same for the same seed."""

from __future__ import annotations

from random import Random

import pytest

from nimmt.bots import SIMPLE, UnknownBot, get_bot
from nimmt.match.match import Match
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.game import AnyGame
from nimmt.rules.kit.options import variant_options

VARIANTS = [(game.id, variant.id) for game in registry.all_games() for variant in game.variants]


def play(game: AnyGame, variant: str, names: list[str], seed: int) -> Match:
    rng, seats = Random(seed), len(names)
    infos = [SeatInfo(f"P{seat + 1}", name) for seat, name in enumerate(names)]
    match = Match(game, variant_options(game, variant), infos, Dealer(rng.randbytes(32), [""] * seats))
    bots = [get_bot(name, game) for name in names]
    while match.outcome is None:
        seat = game.pending(match.state)[0].seat
        legal = game.legal(match.state, seat)
        action = bots[seat].choose(game.view(match.state, seat), legal, rng)
        assert action in legal
        match.act(seat, action)
    return match


@pytest.mark.parametrize("bot", SIMPLE)
@pytest.mark.parametrize(("game_id", "variant"), VARIANTS)
def test_every_bot_finishes_a_match_of_every_variant(game_id: str, variant: str, bot: str) -> None:
    game = registry.get(game_id)
    assert play(game, variant, [bot] * 3, seed=1).outcome is not None


@pytest.mark.parametrize("bot", SIMPLE)
def test_a_bot_plays_the_same_for_the_same_seed(bot: str) -> None:
    game = registry.get("six")
    assert play(game, "all-fans", [bot] * 3, 5).moves == play(game, "all-fans", [bot] * 3, 5).moves


@pytest.mark.parametrize("game_id", ["six", "x", "eleven", "baron"])
def test_greedy_beats_random(game_id: str) -> None:
    """A greedy bot whose costs had the wrong sign would lose nearly always against three random ones."""
    game, wins = registry.get(game_id), 0.0
    for seed in range(20):
        outcome = play(game, "basic", ["greedy", "random", "random", "random"], seed).outcome
        assert outcome is not None
        wins += (0 in outcome.winners) / len(outcome.winners) if outcome.winners else 0
    assert wins > 20 / 4 * 1.5


def test_an_unknown_bot_is_refused_with_the_names_of_all() -> None:
    with pytest.raises(UnknownBot, match="random, greedy"):
        get_bot("nobody", registry.get("six"))
