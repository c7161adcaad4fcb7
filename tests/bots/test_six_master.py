"""The search of 6 nimmt!: its kernels obey the rules, its beliefs are possible, its play is sound."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from nimmt.bots import get_bot
from nimmt.bots.simple import RandomBot
from nimmt.games.six.fast import FAST
from nimmt.games.six.position import table_position
from nimmt.games.six.rules import SIX
from nimmt.games.six.search.belief import imagine
from nimmt.games.six.search.exact import can_solve, exact_card, exact_row, solve, solve_matrix
from nimmt.games.six.search.levels import SearchBot, replay, situation_of, stakes_of
from nimmt.games.six.search.players import (
    PRIOR,
    GreedyPlayer,
    RandomPlayer,
    Round,
    SearchingPlayer,
    fitted,
    make_kinds,
    play_round,
)
from nimmt.games.six.search.situation import Effort, Stakes, new_desk, new_worlds
from nimmt.games.six.search.think import clues
from nimmt.games.six.types import MAX_SEATS, Options, State
from nimmt.match.match import Match
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules.kit.options import variant_options

VARIANTS = [variant.id for variant in SIX.variants]
SMALL = Effort(worlds=24, drafts=24, warm_up=4, thinning=4, herd=1.0)
SINGLE = Stakes(np.zeros(MAX_SEATS, np.int64), 66, 0, 0.01)
KINDS = make_kinds(fitted(), PRIOR, "master")


def match_of(variant: str, seats: int, seed: int, **changes) -> Match:
    options = variant_options(SIX, variant, **changes)
    return Match(SIX, options, [SeatInfo(str(n)) for n in range(seats)], Dealer(bytes([seed] * 32), [""] * seats))


def replayed(table, cards: int = 0):
    """The tables before each turn, as the history has them; so many cards are left in each hand."""
    lying = FAST.template(table.options, table.seats)
    FAST.load_into(lying[0], State(table, ((),) * table.seats, ((),) * table.seats, (None,) * table.seats, ()))
    lying["sizes"] = cards
    return replay(table, lying)[0]


@pytest.mark.parametrize("variant", VARIANTS)
def test_kernels_place_cards_as_the_rules_do(variant: str) -> None:
    """Replaying a round on arrays comes to the rows and markers of the rules, whatever was played."""
    rng, turns = Random(7), 0
    for seed in range(6):
        match, bot = match_of(variant, 2 + seed % 5, seed, rounds=2), RandomBot()
        while match.outcome is None:
            seat = SIX.pending(match.state)[0].seat
            table = match.state.table
            if table.phase in ("choose", "row"):
                assert len(replayed(table)) == len(table.history.turns)
                turns += len(table.history.turns)
            match.act(seat, bot.choose(SIX.view(match.state, seat), SIX.legal(match.state, seat), rng))
    assert turns > 100


def test_a_history_that_does_not_lead_to_the_rows_is_not_believed() -> None:
    match, bot, rng = match_of("basic", 3, 1), RandomBot(), Random(1)
    for _ in range(9):
        seat = SIX.pending(match.state)[0].seat
        match.act(seat, bot.choose(SIX.view(match.state, seat), SIX.legal(match.state, seat), rng))
    table = match.state.table
    assert len(replayed(table))
    assert not len(replayed(_with(table, rows=tuple(reversed(table.rows)))))
    assert not len(replayed(_with(table, history=type(table.history)())))
    left = 10 - len(table.history.turns)
    assert len(replayed(table, cards=left))
    assert not len(replayed(table, cards=left + 1)), "nobody had eleven cards"


def _with(table, **changes):
    from msgspec.structs import replace

    return replace(table, **changes)


@pytest.mark.parametrize("variant", VARIANTS)
def test_master_finishes_a_round_of_every_variant_legally(variant: str) -> None:
    match, bot, rng = match_of(variant, 3, 5, rounds=1), SearchBot(KINDS, SMALL, 0.01), Random(2)
    while match.outcome is None:
        seat = SIX.pending(match.state)[0].seat
        legal = SIX.legal(match.state, seat)
        action = bot.choose(SIX.view(match.state, seat), legal, rng)
        assert action in legal
        match.act(seat, action)


@pytest.mark.parametrize("seats", [2, 10])
def test_master_plays_with_few_and_many(seats: int) -> None:
    scores = play_round([SearchingPlayer(KINDS, SMALL)] * seats, SINGLE, np.random.default_rng(1))
    assert len(scores) == seats


def test_the_same_chance_gives_the_same_decision() -> None:
    state = table_position([[5, 9], [30], [55, 60], [88]], [[7, 33, 61, 90], [1, 2, 3, 4], [80, 81, 82, 83]])
    bot, view, legal = get_bot("master", SIX), SIX.view(state, 0), SIX.legal(state, 0)
    assert len({bot.choose(view, legal, Random(8)).card for _ in range(3)}) == 1


# -- belief ----------------------------------------------------------------------------------------------------------


def believed(players, turns: int, seed: int = 3, number: int = 60):
    rng, played = np.random.default_rng(4), Round(4, np.random.default_rng(seed))
    for _ in range(turns):
        played.turn(players, SINGLE, rng)
    now = played.situation(0)
    worlds, effort = new_worlds(now.flat, number), Effort(worlds=number, drafts=0, warm_up=20, thinning=10, herd=1.0)
    imagine(now, KINDS, clues(now, KINDS), effort, worlds, 99, new_desk(now.flat))
    return now, worlds


def test_imagined_hands_are_possible() -> None:
    now, worlds = believed([RandomPlayer()] * 4, turns=4)
    for world in worlds.flats:
        hands = [world["hands"][seat, : world["sizes"][seat]].tolist() for seat in range(4)]
        others = [card for hand in hands[1:] for card in hand]
        assert hands[0] == now.hand.tolist()
        assert all(hand == sorted(hand) for hand in hands)
        assert len(set(others)) == 3 * len(now.hand)
        assert set(others) <= set(now.pool.tolist())


@pytest.mark.parametrize(("player", "name"), [(RandomPlayer(), "random"), (GreedyPlayer(), "greedy")])
def test_players_are_recognised_by_their_plays(player, name: str) -> None:
    types = np.concatenate([believed([player] * 4, turns=8, seed=seed)[1].types[:, 1:4] for seed in range(6)])
    assert (types == list(PRIOR).index(name)).mean() > 0.5


# -- exact play ------------------------------------------------------------------------------------------------------


def test_matrix_games() -> None:
    mixture = np.zeros(3)
    scissors = np.array([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    assert solve_matrix(scissors, 3, 3, mixture) == pytest.approx(0)
    assert mixture == pytest.approx([1 / 3] * 3)
    assert solve_matrix(np.array([[3.0, 1], [0, 2]]), 2, 2, mixture) == pytest.approx(1.5)
    assert mixture[:2] == pytest.approx([0.5, 0.5])
    assert solve_matrix(np.array([[2.0, 3], [1, 9]]), 2, 2, mixture) == pytest.approx(2)


def test_no_mixture_does_better_against_the_exact_one() -> None:
    """Against the solution of a random matrix no single column brings the other side more than the value."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        rows, columns = rng.integers(1, 6, 2)
        matrix, mixture = rng.normal(size=(rows, columns)), np.zeros(rows)
        value = solve_matrix(matrix, rows, columns, mixture)
        assert mixture.sum() == pytest.approx(1)
        assert mixture.min() >= -1e-9
        assert (mixture @ matrix).min() == pytest.approx(value)


def value(state) -> float:
    """Seat 0's share of the win when both play best, by the rules themselves."""
    outcome = SIX.outcome(state)
    if outcome is not None:
        return (0 in outcome.winners) / len(outcome.winners)
    if state.table.phase == "row":
        seat = state.table.queue[0].seat
        values = [value(SIX.apply(state, seat, action)[0]) for action in SIX.legal(state, seat)]
        return min(values) if seat else max(values)
    after = [SIX.apply(state, 0, action)[0] for action in SIX.legal(state, 0)]
    matrix = [[value(SIX.apply(one, 1, action)[0]) for action in SIX.legal(one, 1)] for one in after]
    return solve_matrix(np.array(matrix), len(after), len(after), np.zeros(len(after)))


def test_two_seats_in_a_draft_play_their_last_cards_exactly() -> None:
    rng, mixed = Random(1), 0
    for _ in range(30):
        cards = rng.sample(range(1, 25), 20)
        rows = [sorted(cards[4 * row : 4 * row + 4]) for row in range(3)] + [sorted(cards[12:14])]
        hands = [cards[14:17], cards[17:20]]
        state = table_position(rows, hands, options=Options(draft=True, rounds=1))
        now, stakes = situation_of(SIX.view(state, 0)), stakes_of(state.table, 0.0)
        assert can_solve(now)
        stack, mixture = np.repeat(now.flat, 30), np.zeros(3)
        assert solve(stack, 0, stakes, mixture) == pytest.approx(value(state))
        mixed += 0.01 < mixture.max() < 0.99
        assert exact_card(now, stakes, 1) in hands[0]
    assert mixed


def test_the_exact_row_is_the_cheapest_when_nothing_follows() -> None:
    state = table_position([[10, 11], [20], [22, 23], [24]], [[1], [21]], options=Options(draft=True, rounds=1))
    for seat in (0, 1):
        state, _ = SIX.apply(state, seat, SIX.legal(state, seat)[0])
    now = situation_of(SIX.view(state, 0))
    assert exact_row(now, stakes_of(state.table, 0.01)) == 4


# -- strength --------------------------------------------------------------------------------------------------------


def test_the_greedy_yardstick_is_the_greedy_bot() -> None:
    greedy, rng = get_bot("greedy", SIX), Random(1)
    for seed in range(20):
        match = match_of("basic", 4, seed)
        for _ in range(12):
            seat = SIX.pending(match.state)[0].seat
            view, legal = SIX.view(match.state, seat), SIX.legal(match.state, seat)
            action = greedy.choose(view, legal, rng)
            if match.state.table.phase == "choose":
                assert GreedyPlayer().choose(situation_of(view), SINGLE, 1) == action.card
            match.act(seat, action)


def test_the_cheapest_row_is_taken_when_nothing_follows() -> None:
    state = table_position([[10, 11], [20], [22, 23], [24]], [[1], [30]], options=Options(rounds=1))
    for seat in (0, 1):
        state, _ = SIX.apply(state, seat, SIX.legal(state, seat)[0])
    choice = SearchBot(KINDS, SMALL, 0.01).choose(SIX.view(state, 0), SIX.legal(state, 0), Random(1))
    assert choice.row == 4


def test_search_beats_greedy_players() -> None:
    own = others = 0.0
    for deal in range(16):
        players = [GreedyPlayer(), GreedyPlayer(), GreedyPlayer(), SearchingPlayer(KINDS, SMALL)]
        scores = play_round(players, SINGLE, np.random.default_rng(deal))
        own, others = own + scores[3], others + sum(scores[:3]) / 3
    assert own < 0.75 * others
