"""Means, intervals, ratings and the test that stops early."""

import random
from math import sqrt

import pytest

from nimmt.arena import Course, Sprt, make_report
from nimmt.arena.players import Clocked, DealResult, Forfeit, TableResult
from nimmt.arena.statistics import MIN_DEALS, Trial, estimate, lead, rate, student, tally


def deal(number, *tables, seats=2):
    clocks = (Clocked(1, 0.5, 0.5),) * seats
    return DealResult("deals", number, tuple(TableResult(*table) for table in tables), clocks, 1.0)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (9, 2.262), (29, 2.045), (99, 1.984), (9999, 1.960)],
)
def test_quantiles_are_those_of_the_tables(freedom, quantile):
    # For three and four the expansion is good to a few hundredths: nobody measures bots on four deals.
    assert student(freedom) == pytest.approx(quantile, abs=0.03 if freedom < 5 else 0.005)


def test_the_interval_is_students():
    found = estimate([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    reach = 2.262 * sqrt(55 / 6) / sqrt(10)
    assert (found.mean, found.low, found.high) == (
        5.5,
        pytest.approx(5.5 - reach, 1e-3),
        pytest.approx(5.5 + reach, 1e-3),
    )


def test_one_deal_has_no_interval():
    assert estimate([3.0]).low is None


def test_intervals_hold_what_they_promise():
    rng = random.Random(5)
    held = 0
    for _ in range(1000):
        found = estimate([rng.expovariate(1) for _ in range(50)])
        held += found.low < 1 < found.high
    assert 915 <= held <= 975


def test_points_and_wins_are_means_over_the_seats_of_a_deal(plan):
    two = plan("greedy:1,random:2", seats=3)
    result = deal(0, ((0, 1, 1), (3, 9, 3), (0, 2)), ((1, 1, 0), (7, 5, 6), (1,)))
    assert tally(two, 0, result) == type(tally(two, 0, result))(points=4.5, wins=0.25)
    assert tally(two, 1, result).points == pytest.approx(6)
    assert tally(two, 1, result).wins == pytest.approx((0 + 0.5 + 0 + 1) / 4)
    assert lead(two, result) == pytest.approx(0.25 - 0.375)


def test_a_team_does_not_divide_its_win(plan):
    teams = plan("greedy,random", game="buffalo", seats=2)
    result = deal(0, ((0, 0), (5, 5), (0, 1)), ((1, 1), (9, 9), ()))
    assert (tally(teams, 0, result).wins, tally(teams, 1, result).wins) == (1, 0)


def test_wins_of_a_table_add_up_to_one(plan, play):
    three = plan("greedy,random,a=random", seats=3)
    results = play(three, 20)
    report = make_report(three, Course("deals", 20, 20), results)
    assert sum(bot.wins.mean for bot in report.bots) == pytest.approx(1)


def test_pairs_are_compared_on_the_same_deals(plan, play):
    two = plan("greedy,random", seats=2)
    report = make_report(two, Course("deals", 40, 40), play(two, 40))
    (pair,) = report.pairs
    greedy, other = report.bots
    assert pair.points.mean == pytest.approx(greedy.points.mean - other.points.mean)
    assert pair.points.mean < 0 < pair.wins.mean
    assert pair.points.high < 0


def test_a_report_of_nothing_is_empty(plan):
    report = make_report(plan("greedy,random"), Course("deals", 5, 0), [])
    assert (report.bots, report.pairs, report.tables) == ((), (), 0)


# -- ratings ----------------------------------------------------------------------------------------------------


def test_who_wins_is_rated_higher(plan, play):
    two = plan("random,greedy")
    low, high = rate(two, play(two, 30))
    assert high.mu > 27
    assert low.mu < 25
    assert high.ordinal == pytest.approx(high.mu - 3 * high.sigma)


def test_equal_results_leave_equal_ratings(plan):
    two = plan("greedy,random", seats=2)
    one, other = rate(two, [deal(0, ((0, 1), (4, 4), (0, 1)))])
    assert one.mu == pytest.approx(other.mu)


def test_most_points_win_where_they_do(plan):
    two = plan("greedy,random", game="baron", seats=2, bulls_are_good=True)
    one, other = rate(two, [deal(0, ((0, 1), (9, 4), (0,)))])
    assert one.mu > other.mu


def test_a_forfeit_comes_last(plan):
    three = plan("greedy,random,a=random", seats=3)
    table = TableResult((0, 1, 2), (9, 2, 9), (1,), (Forfeit(0, "time", "Too late."),))
    first, second, third = rate(three, [DealResult("deals", 0, (table,), (Clocked(),) * 3, 1.0)])
    assert second.mu > third.mu > first.mu


def test_teams_are_rated_by_the_same_deals(plan):
    teams = plan("greedy,random", game="buffalo", seats=2)
    one, other = rate(teams, [deal(0, ((0, 0), (5, 5), (0, 1)), ((1, 1), (9, 9), ()))])
    assert one.mu > other.mu


def test_one_contestant_alone_keeps_its_rating(plan):
    (alone,) = rate(plan("greedy", seats=2), [deal(0, ((0, 0), (5, 7), (0,)), seats=1)])
    assert alone.mu == 25


# -- stopping early ---------------------------------------------------------------------------------------------


def outcome(mean, seed, deals=4000):
    rng, test = random.Random(seed), Trial(Sprt())
    for _ in range(deals):
        test.add(rng.gauss(mean, 0.5))
        if test.verdict:
            break
    return test.verdict


def test_the_risk_is_what_it_says():
    wrong = sum(outcome(0.0, seed) == "better" for seed in range(300))
    missed = sum(outcome(0.05, seed) == "not better" for seed in range(300))
    assert wrong <= 0.08 * 300
    assert missed <= 0.08 * 300


def test_clear_cases_end_soon():
    test = Trial(Sprt())
    rng = random.Random(1)
    while not test.verdict:
        test.add(rng.gauss(0.4, 0.5))
    assert test.verdict == "better"
    assert test.count < 60


def test_a_handful_of_deals_decides_nothing():
    test = Trial(Sprt())
    test.add_all([1.0] * (MIN_DEALS - 1))
    assert test.verdict is None
    test.add(1.0)
    assert (test.llr > 1000, test.verdict) == (True, "better")


def test_nothing_seen_means_nothing():
    assert Trial(Sprt()).llr == 0
