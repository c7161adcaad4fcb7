"""11 nimmt!: lay a card that is at most ten higher than a pile's top, or take a pile into the hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from nimmt.rules import game
from nimmt.rules.game import Action, Cards, Deal, DealRequest, Decision, Outcome, Rows, Seat
from nimmt.rules.games.eleven import imagining, turns
from nimmt.rules.games.eleven import options as eleven_options
from nimmt.rules.games.eleven.actions import ChooseGiver, EndTurn, LayCard, TakePile
from nimmt.rules.games.eleven.checking import check_state
from nimmt.rules.games.eleven.events import (
    BullCardGained,
    BullCardMissed,
    CardLaid,
    HandsDealt,
    HandsShown,
    PilesOpened,
    PileTaken,
    TurnEnded,
)
from nimmt.rules.games.eleven.options import BULL_CARDS, HAND, HIGHEST, VARIANTS, Options
from nimmt.rules.games.eleven.state import State, Table, View, givers, places
from nimmt.rules.games.eleven.turns import Step
from nimmt.rules.kit.cards import check_deal, deck
from nimmt.rules.kit.events import MatchEnded, RoundEnded
from nimmt.rules.kit.seats import check_seat, out_of_place


class Eleven(game.Game[Options, State, View]):
    id = "eleven"
    name = "11 nimmt!"
    summary = "Lay your cards on piles in steps of ten at most; a pile taken fills the hand but may bring a bull card."
    rules_version = 1
    min_seats = eleven_options.MIN_SEATS
    max_seats = eleven_options.MAX_SEATS
    variants = VARIANTS
    rules = {
        "within-ten": "A card may follow a top that is 1 to 10 lower; after 100 comes 1.",
        "bull-card": "A bull card lets you lay several cards on a pile, all within ten of the top it had before.",
        "take": "Instead of laying a card you take a pile into your hand; two new piles are opened.",
        "large-pile": "A pile of three or more cards brings a bull card.",
        "from-the-most": "When no bull card is left, it comes from another player who has the most, if there is one.",
        "empty-hand": "The round ends as soon as a hand is empty; the others count the bulls in theirs.",
        "no-pile": "The round ends when there is no pile to lay on or to take; all count the bulls in their hands.",
    }
    ends = {"rounds": "All rounds were played; fewest points win."}
    decisions = {
        "turn": "lay a card or take a pile",
        "more": "lay another card or end your turn",
        "giver": "choose who gives you a bull card",
    }
    options_type = Options
    state_type = State
    view_type = View
    action_types = (LayCard, EndTurn, TakePile, ChooseGiver)
    event_types = (
        HandsDealt,
        PilesOpened,
        CardLaid,
        TurnEnded,
        PileTaken,
        BullCardGained,
        BullCardMissed,
        HandsShown,
        RoundEnded,
        MatchEnded,
    )

    # -- beginning ------------------------------------------------------------------------------------------

    def setup(self, options: Options, seats: int) -> State:
        eleven_options.check(options, seats)
        nothing: Rows = ((),) * seats
        table = Table(
            options=options,
            seats=seats,
            phase="deal",
            round=1,
            starter=options.starter,
            turn=options.starter,
            tops=(),
            draw_left=0,
            hand_sizes=(0,) * seats,
            bull_cards=(0,) * seats,
            supply=BULL_CARDS,
            laid=(),
            seen=(),
            seen_in_hand=(0,) * seats,
            known=nothing,
            shown=nothing,
            scores=(),
        )
        return State(table, nothing, (), ())

    def deal_request(self, state: State) -> DealRequest | None:
        return _WHOLE_DECK if state.table.phase == "deal" else None

    def deal(self, state: State, deal: Deal) -> Step:
        """Ten cards to seat 0, the next ten to seat 1 and so on; the card after them opens the first pile; the rest
        is the draw pile, the next card to be drawn first."""
        check_deal(self.deal_request(state), deal)
        order, seats = deal.decks["numbers"], state.table.seats
        hands = tuple(tuple(sorted(order[HAND * seat : HAND * (seat + 1)])) for seat in range(seats))
        first, draw = order[HAND * seats], order[HAND * seats + 1 :]
        table = replace(
            state.table,
            phase="turn",
            turn=state.table.starter,
            tops=(first,),
            draw_left=len(draw),
            hand_sizes=(HAND,) * seats,
            bull_cards=(0,) * seats,
            supply=BULL_CARDS,
            seen=(first,),
            seen_in_hand=(0,) * seats,
            known=((),) * seats,
            shown=(),
        )
        events = HandsDealt(table.round, table.starter, hands), PilesOpened((first,), 1)
        return State(table, hands, ((first,),), draw), events

    # -- deciding -------------------------------------------------------------------------------------------

    def pending(self, state: State) -> tuple[Decision, ...]:
        table = state.table
        if table.phase == "turn":
            return (Decision(table.turn, "more" if table.laid else "turn"),)
        return (Decision(table.turn, "giver"),) if table.phase == "giver" else ()

    def legal(self, state: State, seat: Seat) -> Sequence[Action]:
        table = state.table
        check_seat(seat, table.seats)
        if seat != table.turn:
            return ()
        if table.phase == "giver":
            return [ChooseGiver(giver) for giver in givers(table)]
        if table.phase != "turn":
            return ()
        actions = turns.layings(table, state.hands[seat])
        if table.laid:
            actions.append(_END_TURN)
        else:
            actions += [TakePile(pile) for pile in range(1, len(table.tops) + 1)]
        return actions

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        table = state.table
        check_seat(seat, table.seats)
        if seat == table.turn and table.phase == "turn":
            if isinstance(action, LayCard):
                return turns.lay_card(state, seat, action)
            if isinstance(action, TakePile) and not table.laid:
                return turns.take_pile(state, seat, action)
            if isinstance(action, EndTurn) and table.laid:
                return turns.end_turn(state, seat)
        if seat == table.turn and table.phase == "giver" and isinstance(action, ChooseGiver):
            return turns.choose_giver(state, seat, action)
        raise out_of_place(self, state, seat, action)

    # -- looking --------------------------------------------------------------------------------------------

    def view(self, state: State, seat: Seat | None) -> View:
        if seat is None:
            return View(None, state.table, ())
        check_seat(seat, state.table.seats)
        return View(seat, state.table, state.hands[seat])

    def outcome(self, state: State) -> Outcome | None:
        return turns.outcome(state.table) if state.table.phase == "over" else None

    def cards(self, state: State) -> Mapping[str, Cards]:
        return places(state)

    def check(self, state: State) -> None:
        check_state(state)

    def unseen(self, view: View) -> Cards:
        return imagining.unseen(view)

    def imagine(self, view: View, cards: Sequence[int]) -> State:
        return imagining.imagine(view, cards)


ELEVEN = Eleven()
_WHOLE_DECK = DealRequest({"numbers": deck(HIGHEST)})
_END_TURN = EndTurn()
