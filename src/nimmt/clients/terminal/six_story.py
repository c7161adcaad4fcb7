"""What each event of 6 nimmt! changes in the picture."""

from __future__ import annotations

from msgspec.structs import replace

from nimmt.rules.game import Event, Seat
from nimmt.rules.games.six.events import (
    CardChosen,
    CardDrafted,
    CardsRevealed,
    DraftBegun,
    MarkersLaid,
    RowsStarted,
)
from nimmt.rules.games.six.fans import CowJumped, MarkerMoved
from nimmt.rules.games.six.options import HAND
from nimmt.rules.games.six.state import Markers, MountainMarker, ParityMarker, Play, Table, View
from nimmt.rules.kit.cards import bulls
from nimmt.rules.kit.events import CardPlaced, RoundDealt, RoundEnded
from nimmt.rules.kit.seats import at


def after(view: View, event: Event) -> View:
    table = view.table
    match event:
        case RoundDealt(round=number, rows=rows, hands=hands):
            view = _new_round(view, number)
            own = hands[view.seat] if view.seat is not None else None
            return replace(view, table=replace(view.table, rows=rows), hand=own or ())
        case DraftBegun(round=number, pool=pool):
            view = _new_round(view, number)
            return replace(view, table=replace(view.table, phase="draft", pool=pool), hand_sizes=(0,) * table.seats)
        case CardDrafted(seat=seat, card=card):
            return _drafted(view, seat, card)
        case RowsStarted(cards=cards):
            table = replace(table, phase="choose", rows=tuple((card,) for card in cards), pool=())
            return replace(view, table=table, waiting=tuple(range(table.seats)))
        case MarkersLaid(markers=markers):
            return replace(view, table=replace(table, markers=markers))
        case CardChosen(seat=seat, play=play):
            waiting = tuple(other for other in view.waiting if other != seat)
            return replace(view, waiting=waiting, choice=play if seat == view.seat else view.choice)
        case CardsRevealed(plays=plays):
            return _revealed(view, plays)
        case CardPlaced() | CowJumped() | MarkerMoved() | RoundEnded():
            return replace(view, table=_moved(table, event))
    return view


def _new_round(view: View, number: int) -> View:
    table = view.table
    seats = table.seats
    table = replace(
        table,
        phase="choose",
        round=number,
        rows=(),
        markers=Markers(),
        queue=(),
        bulls=(0,) * seats,
        taken=(),
        twists=("twist" in table.options.fan,) * seats,
        drafted=((),) * seats if table.options.draft else (),
    )
    everybody = tuple(range(seats))
    return replace(view, table=table, hand=(), pile=(), choice=None, waiting=everybody, hand_sizes=(HAND,) * seats)


def _drafted(view: View, seat: Seat, card: int) -> View:
    table = view.table
    pool = tuple(other for other in table.pool if other != card)
    hand = tuple(sorted((*table.drafted[seat], card)))
    table = replace(table, pool=pool, drafted=at(table.drafted, seat, hand))
    return replace(
        view,
        table=table,
        hand=hand if seat == view.seat else view.hand,
        hand_sizes=at(view.hand_sizes, seat, len(hand)),
    )


def _revealed(view: View, plays: tuple[Play, ...]) -> View:
    table, played = view.table, {play.card for play in plays}
    twisters = {play.seat for play in plays if play.twisted}
    twists = tuple(has and seat not in twisters for seat, has in enumerate(table.twists))
    return replace(
        view,
        table=replace(table, phase="row", queue=plays, twists=twists),
        hand=tuple(card for card in view.hand if card not in played),
        choice=None,
        waiting=(),
        hand_sizes=tuple(size - 1 for size in view.hand_sizes),
    )


def _moved(table: Table, event: Event) -> Table:
    match event:
        case CardPlaced(seat=seat, card=card, row=row, taken=taken):
            cards = (card,) if taken else (*table.rows[row - 1], card)
            table = replace(table, rows=at(table.rows, row - 1, cards), queue=table.queue[1:])
            return _collected(table, seat, taken)
        case CowJumped(seat=seat, row=row, kept=kept, taken=taken):
            table = replace(table, markers=replace(table.markers, cow=row))
            if kept is not None:
                table = replace(table, rows=at(table.rows, row - 1, (kept,)))
            return _collected(table, seat, taken)
        case MarkerMoved(fan="even-odd", row=row, shows=shows):
            marker = ParityMarker(row, "odd" if shows == "odd" else "even")
            return replace(table, markers=replace(table.markers, even_odd=marker))
        case MarkerMoved(row=row, shows=shows):
            arrows = MountainMarker(row, "up" if shows == "up" else "down")
            return replace(table, markers=replace(table.markers, mountain=arrows))
        case RoundEnded(points=points):
            return replace(table, scores=(*table.scores, points))
    return table


def _collected(table: Table, seat: Seat, taken: tuple[int, ...]) -> Table:
    return replace(table, bulls=at(table.bulls, seat, table.bulls[seat] + bulls(taken)), taken=table.taken + taken)
