"""What each event of X nimmt! does to a view, and what ends with a round."""

from __future__ import annotations

from msgspec.structs import replace

from nimmt.games.x.types import HAND, CardKept, CardsRevealed, HandsCounted, Play, Table, Taking, View
from nimmt.rules.game import Cards, Event, Rows
from nimmt.rules.kit.events import CardChosen, CardPlaced, RoundDealt, RoundEnded
from nimmt.rules.kit.seats import at
from nimmt.rules.kit.secret import chosen, dealt, grown, not_played, placed, revealed


def after(view: View, event: Event) -> View:
    table = view.table
    match event:
        case RoundDealt(rows=rows, hands=hands):
            return dealt(view, with_rows(table, rows), hands, HAND)
        case CardChosen(seat=seat, card=card):
            return chosen(view, seat, card)
        case CardsRevealed(plays=plays):
            view = revealed(view, plays)
            return replace(view, table=replace(view.table, known=still_known(table, plays)))
        case CardPlaced():
            return _placed(view, event)
        case CardKept():
            return placed(_kept(view, event))
        case HandsCounted(hands=hands):
            return replace(view, table=replace(table, known=hands))
        case RoundEnded(points=points):
            return replace(view, table=with_round_ended(table, points), waiting=())
    return view


def with_rows(table: Table, rows: Rows) -> Table:
    """The table when a round begins."""
    nothing: Rows = ((),) * table.seats
    return replace(table, phase="choose", rows=rows, x_rows=nothing, x_piles=nothing, known=nothing)


def still_known(table: Table, plays: tuple[Play, ...]) -> Rows:
    """What all know of each hand once these cards have left them."""
    return tuple(not_played(cards, plays) for cards in table.known)


def with_round_ended(table: Table, points: Cards) -> Table:
    """All cards lie as they are until the next deal gathers them, or for ever."""
    table = replace(table, scores=(*table.scores, points))
    if table.round < table.options.rounds:
        return replace(table, phase="deal", round=table.round + 1)
    return replace(table, phase="over")


def _placed(view: View, event: CardPlaced) -> View:
    table = view.table
    table = replace(table, rows=grown(table.rows, event.row, event.card, event.taken), queue=table.queue[1:])
    if event.taken:  # of a single card the next event says that it is kept
        return replace(view, table=replace(table, phase="keep", taken=Taking(event.seat, event.taken)))
    return placed(replace(view, table=table))


def with_card_kept(table: Table, event: CardKept) -> Table:
    seat = event.seat
    return replace(
        table,
        taken=None,
        x_rows=at(table.x_rows, seat, event.x_row),
        x_piles=at(table.x_piles, seat, table.x_piles[seat] + event.discarded),
        known=with_cards(table.known, seat, event.to_hand),
    )


def _kept(view: View, event: CardKept) -> View:
    table, seat, new = with_card_kept(view.table, event), event.seat, event.to_hand
    hand = tuple(sorted(view.hand + new)) if seat == view.seat else view.hand
    return replace(view, table=table, hand=hand, hand_sizes=at(view.hand_sizes, seat, view.hand_sizes[seat] + len(new)))


def with_cards(hands: Rows, seat: int, cards: Cards) -> Rows:
    return at(hands, seat, tuple(sorted(hands[seat] + cards)))
