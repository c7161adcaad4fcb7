"""Beat the Buffalo: the rules sentence by sentence, and the worked examples."""

import random
from collections.abc import Sequence
from itertools import permutations
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from nimmt.games.buffalo import GAME
from nimmt.games.buffalo.events import (
    CardInserted,
    CardPlaced,
    CardPushed,
    CardsRevealed,
    CardSwapped,
    CardTakenBack,
    OrderChanged,
    PointsCounted,
    ProposalDeclined,
    SpecialProposed,
    SpecialRemoved,
    SpecialsRevealed,
    SpecialUsed,
)
from nimmt.games.buffalo.position import table_position
from nimmt.games.buffalo.rules import SPECIAL_OFFSET
from nimmt.games.buffalo.types import (
    BUFFALO,
    KINDS,
    SPECIALS_IN_PLAY,
    Agree,
    AnyUse,
    ChooseRow,
    Decline,
    First,
    Insert,
    Last,
    Lift,
    Options,
    Pass,
    Play,
    PlayCard,
    Proposal,
    Propose,
    Push,
    Sort,
    State,
    Stop,
    Swap,
    SwapCard,
    Take7,
    Use,
    Withdraw,
    kind,
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
    UnknownVersion,
)
from nimmt.rules.kit.cards import bulls, deck
from nimmt.rules.kit.events import CardChosen, MatchEnded, RoundDealt
from nimmt.rules.kit.options import variant_options
from nimmt.testing.random_play import play_match

Step = tuple[State, tuple[Event, ...]]
NAMES = ["Anna", "Ben", "Cem", "Dora", "Emil", "Fay"]


def rows(text: str) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(map(int, row.split())) for row in text.split("|"))


def position(
    lying: str,
    *hands: str,
    buffalo: str,
    face_up: str = "",
    deck: str = "",
    beside: dict[int, Any] | None = None,
    decide: Any = "anyone",
    proposals: int = 3,
    rules_version: int = 2,
) -> State:
    """Everybody is about to choose. All hands and the buffalo's cards are of one length."""
    return table_position(
        rows(lying),
        [tuple(map(int, hand.split())) for hand in hands],
        tuple(map(int, buffalo.split())),
        face_up=face_up.split(),  # type: ignore[arg-type]
        deck=deck.split(),  # type: ignore[arg-type]
        beside=beside,
        options=Options(decide=decide, proposals=proposals),
        rules_version=rules_version,
    )


def reveal(state: State, *cards: int) -> State:
    """All seats choose these cards."""
    return revealed(state, *cards)[0]


def revealed(state: State, *cards: int) -> Step:
    events: list[Event] = []
    for seat, card in enumerate(cards):
        state, happened = GAME.apply(state, seat, PlayCard(card))
        events += happened
    return state, tuple(events)


def use(state: State, *wanted: AnyUse) -> State:
    return used(state, *wanted)[0]


def used(state: State, *wanted: AnyUse) -> Step:
    """Seat 0 uses special cards without asking."""
    events: list[Event] = []
    for one in wanted:
        state, happened = GAME.apply(state, 0, Use(one))
        events += happened
    return state, tuple(events)


def let_pass(state: State) -> State:
    return passed(state)[0]


def passed(state: State) -> Step:
    """Everybody passes in this window."""
    events: list[Event] = []
    for decision in GAME.pending(state):
        state, happened = GAME.apply(state, decision.seat, Pass())
        events += happened
    return state, tuple(events)


def finish(state: State) -> State:
    """Nobody uses anything more in this turn."""
    while state.table.phase == "window":
        state = let_pass(state)
    return state


def only(events: Sequence[Event], wanted: type[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, wanted)]


def refusal(state: State, seat: int, action: Action) -> Refusal:
    before = msgspec.json.encode(state)
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(state, seat, action)
    assert str(caught.value).endswith(".")
    assert msgspec.json.encode(state) == before
    return caught.value.refusal


def face_up(state: State) -> list[str]:
    return [kind(special) for special in state.table.face_up]


def beside(state: State, row: int) -> list[str]:
    return [kind(special) for special in state.table.beside[row - 1]]


def gone(state: State) -> list[str]:
    return [kind(special) for special in state.table.used]


def shuffled(seed: int) -> Deal:
    rng = random.Random(seed)
    return Deal({"numbers": tuple(rng.sample(deck(104), 104)), "specials": tuple(rng.sample(range(1, 17), 16))})


def dealt(seats: int, seed: int = 1, **options: Any) -> State:
    return GAME.deal(GAME.setup(Options(**options), seats), shuffled(seed))[0]


# --- the worked examples


@pytest.mark.rule("buffalo.take7")
def test_example_take_7_lets_20_be_the_sixth_card_and_the_next_one_takes_six() -> None:
    state = position("1 | 5 9 11 14 17 | 40 | 50", "20 90", "21 91", buffalo="70 71", face_up="Take7")
    state, events = used(reveal(state, 20, 91), Take7(2))
    assert only(events, CardPlaced)[0] == CardPlaced(0, 20, 2, (), 0, "smallest-difference")
    assert state.table.rows[1] == (5, 9, 11, 14, 17, 20)
    state, events = revealed(state, 90, 21)
    assert only(events, CardPlaced)[0] == CardPlaced(
        1, 21, 2, (5, 9, 11, 14, 17, 20), 2 + 1 + 5 + 1 + 1 + 3, "full-row"
    )
    assert state.table.rows[1] == (21,)
    assert gone(state) == ["Take7"]


def test_example_stop_sends_the_buffalos_25_from_row_2_to_the_full_row_1() -> None:
    state = position("3 4 6 8 20 | 12 23 | 40 | 50", "90 91", "92 93", buffalo="25 26", face_up="Stop")
    state, events = passed(use(reveal(state, 90, 92), Stop(2)))
    assert only(events, CardPlaced)[0] == CardPlaced(BUFFALO, 25, 1, (3, 4, 6, 8, 20), 7, "full-row")
    assert state.table.rows[:2] == rows("25 | 12 23")


def test_example_swap_plays_15_after_10_instead_of_25_onto_a_full_row() -> None:
    state = position("2 10 | 4 6 8 13 17 | 40 | 50", "15 25", "92 93", buffalo="70 71", face_up="Swap")
    state = use(reveal(state, 25, 92), Swap(0))
    assert GAME.legal(state, 0) == [SwapCard(15)]
    state, _ = GAME.apply(state, 0, SwapCard(15))
    assert state.table.rows[:2] == rows("2 10 15 | 4 6 8 13 17")
    assert (state.table.pile, state.hands[0]) == ((), (25,))


def test_example_insert_puts_10_between_5_and_11() -> None:
    state = position("30 | 5 11 | 40 | 50", "10 90", "92 93", buffalo="70 71", face_up="Insert")
    state, events = used(reveal(state, 10, 92), Insert(2))
    assert only(events, CardInserted) == [CardInserted(0, 10, 2, (), 0, None)]
    assert state.table.rows[1] == (5, 10, 11)
    assert state.table.pile == ()


def test_example_push_makes_the_buffalos_15_the_sixth_card() -> None:
    state = position("3 5 9 12 | 7 16 | 40 | 50", "90 91", "92 93", buffalo="15 71", face_up="Push")
    state, events = used(reveal(state, 90, 92), Push(7, 1))
    assert only(events, CardPushed) == [CardPushed(7, 2, 1, (), 0, None)]
    assert only(events, CardPlaced)[0] == CardPlaced(BUFFALO, 15, 1, (3, 5, 7, 9, 12), 6, "full-row")
    assert state.table.rows[:2] == rows("15 | 16")


def test_example_first_card_makes_the_buffalo_take_three_bulls_more() -> None:
    state = position("98 | 91 92 93 94 97 | 44 | 55", "100 101", "102 103", buffalo="2 3", face_up="First")
    without, _ = passed(reveal(state, 100, 102))
    assert without.table.buffalo_bulls == 1
    state, events = used(reveal(state, 100, 102), First(0))
    assert [(event.card, event.row) for event in only(events, CardPlaced)] == [(100, 1), (2, 1), (102, 2)]
    assert only(events, CardPlaced)[1] == CardPlaced(BUFFALO, 2, 1, (98, 100), 4, "buffalo-too-low")


def test_example_last_card_lets_the_buffalos_103_take_the_full_row() -> None:
    state = position("95 96 97 98 99 | 20 | 30 | 40", "100 90", "50 51", buffalo="103 104", face_up="Last")
    state, events = used(reveal(state, 100, 50), Last(0))
    assert [event.card for event in only(events, CardPlaced)] == [50, 103, 100]
    assert only(events, CardPlaced)[1] == CardPlaced(BUFFALO, 103, 1, (95, 96, 97, 98, 99), 10, "full-row")
    assert state.table.pile == ()


def test_example_sort_makes_the_buffalo_take_five() -> None:
    hands = ("55 1", "68 2", "78 3", "80 4")
    state = position("70 | 40 45 47 50 | 30 | 90", *hands, buffalo="72 5", face_up="Sort")
    state, events = used(reveal(state, 55, 68, 78, 80), Sort((2, 3, 0, BUFFALO, 1)))
    assert [event.card for event in only(events, CardPlaced)] == [78, 80, 55, 72, 68]
    assert state.table.rows == rows("70 78 80 | 72 | 30 68 | 90")
    assert state.buffalo_pile == (40, 45, 47, 50, 55)
    assert state.table.pile == ()


# --- the deal


def test_the_decks_are_104_numbers_and_16_special_cards_two_of_each_kind() -> None:
    request = GAME.deal_request(GAME.setup(Options(), 3))
    assert request is not None
    assert request.decks == {"numbers": deck(104), "specials": deck(16)}
    assert [kind(special) for special in deck(16)] == [name for name in KINDS for _ in range(2)]


@pytest.mark.parametrize("seats", range(1, 7))
@pytest.mark.rule("buffalo.setup")
def test_each_seat_and_the_buffalo_get_ten_cards_and_four_start_the_rows(seats: int) -> None:
    order = shuffled(4).decks["numbers"]
    state, events = GAME.deal(GAME.setup(Options(), seats), shuffled(4))
    assert state.hands == tuple(tuple(sorted(order[10 * seat : 10 * seat + 10])) for seat in range(seats))
    assert state.buffalo == order[10 * seats : 10 * seats + 10]
    assert state.table.rows == tuple((card,) for card in order[10 * seats + 10 : 10 * seats + 14])
    assert events[0] == RoundDealt(1, state.table.rows, state.hands)


@pytest.mark.parametrize(("seats", "number"), list(enumerate((0, 2, 4, 6, 11, 16), 1)))
@pytest.mark.rule("buffalo.setup")
def test_0_2_4_6_11_or_16_special_cards_are_used_and_two_lie_face_up(seats: int, number: int) -> None:
    order = shuffled(9).decks["specials"]
    state, events = GAME.deal(GAME.setup(Options(), seats), shuffled(9))
    assert state.table.face_up == order[: min(2, number)]
    assert state.specials == order[2:number]
    assert GAME.view(state, 0).specials_left == max(0, number - 2)
    shown = only(events, SpecialsRevealed)
    assert [len(event.kinds) for event in shown] == ([2] if number else [])


def test_special_cards_put_away_are_nowhere() -> None:
    state = dealt(3)
    specials = [card for cards in GAME.cards(state).values() for card in cards if card > 104]
    assert sorted(specials) == sorted(special + SPECIAL_OFFSET for special in shuffled(1).decks["specials"][:4])


def test_nobody_knows_the_order_of_the_special_deck_or_what_was_put_away() -> None:
    state = dealt(3)
    unseen = GAME.unseen(GAME.view(state, 0))
    hidden = [card - SPECIAL_OFFSET for card in unseen if card > 104]
    assert sorted(hidden) == sorted(shuffled(1).decks["specials"][2:])


@pytest.mark.parametrize("seats", [-1, 0, 7])
def test_one_to_six_can_play(seats: int) -> None:
    with pytest.raises(InvalidOptions, match="1 to 6"):
        GAME.setup(Options(), seats)


def test_a_deal_of_other_cards_is_refused() -> None:
    for decks in ({"numbers": deck(104)}, {"numbers": deck(104), "specials": deck(15)}):
        with pytest.raises(InvalidDeal):
            GAME.deal(GAME.setup(Options(), 2), Deal(decks))


def test_there_is_one_round() -> None:
    with pytest.raises(InvalidDeal):
        GAME.deal(dealt(2), shuffled(2))


def test_a_dealt_hand_is_seen_by_its_owner_alone_and_the_buffalos_by_nobody() -> None:
    state, (event, _) = GAME.deal(GAME.setup(Options(), 2), shuffled(3))
    assert isinstance(event, RoundDealt)
    assert event.seen_by(1).hands == (None, state.hands[1])
    assert event.seen_by(None).hands == (None, None)
    for viewer in (0, 1, None):
        assert set(state.buffalo) <= set(GAME.unseen(GAME.view(state, viewer)))


# --- a turn without special cards


def test_choices_are_secret_and_may_be_changed_until_all_have_chosen() -> None:
    state = position("10 | 20 | 30 | 40", "50 51", "60 61", buffalo="70 71")
    state, (event,) = GAME.apply(state, 0, PlayCard(50))
    assert event.seen_by(1) == event.seen_by(None) == CardChosen(0, None)
    assert (GAME.view(state, 0).choice, GAME.view(state, 1).choice) == (50, None)
    assert [decision.seat for decision in GAME.pending(state)] == [1]
    state, _ = GAME.apply(state, 0, PlayCard(51))
    state, _ = GAME.apply(state, 1, PlayCard(60))
    assert state.table.rows[3] == (40, 51, 60, 70)


@pytest.mark.rule("buffalo.turn")
def test_the_buffalos_top_card_is_revealed_with_the_others_and_all_lie_from_the_lowest() -> None:
    state = position("10 | 20 | 30 | 40", "62 1", "60 2", buffalo="61 99")
    state, events = revealed(state, 62, 60)
    assert only(events, CardsRevealed) == [CardsRevealed((Play(1, 60), Play(BUFFALO, 61), Play(0, 62)))]
    assert [event.seat for event in only(events, CardPlaced)] == [1, BUFFALO, 0]
    assert state.buffalo == (99,)


@pytest.mark.rule("buffalo.smallest-difference")
def test_a_card_joins_the_row_with_the_closest_lower_end() -> None:
    state = position("10 | 30 | 20 | 40", "25 1", buffalo="99 98")
    assert reveal(state, 25).table.rows == rows("10 | 30 | 20 25 | 40 99")


@pytest.mark.rule("buffalo.full-row")
def test_the_sixth_card_takes_five_for_the_common_pile() -> None:
    state = position("1 | 2 | 3 | 40 41 42 43 44", "60 5", "61 6", buffalo="99 98")
    state, events = revealed(state, 60, 61)
    assert only(events, CardPlaced)[0] == CardPlaced(0, 60, 4, (40, 41, 42, 43, 44), 11, "full-row")
    assert (state.table.pile, state.table.bulls) == ((40, 41, 42, 43, 44), 11)
    assert (state.table.buffalo_taken, state.table.buffalo_bulls) == (0, 0)


def test_whoever_takes_it_is_the_teams_pile() -> None:
    state = position("10 | 20 | 30 | 40", "2 50", "1 51", buffalo="99 98")
    state, _ = GAME.apply(reveal(state, 2, 1), 1, ChooseRow(4))
    assert state.table.pile == (40,)
    state = position("10 | 20 | 30 | 40", "2 50", "51 52", buffalo="99 98")
    state, _ = GAME.apply(reveal(state, 2, 51), 0, ChooseRow(3))
    assert state.table.pile == (30,)


@pytest.mark.rule("buffalo.too-low")
def test_rule_4_asks_the_owner_of_a_team_card_for_any_row() -> None:
    state = position("10 | 20 | 30 | 40", "60 5", "2 6", buffalo="99 98")
    state = reveal(state, 60, 2)
    assert [(decision.seat, decision.kind) for decision in GAME.pending(state)] == [(1, "row")]
    assert GAME.legal(state, 1) == [ChooseRow(row) for row in (1, 2, 3, 4)]
    state, (placed, *_) = GAME.apply(state, 1, ChooseRow(3))
    assert placed == CardPlaced(1, 2, 3, (30,), 3, "too-low")
    assert state.table.rows == rows("10 | 20 | 2 | 40 60 99")


@pytest.mark.rule("buffalo.buffalo-too-low")
def test_rule_4_makes_the_buffalo_take_the_row_with_fewest_bulls() -> None:
    state = position("10 | 11 | 15 | 20", "60 5", buffalo="2 98")
    state, events = revealed(state, 60)
    assert only(events, CardPlaced)[0] == CardPlaced(BUFFALO, 2, 3, (15,), 2, "buffalo-too-low")
    assert (state.table.buffalo_taken, state.table.buffalo_bulls) == (1, 2)


@pytest.mark.rule("buffalo.buffalo-too-low")
def test_rule_4_on_a_tie_the_buffalo_takes_the_row_with_the_highest_end() -> None:
    state = position("12 | 81 | 14 | 20", "90 5", buffalo="2 98")
    assert reveal(state, 90).table.rows == rows("12 | 2 | 14 | 20 90")


def test_the_team_may_look_through_its_pile_but_nobody_through_the_buffalos() -> None:
    state = position("12 | 81 | 14 | 3 4 6 7 8", "9 5", buffalo="2 98")
    state = reveal(state, 9)
    assert state.buffalo_pile == (81,)
    for viewer in (0, None):
        view = GAME.view(state, viewer)
        assert view.table.pile == (3, 4, 6, 7, 8)
        assert b"buffalo_pile" not in msgspec.json.encode(view)
        assert (view.table.buffalo_taken, view.table.buffalo_bulls) == (1, 1)


def test_alone_there_is_never_a_window() -> None:
    assert SPECIALS_IN_PLAY[1] == 0
    steps = play_match(GAME, Options(decide="agree"), 1, random.Random(5))
    assert {step.state.table.phase for step in steps} == {"choose", "row", "over"}


# --- the end


def ending(team: int, buffalo: int, lying: str, seats: int) -> Outcome:
    """The last turn: seat 0 plays a card that matters, the others play to rows 3 and 4 without taking."""
    cards = (team, 62, 82, 63, 83, 64)[:seats]
    state = reveal(position(lying, *map(str, cards), buffalo=str(buffalo)), *cards)
    outcome = GAME.outcome(state)
    assert outcome is not None
    return outcome


@pytest.mark.parametrize("seats", range(1, 7))
@pytest.mark.rule("buffalo.end")
def test_the_team_wins_together_with_fewer_points_than_the_buffalo(seats: int) -> None:
    assert ending(32, 2, "13 | 30 | 60 | 80", seats) == Outcome("team", tuple(range(seats)), (0,) * seats)


@pytest.mark.parametrize("seats", range(1, 7))
@pytest.mark.rule("buffalo.end")
def test_equal_points_are_not_a_win(seats: int) -> None:
    assert ending(32, 14, "13 | 30 | 60 | 80", seats) == Outcome("buffalo", (), (0,) * seats)


FIVE_AND_SIX = "17 18 21 23 24 | 45 46 47 48 49 | 60 | 80"
"""The team's 26 takes five bulls, the buffalo's 54 takes six."""


@pytest.mark.parametrize(("seats", "points", "reason"), [(1, 10, "buffalo"), (2, 10, "buffalo"), (3, 5, "team")])
@pytest.mark.rule("buffalo.end")
def test_one_or_two_players_count_their_bulls_twice(seats: int, points: int, reason: str) -> None:
    outcome = ending(26, 54, FIVE_AND_SIX, seats)
    assert (outcome.reason, outcome.points) == (reason, (points,) * seats)


def test_the_end_tells_the_points_of_both_sides() -> None:
    state, events = revealed(position(FIVE_AND_SIX, "26", "82", buffalo="54"), 26, 82)
    assert events[-2:] == (PointsCounted(5, True, 10, 6), MatchEnded(Outcome("buffalo", (), (10, 10))))
    assert events[-2].tell(NAMES) == "The team has 10 points (5 bulls, doubled), the buffalo 6."
    assert PointsCounted(1, False, 1, 0).tell(NAMES) == "The team has 1 point, the buffalo 0."
    assert (state.table.bulls, state.table.buffalo_bulls, state.table.phase) == (5, 6, "over")


# --- when special cards may be used

PLAIN = "10 | 20 | 30 | 40"


@pytest.mark.rule("buffalo.special-cards")
def test_a_window_opens_after_the_reveal_before_each_placement_and_after_the_last_one() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Stop")
    state = reveal(state, 50, 60)
    lying = []
    while state.table.phase == "window":
        assert [(decision.seat, decision.kind) for decision in GAME.pending(state)] == [(0, "special"), (1, "special")]
        lying.append(state.table.rows[3])
        state = let_pass(state)
    assert lying == [(40,), (40, 50), (40, 50, 60), (40, 50, 60, 70)]
    assert (state.table.phase, state.table.turn) == ("choose", 10)


def test_there_is_no_window_while_cards_are_chosen() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Stop")
    assert refusal(state, 0, Use(Stop(1))) is Refusal.WRONG_ACTION
    assert refusal(state, 0, Pass()) is Refusal.WRONG_ACTION


def test_no_window_opens_when_the_team_can_do_nothing() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="45 71", face_up="Insert")
    state = reveal(state, 50, 60)
    assert state.table.phase == "choose"


def test_after_the_last_placement_only_what_lies_at_rows_is_possible() -> None:
    state = position(PLAIN, "50 51", "60 61", "65 66", "67 68", buffalo="70 71", face_up="Take7 Push", deck="Stop")
    state = reveal(state, 50, 60, 65, 67)
    for _ in range(5):
        state = let_pass(state)
    assert state.table.queue == ()
    assert GAME.legal(state, 0) == [*(Use(Take7(row)) for row in (1, 2, 3, 4)), Pass()]


def test_the_game_is_over_with_the_last_card_of_the_last_turn() -> None:
    state = position(PLAIN, "50", "60", buffalo="70", face_up="Take7 Stop")
    state = finish(reveal(state, 50, 60))
    assert state.table.phase == "over"


@pytest.mark.rule("buffalo.special-cards")
def test_any_number_may_be_used_and_a_used_one_is_replaced_at_once_for_the_same_window() -> None:
    state = position(PLAIN, "50 51", "60 61", "65 66", buffalo="70 71", face_up="Take7 Stop", deck="First Last")
    state, events = used(reveal(state, 50, 60, 65), Take7(4))
    assert face_up(state) == ["First", "Stop"]
    assert [type(event) for event in events] == [SpecialUsed, SpecialsRevealed]
    state = let_pass(use(state, Stop(1), First(2), Last(0)))
    assert (face_up(state), state.table.rows[3]) == ([], (40, 65))
    assert [play.card for play in state.table.queue] == [60, 70, 50]


def test_a_card_used_without_a_deck_is_not_replaced() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Stop Take7")
    state, events = used(reveal(state, 50, 60), Stop(1))
    assert face_up(state) == ["Take7"]
    assert only(events, SpecialsRevealed) == []


def test_of_two_cards_of_one_kind_one_is_used() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Stop Stop")
    state = reveal(state, 50, 60)
    assert len(GAME.legal(state, 0)) == len(set(GAME.legal(state, 0))) == 5
    assert face_up(use(state, Stop(1))) == ["Stop"]


def test_a_window_closes_by_itself_when_nothing_more_can_be_done() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Take7")
    assert use(reveal(state, 50, 60), Take7(1)).table.phase == "choose"


# --- who decides


def proposing(**more: Any) -> State:
    """Three seats that must agree, just after the reveal of 50, 60, 65 and the buffalo's 70."""
    state = position(PLAIN, "50 51", "60 61", "65 66", buffalo="70 71", face_up="Stop Take7", decide="agree", **more)
    return reveal(state, 50, 60, 65)


def say(state: State, *said: tuple[int, Action]) -> State:
    for seat, action in said:
        state, _ = GAME.apply(state, seat, action)
    return state


def waited_for(state: State) -> list[tuple[int, str]]:
    return [(decision.seat, decision.kind) for decision in GAME.pending(state)]


@pytest.mark.rule("buffalo.deciding")
def test_a_proposal_happens_when_all_others_have_agreed() -> None:
    state, events = GAME.apply(proposing(), 1, Propose(Stop(2)))
    assert events == (SpecialProposed(1, Stop(2)),)
    assert waited_for(state) == [(0, "answer"), (2, "answer")]
    state = say(state, (2, Agree()))
    assert (waited_for(state), beside(state, 2)) == ([(0, "answer")], [])
    state, events = GAME.apply(state, 0, Agree())
    assert only(events, SpecialUsed) == [SpecialUsed(1, Stop(2))]
    assert beside(state, 2) == ["Stop"]


@pytest.mark.rule("buffalo.deciding")
def test_one_who_declines_drops_the_proposal() -> None:
    state = say(proposing(), (1, Propose(Stop(2))), (2, Agree()))
    state, events = GAME.apply(state, 0, Decline())
    assert events == (ProposalDeclined(0),)
    assert waited_for(state) == [(0, "special"), (1, "special"), (2, "special")]
    assert (beside(state, 2), face_up(state)) == ([], ["Stop", "Take7"])


def test_the_proposer_may_withdraw_and_nobody_else() -> None:
    state = say(proposing(), (1, Propose(Stop(2))), (2, Agree()))
    assert GAME.legal(state, 1) == (Withdraw(),)
    assert refusal(state, 0, Withdraw()) is Refusal.WRONG_ACTION
    state = say(state, (1, Withdraw()))
    assert waited_for(state) == [(0, "special"), (1, "special"), (2, "special")]


def test_with_an_open_proposal_the_others_can_only_answer_and_only_once() -> None:
    state = say(proposing(), (1, Propose(Stop(2))), (2, Agree()))
    assert GAME.legal(state, 0) == (Agree(), Decline())
    assert GAME.legal(state, 2) == ()
    assert refusal(state, 0, Pass()) is Refusal.WRONG_ACTION
    assert refusal(state, 0, Propose(Stop(1))) is Refusal.ALREADY_PROPOSED
    assert refusal(state, 1, Propose(Stop(1))) is Refusal.ALREADY_PROPOSED
    assert refusal(state, 1, Agree()) is Refusal.WRONG_ACTION
    assert refusal(state, 2, Decline()) is Refusal.NOT_YOUR_TURN


def test_nothing_can_be_answered_when_nothing_is_proposed() -> None:
    for action in (Agree(), Decline(), Withdraw()):
        assert refusal(proposing(), 0, action) is Refusal.NOTHING_PROPOSED


def test_who_has_passed_is_not_waited_for_but_must_answer_others() -> None:
    state = say(proposing(), (0, Pass()))
    assert waited_for(state) == [(1, "special"), (2, "special")]
    assert GAME.legal(state, 0) == ()
    assert refusal(state, 0, Propose(Stop(1))) is Refusal.NOT_YOUR_TURN
    assert refusal(state, 0, Pass()) is Refusal.NOT_YOUR_TURN
    state = say(state, (1, Propose(Stop(2))))
    assert waited_for(state) == [(0, "answer"), (2, "answer")]
    state = say(state, (0, Decline()))
    assert waited_for(state) == [(1, "special"), (2, "special")]


def test_passes_are_forgotten_when_a_special_card_is_used() -> None:
    state = say(proposing(), (0, Pass()), (1, Propose(Stop(2))), (0, Agree()), (2, Agree()))
    assert waited_for(state) == [(0, "special"), (1, "special"), (2, "special")]


def test_the_window_closes_when_all_have_passed() -> None:
    state = say(proposing(), (0, Pass()), (2, Pass()))
    assert state.table.rows[3] == (40,)
    assert say(state, (1, Pass())).table.rows[3] == (40, 50)


def test_a_seat_can_make_only_so_many_proposals_until_a_special_card_is_used() -> None:
    state = proposing(proposals=2)
    for _ in range(2):
        state = say(state, (0, Propose(Stop(1))), (1, Decline()))
    assert GAME.legal(state, 0) == (Pass(),)
    assert refusal(state, 0, Propose(Stop(1))) is Refusal.TOO_MANY_PROPOSALS
    state = say(state, (1, Propose(Stop(2))), (0, Agree()), (2, Agree()))
    assert Propose(Take7(1)) in GAME.legal(state, 0)


def test_withdrawn_proposals_count_too() -> None:
    state = say(proposing(proposals=1), (0, Propose(Stop(1))), (0, Withdraw()))
    assert GAME.legal(state, 0) == (Pass(),)


def test_new_proposals_may_be_made_after_each_placement() -> None:
    state = say(proposing(proposals=1), (0, Propose(Stop(1))), (1, Decline()), (0, Pass()), (1, Pass()), (2, Pass()))
    assert Propose(Stop(1)) in GAME.legal(state, 0)


def test_what_was_declined_is_remembered_until_the_turn_is_over() -> None:
    state = say(proposing(), (0, Propose(Stop(1))), (1, Decline()), (0, Propose(Take7(2))), (0, Withdraw()))
    assert state.table.declined == (Stop(1),)  # withdrawn is not declined
    state = say(state, (0, Propose(Take7(3))), (1, Agree()), (2, Agree()), (2, Propose(Stop(4))), (1, Decline()))
    assert state.table.declined == (Stop(1), Stop(4))
    state = finish(state)
    assert (state.table.phase, state.table.declined) == ("choose", ())


def test_with_the_option_anyone_may_act_alone() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Stop Take7", decide="anyone")
    state = reveal(state, 50, 60)
    assert refusal(state, 0, Propose(Stop(1))) is Refusal.WRONG_ACTION
    assert refusal(state, 0, Agree()) is Refusal.WRONG_ACTION
    state, _ = GAME.apply(state, 1, Use(Stop(1)))
    assert beside(state, 1) == ["Stop"]
    state = say(state, (0, Pass()))
    assert refusal(state, 0, Use(Take7(1))) is Refusal.NOT_YOUR_TURN


def test_without_the_option_nobody_may_act_alone() -> None:
    assert refusal(proposing(), 0, Use(Stop(1))) is Refusal.WRONG_ACTION


def test_a_proposed_swap_does_not_name_a_card_of_the_hand() -> None:
    assert [field.name for field in msgspec.structs.fields(Swap)] == ["seat"]


def test_only_face_up_special_cards_can_be_used() -> None:
    assert refusal(proposing(), 0, Propose(Sort((2, 1, 0, BUFFALO)))) is Refusal.NO_SUCH_SPECIAL
    assert refusal(proposing(), 0, Propose(Lift(1))) is Refusal.NO_SUCH_SPECIAL


# --- Take 7!

FULL = "21 22 23 24 26"


def test_take_7_may_lie_at_a_row_of_any_length_but_an_empty_one() -> None:
    state = position(f"1 | {FULL} | 30 31 |", "50 51", "60 61", buffalo="70 71", face_up="Take7")
    state = reveal(state, 50, 60)
    assert GAME.legal(state, 0) == [*(Use(Take7(row)) for row in (1, 2, 3)), Pass()]
    assert refusal(state, 0, Use(Take7(4))) is Refusal.SPECIAL_NOT_POSSIBLE


def test_take_7_does_not_lie_at_a_row_with_another_one() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Take7", beside={2: ["Take7"]})
    assert refusal(reveal(state, 50, 60), 0, Use(Take7(2))) is Refusal.SPECIAL_NOT_POSSIBLE


def test_take_7_leaves_when_its_row_is_taken_under_rule_4() -> None:
    state = position(PLAIN, "5 51", "60 61", buffalo="70 71", beside={2: ["Take7"]})
    state, events = GAME.apply(reveal(state, 5, 60), 0, ChooseRow(2))
    assert events[1] == SpecialRemoved("Take7", 2)
    assert (beside(state, 2), gone(state)) == ([], ["Take7"])


def test_take_7_stays_while_another_row_is_taken() -> None:
    state = position(PLAIN, "5 51", "60 61", buffalo="70 71", beside={2: ["Take7"]})
    state, _ = GAME.apply(reveal(state, 5, 60), 0, ChooseRow(1))
    assert beside(state, 2) == ["Take7"]


def test_take_7_lets_the_buffalo_take_six_too() -> None:
    state = position(f"1 | {FULL} 27 | 80 | 90", "50 51", "60 61", buffalo="28 71", beside={2: ["Take7"]})
    state = reveal(state, 50, 60)
    assert (state.table.buffalo_taken, gone(state)) == (6, ["Take7"])


# --- Stop!


def test_stop_lies_only_at_a_row_that_is_not_empty_and_not_stopped() -> None:
    state = position("1 | 20 | 30 |", "50 51", "60 61", buffalo="70 71", face_up="Stop", beside={2: ["Stop"]})
    state = reveal(state, 50, 60)
    assert GAME.legal(state, 0) == [Use(Stop(1)), Use(Stop(3)), Use(Lift(2)), Pass()]
    assert refusal(state, 0, Use(Stop(4))) is Refusal.SPECIAL_NOT_POSSIBLE
    assert refusal(state, 0, Use(Stop(2))) is Refusal.SPECIAL_NOT_POSSIBLE


@pytest.mark.parametrize(("there", "new"), [("Stop", Take7(2)), ("Take7", Stop(2))])
def test_stop_and_take_7_may_share_a_row(there: str, new: Take7 | Stop) -> None:
    name = type(new).__name__
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up=name, beside={2: [there]})
    assert beside(use(reveal(state, 50, 60), new), 2) == [there, name]


@pytest.mark.rule("buffalo.stop")
def test_stop_keeps_cards_from_being_added() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", beside={4: ["Stop"]})
    assert finish(reveal(state, 50, 60)).table.rows == rows("10 | 20 | 30 50 60 70 | 40")


def test_stop_a_card_that_only_fits_stopped_rows_fits_none_and_takes_an_open_row() -> None:
    state = position(PLAIN, "15 51", "60 61", buffalo="70 71", beside={1: ["Stop"]})
    state = let_pass(reveal(state, 15, 60))
    assert GAME.legal(state, 0) == [ChooseRow(row) for row in (2, 3, 4)]
    assert refusal(state, 0, ChooseRow(1)) is Refusal.DOES_NOT_FIT


def test_stop_keeps_the_buffalo_from_taking_the_row_with_fewest_bulls() -> None:
    state = position("12 | 15 | 30 | 40", "50 51", "60 61", buffalo="2 71", beside={1: ["Stop"]})
    state = let_pass(reveal(state, 50, 60))
    assert state.table.rows == rows("12 | 2 | 30 | 40")


def test_stop_keeps_cards_from_being_moved_or_inserted() -> None:
    state = position(PLAIN, "5 51", "60 61", "65 66", buffalo="70 71", face_up="Push Insert", beside={1: ["Stop"]})
    state = reveal(state, 5, 60, 65)
    for wanted in (Push(10, 2), Push(20, 1), Insert(1)):
        assert refusal(state, 0, Use(wanted)) is Refusal.SPECIAL_NOT_POSSIBLE
    pushes = [action.use for action in GAME.legal(state, 0) if isinstance(action, Use) and isinstance(action.use, Push)]
    assert {(push.card, push.row) for push in pushes} == {(20, 3), (20, 4), (30, 2), (30, 4), (40, 2), (40, 3)}


@pytest.mark.parametrize("rules_version", [1, 2])
def test_stop_may_be_lifted_in_a_later_window_and_then_leaves_the_game(rules_version: int) -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Stop Take7", rules_version=rules_version)
    state = let_pass(use(reveal(state, 50, 60), Stop(4)))
    assert state.table.rows == rows("10 | 20 | 30 50 | 40")
    state, events = used(state, Lift(4))
    assert events == (SpecialUsed(0, Lift(4)), SpecialRemoved("Stop", 4))
    assert (beside(state, 4), gone(state), face_up(state)) == ([], ["Stop"], ["Take7"])
    assert finish(state).table.rows == rows("10 | 20 | 30 50 60 70 | 40")


@pytest.mark.rule("buffalo.stop")
def test_stop_may_be_lifted_in_the_window_in_which_it_was_laid() -> None:
    state = reveal(position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Stop Take7"), 50, 60)
    state = use(state, Stop(4))
    assert Use(Lift(4)) in GAME.legal(state, 1)
    state, events = used(state, Lift(4))
    assert events == (SpecialUsed(0, Lift(4)), SpecialRemoved("Stop", 4))
    assert (beside(state, 4), gone(state), face_up(state)) == ([], ["Stop"], ["Take7"])
    assert state.table.phase == "window"  # all may think again
    assert finish(state).table.rows == rows("10 | 20 | 30 | 40 50 60 70")


def test_in_version_1_stop_stayed_in_the_window_in_which_it_was_laid() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Stop Take7", rules_version=1)
    state = use(reveal(state, 50, 60), Stop(4))
    assert refusal(state, 0, Use(Lift(4))) is Refusal.SPECIAL_NOT_POSSIBLE
    assert Use(Lift(4)) not in GAME.legal(state, 1)


def test_stop_lasts_into_later_turns_and_opens_windows_for_lifting() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", beside={4: ["Stop"]})
    state = finish(reveal(state, 50, 60))
    state = reveal(state, 51, 61)
    assert GAME.legal(state, 1) == [Use(Lift(4)), Pass()]


def test_two_rows_may_be_stopped() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", beside={4: ["Stop"], 3: ["Stop"]})
    assert finish(reveal(state, 50, 60)).table.rows == rows("10 | 20 50 60 70 | 30 | 40")


# --- Swap!


@pytest.mark.rule("buffalo.swap")
def test_swap_takes_a_card_back_and_places_another_at_once() -> None:
    state = position(PLAIN, "50 51", "60 45", buffalo="70 71", face_up="Swap")
    state, events = used(reveal(state, 50, 60), Swap(1))
    assert events[1:] == (CardTakenBack(1, 60),)
    assert (state.table.phase, waited_for(state)) == ("swap", [(1, "swap")])
    state, events = GAME.apply(state, 1, SwapCard(45))
    assert events[0] == CardSwapped(1, 45)
    assert [event.card for event in only(events, CardPlaced)] == [45, 50, 70]
    assert state.hands == ((51,), (60,))


def test_swap_does_not_change_the_order_of_the_others() -> None:
    state = position(PLAIN, "50 51", "60 99", "65 66", buffalo="55 71", face_up="Sort Swap", deck="Stop")
    state = use(reveal(state, 50, 60, 65), Sort((2, 1, BUFFALO, 0)), Swap(1))
    state, events = GAME.apply(state, 1, SwapCard(99))
    assert [event.card for event in only(events, CardPlaced)] == [99]
    assert [play.card for play in state.table.queue] == [65, 55, 50]


def test_swap_is_followed_by_a_window_before_the_next_placement() -> None:
    state = position(PLAIN, "50 51", "60 45", buffalo="70 71", face_up="Swap Stop")
    state, _ = GAME.apply(use(reveal(state, 50, 60), Swap(1)), 1, SwapCard(45))
    assert (state.table.phase, state.table.rows[3]) == ("window", (40, 45))


def test_swap_the_other_card_may_fall_under_rule_4() -> None:
    state = position(PLAIN, "50 51", "60 5", buffalo="70 71", face_up="Swap")
    state, _ = GAME.apply(use(reveal(state, 50, 60), Swap(1)), 1, SwapCard(5))
    assert (waited_for(state), state.table.queue[0]) == ([(1, "row")], Play(1, 5))
    state, _ = GAME.apply(state, 1, ChooseRow(2))
    assert state.table.rows == rows("10 | 5 | 30 | 40 50 70")


def test_swap_is_not_for_the_buffalos_card_nor_for_one_that_lies() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Swap Stop")
    state = let_pass(reveal(state, 50, 60))
    for seat in (BUFFALO, 0, 2, 10**40):
        assert refusal(state, 1, Use(Swap(seat))) is Refusal.SPECIAL_NOT_POSSIBLE
    assert Use(Swap(1)) in GAME.legal(state, 0)


def test_swap_needs_another_card_in_hand() -> None:
    state = position(PLAIN, "50", "60", buffalo="70", face_up="Swap Stop")
    assert refusal(reveal(state, 50, 60), 0, Use(Swap(0))) is Refusal.SPECIAL_NOT_POSSIBLE


def test_swap_the_card_taken_back_must_not_be_played_again_at_once() -> None:
    state = position(PLAIN, "50 51", "60 45", buffalo="70 71", face_up="Swap")
    state = use(reveal(state, 50, 60), Swap(1))
    assert GAME.legal(state, 1) == [SwapCard(45)]
    assert refusal(state, 1, SwapCard(60)) is Refusal.SPECIAL_NOT_POSSIBLE
    assert refusal(state, 1, SwapCard(51)) is Refusal.NOT_IN_HAND
    assert refusal(state, 0, SwapCard(51)) is Refusal.NOT_YOUR_TURN
    assert refusal(state, 1, PlayCard(45)) is Refusal.WRONG_ACTION


def test_swap_everybody_remembers_the_card_taken_back_until_it_is_played() -> None:
    state = position(PLAIN, "50 51", "60 45", buffalo="70 71", face_up="Swap")
    state = use(reveal(state, 50, 60), Swap(1))
    state, _ = GAME.apply(state, 1, SwapCard(45))
    view = GAME.view(state, 0)
    assert view.table.known == (Play(1, 60),)
    assert 60 not in GAME.unseen(view)
    assert GAME.imagine(view, GAME.unseen(view)).hands[1] == (60,)
    assert reveal(state, 51, 60).table.known == ()


# --- Insert!


@pytest.mark.rule("buffalo.insert")
def test_insert_goes_between_cards_or_to_the_front_but_never_to_the_end() -> None:
    state = position("10 18 | 20 | 12 13 | 5 7", "15 51", "60 61", buffalo="70 71", face_up="Insert")
    state = reveal(state, 15, 60)
    assert GAME.legal(state, 0) == [Use(Insert(1)), Use(Insert(2)), Pass()]
    assert refusal(state, 0, Use(Insert(3))) is Refusal.DOES_NOT_FIT
    assert use(state, Insert(1)).table.rows[0] == (10, 15, 18)
    assert use(state, Insert(2)).table.rows[1] == (15, 20, 60, 70)


def test_insert_is_for_the_teams_card_that_is_next_to_be_placed() -> None:
    state = position(PLAIN, "5 51", "6 61", buffalo="70 71", face_up="Insert Stop")
    state, events = used(reveal(state, 5, 6), Insert(1))
    assert only(events, CardInserted) == [CardInserted(0, 5, 1, (), 0, None)]
    assert (state.table.phase, [play.card for play in state.table.queue]) == ("window", [6, 70])


def test_insert_is_not_for_the_buffalos_card() -> None:
    state = position(PLAIN, "8 51", "60 61", buffalo="7 71", face_up="Insert Stop")
    assert refusal(reveal(state, 8, 60), 0, Use(Insert(1))) is Refusal.SPECIAL_NOT_POSSIBLE


@pytest.mark.rule("buffalo.insert")
def test_insert_into_a_full_row_takes_all_but_the_last_card_for_the_team() -> None:
    state = position(f"10 | {FULL} | 30 | 40", "25 51", "60 61", buffalo="70 71", face_up="Insert")
    state, events = used(reveal(state, 25, 60), Insert(2))
    assert only(events, CardInserted) == [CardInserted(0, 25, 2, (21, 22, 23, 24, 25), 10, 26)]
    assert (state.table.rows[1], state.table.pile) == ((26,), (21, 22, 23, 24, 25))


def test_insert_a_row_with_take_7_has_room_for_six() -> None:
    state = position(
        f"10 | {FULL} | 30 | 40",
        "25 51",
        "27 61",
        buffalo="70 71",
        face_up="Insert",
        beside={2: ["Take7"]},
    )
    state = use(reveal(state, 25, 27), Insert(2))
    assert state.table.pile == (21, 22, 23, 24, 25, 26)
    assert (state.table.rows[1][0], gone(state)) == (27, ["Insert", "Take7"])


def test_insert_into_a_full_row_makes_its_take_7_leave() -> None:
    state = position(
        f"10 | {FULL} 27 | 30 | 40", "25 51", "60 61", buffalo="70 71", face_up="Insert", beside={2: ["Take7"]}
    )
    state, events = used(reveal(state, 25, 60), Insert(2))
    assert (state.table.rows[1], state.table.bulls) == ((27,), 11)
    assert only(events, SpecialRemoved) == [SpecialRemoved("Take7", 2)]


# --- Push!


@pytest.mark.rule("buffalo.push")
def test_push_moves_any_card_of_an_open_row_to_where_it_keeps_another_ascending() -> None:
    state = position("10 25 35 | 20 30 | 31 | 40", "50 51", "60 61", buffalo="70 71", face_up="Push Stop")
    state = reveal(state, 50, 60)
    for card, row, after in (
        (25, 2, (20, 25, 30)),
        (10, 2, (10, 20, 30)),
        (35, 2, (20, 30, 35)),
        (20, 1, (10, 20, 25, 35)),
    ):
        assert use(state, Push(card, row)).table.rows[row - 1] == after
    assert refusal(state, 0, Use(Push(25, 1))) is Refusal.SPECIAL_NOT_POSSIBLE
    assert refusal(state, 0, Use(Push(99, 1))) is Refusal.SPECIAL_NOT_POSSIBLE
    assert refusal(state, 0, Use(Push(25, 5))) is Refusal.NO_SUCH_ROW


def test_push_needs_a_card_that_is_still_to_be_placed() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Push Stop")
    state = let_pass(let_pass(let_pass(reveal(state, 50, 60))))
    assert state.table.queue == ()
    assert refusal(state, 0, Use(Push(10, 2))) is Refusal.SPECIAL_NOT_POSSIBLE


def test_push_works_while_the_buffalos_card_is_the_only_one_left() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Push Stop")
    state = let_pass(let_pass(reveal(state, 50, 60)))
    assert use(state, Push(40, 3)).table.rows == rows("10 | 20 | 30 40 | 50 60")


@pytest.mark.parametrize(("card", "kept", "taken"), [(25, 26, (21, 22, 23, 24, 25)), (31, 31, (21, 22, 23, 24, 26))])
@pytest.mark.rule("buffalo.push")
def test_push_into_a_full_row_takes_all_but_the_last_card_for_the_team(
    card: int, kept: int, taken: tuple[int, ...]
) -> None:
    state = position(f"10 | {FULL} | {card} 80 | 90", "50 51", "60 61", buffalo="5 71", face_up="Push Stop")
    state, events = used(reveal(state, 50, 60), Push(card, 2))
    assert only(events, CardPushed) == [CardPushed(card, 3, 2, taken, bulls(taken), kept)]
    assert (state.table.rows[1], state.table.pile, state.table.buffalo_taken) == ((kept,), taken, 0)


def test_push_into_a_full_row_makes_its_take_7_leave() -> None:
    state = position(
        f"10 | {FULL} 27 | 25 80 | 90", "50 51", "60 61", buffalo="70 71", face_up="Push", beside={2: ["Take7"]}
    )
    state = use(reveal(state, 50, 60), Push(25, 2))
    assert (state.table.pile, gone(state)) == ((21, 22, 23, 24, 25, 26), ["Push", "Take7"])


# --- empty rows


@pytest.mark.rule("buffalo.empty-row")
def test_an_empty_row_must_take_the_next_card_whatever_else_would_apply() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Push")
    state, events = used(reveal(state, 50, 60), Push(40, 1))
    assert only(events, CardPlaced)[0] == CardPlaced(0, 50, 4, (), 0, "empty-row")
    assert state.table.rows == rows("10 40 | 20 | 30 | 50 60 70")


def test_an_empty_row_takes_the_buffalos_card_too_and_nothing_is_taken() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="2 71", face_up="Push")
    state = use(reveal(state, 50, 60), Push(10, 2))
    assert state.table.rows == rows("2 | 10 20 | 30 | 40 50 60")
    assert state.table.buffalo_taken == 0


def test_an_empty_row_saves_from_a_full_one() -> None:
    state = position(f"10 | {FULL} | 80 | 90", "27 51", "60 61", buffalo="70 71", face_up="Push")
    state = use(reveal(state, 27, 60), Push(10, 3))
    assert (state.table.rows[0][0], state.table.pile) == (27, ())


def test_an_empty_row_forbids_insert() -> None:
    state = position(PLAIN, "5 51", "60 61", "65 66", buffalo="70 71", face_up="Push Insert", deck="Stop")
    state = use(reveal(state, 5, 60, 65), Push(10, 2))
    assert refusal(state, 0, Use(Insert(2))) is Refusal.SPECIAL_NOT_POSSIBLE
    assert refusal(state, 0, Use(Insert(1))) is Refusal.SPECIAL_NOT_POSSIBLE


def test_an_empty_row_takes_the_replacement_of_a_swap() -> None:
    state = position(PLAIN, "50 51", "60 5", buffalo="70 71", face_up="Push Swap")
    state = use(reveal(state, 50, 60), Push(40, 3), Swap(1))
    state, events = GAME.apply(state, 1, SwapCard(5))
    assert only(events, CardPlaced)[0] == CardPlaced(1, 5, 4, (), 0, "empty-row")


def test_an_empty_row_waits_into_later_turns() -> None:
    state = position("10 | 20 | | 40", "50 51", "60 61", buffalo="70 71")
    state = reveal(state, 50, 60)
    assert state.table.rows == rows("10 | 20 | 50 60 70 | 40")


def test_an_empty_row_keeps_its_take_7() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Push", beside={4: ["Take7"]})
    state = use(reveal(state, 50, 60), Push(40, 1))
    assert (beside(state, 4), state.table.rows[3]) == (["Take7"], (50, 60, 70))


def test_an_empty_row_may_be_filled_by_another_push() -> None:
    state = position("10 | 20 | 30 35 | 40", "50 51", "60 61", buffalo="70 71", face_up="Push Push")
    state = use(reveal(state, 50, 60), Push(40, 1), Push(35, 4))
    assert state.table.rows == rows("10 40 50 60 70 | 20 | 30 | 35")


def test_of_two_empty_rows_the_upper_one_takes_the_next_card() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Push Push")
    state = use(reveal(state, 50, 60), Push(40, 1), Push(20, 1))
    assert state.table.rows == rows("10 20 40 | 50 | 30 | 60 70")


def test_example_two_rows_emptied_by_push_wait_into_the_next_turn_and_then_take_what_comes() -> None:
    """The last card of a turn fills one of them, the lowest card of the next turn the other: the buffalo's, which
    would have had to take a row."""
    lying = "10 | 20 | 41 42 43 44 | 81 82 83 84 85"
    state = position(lying, "50 90", "60 91", buffalo="70 1", face_up="Push Push")
    state = let_pass(let_pass(reveal(state, 50, 60)))
    assert state.table.rows == rows("10 | 20 | 60 | 81 82 83 84 85")  # 60 took five
    state, events = used(state, Push(10, 2), Push(60, 2))
    assert only(events, CardPlaced) == [CardPlaced(BUFFALO, 70, 1, (), 0, "empty-row")]
    assert (state.table.phase, state.table.rows) == ("choose", ((70,), (10, 20, 60), (), (81, 82, 83, 84, 85)))
    state, events = revealed(state, 90, 91)
    assert only(events, CardPlaced)[0] == CardPlaced(BUFFALO, 1, 3, (), 0, "empty-row")
    assert state.table.rows == ((70,), (10, 20, 60), (1,), (90, 91))
    assert state.table.taken == (41, 42, 43, 44, 50, 81, 82, 83, 84, 85)


# --- First card, Last card, Sort


def in_order(state: State) -> list[int]:
    return [play.card for play in state.table.queue]


@pytest.mark.rule("buffalo.first")
def test_first_card_moves_a_team_card_to_the_front_and_a_second_one_in_front_of_it() -> None:
    state = position(PLAIN, "50 51", "60 61", "80 81", buffalo="70 71", face_up="First First", deck="Stop")
    state, events = used(reveal(state, 50, 60, 80), First(2))
    assert in_order(state) == [80, 50, 60, 70]
    assert only(events, OrderChanged) == [OrderChanged(state.table.queue)]
    assert in_order(use(state, First(1))) == [60, 80, 50, 70]


@pytest.mark.rule("buffalo.last")
def test_last_card_moves_a_team_card_to_the_back_and_a_second_one_behind_it() -> None:
    state = position(PLAIN, "50 51", "60 61", "80 81", buffalo="70 71", face_up="Last Last", deck="Stop")
    state = use(reveal(state, 50, 60, 80), Last(1))
    assert in_order(state) == [50, 70, 80, 60]
    assert in_order(use(state, Last(2))) == [50, 70, 60, 80]


@pytest.mark.parametrize("card", [First, Last])
def test_first_and_last_card_are_for_team_cards_that_do_not_lie_yet(card: type[First] | type[Last]) -> None:
    state = position(PLAIN, "50 51", "60 61", "80 81", buffalo="70 71", face_up=f"{card.__name__} Stop")
    state = let_pass(reveal(state, 50, 60, 80))
    for seat in (BUFFALO, 0, 3, -2):
        assert refusal(state, 0, Use(card(seat))) is Refusal.SPECIAL_NOT_POSSIBLE


def test_first_and_last_card_may_change_nothing_and_turn_up_the_next_special_cards() -> None:
    hands = ("50 51", "60 61", "80 81")
    state = position(PLAIN, *hands, buffalo="70 71", face_up="First Last", deck="Stop Push")
    state = reveal(state, 50, 60, 80)
    every = [*(First(seat) for seat in range(3)), *(Last(seat) for seat in range(3))]
    assert [*map(Use, every), Pass()] == GAME.legal(state, 0)
    after, events = used(state, First(0), Last(2))
    assert after.table.queue == state.table.queue
    assert [event.plays for event in only(events, OrderChanged)] == [state.table.queue] * 2
    assert [event.kinds for event in only(events, SpecialsRevealed)] == [("Stop",), ("Push",)]
    assert (face_up(after), gone(after)) == (["Stop", "Push"], ["First", "Last"])


def test_a_use_that_changes_nothing_is_enough_for_a_window() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="45 71", face_up="First Sort")
    state = let_pass(let_pass(reveal(state, 50, 60)))  # only the last card is still to be placed
    assert (state.table.phase, len(state.table.queue)) == ("window", 1)
    state = use(state, First(1))
    assert [Use(Sort((1,))), Pass()] == GAME.legal(state, 0)
    assert use(state, Sort((1,))).table.phase == "choose"  # nothing is left to use, so the card is placed


def test_no_order_card_can_be_used_when_all_cards_are_placed() -> None:
    state = finish(reveal(position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="First Sort"), 50, 60))
    assert state.table.phase == "choose"


def test_in_version_1_first_and_last_card_had_to_change_something() -> None:
    hands = ("50 51", "60 61", "80 81")
    state = reveal(position(PLAIN, *hands, buffalo="70 71", face_up="First Last", rules_version=1), 50, 60, 80)
    assert refusal(state, 0, Use(First(0))) is Refusal.SPECIAL_NOT_POSSIBLE
    assert refusal(state, 0, Use(Last(2))) is Refusal.SPECIAL_NOT_POSSIBLE
    assert [Use(First(1)), Use(First(2)), Use(Last(0)), Use(Last(1)), Pass()] == GAME.legal(state, 0)


@pytest.mark.parametrize("rules_version", [1, 2])
@pytest.mark.rule("buffalo.sort")
def test_sort_sets_any_order_of_all_cards_still_to_be_placed_the_buffalos_included(rules_version: int) -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Sort", rules_version=rules_version)
    state = reveal(state, 50, 60)
    orders = [order for order in permutations((0, 1, BUFFALO)) if rules_version > 1 or order != (0, 1, BUFFALO)]
    legal = [action.use.order for action in GAME.legal(state, 0) if isinstance(action, Use)]  # type: ignore[union-attr]
    assert sorted(legal) == sorted(orders)
    for order in orders:
        _, events = used(state, Sort(order))
        assert [event.seat for event in only(events, CardPlaced)] == list(order)


def test_in_version_1_sort_had_to_change_something() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Sort", rules_version=1)
    assert refusal(reveal(state, 50, 60), 0, Use(Sort((0, 1, BUFFALO)))) is Refusal.SPECIAL_NOT_POSSIBLE


@pytest.mark.parametrize("order", [(), (0, 1), (0, 1, 1), (0, 1, 2), (1, 0, -1, -1), (10**30, 0, 1)])
def test_sort_must_name_each_card_once(order: tuple[int, ...]) -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Sort")
    assert refusal(reveal(state, 50, 60), 0, Use(Sort(order))) is Refusal.SPECIAL_NOT_POSSIBLE


@pytest.mark.parametrize(("rules_version", "orders"), [(1, 5039), (2, 5040)])
def test_sort_of_seven_cards_has_5040_orders(rules_version: int, orders: int) -> None:
    hands = [f"{50 + seat} {60 + seat}" for seat in range(6)]
    state = position(PLAIN, *hands, buffalo="70 71", face_up="Sort Stop", rules_version=rules_version)
    legal = GAME.legal(reveal(state, *range(50, 56)), 0)
    assert len(set(legal)) == len(legal) == orders + 4 + 1


def test_in_version_1_sort_and_order_cards_were_useless_for_a_single_card() -> None:
    state = position(PLAIN, "50 51", "60 61", buffalo="70 71", face_up="Sort Last", rules_version=1)
    state = let_pass(let_pass(reveal(state, 50, 60)))
    assert state.table.phase == "choose"


# --- refusals

CHOOSING = position(PLAIN, "5 51", "60 61", buffalo="70 71", face_up="Stop Take7")
OPEN = reveal(CHOOSING, 5, 60)
LOW = let_pass(OPEN)
SWAPPING = use(reveal(position(PLAIN, "5 51", "60 61", buffalo="70 71", face_up="Swap Stop"), 5, 60), Swap(0))
OVER = reveal(position(PLAIN, "50", "60", buffalo="70"), 50, 60)
ASKED = say(proposing(), (1, Propose(Stop(2))))


@pytest.mark.parametrize(
    ("state", "seat", "action", "code"),
    [
        (CHOOSING, 0, PlayCard(60), Refusal.NOT_IN_HAND),
        (CHOOSING, 0, PlayCard(10**5000), Refusal.NOT_IN_HAND),
        (CHOOSING, 0, PlayCard(-1), Refusal.NOT_IN_HAND),
        (CHOOSING, 0, ChooseRow(1), Refusal.WRONG_ACTION),
        (CHOOSING, 0, SwapCard(5), Refusal.WRONG_ACTION),
        (CHOOSING, 2, PlayCard(5), Refusal.NO_SUCH_SEAT),
        (CHOOSING, -1, PlayCard(70), Refusal.NO_SUCH_SEAT),
        (OPEN, 0, PlayCard(51), Refusal.WRONG_ACTION),
        (OPEN, 0, Use(Stop(0)), Refusal.NO_SUCH_ROW),
        (OPEN, 0, Use(Stop(10**5000)), Refusal.NO_SUCH_ROW),
        (OPEN, 0, Use(Take7(-1)), Refusal.NO_SUCH_ROW),
        (OPEN, 0, Use(Lift(5)), Refusal.NO_SUCH_ROW),
        (OPEN, 0, Use(Lift(1)), Refusal.NO_SUCH_SPECIAL),
        (OPEN, 0, Use(Push(10, 2)), Refusal.NO_SUCH_SPECIAL),
        (OPEN, 0, Use(Insert(10**5000)), Refusal.NO_SUCH_SPECIAL),
        (LOW, 0, ChooseRow(0), Refusal.NO_SUCH_ROW),
        (LOW, 0, ChooseRow(5), Refusal.NO_SUCH_ROW),
        (LOW, 0, ChooseRow(-(10**5000)), Refusal.NO_SUCH_ROW),
        (LOW, 1, ChooseRow(1), Refusal.NOT_YOUR_TURN),
        (LOW, 1, Pass(), Refusal.NOT_YOUR_TURN),
        (LOW, 0, Pass(), Refusal.WRONG_ACTION),
        (SWAPPING, 0, SwapCard(10**5000), Refusal.NOT_IN_HAND),
        (SWAPPING, 1, Use(Stop(1)), Refusal.NOT_YOUR_TURN),
        (SWAPPING, 0, Use(Stop(1)), Refusal.WRONG_ACTION),
        (ASKED, 3, Agree(), Refusal.NO_SUCH_SEAT),
        (OVER, 0, PlayCard(1), Refusal.MATCH_OVER),
        (OVER, 0, Pass(), Refusal.MATCH_OVER),
        (GAME.setup(Options(), 2), 0, PlayCard(1), Refusal.WAITING_FOR_DEAL),
        (GAME.setup(Options(), 2), 0, Agree(), Refusal.WAITING_FOR_DEAL),
    ],
)
def test_what_is_not_allowed_is_refused_with_its_code(state: State, seat: int, action: Action, code: Refusal) -> None:
    assert refusal(state, seat, action) is code


# --- options


def test_the_variants_are_basic_and_anyone() -> None:
    assert variant_options(GAME, "basic") == Options(decide="agree", proposals=3)
    assert variant_options(GAME, "anyone") == Options(decide="anyone", proposals=3)


@pytest.mark.parametrize("value", [{"proposals": 0}, {"proposals": 21}, {"decide": "nobody"}, {"rounds": 2}])
def test_options_are_limited(value: dict[str, Any]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(value, Options)


# --- how it is told


def test_a_turn_is_told_in_plain_sentences() -> None:
    lying, hands = "10 | 21 22 23 24 26 | 30 | 40", ("25 51", "60 61", "65 66")
    state = position(lying, *hands, buffalo="2 71", face_up="Push Last", deck="Swap Insert", decide="agree")
    state, events = revealed(state, 25, 60, 65)
    told = [event.tell(NAMES) for event in events]
    for seat, action in (
        (0, Propose(Push(30, 2))),
        (1, Agree()),
        (2, Agree()),
        (1, Propose(Last(0))),
        (2, Decline()),
        (2, Propose(Swap(1))),
        (2, Withdraw()),
        (0, Pass()),
        (1, Pass()),
        (2, Pass()),
        (0, Propose(Swap(2))),
        (2, Agree()),
        (1, Agree()),
        (2, SwapCard(66)),
    ):
        state, events = GAME.apply(state, seat, action)
        told += [event.tell(NAMES) for event in events]
    assert told == [
        "Anna chooses 25.",
        "Ben chooses 60.",
        "Cem chooses 65.",
        "Revealed: the buffalo 2, Anna 25, Ben 60, Cem 65.",
        "Anna proposes Push! of 30 to row 2.",
        "Ben agrees.",
        "Cem agrees.",
        "Anna uses Push! of 30 to row 2.",
        "Swap! lies face up for the team.",
        "30 is pushed from row 3 to row 2, which is full: the team takes 21 22 23 24 26 (9 bulls), 30 starts it again.",
        "Ben proposes Last card for Anna.",
        "Cem declines; the proposal is dropped.",
        "Cem proposes Swap! for Ben.",
        "Cem withdraws the proposal.",
        "Anna passes.",
        "Ben passes.",
        "Cem passes.",
        "The buffalo: 2 goes to row 3.",
        "Anna proposes Swap! for Cem.",
        "Cem agrees.",
        "Ben agrees.",
        "Anna uses Swap! for Cem.",
        "Insert! lies face up for the team.",
        "Cem takes 65 back.",
        "Cem plays 66 instead.",
        "Cem: 66 goes to row 4.",
    ]


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (SpecialsRevealed(("First", "Sort")), "First card and Sort lie face up for the team."),
        (SpecialProposed(0, Take7(3)), "Anna proposes Take 7! at row 3."),
        (SpecialProposed(0, Stop(3)), "Anna proposes Stop! at row 3."),
        (SpecialProposed(0, Lift(3)), "Anna proposes the end of Stop! at row 3."),
        (SpecialProposed(0, Insert(3)), "Anna proposes Insert! into row 3."),
        (SpecialUsed(1, First(0)), "Ben uses First card for Anna."),
        (SpecialUsed(1, Sort((2, BUFFALO, 0))), "Ben uses Sort: Cem, the buffalo, Anna."),
        (SpecialUsed(1, Lift(2)), "Ben lifts Stop! from row 2."),
        (SpecialRemoved("Take7", 4), "Take 7! at row 4 leaves the game."),
        (OrderChanged((Play(BUFFALO, 7), Play(1, 3))), "The order is now: the buffalo 7, Ben 3."),
        (CardInserted(0, 5, 1, (), 0, None), "Anna: 5 is inserted into row 1."),
        (
            CardInserted(0, 5, 1, (1, 2, 3, 4, 5), 6, 9),
            "Anna: 5 is inserted into row 1, which is full: the team takes 1 2 3 4 5 (6 bulls), 9 starts it again.",
        ),
        (CardPushed(5, 2, 1, (), 0, None), "5 is pushed from row 2 to row 1."),
    ],
)
def test_what_special_cards_do_is_told(event: Event, sentence: str) -> None:
    assert event.tell(NAMES) == sentence


# --- positions


def test_a_position_made_by_hand_lets_all_choose() -> None:
    state = table_position(
        [[5], [10, 18], [], [70]], [[61, 59], [62, 63]], [3, 4], face_up=["Push"], beside={2: ["Stop"]}
    )
    assert (state.table.phase, state.table.turn, state.waiting) == ("choose", 9, (0, 1))
    assert (face_up(state), beside(state, 2)) == (["Push"], ["Stop"])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"hands": []}, "seats must be from 1 to 6"),
        ({"hands": [[4, 5], [6]]}, "hands must hold 2"),
        ({"hands": [[4, 5], [6, 105]]}, "no card 105"),
        ({"hands": [[4, 5], [6, 5]]}, "Card 5 lies in"),
        ({"hands": [[4, 5], [6, 1003]]}, "no card 1003"),
        ({"buffalo": []}, "turn"),
        ({"buffalo": [50]}, "hands must hold 1"),
        ({"rows": [[1], [2], [3]]}, "4 rows"),
        ({"rows": [[1], [2], [9, 8], [7]]}, "Row 3 must ascend"),
        ({"rows": [[1], [2], [3], [70, 71, 72, 73, 74, 75]]}, "Row 4 must ascend and hold at most 5"),
        ({"beside": {3: ["Swap"]}}, "Beside row 3"),
        ({"beside": {3: ["Stop", "Stop"]}}, "Beside row 3"),
        ({"rows": [[1], [2], [], [7]], "beside": {3: ["Stop"]}}, "cannot be stopped"),
        ({"face_up": ["Stop", "Stop", "Stop"]}, "only two"),
        ({"face_up": ["Stop", "Swap", "Push"]}, "2 special cards are in play"),
        ({"face_up": ["Stop"], "deck": ["Push"]}, "fewer only when the deck is empty"),
    ],
)
def test_a_position_that_no_table_shows_is_refused(changes: dict[str, Any], message: str) -> None:
    plain: dict[str, Any] = {"rows": [[1], [2], [3], [7]], "hands": [[40, 41], [60, 61]], "buffalo": [50, 51]}
    with pytest.raises(InvalidPosition, match=message):
        table_position(**plain | changes)


def table_of(state: State, **changes: Any) -> State:
    return replace(state, table=replace(state.table, **changes))


def window_of(state: State, **changes: Any) -> State:
    assert state.table.window is not None
    return table_of(state, window=replace(state.table.window, **changes))


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (table_of(GAME.setup(Options(), 2), turn=1), "Before the deal"),
        (table_of(CHOOSING, phase="deal"), "Before the deal"),
        (table_of(CHOOSING, phase="over"), "hands"),
        (table_of(CHOOSING, turn=0), "turn must be"),
        (table_of(CHOOSING, face_up=(0,)), "no card 0"),
        (table_of(CHOOSING, face_up=(-995,)), "no card -995"),
        (table_of(CHOOSING, queue=(Play(0, 99),)), "between the reveal"),
        (table_of(CHOOSING, known=(Play(0, 99),)), "must be there"),
        (table_of(CHOOSING, known=(Play(-1, 5),)), "must be there"),
        (table_of(CHOOSING, known=(Play(0, 5), Play(0, 5))), "once"),
        (table_of(CHOOSING, taken=(99,)), "two bull piles"),
        (table_of(CHOOSING, pile=(99,), taken=(99,)), "bulls"),
        (table_of(CHOOSING, bulls=1), "bulls"),
        (table_of(CHOOSING, buffalo_taken=1), "bulls"),
        (replace(CHOOSING, buffalo=(70,)), "buffalo must have 2"),
        (replace(CHOOSING, hands=((51, 5), (60, 61))), "ascending"),
        (replace(CHOOSING, chosen=(60, None), waiting=(1,)), "cannot have chosen"),
        (replace(CHOOSING, chosen=(5, 60), waiting=()), "waiting"),
        (replace(CHOOSING, waiting=(1, 0)), "waiting"),
        (table_of(OPEN, window=None), "a window exactly"),
        (table_of(OPEN, queue=(Play(0, 5), Play(0, 60))), "at most one"),
        (table_of(OPEN, queue=(Play(2, 5),)), "at most one"),
        (table_of(OPEN, queue=(Play(-2, 5),)), "at most one"),
        (table_of(OPEN, face_up=()), "can use something"),
        (window_of(OPEN, passed=(True, True)), "not all"),
        (window_of(OPEN, passed=(False,)), "every seat"),
        (window_of(OPEN, proposals=(1, 0)), "at most 0"),
        (window_of(OPEN, stopped=(1,)), "in which it was laid"),
        (replace(OPEN, table=replace(OPEN.table, rules_version=1)), "under version 1"),
        (replace(OPEN, table=replace(OPEN.table, rules_version=3)), "under version 3"),
        (replace(OPEN, table=replace(OPEN.table, declined=(Stop(1),))), "made and declined"),
        (replace(CHOOSING, table=replace(CHOOSING.table, declined=(Stop(1),))), "made and declined"),
        (window_of(ASKED, proposals=(0, 4, 0)), "at most 3"),
        (window_of(ASKED, proposals=(0, 0, 0)), "has not passed"),
        (window_of(ASKED, passed=(False, True, False)), "has not passed"),
        (window_of(ASKED, proposal=Proposal(7, Stop(2), ())), "has not passed"),
        (window_of(ASKED, proposal=Proposal(1, Stop(2), (0, 2))), "not all"),
        (window_of(ASKED, proposal=Proposal(1, Stop(2), (1,))), "not all"),
        (window_of(ASKED, proposal=Proposal(1, Stop(2), (0, 0))), "not all"),
        (window_of(ASKED, proposal=Proposal(1, Stop(9), ())), "must be possible"),
        (window_of(ASKED, proposal=Proposal(1, Swap(0), ())), "must be possible"),
        (table_of(LOW, queue=()), "card of the team"),
        (table_of(LOW, queue=(Play(BUFFALO, 5),)), "card of the team"),
        (table_of(LOW, queue=(Play(0, 99),)), "nothing to choose"),
        (table_of(SWAPPING, known=()), "hands"),
        (table_of(SWAPPING, queue=(Play(0, 99),)), "no card to be placed"),
    ],
)
def test_a_state_that_the_rules_cannot_go_on_from_is_refused(broken: State, message: str) -> None:
    with pytest.raises(InvalidPosition, match=message):
        GAME.check(broken)


@pytest.mark.parametrize("row", [1, 9])
def test_in_version_1_a_row_that_was_stopped_in_a_window_must_be_stopped(row: int) -> None:
    state = reveal(position(PLAIN, "5 51", "60 61", buffalo="70 71", face_up="Stop Take7", rules_version=1), 5, 60)
    GAME.under(1).check(state)
    with pytest.raises(InvalidPosition, match="must be stopped"):
        GAME.under(1).check(window_of(state, stopped=(row,)))


# --- versions of the rules


def test_new_matches_are_played_under_the_newest_version() -> None:
    assert GAME.rules_version == GAME.setup(Options(), 2).table.rules_version == 2


def test_an_older_match_is_set_up_under_its_own_version() -> None:
    older = GAME.under(1)
    assert older.rules_version == older.setup(Options(), 2).table.rules_version == 1
    assert (older.id, GAME.rules_version) == (GAME.id, 2)


@pytest.mark.parametrize("version", [-1, 0, 3, 10**30])
def test_other_versions_are_unknown(version: int) -> None:
    with pytest.raises(UnknownVersion, match="only versions 1 to 2 of the rules of buffalo"):
        GAME.under(version)
