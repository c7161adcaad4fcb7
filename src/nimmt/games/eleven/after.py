"""What each event of 11 nimmt! does to a view. How the table changes is written here for the rules, too."""

from __future__ import annotations

from msgspec.structs import replace

from nimmt.games.eleven.types import (
    BULL_CARDS,
    HAND,
    HIGHEST,
    LARGE_PILE,
    BullCardGained,
    BullCardMissed,
    CardLaid,
    HandsDealt,
    HandsShown,
    Laid,
    PilesOpened,
    PileTaken,
    Table,
    TurnEnded,
    View,
    laid_on,
)
from nimmt.rules.game import Cards, Event, Seat
from nimmt.rules.kit.cards import most, totals
from nimmt.rules.kit.events import RoundEnded
from nimmt.rules.kit.seats import at, without
from nimmt.rules.kit.secret import own_cards


def after(view: View, event: Event) -> View:
    match event:
        case HandsDealt(hands=hands):
            return View(view.seat, with_hands(view.table), own_cards(view.seat, hands))
        case CardLaid(seat=seat, card=card):
            hand = without(view.hand, card) if seat == view.seat else view.hand
            return View(view.seat, _laid(view.table, event), hand)
        case PileTaken(seat=seat, cards=cards):
            hand = tuple(sorted((*view.hand, *(cards or ())))) if seat == view.seat else view.hand
            return View(view.seat, _taken(view.table, event), hand)
    return replace(view, table=_changed(view.table, event))


def _changed(table: Table, event: Event) -> Table:
    """What happens to the table alone."""
    match event:
        case PilesOpened(cards=cards):
            is_first = table.phase == "deal"
            table = with_piles(table, cards)
            return replace(table, phase="turn") if is_first else with_next_turn(table)
        case TurnEnded():
            return with_next_turn(table)
        case BullCardGained(seat=seat, giver=giver):
            return _with_new_piles_due(with_bull_card(table, seat, giver))
        case BullCardMissed():
            return _with_new_piles_due(table)
        case HandsShown(hands=hands):
            return replace(table, shown=hands)
        case RoundEnded(points=points):
            return with_round_ended(table, points)
    return table


def _laid(table: Table, event: CardLaid) -> Table:
    seat = event.seat
    table = with_card(table, seat, event.card, event.pile)
    if table.bull_cards[seat]:
        return table
    return with_next_turn(table) if table.hand_sizes[seat] else replace(table, laid=())


def _taken(table: Table, event: PileTaken) -> Table:
    table = with_pile_taken(table, event.seat, event.pile, event.count)
    # Where a bull card comes from the next event says, unless the taker chooses between several givers.
    return replace(table, phase="giver") if event.count >= LARGE_PILE else _with_new_piles_due(table)


def _with_new_piles_due(table: Table) -> Table:
    """New piles are opened next; if there are no cards for them the turn is over."""
    return table if table.draw_left else with_next_turn(table)


# -- what the rules and views share -------------------------------------------------------------------------


def with_hands(table: Table) -> Table:
    """The table when a round begins, before its first pile is opened."""
    seats = table.seats
    return replace(
        table,
        turn=table.starter,
        tops=(),
        draw_left=HIGHEST - HAND * seats,
        hand_sizes=(HAND,) * seats,
        bull_cards=(0,) * seats,
        supply=BULL_CARDS,
        laid=(),
        seen=(),
        seen_in_hand=(0,) * seats,
        known=((),) * seats,
        shown=(),
    )


def with_piles(table: Table, cards: Cards) -> Table:
    """The next cards of the draw pile lie open as new piles."""
    seen = tuple(sorted((*table.seen, *cards)))
    return replace(table, tops=table.tops + cards, draw_left=table.draw_left - len(cards), seen=seen)


def with_card(table: Table, seat: Seat, card: int, pile: int) -> Table:
    """A card lies on a pile; what all know of the hand it came from changes with it."""
    seen_again, known, top = card in table.seen, table.known[seat], table.tops[pile - 1]
    laid = laid_on(table, pile) or Laid(pile, top, ())
    return replace(
        table,
        tops=at(table.tops, pile - 1, card),
        hand_sizes=at(table.hand_sizes, seat, table.hand_sizes[seat] - 1),
        laid=(*(other for other in table.laid if other.pile != pile), Laid(pile, laid.on, (*laid.cards, card))),
        seen=table.seen if seen_again else tuple(sorted((*table.seen, card))),
        seen_in_hand=at(table.seen_in_hand, seat, table.seen_in_hand[seat] - seen_again),
        known=at(table.known, seat, without(known, card)) if card in known else table.known,
    )


def with_pile_taken(table: Table, seat: Seat, pile: int, count: int) -> Table:
    """A pile of so many cards is in a hand; all saw its top."""
    known = tuple(sorted((*table.known[seat], table.tops[pile - 1])))
    return replace(
        table,
        tops=table.tops[: pile - 1] + table.tops[pile:],
        hand_sizes=at(table.hand_sizes, seat, table.hand_sizes[seat] + count),
        seen_in_hand=at(table.seen_in_hand, seat, table.seen_in_hand[seat] + count),
        known=at(table.known, seat, known),
    )


def with_bull_card(table: Table, seat: Seat, giver: Seat | None) -> Table:
    """A seat has one bull card more, from the supply or from another seat."""
    owned = at(table.bull_cards, seat, table.bull_cards[seat] + 1)
    if giver is None:
        return replace(table, bull_cards=owned, supply=table.supply - 1)
    return replace(table, bull_cards=at(owned, giver, owned[giver] - 1))


def with_next_turn(table: Table) -> Table:
    """The next seat's turn; without a pile there is none, as the round is over."""
    if not table.tops:
        return table
    return replace(table, phase="turn", turn=(table.turn + 1) % table.seats, laid=())


def with_round_ended(table: Table, points: Cards) -> Table:
    """The match is over, or the next round is due."""
    table = replace(table, laid=(), scores=(*table.scores, points))
    if table.round >= (table.options.rounds or table.seats):
        return replace(table, phase="over")
    starter = _next_starter(table)
    return replace(table, phase="deal", round=table.round + 1, starter=starter, turn=starter)


def _next_starter(table: Table) -> Seat:
    """Who has the most points in total; among equals the first clockwise, beginning with the last starter."""
    sums = totals(table.scores, table.seats)
    return min(most(sums), key=lambda seat: (seat - table.starter) % table.seats)
