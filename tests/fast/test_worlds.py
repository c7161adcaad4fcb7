"""Positions of the rules go in as they are, and worlds are what the owner of a view may imagine."""

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest

from nimmt.fast import kernels
from nimmt.fast.game import NotInARound, get_fast, warm_up
from nimmt.fast.simulation import rollouts
from nimmt.games.buffalo.rules import SPECIAL_OFFSET
from nimmt.rules import registry
from nimmt.rules.game import AnyGame
from nimmt.rules.kit.options import variant_options
from nimmt.testing.random_play import play_match

VARIANTS = [(game, variant) for game in registry.all_games() for variant in game.variants]
CASES = [pytest.param(game, variant, id=f"{game.id}-{variant.id}") for game, variant in VARIANTS]


def positions(game: AnyGame, variant: Any, every: int) -> Iterator[Any]:
    """States of random matches in which somebody decides, every so many of them."""
    for seats in {game.min_seats, 3, variant.max_seats or game.max_seats}:
        steps = play_match(game, variant_options(game, variant.id), seats, Random(seats), restless=0.1)
        for number, step in enumerate(steps):
            if number % every == 0 and game.pending(step.state):
                yield step.state


def picture(game: AnyGame, flat: Any) -> bytes:
    fast = get_fast(game.id)
    pictures = np.zeros((1, fast.picture_size), np.int8)
    kernels.look(flat, pictures)
    return pictures.tobytes()


@pytest.mark.parametrize(("game", "variant"), CASES)
def test_a_position_is_loaded_as_it_is(game: AnyGame, variant: Any) -> None:
    fast, actions = get_fast(game.id), np.zeros(8192, np.int64)
    for state in positions(game, variant, 3):
        flat = fast.load(state)
        expected = fast.picture(state)
        if game.id == "six":  # piles are not loaded: search has no use for them
            for pile in state.piles:
                for card in pile:
                    expected[card] = 0
        assert picture(game, flat) == bytes(expected)
        if len(game.pending(state)) == 1 and game.pending(state)[0].kind != "answer":
            seat = game.pending(state)[0].seat
            count = kernels.list_legal(flat, seat, actions)
            legal = game.legal(state, seat)
            if len(legal) > 1:  # a seat that has made all its proposals may only pass; the team may do more
                assert sorted(actions[:count].tolist()) == sorted(map(fast.encode, legal))
                assert [fast.decode(state, seat, fast.encode(action)) for action in legal] == list(legal)


def in_order(game: AnyGame, kinds: Any, order: list[int]) -> list[int]:
    """The cards of a world as `imagine` wants them."""
    numbers = len(kinds[0])
    special = SPECIAL_OFFSET if game.id == "buffalo" else 0
    return order[:numbers] + [card + special for card in order[numbers:]]


@pytest.mark.parametrize(("game", "variant"), CASES)
def test_worlds_are_what_the_rules_would_imagine(game: AnyGame, variant: Any) -> None:
    fast = get_fast(game.id)
    for number, state in enumerate(positions(game, variant, 7)):
        seat = game.pending(state)[-1].seat
        view = game.view(state, seat)
        orders = fast.shuffled(view, 4, number)
        worlds = fast.worlds(view, orders)
        for world, order in zip(worlds, orders.tolist(), strict=True):
            imagined = fast.load(game.imagine(view, in_order(game, fast.hidden(view), order)))
            fast.forget_choices(imagined)
            assert picture(game, np.array([world])) == picture(game, imagined)


@pytest.mark.parametrize(("game", "variant"), CASES)
def test_rollouts_give_points_for_every_world_action_and_seat(game: AnyGame, variant: Any) -> None:
    for number, state in enumerate(positions(game, variant, 41)):
        seat = game.pending(state)[0].seat
        legal = [action for action in game.legal(state, seat) if type(action).__name__ not in ("Agree", "Decline")][:12]
        if not legal or number > 12:
            continue
        view = game.view(state, seat)
        points = rollouts(game.id, view, legal, worlds=6, policy="greedy", seed=number)
        assert points.shape == (6, len(legal), state.table.seats)
        again = rollouts(game.id, view, legal, worlds=6, policy="greedy", seed=number, threads=3)
        assert points.tolist() == again.tolist()


def test_a_rollout_is_the_round_that_the_rules_would_play() -> None:
    """The last turn of 6 nimmt! leaves no choice but the row: all points are known."""
    game = registry.get("six")
    options = variant_options(game, "basic", rounds=1)
    for step in play_match(game, options, 4, Random(8)):
        state = step.state
        if state.table.phase == "choose" and len(state.hands[0]) == 1 and len(state.waiting) == 4:
            break
    view = game.view(state, 0)
    cards = [card for hand in state.hands[1:] for card in hand]
    rest = [card for card in game.unseen(view) if card not in cards]
    world = np.array([cards + rest], np.int8)
    points = rollouts("six", view, game.legal(state, 0), worlds=world, policy="cheapest")
    after = state
    for seat in range(4):
        after, _ = game.apply(after, seat, game.legal(after, seat)[0])
    while game.outcome(after) is None:
        bulls = get_fast("six").load(after)[0]["worth"].tolist()
        after, _ = game.apply(
            after, after.table.queue[0].seat, game.legal(after, after.table.queue[0].seat)[bulls.index(min(bulls))]
        )
    assert points[0, 0].tolist() == list(after.table.scores[0])


def test_between_rounds_there_is_nothing_to_load() -> None:
    for game in registry.all_games():
        state = game.setup(variant_options(game, game.variants[0].id), 2)
        with pytest.raises(NotInARound):
            get_fast(game.id).load(state)


def test_warming_up_compiles_what_search_calls() -> None:
    warm_up()
    assert len(kernels.rollout.signatures) >= len(registry.GAMES)  # type: ignore[attr-defined]
