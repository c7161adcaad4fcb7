"""11 nimmt!: lay a card that is at most ten higher than a pile's top, or take a pile into the hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from msgspec.structs import replace

from nimmt.games.eleven import types as eleven_options
from nimmt.games.eleven.after import (
    after,
    with_bull_card,
    with_card,
    with_hands,
    with_next_turn,
    with_pile_taken,
    with_piles,
    with_round_ended,
)
from nimmt.games.eleven.position import check_state
from nimmt.games.eleven.types import (
    HAND,
    HIGHEST,
    LARGE_PILE,
    NEW_PILES,
    REACH,
    VARIANTS,
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
    Table,
    TakePile,
    TurnEnded,
    View,
    bare_table,
    distance,
    givers,
    laid_on,
    places,
)
from nimmt.rules import game
from nimmt.rules.game import Action, Cards, Deal, DealRequest, Decision, Event, Foreseen, Outcome, Rows, Seat, Standing
from nimmt.rules.kit.cards import bulls, check_deal, deal_out, deck, fewest, sorted_hands, standing, totals
from nimmt.rules.kit.events import MatchEnded, RoundEnded, round_ended
from nimmt.rules.kit.seats import at, check_seat, out_of_place, without

# -- turns -------------------------------------------------------------------------------------------------------------
# The steps of a turn, and the end of a round.

Step = tuple[State, tuple[Event, ...]]


# -- laying -------------------------------------------------------------------------------------------------


def layings(table: Table, hand: Cards) -> list[Action]:
    """Every card that the seat in turn may lay now, and where."""
    no_other_pile = _uses_all_piles(table)
    windows = []
    for pile, top in enumerate(table.tops, 1):
        laid = laid_on(table, pile)
        if laid is not None:
            windows.append((pile, laid.on, distance(laid.on, top)))
        elif not no_other_pile:
            windows.append((pile, top, 0))
    return [LayCard(card, pile) for card in hand for pile, on, above in windows if above < distance(on, card) <= REACH]


def _uses_all_piles(table: Table) -> bool:
    """Whether cards were laid on as many piles as this turn may use."""
    return len(table.laid) >= max(1, table.bull_cards[table.turn])


def lay_card(state: State, seat: Seat, action: LayCard) -> Step:
    table, card, pile = state.table, action.card, action.pile
    _check_laying(state, seat, action)
    hand = without(state.hands[seat], card)
    rule = "bull-card" if table.laid else "within-ten"
    events: list[Event] = [CardLaid(seat, card, pile, table.tops[pile - 1], rule)]
    table = with_card(table, seat, card, pile)
    piles = at(state.piles, pile - 1, (*state.piles[pile - 1], card))
    state = State(table, at(state.hands, seat, hand), piles, state.draw)
    if not hand:
        return _end_round(state, events, "empty-hand")
    # With bull cards the seat always says itself that it has done: whether it could go on is its secret.
    return (state, tuple(events)) if table.bull_cards[seat] else _pass_on(state, events)


def _check_laying(state: State, seat: Seat, action: LayCard) -> None:
    """Refuse a card that may not follow."""
    table = state.table
    if action.card not in state.hands[seat]:
        raise game.IllegalAction(game.Refusal.NOT_IN_HAND, seat, "You do not hold this card.")
    _check_pile(table, seat, action.pile)
    top = table.tops[action.pile - 1]
    laid = laid_on(table, action.pile)
    if laid is None:
        if _uses_all_piles(table):
            raise game.IllegalAction(
                game.Refusal.TOO_MANY_PILES, seat, "You need another bull card to lay on another pile."
            )
        laid = Laid(action.pile, top, ())
    if not distance(laid.on, top) < distance(laid.on, action.card) <= REACH:
        follow = f" and must follow {top}" if laid.cards else ""
        sentence = f"{action.card} does not fit: here cards go at most {REACH} up from {laid.on}{follow}."
        raise game.IllegalAction(game.Refusal.DOES_NOT_FIT, seat, sentence)


def _check_pile(table: Table, seat: Seat, pile: int) -> None:
    if not 1 <= pile <= len(table.tops):
        raise game.IllegalAction(
            game.Refusal.NO_SUCH_PILE, seat, f"There is no such pile: choose 1 to {len(table.tops)}."
        )


def end_turn(state: State, seat: Seat) -> Step:
    return _pass_on(state, [TurnEnded(seat)])


def _pass_on(state: State, events: list[Event]) -> Step:
    """The next seat's turn. It can always lay or take, unless there is no pile."""
    if not state.table.tops:
        return _end_round(state, events, "no-pile")
    return replace(state, table=with_next_turn(state.table)), tuple(events)


# -- taking -------------------------------------------------------------------------------------------------


def take_pile(state: State, seat: Seat, action: TakePile) -> Step:
    table, index = state.table, action.pile - 1
    _check_pile(table, seat, action.pile)
    pile = state.piles[index]
    hand = tuple(sorted(state.hands[seat] + pile))
    events: list[Event] = [PileTaken(seat, action.pile, pile[-1], len(pile), pile, "take")]
    table = with_pile_taken(table, seat, action.pile, len(pile))
    piles = state.piles[:index] + state.piles[index + 1 :]
    state = State(table, at(state.hands, seat, hand), piles, state.draw)
    return _bring_bull_card(state, seat, events) if len(pile) >= LARGE_PILE else _open_piles(state, events)


def _bring_bull_card(state: State, seat: Seat, events: list[Event]) -> Step:
    table = state.table
    if table.supply:
        events.append(BullCardGained(seat, None, "large-pile"))
        return _open_piles(replace(state, table=with_bull_card(table, seat, None)), events)
    candidates = givers(table)
    if len(candidates) > 1:
        return replace(state, table=replace(table, phase="giver")), tuple(events)
    if candidates:
        return _give(state, seat, candidates[0], events)
    return _open_piles(state, [*events, BullCardMissed(seat, "from-the-most")])


def choose_giver(state: State, seat: Seat, action: ChooseGiver) -> Step:
    if action.seat not in givers(state.table):
        sentence = "A bull card comes from one of the others who have the most."
        raise game.IllegalAction(game.Refusal.NOT_AN_OWNER, seat, sentence)
    return _give(state, seat, action.seat, [])


def _give(state: State, seat: Seat, giver: Seat, events: list[Event]) -> Step:
    events.append(BullCardGained(seat, giver, "from-the-most"))
    return _open_piles(replace(state, table=with_bull_card(state.table, seat, giver)), events)


def _open_piles(state: State, events: list[Event]) -> Step:
    table, cards = state.table, state.draw[:NEW_PILES]
    if cards:
        events.append(PilesOpened(cards, len(table.tops) + 1))
        piles = state.piles + tuple((card,) for card in cards)
        state = State(with_piles(table, cards), state.hands, piles, state.draw[NEW_PILES:])
    return _pass_on(state, events)


# -- the end ------------------------------------------------------------------------------------------------


def _end_round(state: State, events: list[Event], rule: str) -> Step:
    table, hands = state.table, state.hands
    points = tuple(bulls(hand) for hand in hands)
    number, table = table.round, with_round_ended(replace(table, shown=hands), points)
    events += [HandsShown(hands, points, rule), *round_ended(number, table.scores, outcome(table))]
    return replace(state, table=table), tuple(events)


def outcome(table: Table) -> Outcome | None:
    if table.phase != "over":
        return None
    sums = totals(table.scores, table.seats)
    return Outcome("rounds", fewest(sums), sums)


# -- imagining ---------------------------------------------------------------------------------------------------------
# Filling the hidden places of a view.
#
# A card that has never lain open is in a hand or in the draw pile; one that has is in a hand or in a pile. All know how
# many of each kind every hand holds (`seen_in_hand`), so each kind fills its places exactly, in any order. Some cards
# are no secret although they are in a hand (`known`): all saw them on top of a pile that was taken.


def unseen(view: View) -> Cards:
    table = view.table
    located = {*view.hand, *table.tops}.union(*table.known, *table.shown)
    for laid in table.laid:
        located.update((laid.on, *laid.cards))
    return tuple(card for card in deck(HIGHEST) if card not in located)


def imagine(view: View, cards: Sequence[int]) -> State:
    table = view.table
    lay_open = set(table.seen)
    fresh = iter([card for card in cards if card not in lay_open])
    seen = iter([card for card in cards if card in lay_open])
    draw = tuple(islice(fresh, table.draw_left))
    hands = table.shown or _hands(view, fresh, seen)
    return State(table, hands, _piles(table, seen), draw)


def _hands(view: View, fresh: Iterator[int], seen: Iterator[int]) -> Rows:
    hands, table = [], view.table
    for seat, tops in enumerate(table.known):
        if seat == view.seat:
            hands.append(view.hand)
            continue
        old = table.seen_in_hand[seat]
        taken = islice(seen, old - len(tops))
        hands.append(tuple(sorted((*tops, *taken, *islice(fresh, table.hand_sizes[seat] - old)))))
    return tuple(hands)


def _piles(table: Table, below: Iterator[int]) -> Rows:
    """Every card that is left lies below the top that it is closest to: piles grow upwards in small steps."""
    grown: list[Cards] = []
    for pile, top in enumerate(table.tops, 1):
        laid = laid_on(table, pile)
        grown.append((laid.on, *laid.cards) if laid else (top,))
    bottoms = [cards[0] for cards in grown]
    for card in sorted(below, key=lambda card: min(distance(card, bottom) for bottom in bottoms)):
        index = min(range(len(bottoms)), key=lambda index: distance(card, bottoms[index]))
        grown[index] = (card, *grown[index])
    return tuple(grown)


# -- game --------------------------------------------------------------------------------------------------------------


class Eleven(game.Game[Options, State, View]):
    id = "eleven"
    name = "11 nimmt!"
    names = {"pl": "11. bierze!", "ru": "11-ый берёт!"}
    summary = "Lay your cards on piles in steps of ten at most; a pile taken fills the hand but may bring a bull card."
    rules_version = 1
    min_seats = eleven_options.MIN_SEATS
    max_seats = eleven_options.MAX_SEATS
    variants = VARIANTS
    minutes = 20
    length_option = "rounds"
    takes = "piles"
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
        return State(bare_table(options, seats), ((),) * seats, (), ())

    def deal_request(self, state: State) -> DealRequest | None:
        return _WHOLE_DECK if state.table.phase == "deal" else None

    def deal(self, state: State, deal: Deal) -> Step:
        """Ten cards to seat 0, the next ten to seat 1 and so on; the card after them opens the first pile; the rest
        is the draw pile, the next card to be drawn first."""
        check_deal(self.deal_request(state), deal)
        packs, (first, *rest) = deal_out(deal.decks["numbers"], HAND, state.table.seats)
        hands = sorted_hands(packs)
        table = replace(with_piles(with_hands(state.table), (first,)), phase="turn")
        events = HandsDealt(table.round, table.starter, hands), PilesOpened((first,), 1)
        return State(table, hands, ((first,),), tuple(rest)), events

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
        actions = layings(table, state.hands[seat])
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
                return lay_card(state, seat, action)
            if isinstance(action, TakePile) and not table.laid:
                return take_pile(state, seat, action)
            if isinstance(action, EndTurn) and table.laid:
                return end_turn(state, seat)
        if seat == table.turn and table.phase == "giver" and isinstance(action, ChooseGiver):
            return choose_giver(state, seat, action)
        raise out_of_place(self, state, seat, action)

    # -- looking --------------------------------------------------------------------------------------------

    def view(self, state: State, seat: Seat | None) -> View:
        if seat is None:
            return View(None, state.table, ())
        check_seat(seat, state.table.seats)
        return View(seat, state.table, state.hands[seat])

    def foresee(self, view: View, action: Action) -> tuple[Foreseen, ...]:
        del view
        match action:
            case LayCard(pile=pile):
                return (Foreseen(pile, (), 0, "within-ten"),)
        return ()

    def after(self, view: View, event: Event) -> View:
        return after(view, event)

    def length(self, options: Options, seats: int) -> game.Length:
        return game.Length(options.rounds or seats)

    def outcome(self, state: State) -> Outcome | None:
        return outcome(state.table)

    def standing(self, view: View) -> Standing:
        """What hands will cost is secret until they are counted."""
        table = view.table
        return standing(table, (0,) * table.seats, table.options.rounds or table.seats)

    def cards(self, state: State) -> Mapping[str, Cards]:
        return places(state)

    def check(self, state: State) -> None:
        check_state(state)

    def unseen(self, view: View) -> Cards:
        return unseen(view)

    def imagine(self, view: View, cards: Sequence[int]) -> State:
        return imagine(view, cards)


ELEVEN = Eleven()
_WHOLE_DECK = DealRequest({"numbers": deck(HIGHEST)})
_END_TURN = EndTurn()
