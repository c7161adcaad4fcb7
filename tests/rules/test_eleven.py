"""11 nimmt!: the rulebook's example, each rule by itself, and why every round ends."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from nimmt.games.eleven import GAME
from nimmt.games.eleven.position import table_position
from nimmt.games.eleven.types import (
    BullCardGained,
    BullCardMissed,
    CardLaid,
    ChooseGiver,
    EndTurn,
    HandsDealt,
    HandsShown,
    Laid,
    LayCard,
    Options,
    PilesOpened,
    PileTaken,
    State,
    TakePile,
    TurnEnded,
)
from nimmt.rules import position, registry
from nimmt.rules.game import (
    Action,
    Deal,
    Decision,
    Event,
    IllegalAction,
    InvalidDeal,
    InvalidOptions,
    InvalidPosition,
    Refusal,
)
from nimmt.rules.kit.cards import BULLS, deck
from nimmt.rules.kit.events import MatchEnded, RoundEnded

FILLER = (11, 12)
"""A hand for seats that only have to be there."""


def do(state: State, *actions: Action) -> State:
    """One action after the other, each by the seat whose turn it is."""
    for action in actions:
        state, _ = GAME.apply(state, state.table.turn, action)
    return state


def happened(state: State, action: Action) -> tuple[Event, ...]:
    return GAME.apply(state, state.table.turn, action)[1]


def refusal(state: State, action: Action, seat: int | None = None) -> Refusal:
    with pytest.raises(IllegalAction) as caught:
        GAME.apply(state, state.table.turn if seat is None else seat, action)
    assert str(caught.value).endswith(".")
    return caught.value.refusal


def legal(state: State) -> list[Action]:
    return list(GAME.legal(state, state.table.turn))


def cards_that_fit(state: State, pile: int = 1) -> list[int]:
    return [action.card for action in legal(state) if isinstance(action, LayCard) and action.pile == pile]


def dealt(seats: int, seed: int = 0, options: Options | None = None) -> State:
    return deal(GAME.setup(options or Options(), seats), random.Random(seed))


def deal(state: State, rng: random.Random) -> State:
    order = rng.sample(range(1, 101), 100)
    return GAME.deal(state, Deal({"numbers": tuple(order)}))[0]


# -- the rulebook's example ---------------------------------------------------------------------------------


def test_the_third_player_takes_31_36_46_with_a_bull_card_and_two_new_piles() -> None:
    state = table_position([[31]], [[36, 70], [46, 71], [1, 2]], draw=[23, 87, 50])
    state = do(state, LayCard(36, 1), LayCard(46, 1))
    assert cards_that_fit(state) == []
    state = do(state, TakePile(1))
    assert state.hands[2] == (1, 2, 31, 36, 46)
    assert state.table.bull_cards == (0, 0, 1)
    assert state.piles == ((23,), (87,))
    assert state.table.turn == 0


def test_the_example_goes_on_with_88_92_98_5_and_the_small_pile_brings_no_bull_card() -> None:
    state = table_position([[23], [87]], [[88, 70], [92, 71], [98, 72], [5, 73], [74, 75]], draw=[60, 61])
    state = do(state, LayCard(88, 2), LayCard(92, 2), LayCard(98, 2), LayCard(5, 2))
    assert cards_that_fit(state, 1) == cards_that_fit(state, 2) == []
    state = do(state, TakePile(1))
    assert state.hands[4] == (23, 74, 75)
    assert state.table.bull_cards == (0,) * 5
    assert state.piles == ((87, 88, 92, 98, 5), (60,), (61,))


# -- cards, deal, order of turns ----------------------------------------------------------------------------


def test_the_deck_is_1_to_100_with_167_bulls() -> None:
    request = GAME.deal_request(GAME.setup(Options(), 4))
    assert request is not None
    assert request.decks == {"numbers": deck(100)}
    assert sum(BULLS[card] for card in deck(100)) == 167


@pytest.mark.parametrize("seats", range(2, 8))
@pytest.mark.rule("eleven.setup")
def test_the_deal_gives_ten_cards_each_then_the_first_pile_then_the_draw_pile(seats: int) -> None:
    order = tuple(range(100, 0, -1))
    state, events = GAME.deal(GAME.setup(Options(), seats), Deal({"numbers": order}))
    assert state.hands[1] == (81, 82, 83, 84, 85, 86, 87, 88, 89, 90)
    assert [len(hand) for hand in state.hands] == [10] * seats
    assert state.piles == ((100 - 10 * seats,),)
    assert state.draw == order[10 * seats + 1 :]
    assert events == (HandsDealt(1, 0, state.hands), PilesOpened(state.table.tops, 1))


def test_there_are_ten_bull_cards_and_nobody_has_one_at_first() -> None:
    assert dealt(3).table.supply == 10
    assert dealt(3).table.bull_cards == (0, 0, 0)


@pytest.mark.parametrize("order", [tuple(range(1, 100)), (1, *range(1, 100)), tuple(range(100))])
def test_a_deal_that_is_no_shuffled_deck_is_refused(order: tuple[int, ...]) -> None:
    with pytest.raises(InvalidDeal):
        GAME.deal(GAME.setup(Options(), 3), Deal({"numbers": order}))
    with pytest.raises(InvalidDeal):
        GAME.deal(dealt(3), Deal({"numbers": deck(100)}))


def test_turns_go_clockwise_from_the_starting_seat() -> None:
    state = dealt(3, options=Options(starter=2))
    turns = [state.table.turn]
    for _ in range(4):
        state = do(state, TakePile(1))
        turns.append(state.table.turn)
    assert turns == [2, 0, 1, 2, 0]


@pytest.mark.parametrize("seats", [-1, 0, 1, 8, 10**6])
def test_only_two_to_seven_can_play(seats: int) -> None:
    with pytest.raises(InvalidOptions):
        GAME.setup(Options(), seats)


@pytest.mark.parametrize("starter", [-1, 3, 10**6])
def test_the_starter_must_be_a_seat(starter: int) -> None:
    with pytest.raises(InvalidOptions):
        GAME.setup(Options(starter=starter), 3)


# -- laying without bull cards ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("top", "fitting"),
    [
        (31, [*range(32, 42)]),
        (96, [*range(1, 7), 97, 98, 99, 100]),
        (98, [*range(1, 9), 99, 100]),
        (100, [*range(1, 11)]),
        (90, [*range(91, 101)]),
        (1, [*range(2, 12)]),
    ],
)
@pytest.mark.rule("eleven.within-ten")
def test_a_card_fits_if_it_is_one_to_ten_higher_and_1_follows_100(top: int, fitting: list[int]) -> None:
    others = [card for card in deck(100) if card != top]
    state = table_position([[top]], [others[:-1], others[-1:]])
    assert cards_that_fit(state) == [card for card in fitting if card in others[:-1]]
    for card in others[:-1]:
        if card not in fitting:
            assert refusal(state, LayCard(card, 1)) is Refusal.DOES_NOT_FIT


def test_without_a_bull_card_one_card_is_the_whole_turn() -> None:
    state = do(table_position([[31]], [[32, 33], FILLER]), LayCard(32, 1))
    assert state.table.turn == 1
    assert state.table.laid == ()
    assert state.piles == ((31, 32),)


def test_a_card_that_fits_several_piles_may_go_on_any_of_them() -> None:
    state = table_position([[31], [70], [35]], [[36, 90], FILLER])
    assert [action for action in legal(state) if isinstance(action, LayCard)] == [LayCard(36, 1), LayCard(36, 3)]
    assert do(state, LayCard(36, 1)).table.tops == (36, 70, 35)
    assert do(state, LayCard(36, 3)).table.tops == (31, 70, 36)


def test_only_cards_of_the_own_hand_can_be_laid() -> None:
    state = table_position([[31]], [[32, 90], [33, 91]])
    assert refusal(state, LayCard(33, 1)) is Refusal.NOT_IN_HAND
    assert refusal(state, LayCard(31, 1)) is Refusal.NOT_IN_HAND


@pytest.mark.parametrize("number", [0, -1, 2, 10**9, -(10**5000), 10**5000], ids=hash)
def test_numbers_that_mean_nothing_are_refused(number: int) -> None:
    state = table_position([[31]], [[32, 90], [33, 91]])
    assert refusal(state, LayCard(32, number)) is Refusal.NO_SUCH_PILE
    assert refusal(state, TakePile(number)) is Refusal.NO_SUCH_PILE
    assert refusal(state, LayCard(number, 1)) is Refusal.NOT_IN_HAND
    assert refusal(giver_to_choose(), ChooseGiver(number)) is Refusal.NOT_AN_OWNER


def test_nobody_acts_out_of_turn() -> None:
    state = table_position([[31]], [[32, 90], [33, 91], FILLER])
    assert refusal(state, LayCard(33, 1), seat=1) is Refusal.NOT_YOUR_TURN
    assert refusal(state, TakePile(1), seat=2) is Refusal.NOT_YOUR_TURN
    assert refusal(state, TakePile(1), seat=3) is Refusal.NO_SUCH_SEAT
    assert refusal(state, TakePile(1), seat=-1) is Refusal.NO_SUCH_SEAT
    assert GAME.legal(state, 1) == ()


def test_a_turn_cannot_end_before_anything_was_laid() -> None:
    for bull_cards in ([0, 0], [2, 0]):
        state = table_position([[31]], [[32, 90], [33, 91]], bull_cards=bull_cards)
        assert refusal(state, EndTurn()) is Refusal.WRONG_ACTION
        assert EndTurn() not in legal(state)


# -- laying with bull cards ---------------------------------------------------------------------------------


@pytest.mark.rule("eleven.bull-card")
def test_with_a_bull_card_any_number_of_cards_may_go_on_one_pile() -> None:
    state = table_position([[33]], [[34, 36, 40, 43, 90], FILLER], bull_cards=[1, 0])
    state = do(state, LayCard(34, 1), LayCard(36, 1), LayCard(40, 1), LayCard(43, 1), EndTurn())
    assert state.piles == ((33, 34, 36, 40, 43),)
    assert state.hands[0] == (90,)
    assert state.table.turn == 1


@pytest.mark.rule("eleven.bull-card")
def test_all_cards_are_measured_from_the_top_before_the_turn() -> None:
    state = table_position([[33]], [[40, 43, 44, 50], FILLER], bull_cards=[1, 0])
    state = do(state, LayCard(40, 1))
    assert cards_that_fit(state) == [43]
    assert refusal(state, LayCard(44, 1)) is Refusal.DOES_NOT_FIT


def test_the_next_turn_measures_from_the_new_top() -> None:
    state = table_position([[33]], [[40, 43, 90], [44, 53, 54]], bull_cards=[1, 0])
    state = do(state, LayCard(40, 1), LayCard(43, 1), EndTurn())
    assert cards_that_fit(state) == [44, 53]


def test_cards_are_laid_in_cyclic_order() -> None:
    state = table_position([[96]], [[2, 5, 50, 98], FILLER], bull_cards=[1, 0])
    state = do(state, LayCard(98, 1))
    assert cards_that_fit(state) == [2, 5]
    state = do(state, LayCard(2, 1), LayCard(5, 1), EndTurn())
    assert state.piles == ((96, 98, 2, 5),)


def test_a_card_that_belongs_below_one_laid_in_this_turn_comes_too_late() -> None:
    state = table_position([[96]], [[2, 5, 50, 98], FILLER], bull_cards=[1, 0])
    state = do(state, LayCard(2, 1))
    assert refusal(state, LayCard(98, 1)) is Refusal.DOES_NOT_FIT
    assert cards_that_fit(state) == [5]


def test_one_bull_card_is_for_one_pile() -> None:
    state = table_position([[31], [61]], [[32, 33, 62, 90], FILLER], bull_cards=[1, 0])
    state = do(state, LayCard(32, 1))
    assert refusal(state, LayCard(62, 2)) is Refusal.TOO_MANY_PILES
    assert legal(state) == [LayCard(33, 1), EndTurn()]


def test_two_bull_cards_are_for_two_piles_back_and_forth() -> None:
    hand = [32, 33, 62, 63, 90, 91]
    state = table_position([[31], [61], [89]], [hand, FILLER], bull_cards=[2, 0])
    state = do(state, LayCard(32, 1), LayCard(62, 2), LayCard(33, 1), LayCard(63, 2))
    assert refusal(state, LayCard(90, 3)) is Refusal.TOO_MANY_PILES
    assert legal(state) == [EndTurn()]
    assert set(state.table.laid) == {Laid(1, 31, (32, 33)), Laid(2, 61, (62, 63))}
    assert do(state, EndTurn()).piles == ((31, 32, 33), (61, 62, 63), (89,))


def test_example_eight_bull_cards_are_for_eight_piles_in_one_turn() -> None:
    """Nine piles lie there; a card goes on each of eight, out of their order, and then a second one on the first."""
    piles = [[top] for top in range(10, 100, 10)]
    hand = [11, 15, *range(21, 92, 10)]
    state = table_position(piles, [hand, (2, 3)], bull_cards=[8, 0])
    for pile in (8, 1, 7, 2, 6, 3, 5, 4):
        assert LayCard(10 * pile + 1, pile) in legal(state)
        state = do(state, LayCard(10 * pile + 1, pile))
    assert refusal(state, LayCard(91, 9)) is Refusal.TOO_MANY_PILES
    assert legal(state) == [LayCard(15, 1), EndTurn()]
    state = do(state, LayCard(15, 1))
    assert {laid.pile: laid.cards for laid in state.table.laid} == {
        1: (11, 15),
        **{pile: (10 * pile + 1,) for pile in range(2, 9)},
    }
    state = do(state, EndTurn())
    assert state.piles == ((10, 11, 15), *((10 * pile, 10 * pile + 1) for pile in range(2, 9)), (90,))
    assert (state.hands[0], state.table.bull_cards, state.table.turn) == ((91,), (8, 0), 1)


def test_a_player_with_bull_cards_may_lay_just_one_card() -> None:
    state = table_position([[31]], [[32, 33, 90], FILLER], bull_cards=[3, 0])
    state = do(state, LayCard(32, 1), EndTurn())
    assert state.hands[0] == (33, 90)
    assert state.table.turn == 1


def test_with_bull_cards_a_turn_does_not_betray_that_nothing_else_fits() -> None:
    fits = table_position([[31]], [[32, 33], FILLER], bull_cards=[1, 0])
    stuck = table_position([[31]], [[32, 90], FILLER], bull_cards=[1, 0])
    after_fits, events_fits = GAME.apply(fits, 0, LayCard(32, 1))
    after_stuck, events_stuck = GAME.apply(stuck, 0, LayCard(32, 1))
    assert legal(after_stuck) == [EndTurn()]
    assert events_fits == events_stuck
    assert GAME.pending(after_fits) == GAME.pending(after_stuck) == (Decision(0, "more"),)
    assert GAME.view(after_fits, 1) == GAME.view(after_stuck, 1)


def test_bull_cards_are_kept_when_used() -> None:
    state = table_position([[31]], [[32, 33, 90], FILLER], bull_cards=[1, 0])
    assert do(state, LayCard(32, 1), LayCard(33, 1), EndTurn()).table.bull_cards == (1, 0)


@pytest.mark.rule("eleven.large-pile")
def test_a_bull_card_just_won_does_not_prolong_the_turn() -> None:
    state = table_position([[31, 32, 33]], [[34, 35], FILLER], draw=[60, 61])
    assert do(state, TakePile(1)).table.turn == 1


@pytest.mark.parametrize("seed", range(60))
def test_the_steps_of_a_turn_reach_exactly_the_turns_of_the_rulebook(seed: int) -> None:
    """Up to k piles, on each any cards within ten of its top, in cyclic order: found by steps and by counting out."""
    rng = random.Random(seed)
    bull_cards, start = rng.randint(1, 3), rng.randint(1, 100)
    near = [(start + step) % 100 + 1 for step in rng.sample(range(22), 10)]
    far, other = ((start + step) % 100 + 1 for step in (50, 60))
    tops, hand = near[:3], near[3:]
    state = table_position([[top] for top in tops], [[*hand, far], [other]], bull_cards=[bull_cards, 0])
    assert set(turns_by_steps(state)) == set(turns_by_counting(tops, hand, bull_cards))


Piles = tuple[tuple[int, ...], ...]


def turns_by_steps(state: State) -> Iterator[Piles]:
    for action in legal(state):
        after = do(state, action)
        if isinstance(action, EndTurn):
            yield after.piles
        elif isinstance(action, LayCard):
            yield from turns_by_steps(after)


def turns_by_counting(tops: Sequence[int], hand: Sequence[int], bull_cards: int) -> Iterator[Piles]:
    def spread(index: int, rest: tuple[int, ...], used: int) -> Iterator[Piles]:
        if index == len(tops):
            yield ()
            return
        window = [card for card in rest if (card - tops[index]) % 100 in range(1, 11)]
        for size in range(len(window) + 1 if used < bull_cards else 1):
            for chosen in combinations(window, size):
                ordered = sorted(chosen, key=lambda card: (card - tops[index]) % 100)
                left = tuple(card for card in rest if card not in chosen)
                for others in spread(index + 1, left, used + bool(chosen)):
                    yield ((tops[index], *ordered), *others)

    return (piles for piles in spread(0, tuple(hand), 0) if any(len(pile) > 1 for pile in piles))


# -- taking -------------------------------------------------------------------------------------------------


@pytest.mark.rule("eleven.take")
def test_a_pile_may_be_taken_by_choice() -> None:
    state = table_position([[31], [61]], [[32, 62], FILLER], draw=[80, 81])
    assert {TakePile(1), TakePile(2)} <= set(legal(state))
    assert do(state, TakePile(2)).hands[0] == (32, 61, 62)


def test_nothing_is_taken_after_a_card_was_laid() -> None:
    state = do(table_position([[31], [61]], [[32, 33, 62], FILLER], bull_cards=[2, 0]), LayCard(32, 1))
    assert refusal(state, TakePile(2)) is Refusal.WRONG_ACTION
    assert not any(isinstance(action, TakePile) for action in legal(state))


@pytest.mark.parametrize("draw", [[], [80], [80, 81], [80, 81, 82]])
@pytest.mark.rule("eleven.take")
def test_two_new_piles_are_opened_or_as_many_as_the_draw_pile_has(draw: list[int]) -> None:
    state = do(table_position([[31], [61]], [[1, 2], FILLER], draw=draw), TakePile(1))
    assert state.piles == ((61,), *((card,) for card in draw[:2]))
    assert state.draw == tuple(draw[2:])
    assert state.table.draw_left == len(draw[2:])


def test_piles_close_up_and_new_ones_come_last() -> None:
    state = table_position([[31], [61], [91]], [[1, 2], FILLER], draw=[80, 81])
    assert do(state, TakePile(2)).table.tops == (31, 91, 80, 81)
    assert happened(state, TakePile(2))[-1] == PilesOpened((80, 81), 3)


@pytest.mark.parametrize(("pile", "gains"), [([31], 0), ([31, 32], 0), ([31, 32, 33], 1), ([31, 32, 33, 34, 35], 1)])
@pytest.mark.rule("eleven.large-pile")
def test_a_pile_of_three_or_more_brings_one_bull_card(pile: list[int], gains: int) -> None:
    state = do(table_position([pile], [[1, 2], FILLER], draw=[80, 81]), TakePile(1))
    assert state.table.bull_cards == (gains, 0)
    assert state.table.supply == 10 - gains


def test_taken_cards_may_be_laid_again() -> None:
    state = do(table_position([[31], [30]], [[1, 2], [98, 99]], draw=[80, 81]), TakePile(1), TakePile(2))
    assert LayCard(31, 1) in legal(state)
    assert do(state, LayCard(31, 1)).piles[0] == (30, 31)


# -- bull cards from others ---------------------------------------------------------------------------------


def large_pile_without_supply(bull_cards: Sequence[int]) -> State:
    hands = [(seat * 2 + 1, seat * 2 + 2) for seat in range(len(bull_cards))]
    return table_position([[31, 32, 33], [61]], hands, draw=[80, 81], bull_cards=bull_cards)


def giver_to_choose() -> State:
    return do(large_pile_without_supply([2, 4, 0, 4]), TakePile(1))


@pytest.mark.rule("eleven.from-the-most")
def test_when_the_ten_are_gone_a_bull_card_comes_from_the_player_with_the_most() -> None:
    state = large_pile_without_supply([2, 3, 5])
    assert BullCardGained(0, 2, "from-the-most") in happened(state, TakePile(1))
    assert do(state, TakePile(1)).table.bull_cards == (3, 3, 4)


def test_the_taker_chooses_among_equals() -> None:
    state = giver_to_choose()
    assert GAME.pending(state) == (Decision(0, "giver"),)
    assert legal(state) == [ChooseGiver(1), ChooseGiver(3)]
    after = do(state, ChooseGiver(3))
    assert after.table.bull_cards == (3, 4, 0, 3)
    assert after.table.turn == 1


def test_nobody_but_those_with_the_most_can_be_chosen() -> None:
    state = giver_to_choose()
    assert refusal(state, ChooseGiver(0)) is Refusal.NOT_AN_OWNER
    assert refusal(state, ChooseGiver(2)) is Refusal.NOT_AN_OWNER
    assert refusal(state, TakePile(1)) is Refusal.WRONG_ACTION
    assert refusal(state, ChooseGiver(1), seat=1) is Refusal.NOT_YOUR_TURN
    assert refusal(large_pile_without_supply([5, 5]), ChooseGiver(1)) is Refusal.WRONG_ACTION


def test_the_giver_is_chosen_before_new_piles_are_seen() -> None:
    state = giver_to_choose()
    assert state.table.tops == (61,)
    assert happened(state, ChooseGiver(1)) == (BullCardGained(0, 1, "from-the-most"), PilesOpened((80, 81), 2))


@pytest.mark.rule("eleven.from-the-most")
def test_the_taker_who_alone_has_the_most_gets_none() -> None:
    state = large_pile_without_supply([5, 3, 2])
    assert BullCardMissed(0, "from-the-most") in happened(state, TakePile(1))
    assert do(state, TakePile(1)).table.bull_cards == (5, 3, 2)


def test_a_taker_among_those_with_the_most_gets_one_from_another_of_them() -> None:
    assert do(large_pile_without_supply([4, 4, 2]), TakePile(1)).table.bull_cards == (5, 3, 2)
    state = do(large_pile_without_supply([3, 3, 3, 1]), TakePile(1))
    assert legal(state) == [ChooseGiver(1), ChooseGiver(2)]


def test_the_last_bull_card_of_the_supply_is_taken_before_any_of_a_player() -> None:
    state = do(large_pile_without_supply([0, 9]), TakePile(1))
    assert state.table.bull_cards == (1, 9)
    assert state.table.supply == 0


# -- what is hidden -----------------------------------------------------------------------------------------


def test_only_tops_are_visible_not_how_many_or_which_cards_lie_below() -> None:
    """31 and 41 lie below one top or the other: nobody can tell."""
    one = table_position([[31, 41, 45], [55]], [[1, 2], FILLER], draw=[80, 81])
    other = table_position([[31, 45], [41, 55]], [[1, 2], FILLER], draw=[80, 81])
    for seat in (0, 1, None):
        assert GAME.view(one, seat) == GAME.view(other, seat)


def test_only_the_taker_learns_which_cards_were_taken() -> None:
    (taken, *_) = happened(table_position([[31, 32]], [[1, 2], FILLER], draw=[80, 81]), TakePile(1))
    assert taken == PileTaken(0, 1, 32, 2, (31, 32), "take")
    assert taken.seen_by(0) == taken
    assert taken.seen_by(1) == taken.seen_by(None) == PileTaken(0, 1, 32, 2, None, "take")


def test_a_dealt_hand_is_seen_by_its_owner_only() -> None:
    state = dealt(3)
    event = HandsDealt(1, 0, state.hands)
    assert event.seen_by(1) == HandsDealt(1, 0, (None, state.hands[1], None))
    assert event.seen_by(None) == HandsDealt(1, 0, (None, None, None))


def test_a_view_holds_the_own_hand_and_the_table_and_no_other_card() -> None:
    state = dealt(3)
    assert GAME.view(state, 1).hand == state.hands[1]
    assert GAME.view(state, None).hand == ()
    assert set(msgspec.to_builtins(GAME.view(state, 1))) == {"seat", "table", "hand"}
    fields = set(msgspec.to_builtins(state.table))
    assert not fields & {"piles", "draw", "hands"}


def test_all_remember_which_cards_lay_open_and_how_many_of_them_a_hand_holds() -> None:
    state = table_position([[31, 32]], [[1, 2], [33, 70]], draw=[30, 81, 50])
    state = do(state, TakePile(1))
    assert state.table.seen == (30, 31, 32, 81)
    assert state.table.seen_in_hand == (2, 0)
    state = do(state, TakePile(2), LayCard(31, 1))
    assert state.table.seen == (30, 31, 32, 50, 81)
    assert state.table.seen_in_hand == (1, 1)


def test_all_remember_the_top_of_a_taken_pile_until_it_is_laid_again() -> None:
    state = table_position([[31, 32], [30]], [[1, 2], [70, 71]], draw=[80, 81])
    state = do(state, TakePile(1))
    assert state.table.known == ((32,), ())
    assert 32 not in GAME.unseen(GAME.view(state, 1))
    assert 31 in GAME.unseen(GAME.view(state, 1))
    state = do(state, TakePile(3), LayCard(32, 1))
    assert state.table.known == ((), (81,))


def test_an_imagined_pile_holds_cards_that_led_up_to_its_top() -> None:
    state = table_position([[31, 36, 46], [95, 3, 8]], [[1, 2], FILLER])
    view = GAME.view(state, 0)
    assert GAME.imagine(view, GAME.unseen(view)).piles == state.piles


def test_unseen_are_all_cards_without_a_place_known_to_the_viewer() -> None:
    state = table_position([[31, 36]], [[40, 41, 2], FILLER], bull_cards=[1, 0])
    state = do(state, LayCard(40, 1))
    located = {0: {2, 41, 36, 40}, 1: {*FILLER, 36, 40}, None: {36, 40}}
    for seat, cards in located.items():
        assert GAME.unseen(GAME.view(state, seat)) == tuple(card for card in deck(100) if card not in cards)


# -- the end of a round and of a match ----------------------------------------------------------------------


def last_round(state: State, *scores: tuple[int, ...], rounds: int | None = None) -> State:
    """The position in the round after those scores."""
    options = replace(state.table.options, rounds=rounds or len(scores) + 1)
    return replace(state, table=replace(state.table, options=options, scores=scores, round=len(scores) + 1))


@pytest.mark.rule("eleven.empty-hand")
def test_a_round_ends_at_once_when_a_hand_is_empty_and_the_others_count_their_bulls() -> None:
    state = table_position([[31]], [[32], [55, 11, 3], [10, 25]])
    events = happened(state, LayCard(32, 1))
    hands = ((), (3, 11, 55), (10, 25))
    assert events[1:] == (HandsShown(hands, (0, 13, 5), "empty-hand"), RoundEnded(1, (0, 13, 5), (0, 13, 5)))
    after = do(state, LayCard(32, 1))
    assert after.table.phase == "deal"
    assert after.table.scores == ((0, 13, 5),)
    assert after.table.shown == hands


def test_the_last_cards_may_be_laid_with_bull_cards_and_end_the_turn_by_themselves() -> None:
    state = table_position([[31]], [[32, 33], FILLER], bull_cards=[1, 0])
    after = do(state, LayCard(32, 1), LayCard(33, 1))
    assert after.table.phase == "deal"
    assert after.table.laid == ()


@pytest.mark.rule("eleven.no-pile")
def test_a_round_ends_when_the_next_player_finds_no_pile() -> None:
    state = table_position([[31]], [[1, 2], [55, 56], [3, 4]])
    events = happened(state, TakePile(1))
    assert events[1] == HandsShown(((1, 2, 31), (55, 56), (3, 4)), (3, 8, 2), "no-pile")
    assert do(state, TakePile(1)).table.phase == "deal"


def test_without_a_pile_the_round_also_ends_after_a_giver_was_chosen() -> None:
    hands = [(1, 2), (3, 4), (5, 6)]
    state = do(table_position([[31, 32, 33]], hands, bull_cards=[0, 5, 5]), TakePile(1))
    assert state.table.tops == ()
    GAME.check(state)
    assert do(state, ChooseGiver(1)).table.phase == "deal"


def test_while_there_is_a_pile_a_player_can_always_take() -> None:
    state = do(table_position([[31], [50]], [[1, 2], [3, 4]]), TakePile(1))
    assert state.table.phase == "turn"
    assert legal(state) == [TakePile(1)]


def test_cards_and_bull_cards_are_given_back_before_the_next_round() -> None:
    state = do(table_position([[31]], [[32], FILLER], bull_cards=[4, 6]), LayCard(32, 1))
    state = deal(state, random.Random(1))
    assert state.table.bull_cards == (0, 0)
    assert state.table.supply == 10
    assert state.table.round == 2
    assert len(state.table.seen) == 1
    assert sorted(card for cards in GAME.cards(state).values() for card in cards) == list(deck(100))


def test_the_player_with_the_most_points_in_all_begins_the_next_round() -> None:
    state = last_round(table_position([[31]], [[32], [55], [3]]), (0, 1, 50), rounds=5)
    after = do(state, LayCard(32, 1))
    assert after.table.starter == 2
    assert deal(after, random.Random(1)).table.turn == 2


@pytest.mark.parametrize(
    ("last_starter", "points", "starter"),
    [(0, (9, 5, 9), 0), (1, (9, 5, 9), 2), (2, (9, 5, 9), 2), (0, (5, 9, 9), 1), (2, (9, 9, 5), 0), (1, (9, 9, 9), 1)],
)
def test_equals_begin_in_clockwise_order_from_the_last_starter(
    last_starter: int, points: tuple[int, ...], starter: int
) -> None:
    state = table_position([[31]], [[32], [3], [4]])
    state = last_round(state, tuple(total - bulls for total, bulls in zip(points, (0, 1, 1), strict=True)), rounds=5)
    state = replace(state, table=replace(state.table, starter=last_starter))
    assert do(state, LayCard(32, 1)).table.starter == starter


@pytest.mark.rule("eleven.empty-hand")
def test_fewest_points_win_after_the_last_round() -> None:
    state = last_round(table_position([[31]], [[32], [55], [3]]), (20, 0, 30))
    events = happened(state, LayCard(32, 1))
    outcome = GAME.outcome(do(state, LayCard(32, 1)))
    assert outcome is not None
    assert (outcome.reason, outcome.winners, outcome.points) == ("rounds", (1,), (20, 7, 31))
    assert events[-1] == MatchEnded(outcome)


def test_equal_fewest_points_share_the_win() -> None:
    state = last_round(table_position([[31]], [[32], [55], [3]]), (7, 0, 30))
    outcome = GAME.outcome(do(state, LayCard(32, 1)))
    assert outcome is not None
    assert outcome.winners == (0, 1)


@pytest.mark.parametrize(
    ("seats", "rounds", "expected"), [(2, None, 2), (5, None, 5), (7, None, 7), (5, 1, 1), (2, 4, 4)]
)
def test_there_are_as_many_rounds_as_players_or_as_the_option_says(
    seats: int, rounds: int | None, expected: int
) -> None:
    *_, state = play(GAME.setup(Options(rounds=rounds), seats), random.Random(seats))
    assert len(state.table.scores) == expected


def test_after_the_match_and_before_a_deal_nothing_can_be_done() -> None:
    assert refusal(GAME.setup(Options(), 2), TakePile(1)) is Refusal.WAITING_FOR_DEAL
    *_, state = play(GAME.setup(Options(rounds=1), 2), random.Random(5))
    assert refusal(state, TakePile(1)) is Refusal.MATCH_OVER
    assert GAME.pending(state) == ()
    assert GAME.deal_request(state) is None


# -- how it is told -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "told"),
    [
        (HandsDealt(2, 1, ((1, 2), None)), "Round 2: Ben begins.\nAnna holds 1 2."),
        (PilesOpened((31,), 1), "31 opens pile 1."),
        (PilesOpened((23, 87), 4), "23 and 87 open piles 4 and 5."),
        (CardLaid(0, 36, 2, 31, "within-ten"), "Anna lays 36 on 31 (pile 2)."),
        (TurnEnded(1), "Ben lays no more."),
        (PileTaken(0, 1, 46, 3, None, "take"), "Anna takes pile 1 with 46 on top: 3 cards."),
        (
            PileTaken(0, 1, 46, 3, (31, 36, 46), "take"),
            "Anna takes pile 1 with 46 on top: 3 cards, 31 36 46 (3 bulls).",
        ),
        (BullCardGained(0, None, "large-pile"), "Anna gets a bull card."),
        (BullCardGained(0, 1, "from-the-most"), "Anna gets a bull card from Ben."),
        (BullCardMissed(1, "from-the-most"), "Ben alone has the most bull cards and gets no other."),
        (HandsShown(((), (3, 55)), (0, 8), "empty-hand"), "Anna has no card left; counted are Ben 3 55 (8 bulls)."),
        (
            HandsShown(((3,), (55,)), (1, 7), "no-pile"),
            "No pile is left; counted are Anna 3 (1 bull), Ben 55 (7 bulls).",
        ),
    ],
)
def test_events_are_told_as_people_would(event: Event, told: str) -> None:
    assert event.tell(["Anna", "Ben"]) == told


# -- positions ----------------------------------------------------------------------------------------------


def test_the_registry_knows_the_game() -> None:
    assert registry.get("eleven") is GAME
    assert GAME.variants[0].id == "basic"


@pytest.mark.parametrize(
    "build",
    [
        lambda: table_position([], [[1], [2]]),
        lambda: table_position([[]], [[1], [2]]),
        lambda: table_position([[1]], [[1], [2]]),
        lambda: table_position([[1, 1]], [[3], [2]]),
        lambda: table_position([[3]], [[1], []]),
        lambda: table_position([[3]], [[1], [0]]),
        lambda: table_position([[101]], [[1], [2]]),
        lambda: table_position([[3]], [[1], [2]], draw=[3]),
        lambda: table_position([[3]], [[1], [2]], turn=2),
        lambda: table_position([[3]], [[1], [2]], bull_cards=[11, 0]),
        lambda: table_position([[3]], [[1], [2]], bull_cards=[-1, 0]),
        lambda: table_position([[3]], [[1], [2]], bull_cards=[1]),
    ],
)
def test_impossible_positions_are_refused(build: Callable[[], State]) -> None:
    with pytest.raises(InvalidPosition):
        build()


def in_turn_with_bull_cards() -> State:
    state = table_position([[20, 31], [61]], [[32, 34, 62, 90], FILLER], draw=[80], bull_cards=[1, 0])
    return do(state, LayCard(32, 1), LayCard(34, 1))


@pytest.mark.parametrize(
    "change",
    [
        {"laid": (Laid(2, 31, (32, 34)),)},
        {"laid": (Laid(1, 20, (32, 34)),)},
        {"laid": (Laid(1, 34, ()),)},
        {"laid": (Laid(3, 31, (32, 34)),)},
        {"laid": (Laid(0, 61, ()),)},
        {"laid": (Laid(1, 31, (32, 34)), Laid(1, 31, (32, 34)))},
        {"laid": (Laid(1, 20, (31, 32, 34)),)},
        {"bull_cards": (0, 0), "supply": 10},
        {"bull_cards": (1, 1)},
        {"phase": "giver"},
        {"phase": "deal"},
        {"phase": "over"},
        {"tops": (34, 62)},
        {"draw_left": 2},
        {"hand_sizes": (2, 3)},
        {"seen": (20, 31, 32, 34)},
        {"seen": (20, 31, 32, 34, 61, 99)},
        {"seen": (20, 31, 32, 34, 61, 80)},
        {"seen": (20, 31, 32, 34, 61, 62)},
        {"seen_in_hand": (1, 0)},
        {"shown": ((62, 90), FILLER)},
        {"turn": -1},
        {"starter": 2},
        {"seats": 1},
        {"known": ((62,), ())},
        {"known": ((), (20,))},
        {"known": ((),)},
        {"round": 2},
        {"scores": ((0, 1),)},
    ],
)
def test_a_table_that_contradicts_its_cards_is_refused(change: dict[str, Any]) -> None:
    state = in_turn_with_bull_cards()
    GAME.check(state)
    with pytest.raises(InvalidPosition):
        GAME.check(replace(state, table=replace(state.table, **change)))


def test_hands_are_written_in_ascending_order() -> None:
    state = in_turn_with_bull_cards()
    with pytest.raises(InvalidPosition):
        GAME.check(replace(state, hands=(state.hands[0][::-1], state.hands[1])))


# -- a law of its own; those of all games: tests/laws --------------------------------------------------------


def play(state: State, rng: random.Random, taking: float = 0.1) -> Iterator[State]:
    """A match of random decisions, state by state. Few takings, or hands would only grow."""
    yield state
    while GAME.outcome(state) is None:
        if GAME.deal_request(state) is not None:
            state = deal(state, rng)
        else:
            (decision,) = GAME.pending(state)
            choices = list(GAME.legal(state, decision.seat))
            if rng.random() > taking:
                choices = [action for action in choices if isinstance(action, LayCard)] or choices
            state, _ = GAME.apply(state, decision.seat, rng.choice(choices))
        yield state


SEEDS = range(8)
TAKING = (0.0, 0.1, 0.5, 1.0)

matches = pytest.mark.parametrize(
    ("seats", "seed"), [(seats, 100 * seats + seed) for seats in range(2, 8) for seed in SEEDS]
)


def random_match(seats: int, seed: int) -> Iterator[State]:
    rng = random.Random(seed)
    options = Options(starter=rng.randrange(seats), rounds=rng.choice([None, 1, 2]))
    return play(GAME.setup(options, seats), rng, TAKING[seed % len(TAKING)])


@matches
def test_law_every_step_brings_the_end_of_the_round_nearer(seats: int, seed: int) -> None:
    """First the draw pile shrinks, then the number of piles, then the hands; then a turn or a choice is finished."""

    def measure(state: State) -> tuple[int, ...]:
        table = state.table
        return table.draw_left, len(table.tops), sum(table.hand_sizes), bool(table.laid) or table.phase == "giver"

    before = None
    for state in random_match(seats, seed):
        in_round = state.table.phase in ("turn", "giver")
        if before is not None and in_round:
            assert measure(state) < measure(before)
        before = state if in_round else None


def test_a_position_in_the_middle_of_a_turn_survives_as_text() -> None:
    state = in_turn_with_bull_cards()
    text = position.to_text(GAME, state)
    assert "laid: 1:31:32,34" in text
    assert "piles: 20 31 32 34 | 61" in text
    assert position.from_text(text) == (GAME, state)


def test_one_seat_is_enough_for_a_position() -> None:
    state = table_position([[31]], [[32, 90]], bull_cards=[1])
    assert do(state, LayCard(32, 1), EndTurn()).table.turn == 0
