"""Baron Oxx: the deck we ship, the rules sentence by sentence, and the rulebook's examples."""

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from nimmt.games.baron import GAME
from nimmt.games.baron import deck as deck_module
from nimmt.games.baron.deck import BARONS, COLOURS, Deck, check_deck, faces, shipped_deck
from nimmt.games.baron.position import table_position
from nimmt.games.baron.types import (
    CardPlaced,
    CardReturned,
    CardsDrawn,
    CardsRevealed,
    ChooseRow,
    LeftCounted,
    Options,
    Play,
    PlayCard,
    State,
    StoodStill,
    draw_pile_size,
)
from nimmt.rules.game import (
    Action,
    Cards,
    Deal,
    Decision,
    Event,
    IllegalAction,
    InvalidDeal,
    InvalidOptions,
    InvalidPosition,
    Outcome,
    Refusal,
    Rows,
)
from nimmt.rules.kit.events import CardChosen, MatchEnded, RoundDealt, RoundEnded
from nimmt.rules.registry import get

BASIC = Options()
COLOUR_COUNTS = Options(colour_counts=True)
GOOD = Options(bulls_are_good=True)
BOTH = Options(colour_counts=True, bulls_are_good=True)
ALL_OPTIONS = {"basic": BASIC, "colour-counts": COLOUR_COUNTS, "bulls-are-good": GOOD, "both": BOTH}

WHOLE_DECK = tuple(range(1, 111))
NAMES = [f"P{seat}" for seat in range(10)]

# Blue, yellow, green, red and black ends: a card of one colour fits one row, and a white one fits none.
NO_WHITE = "1 | 36 | 20 | 4 | 39"


def rows(text: str) -> Rows:
    return tuple(tuple(map(int, row.split())) for row in text.split("|"))


def position(
    table: str, *hands: str, draw: Sequence[str] | None = None, options: Options = BASIC, **known: Rows
) -> State:
    """One seat for each hand; `known` sets what all remember of returned cards."""
    piles = None if draw is None else [rows(pile)[0] for pile in draw]
    state = table_position(rows(table), [rows(hand)[0] for hand in hands], piles, options)
    state = replace(state, table=replace(state.table, **known))
    GAME.check(state)
    return state


def turn(state: State, *cards: int, choose: Sequence[int] = ()) -> tuple[State, list[Event]]:
    """Each seat plays a card, in seat order; then rows are chosen as they are asked for."""
    events: list[Event] = []
    for seat, card in enumerate(cards):
        state, happened = GAME.apply(state, seat, PlayCard(card))
        events += happened
    for row in choose:
        (decision,) = GAME.pending(state)
        state, happened = GAME.apply(state, decision.seat, ChooseRow(row))
        events += happened
    return state, events


def alone(table: str, card: int, *choose: int, options: Options = BASIC) -> tuple[State, CardPlaced]:
    """One seat places one card; what became of it. Two more cards keep the game going."""
    spare = [str(other) for other in WHOLE_DECK if other != card and other not in sum(rows(table), ())][:2]
    state, events = turn(position(table, f"{card} {' '.join(spare)}", options=options), card, choose=choose)
    (placed,) = of(events, CardPlaced)
    return state, placed


def of(events: Sequence[Event], kind: type[Any]) -> list[Any]:
    return [event for event in events if type(event) is kind]


def kinds(state: State) -> list[tuple[int, str]]:
    return [(decision.seat, decision.kind) for decision in GAME.pending(state)]


def refusal(state: State, seat: int, action: Action) -> Refusal:
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(state, seat, action)
    assert str(caught.value).endswith(".")
    assert caught.value.seat == seat
    return caught.value.refusal


def dealt(seats: int, options: Options = BASIC, order: Cards = WHOLE_DECK) -> State:
    return GAME.deal(GAME.setup(options, seats), Deal({"baron": order}))[0]


def shuffled(rng: random.Random) -> Cards:
    return tuple(rng.sample(WHOLE_DECK, len(WHOLE_DECK)))


def random_match(rng: random.Random, options: Options, seats: int) -> Iterator[tuple[State, tuple[Event, ...]]]:
    """Every state of a match between players who do anything that is allowed, with what led to it."""
    state = GAME.setup(options, seats)
    yield state, ()
    while GAME.outcome(state) is None:
        if GAME.deal_request(state):
            state, events = GAME.deal(state, Deal({"baron": shuffled(rng)}))
        else:
            seat = rng.choice(GAME.pending(state)).seat
            state, events = GAME.apply(state, seat, rng.choice(GAME.legal(state, seat)))
        yield state, events


def all_cards(state: State) -> list[int]:
    return sorted(card for cards in GAME.cards(state).values() for card in cards)


# --- the game as such --------------------------------------------------------------------------------------


def test_the_registry_knows_the_game() -> None:
    assert get("baron") is GAME
    assert (GAME.min_seats, GAME.max_seats) == (2, 10)


def test_variants_are_named_and_set_the_two_options() -> None:
    made = {variant.id: msgspec.convert(variant.options, Options) for variant in GAME.variants}
    assert made == ALL_OPTIONS


@pytest.mark.parametrize("seats", [-1, 0, 1, 11, 10**30])
def test_two_to_ten_seats(seats: int) -> None:
    with pytest.raises(InvalidOptions, match="2 to 10"):
        GAME.setup(BASIC, seats)


@pytest.mark.parametrize("games", [-1, 0, 101, 10**30])
def test_one_to_a_hundred_games(games: int) -> None:
    with pytest.raises(InvalidOptions, match="1 to 100"):
        GAME.setup(Options(games=games), 4)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(json.dumps({"games": games}), type=Options)


# --- the deck that we ship ---------------------------------------------------------------------------------


def shown(card: int) -> tuple[str, ...]:
    return shipped_deck().cards[str(card)]


def test_the_deck_says_that_it_is_our_own() -> None:
    assert "not the printed" in shipped_deck().note.lower()
    assert "our own" in shipped_deck().note


def test_the_deck_is_read_from_the_data_file_beside_the_game() -> None:
    path = Path(deck_module.__file__).with_name("deck.json")
    assert msgspec.json.decode(path.read_bytes(), type=Deck) == shipped_deck()


def test_there_are_the_cards_1_to_110() -> None:
    assert list(shipped_deck().cards) == [str(card) for card in WHOLE_DECK]
    check_deck(shipped_deck())


def test_there_are_six_colours() -> None:
    assert set(COLOURS) == {"blue", "yellow", "green", "red", "black", "white"}
    assert {colour for card in WHOLE_DECK for colour in shown(card)} == set(COLOURS)


@pytest.mark.rule("baron.baron")
def test_52_and_104_are_the_baron_with_one_bull_of_each_colour() -> None:
    assert BARONS == (52, 104)
    assert all(sorted(shown(card)) == sorted(COLOURS) for card in BARONS)


@pytest.mark.parametrize("colour", COLOURS)
def test_each_colour_is_on_33_cards_with_40_bulls(colour: str) -> None:
    assert sum(colour in shown(card) for card in WHOLE_DECK) == 33
    assert sum(shown(card).count(colour) for card in WHOLE_DECK) == 40


def test_24_cards_show_one_bull_48_two_36_three_and_2_six() -> None:
    assert Counter(len(shown(card)) for card in WHOLE_DECK) == {1: 24, 2: 48, 3: 36, 6: 2}


def test_54_cards_show_one_colour_30_two_24_three_and_the_barons_all() -> None:
    assert Counter(len(set(shown(card))) for card in WHOLE_DECK) == {1: 54, 2: 30, 3: 24, 6: 2}


def test_each_pair_of_colours_occurs_twice() -> None:
    pairs = Counter(frozenset(shown(card)) for card in WHOLE_DECK if len(set(shown(card))) == 2)
    assert pairs == {frozenset(pair): 2 for pair in combinations(COLOURS, 2)}


def test_all_twenty_triples_of_colours_occur() -> None:
    triples = {frozenset(shown(card)) for card in WHOLE_DECK if len(set(shown(card))) == 3}
    assert triples == {frozenset(triple) for triple in combinations(COLOURS, 3)}
    assert len(triples) == 20


def test_any_nine_consecutive_values_show_all_colours() -> None:
    for first in range(1, 103):
        assert {colour for card in range(first, first + 9) for colour in shown(card)} == set(COLOURS)


def test_value_and_number_of_bulls_are_uncorrelated() -> None:
    bulls = [len(shown(card)) for card in WHOLE_DECK]
    middle, mean = sum(WHOLE_DECK) / 110, sum(bulls) / 110
    together = sum((card - middle) * (number - mean) for card, number in zip(WHOLE_DECK, bulls, strict=True))
    spread = sum((card - middle) ** 2 for card in WHOLE_DECK) * sum((number - mean) ** 2 for number in bulls)
    assert abs(together / spread**0.5) < 0.05


def test_about_two_rows_fit_a_card_and_rule_3_decides_about_a_tenth_of_the_plays() -> None:
    rng, fitting, plays = random.Random(110), 0, Counter[str]()
    for seed in range(40):
        for state, events in random_match(random.Random(seed), BASIC, 4):
            plays.update(event.rule for event in of(events, CardPlaced))
            if state.table.phase == "choose":
                ends = [faces(None).colours[row[-1]] for row in state.table.rows]
                card = rng.choice(state.hands[0])
                fitting += sum(bool(end & faces(None).colours[card]) for end in ends)
                plays["asked"] += 1
    placed = plays.total() - plays["asked"]
    assert 1.6 < fitting / plays["asked"] < 2.4
    assert 0.05 < plays["no-colour"] / placed < 0.15


def test_what_the_rules_ask_of_a_deck_is_what_the_deck_says() -> None:
    known = faces(None)
    for card in WHOLE_DECK:
        assert known.bulls[card] == len(shown(card))
        assert known.counts[card] == tuple(shown(card).count(colour) for colour in COLOURS)
        assert [colour for i, colour in enumerate(COLOURS) if known.colours[card] >> i & 1] == [
            colour for colour in COLOURS if colour in shown(card)
        ]


# --- an owner's deck ---------------------------------------------------------------------------------------


def owners_deck(**changes: Any) -> Deck:
    """Our deck with some cards changed, `card_1=(...)`, or taken out, `card_1=None`."""
    changed = {name.removeprefix("card_"): bulls for name, bulls in changes.items()}
    cards = {**shipped_deck().cards, **changed}
    return Deck(name="mine", cards={number: bulls for number, bulls in cards.items() if bulls is not None})


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"card_17": None}, "card 17 is missing"),
        ({"card_111": ("blue",)}, "no card '111', the cards are 1 to 110"),
        ({"card_0": ("blue",)}, "no card '0'"),
        ({"card_01": ("blue",)}, "no card '01'"),
        ({"card_17": ()}, "card 17 shows 0 bulls, and it is checked that each card shows 1 to 7"),
        ({"card_17": ("blue",) * 8}, "card 17 shows 8 bulls, and it is checked that each card shows 1 to 7"),
        ({"card_17": ("pink",)}, "card 17 shows 'pink', the colours are blue, yellow, green, red, black, white"),
        ({"card_52": ("blue",) * 6}, "card 52 is the Baron and shows one bull of each colour"),
        ({"card_104": COLOURS[:5]}, "card 104 is the Baron and shows one bull of each colour"),
    ],
)
def test_a_deck_that_cannot_be_played_is_refused_with_the_card_and_what_is_allowed(changes: Any, told: str) -> None:
    options = Options(deck=owners_deck(**changes))
    with pytest.raises(InvalidOptions, match=told):
        GAME.setup(options, 4)
    with pytest.raises(InvalidPosition, match=told):
        table_position(rows(NO_WHITE), [[7]], options=options)


def test_an_owners_deck_decides_colours_and_bulls() -> None:
    options = Options(deck=owners_deck(card_7=("yellow", "yellow")))
    state, placed = alone(NO_WHITE, 7, options=options)
    assert placed.row == 2
    state, _ = turn(position("7 | 1 | 20 | 4 | 39", "23", options=options), 23, choose=[1])
    assert state.table.bulls == (2,)


@pytest.mark.parametrize(
    "bulls", [("blue",) * 7, ("blue",) * 6 + ("red",), ("red", "red", "red", "red", "red", "blue", "blue")]
)
def test_a_card_of_an_owners_deck_may_show_seven_bulls(bulls: tuple[Any, ...]) -> None:
    options = Options(deck=owners_deck(card_7=bulls, card_8=bulls))
    state, _ = turn(position("7 | 1 | 20 | 4 | 39", "8", options=options), 8, choose=[1])
    assert state.table.bulls == (7,)  # six or more of a colour: the row with the 7 is taken
    assert state.table.rows[0] == (8,)


def test_an_owners_deck_travels_in_the_options_so_that_a_record_needs_nothing_else() -> None:
    options = Options(deck=owners_deck(card_7=("yellow", "yellow")))
    state = dealt(3, options)
    again = msgspec.json.decode(msgspec.json.encode(state), type=State)
    assert again == state
    assert again.table.options.deck == options.deck
    assert hash(again.table.options) == hash(options)


def test_two_decks_with_one_name_are_two_decks() -> None:
    one, other = owners_deck(card_7=("yellow",)), owners_deck(card_7=("white",))
    assert faces(one).colours[7] != faces(other).colours[7]
    assert faces(owners_deck(card_7=("white",))) is faces(other)


def test_a_card_with_six_bulls_of_a_colour_lies_alone_until_the_next_one_takes_it() -> None:
    options = Options(deck=owners_deck(card_1=("blue",) * 6))
    state, placed = alone("13 | 36 | 20 | 4 | 39", 1, options=options)
    assert (state.table.rows[0], placed.taken) == ((1,), (13,))
    state, placed = alone(NO_WHITE, 7, options=options)
    assert (state.table.rows[0], placed.taken, placed.bulls) == ((7,), (1,), 6)


# --- dealing -----------------------------------------------------------------------------------------------


@pytest.mark.rule("baron.setup")
def test_draw_piles_have_24_24_24_20_16_12_12_8_8_cards_for_two_to_ten_players() -> None:
    sizes = [draw_pile_size(seats) for seats in range(2, 11)]
    assert sizes == [24, 24, 24, 20, 16, 12, 12, 8, 8]
    assert sizes == [min(24, 4 * (105 // (4 * seats))) for seats in range(2, 11)]


@pytest.mark.parametrize("seats", range(2, 11))
@pytest.mark.rule("baron.setup")
def test_everybody_gets_a_draw_pile_and_draws_four_and_five_rows_start_with_one_card(seats: int) -> None:
    state, size = dealt(seats), draw_pile_size(seats)
    assert [len(hand) for hand in state.hands] == [4] * seats
    assert [len(pile) for pile in state.draw_piles] == [size - 4] * seats
    assert [len(row) for row in state.table.rows] == [1] * 5
    assert len(all_cards(state)) == size * seats + 5


def test_which_card_of_the_order_goes_where() -> None:
    state = dealt(3, order=tuple(reversed(WHOLE_DECK)))
    assert state.hands == ((107, 108, 109, 110), (83, 84, 85, 86), (59, 60, 61, 62))
    assert state.draw_piles[0] == tuple(range(106, 86, -1)), "top card first"
    assert state.table.rows == rows("38 | 37 | 36 | 35 | 34")


def test_cards_that_are_not_dealt_stay_in_the_box() -> None:
    assert len(all_cards(dealt(10))) == 85
    assert len(all_cards(dealt(2))) == 53


def test_only_the_whole_deck_can_be_dealt() -> None:
    state = GAME.setup(BASIC, 2)
    request = GAME.deal_request(state)
    assert request is not None
    assert request.decks == {"baron": WHOLE_DECK}
    for decks in ({}, {"numbers": WHOLE_DECK}, {"baron": WHOLE_DECK[1:]}, {"baron": (*WHOLE_DECK[1:], 2)}):
        with pytest.raises(InvalidDeal):
            GAME.deal(state, Deal(decks))
    with pytest.raises(InvalidDeal):
        GAME.deal(dealt(2), Deal({"baron": WHOLE_DECK}))


@pytest.mark.rule("baron.turn")
def test_a_new_four_is_drawn_only_when_the_hand_is_empty() -> None:
    state = position(NO_WHITE, "7 97", "42 62", draw=["22 16 10 88 82", "101 48 56 106 3"])
    state, events = turn(state, 7, 42)
    assert not of(events, CardsDrawn)
    assert state.hands == ((97,), (62,))
    state, events = turn(state, 97, 62)
    assert of(events, CardsDrawn) == [CardsDrawn((4, 4), ((10, 16, 22, 88), (48, 56, 101, 106)))]
    assert state.hands == ((10, 16, 22, 88), (48, 56, 101, 106))
    assert state.draw_piles == ((82,), (3,))


def test_nobody_draws_before_all_cards_of_the_turn_lie() -> None:
    state, events = turn(position(NO_WHITE, "7", "25", draw=["97", "103"]), 7, 25)
    assert kinds(state) == [(1, "row")]
    assert (state.hands, of(events, CardsDrawn)) == (((), ()), [])
    state, events = GAME.apply(state, 1, ChooseRow(2))
    assert state.hands == ((97,), (103,))


# --- a turn ------------------------------------------------------------------------------------------------


def test_cards_are_chosen_in_secret_and_revealed_together() -> None:
    state, events = GAME.apply(position(NO_WHITE, "7 97", "42 62"), 1, PlayCard(62))
    assert events == (CardChosen(1, 62),)
    assert [event.seen_by(0) for event in events] == [CardChosen(1, None)]
    assert GAME.view(state, 0).choice is None
    assert GAME.view(state, 1).choice == 62
    assert kinds(state) == [(0, "card")]
    assert state.table.rows == rows(NO_WHITE)
    state, events = GAME.apply(state, 0, PlayCard(97))
    assert of(events, CardsRevealed) == [CardsRevealed((Play(1, 62), Play(0, 97)))]


def test_a_choice_may_be_changed_until_all_have_chosen() -> None:
    state, _ = GAME.apply(position(NO_WHITE, "7 97", "42 62"), 1, PlayCard(62))
    assert GAME.legal(state, 1) == [PlayCard(42), PlayCard(62)]
    state, _ = GAME.apply(state, 1, PlayCard(42))
    state, events = GAME.apply(state, 0, PlayCard(7))
    assert of(events, CardsRevealed) == [CardsRevealed((Play(0, 7), Play(1, 42)))]


@pytest.mark.rule("baron.turn")
def test_the_lowest_value_is_placed_first() -> None:
    _, events = turn(position(NO_WHITE, "103", "97", "7"), 103, 97, 7)
    assert [(event.seat, event.card) for event in of(events, CardPlaced)] == [(2, 7), (1, 97), (0, 103)]


def test_values_matter_for_the_order_only() -> None:
    state, placed = alone("97 | 36 | 20 | 4 | 39", 7)
    assert state.table.rows[0] == (97, 7)
    assert placed.rule == "colour"


@pytest.mark.rule("baron.colour")
def test_one_colour_in_common_is_enough() -> None:
    state, _ = alone(NO_WHITE, 12)  # blue and white on blue
    assert state.table.rows == rows("1 12 | 36 | 20 | 4 | 39")


def test_only_the_end_of_a_row_counts() -> None:
    state, _ = turn(position("12 23 | 36 | 20 | 4 | 39", "7"), 7)  # blue, but the row ends in white
    assert kinds(state) == [(0, "take")]


@pytest.mark.rule("baron.colour")
def test_the_owner_chooses_among_the_rows_that_fit() -> None:
    state, _ = turn(position(NO_WHITE, "7 8"), 8)  # blue, yellow, red
    assert kinds(state) == [(0, "row")]
    assert GAME.legal(state, 0) == [ChooseRow(1), ChooseRow(2), ChooseRow(4)]
    state, _ = GAME.apply(state, 0, ChooseRow(4))
    assert state.table.rows == rows("1 | 36 | 20 | 4 8 | 39")


def test_a_row_that_does_not_fit_cannot_be_chosen_while_another_fits() -> None:
    state, _ = turn(position(NO_WHITE, "7 8"), 8)
    assert refusal(state, 0, ChooseRow(3)) == Refusal.DOES_NOT_FIT
    assert refusal(state, 0, ChooseRow(5)) == Refusal.DOES_NOT_FIT


def test_a_single_fitting_row_leaves_nothing_to_choose() -> None:
    state, placed = alone(NO_WHITE, 62)
    assert (placed.row, kinds(state)) == (2, [(0, "card")])


@pytest.mark.parametrize("baron", BARONS)
@pytest.mark.rule("baron.baron")
def test_the_baron_may_be_added_to_any_row_and_any_card_to_the_baron(baron: int) -> None:
    state, _ = turn(position(NO_WHITE, f"7 {baron}"), baron)
    assert GAME.legal(state, 0) == [ChooseRow(row) for row in range(1, 6)]
    assert kinds(state) == [(0, "row")]
    for card in set(WHOLE_DECK) - {*BARONS, 1, 36, 20, 4}:
        state, _ = turn(position(f"1 | 36 | 20 | 4 | {baron}", str(card)), card)
        assert state.table.rows[4] == (baron, card) or ChooseRow(5) in GAME.legal(state, 0)


def test_rulebook_example_of_colour_joining_colour() -> None:
    """7 fits rows 2 and 4 and goes to 4; 55 goes to row 1; now only row 1 shows black and 89 must go there."""
    state, _ = turn(position("31 | 44 | 84 | 105 | 107", "7", "55", "89"), 7, 55, 89)
    assert (kinds(state), GAME.legal(state, 0)) == ([(0, "row")], [ChooseRow(2), ChooseRow(4)])
    state, _ = GAME.apply(state, 0, ChooseRow(4))
    assert (kinds(state), GAME.legal(state, 1)) == ([(1, "row")], [ChooseRow(1), ChooseRow(2)])
    state, _ = GAME.apply(state, 1, ChooseRow(1))
    assert state.table.rows == rows("31 55 89 | 44 | 84 | 105 7 | 107")


# --- taking ------------------------------------------------------------------------------------------------


def test_rulebook_example_of_taking() -> None:
    """19 may go to row 2 or 3 and takes row 2's black away; 53 must go to row 1, the seventh black bull there and more
    than six; 100 must go to row 5 as its sixth card."""
    before = position("98 89 30 | 28 | 1 | 42 | 107 102 78 40 87", "19", "53", "100")
    state, _ = turn(before, 19, 53, 100)
    assert GAME.legal(state, 0) == [ChooseRow(2), ChooseRow(3)]
    state, events = GAME.apply(state, 0, ChooseRow(2))
    assert state.table.rows == rows("53 | 28 19 | 1 | 42 | 100")
    assert state.table.piles == ((), (98, 89, 30), (107, 102, 78, 40, 87))
    assert of(events, CardPlaced) == [
        CardPlaced(0, 19, 2, (), 0, "colour"),
        CardPlaced(1, 53, 1, (98, 89, 30), 8, "six-bulls", ("black",)),
        CardPlaced(2, 100, 5, (107, 102, 78, 40, 87), 11, "sixth-card"),
    ]


@pytest.mark.rule("baron.sixth-card")
def test_the_sixth_card_takes_the_five_and_starts_the_row() -> None:
    state, placed = alone("1 12 23 2 20 | 36 | 4 | 22 | 39", 26)
    assert state.table.rows[0] == (26,)
    assert placed == CardPlaced(0, 26, 1, (1, 12, 23, 2, 20), 7, "sixth-card")
    assert (state.table.bulls, state.table.piles) == ((7,), ((1, 12, 23, 2, 20),))


def test_the_fifth_card_takes_nothing() -> None:
    state, placed = alone("1 12 23 2 | 36 | 4 | 22 | 39", 26)
    assert (state.table.rows[0], placed.taken) == ((1, 12, 23, 2, 26), ())


@pytest.mark.rule("baron.six-bulls")
def test_six_bulls_of_one_colour_take_all_cards_left_of_the_last() -> None:
    state, placed = alone("19 44 | 36 | 20 | 23 | 39", 13)  # 3 + 1 + 2 blue
    assert state.table.rows[0] == (13,)
    assert placed == CardPlaced(0, 13, 1, (19, 44), 5, "six-bulls", ("blue",))


def test_more_than_six_bulls_of_one_colour_take_too() -> None:
    state, placed = alone("19 44 | 36 | 20 | 23 | 39", 85)  # 3 + 1 + 3 blue
    assert (state.table.rows[0], placed.taken) == ((85,), (19, 44))


def test_five_bulls_of_one_colour_take_nothing() -> None:
    state, placed = alone("19 1 | 36 | 20 | 4 | 39", 7)
    assert (state.table.rows[0], placed.taken) == ((19, 1, 7), ())


def test_bulls_of_different_colours_are_not_added_up() -> None:
    state, placed = alone("14 33 | 36 | 20 | 23 | 39", 58, 1)  # seven bulls, blue 3, black 2
    assert (state.table.rows[0], placed.taken) == ((14, 33, 58), ())


@pytest.mark.rule("baron.six-bulls")
def test_six_bulls_of_any_colour_count_not_only_of_the_one_that_fits() -> None:
    """Row 1 ends in blue only, and 58 brings the black bulls that lie further left to six."""
    state, placed = alone("98 39 28 1 | 36 | 20 | 4 | 23", 58, 1)
    assert (placed.colours, placed.taken) == (("black",), (98, 39, 28, 1))
    assert state.table.rows[0] == (58,)


def test_rules_1_and_2_together_are_one_taking() -> None:
    state, placed = alone("9 1 7 97 103 | 36 | 20 | 4 | 39", 13)  # the sixth card, and the seventh blue bull
    assert placed == CardPlaced(0, 13, 1, (9, 1, 7, 97, 103), 6, "sixth-card", ("blue",))
    assert (state.table.rows[0], state.table.bulls) == ((13,), (6,))


def test_the_owner_may_choose_a_row_that_will_be_taken() -> None:
    before = "1 12 23 2 20 | 36 | 26 | 22 | 39"
    assert alone(before, 32, 1)[1].taken == (1, 12, 23, 2, 20)
    assert alone(before, 32, 3)[1].taken == ()


@pytest.mark.parametrize("row", range(1, 6))
@pytest.mark.rule("baron.no-colour")
def test_a_card_that_fits_no_row_takes_any_row_its_owner_chooses(row: int) -> None:
    state, _ = turn(position("25 | 36 | 20 26 | 4 | 39", "7 23"), 23)
    assert kinds(state) == [(0, "take")]
    assert list(GAME.legal(state, 0)) == [ChooseRow(number) for number in range(1, 6)]
    taken = state.table.rows[row - 1]
    state, (placed,) = GAME.apply(state, 0, ChooseRow(row))
    assert state.table.rows[row - 1] == (23,)
    assert placed == CardPlaced(0, 23, row, taken, len(taken) + (row == 1), "no-colour")


def test_rule_3_applies_only_when_no_row_fits() -> None:
    state, _ = turn(position("25 | 36 | 20 | 4 | 39", "1 7"), 7)
    assert state.table.rows[0] == (25, 7)
    for card in WHOLE_DECK:
        if card in (25, 36, 20, 4, 39):
            continue
        state, _ = turn(position("25 | 36 | 20 | 4 | 39", str(card)), card)
        assert (kinds(state) == [(0, "take")]) == (set(shown(card)) == {"white"})


def test_taken_cards_go_to_the_bull_pile_and_never_to_hand_or_draw_pile() -> None:
    state = position(NO_WHITE, "7 23", "42 62", draw=["97", "68"])
    state, _ = turn(state, 23, 42, choose=[1])
    assert (state.hands, state.draw_piles) == (((7,), (62,)), ((97,), (68,)))
    assert state.table.piles == ((1,), ())


@pytest.mark.rule("baron.end")
def test_each_bull_is_a_point_and_the_baron_counts_six() -> None:
    state, _ = turn(position("52 | 36 | 20 | 4 | 39", "19"), 19)
    assert state.table.bulls == (0,)
    state, _ = turn(position("52 1 12 23 2 | 36 | 38 | 4 | 39", "20"), 20, choose=[1])
    assert state.table.bulls == (6 + 1 + 2 + 1 + 2,)


# --- the end -----------------------------------------------------------------------------------------------


@pytest.mark.rule("baron.end")
def test_the_game_ends_when_all_cards_are_played_and_fewest_bulls_win() -> None:
    state, events = turn(position(NO_WHITE, "23", "7"), 23, 7, choose=[2])
    assert GAME.outcome(state) == Outcome("all-cards", (1,), (1, 0))
    assert of(events, RoundEnded) == [RoundEnded(1, (1, 0), (1, 0))]
    assert of(events, MatchEnded) == [MatchEnded(Outcome("all-cards", (1,), (1, 0)))]


@pytest.mark.parametrize("seats", range(2, 11))
def test_everybody_plays_the_whole_draw_pile(seats: int) -> None:
    turns = 0
    for _, events in random_match(random.Random(seats), BASIC, seats):
        turns += len(of(events, CardsRevealed))
    assert turns == draw_pile_size(seats)


def test_equal_fewest_bulls_share_the_win() -> None:
    state, _ = turn(position(NO_WHITE, "7", "97", "23"), 7, 97, 23, choose=[2])
    assert GAME.outcome(state) == Outcome("all-cards", (0, 1), (0, 0, 1))


def test_a_fixed_number_of_games_is_added_up() -> None:
    for options in ALL_OPTIONS.values():
        deals, ended = 0, []
        for now, events in random_match(random.Random(3), replace(options, games=3), 3):
            state = now
            deals += len(of(events, RoundDealt))
            ended += of(events, RoundEnded)
        assert [event.round for event in ended] == [1, 2, 3]
        assert deals == 3
        assert state.table.scores == tuple(event.points for event in ended)
        points = tuple(map(sum, zip(*state.table.scores, strict=True)))
        best = max(points) if options.bulls_are_good else min(points)
        winners = tuple(seat for seat in range(3) if points[seat] == best)
        assert GAME.outcome(state) == Outcome("games", winners, points)


def test_between_games_everything_is_shuffled_again() -> None:
    options = Options(games=2)
    state, _ = turn(position(NO_WHITE, "23", "7", options=options), 23, 7, choose=[2])
    assert GAME.outcome(state) is None
    assert (state.table.phase, state.table.round) == ("deal", 2)
    assert refusal(state, 0, PlayCard(7)) == Refusal.WAITING_FOR_DEAL
    state, (event,) = GAME.deal(state, Deal({"baron": WHOLE_DECK}))
    assert (event.round, state.table.bulls, state.table.piles) == (2, (0, 0), ((), ()))
    assert state.table.scores == ((1, 0),)


# --- variant 1 ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [COLOUR_COUNTS, BOTH])
@pytest.mark.rule("baron.colour-counts")
def test_when_colour_counts_the_sixth_card_takes_nothing(options: Options) -> None:
    state, placed = alone("1 12 23 2 20 | 36 | 4 | 22 | 39", 26, options=options)
    assert state.table.rows[0] == (1, 12, 23, 2, 20, 26)
    assert placed == CardPlaced(0, 26, 1, (), 0, "colour")


def test_when_colour_counts_rows_may_grow_far_beyond_six() -> None:
    state, placed = alone("1 12 92 7 28 39 45 15 36 31 | 48 | 4 | 22 | 23", 73, 1, options=COLOUR_COUNTS)
    assert (len(state.table.rows[0]), placed.taken) == (11, ())


@pytest.mark.parametrize("options", [COLOUR_COUNTS, BOTH])
def test_when_colour_counts_six_bulls_of_a_colour_still_take(options: Options) -> None:
    state, placed = alone("1 12 23 2 20 26 | 36 | 4 | 22 | 39", 38, options=options)
    assert (state.table.rows[0], placed.rule, placed.colours) == ((38,), "six-bulls", ("green",))
    assert placed.taken == (1, 12, 23, 2, 20, 26)


def test_when_colour_counts_a_card_that_fits_nowhere_still_takes_a_row() -> None:
    state, placed = alone(NO_WHITE, 23, 5, options=COLOUR_COUNTS)
    assert (state.table.rows[4], placed.taken, placed.rule) == ((23,), (39,), "no-colour")


# --- variant 2 ---------------------------------------------------------------------------------------------


@pytest.mark.rule("baron.bulls-are-good")
def test_where_bulls_are_good_they_count_for_the_taker_and_most_points_win() -> None:
    before = position("19 44 | 36 | 20 | 23 | 39", "13", "42", options=GOOD)
    state, _ = turn(before, 13, 42)
    assert GAME.outcome(state) == Outcome("last-card", (0,), (5, 0))


def test_where_bulls_are_good_ties_share() -> None:
    state, _ = turn(position(NO_WHITE, "7", "42", options=GOOD), 7, 42)
    assert GAME.outcome(state) == Outcome("last-card", (0, 1), (0, 0))


@pytest.mark.parametrize("options", [GOOD, BOTH])
@pytest.mark.rule("baron.returned")
def test_where_bulls_are_good_a_card_that_fits_no_row_goes_under_the_own_draw_pile(options: Options) -> None:
    before = position(NO_WHITE, "7 23", "42 62", draw=["97 103", "68 56"], options=options)
    state, events = turn(before, 23, 42)
    assert of(events, CardReturned) == [CardReturned(0, 23)]
    assert state.draw_piles == ((97, 103, 23), (68, 56))
    assert state.table.rows == rows("1 | 36 42 | 20 | 4 | 39")
    assert kinds(state) == [(0, "card"), (1, "card")], "nobody is asked to take a row"


def test_where_bulls_are_good_rules_1_and_2_still_take() -> None:
    assert alone("1 12 23 2 20 | 36 | 4 | 22 | 39", 26, options=GOOD)[1].rule == "sixth-card"
    assert alone("19 44 | 36 | 20 | 23 | 39", 13, options=GOOD)[1].rule == "six-bulls"


def test_where_bulls_are_good_a_card_that_fits_must_be_added() -> None:
    state, placed = alone(NO_WHITE, 7, options=GOOD)
    assert (placed.row, state.table.returned) == (1, ((),))


def test_where_bulls_are_good_the_owner_still_chooses_among_fitting_rows() -> None:
    state, _ = turn(position(NO_WHITE, "8 7", options=GOOD), 8)
    assert (kinds(state), GAME.legal(state, 0)) == ([(0, "row")], [ChooseRow(1), ChooseRow(2), ChooseRow(4)])


def test_a_returned_card_does_not_refill_a_hand_that_is_not_empty() -> None:
    state, events = turn(position(NO_WHITE, "7 23", "42 62", options=GOOD), 23, 42)
    assert state.hands == ((7,), (62,))
    assert state.draw_piles == ((23,), ())
    assert not of(events, CardsDrawn)


def test_an_empty_hand_is_refilled_with_four_or_what_is_left_returned_cards_included() -> None:
    before = position(NO_WHITE, "23", "7 97", "29", draw=["103 13 85 19", "", "76"], options=GOOD)
    state, events = turn(before, 23, 7, 29)
    assert state.hands == ((13, 19, 85, 103), (97,), (29, 76))
    assert state.draw_piles == ((23,), (), ())
    assert of(events, CardsDrawn) == [CardsDrawn((4, 0, 2), ((13, 19, 85, 103), (), (29, 76)))]


def test_a_last_card_that_fits_nowhere_is_drawn_again_and_ends_nothing() -> None:
    state, events = turn(position(NO_WHITE, "23", "7 97", options=GOOD), 23, 7)
    assert GAME.outcome(state) is None
    assert (state.hands, state.draw_piles) == (((23,), (97,)), ((), ()))
    assert of(events, CardsDrawn) == [CardsDrawn((1, 0), ((23,), ()))]


def test_an_emptied_hand_does_not_end_the_game_while_the_draw_pile_has_cards() -> None:
    state, _ = turn(position(NO_WHITE, "7", "42", draw=["97", "62"], options=GOOD), 7, 42)
    assert GAME.outcome(state) is None


def test_the_turn_in_which_somebody_adds_the_last_card_is_played_to_its_end() -> None:
    before = position(NO_WHITE, "7", "88 16", "25 3", options=GOOD)
    state, _ = turn(before, 7, 88, 25)
    assert kinds(state) == [(2, "row")], "seat 0 has no card left, and seat 2 still chooses"
    state, _ = GAME.apply(state, 2, ChooseRow(1))
    assert state.table.rows == rows("1 7 25 | 36 | 20 | 4 88 | 39")
    assert GAME.outcome(state) == Outcome("last-card", (0,), (0, -2, -3))


@pytest.mark.rule("baron.bulls-are-good")
def test_bulls_left_in_hands_and_draw_piles_count_against() -> None:
    before = position("19 44 | 36 | 20 | 23 | 39", "7", "42 62", "13 48", draw=["", "68 110 41", "103"], options=GOOD)
    state, events = turn(before, 7, 42, 13)
    # 7 is the fifth blue bull of row 1, and 13 takes 19, 44 and 7.
    assert of(events, LeftCounted) == [LeftCounted(((), (62, 68, 110, 41), (48, 103)), (0, 7, 3))]
    assert state.table.left == ((), (62, 68, 110, 41), (48, 103))
    assert GAME.outcome(state) == Outcome("last-card", (2,), (0, -7, 6 - 3))


def test_points_may_be_negative_and_the_least_bad_wins() -> None:
    state, _ = turn(position(NO_WHITE, "23", "29 35", options=GOOD), 23, 29)
    state, _ = turn(state, 23, 35)
    assert GAME.outcome(state) == Outcome("stand-still", (0,), (-1, -3))


@pytest.mark.rule("baron.returned")
def test_the_game_ends_when_nothing_fits_for_as_many_turns_as_the_largest_holding_has_cards() -> None:
    state = position(NO_WHITE, "23", "29 35", draw=["41", "63"], options=GOOD)
    for number, cards in enumerate([(23, 29), (23, 35), (41, 29)], 1):
        assert state.table.idle == number - 1
        state, events = turn(state, *cards)
    assert of(events, StoodStill) == [StoodStill(3)]
    assert GAME.outcome(state) == Outcome("stand-still", (0,), (-4, -6))


def test_one_turn_less_than_the_largest_holding_does_not_end_the_game() -> None:
    state = position(NO_WHITE, "23", "29 35", draw=["41", "63"], options=GOOD)
    state, _ = turn(state, 23, 29)
    state, _ = turn(state, 23, 35)
    assert (state.table.idle, GAME.outcome(state)) == (2, None)


def test_a_card_that_finds_a_row_starts_the_count_of_idle_turns_again() -> None:
    before = position(NO_WHITE, "23 29", "35 7 97", options=GOOD, idle=2)
    state, _ = turn(before, 23, 7)
    assert state.table.idle == 0
    state, _ = turn(state, 29, 35)
    assert (state.table.idle, GAME.outcome(state)) == (1, None)


def test_a_card_whose_owner_chooses_a_row_counts_as_placed() -> None:
    state, _ = turn(position(NO_WHITE, "23 29", "25 35 63", options=GOOD, idle=2), 23, 25)
    assert (kinds(state), state.table.idle) == ([(1, "row")], 0)
    state, _ = GAME.apply(state, 1, ChooseRow(1))
    assert state.table.idle == 0


def test_both_variants_together() -> None:
    before = position("1 12 23 2 20 | 36 | 4 | 22 | 39", "26 13", "6 50", options=BOTH)
    state, _ = turn(before, 26, 6)
    assert state.table.rows == rows("1 12 23 2 20 26 | 36 | 4 | 22 | 39 6"), "no limit of five"
    state, events = turn(state, 13, 50)
    assert of(events, CardReturned) == [CardReturned(0, 13)], "returned instead of rule 3"
    assert GAME.outcome(state) == Outcome("last-card", (1,), (-2, 0))


# --- what everybody remembers of returned cards ------------------------------------------------------------


def test_all_remember_which_card_lies_under_a_draw_pile() -> None:
    before = position(NO_WHITE, "7 23 29", "42 62 3", draw=["97 103", "68 56"], options=GOOD)
    state, _ = turn(before, 23, 42)
    state, _ = turn(state, 29, 62)
    assert state.table.returned == ((23, 29), ())
    for seat in (None, 0, 1):
        view = GAME.view(state, seat)
        assert not {23, 29} & set(GAME.unseen(view))
        assert GAME.imagine(view, GAME.unseen(view)).draw_piles[0][-2:] == (23, 29)


def test_all_remember_returned_cards_that_are_drawn_again() -> None:
    before = position(NO_WHITE, "23", "42 62", draw=["97 103", "68 56"], options=GOOD)
    state, _ = turn(before, 23, 42)
    assert (state.hands[0], state.table.returned, state.table.known) == ((23, 97, 103), ((), ()), ((23,), ()))
    view = GAME.view(state, 1)
    assert 23 not in GAME.unseen(view)
    assert 23 in GAME.imagine(view, GAME.unseen(view)).hands[0]
    state, _ = turn(state, 23, 62)
    assert (state.table.known, state.table.returned) == (((), ()), ((23,), ()))


def test_only_the_returned_cards_that_come_up_are_known_to_be_in_the_hand() -> None:
    before = position(NO_WHITE, "23", "42 62", draw=["97 103 85 29 35", "68 56"], options=GOOD, returned=((29, 35), ()))
    state, _ = turn(before, 23, 42)
    assert (state.hands[0], state.draw_piles[0]) == ((29, 85, 97, 103), (35, 23))
    assert (state.table.known, state.table.returned) == (((29,), ()), ((35, 23), ()))


# --- refusals ----------------------------------------------------------------------------------------------

HUGE = 10**30


@pytest.mark.parametrize("card", [0, -1, 36, 97, 111, HUGE, -HUGE])
def test_only_cards_of_the_own_hand_can_be_played(card: int) -> None:
    assert refusal(position(NO_WHITE, "7 25", "97 62"), 0, PlayCard(card)) == Refusal.NOT_IN_HAND


@pytest.mark.parametrize("row", [0, -1, 6, HUGE, -HUGE])
def test_only_rows_1_to_5_can_be_chosen(row: int) -> None:
    for card in (23, 25):
        state, _ = turn(position(NO_WHITE, f"{card} 7"), card)
        assert refusal(state, 0, ChooseRow(row)) == Refusal.NO_SUCH_ROW


def test_only_the_owner_of_the_card_chooses_its_row() -> None:
    state, _ = turn(position(NO_WHITE, "23", "7"), 23, 7)
    assert kinds(state) == [(0, "take")]
    assert GAME.legal(state, 1) == ()
    assert refusal(state, 1, ChooseRow(1)) == Refusal.NOT_YOUR_TURN
    assert refusal(state, 1, PlayCard(7)) == Refusal.NOT_YOUR_TURN


def test_a_row_is_chosen_and_a_card_played_only_when_asked_for() -> None:
    state = position(NO_WHITE, "23 29", "7 97")
    assert refusal(state, 0, ChooseRow(1)) == Refusal.WRONG_ACTION
    state, _ = turn(state, 23, 7)
    assert refusal(state, 0, PlayCard(29)) == Refusal.WRONG_ACTION


def test_nothing_can_be_done_before_the_deal_or_after_the_match() -> None:
    assert refusal(GAME.setup(BASIC, 2), 0, PlayCard(1)) == Refusal.WAITING_FOR_DEAL
    state, _ = turn(position(NO_WHITE, "7", "97"), 7, 97)
    assert refusal(state, 0, PlayCard(7)) == Refusal.MATCH_OVER
    assert refusal(state, 1, ChooseRow(1)) == Refusal.MATCH_OVER


@pytest.mark.parametrize("seat", [-1, 2, HUGE])
def test_there_are_no_other_seats(seat: int) -> None:
    state = position(NO_WHITE, "7", "97")
    assert refusal(state, seat, PlayCard(7)) == Refusal.NO_SUCH_SEAT
    for ask in (GAME.legal, GAME.view):
        with pytest.raises(IllegalAction):
            ask(state, seat)


# --- secrets -----------------------------------------------------------------------------------------------


def test_a_view_shows_the_own_hand_and_only_sizes_of_the_rest() -> None:
    state = dealt(3, order=shuffled(random.Random(1)))
    view = GAME.view(state, 1)
    assert view.hand == state.hands[1]
    assert (view.hand_sizes, view.draw_sizes) == ((4, 4, 4), (20, 20, 20))
    hidden = {*state.hands[0], *state.hands[2]}.union(*state.draw_piles)
    assert hidden <= set(GAME.unseen(view))
    assert not {*view.hand, *sum(state.table.rows, ())} & set(GAME.unseen(view))


def test_nobody_knows_the_draw_piles_not_even_their_owners() -> None:
    state = dealt(3, order=shuffled(random.Random(1)))
    other = replace(state, draw_piles=tuple(tuple(sorted(pile)) for pile in reversed(state.draw_piles)))
    assert all(GAME.view(other, seat) == GAME.view(state, seat) for seat in (None, 0, 1, 2))


def test_a_spectator_sees_no_hand() -> None:
    view = GAME.view(dealt(3), None)
    assert (view.seat, view.hand, view.choice) == (None, (), None)


def test_each_seat_sees_only_the_cards_that_it_draws_itself() -> None:
    drawn = CardsDrawn((4, 1, 0), ((1, 2, 3, 4), (5,), ()))
    assert drawn.seen_by(1) == CardsDrawn((4, 1, 0), (None, (5,), None))
    assert drawn.seen_by(None) == CardsDrawn((4, 1, 0), (None, None, None))
    assert drawn.seen_by(1).tell(NAMES) == "Drawn: P0 4 cards, P1 5."


# --- how it is told ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (CardsRevealed((Play(1, 7), Play(0, 25))), "Revealed: P1 7, P0 25."),
        (CardPlaced(0, 7, 1, (), 0, "colour"), "P0: 7 goes to row 1."),
        (CardPlaced(0, 7, 1, (2, 3), 4, "sixth-card"), "P0: 7 is the sixth card of row 1 and takes 2 3 (4 bulls)."),
        (
            CardPlaced(0, 7, 1, (2,), 1, "six-bulls", ("red", "blue")),
            "P0: 7 brings row 1 to six bulls or more in red and blue and takes 2 (1 bull).",
        ),
        (
            CardPlaced(0, 7, 1, (2, 3), 4, "no-colour"),
            "P0: 7 fits no row, takes 2 3 (4 bulls) and starts row 1 again.",
        ),
        (CardReturned(2, 23), "P2: 23 fits no row and goes under the draw pile."),
        (StoodStill(1), "Nobody could place a card for 1 turn: the game stands still and ends."),
        (LeftCounted(((), (3, 7)), (0, 4)), "Left over: P1 3 7 (4 bulls)."),
    ],
)
def test_events_are_told_in_plain_sentences(event: Event, told: str) -> None:
    assert event.tell(NAMES) == told


# --- positions from anywhere -------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(1, 11))
def test_positions_can_be_set_up_for_one_to_ten_seats(seats: int) -> None:
    hands = [[card] for card in range(60, 60 + seats)]
    state = table_position(rows(NO_WHITE), hands)
    assert GAME.pending(state) == tuple(Decision(seat, "card") for seat in range(seats))


@pytest.mark.parametrize(
    ("table", "hands", "draw", "options", "told"),
    [
        (NO_WHITE, [], None, BASIC, "seats"),
        (NO_WHITE, ["7"] * 11, None, BASIC, "seats"),
        ("1 | 36 | 20 | 4", ["7"], None, BASIC, "5 rows"),
        ("1 | 36 | 20 | 4 | ", ["7"], None, BASIC, "5 rows"),
        ("1 | 36 | 20 | 4 | 111", ["7"], None, BASIC, "no card 111"),
        (NO_WHITE, ["0"], None, BASIC, "no card 0"),
        (NO_WHITE, ["7", "7"], None, BASIC, "Card 7 lies"),
        (NO_WHITE, ["1"], None, BASIC, "Card 1 lies"),
        (NO_WHITE, ["7"], ["7"], BASIC, "Card 7 lies"),
        (NO_WHITE, ["7 8 9 10 11"], None, BASIC, "4 cards at most"),
        (NO_WHITE, ["7", ""], None, GOOD, "empty hand"),
        (NO_WHITE, ["7", "8 9"], None, BASIC, "same number"),
        (NO_WHITE, ["7", "8"], ["9", ""], BASIC, "same number"),
        (NO_WHITE, ["7", "8"], ["9"], BASIC, "draw_piles"),
        ("1 12 23 2 20 26 | 36 | 3 | 4 | 39", ["7"], None, BASIC, "Row 1 holds more than 5"),
        ("19 85 | 36 | 20 | 4 | 39", ["7"], None, BASIC, "Row 1 shows six bulls or more in blue"),
        ("19 85 | 36 | 20 | 4 | 39", ["7"], None, COLOUR_COUNTS, "Row 1 shows six bulls or more in blue"),
        (NO_WHITE, ["7"], None, Options(games=0), "games"),
    ],
)
def test_impossible_positions_are_refused(
    table: str, hands: list[str], draw: list[str] | None, options: Options, told: str
) -> None:
    with pytest.raises(InvalidPosition, match=told):
        position(table, *hands, draw=draw, options=options)


def test_uneven_hands_are_possible_where_bulls_are_good() -> None:
    position(NO_WHITE, "7", "8 9", draw=["", "10 11"], options=GOOD)


@pytest.mark.parametrize(
    "change",
    [
        {"returned": ((7,), ())},
        {"returned": ((103, 97), ())},
        {"known": ((97,), ())},
        {"known": ((23, 7), ())},
        {"idle": -1},
        {"idle": 4},
        {"left": ((110,), ())},
        {"bulls": (1, 0)},
        {"piles": ((110,), ())},
        {"queue": (Play(0, 110),)},
        {"phase": "row"},
        {"phase": "over"},
        {"phase": "deal"},
        {"round": 2},
        {"round": 0},
        {"seats": 3},
        {"seats": -1},
        {"scores": ((1, 2),)},
        {"options": BASIC},
    ],
)
def test_a_table_that_contradicts_itself_is_refused(change: dict[str, Any]) -> None:
    state = position(
        NO_WHITE, "7 23", "42 62", draw=["97 103", "68 56"], options=GOOD, returned=((103,), ()), known=((23,), ())
    )
    with pytest.raises(InvalidPosition):
        GAME.check(replace(state, table=replace(state.table, **change)))


@pytest.mark.parametrize(
    ("queue", "options"),
    [
        ((Play(0, 7),), BASIC),  # fits one row
        ((Play(0, 23),), GOOD),  # is returned
        ((Play(0, 25), Play(0, 26)), BASIC),  # two cards of a seat
        ((Play(1, 27), Play(0, 25)), BASIC),  # not in order
        ((Play(2, 25),), BASIC),  # no such seat
        ((Play(-1, 25),), BASIC),
        ((), BASIC),
    ],
)
def test_somebody_chooses_a_row_only_where_there_is_a_choice(queue: tuple[Play, ...], options: Options) -> None:
    state = position(NO_WHITE, "97 103", "42 62", options=options)
    state = replace(state, table=replace(state.table, phase="row", queue=queue), waiting=())
    with pytest.raises(InvalidPosition):
        GAME.check(state)


def test_while_somebody_chooses_a_row_the_turn_is_not_idle() -> None:
    state, _ = turn(position(NO_WHITE, "23 29", "25 35", options=GOOD), 23, 25)
    with pytest.raises(InvalidPosition, match="idle"):
        GAME.check(replace(state, table=replace(state.table, idle=1)))


def test_a_match_is_over_after_its_last_game_and_not_before() -> None:
    over, _ = turn(position(NO_WHITE, "7", "97"), 7, 97)
    between, _ = turn(position(NO_WHITE, "7", "97", options=Options(games=2)), 7, 97)
    GAME.check(over)
    GAME.check(between)
    for state, games in ((over, 2), (between, 1)):
        with pytest.raises(InvalidPosition, match="after the last"):
            GAME.check(replace(state, table=replace(state.table, options=Options(games=games))))


def test_no_card_is_left_over_where_bulls_are_bad() -> None:
    state, _ = turn(position(NO_WHITE, "7", "97"), 7, 97)
    with pytest.raises(InvalidPosition, match="left"):
        GAME.check(replace(state, table=replace(state.table, left=((110,), ()))))


@pytest.mark.parametrize("twice", ["hand", "draw pile"])
def test_a_known_card_cannot_be_held_twice(twice: str) -> None:
    """What all remember of a card must not hide that it is there a second time."""
    state = table_position(
        ((1,), (2,), (3,), (5,), (6,)), ((72,), (110,)), ((107,), (38,)), Options(bulls_are_good=True)
    )
    table = replace(state.table, known=((72,), ()), returned=((107,), ()))
    GAME.check(replace(state, table=table))
    spoilt = {"hands": ((72, 72), (110,))} if twice == "hand" else {"draw_piles": ((107, 107), (38,))}
    with pytest.raises(InvalidPosition, match=r"once|lies in"):
        GAME.check(replace(state, table=table, **spoilt))
