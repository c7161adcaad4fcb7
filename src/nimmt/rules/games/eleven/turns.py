"""The steps of a turn, and the end of a round."""

from __future__ import annotations

from msgspec.structs import replace

from nimmt.rules.game import Action, Cards, Event, IllegalAction, Outcome, Refusal, Seat
from nimmt.rules.games.eleven.actions import ChooseGiver, LayCard, TakePile
from nimmt.rules.games.eleven.events import (
    BullCardGained,
    BullCardMissed,
    CardLaid,
    HandsShown,
    PilesOpened,
    PileTaken,
    TurnEnded,
)
from nimmt.rules.games.eleven.options import LARGE_PILE, NEW_PILES, REACH
from nimmt.rules.games.eleven.state import Laid, State, Table, distance, givers, laid_on
from nimmt.rules.kit.cards import bulls
from nimmt.rules.kit.events import MatchEnded, RoundEnded
from nimmt.rules.kit.scoring import fewest, most, totals
from nimmt.rules.kit.seats import at, without

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
    laid = _check_laying(state, seat, action)
    hand = without(state.hands[seat], card)
    seen_again, known = card in table.seen, table.known[seat]
    rule = "bull-card" if table.laid else "within-ten"
    events: list[Event] = [CardLaid(seat, card, pile, table.tops[pile - 1], rule)]
    table = replace(
        table,
        tops=at(table.tops, pile - 1, card),
        hand_sizes=at(table.hand_sizes, seat, len(hand)),
        laid=(*(other for other in table.laid if other.pile != pile), Laid(pile, laid.on, (*laid.cards, card))),
        seen=table.seen if seen_again else _with(table.seen, (card,)),
        seen_in_hand=at(table.seen_in_hand, seat, table.seen_in_hand[seat] - seen_again),
        known=at(table.known, seat, without(known, card)) if card in known else table.known,
    )
    piles = at(state.piles, pile - 1, (*state.piles[pile - 1], card))
    state = State(table, at(state.hands, seat, hand), piles, state.draw)
    if not hand:
        return _end_round(state, events, "empty-hand")
    # With bull cards the seat always says itself that it has done: whether it could go on is its secret.
    return (state, tuple(events)) if table.bull_cards[seat] else _pass_on(state, events)


def _check_laying(state: State, seat: Seat, action: LayCard) -> Laid:
    """What lies on that pile from this turn, once it is sure that the card may follow."""
    table = state.table
    if action.card not in state.hands[seat]:
        raise IllegalAction(Refusal.NOT_IN_HAND, seat, "You do not hold this card.")
    _check_pile(table, seat, action.pile)
    top = table.tops[action.pile - 1]
    laid = laid_on(table, action.pile)
    if laid is None:
        if _uses_all_piles(table):
            raise IllegalAction(Refusal.TOO_MANY_PILES, seat, "You need another bull card to lay on another pile.")
        laid = Laid(action.pile, top, ())
    if not distance(laid.on, top) < distance(laid.on, action.card) <= REACH:
        follow = f" and must follow {top}" if laid.cards else ""
        sentence = f"{action.card} does not fit: here cards go at most {REACH} up from {laid.on}{follow}."
        raise IllegalAction(Refusal.DOES_NOT_FIT, seat, sentence)
    return laid


def _with(known: Cards, more: Cards) -> Cards:
    return tuple(sorted((*known, *more)))


def _check_pile(table: Table, seat: Seat, pile: int) -> None:
    if not 1 <= pile <= len(table.tops):
        raise IllegalAction(Refusal.NO_SUCH_PILE, seat, f"There is no such pile: choose 1 to {len(table.tops)}.")


def end_turn(state: State, seat: Seat) -> Step:
    return _pass_on(state, [TurnEnded(seat)])


def _pass_on(state: State, events: list[Event]) -> Step:
    """The next seat's turn. It can always lay or take, unless there is no pile."""
    table = state.table
    if not table.tops:
        return _end_round(state, events, "no-pile")
    table = replace(table, phase="turn", turn=(table.turn + 1) % table.seats, laid=())
    return replace(state, table=table), tuple(events)


# -- taking -------------------------------------------------------------------------------------------------


def take_pile(state: State, seat: Seat, action: TakePile) -> Step:
    table, index = state.table, action.pile - 1
    _check_pile(table, seat, action.pile)
    pile = state.piles[index]
    hand = tuple(sorted(state.hands[seat] + pile))
    events: list[Event] = [PileTaken(seat, action.pile, pile[-1], len(pile), pile, "take")]
    table = replace(
        table,
        tops=table.tops[:index] + table.tops[index + 1 :],
        hand_sizes=at(table.hand_sizes, seat, len(hand)),
        seen_in_hand=at(table.seen_in_hand, seat, table.seen_in_hand[seat] + len(pile)),
        known=at(table.known, seat, _with(table.known[seat], pile[-1:])),
    )
    piles = state.piles[:index] + state.piles[index + 1 :]
    state = State(table, at(state.hands, seat, hand), piles, state.draw)
    return _bring_bull_card(state, seat, events) if len(pile) >= LARGE_PILE else _open_piles(state, events)


def _bring_bull_card(state: State, seat: Seat, events: list[Event]) -> Step:
    table = state.table
    if table.supply:
        owned = at(table.bull_cards, seat, table.bull_cards[seat] + 1)
        events.append(BullCardGained(seat, None, "large-pile"))
        table = replace(table, supply=table.supply - 1, bull_cards=owned)
        return _open_piles(replace(state, table=table), events)
    candidates = givers(table)
    if len(candidates) > 1:
        return replace(state, table=replace(table, phase="giver")), tuple(events)
    if candidates:
        return _give(state, seat, candidates[0], events)
    return _open_piles(state, [*events, BullCardMissed(seat, "from-the-most")])


def choose_giver(state: State, seat: Seat, action: ChooseGiver) -> Step:
    if action.seat not in givers(state.table):
        sentence = "A bull card comes from one of the others who have the most."
        raise IllegalAction(Refusal.NOT_AN_OWNER, seat, sentence)
    return _give(state, seat, action.seat, [])


def _give(state: State, seat: Seat, giver: Seat, events: list[Event]) -> Step:
    owned = state.table.bull_cards
    owned = at(owned, giver, owned[giver] - 1)
    owned = at(owned, seat, owned[seat] + 1)
    events.append(BullCardGained(seat, giver, "from-the-most"))
    return _open_piles(replace(state, table=replace(state.table, bull_cards=owned)), events)


def _open_piles(state: State, events: list[Event]) -> Step:
    table, cards = state.table, state.draw[:NEW_PILES]
    if cards:
        events.append(PilesOpened(cards, len(table.tops) + 1))
        table = replace(
            table, tops=table.tops + cards, draw_left=table.draw_left - len(cards), seen=_with(table.seen, cards)
        )
        piles = state.piles + tuple((card,) for card in cards)
        state = State(table, state.hands, piles, state.draw[NEW_PILES:])
    return _pass_on(state, events)


# -- the end ------------------------------------------------------------------------------------------------


def _end_round(state: State, events: list[Event], rule: str) -> Step:
    table, hands = state.table, state.hands
    points = tuple(bulls(hand) for hand in hands)
    scores = (*table.scores, points)
    sums = totals(scores, table.seats)
    events += [HandsShown(hands, points, rule), RoundEnded(table.round, points, sums)]
    table = replace(table, laid=(), shown=hands, scores=scores)
    if table.round >= (table.options.rounds or table.seats):
        table = replace(table, phase="over")
        events.append(MatchEnded(outcome(table)))
    else:
        starter = _next_starter(table, sums)
        table = replace(table, phase="deal", round=table.round + 1, starter=starter, turn=starter)
    return replace(state, table=table), tuple(events)


def _next_starter(table: Table, sums: Cards) -> Seat:
    """Who has the most points in all; among equals the first clockwise, beginning with the last starter."""
    return min(most(sums), key=lambda seat: (seat - table.starter) % table.seats)


def outcome(table: Table) -> Outcome:
    sums = totals(table.scores, table.seats)
    return Outcome("rounds", fewest(sums), sums)
