"""Policies play legally, and the greedy ones as the bots of that name."""

from random import Random
from typing import Any

import numpy as np
import pytest

from nimmt.bots import get_bot
from nimmt.fast import kernels
from nimmt.fast.game import get_fast
from nimmt.fast.proof import Comparison
from nimmt.rules import registry
from nimmt.rules.game import AnyGame
from nimmt.rules.kit.options import variant_options

VARIANTS = [(game, variant) for game in registry.all_games() for variant in game.variants]
CASES = [pytest.param(game, variant, id=f"{game.id}-{variant.id}") for game, variant in VARIANTS]
NO_PARAMS = np.zeros(1, np.float32)


class Watched(Comparison):
    """A match in which a policy decides, and what it decides is looked at."""

    def __init__(self, *args: Any, policy: int, bot: Any = None) -> None:
        super().__init__(*args)
        self.policy, self.bot, self.params = policy, bot, self.fast.params()
        self.chance = kernels.seeded(np.uint64(5), 0)

    def _choose(self, seat: int) -> int:
        count = kernels.list_legal(self.flat, seat, self.actions)
        code = int(kernels.choose_for(self.flat, seat, self.policy, self.params, self.chance))
        assert code in self.actions[:count].tolist()
        if self.bot is not None:
            view, legal = self.rules.view(self.state, seat), self.rules.legal(self.state, seat)
            assert code == self.fast.encode(self.bot.choose(view, legal, Random(0)))
        return code


@pytest.mark.parametrize(("game", "variant"), CASES)
def test_every_policy_plays_legally_to_the_end(game: AnyGame, variant: Any) -> None:
    fast = get_fast(game.id)
    for policy in fast.policies.values():
        for seats in {game.min_seats, 3, variant.max_seats or game.max_seats}:
            match = Watched(fast, variant_options(game, variant.id), seats, Random(seats), policy=policy)
            assert match.play().matches == 1


@pytest.mark.parametrize(("game", "variant"), [case for case in CASES if not str(case.id).startswith("buffalo")])
def test_greedy_is_the_bot_of_that_name(game: AnyGame, variant: Any) -> None:
    """But for the team, which decides as one here."""
    fast, bot = get_fast(game.id), get_bot("greedy", game)
    for seats in range(game.min_seats, min(6, variant.max_seats or game.max_seats) + 1):
        options = variant_options(game, variant.id)
        Watched(fast, options, seats, Random(seats), policy=fast.policies["greedy"], bot=bot).play()


def test_random_is_uniform_with_a_twist_card_too() -> None:
    fast = get_fast("six")
    flat = fast.template(variant_options(fast.rules, "twist"), 2)
    kernels.deal_round(flat, np.array([5, 17, 101, *range(18, 100)], np.int8))
    flat["sizes"] = 3
    rng, counts = kernels.seeded(np.uint64(1), 0), dict.fromkeys([5, 17, 101, -5, -17], 0)
    for _ in range(5000):
        counts[int(kernels.choose_for(flat, 0, fast.policies["random"], NO_PARAMS, rng))] += 1
    assert all(880 < count < 1120 for count in counts.values())


def test_the_greedy_team_uses_special_cards_and_beats_the_random_one() -> None:
    from nimmt.fast.simulation import simulate

    for seats in (2, 4, 6):
        clever = simulate("buffalo", seats=seats, rounds=600, policy="greedy").wins.mean()
        lost = simulate("buffalo", seats=seats, rounds=600, policy="random").wins.mean()
        assert clever > lost + 0.05


@pytest.mark.parametrize("game", ["six", "x", "eleven", "baron"])
def test_greedy_players_beat_random_ones(game: str) -> None:
    from nimmt.fast.simulation import simulate

    result = simulate(game, seats=4, rounds=4000, policy=["greedy", "random", "random", "random"])
    assert result.wins[:, 0].mean() > 0.27
