"""The search on the protocol itself: what plays at the upper levels of a game that has nothing but its rules."""

from __future__ import annotations

from random import Random

import pytest

from nimmt.bots import Bot, get_bot
from nimmt.bots.levels import LEVELS, engine_of
from nimmt.bots.protocol_search import MAX_ACTIONS, ImaginingBot, shuffled
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Outcome


def play(game: AnyGame, bots: list[Bot], seed: int) -> Outcome:
    rng, state = Random(seed), game.setup(game.options_type(), len(bots))
    while (outcome := game.outcome(state)) is None:
        if (request := game.deal_request(state)) is not None:
            state, _ = game.deal(state, shuffled(request, rng))
            continue
        seat, legal = (waiting := game.pending(state)[0].seat), game.legal(state, waiting)
        action = bots[seat].choose(game.view(state, seat), legal, rng)
        assert action in legal
        state, _ = game.apply(state, seat, action)
    return outcome


def share(game: AnyGame, bot: Bot, matches: int) -> float:
    """Which part of the wins a bot gets against one that plays just anything; both sit in both seats equally often."""
    other, won = get_bot("random", game), 0.0
    for number in range(matches):
        seat = number % 2
        winners = play(game, [bot, other] if seat == 0 else [other, bot], number // 2).winners
        won += (seat in winners) / len(winners)
    return won / matches


def test_levels_of_a_game_without_kernels_imagine(calf: AnyGame) -> None:
    engines = {level: engine_of(level, calf) for level in LEVELS}
    assert engines["expert"] == "nimmt.bots.protocol_search:expert"
    assert engines["master"] == "nimmt.bots.protocol_search:master"


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_and_a_seed_decides_all(calf: AnyGame, level: str) -> None:
    for seats in (2, 4):
        bots = [get_bot(level, calf)] * seats
        assert play(calf, bots, 7) == play(calf, bots, 7)


def test_it_clearly_beats_random_play(calf: AnyGame) -> None:
    assert share(calf, ImaginingBot(calf, 20), 400) > 0.57


def test_it_plays_what_it_must_without_thinking(calf: AnyGame) -> None:
    state = calf.setup(calf.options_type(), 2)
    request = calf.deal_request(state)
    assert request is not None
    state, _ = calf.deal(state, shuffled(request, Random(1)))
    rng = Random(5)
    before = rng.getstate()
    legal = calf.legal(state, 0)[:1]
    assert ImaginingBot(calf, 10**9).choose(calf.view(state, 0), legal, rng) == legal[0]
    assert rng.getstate() == before


def test_of_very_many_actions_it_tries_some_of_all_kinds() -> None:
    """A draft begins with all cards open: more than it tries. What it plays is legal all the same."""
    game = registry.get("six")
    options = game.options_type(draft=True)
    state = game.setup(options, 6)
    request = game.deal_request(state)
    if request is not None:
        state, _ = game.deal(state, shuffled(request, Random(1)))
    seat = game.pending(state)[0].seat
    legal = game.legal(state, seat)
    assert len(legal) > MAX_ACTIONS
    assert ImaginingBot(game, 1).choose(game.view(state, seat), legal, Random(1)) in legal


@pytest.mark.parametrize("game_id", registry.OURS)
def test_it_plays_all_games(game_id: str) -> None:
    """Some decisions in each of ours, many of which it will never meet elsewhere."""
    game, rng = registry.get(game_id), Random(3)
    state = game.setup(game.options_type(), max(2, game.min_seats))
    bot = ImaginingBot(game, 1)
    for _ in range(6):
        if (request := game.deal_request(state)) is not None:
            state, _ = game.deal(state, shuffled(request, rng))
        seat = game.pending(state)[0].seat
        action = bot.choose(game.view(state, seat), game.legal(state, seat), rng)
        state, _ = game.apply(state, seat, action)
