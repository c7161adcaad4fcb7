"""6 nimmt!: both rulebooks sentence by sentence, and their worked examples."""

import random
from collections.abc import Collection, Mapping
from itertools import islice
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from nimmt.games.six import GAME
from nimmt.games.six.fans import CowJumped, MarkerMoved
from nimmt.games.six.position import table_position
from nimmt.games.six.types import (
    CardChosen,
    CardDrafted,
    CardsRevealed,
    ChooseRow,
    DraftBegun,
    DraftCard,
    Markers,
    MarkersLaid,
    MountainMarker,
    Options,
    ParityMarker,
    Play,
    PlayCard,
    RowsStarted,
    State,
    twisted,
)
from nimmt.rules.game import Action, Deal, Event, IllegalAction, InvalidOptions, InvalidPosition, Outcome, Refusal
from nimmt.rules.kit.cards import BULLS, bulls, deck
from nimmt.rules.kit.events import CardPlaced, MatchEnded, RoundDealt, RoundEnded
from nimmt.rules.kit.options import variant_options
from nimmt.testing.random_play import play_match

Rows = tuple[tuple[int, ...], ...]
Step = tuple[State, tuple[Event, ...]]


def rows(text: str) -> Rows:
    return tuple(tuple(map(int, row.split())) for row in text.split("|"))


def position(lying: str, *hands: tuple[int, ...], markers: Markers | None = None, **options: Any) -> State:
    return table_position(rows(lying), hands, options=Options(**options), markers=markers)


def with_spares(lying: str, cards: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Everybody holds the card to be played and another one, so that the round goes on."""
    gone = {*cards}.union(*rows(lying))
    spares = iter([card for card in range(104, 0, -1) if card not in gone])
    return [(card, next(spares)) for card in cards]


def turn(
    before: str | State,
    *cards: int,
    row: Mapping[int, int] | None = None,
    twist: Collection[int] = (),
    markers: Markers | None = None,
    fan: tuple[str, ...] = (),
) -> Step:
    """All seats play their cards, those in `twist` twisted; rows of rule 4 by seat. Stops where none is given."""
    if isinstance(before, str):
        before = position(before, *with_spares(before, cards), markers=markers, fan=fan)
    state = before
    events: list[Event] = []
    for seat, card in enumerate(cards):
        state, happened = GAME.apply(state, seat, PlayCard(card, seat in twist))
        events += happened
    while state.table.phase == "row":
        (decision,) = GAME.pending(state)
        if decision.seat not in (row or {}):
            break
        state, happened = GAME.apply(state, decision.seat, ChooseRow((row or {})[decision.seat]))
        events += happened
    return state, tuple(events)


def only(events: tuple[Event, ...], kind: type[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def takings(events: tuple[Event, ...]) -> list[tuple[int, ...]]:
    return [event.taken for event in events if isinstance(event, CardPlaced | CowJumped) and event.taken]


def table_of(state: State, **changes: Any) -> State:
    return replace(state, table=replace(state.table, **changes))


def refusal(state: State, seat: int, action: Action) -> Refusal:
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(state, seat, action)
    assert str(caught.value).endswith(".")
    return caught.value.refusal


def shuffled(seed: int) -> Deal:
    order = list(deck(104))
    random.Random(seed).shuffle(order)
    return Deal({"numbers": tuple(order)})


# --- the worked examples of the rulebooks


def test_example_first_turn_smallest_difference() -> None:
    state, events = turn("12 | 37 | 43 | 58", 14, 15, 44, 61)
    assert state.table.rows == rows("12 14 15 | 37 | 43 44 | 58 61")
    assert takings(events) == []


def test_example_second_turn_30_is_the_sixth_card_and_takes_six_bulls() -> None:
    state, events = turn("12 14 15 | 37 | 43 44 | 58 61", 21, 26, 30, 36)
    assert state.table.rows == rows("30 36 | 37 | 43 44 | 58 61")
    assert CardPlaced(2, 30, 1, (12, 14, 15, 21, 26), 6, "full-row") in events
    assert state.table.bulls == (0, 0, 6, 0)


def test_example_third_turn_3_is_too_low_and_takes_row_2() -> None:
    state, events = turn("30 36 | 37 | 43 44 | 58 61", 3, 9, 68, 83, row={0: 2})
    assert state.table.rows == rows("30 36 | 3 9 | 43 44 | 58 61 68 83")
    assert CardPlaced(0, 3, 2, (37,), 1, "too-low") in events


def test_example_45_must_go_to_42_though_41_would_be_harmless() -> None:
    state, events = turn("70 | 80 | 40 41 | 10 20 30 35 42", 45)
    assert takings(events) == [(10, 20, 30, 35, 42)]
    assert state.table.rows == rows("70 | 80 | 40 41 | 45")


def test_example_29_takes_row_1_so_that_62_has_to_take_row_4() -> None:
    before = "61 | 70 77 | 80 88 | 36 40 42 45 50"
    state, events = turn(before, 62, 29, row={1: 1})
    assert takings(events) == [(61,), (36, 40, 42, 45, 50)]
    assert state.table.rows == rows("29 | 70 77 | 80 88 | 62")


def test_example_even_odd_90_may_not_follow_85_and_takes_the_row_of_52() -> None:
    before, marker = "31 | 2 3 4 5 52 | 92 | 85", ParityMarker(4, "odd")
    state, events = turn(before, 90, fan=("even-odd",), markers=Markers(even_odd=marker))
    assert takings(events) == [(2, 3, 4, 5, 52)]
    assert state.table.rows == rows("31 | 90 | 92 | 85")
    assert state.table.markers.even_odd == ParityMarker(1, "odd")


def test_example_mountain_21_descends_to_26_and_takes_that_row() -> None:
    before = "50 | 12 | 60 | 40 38 36 30 26"
    state, events = turn(before, 21, fan=("mountain",))
    assert takings(events) == [(40, 38, 36, 30, 26)]
    assert state.table.rows == rows("50 | 12 | 60 | 21")
    assert state.table.markers.mountain == MountainMarker(3, "up")


def test_example_cow_and_four_numbers_are_a_full_row() -> None:
    state, events = turn("1 2 3 13 | 78 | 104 | 53", 43, fan=("cow",))
    assert takings(events) == [(1, 2, 3, 13)]
    assert state.table.rows == rows("43 | 78 | 104 | 53")
    assert state.table.markers.cow == 4


def test_example_twist_24_as_42_escapes_the_full_row() -> None:
    state, events = turn("70 | 2 4 6 8 22 | 80 | 40", 24, twist={0}, fan=("twist",))
    assert takings(events) == []
    assert state.table.rows == rows("70 | 2 4 6 8 22 | 80 | 40 24")


# --- cards and deal


def test_the_deck_is_1_to_104_with_171_bulls() -> None:
    request = GAME.deal_request(GAME.setup(Options(), 2))
    assert request is not None
    assert request.decks == {"numbers": tuple(range(1, 105))}
    assert bulls(request.decks["numbers"]) == 171


@pytest.mark.parametrize(
    ("card", "printed"), [(55, 7), (11, 5), (99, 5), (10, 3), (100, 3), (5, 2), (95, 2), (1, 1), (104, 1)]
)
@pytest.mark.rule("six.bulls")
def test_bulls_printed_on_a_card(card: int, printed: int) -> None:
    assert BULLS[card] == printed


@pytest.mark.parametrize("seats", [2, 5, 10])
@pytest.mark.rule("six.setup")
def test_each_seat_gets_ten_cards_and_four_more_start_the_rows_in_the_order_dealt(seats: int) -> None:
    deal = shuffled(1)
    order = deal.decks["numbers"]
    state, events = GAME.deal(GAME.setup(Options(), seats), deal)
    assert state.hands == tuple(tuple(sorted(order[10 * seat : 10 * seat + 10])) for seat in range(seats))
    assert state.table.rows == tuple((card,) for card in order[10 * seats : 10 * seats + 4])
    assert events == (RoundDealt(1, state.table.rows, state.hands),)


@pytest.mark.parametrize("seats", [0, 1, 11])
def test_two_to_ten_can_play(seats: int) -> None:
    with pytest.raises(InvalidOptions, match="2 to 10"):
        GAME.setup(Options(), seats)


# --- a turn


@pytest.mark.rule("six.turn")
def test_a_choice_is_secret_and_may_be_changed_until_all_have_chosen() -> None:
    state, (event,) = GAME.apply(position("10 | 20 | 30 | 50", (40, 41), (60, 61)), 0, PlayCard(41))
    assert event.seen_by(0) == CardChosen(0, Play(0, 41))
    assert event.seen_by(1) == event.seen_by(None) == CardChosen(0, None)
    assert (GAME.view(state, 0).choice, GAME.view(state, 1).choice) == (Play(0, 41), None)
    assert [decision.seat for decision in GAME.pending(state)] == [1]
    state, _ = GAME.apply(state, 0, PlayCard(40))
    state, _ = GAME.apply(state, 1, PlayCard(60))
    assert state.table.rows == rows("10 | 20 | 30 40 | 50 60")


@pytest.mark.rule("six.turn")
def test_all_are_revealed_at_once_and_placed_from_the_lowest_to_the_highest() -> None:
    _, events = turn("10 | 20 | 30 | 50", 42, 41, 40)
    assert only(events, CardsRevealed) == [CardsRevealed((Play(2, 40), Play(1, 41), Play(0, 42)))]
    assert [event.card for event in only(events, CardPlaced)] == [40, 41, 42]


@pytest.mark.rule("six.smallest-difference")
def test_rule_1_a_card_only_follows_a_lower_end() -> None:
    state, _ = turn("51 | 10 | 52 | 53", 50)
    assert state.table.rows == rows("51 | 10 50 | 52 | 53")


@pytest.mark.rule("six.smallest-difference")
def test_rule_2_of_the_lower_ends_the_highest_counts() -> None:
    state, _ = turn("10 | 30 | 20 | 1", 40)
    assert state.table.rows == rows("10 | 30 40 | 20 | 1")


def test_rule_2_only_the_end_of_a_row_counts() -> None:
    state, _ = turn("10 90 | 30 | 20 | 1", 40)
    assert state.table.rows == rows("10 90 | 30 40 | 20 | 1")


def test_rule_3_the_fifth_card_still_lies_in_peace() -> None:
    state, events = turn("10 11 12 13 | 1 | 2 | 3", 14)
    assert takings(events) == []
    assert state.table.rows == rows("10 11 12 13 14 | 1 | 2 | 3")


@pytest.mark.rule("six.full-row")
def test_rule_3_the_sixth_card_takes_five_and_becomes_the_first() -> None:
    state, events = turn("10 11 12 13 14 | 1 | 2 | 3", 15)
    assert takings(events) == [(10, 11, 12, 13, 14)]
    assert state.table.rows == rows("15 | 1 | 2 | 3")


@pytest.mark.parametrize("row", [1, 2, 3, 4])
@pytest.mark.rule("six.too-low")
def test_rule_4_a_card_too_low_takes_any_row_its_owner_likes(row: int) -> None:
    before = "10 11 | 20 | 30 31 32 33 34 | 40"
    state, _ = turn(before, 5)
    assert GAME.legal(state, 0) == tuple(ChooseRow(number) for number in (1, 2, 3, 4))
    state, (placed,) = GAME.apply(state, 0, ChooseRow(row))
    taken = rows(before)[row - 1]
    assert placed == CardPlaced(0, 5, row, taken, bulls(taken), "too-low")
    assert state.table.rows[row - 1] == (5,)


def test_rule_4_is_a_choice_even_when_one_row_is_plainly_best() -> None:
    state, _ = turn("55 66 | 77 88 | 99 100 | 98", 5)
    assert [(decision.seat, decision.kind) for decision in GAME.pending(state)] == [(0, "row")]


def test_rule_4_the_other_cards_wait_for_the_choice() -> None:
    state, _ = turn("50 | 60 | 70 | 80", 90, 5, 6)
    assert state.table.queue == (Play(1, 5), Play(2, 6), Play(0, 90))
    state, _ = GAME.apply(state, 1, ChooseRow(4))
    assert state.table.rows == rows("50 | 60 | 70 90 | 5 6")


@pytest.mark.rule("six.full-row")
def test_taken_cards_go_to_the_pile_and_never_to_the_hand() -> None:
    state, _ = turn("10 11 12 13 14 | 1 | 2 | 3", 15)
    assert state.piles == ((10, 11, 12, 13, 14),)
    assert state.hands == ((104,),)
    assert state.table.bulls == (3 + 5 + 1 + 1 + 1,)


def test_a_player_may_look_through_the_own_pile_only() -> None:
    state, _ = turn("10 11 12 13 14 | 1 | 2 | 3", 15, 4)
    assert GAME.view(state, 0).pile == (10, 11, 12, 13, 14)
    assert GAME.view(state, 1).pile == GAME.view(state, None).pile == ()


def test_a_dealt_hand_is_seen_by_its_owner_alone() -> None:
    state, (dealt,) = GAME.deal(GAME.setup(Options(), 3), shuffled(4))
    assert isinstance(dealt, RoundDealt)
    assert dealt.seen_by(1).hands == (None, state.hands[1], None)
    assert dealt.seen_by(None).hands == (None, None, None)


# --- the end of a round and of a match


@pytest.mark.rule("six.end")
def test_a_round_has_ten_turns() -> None:
    turns = 0
    for step in play_match(GAME, Options(rounds=1), 3, random.Random(5)):
        turns += len(only(step.events, CardsRevealed))
        assert bool(only(step.events, RoundEnded)) == (turns == 10 and step.state.table.phase == "over")
    assert turns == 10


def last_turn(before: Rows, seats: int = 2, **options: Any) -> State:
    """The last turn: seat 0 holds 6 and takes a row by rule 4, seat 1 holds 100, and so on, and takes nothing."""
    hands = [(6,), *((99 + seat,) for seat in range(1, seats))]
    state = table_position(rows("7 | 20 | 30 | 40"), hands, options=Options(**options))
    return table_of(state, scores=before, round=len(before) + 1)


def test_when_the_round_ends_the_bulls_of_the_piles_are_counted() -> None:
    _, events = turn(last_turn(()), 6, 100, row={0: 1})
    assert only(events, RoundEnded) == [RoundEnded(1, (1, 0), (1, 0))]


def test_all_104_cards_are_shuffled_again_for_the_next_round() -> None:
    state, _ = turn(last_turn(()), 6, 100, row={0: 1})
    request = GAME.deal_request(state)
    assert request is not None
    assert request.decks["numbers"] == deck(104)
    state, (dealt,) = GAME.deal(state, shuffled(2))
    assert isinstance(dealt, RoundDealt)
    assert (dealt.round, state.table.bulls, state.table.taken, state.piles) == (2, (0, 0), (), ((), ()))
    assert [len(hand) for hand in state.hands] == [10, 10]


@pytest.mark.parametrize(("before", "over"), [(64, False), (65, True), (66, True)])
@pytest.mark.rule("six.end")
def test_the_match_ends_with_66_or_more_bulls(before: int, over: bool) -> None:
    state, _ = turn(last_turn(((before, 10),)), 6, 100, row={0: 1})
    assert (GAME.outcome(state) is not None) == over
    assert (state.table.phase == "deal") != over


@pytest.mark.parametrize(("before", "over"), [(64, False), (65, False), (66, True)])
def test_the_2007_edition_needs_more_than_66_bulls(before: int, over: bool) -> None:
    options = msgspec.structs.asdict(variant_options(GAME, "2007"))
    state, _ = turn(last_turn(((before, 10),), **options), 6, 100, row={0: 1})
    assert (GAME.outcome(state) is not None) == over


def test_bulls_of_all_rounds_are_added_up() -> None:
    state, _ = turn(last_turn(((30, 10), (20, 1), (15, 2))), 6, 100, row={0: 1})
    assert GAME.outcome(state) == Outcome("target", (1,), (66, 13))


def test_another_target_may_be_agreed_on() -> None:
    state, _ = turn(last_turn(((9, 0),), target=10), 6, 100, row={0: 1})
    assert GAME.outcome(state) == Outcome("target", (1,), (10, 0))


def test_the_target_is_looked_at_only_when_a_round_ends() -> None:
    state, _ = turn(position("1 | 2 | 3 | 11 22 33 44 55", (56, 60), (4, 61), target=5), 56, 4)
    assert (state.table.bulls, state.table.phase) == ((27, 0), "choose")


@pytest.mark.parametrize(("number", "over"), [(1, False), (2, True), (3, True)])
def test_a_fixed_number_of_rounds_may_be_agreed_on_instead(number: int, over: bool) -> None:
    scores = ((200, 0),) * (number - 1)
    state, events = turn(last_turn(scores, rounds=2), 6, 100, row={0: 1})
    assert (GAME.outcome(state) is not None) == bool(only(events, MatchEnded)) == over


@pytest.mark.rule("six.end")
def test_fewest_bulls_win_and_equal_fewest_share_the_win() -> None:
    state, events = turn(last_turn(((70, 3, 3),), seats=3), 6, 100, 101, row={0: 1})
    assert GAME.outcome(state) == Outcome("target", (1, 2), (71, 3, 3))
    assert only(events, MatchEnded)[0].tell(["Anna", "Ben", "Cem"]) == "The match is over: Ben and Cem share the win."


def test_the_editions_are_presets() -> None:
    assert variant_options(GAME, "basic") == Options(target=66, more_than_target=False, large_draft=False)
    assert variant_options(GAME, "2007") == Options(target=66, more_than_target=True, large_draft=True)


# --- the tactical draft


def drafting(seats: int, **options: Any) -> State:
    return GAME.setup(Options(draft=True, **options), seats)


def draft(state: State, *cards: int) -> Step:
    events: list[Event] = []
    for card in cards:
        (decision,) = GAME.pending(state)
        state, happened = GAME.apply(state, decision.seat, DraftCard(card))
        events += happened
    return state, tuple(events)


@pytest.mark.parametrize(("seats", "highest"), [(2, 24), (3, 34), (4, 44), (6, 64)])
@pytest.mark.rule("six.draft")
def test_a_draft_uses_only_ten_cards_a_seat_and_four_all_face_up(seats: int, highest: int) -> None:
    state = drafting(seats)
    assert GAME.deal_request(state) is None
    assert GAME.view(state, None).table.pool == deck(highest)


def test_seats_draft_one_card_at_a_time_clockwise_from_seat_0() -> None:
    state = drafting(3)
    asked = []
    for card in (34, 1, 17, 2, 3):
        (decision,) = GAME.pending(state)
        asked.append(decision.seat)
        state, events = GAME.apply(state, decision.seat, DraftCard(card))
        assert CardDrafted(decision.seat, card) in events
    assert asked == [0, 1, 2, 0, 1]
    assert state.hands == ((2, 34), (1, 3), (17,))


def test_a_draft_begins_with_the_first_pick() -> None:
    _, events = draft(drafting(3), 5, 6)
    assert events == (DraftBegun(1, deck(34), 0), CardDrafted(0, 5), CardDrafted(1, 6))


@pytest.mark.rule("six.draft")
def test_the_four_cards_left_start_the_rows_in_ascending_order() -> None:
    cards = [card for card in range(24, 0, -1) if card not in (20, 3, 11, 7)]
    state, events = draft(drafting(2), *cards)
    assert state.table.rows == rows("3 | 7 | 11 | 20")
    assert events[-1] == RowsStarted((3, 7, 11, 20))
    assert [len(hand) for hand in state.hands] == [10, 10]
    assert state.table.phase == "choose"


def test_after_the_draft_the_game_goes_on_as_usual() -> None:
    state, _ = draft(drafting(2), *range(24, 4, -1))
    state, events = turn(state, 24, 23)
    assert state.table.rows == rows("1 | 2 | 3 | 4 23 24")
    assert [event.card for event in only(events, CardPlaced)] == [23, 24]


def test_each_next_draft_starts_one_seat_further() -> None:
    starters = []
    for step in play_match(GAME, Options(draft=True, rounds=4), 3, random.Random(1)):
        starters += [event.starter for event in only(step.events, DraftBegun)]
    assert starters == [0, 1, 2, 0]


@pytest.mark.parametrize(
    ("seats", "order"),
    [(2, [0, 1, 0, 1, 0, 1, 0, 1]), (3, [0, 1, 2, 0, 1, 2, 0, 1]), (6, [0, 1, 2, 3, 4, 5, 0, 1])],
)
def test_example_the_starter_goes_round_the_table_in_drafts_past_the_fifth_round(seats: int, order: list[int]) -> None:
    state, starters, first_picks = drafting(seats, rounds=8), [], []
    while GAME.outcome(state) is None:
        (decision, *_) = GAME.pending(state)
        action = GAME.legal(state, decision.seat)[0]
        if isinstance(action, DraftCard) and len(state.table.pool) == 10 * seats + 4:
            assert len(GAME.pending(state)) == 1
            first_picks.append(decision.seat)
        state, events = GAME.apply(state, decision.seat, action)
        starters += [event.starter for event in only(events, DraftBegun)]
    assert starters == first_picks == order


def test_everybody_knows_who_drafted_what() -> None:
    for step in islice(play_match(GAME, Options(draft=True, rounds=1), 3, random.Random(2)), 40):
        view = GAME.view(step.state, None)
        assert GAME.unseen(view) == ()
        assert GAME.imagine(view, ()).hands == step.state.hands


def test_up_to_six_draft_and_up_to_ten_in_the_2007_edition() -> None:
    with pytest.raises(InvalidOptions, match="2 to 6"):
        drafting(7)
    assert drafting(10, large_draft=True).table.pool == deck(104)
    assert variant_options(GAME, "draft-2007") == Options(draft=True, large_draft=True, more_than_target=True)


def test_a_card_that_is_gone_cannot_be_drafted() -> None:
    state, _ = draft(drafting(2), 5)
    assert refusal(state, 1, DraftCard(5)) is Refusal.NOT_IN_POOL
    assert refusal(state, 1, DraftCard(25)) is Refusal.NOT_IN_POOL
    assert refusal(state, 0, DraftCard(6)) is Refusal.NOT_YOUR_TURN


# --- fan cards: Even/Odd


EVEN_ODD = ("even-odd",)


def even_odd(row: int, parity: Any) -> Markers:
    return Markers(even_odd=ParityMarker(row, parity))


@pytest.mark.parametrize(("firsts", "marker"), [("7 | 9 | 5 | 8", (3, "odd")), ("7 | 6 | 50 | 8", (2, "even"))])
def test_even_odd_lies_at_the_lowest_first_card_and_shows_its_parity(firsts: str, marker: tuple[int, Any]) -> None:
    starters = tuple(row[0] for row in rows(firsts))
    rest = tuple(card for card in deck(104) if card not in starters)
    deal = Deal({"numbers": rest[:20] + starters + rest[20:]})
    state, events = GAME.deal(GAME.setup(Options(fan=EVEN_ODD), 2), deal)
    assert state.table.markers.even_odd == ParityMarker(*marker)
    assert events[-1] == MarkersLaid(state.table.markers)


@pytest.mark.parametrize(("card", "after"), [(45, "10 | 20 | 30 | 40 45"), (46, "10 | 20 | 30 46 | 40")])
@pytest.mark.rule("six.even-odd")
def test_only_cards_of_the_parity_shown_join_the_marked_row(card: int, after: str) -> None:
    state, _ = turn("10 | 20 | 30 | 40", card, fan=EVEN_ODD, markers=even_odd(4, "odd"))
    assert state.table.rows == rows(after)


def test_other_rows_take_any_parity() -> None:
    state, _ = turn("10 | 20 | 30 | 40", 35, 36, fan=EVEN_ODD, markers=even_odd(1, "even"))
    assert state.table.rows == rows("10 | 20 | 30 35 36 | 40")


def test_a_card_that_fits_no_row_because_of_its_parity_takes_any_row_the_marked_one_included() -> None:
    before, markers = "10 | 20 | 30 | 40", even_odd(1, "even")
    state, _ = turn(before, 15, fan=EVEN_ODD, markers=markers)
    assert GAME.legal(state, 0) == tuple(ChooseRow(row) for row in (1, 2, 3, 4))
    state, _ = turn(before, 15, row={0: 1}, fan=EVEN_ODD, markers=markers)
    assert state.table.rows == rows("15 | 20 | 30 | 40")


@pytest.mark.rule("six.even-odd")
def test_the_parity_marker_moves_when_any_row_is_taken_to_the_lowest_end_of_the_three_others() -> None:
    """By rule 3 in another row than the marked one: the marker leaves the lowest end for the next lowest."""
    state, events = turn("1 | 20 | 30 | 40 41 42 43 44", 45, fan=EVEN_ODD, markers=even_odd(1, "odd"))
    assert state.table.markers == even_odd(2, "even")
    assert only(events, MarkerMoved) == [MarkerMoved("even-odd", 2, "even")]


def test_the_parity_marker_moves_after_rule_4_too_perhaps_to_the_row_just_started() -> None:
    state, _ = turn("10 | 20 | 30 | 40", 5, row={0: 3}, fan=EVEN_ODD, markers=even_odd(1, "even"))
    assert state.table.markers == even_odd(3, "odd")


def test_the_parity_marker_leaves_the_row_that_was_taken() -> None:
    state, _ = turn("10 | 20 | 30 | 40", 5, row={0: 1}, fan=EVEN_ODD, markers=even_odd(1, "even"))
    assert state.table.rows == rows("5 | 20 | 30 | 40")
    assert state.table.markers == even_odd(2, "even")


def test_the_parity_shown_stays_until_the_marker_moves() -> None:
    state, _ = turn("10 | 20 | 30 | 40", 45, fan=EVEN_ODD, markers=even_odd(4, "odd"))
    assert state.table.markers == even_odd(4, "odd")
    state, _ = turn("10 | 20 | 30 | 40", 35, fan=EVEN_ODD, markers=even_odd(4, "odd"))
    assert state.table.markers == even_odd(4, "odd")


def test_the_parity_marker_does_not_count_as_a_card() -> None:
    state, events = turn("41 43 45 47 | 1 | 2 | 3", 49, fan=EVEN_ODD, markers=even_odd(1, "odd"))
    assert takings(events) == []
    assert len(state.table.rows[0]) == 5


# --- fan cards: Mountain climbing


MOUNTAIN = ("mountain",)


def mountain(row: int, arrows: Any = "up") -> Markers:
    return Markers(mountain=MountainMarker(row, arrows))


def test_the_mountain_marker_starts_at_row_4_arrows_up() -> None:
    state, events = GAME.deal(GAME.setup(Options(fan=MOUNTAIN), 2), shuffled(1))
    assert state.table.markers == mountain(4, "up")
    assert events[-1] == MarkersLaid(mountain(4, "up"))


@pytest.mark.rule("six.mountain")
def test_in_the_marked_row_only_lower_cards_fit() -> None:
    state, _ = turn("10 | 90 | 91 | 60", 59, 61, fan=MOUNTAIN)
    assert state.table.rows == rows("10 61 | 90 | 91 | 60 59")


def test_the_smallest_difference_of_all_rows_decides() -> None:
    state, _ = turn("10 | 90 | 91 | 60", 20, 50, fan=MOUNTAIN)
    assert state.table.rows == rows("10 20 | 90 | 91 | 60 50")


@pytest.mark.rule("six.mountain")
def test_on_a_tie_the_marked_row_wins() -> None:
    state, _ = turn("30 | 90 | 91 | 50", 40, fan=MOUNTAIN)
    assert state.table.rows == rows("30 | 90 | 91 | 50 40")
    state, _ = turn("50 | 90 | 91 | 30", 40, fan=MOUNTAIN, markers=mountain(1, "down"))
    assert state.table.rows == rows("50 40 | 90 | 91 | 30")


def test_a_card_above_the_marked_end_and_below_all_others_takes_a_row_of_choice() -> None:
    state, _ = turn("70 | 80 | 90 | 30", 40, fan=MOUNTAIN)
    assert (state.table.phase, len(GAME.legal(state, 0))) == ("row", 4)


def test_a_very_low_card_finds_its_place_in_the_marked_row() -> None:
    state, _ = turn("70 | 80 | 90 | 30", 1, fan=MOUNTAIN)
    assert state.table.rows == rows("70 | 80 | 90 | 30 1")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((4, "up"), (3, "up")),
        ((3, "up"), (2, "up")),
        ((2, "up"), (1, "down")),
        ((1, "down"), (2, "down")),
        ((2, "down"), (3, "down")),
        ((3, "down"), (4, "up")),
    ],
)
def test_the_mountain_marker_goes_one_row_on_at_each_taking_and_turns_at_the_ends(
    before: tuple[int, str], after: tuple[int, str]
) -> None:
    lying = ["70 71 72 73 74", "60 61 62 63 64", "50 51 52 53 54", "40 41 42 43 44"]
    card = 45 if before[0] != 4 else 75
    state, events = turn(" | ".join(lying), card, fan=MOUNTAIN, markers=mountain(*before))
    assert len(takings(events)) == 1
    assert state.table.markers == mountain(*after)
    assert only(events, MarkerMoved) == [MarkerMoved("mountain", *after)]


def test_the_mountain_marker_moves_after_rule_4_too() -> None:
    state, _ = turn("70 | 80 | 90 | 30", 40, row={0: 1}, fan=MOUNTAIN)
    assert state.table.markers == mountain(3, "up")


def test_the_mountain_marker_stays_while_nothing_is_taken() -> None:
    state, events = turn("10 | 90 | 91 | 60", 59, 61, fan=MOUNTAIN)
    assert (state.table.markers, only(events, MarkerMoved)) == (mountain(4), [])


def test_when_the_mountain_marker_has_left_only_the_end_of_a_mixed_row_matters() -> None:
    state, _ = turn("1 | 90 | 80 | 60 50 40", 45, fan=MOUNTAIN, markers=mountain(3))
    assert state.table.rows == rows("1 | 90 | 80 | 60 50 40 45")


def test_the_mountain_marker_does_not_count_as_a_card() -> None:
    state, events = turn("1 | 2 | 3 | 90 80 70 60", 50, fan=MOUNTAIN)
    assert takings(events) == []
    assert len(state.table.rows[3]) == 5


# --- fan cards: Jumping cow


COW = ("cow",)


def cow(row: int) -> Markers:
    return Markers(cow=row)


def test_the_cow_starts_at_the_lowest_first_card() -> None:
    state, events = GAME.deal(GAME.setup(Options(fan=COW), 2), Deal({"numbers": deck(104)[::-1]}))
    assert state.table.rows == rows("84 | 83 | 82 | 81")
    assert state.table.markers == cow(4)
    assert events[-1] == MarkersLaid(cow(4))


def test_the_cow_has_no_value_the_number_left_of_it_counts() -> None:
    state, _ = turn("10 | 20 | 30 | 50", 40, fan=COW, markers=cow(3))
    assert state.table.rows == rows("10 | 20 | 30 40 | 50")


@pytest.mark.rule("six.cow")
def test_a_card_that_joins_the_cow_makes_it_jump_to_the_lowest_end_of_the_three_others() -> None:
    state, events = turn("10 | 20 | 30 | 50", 11, fan=COW, markers=cow(1))
    assert state.table.markers == cow(2)
    assert only(events, CowJumped) == [CowJumped(0, 2, None, (), 0)]


def test_the_cow_stays_while_cards_go_elsewhere() -> None:
    state, events = turn("10 | 20 | 30 | 50", 51, fan=COW, markers=cow(1))
    assert (state.table.markers, only(events, CowJumped)) == (cow(1), [])


def test_three_numbers_and_the_cow_leave_room_for_one() -> None:
    state, events = turn("10 11 12 | 90 | 91 | 92", 13, fan=COW, markers=cow(1))
    assert takings(events) == []
    assert (state.table.rows[0], state.table.markers) == ((10, 11, 12, 13), cow(2))


def test_without_the_cow_a_row_holds_five_numbers() -> None:
    state, events = turn("10 11 12 13 | 90 | 91 | 92", 14, fan=COW, markers=cow(2))
    assert takings(events) == []
    assert len(state.table.rows[0]) == 5


def test_the_cow_jumps_when_its_row_is_taken_by_rule_3() -> None:
    state, events = turn("10 11 12 13 | 90 | 92 | 91", 14, fan=COW, markers=cow(1))
    assert takings(events) == [(10, 11, 12, 13)]
    assert (state.table.rows[0], state.table.markers) == ((14,), cow(2))


def test_the_cow_jumps_when_its_row_is_taken_by_rule_4() -> None:
    state, events = turn("60 | 90 | 92 | 91", 5, row={0: 3}, fan=COW, markers=cow(3))
    assert takings(events) == [(92,)]
    assert state.table.markers == cow(1)


def test_the_cow_stays_when_another_row_is_taken() -> None:
    state, events = turn("10 11 12 13 14 | 90 | 92 | 91", 15, fan=COW, markers=cow(2))
    assert takings(events) == [(10, 11, 12, 13, 14)]
    assert (state.table.markers, only(events, CowJumped)) == (cow(2), [])


@pytest.mark.rule("six.cow")
def test_the_cow_on_five_numbers_makes_its_chaser_take_all_but_the_highest_and_jumps_again() -> None:
    state, events = turn("50 | 10 11 12 13 14 | 60 | 70", 51, fan=COW, markers=cow(1))
    assert only(events, CowJumped) == [CowJumped(0, 2, 14, (10, 11, 12, 13), 10), CowJumped(0, 1, None, (), 0)]
    assert state.table.rows == rows("50 51 | 14 | 60 | 70")
    assert (state.table.markers, state.table.bulls) == (cow(1), (10,))


def test_the_cow_may_clear_several_rows_in_one_go() -> None:
    before = "50 | 10 11 12 13 14 | 20 21 22 23 24 | 15 16 17 18 19"
    state, events = turn(before, 51, fan=COW, markers=cow(1))
    assert [(event.row, event.kept) for event in only(events, CowJumped)] == [(2, 14), (4, 19), (2, None)]
    assert state.table.rows == rows("50 51 | 14 | 20 21 22 23 24 | 19")
    assert state.piles == ((10, 11, 12, 13, 15, 16, 17, 18),)


def test_example_the_cow_jumps_on_through_three_rows() -> None:
    """Only where rows need not ascend: else the first row it cleared has the lowest end of all, and the cow rests
    there. Here each row keeps a card far above its end."""
    before = "50 | 10 99 3 4 5 | 11 98 6 7 8 | 12 97 9 13 14"
    state, events = turn(before, 51, fan=("cow", "twist"), markers=cow(1))
    jumps = [(event.row, event.kept, event.taken) for event in only(events, CowJumped)]
    assert jumps == [(2, 99, (10, 3, 4, 5)), (3, 98, (11, 6, 7, 8)), (4, 97, (12, 9, 13, 14)), (1, None, ())]
    assert (state.table.rows, state.table.markers) == (rows("50 51 | 99 | 98 | 97"), cow(1))
    assert state.piles == ((10, 3, 4, 5, 11, 6, 7, 8, 12, 9, 13, 14),)
    assert state.table.bulls == (3 + 1 + 1 + 2 + 5 + 1 + 1 + 1 + 1 + 1 + 1 + 1,)


def test_a_taking_and_the_cows_takings_all_go_to_the_player_whose_card_made_it_jump() -> None:
    state, events = turn("20 21 22 23 | 1 2 3 4 5 | 90 | 91", 24, 92, fan=COW, markers=cow(1))
    assert takings(events) == [(20, 21, 22, 23), (1, 2, 3, 4)]
    assert state.piles == ((20, 21, 22, 23, 1, 2, 3, 4), ())
    assert state.table.markers == cow(1)


# --- fan cards: Twisted numbers


TWIST = ("twist",)


@pytest.mark.parametrize(("card", "value"), [(31, 13), (90, 9), (9, 90), (11, 11), (10, 1), (1, 10), (99, 99)])
@pytest.mark.rule("six.twist")
def test_twisting_swaps_the_digits_one_digit_reading_with_a_leading_zero(card: int, value: int) -> None:
    assert twisted(card) == value


@pytest.mark.parametrize("card", range(1, 100))
def test_twisting_twice_changes_nothing(card: int) -> None:
    assert twisted(twisted(card)) == card


def test_everybody_begins_a_round_with_one_twist_card() -> None:
    state, _ = GAME.deal(GAME.setup(Options(fan=TWIST), 3), shuffled(1))
    assert state.table.twists == (True, True, True)


@pytest.mark.parametrize("card", [100, 101, 102, 103, 104])
def test_numbers_of_three_digits_cannot_be_twisted(card: int) -> None:
    state = position("1 | 2 | 3 | 4", (card, 50), fan=TWIST)
    assert PlayCard(card, True) not in GAME.legal(state, 0)
    assert refusal(state, 0, PlayCard(card, True)) is Refusal.CANNOT_TWIST


def test_the_twist_card_can_be_played_once_in_a_round() -> None:
    state = position("1 | 2 | 3 | 4", (31, 42, 53), fan=TWIST)
    state, _ = turn(state, 31, twist={0})
    assert state.table.twists == (False,)
    assert refusal(state, 0, PlayCard(42, True)) is Refusal.NO_TWIST_CARD
    assert GAME.legal(state, 0) == [PlayCard(42), PlayCard(53)]


def test_a_twist_taken_back_before_the_reveal_is_not_spent() -> None:
    state = position("1 | 2 | 3 | 4", (31, 42), (32, 43), fan=TWIST)
    state, _ = GAME.apply(state, 0, PlayCard(31, True))
    state, _ = GAME.apply(state, 0, PlayCard(31))
    state, _ = GAME.apply(state, 1, PlayCard(32))
    assert state.table.twists == (True, True)
    assert state.table.rows == rows("1 | 2 | 3 | 4 31 32")


def test_without_the_fan_card_nothing_can_be_twisted() -> None:
    assert refusal(position("1 | 2 | 3 | 4", (31,)), 0, PlayCard(31, True)) is Refusal.NO_TWIST_CARD


@pytest.mark.parametrize("used", [True, False])
def test_in_the_next_round_everybody_has_one_twist_card_again_and_never_two(used: bool) -> None:
    state = position("1 | 2 | 3 | 4", (31,), (32,), fan=TWIST)
    state, _ = turn(state, 31, 32, twist={0} if used else ())
    state, _ = GAME.deal(state, shuffled(1))
    assert state.table.twists == (True, True)


def test_the_twisted_value_decides_the_order_of_placement() -> None:
    _, events = turn("1 | 2 | 3 | 4", 50, 81, twist={1}, fan=TWIST)
    assert [event.card for event in only(events, CardPlaced)] == [81, 50]


def test_the_twisted_value_decides_the_row() -> None:
    state, _ = turn("10 | 20 | 60 | 80", 91, twist={0}, fan=TWIST)
    assert state.table.rows == rows("10 91 | 20 | 60 | 80")


def test_the_twisted_value_may_be_too_low_for_every_row() -> None:
    state, events = turn("10 | 20 | 60 | 80", 90, twist={0}, row={0: 4}, fan=TWIST)
    assert CardPlaced(0, 90, 4, (80,), 3, "too-low") in events
    assert state.table.rows == rows("10 | 20 | 60 | 90")


@pytest.mark.rule("six.twist")
def test_with_equal_values_the_twister_places_first() -> None:
    for cards, twisters in (((13, 31), {1}), ((31, 13), {0})):
        _, events = turn("10 | 50 | 60 | 70", *cards, twist=twisters, row={0: 2, 1: 2}, fan=TWIST)
        assert [event.card for event in only(events, CardPlaced)] == [31, 13]


def test_once_in_a_row_a_twisted_card_has_its_printed_value_again() -> None:
    """31 goes as 13 behind 10; an honest 13 then finds 31 there and is too low for every row."""
    state, _ = turn("10 | 50 | 60 | 70", 13, 31, twist={1}, fan=TWIST)
    assert (state.table.phase, state.table.rows[0]) == ("row", (10, 31))


def test_a_row_with_a_twisted_card_need_not_ascend_only_its_end_matters() -> None:
    state, _ = turn("1 | 2 | 3 | 40", 24, twist={0}, fan=TWIST)
    assert state.table.rows[3] == (40, 24)
    state, _ = turn("1 | 2 | 3 | 40 24", 30, fan=TWIST)
    assert state.table.rows[3] == (40, 24, 30)


def test_a_twisted_card_is_taken_with_its_printed_bulls() -> None:
    """50 goes as 05, which would be two bulls, and still has three when it is taken."""
    state = position("4 | 80 | 85 | 95", (50, 97, 98), (96, 1, 99), fan=TWIST)
    state, _ = turn(state, 50, 96, twist={0})
    state, _ = turn(state, 97, 1, row={1: 1})
    assert (state.piles[1], state.table.bulls) == ((4, 50), (0, 1 + 3))


def test_a_twist_is_as_secret_as_the_card_until_it_is_revealed() -> None:
    state, (event,) = GAME.apply(position("1 | 2 | 3 | 4", (31,), (32,), fan=TWIST), 0, PlayCard(31, True))
    assert event.seen_by(1) == CardChosen(0, None)
    assert GAME.view(state, 1) == GAME.view(GAME.imagine(GAME.view(state, 1), deck(104)[40:]), 1)
    assert GAME.view(state, 1).table.twists == (True, True)


# --- fan cards: several at once


ALL_FANS = ("even-odd", "mountain", "cow", "twist")


def test_several_fan_cards_may_be_combined_with_a_warning() -> None:
    assert GAME.warnings(Options(fan=("cow",)), 4) == ()
    assert len(GAME.warnings(Options(fan=("cow", "twist")), 4)) == 1


def test_a_fan_card_cannot_be_named_twice() -> None:
    with pytest.raises(InvalidOptions):
        GAME.setup(Options(fan=("cow", "cow")), 2)


@pytest.mark.parametrize(
    ("card", "after"),
    [
        (51, "10 51 | 80 | 90 | 60"),  # descends to 60, but odd
        (52, "10 | 80 | 90 | 60 52"),  # descends to 60, and even
        (62, "10 62 | 80 | 90 | 60"),  # even, but does not descend
    ],
)
@pytest.mark.rule("six.several-fans")
def test_combined_a_card_must_obey_order_and_parity_of_the_row(card: int, after: str) -> None:
    markers = Markers(even_odd=ParityMarker(4, "even"), mountain=MountainMarker(4, "up"))
    state, _ = turn("10 | 80 | 90 | 60", card, fan=("even-odd", "mountain"), markers=markers)
    assert state.table.rows == rows(after)


def test_combined_parity_is_judged_by_the_value_a_card_is_played_with() -> None:
    markers = Markers(even_odd=ParityMarker(1, "even"))
    state, _ = turn("10 | 40 | 50 | 60", 21, twist={0}, fan=("even-odd", "twist"), markers=markers)
    assert state.table.rows == rows("10 21 | 40 | 50 | 60")


def test_combined_descending_is_judged_by_the_value_a_card_is_played_with() -> None:
    state, _ = turn("10 | 80 | 90 | 60", 95, twist={0}, fan=("mountain", "twist"))
    assert state.table.rows == rows("10 | 80 | 90 | 60 95")


def test_combined_the_parity_marker_shows_the_printed_number_of_a_twisted_card() -> None:
    """21 goes as 12, too low for every row, and starts row 1: it lies there as 21."""
    markers = Markers(even_odd=ParityMarker(2, "even"))
    state, _ = turn("30 | 40 | 50 | 60", 21, twist={0}, row={0: 1}, fan=("even-odd", "twist"), markers=markers)
    assert state.table.markers.even_odd == ParityMarker(1, "odd")


def test_combined_the_cow_fills_a_place_in_the_mountain_row() -> None:
    markers = Markers(mountain=MountainMarker(4, "up"), cow=4)
    state, events = turn("1 | 2 | 90 | 60 59 58 57", 56, fan=("mountain", "cow"), markers=markers)
    assert takings(events) == [(60, 59, 58, 57)]
    assert (state.table.markers.cow, state.table.markers.mountain) == (1, MountainMarker(3, "up"))


def test_combined_a_jump_without_a_taking_moves_no_marker() -> None:
    markers = Markers(even_odd=ParityMarker(2, "even"), mountain=MountainMarker(4, "up"), cow=1)
    state, events = turn("10 | 20 | 90 | 95", 11, fan=("even-odd", "mountain", "cow"), markers=markers)
    assert only(events, MarkerMoved) == []
    assert state.table.markers == replace(markers, cow=2)


@pytest.mark.rule("six.several-fans")
def test_combined_first_the_taking_then_the_cow_and_its_chain_then_the_markers_once_for_each_row_taken() -> None:
    markers = Markers(even_odd=ParityMarker(3, "even"), mountain=MountainMarker(3, "up"), cow=1)
    before = "30 31 32 33 | 4 5 6 7 8 | 90 | 95"
    state, events = turn(before, 35, fan=("mountain", "cow", "even-odd"), markers=markers)
    assert [event for event in events if not isinstance(event, CardChosen | CardsRevealed)] == [
        CardPlaced(0, 35, 1, (30, 31, 32, 33), 10, "full-row"),
        CowJumped(0, 2, 8, (4, 5, 6, 7), 5),
        CowJumped(0, 1, None, (), 0),
        MarkerMoved("even-odd", 2, "even"),
        MarkerMoved("mountain", 2, "up"),
        MarkerMoved("even-odd", 1, "odd"),
        MarkerMoved("mountain", 1, "down"),
    ]
    assert state.table.rows == rows("35 | 8 | 90 | 95")
    assert state.table.markers == Markers(ParityMarker(1, "odd"), MountainMarker(1, "down"), 1)


def test_combined_the_cow_keeps_the_highest_number_even_if_it_is_not_the_end() -> None:
    before = "50 | 90 12 13 14 15 | 60 | 70"
    state, events = turn(before, 51, fan=("cow", "mountain"), markers=Markers(cow=1, mountain=MountainMarker(4, "up")))
    assert only(events, CowJumped)[0] == CowJumped(0, 2, 90, (12, 13, 14, 15), 5)
    assert state.table.rows[1] == (90,)
    assert state.table.markers.cow == 1


# --- refusals


CHOOSING = position("10 | 20 | 30 | 40", (5, 6), (60, 61))
LOW, _ = turn(CHOOSING, 5, 60)
OVER, _ = turn(last_turn((), rounds=1), 6, 100, row={0: 1})


@pytest.mark.parametrize(
    ("state", "seat", "action", "code"),
    [
        (CHOOSING, 0, PlayCard(60), Refusal.NOT_IN_HAND),
        (CHOOSING, 0, PlayCard(10**40), Refusal.NOT_IN_HAND),
        (CHOOSING, 0, PlayCard(-(10**40), True), Refusal.NOT_IN_HAND),
        (CHOOSING, 0, ChooseRow(1), Refusal.WRONG_ACTION),
        (CHOOSING, 0, DraftCard(1), Refusal.WRONG_ACTION),
        (CHOOSING, 2, PlayCard(5), Refusal.NO_SUCH_SEAT),
        (CHOOSING, -1, PlayCard(60), Refusal.NO_SUCH_SEAT),
        (LOW, 0, ChooseRow(0), Refusal.NO_SUCH_ROW),
        (LOW, 0, ChooseRow(5), Refusal.NO_SUCH_ROW),
        (LOW, 0, ChooseRow(10**40), Refusal.NO_SUCH_ROW),
        (LOW, 1, ChooseRow(1), Refusal.NOT_YOUR_TURN),
        (LOW, 0, PlayCard(6), Refusal.WRONG_ACTION),
        (LOW, 1, PlayCard(61), Refusal.NOT_YOUR_TURN),
        (drafting(2), 0, PlayCard(6), Refusal.WRONG_ACTION),
        (drafting(2), 0, DraftCard(10**40), Refusal.NOT_IN_POOL),
        (OVER, 0, PlayCard(1), Refusal.MATCH_OVER),
        (GAME.setup(Options(), 2), 0, PlayCard(1), Refusal.WAITING_FOR_DEAL),
    ],
)
def test_what_is_not_allowed_is_refused_with_its_code(state: State, seat: int, action: Action, code: Refusal) -> None:
    assert refusal(state, seat, action) is code


# --- positions made by hand


def test_a_position_made_by_hand_lets_all_choose() -> None:
    state = table_position([[12], [37], [43], [58]], [[15, 14], [44, 61]])
    assert (state.table.phase, state.waiting, state.hands) == ("choose", (0, 1), ((14, 15), (44, 61)))


@pytest.mark.parametrize("seats", [1, 2, 10])
def test_a_position_may_have_one_to_ten_seats(seats: int) -> None:
    assert table_position([[1], [2], [3], [4]], [[10 + seat] for seat in range(seats)]).table.seats == seats


def test_fan_cards_that_are_not_given_lie_as_at_the_beginning_of_a_round() -> None:
    state = position("12 | 7 | 43 | 58", (20,), (21,), fan=ALL_FANS)
    assert state.table.markers == Markers(ParityMarker(2, "odd"), MountainMarker(4, "up"), 2)
    assert state.table.twists == (True, True)


def test_fan_cards_that_are_given_lie_there() -> None:
    state = table_position(
        rows("12 | 7 | 43 | 58"), [[20], [21]], options=Options(fan=ALL_FANS), markers=cow(3), twists=[False, True]
    )
    assert state.table.markers == Markers(ParityMarker(2, "odd"), MountainMarker(4, "up"), 3)
    assert state.table.twists == (False, True)


def test_a_position_may_come_from_a_draft() -> None:
    state, _ = turn(position("1 | 2 | 3 | 4", (24, 20), (23, 19), draft=True), 24, 23)
    assert state.table.rows == rows("1 | 2 | 3 | 4 23 24")
    GAME.check(state)


def test_a_position_may_be_the_middle_of_a_draft() -> None:
    state = table_position([], [[24, 7], [1, 23]], options=Options(draft=True, fan=ALL_FANS))
    assert state.table.pool == tuple(card for card in range(1, 25) if card not in (1, 7, 23, 24))
    assert (state.table.phase, state.table.drafted) == ("draft", ((7, 24), (1, 23)))
    for seat, card in enumerate((2, 3)):
        state, events = GAME.apply(state, seat, DraftCard(card))
        assert events == (CardDrafted(seat, card),)
    GAME.check(state)


def test_a_position_at_the_beginning_of_a_draft_is_how_it_begins() -> None:
    assert table_position([], [[], []], options=Options(draft=True)) == drafting(2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hands": []}, "seats must be from 1 to 10"),
        ({"hands": [[card] for card in range(5, 16)]}, "seats must be from 1 to 10"),
        ({"hands": [[5], []]}, "same number"),
        ({"hands": [[], []]}, "empty hand"),
        ({"hands": [[5], [6, 7]]}, "same number"),
        ({"hands": [list(range(5, 16))]}, "10 at most"),
        ({"hands": [[105]]}, "no card 105"),
        ({"hands": [[0]]}, "no card 0"),
        ({"hands": [[5], [5]]}, "Card 5 lies in"),
        ({"rows": [[1], [2], [3]]}, "4 rows"),
        ({"rows": [[1], [2], [3]], "options": Options(fan=ALL_FANS)}, "4 rows"),
        ({"rows": [[1], [], [3], [4]], "options": Options(fan=ALL_FANS)}, "4 rows"),
        ({"rows": [[1, 20, 21, 22, 23, 24], [2], [3], [4]]}, "Row 1 holds more than 5"),
        ({"rows": [[10, 11, 12, 13, 14], [20], [30], [40]], "options": Options(fan=("cow",))}, "Row 1 holds more"),
        ({"markers": cow(1)}, "cow"),
        ({"options": Options(fan=("cow",)), "markers": cow(5)}, "from 1 to 4"),
        ({"options": Options(fan=("mountain",)), "markers": mountain(1, "up")}, "points away"),
        ({"options": Options(fan=("even-odd",)), "markers": even_odd(0, "odd")}, "from 1 to 4"),
        ({"twists": [True]}, "twist cards only"),
        ({"options": Options(fan=("twist",)), "twists": [True, True]}, "twists must have one entry"),
        ({"hands": [[30]], "options": Options(draft=True)}, "no card 30"),
        ({"rows": []}, "4 rows"),
        ({"rows": [], "hands": [[30], []], "options": Options(draft=True)}, "no card 30"),
        ({"rows": [], "hands": [[5], [6, 7]], "options": Options(draft=True)}, "draft in turn"),
        ({"rows": [], "hands": [[5], [5]], "options": Options(draft=True)}, "Card 5 lies in"),
    ],
)
def test_a_position_that_no_table_shows_is_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidPosition, match=message):
        table_position(**{"rows": [[1], [2], [3], [4]], "hands": [[5]], **arguments})


def test_a_draft_with_nothing_left_to_draft_is_no_position() -> None:
    """The four cards that nobody drafts start the rows: the draft is over before one of them could be picked."""
    state = drafting(2)
    while len(state.table.pool) > 5:
        state, _ = draft(state, state.table.pool[0])
    (decision,) = GAME.pending(state)
    hands = tuple((*hand, 20) if seat == decision.seat else hand for seat, hand in enumerate(state.hands))
    picked = replace(table_of(state, pool=(21, 22, 23, 24), drafted=hands), hands=hands)
    with pytest.raises(InvalidPosition):
        GAME.check(picked)
