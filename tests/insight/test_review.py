"""A review adds up, uses nothing hidden, is always the same, and names as mistakes what is one."""

from __future__ import annotations

import re
from functools import cache
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

import nimmt
from nimmt.bots.judge import judge_of, seed_of
from nimmt.insight.chances import Future
from nimmt.insight.figures import LANGUAGES, TEXTS, Account, Prospect, Reason, Review, joined
from nimmt.insight.review import review
from nimmt.match.match import replay
from nimmt.match.record import Record, RecordError, decode_action
from nimmt.rules import registry

WORLDS = 20
MATCHES = {
    "six": {"bots": ["greedy", "random", "casual"], "target": 30},
    "six-draft": {"bots": ["greedy", "random"], "variant": "draft", "rounds": 1},
    "six-fans": {"bots": ["greedy", "random"], "variant": "all-fans", "rounds": 2},
    "x": {"bots": ["greedy", "random", "casual"]},
    "eleven": {"bots": ["greedy", "casual"]},
    "baron": {"bots": ["greedy", "random"]},
    "baron-both": {"bots": ["greedy", "casual"], "variant": "both"},
    "buffalo": {"bots": ["greedy", "casual"]},
    "buffalo-anyone": {"bots": ["casual", "random"], "variant": "anyone"},
}


@cache
def played(name: str) -> Record:
    settings: dict[str, Any] = MATCHES[name]
    return nimmt.Match(name.partition("-")[0], seed=5, **settings).play().record


@cache
def reviewed(name: str) -> Review:
    return review(played(name), worlds=WORLDS)


def adds_up(account: Account) -> bool:
    return account.mean + account.deal_luck + account.turn_luck + account.decisions == pytest.approx(
        account.result, abs=1e-9
    )


@pytest.mark.parametrize("name", MATCHES)
def test_the_ledger_adds_up(name: str) -> None:
    """For every seat, round and match, in both units, and to what the match really brought."""
    record, found = played(name), reviewed(name)
    assert record.result is not None
    for seat in found.seats:
        assert all(adds_up(account) for pair in seat.rounds for account in pair)
        assert adds_up(seat.points)
        assert adds_up(seat.win)
        winners = record.result.winners
        share = (seat.seat in winners) / (1 if name.startswith("buffalo") else max(1, len(winners)))
        assert seat.win.result == pytest.approx(share, abs=1e-6)
        if not name.startswith("buffalo"):
            assert seat.points.result == record.result.points[seat.seat]
    assert found.decisions, "nothing was judged"


@pytest.mark.parametrize("name", ["six", "x", "buffalo"])
def test_the_same_record_gives_the_same_bytes(name: str) -> None:
    judge_of.cache_clear()
    assert msgspec.json.encode(review(played(name), worlds=WORLDS)) == msgspec.json.encode(reviewed(name))


def test_one_seat_alone_is_judged_as_among_all() -> None:
    alone = review(played("six"), seats=[1], worlds=WORLDS)
    assert alone.seats == reviewed("six").seats[1:2]
    assert alone.decisions == tuple(one for one in reviewed("six").decisions if one.seat == 1)


@pytest.mark.parametrize("name", ["six", "x"])
def test_parts_make_the_whole(name: str) -> None:
    """A round can be judged by itself, at another time and place: together they are the review of the match."""
    whole = reviewed(name).seats[0]
    rounds = range(1, len(whole.rounds) + 1)
    parts = [review(played(name), seats=[0], rounds=[number], worlds=WORLDS) for number in rounds]
    assert joined([part.seats[0] for part in parts]) == whole
    assert [one for part in parts for one in part.decisions] == [
        one for one in reviewed(name).decisions if one.seat == 0
    ]


@pytest.mark.parametrize("name", ["six", "six-draft", "x", "eleven", "baron", "buffalo"])
def test_hidden_cards_change_nothing(name: str) -> None:
    """Whatever others hold: who cannot see it is judged the same."""
    record, rng = played(name), Random(1)
    game = registry.get(record.game)
    judge, tried = judge_of(game), 0
    for step in replay(record):
        for decision in game.pending(step.state):
            seat = decision.seat
            if game.outcome(step.state) is not None or rng.random() > 0.1:
                continue
            view, legal = game.view(step.state, seat), game.legal(step.state, seat)
            other = game.imagine(view, rng.sample(game.unseen(view), len(game.unseen(view))))
            again, also_legal = game.view(other, seat), game.legal(other, seat)
            actions = judge.considered(view, legal, legal[0])
            assert actions == judge.considered(again, also_legal, also_legal[0])
            one = judge.try_out(view, actions, 5, seed_of(judge.name, view))
            two = judge.try_out(again, actions, 5, seed_of(judge.name, again))
            assert all(map(np.array_equal, one, two))
            tried += 1
    assert tried


@pytest.mark.parametrize("name", ["six", "baron-both"])
def test_costs_compare_with_the_best(name: str) -> None:
    """Nothing costs less than nothing, and what was best costs nothing."""
    for one in reviewed(name).decisions:
        values = {tried.action: tried.points for tried in one.values}
        assert one.cost >= 0
        assert one.cost <= one.stake + 1e-6
        assert abs(abs(values[one.action] - values[one.best]) - one.cost) < 1e-5
        assert (one.action == one.best) <= (one.cost == 0)
        costs = {tried.action: tried.cost for tried in one.values}
        assert (costs[one.action], costs[one.best], min(costs.values())) == (one.cost, 0, 0)


def test_a_decision_says_which_action_of_the_record_it_is() -> None:
    record = played("six")
    for one in reviewed("six").decisions:
        moved = record.actions[one.number - 1]
        assert (moved.seat, decode_action(registry.get("six"), moved.action)) == (one.seat, one.action)


def test_a_blunder_is_named_and_explained() -> None:
    """Random players take dear rows for nothing."""
    blunders = [one for one in reviewed("six").decisions if one.named]
    assert blunders
    worst = max(blunders, key=lambda one: one.cost)
    assert worst.cost > 2 * worst.error
    assert "to the end of the round" in worst.reason
    assert {type(one.best).__name__ for one in blunders} <= {"PlayCard", "ChooseRow"}


def test_reasons_are_counted_in_the_worlds() -> None:
    for one in reviewed("six").decisions:
        if type(one.action).__name__ == "ChooseRow":
            assert one.facts.done.takes == 100  # whoever chooses a row takes it
        assert 0 <= one.facts.best.takes <= 100
        values = {tried.action: tried.points for tried in one.values}
        gap = values[one.action] - values[one.best]
        assert one.facts.done.rest - one.facts.best.rest == pytest.approx(gap, abs=0.011)


@pytest.mark.parametrize("language", LANGUAGES)
def test_reasons_say_the_same_in_every_language(language: str) -> None:
    fields = {key: set(re.findall(r"{(\w+)}", text)) for key, text in TEXTS[language].items()}
    assert fields == {key: set(re.findall(r"{(\w+)}", text)) for key, text in TEXTS["en"].items()}


def test_better_players_lose_less_by_their_decisions() -> None:
    found = review(nimmt.Match("six", ["random", "random", "expert"], seed=2, rounds=3).play(), worlds=60)
    careless, _, careful = found.seats
    assert careless.lost > careful.lost
    assert careless.accuracy < careful.accuracy


def test_a_running_match_is_not_reviewed() -> None:
    match = nimmt.Match("six", [None, "greedy"], seed=1)
    with pytest.raises(RecordError, match="not over"):
        review(match)


def test_a_broken_record_is_refused() -> None:
    record = played("x")
    broken = msgspec.structs.replace(record, actions=record.actions[1:])
    with pytest.raises(RecordError):
        review(broken)


def test_a_choice_that_was_changed_counts_once() -> None:
    """Only the last choice of a turn was seen by anybody."""
    match = nimmt.Match("six", [None, None], seed=1, rounds=1)
    hands = [list(hand) for hand in match.position.hands]
    match = nimmt.Match("six", [None, None], seed=1, rounds=1)
    match.apply(0, hands[0][0])
    match.apply(0, hands[0][1])
    while match.outcome is None:
        game, state = match.game, match._match.state
        for decision in game.pending(state)[:1]:
            match.apply(decision.seat, game.legal(state, decision.seat)[0])
    first = [one for one in review(match, worlds=WORLDS).decisions if one.seat == 0 and one.turn == 1]
    assert [getattr(one.action, "card", None) for one in first if type(one.action).__name__ == "PlayCard"] == [
        hands[0][1]
    ]


# -- the chance to win ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game_id", ["six", "x", "baron"])
def test_equals_have_equal_chances(game_id: str) -> None:
    game = registry.get(game_id)
    future = Future(game, judge_of(game), game.options_type(), 4, 1, 2)
    assert future.chance(np.zeros(4), 0) == pytest.approx(0.25, abs=0.04)


def test_the_chance_to_win_follows_the_standings() -> None:
    game = registry.get("six")
    future = Future(game, judge_of(game), game.options_type(), 3, 1, 0)
    chances = [future.chance(np.array([own, 30.0, 30.0]), 3) for own in (0.0, 15.0, 30.0, 45.0, 60.0)]
    assert chances == sorted(chances, reverse=True)
    assert future.chance(np.array([65.0, 66.0, 70.0]), 4) == 1.0
    assert future.chance(np.array([66.0, 66.0, 70.0]), 4) == 0.5


# -- special cards ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["buffalo", "buffalo-anyone"])
def test_special_cards_say_what_they_brought(name: str) -> None:
    """Compared with the same worlds without them: the difference of two values that stand in the review."""
    used = [one for one in reviewed(name).decisions if one.extra is not None]
    assert used, "no special card was used"
    for one in used:
        assert one.extra is not None
        values = {type(tried.action).__name__: tried.points for tried in one.values}
        done = next(tried.points for tried in one.values if tried.action == one.action)
        without = values["Decline"] if "Decline" in values else values["Pass"]
        assert one.extra.gain == pytest.approx(without - done, abs=1e-5)
        assert one.extra.what in {"Take7", "Stop", "Lift", "Swap", "Insert", "Push", "First", "Last", "Sort"}


def test_no_other_game_has_special_cards() -> None:
    assert all(one.extra is None for one in reviewed("six").decisions)


# -- now and later ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_card_that_was_spared_is_told(language: str) -> None:
    """3 takes a row of 1 now; who spares it takes one of 7 later."""
    best = Prospect(what="3", takes=100, price=1, rest=2.0, soon=1.0)
    done = Prospect(what="40", takes=0, price=0, rest=8.0, soon=0.0)
    told = Reason(done, best).told(language)
    assert all(number in told for number in ("1.0", "8.0", "2.0"))
    assert len(told) > len(Reason(best, done).told(language)), "only the other way round"


def test_places_are_named_in_every_language() -> None:
    one, other = Prospect("88 → pile 2", 0, 0, 3.0), Prospect("pile 1", 100, 0, 4.0)
    assert "Stapel 1" in Reason(other, one).told("de")
    assert "стопка 2" in Reason(other, one).told("ru")
