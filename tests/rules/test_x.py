"""X nimmt!: the rulebook sentence by sentence, its worked examples, and why every round ends."""

import random
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from nimmt.games.x import GAME
from nimmt.games.x.position import table_position
from nimmt.games.x.types import (
    CardKept,
    CardsRevealed,
    ChooseRow,
    HandsCounted,
    KeepCard,
    Options,
    Play,
    PlayCard,
    State,
    Taking,
)
from nimmt.rules.game import (
    Action,
    Deal,
    Event,
    IllegalAction,
    InvalidDeal,
    InvalidOptions,
    InvalidPosition,
    Outcome,
    Refusal,
)
from nimmt.rules.kit import notation
from nimmt.rules.kit.cards import bulls, deck
from nimmt.rules.kit.events import CardChosen, CardPlaced, MatchEnded, RoundDealt, RoundEnded
from nimmt.testing.random_play import play_match

Rows = tuple[tuple[int, ...], ...]
Step = tuple[State, tuple[Event, ...]]


def rows(text: str) -> Rows:
    return tuple(tuple(map(int, row.split())) for row in text.split("|"))


def position(lying: str, *hands: str, x_rows: str = "", x_piles: str = "", rounds: int = 2) -> State:
    return table_position(
        rows(lying),
        [tuple(map(int, hand.split())) for hand in hands],
        rows(x_rows) if x_rows else None,
        rows(x_piles) if x_piles else None,
        Options(rounds=rounds),
    )


def turn(
    state: State, *cards: int, row: Mapping[int, int] | None = None, keep: Mapping[int, int] | None = None
) -> Step:
    """All seats play their cards; rows and kept cards are as given by seat. Stops where nothing is given."""
    events: list[Event] = []
    for seat, card in enumerate(cards):
        state, happened = GAME.apply(state, seat, PlayCard(card))
        events += happened
    answers: dict[str, Mapping[int, Any]] = {
        "row": {seat: ChooseRow(number) for seat, number in (row or {}).items()},
        "keep": {seat: KeepCard(card) for seat, card in (keep or {}).items()},
    }
    while state.table.phase in answers:
        (decision,) = GAME.pending(state)
        if decision.seat not in answers[decision.kind]:
            break
        state, happened = GAME.apply(state, decision.seat, answers[decision.kind][decision.seat])
        events += happened
    return state, tuple(events)


def only(events: tuple[Event, ...], kind: type[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def refusal(state: State, seat: int, action: Action) -> Refusal:
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(state, seat, action)
    assert str(caught.value).endswith(".")
    return caught.value.refusal


def shuffled(seed: int) -> Deal:
    order = list(deck(100))
    random.Random(seed).shuffle(order)
    return Deal({"numbers": tuple(order)})


# --- the worked examples of the rulebook


def test_example_18_and_22_go_to_row_2_and_60_to_row_3() -> None:
    state, _ = turn(position("93 | 12 | 48", "18 1", "22 2", "60 3"), 18, 22, 60)
    assert state.table.rows == rows("93 | 12 18 22 | 48 60")


def test_example_59_is_the_fourth_card_of_row_2_and_takes_three() -> None:
    state, events = turn(position("93 | 12 18 22 | 48 60", "59 1", "81 2", "94 3"), 59, 81, 94)
    assert only(events, CardPlaced) == [CardPlaced(0, 59, 2, (12, 18, 22), 7, "full-row")]
    assert state.table.rows == rows("93 | 59 | 48 60")
    assert GAME.legal(state, 0) == [KeepCard(12), KeepCard(18), KeepCard(22)]
    state, _ = GAME.apply(state, 0, KeepCard(18))
    assert state.table.rows == rows("93 94 | 59 | 48 60 81")


def test_example_of_three_cards_taken_one_goes_to_the_x_row_and_two_to_the_hand() -> None:
    state, _ = turn(position("93 | 12 18 22 | 60", "59 1", "81 2"), 59, 81, keep={0: 18})
    assert state.table.x_rows == ((18,), ())
    assert state.hands == ((1, 12, 22), (2,))


def test_example_43_fits_nowhere_and_takes_59_which_goes_to_the_x_row() -> None:
    before = position("93 94 | 59 | 48 60 81", "43 1", "66 2", "89 3")
    state, events = turn(before, 43, 66, 89, row={0: 2})
    assert only(events, CardPlaced)[0] == CardPlaced(0, 43, 2, (59,), 1, "too-low")
    assert state.table.x_rows == ((59,), (), ())
    assert state.hands[0] == (1,)
    assert state.table.rows == rows("93 94 | 43 66 | 48 60 81 89")


def test_example_two_cards_lower_than_the_x_row_send_it_to_the_x_pile() -> None:
    before = position("30 41 | 90 | 99", "45 1", "2 3", x_rows="50 70 | ")
    state, _ = turn(before, 45, 3, row={1: 3}, keep={0: 41})
    assert state.table.x_rows == ((41,), (99,))
    assert state.table.x_piles == ((50, 70), ())
    assert state.hands[0] == (1, 30)


def test_example_five_bulls_in_hand_and_nine_in_the_x_pile_are_23_points() -> None:
    before = position("30 | 40 | 50", "31 22", "51", x_rows="99 | ", x_piles="55 15 | ")
    assert (bulls((22,)), bulls((55, 15))) == (5, 9)
    _, events = turn(before, 31, 51)
    assert only(events, HandsCounted) == [HandsCounted(((22,), ()), (5, 0), (9, 0))]
    assert only(events, RoundEnded)[0].points == (23, 0)


# --- cards and deal


def test_the_deck_is_1_to_100_with_167_bulls() -> None:
    request = GAME.deal_request(GAME.setup(Options(), 2))
    assert request is not None
    assert request.decks == {"numbers": tuple(range(1, 101))}
    assert bulls(request.decks["numbers"]) == 167


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.rule("x.setup")
def test_each_seat_gets_eight_cards_and_then_each_row_one_in_the_order_dealt(seats: int) -> None:
    deal = shuffled(1)
    order = deal.decks["numbers"]
    state, events = GAME.deal(GAME.setup(Options(), seats), deal)
    assert state.hands == tuple(tuple(sorted(order[8 * seat : 8 * seat + 8])) for seat in range(seats))
    assert state.table.rows == tuple((card,) for card in order[8 * seats : 8 * seats + 3])
    assert events == (RoundDealt(1, state.table.rows, state.hands),)


def test_x_rows_and_x_piles_are_empty_at_first_and_everybody_has_their_own() -> None:
    state, _ = GAME.deal(GAME.setup(Options(), 3), shuffled(2))
    assert state.table.x_rows == state.table.x_piles == ((), (), ())


@pytest.mark.parametrize("seats", [-1, 0, 1, 5])
def test_two_to_four_can_play(seats: int) -> None:
    with pytest.raises(InvalidOptions, match="2 to 4"):
        GAME.setup(Options(), seats)


def test_a_deal_of_other_cards_is_refused() -> None:
    with pytest.raises(InvalidDeal):
        GAME.deal(GAME.setup(Options(), 2), Deal({"numbers": deck(104)}))


def test_nothing_is_dealt_while_a_round_goes_on() -> None:
    with pytest.raises(InvalidDeal):
        GAME.deal(position("1 | 2 | 3", "4", "5"), shuffled(3))


# --- choosing in secret, revealing, order


def test_all_are_waited_for_until_they_have_chosen() -> None:
    state = position("10 | 20 | 30", "40 41", "50 51")
    assert [decision.seat for decision in GAME.pending(state)] == [0, 1]
    state, _ = GAME.apply(state, 0, PlayCard(40))
    assert [decision.seat for decision in GAME.pending(state)] == [1]


def test_a_choice_is_secret_until_all_have_chosen() -> None:
    state, (event,) = GAME.apply(position("10 | 20 | 30", "40 41", "50 51"), 0, PlayCard(41))
    assert event.seen_by(0) == CardChosen(0, 41)
    assert event.seen_by(1) == event.seen_by(None) == CardChosen(0, None)
    assert GAME.view(state, 0).choice == 41
    assert GAME.view(state, 1).choice is None
    assert state.hands[0] == (40, 41)


def test_a_choice_may_be_changed_while_others_still_choose() -> None:
    state, _ = GAME.apply(position("10 | 20 | 30", "40 41", "50 51"), 0, PlayCard(41))
    state, _ = GAME.apply(state, 0, PlayCard(40))
    state, _ = GAME.apply(state, 1, PlayCard(50))
    assert state.table.rows == rows("10 | 20 | 30 40 50")


@pytest.mark.rule("x.turn")
def test_cards_are_revealed_at_once_and_placed_from_the_lowest() -> None:
    _, events = turn(position("10 | 20 | 30", "42 1", "41 2", "40 3"), 42, 41, 40)
    assert only(events, CardsRevealed) == [CardsRevealed((Play(2, 40), Play(1, 41), Play(0, 42)))]
    assert [event.card for event in only(events, CardPlaced)] == [40, 41, 42]


# --- rules 1 to 4


@pytest.mark.rule("x.smallest-difference")
def test_rule_1_a_card_only_follows_a_lower_end() -> None:
    state, _ = turn(position("10 | 60 | 61", "50 1", "11 2"), 50, 11)
    assert state.table.phase == "keep"
    assert state.table.rows == rows("50 | 60 | 61")


@pytest.mark.rule("x.smallest-difference")
def test_rule_2_the_highest_lower_end_counts() -> None:
    state, events = turn(position("10 | 30 | 20", "25 1", "99 2"), 25, 99)
    assert state.table.rows == rows("10 | 30 99 | 20 25")
    assert {event.rule for event in only(events, CardPlaced)} == {"smallest-difference"}


@pytest.mark.parametrize(
    ("before", "after", "taken"),
    [
        ("10 11 | 1 | 2", "50 | 1 | 2", (10, 11)),
        ("1 | 10 11 12 | 2", "1 | 50 | 2", (10, 11, 12)),
        ("1 | 2 | 10 11 12 13", "1 | 2 | 50", (10, 11, 12, 13)),
    ],
)
@pytest.mark.rule("x.full-row")
def test_rule_3_the_third_fourth_or_fifth_card_takes_the_ones_before(
    before: str, after: str, taken: tuple[int, ...]
) -> None:
    state, events = turn(position(before, "50 60"), 50)
    assert only(events, CardPlaced) == [
        CardPlaced(0, 50, 1 + rows(after).index((50,)), taken, bulls(taken), "full-row")
    ]
    assert state.table.rows == rows(after)
    assert state.table.taken == Taking(0, taken)


@pytest.mark.parametrize("before", ["10 | 1 | 2", "1 | 10 11 | 2", "1 | 2 | 10 11 12"])
def test_rule_3_at_rest_rows_hold_two_three_and_four(before: str) -> None:
    state, events = turn(position(before, "50 60"), 50)
    assert only(events, CardPlaced)[0].taken == ()
    assert state.table.phase == "choose"


@pytest.mark.parametrize(("row", "taken"), [(1, (10, 11)), (2, (20,)), (3, (30, 31, 32))])
@pytest.mark.rule("x.too-low")
def test_rule_4_a_card_too_low_takes_any_row(row: int, taken: tuple[int, ...]) -> None:
    state, _ = turn(position("10 11 | 20 | 30 31 32", "5 6"), 5)
    assert GAME.legal(state, 0) == (ChooseRow(1), ChooseRow(2), ChooseRow(3))
    state, (placed, *_) = GAME.apply(state, 0, ChooseRow(row))
    assert placed == CardPlaced(0, 5, row, taken, bulls(taken), "too-low")
    assert state.table.rows[row - 1] == (5,)


def test_rule_4_is_a_choice_even_when_one_row_is_plainly_best() -> None:
    state, _ = turn(position("55 66 | 99 100 | 98", "5 6"), 5)
    assert [decision.kind for decision in GAME.pending(state)] == ["row"]


def test_rule_4_a_card_placed_before_may_make_room_for_the_next() -> None:
    state, _ = turn(position("10 | 20 | 30", "5 1", "6 2"), 5, 6, row={0: 1})
    assert state.table.rows == rows("5 6 | 20 | 30")


# --- taken cards, X row, X pile


@pytest.mark.rule("x.x-row")
def test_a_single_taken_card_goes_to_the_x_row_without_a_question() -> None:
    state, events = turn(position("10 | 20 | 30", "5 1"), 5, row={0: 3})
    assert only(events, CardKept) == [CardKept(0, 30, (30,), (), ())]
    assert (state.table.phase, state.hands) == ("choose", ((1,),))


@pytest.mark.parametrize("kept", [10, 11])
@pytest.mark.rule("x.x-row")
def test_which_taken_card_goes_to_the_x_row_is_free(kept: int) -> None:
    state, _ = turn(position("10 11 | 2 | 3", "50 1"), 50, keep={0: kept})
    assert state.table.x_rows == ((kept,),)
    assert state.hands == ((1, 21 - kept),)


def test_a_higher_card_is_added_to_the_x_row() -> None:
    state, events = turn(position("10 11 | 2 | 3", "50 1", x_rows="4 9"), 50, keep={0: 10})
    assert only(events, CardKept) == [CardKept(0, 10, (4, 9, 10), (), (11,))]
    assert (state.table.x_rows, state.table.x_piles) == (((4, 9, 10),), ((),))


@pytest.mark.rule("x.x-pile")
def test_a_lower_card_sends_the_whole_x_row_to_the_pile_first() -> None:
    before = position("10 11 | 2 | 3", "50 1", x_rows="4 12", x_piles="90 91")
    state, events = turn(before, 50, keep={0: 10})
    assert only(events, CardKept) == [CardKept(0, 10, (10,), (4, 12), (11,))]
    assert (state.table.x_rows, state.table.x_piles) == (((10,),), ((90, 91, 4, 12),))


def test_only_the_takers_x_row_changes() -> None:
    before = position("10 11 | 2 | 3", "50 1", "60 4", x_rows="12 | 80")
    state, _ = turn(before, 50, 60, keep={0: 10})
    assert (state.table.x_rows, state.table.x_piles) == (((10,), (80,)), ((12,), ()))


def test_what_to_keep_is_decided_before_the_next_card_is_placed() -> None:
    state, events = turn(position("10 11 | 2 | 3", "50 1", "60 4"), 50, 60)
    assert [event.card for event in only(events, CardPlaced)] == [50]
    assert [(decision.seat, decision.kind) for decision in GAME.pending(state)] == [(0, "keep")]
    assert state.table.queue == (Play(1, 60),)


@pytest.mark.rule("x.x-row")
def test_taken_cards_may_be_played_from_the_next_turn() -> None:
    state, _ = turn(position("10 11 | 2 | 3", "50 1"), 50, keep={0: 10})
    assert PlayCard(11) in GAME.legal(state, 0)
    state, _ = turn(state, 11)
    assert state.table.rows == rows("50 | 2 | 3 11")


def test_two_takers_in_one_turn_decide_one_after_the_other() -> None:
    before = position("10 11 | 20 21 22 | 1", "15 5", "25 6")
    state, events = turn(before, 15, 25, keep={0: 11, 1: 22})
    assert [(event.seat, event.card) for event in only(events, CardKept)] == [(0, 11), (1, 22)]
    assert state.hands == ((5, 10), (6, 20, 21))


# --- the end of a round


@pytest.mark.rule("x.end")
def test_the_round_ends_when_one_hand_is_empty_at_the_end_of_a_turn() -> None:
    state, events = turn(position("10 | 20 | 30", "40", "41 42"), 40, 41)
    assert only(events, RoundEnded) == [RoundEnded(1, (0, 1), (0, 1))]
    assert state.table.phase == "deal"


def test_the_round_does_not_end_before_all_cards_of_the_turn_lie() -> None:
    state, events = turn(position("10 | 20 | 30 31 32 33", "25", "40 41"), 25, 40, keep={1: 33})
    assert only(events, RoundEnded) != []
    assert state.table.rows == rows("10 | 20 25 | 40")
    assert state.hands[1] == (30, 31, 32, 41)


def test_who_plays_the_last_card_but_takes_two_or_more_plays_on() -> None:
    state, events = turn(position("10 11 | 20 | 30", "15", "41 42"), 15, 41, keep={0: 11})
    assert only(events, RoundEnded) == []
    assert (state.table.phase, state.hands) == ("choose", ((10,), (42,)))


def test_who_plays_the_last_card_and_takes_one_ends_the_round() -> None:
    _, events = turn(position("10 | 20 | 30", "5", "41 42"), 5, 41, row={0: 1})
    assert only(events, RoundEnded) != []


@pytest.mark.rule("x.end")
def test_a_hand_counts_once_an_x_pile_twice_an_x_row_nothing() -> None:
    before = position("30 | 40 | 50", "31 10 20", "51", x_rows="66 77 | 88", x_piles="1 2 3 | 55")
    _, events = turn(before, 31, 51)
    assert only(events, RoundEnded)[0].points == (3 + 3 + 2 * 3, 2 * 7)


def test_hands_are_laid_open_when_the_round_ends() -> None:
    state, events = turn(position("10 | 20 | 30", "40", "41 42"), 40, 41)
    assert only(events, HandsCounted)[0].hands == ((), (42,))
    assert GAME.view(state, 0).table.known == ((), (42,))


def test_everything_is_shuffled_again_for_the_next_round() -> None:
    before = position("10 | 20 | 30", "40", "41 42", x_rows="1 | 2", x_piles="3 | 4")
    state, _ = turn(before, 40, 41)
    state, (dealt,) = GAME.deal(state, shuffled(7))
    assert isinstance(dealt, RoundDealt)
    assert dealt.round == 2
    assert state.table.x_rows == state.table.x_piles == state.table.known == ((), ())
    assert [len(hand) for hand in state.hands] == [8, 8]


# --- the end of a match


@pytest.mark.rule("x.end")
def test_a_match_has_two_rounds() -> None:
    assert Options().rounds == 2
    state, events = turn(position("10 | 20 | 30", "40", "41 42"), 40, 41)
    assert (GAME.outcome(state), only(events, MatchEnded)) == (None, [])
    second = position("10 | 20 | 30", "40 44", "41")
    second = replace(second, table=replace(second.table, round=2, scores=((10, 3),)))
    state, events = turn(second, 40, 41)
    assert GAME.outcome(state) == Outcome("rounds", (1,), (15, 3))
    assert only(events, MatchEnded) == [MatchEnded(Outcome("rounds", (1,), (15, 3)))]


def test_points_of_all_rounds_are_added_and_fewest_win() -> None:
    last = position("10 | 20 | 30", "40", "41 42", rounds=3)
    last = replace(last, table=replace(last.table, round=3, scores=((1, 2), (5, 4))))
    state, _ = turn(last, 40, 41)
    assert GAME.outcome(state) == Outcome("rounds", (0,), (6, 7))


def test_equal_fewest_points_share_the_win() -> None:
    last = position("10 | 20 | 30", "40", "41", "50 51", rounds=1)
    state, _ = turn(last, 40, 41, 50)
    assert GAME.outcome(state) == Outcome("rounds", (0, 1), (0, 0, 1))


@pytest.mark.parametrize("number", [0, 101, -1, 1.5, "2"])
def test_the_number_of_rounds_is_limited(number: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"rounds": number}, Options)


# --- what everybody knows


def test_cards_seen_going_to_a_hand_are_known_until_they_are_played() -> None:
    state, _ = turn(position("10 11 | 2 | 3", "50 1", "60 61"), 50, 60, keep={0: 10})
    assert state.table.known == ((11,), ())
    assert GAME.view(state, None).hand_sizes == (2, 1)
    state, _ = GAME.apply(state, 0, PlayCard(11))
    assert state.table.known == ((11,), ())
    state, _ = GAME.apply(state, 1, PlayCard(61))
    assert state.table.known == ((), ())


def test_a_known_card_is_never_imagined_elsewhere() -> None:
    state, _ = turn(position("10 11 | 2 | 3", "50 1", "60 61"), 50, 60, keep={0: 10})
    view = GAME.view(state, 1)
    assert 11 not in GAME.unseen(view)
    assert 11 in GAME.imagine(view, GAME.unseen(view)).hands[0]


def test_x_rows_and_x_piles_are_public() -> None:
    state = position("10 | 2 | 3", "50 1", "60 61", x_rows="20 | 30", x_piles="90 | 91")
    table = GAME.view(state, None).table
    assert (table.x_rows, table.x_piles) == (((20,), (30,)), ((90,), (91,)))


def test_a_dealt_hand_is_seen_by_its_owner_alone() -> None:
    state, (dealt,) = GAME.deal(GAME.setup(Options(), 3), shuffled(4))
    assert isinstance(dealt, RoundDealt)
    assert dealt.seen_by(1).hands == (None, state.hands[1], None)
    assert dealt.seen_by(None).hands == (None, None, None)
    assert GAME.view(state, None).hand == ()


# --- refusals


KEEPING, _ = turn(position("10 11 | 2 | 3", "50 1", "60 61"), 50, 60)
LOW, _ = turn(position("10 | 20 | 30", "5 6", "60 61"), 5, 60)
CHOOSING = position("10 | 20 | 30", "5 6", "60 61")
OVER, _ = turn(position("10 | 20 | 30", "40", "41 42", rounds=1), 40, 41)


@pytest.mark.parametrize(
    ("state", "seat", "action", "code"),
    [
        (CHOOSING, 0, PlayCard(60), Refusal.NOT_IN_HAND),
        (CHOOSING, 0, PlayCard(10**40), Refusal.NOT_IN_HAND),
        (CHOOSING, 0, PlayCard(-1), Refusal.NOT_IN_HAND),
        (CHOOSING, 0, ChooseRow(1), Refusal.WRONG_ACTION),
        (CHOOSING, 0, KeepCard(10), Refusal.WRONG_ACTION),
        (CHOOSING, 2, PlayCard(5), Refusal.NO_SUCH_SEAT),
        (CHOOSING, -1, PlayCard(60), Refusal.NO_SUCH_SEAT),
        (LOW, 0, ChooseRow(0), Refusal.NO_SUCH_ROW),
        (LOW, 0, ChooseRow(4), Refusal.NO_SUCH_ROW),
        (LOW, 0, ChooseRow(-(10**40)), Refusal.NO_SUCH_ROW),
        (LOW, 1, ChooseRow(1), Refusal.NOT_YOUR_TURN),
        (LOW, 0, PlayCard(6), Refusal.WRONG_ACTION),
        (LOW, 1, PlayCard(61), Refusal.NOT_YOUR_TURN),
        (KEEPING, 0, KeepCard(50), Refusal.NOT_AMONG_TAKEN),
        (KEEPING, 0, KeepCard(10**40), Refusal.NOT_AMONG_TAKEN),
        (KEEPING, 1, KeepCard(10), Refusal.NOT_YOUR_TURN),
        (KEEPING, 0, PlayCard(1), Refusal.WRONG_ACTION),
        (KEEPING, 1, PlayCard(61), Refusal.NOT_YOUR_TURN),
        (OVER, 0, PlayCard(1), Refusal.MATCH_OVER),
        (GAME.setup(Options(), 2), 0, PlayCard(1), Refusal.WAITING_FOR_DEAL),
    ],
)
def test_what_is_not_allowed_is_refused_with_its_code(state: State, seat: int, action: Action, code: Refusal) -> None:
    assert refusal(state, seat, action) is code


# --- how it is told


def test_a_round_is_told_in_plain_sentences() -> None:
    before = position("10 11 | 20 | 30", "15", "41 42", x_rows="14 | ", rounds=1)
    state, first = turn(before, 15, 41, keep={0: 11})
    _, second = turn(state, 10, 42, row={0: 2})
    assert [event.tell(["Anna", "Ben"]) for event in (*first, *second)] == [
        "Anna chooses 15.",
        "Ben chooses 41.",
        "Revealed: Anna 15, Ben 41.",
        "Anna: 15 is one too many for row 1 and takes 10 11 (8 bulls).",
        "Anna puts 11 into the X row, where 14 must leave for the X pile, and picks up 10.",
        "Ben: 41 goes to row 3.",
        "Anna chooses 10.",
        "Ben chooses 42.",
        "Revealed: Anna 10, Ben 42.",
        "Anna: 10 starts row 2 again and takes 20 (3 bulls).",
        "Anna puts 20 into the X row.",
        "Ben: 42 goes to row 3.",
        "Counted: Anna holds nothing and has 1 bull in the X pile; Ben holds nothing and has 0 bulls in the X pile.",
        "Round 1 ends. Points (total): Anna 2 (2), Ben 0 (0).",
        "The match is over: Ben wins.",
    ]


def test_a_hand_is_told_when_it_is_counted() -> None:
    event = HandsCounted(((10, 20), ()), (6, 0), (1, 0))
    assert event.tell(["Anna", "Ben"]).startswith("Counted: Anna holds 10 20 (6 bulls) and has 1 bull in the X pile;")


@pytest.mark.parametrize("value", [Play(3, 59), Taking(0, (10, 18, 22))])
def test_plays_and_takings_can_be_written_as_text(value: Play | Taking) -> None:
    assert notation.read(notation.write(value, type(value)), type(value)) == value


# --- positions made by hand


def test_a_position_made_by_hand_lets_all_choose() -> None:
    state = table_position([[5], [10, 18, 22], [70]], [[61, 59]], x_rows=[[4, 12]])
    assert (state.table.phase, state.waiting, state.hands) == ("choose", (0,), ((59, 61),))
    state, _ = turn(state, 59, keep={0: 18})
    assert state.table.rows == rows("5 | 59 | 70")
    assert state.table.x_rows == ((4, 12, 18),)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_a_position_may_have_one_to_four_seats(seats: int) -> None:
    assert table_position([[1], [2], [3]], [[10 + seat] for seat in range(seats)]).table.seats == seats


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hands": []}, "seats must be from 1 to 4"),
        ({"hands": [[4], [5], [6], [7], [8]]}, "seats must be from 1 to 4"),
        ({"hands": [[4], []]}, "empty hand"),
        ({"hands": [[4], [101]]}, "no card 101"),
        ({"hands": [[4], [4]]}, "Card 4 lies in"),
        ({"hands": [[1]]}, "Card 1 lies in"),
        ({"rows": [[1], [2]]}, "3 rows"),
        ({"rows": [[1], [], [3]]}, "3 rows"),
        ({"rows": [[1], [3, 2], [5]]}, "ascend"),
        ({"rows": [[1, 5, 6], [2], [3]]}, "Row 1 holds more than 2"),
        ({"rows": [[1], [2, 5, 6, 7], [3]]}, "Row 2 holds more than 3"),
        ({"rows": [[1], [2], [3, 5, 6, 7, 8]]}, "Row 3 holds more than 4"),
        ({"x_rows": [[7, 6]]}, "ascend"),
        ({"x_rows": [[6], [7]]}, "x_rows must have one entry"),
        ({"x_piles": []}, "x_piles must have one entry"),
        ({"x_piles": [[0]]}, "no card 0"),
    ],
)
def test_a_position_that_no_table_shows_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidPosition, match=message):
        table_position(**{"rows": [[1], [2], [3]], "hands": [[4]], **arguments})


def table_of(state: State, **changes: Any) -> State:
    return replace(state, table=replace(state.table, **changes))


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (table_of(CHOOSING, phase="row"), "waiting"),
        (table_of(CHOOSING, phase="keep"), "waiting"),
        (table_of(replace(CHOOSING, waiting=()), phase="row"), "fits none"),
        (table_of(replace(CHOOSING, waiting=()), phase="keep"), "lie open exactly"),
        (table_of(CHOOSING, queue=(Play(0, 99),)), "still to be placed"),
        (table_of(CHOOSING, known=((7,), ())), "must be there"),
        (table_of(CHOOSING, taken=Taking(0, (70, 71))), "lie open exactly"),
        (table_of(CHOOSING, round=2), "scores"),
        (table_of(CHOOSING, round=2, scores=((1,),)), "scores"),
        (replace(CHOOSING, chosen=(60, None), waiting=(1,)), "cannot have chosen"),
        (replace(CHOOSING, chosen=(5, 60), waiting=()), "waiting"),
        (replace(CHOOSING, waiting=(1, 0)), "waiting"),
        (replace(CHOOSING, hands=((6, 5), (60, 61))), "ascending"),
        (table_of(LOW, queue=(Play(0, 5), Play(0, 60))), "one card"),
        (table_of(LOW, queue=(Play(7, 5),)), "one card"),
        (table_of(LOW, queue=(Play(1, 60), Play(0, 5))), "from the lowest"),
        (table_of(LOW, queue=(Play(0, 25),)), "fits none"),
        (table_of(KEEPING, taken=Taking(2, (10, 11))), "is a seat"),
        (table_of(KEEPING, taken=Taking(1, (10, 11))), "is a seat"),
        (table_of(KEEPING, taken=Taking(0, (10,))), "2 to 4"),
        (table_of(KEEPING, taken=Taking(0, (10, 11, 12, 13, 14))), "2 to 4"),
        (table_of(KEEPING, taken=Taking(0, (11, 10))), "ascend"),
        (table_of(OVER, known=((), ())), "lie open"),
        (table_of(replace(OVER, hands=((43,), (42,))), known=((43,), (42,))), "empty"),
    ],
)
def test_a_state_that_the_rules_cannot_go_on_from_is_refused(broken: State, message: str) -> None:
    with pytest.raises(InvalidPosition, match=message):
        GAME.check(broken)


# --- a law of its own, by random matches; those of all games: tests/laws


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_every_round_ends_because_each_card_placed_lowers_a_measure(seed: int, seats: int) -> None:
    """4 for each card in a hand or about to be placed, 3 for each in a row: see `turn.py`."""
    measure, turns = 0, 0
    for _, _, _, events, state in play_match(GAME, Options(), seats, random.Random(seed)):
        table = state.table
        held = sum(map(len, state.hands)) + len(table.queue) + (len(table.taken.cards) - 1 if table.taken else 0)
        now = 4 * held + 3 * sum(map(len, table.rows))
        if only(events, RoundDealt):
            measure, turns = now, 0
        placed = len(only(events, CardPlaced))
        assert now <= measure - placed
        turns += len(only(events, CardsRevealed))
        assert turns <= 32
        measure = now
