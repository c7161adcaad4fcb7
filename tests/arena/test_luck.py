"""Luck that is taken off results has mean zero, and what is left is closer together."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from statistics import fmean, pstdev
from typing import Any

import msgspec
import pytest

from nimmt.arena import Ledger, make_plan, make_report, read_field, run
from nimmt.arena.luck import Lucks
from nimmt.arena.players import Hall, TableResult
from nimmt.arena.runner import Here
from nimmt.arena.statistics import MIN_ADJUSTED, adjusted, without_luck
from nimmt.bots import get_bot
from nimmt.bots.simple import chances_of
from nimmt.match.match import Match
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry


def plan_of(game_id: str, field: str, rounds: int, seats: int = 3) -> Any:
    game = registry.get(game_id)
    return make_plan(game, game.options_type(), seats, read_field(field), seed="1", duplicate=False, luck=rounds)


def dealt(game_id: str, seats: int = 3) -> tuple[Any, Any]:
    game = registry.get(game_id)
    return game, Match(game, game.options_type(), [SeatInfo("A")] * seats, Dealer(bytes(32), ())).state


# -- chances ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", ["random", "greedy", "newcomer", "casual"])
@pytest.mark.parametrize("game_id", ["six", "eleven"])
def test_bots_know_their_own_chances(bot: str, game_id: str) -> None:
    """What a bot says about itself is what it does."""
    game, state = dealt(game_id)
    seat = game.pending(state)[0].seat
    view, legal, rng, player = game.view(state, seat), game.legal(state, seat), Random(1), get_bot(bot, game)
    chances = chances_of(player, view, legal)
    assert chances is not None
    assert sum(chances.values()) == pytest.approx(1)
    drawn = Counter(player.choose(view, legal, rng) for _ in range(2000))
    assert set(drawn) <= set(chances)
    for action, chance in chances.items():
        assert drawn[action] / 2000 == pytest.approx(chance, abs=0.05)


def test_who_searches_does_not_know() -> None:
    game, state = dealt("six")
    assert chances_of(get_bot("expert", game), game.view(state, 0), game.legal(state, 0)) is None


# -- luck -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", ["six", "x", "baron", "eleven"])
def test_the_luck_of_a_draw_has_mean_zero(game_id: str) -> None:
    """Exactly, over all that could have been drawn, for every seat, in points and in wins."""
    game, state = dealt(game_id)
    plan, seat = plan_of(game_id, "random:3", 5), game.pending(state)[0].seat
    legal = game.legal(state, seat)
    chances = {action: (at + 1) / sum(range(len(legal) + 1)) for at, action in enumerate(legal)}
    sums = [[0.0] * 4 for _ in range(3)]
    for action, chance in chances.items():
        table = Lucks(plan, plan.options_for("deals")).at((0, 0, 0), bytes(32))
        table.acted(state, seat, action, lambda *_: chances)
        for at, column in enumerate(msgspec.structs.astuple(table.told())):
            for owner, luck in enumerate(column):
                sums[owner][at] += chance * luck
    assert sums == [pytest.approx([0] * 4, abs=1e-5)] * 3


def test_the_luck_of_deals_has_mean_zero() -> None:
    plan = plan_of("six", "greedy:1,random:2", 8)
    with Hall(plan, "deals") as hall:
        tables = [table for deal in range(150) for table in hall.play(deal).tables]
    for part in ("deal_points", "turn_points", "deal_wins", "turn_wins"):
        luck = [getattr(table.luck, part)[table.who.index(0)] for table in tables]
        assert abs(fmean(luck)) < 4 * pstdev(luck) / len(luck) ** 0.5


def test_what_is_left_is_closer_together_and_means_the_same() -> None:
    plan = plan_of("six", "greedy:1,random:2", 30)
    ledger = Ledger()
    course = run(plan, "deals", 120, Here(), ledger)
    report = make_report(plan, course, ledger.first("deals", 120))
    for one in (*report.bots, *report.pairs):
        assert one.adjusted is not None
        assert one.adjusted.points_spread < 0.7
        assert one.adjusted.wins_spread < 0.7
        assert one.points.low is not None
        assert one.points.high is not None
        assert one.points.low < one.adjusted.points.mean < one.points.high


def test_luck_does_not_change_what_is_played() -> None:
    tables = []
    for rounds in (0, 5):
        with Hall(plan_of("six", "greedy:1,random:2", rounds), "deals") as hall:
            tables.append(hall.play(3).tables)
    without, measured = tables
    assert [table.luck for table in without] == [None]
    assert without == tuple(msgspec.structs.replace(table, luck=None) for table in measured)


def test_results_of_before_can_be_read() -> None:
    old = json.dumps({"who": [0, 1], "points": [3, 5], "winners": [0], "forfeits": []})
    assert msgspec.json.decode(old, type=TableResult).luck is None


# -- taking it off ----------------------------------------------------------------------------------------------


def test_as_much_is_taken_off_as_explains_most() -> None:
    rng = Random(1)
    luck = [(rng.gauss(0, 1), rng.gauss(0, 2)) for _ in range(2000)]
    values = [10 + 0.5 * deal + 1.0 * turns + rng.gauss(0, 0.3) for deal, turns in luck]
    left = without_luck(values, luck)
    assert pstdev(left) == pytest.approx(0.3, abs=0.02)
    assert fmean(left) == pytest.approx(10, abs=0.03)


def test_luck_that_explains_nothing_does_no_harm() -> None:
    rng = Random(2)
    luck = [(rng.gauss(0, 9), 0.0) for _ in range(2000)]
    values = [rng.gauss(10, 1) for _ in luck]
    assert pstdev(without_luck(values, luck)) == pytest.approx(pstdev(values), rel=0.01)


def test_few_deals_show_nothing() -> None:
    few = MIN_ADJUSTED - 1
    assert adjusted([1.0] * few, [0.0] * few, [((0.0, 0.0), (0.0, 0.0))] * few) is None
    same = adjusted([1.0] * 50, [0.0] * 50, [((0.0, 0.0), (0.0, 0.0))] * 50)
    assert same is not None
    assert same.points.mean == 1
