"""The bots that search on the fast core: legal, honest, repeatable, and stronger than what they are made of."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from nimmt.bots import get_bot, worlds
from nimmt.bots.bot import puzzle_player
from nimmt.bots.levels import Thought
from nimmt.bots.worlds import Chance, Effort, WorldsBot, turns_left, values_of
from nimmt.fast.game import get_fast
from nimmt.fast.simulation import simulate
from nimmt.games.buffalo import GAME as BUFFALO
from nimmt.games.buffalo import search
from nimmt.games.buffalo.position import table_position
from nimmt.games.buffalo.search import BuffaloBot, promising
from nimmt.games.buffalo.types import Agree, Decline, Last, Options, Pass, Propose, Push, Sort, Use
from nimmt.games.x import GAME as X
from nimmt.games.x.types import Options as XOptions
from nimmt.match.match import Match, single_deal
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.kit.options import variant_options

TABLES = [
    (game.id, variant.id, seats)
    for game in map(registry.get, ("x", "eleven", "baron", "buffalo"))
    for variant, seats in zip(game.variants, (3, 2, 3, 2), strict=False)
] + [("buffalo", "basic", 6), ("buffalo", "basic", 1)]


def quick(game_id: str):
    """A bot that thinks as little as one can."""
    return team_bot(1) if game_id == "buffalo" else WorldsBot(registry.get(game_id), Thought(1), knows_standings=True)


def team_bot(rounds: int) -> BuffaloBot:
    """A Master who thinks as little as this."""
    ways = search.MASTER
    return BuffaloBot(ways._replace(cards=ways.cards._replace(rounds=rounds), uses=ways.uses._replace(rounds=rounds)))


def begin(game, variant: str, seats: int, seed: int) -> Match:
    infos, options = [SeatInfo(str(seat)) for seat in range(seats)], variant_options(game, variant)
    return Match(game, single_deal(game, options), infos, Dealer(bytes([seed]) * 32, [""] * seats))


def play(match: Match, bots, seed: int = 1) -> Match:
    rng, game = Random(seed), match.game
    while match.outcome is None:
        seat = game.pending(match.state)[0].seat
        legal = game.legal(match.state, seat)
        action = bots[seat].choose(game.view(match.state, seat), legal, rng) if len(legal) > 1 else legal[0]
        assert action in legal
        match.act(seat, action)
    return match


@pytest.mark.parametrize(("game_id", "variant", "seats"), TABLES)
def test_matches_come_to_an_end(game_id: str, variant: str, seats: int) -> None:
    match = play(begin(registry.get(game_id), variant, seats, 3), [quick(game_id)] * seats)
    assert match.outcome is not None


@pytest.mark.parametrize("game_id", ["x", "buffalo"])
def test_the_same_seed_gives_the_same_match(game_id: str) -> None:
    first, again = (play(begin(registry.get(game_id), "basic", 2, 3), [quick(game_id)] * 2, seed=4) for _ in range(2))
    assert first.moves == again.moves


# -- how it searches -------------------------------------------------------------------------------------------------


def test_actions_that_are_clearly_worse_are_given_up() -> None:
    match = begin(X, "basic", 2, 1)
    view, codes = X.view(match.state, 0), np.array(match.state.hands[0], np.int64)

    def worth(points, rival):
        del rival
        tried = np.zeros(points.shape[:2])
        tried[:, -1] = 1 + 0.01 * np.arange(len(points))
        return tried

    values = values_of(get_fast("x"), view, codes, Effort(48, 0), worth, 1)
    assert values.argmax() == len(codes) - 1
    assert np.isinf(values[:-1]).all()


def chance_of(points, *, scores=(), rounds: int = 1, round_number: int = 1, knows_standings: bool = True) -> float:
    """Seat 0's worth of a result."""
    view = X.view(begin(X, "basic", len(points), 1).state, 0)
    table = replace(view.table, options=XOptions(rounds=rounds), round=round_number, scores=scores)
    worth = Chance(X, replace(view, table=table), 0.0, knows_standings=knows_standings)
    return float(worth(np.array([points], np.float64), np.zeros(1))[0])


def test_points_are_worth_the_win_that_they_bring() -> None:
    assert chance_of((3, 3, 9)) == 0.5
    assert chance_of((4, 3, 9)) == 0
    assert chance_of((4, 3), scores=((0, 20),), rounds=2, round_number=2) == 1
    assert chance_of((4, 3), scores=((0, 20),), rounds=2, round_number=2, knows_standings=False) == 0
    assert 0.5 < chance_of((3, 9), rounds=2) < chance_of((3, 40), rounds=2) < 1


def test_where_bulls_are_good_the_most_win() -> None:
    baron = registry.get("baron")
    view = baron.view(begin(baron, "both", 2, 1).state, 0)
    worth = Chance(baron, view, 0.0, knows_standings=True)
    assert worth(np.array([[9.0, 3.0], [3.0, 9.0]]), np.zeros(2)).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("game_id", "variant", "seats"), [("baron", "basic", 4), ("baron", "both", 3), ("x", "basic", 2)]
)
def test_rounds_go_on_as_long_as_is_said(game_id: str, variant: str, seats: int) -> None:
    """Turns are counted by the secret choices that all make together."""
    game, rng, said = registry.get(game_id), Random(5), []
    match = begin(game, variant, seats, 2)
    while match.outcome is None:
        seat = game.pending(match.state)[0].seat
        if match.state.table.phase == "choose" and len(match.state.waiting) == seats:
            said.append(turns_left(game, game.view(match.state, seat)))
        match.act(seat, rng.choice(game.legal(match.state, seat)))
    assert all(turns <= len(said) - number for number, turns in enumerate(said))
    assert max(said) > 4


def test_the_end_is_looked_at_when_it_is_in_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    baron, looked = registry.get("baron"), []

    def watched(fast, view, codes, effort, worth, seed):
        looked.append((turns_left(baron, view), effort.turns))
        return np.zeros(len(codes))

    monkeypatch.setattr(worlds, "values_of", watched)
    play(begin(baron, "basic", 3, 3), [WorldsBot(baron, Thought(1, turns=4), knows_standings=True)] * 3)
    assert {turns for left, turns in looked if left > 4} == {4}
    assert {turns for left, turns in looked if left <= 4} == {0}


def test_nobody_waits_for_a_compiler_when_the_end_comes_in_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    """A warm-up goes both ways: a few turns ahead, and to the end of the round."""
    efforts = []

    def watched(fast, view, codes, effort, worth, seed):
        efforts.append(effort.turns)
        return np.zeros(len(codes))

    monkeypatch.setattr(worlds, "values_of", watched)
    worlds.warm_up(registry.get("baron"))
    assert 0 in efforts
    assert any(efforts)


def test_a_look_ahead_counts_what_was_taken_by_then() -> None:
    """A card that must take a row costs its bulls at once, whoever plays on: the first turn shows it."""
    baron = registry.get("baron")
    view = baron.view(begin(baron, "basic", 2, 1).state, 0)
    fast = get_fast("baron")
    codes, positions = np.array(view.hand, np.int64), fast.worlds(view, fast.shuffled(view, 30, 1))
    points, _ = worlds.play(fast, positions, 0, codes, Effort(1, 0.0, "greedy", 1), 1)
    to_the_end, _ = worlds.play(fast, positions, 0, codes, Effort(1, 0.0, "greedy"), 1)
    assert points.max() <= 30 < to_the_end.max()
    assert (points <= to_the_end).all()


def test_a_round_that_goes_on_is_not_won_yet() -> None:
    view = X.view(begin(X, "basic", 2, 1).state, 0)
    sure, open_ = (Chance(X, view, 0.0, knows_standings=False, goes_on=goes_on) for goes_on in (False, True))
    points, rival = np.array([[3.0, 4.0], [3.0, 30.0]]), np.zeros(2)
    assert sure(points, rival).tolist() == [1, 1]
    assert 0.5 < open_(points, rival)[0] < open_(points, rival)[1] < 1


# -- special cards ---------------------------------------------------------------------------------------------------


def trap(decide: str = "agree", face_up=("Last", "Push")):
    """Seat 0's 100 would take a full row; played last, the buffalo's 103 takes it."""
    hands, rows = [[40, 100], [12, 41]], [[91, 92, 93, 94, 95], [10], [20], [30]]
    state = table_position(rows, hands, [103, 50], face_up=face_up, options=Options(decide=decide))
    for seat, card in enumerate((100, 12)):
        action = next(action for action in BUFFALO.legal(state, seat) if action.card == card)
        state, _ = BUFFALO.apply(state, seat, action)
    for seat in (0, 1):  # the 12 harms nobody
        state, _ = BUFFALO.apply(state, seat, Pass())
    return state


def asked(state, seat: int):
    return team_bot(60).choose(BUFFALO.view(state, seat), BUFFALO.legal(state, seat), Random(1))


def test_a_use_that_saves_a_row_is_proposed_and_agreed_to() -> None:
    proposed = asked(trap(), 1)
    assert isinstance(proposed, Propose)
    state, _ = BUFFALO.apply(trap(), 1, proposed)
    assert asked(state, 0) == Agree()
    state, _ = BUFFALO.apply(trap(), 1, Propose(Last(0)))
    assert asked(state, 0) == Agree()
    assert isinstance(asked(trap("anyone"), 0), Use)


def test_a_use_that_costs_a_row_is_declined_and_nobody_insists() -> None:
    state, _ = BUFFALO.apply(trap(), 1, Propose(Push(10, 1)))
    assert asked(state, 0) == Decline()
    state, _ = BUFFALO.apply(state, 0, Decline())
    assert asked(state, 1) == Pass()


def test_a_new_order_is_found_among_many() -> None:
    found = promising(BUFFALO.view(trap(face_up=("Sort",)), 0))
    assert found
    assert all(isinstance(use, Sort) and use.order.index(-1) < use.order.index(0) for use in found)


def test_a_use_that_gains_nothing_is_not_proposed() -> None:
    hands = [[40, 60], [12, 41]]
    state = table_position([[90], [10], [20], [30]], hands, [103, 50], face_up=("First", "Last"))
    for seat in (0, 1):
        state, _ = BUFFALO.apply(state, seat, BUFFALO.legal(state, seat)[0])
    assert asked(state, 0) == Pass()


# -- strength --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game_id", "other", "deals"), [("x", "greedy", 16), ("eleven", "random", 6), ("baron", "random", 6)]
)
def test_search_wins_more_than_its_share(game_id: str, other: str, deals: int) -> None:
    """In 11 nimmt! and Baron Oxx a lead over greedy players takes far more deals to see: `benches/bench_levels.py`."""
    game, wins = registry.get(game_id), 0.0
    searching, opponent = WorldsBot(game, Thought(200), knows_standings=True), get_bot(other, game)
    for deal in range(deals):
        outcome = play(begin(game, "basic", 4, deal), [searching, opponent, opponent, opponent]).outcome
        wins += (0 in outcome.winners) / len(outcome.winners)
    assert wins > deals / 4 * 1.5


def test_a_searching_team_beats_the_buffalo_more_often() -> None:
    won = {"search": 0, "greedy": 0}
    for deal in range(10):
        for name, bot in (("search", BuffaloBot(search.EXPERT)), ("greedy", get_bot("greedy", BUFFALO))):
            won[name] += bool(play(begin(BUFFALO, "basic", 2, deal), [bot] * 2).outcome.winners)
    assert won["search"] > won["greedy"]


@pytest.fixture
def efforts(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is put into each decision of a search."""
    found = []

    def watched(fast, view, codes, effort, worth, seed):
        found.append(effort)
        return np.zeros(len(codes))

    monkeypatch.setattr(search, "values_of", watched)
    return found


@pytest.mark.parametrize(("seats", "rounds"), [(4, 120), (5, 30)])
def test_experts_of_puzzles_think_less_in_a_large_team(seats: int, rounds: int, efforts: list[Any]) -> None:
    """As they did when puzzles were looked for: else nobody could prove them."""
    match = begin(BUFFALO, "basic", seats, 1)
    puzzle_player("expert", BUFFALO).choose(BUFFALO.view(match.state, 0), BUFFALO.legal(match.state, 0), Random(1))
    assert [effort.rounds for effort in efforts] == [rounds]


@pytest.mark.parametrize("ways", [search.EXPERT, search.MASTER])
def test_a_team_looks_some_turns_ahead_until_the_end_is_in_sight(ways: search.Ways, efforts: list[Any]) -> None:
    match, bot = begin(BUFFALO, "basic", 3, 1), BuffaloBot(ways)
    for turn in range(1, 10):
        legal = BUFFALO.legal(match.state, 0)
        bot.choose(BUFFALO.view(match.state, 0), legal, Random(1))
        end_in_sight = turn + ways.cards.turns > 10
        assert efforts.pop().turns == (0 if end_in_sight else ways.cards.turns)
        while match.state.table.turn == turn:
            seat = BUFFALO.pending(match.state)[0].seat
            match.act(seat, BUFFALO.legal(match.state, seat)[0])


@pytest.mark.parametrize(
    ("level", "decide", "gain", "used"),
    [
        ("expert", "agree", 0.8, False),
        ("expert", "agree", 1.2, True),
        ("expert", "anyone", 4.8, False),
        ("expert", "anyone", 5.2, True),
        ("master", "anyone", 0.8, False),
        ("master", "anyone", 1.2, True),
    ],
)
def test_a_card_is_laid_only_if_it_helps_so_much_more_than_waiting(
    level: str, decide: str, gain: float, used: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "values_of", lambda fast, view, codes, *_: np.linspace(0.0, gain, len(codes)))
    state = trap(decide)
    chosen = get_bot(level, BUFFALO).choose(BUFFALO.view(state, 0), BUFFALO.legal(state, 0), Random(1))
    assert (chosen != Pass()) == used


@pytest.mark.parametrize(
    ("level", "loss", "agreed"),
    [("expert", 1.8, True), ("expert", 2.2, False), ("master", 0.8, True), ("master", 1.2, False)],
)
def test_one_who_is_asked_trusts_whoever_asks_a_little(
    level: str, loss: float, agreed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "values_of", lambda *_: np.array([0.0, -loss]))
    state, _ = BUFFALO.apply(trap(), 1, Propose(Last(0)))
    answer = get_bot(level, BUFFALO).choose(BUFFALO.view(state, 0), BUFFALO.legal(state, 0), Random(1))
    assert answer == (Agree() if agreed else Decline())


@pytest.mark.parametrize(
    ("decide", "gain", "used"), [("anyone", 0.2, False), ("anyone", 0.4, True), ("agree", 0.2, True)]
)
def test_experts_of_puzzles_who_ask_nobody_lay_a_card_only_if_it_helps_much(
    decide: str, gain: float, used: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "values_of", lambda fast, view, codes, *_: np.linspace(0.0, gain, len(codes)))
    state = trap(decide)
    chosen = puzzle_player("expert", BUFFALO).choose(BUFFALO.view(state, 0), BUFFALO.legal(state, 0), Random(1))
    assert (chosen != Pass()) == used


def test_a_wary_team_wins_more_often_than_a_greedy_one() -> None:
    won = {}
    for policy in ("greedy", "wary"):
        won[policy] = simulate("buffalo", rounds=2000, seats=4, policy=policy, seed=1).wins[:, 0].mean()
    assert won["wary"] > won["greedy"] + 0.08
