"""Deals and how they are counted."""

import msgspec
import pytest

from nimmt.arena.players import settle
from nimmt.match.match import single_deal
from nimmt.rules import registry
from nimmt.rules.game import Outcome
from nimmt.testing.conformance import all_cases


def without_times(results):
    return [msgspec.structs.replace(result, clocks=(), seconds=0.0) for result in results]


@pytest.mark.parametrize("kind", ["deals", "matches"])
def test_the_same_plan_gives_the_same_results(plan, play, kind):
    one = play(plan("greedy,random", target=30), 3, kind)
    assert without_times(one) == without_times(play(plan("greedy,random", target=30), 3, kind))


def test_a_deal_does_not_depend_on_those_before_it(plan, play):
    from nimmt.arena.players import Unit, play_unit

    (alone,) = play_unit(plan("greedy,random"), Unit("deals", (4,)))
    assert without_times([alone]) == without_times(play(plan("greedy,random"), 5))[4:]


def test_with_duplicate_each_deal_is_played_at_every_table(plan, play):
    (result,) = play(plan("greedy,random:1,a=random,b=random".replace(":1", "")), 1)
    assert [table.who for table in result.tables] == [(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)]


def test_equal_bots_in_the_same_seats_have_the_same_luck(plan, play):
    """Only then is a deal the same for everybody."""
    (result,) = play(plan("a=random,b=random"), 1)
    assert len({table.points for table in result.tables}) == 1


def test_without_duplicate_the_tables_take_turns(plan, play):
    results = play(plan("greedy,random", duplicate=False), 4)
    assert [[table.who for table in result.tables] for result in results] == [
        [(0, 1, 0, 1)],
        [(1, 0, 1, 0)],
        [(0, 1, 0, 1)],
        [(1, 0, 1, 0)],
    ]


@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.id)
def test_every_game_and_variant_is_played(plan, play, case):
    settings = msgspec.to_builtins(case.options())
    length = case.game.length_option
    rounds = {length: 2} if length else {}
    for kind in ("deals", "matches") if length else ("deals",):
        (result,) = play(plan("greedy,random", case.game.id, case.seats, **settings | rounds), 1, kind)
        assert all(len(table.points) == case.seats for table in result.tables)


@pytest.mark.parametrize(
    ("game", "option"), [("six", "rounds"), ("x", "rounds"), ("eleven", "rounds"), ("baron", "games")]
)
def test_a_single_deal_has_one_round(game, option):
    playing = registry.get(game)
    assert getattr(single_deal(playing, playing.options_type(**{option: 7})), option) == 1


def test_a_game_without_rounds_is_one_deal():
    buffalo = registry.get("buffalo")
    assert single_deal(buffalo, buffalo.options_type()) == buffalo.options_type()


def test_thinking_is_clocked(plan, play):
    (result,) = play(plan("greedy:1,random:3"), 1)
    greedy, random = result.clocks
    assert 32 <= greedy.decisions <= 48
    assert random.decisions > 2 * greedy.decisions
    assert 0 < greedy.slowest <= greedy.seconds


# -- forfeits ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "winners", "forfeits", "settled"),
    [
        ((3, 9, 5), (0,), [], ((3, 9, 5), (0,))),
        ((3, 9, 5), (0,), [0], ((9, 9, 5), (2,))),
        ((3, 9, 5), (0,), [1], ((3, 9, 5), (0,))),
        ((3, 9, 5), (0,), [0, 2], ((9, 9, 9), (1,))),
        ((3, 9, 5), (0,), [0, 1, 2], ((9, 9, 9), ())),
        ((3, 3, 5), (0, 1), [0], ((5, 3, 5), (1,))),
        ((3, 9, 5), (1,), [1], ((3, 3, 5), (2,))),
        ((4, 4, 4), (0, 1, 2), [0], ((4, 4, 4), (1, 2))),
    ],
)
def test_a_forfeit_is_the_worst_result_and_no_win(points, winners, forfeits, settled):
    assert settle(Outcome("end", winners, points), forfeits, cooperative=False) == settled


def test_a_forfeit_loses_for_the_whole_team():
    assert settle(Outcome("team", (0, 1), (5, 5)), [1], cooperative=True) == ((5, 5), ())
