"""What each event of Beat the Buffalo changes in the picture."""

from __future__ import annotations

from msgspec.structs import replace

from nimmt.clients.terminal.face import chosen_by
from nimmt.rules.game import Cards, Event, Rows, Seat
from nimmt.rules.games.buffalo.actions import AnyUse, Lift, Stop, Take7
from nimmt.rules.games.buffalo.events import (
    CardInserted,
    CardPlaced,
    CardPushed,
    CardsRevealed,
    CardSwapped,
    CardTakenBack,
    OrderChanged,
    SpecialRemoved,
    SpecialsRevealed,
    SpecialUsed,
)
from nimmt.rules.games.buffalo.options import HAND, ROWS
from nimmt.rules.games.buffalo.state import BUFFALO, KINDS, Kind, Play, Table, View, kind
from nimmt.rules.kit.cards import bulls
from nimmt.rules.kit.events import CardChosen, RoundDealt
from nimmt.rules.kit.seats import at, without


def after(view: View, event: Event) -> View:
    match event:
        case RoundDealt(rows=rows, hands=hands):
            return _dealt(view, rows, hands)
        case CardChosen():
            return chosen_by(view, event)
        case CardsRevealed(plays=plays):
            return _revealed(view, plays)
        case CardTakenBack(seat=seat, card=card):
            return _taken_back(view, seat, card)
        case CardSwapped(seat=seat, card=card):
            return _swapped(view, seat, card)
        case SpecialsRevealed(kinds=kinds):
            face_up = (*view.table.face_up, *map(_any_card, kinds))
            left = view.specials_left - (len(kinds) if view.table.turn else 0)
            return replace(view, table=replace(view.table, face_up=face_up), specials_left=left)
    return replace(view, table=_moved(view.table, event))


def _moved(table: Table, event: Event) -> Table:
    match event:
        case SpecialUsed(use=use):
            return _used(table, use)
        case SpecialRemoved(kind=what, row=row):
            left = tuple(card for card in table.beside[row - 1] if kind(card) != what)
            return replace(table, beside=at(table.beside, row - 1, left))
        case OrderChanged(plays=plays):
            return replace(table, queue=plays)
        case CardPlaced(seat=seat, card=card, row=row, taken=taken):
            cards = (card,) if taken else (*table.rows[row - 1], card)
            table = replace(table, rows=at(table.rows, row - 1, cards), queue=table.queue[1:])
            return _collected(table, taken, by_buffalo=seat == BUFFALO)
        case CardInserted(card=card, row=row, taken=taken, kept=kept):
            table = replace(table, queue=table.queue[1:])
            return _collected(_squeezed(table, card, row, kept), taken)
        case CardPushed(card=card, from_row=source, row=row, taken=taken, kept=kept):
            table = replace(table, rows=at(table.rows, source - 1, without(table.rows[source - 1], card)))
            return _collected(_squeezed(table, card, row, kept), taken)
    return table


def _any_card(what: Kind) -> int:
    """One of the two special cards of a kind: they look the same."""
    return 2 * KINDS.index(what) + 1


def _dealt(view: View, rows: Rows, hands: tuple[Cards | None, ...]) -> View:
    seats = view.table.seats
    own = hands[view.seat] if view.seat is not None else None
    return replace(
        view,
        table=replace(view.table, phase="choose", rows=rows, beside=((),) * ROWS),
        hand=own or (),
        waiting=tuple(range(seats)),
        hand_sizes=(HAND,) * seats,
    )


def _revealed(view: View, plays: tuple[Play, ...]) -> View:
    played = {play.card for play in plays}
    return replace(
        view,
        table=replace(view.table, phase="window", queue=plays),
        hand=tuple(card for card in view.hand if card not in played),
        choice=None,
        waiting=(),
        hand_sizes=tuple(size - 1 for size in view.hand_sizes),
    )


def _taken_back(view: View, seat: Seat, card: int) -> View:
    queue = tuple(play for play in view.table.queue if play.card != card)
    hand = tuple(sorted((*view.hand, card))) if seat == view.seat else view.hand
    sizes = at(view.hand_sizes, seat, view.hand_sizes[seat] + 1)
    return replace(view, table=replace(view.table, queue=queue), hand=hand, hand_sizes=sizes)


def _swapped(view: View, seat: Seat, card: int) -> View:
    queue = (Play(seat, card), *view.table.queue)
    hand = tuple(other for other in view.hand if other != card)
    sizes = at(view.hand_sizes, seat, view.hand_sizes[seat] - 1)
    return replace(view, table=replace(view.table, queue=queue), hand=hand, hand_sizes=sizes)


def _used(table: Table, use: AnyUse) -> Table:
    if isinstance(use, Lift):
        return table
    special = next(card for card in table.face_up if kind(card) == type(use).__name__)
    table = replace(table, face_up=without(table.face_up, special))
    if isinstance(use, Take7 | Stop):
        return replace(table, beside=at(table.beside, use.row - 1, (*table.beside[use.row - 1], special)))
    return replace(table, used=(*table.used, special))


def _squeezed(table: Table, card: int, row: int, kept: int | None) -> Table:
    cards = tuple(sorted((*table.rows[row - 1], card))) if kept is None else (kept,)
    return replace(table, rows=at(table.rows, row - 1, cards))


def _collected(table: Table, taken: Cards, *, by_buffalo: bool = False) -> Table:
    if by_buffalo:
        return replace(table, buffalo_bulls=table.buffalo_bulls + bulls(taken))
    return replace(table, bulls=table.bulls + bulls(taken))
