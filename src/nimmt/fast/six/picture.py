"""A state of 6 nimmt! as bytes that the rules and the kernels can both make: what is equal here is equal.

The place of every card, then markers, twist cards, bulls, the queue, choices; last the phase and who is being waited
for, which no event tells.
"""

from __future__ import annotations

from nimmt.fast.jit import Flat, Numbers, part
from nimmt.fast.six.state import CHOOSE, DRAFT, NOWHERE, OVER, PLACE, ROW
from nimmt.rules.game import Event
from nimmt.rules.games.six.events import CardChosen, CardDrafted, CardsRevealed, MarkersLaid, RowsStarted
from nimmt.rules.games.six.fans import CowJumped, MarkerMoved
from nimmt.rules.games.six.options import MAX_SEATS
from nimmt.rules.games.six.state import Markers, Play, State
from nimmt.rules.kit.cards import HIGHEST
from nimmt.rules.kit.events import CardPlaced

# Places of cards.
_HAND, _PILE, _QUEUED, _POOL, _ROWS = 1, 11, 21, 22, 32

# Where things stand in a picture, after the places of the cards 0 … 104.
_COW = HIGHEST + 1
_EVEN_ODD, _PARITY, _MOUNTAIN, _ARROWS = _COW + 1, _COW + 2, _COW + 3, _COW + 4
_TWISTS = _COW + 5
_BULLS = _TWISTS + MAX_SEATS
_CHOSEN = _BULLS + MAX_SEATS
_QUEUE = _CHOSEN + MAX_SEATS
_PHASE = _QUEUE + 2 * MAX_SEATS
_WAITING = _PHASE + 1
SIZE = _WAITING + 1

_PHASES = {"draft": DRAFT, "choose": CHOOSE, "row": ROW, "deal": OVER, "over": OVER}


@part
def picture(s: Flat, out: Numbers) -> None:
    out[:] = 0
    for card in range(1, HIGHEST + 1):
        out[card] = s.owner[card] + _PILE - 1 if s.owner[card] else 0
    for seat in range(s.seats):
        for i in range(s.sizes[seat]):
            out[s.hands[seat, i]] = _HAND + seat
        if s.phase != DRAFT:
            out[_TWISTS + seat] = s.twists[seat]
            out[_BULLS + seat] = s.points[seat]
            out[_CHOSEN + seat] = s.chosen[seat]
    out[_COW], out[_EVEN_ODD], out[_PARITY], out[_MOUNTAIN], out[_ARROWS] = NOWHERE, NOWHERE, 0, NOWHERE, 0
    out[_PHASE] = s.phase
    out[_WAITING] = s.waiting if s.phase == CHOOSE else 0
    if s.phase == DRAFT:
        for i in range(s.pooled):
            out[s.pool[i]] = _POOL
        return
    for row in range(4):
        for i in range(s.lengths[row]):
            out[s.rows[row, i]] = _ROWS + 8 * row + i
    out[_COW], out[_EVEN_ODD], out[_MOUNTAIN] = s.cow, s.even_odd, s.mountain
    if s.even_odd != NOWHERE:
        out[_PARITY] = s.parity
    if s.mountain != NOWHERE:
        out[_ARROWS] = s.arrows
    if s.phase in (PLACE, ROW):
        for i in range(s.placed, s.queued):
            play = s.queue[i]
            out[(play >> 4) & 127] = _QUEUED
            out[_QUEUE + 2 * (i - s.placed)] = (play & 15) + 1
            out[_QUEUE + 2 * (i - s.placed) + 1] = (play >> 4) & 127 if play & (1 << 11) else -((play >> 4) & 127)


def picture_of(state: State) -> bytearray:
    table = state.table
    out = bytearray(SIZE)
    for seat, hand in enumerate(state.hands):
        for card in hand:
            out[card] = _HAND + seat
        for card in state.piles[seat]:
            out[card] = _PILE + seat
        out[_TWISTS + seat] = table.phase != "draft" and table.twists[seat]
        out[_BULLS + seat] = table.bulls[seat]
        play = state.chosen[seat]
        if play is not None:
            out[_CHOSEN + seat] = code_of(play) & 255
    for card in table.pool:
        out[card] = _POOL
    for row, cards in enumerate(table.rows):
        for i, card in enumerate(cards, _ROWS + 8 * row):
            out[card] = i
    _show_markers(out, table.markers)
    _show_queue(out, table.queue)
    out[_PHASE] = _PHASES[table.phase]
    out[_WAITING] = len(state.waiting)
    return out


def code_of(play: Play) -> int:
    return -play.card if play.twisted else play.card


def _show_markers(out: bytearray, markers: Markers) -> None:
    out[_COW] = ((markers.cow or 0) - 1) & 255
    marker, mountain = markers.even_odd, markers.mountain
    out[_EVEN_ODD], out[_PARITY] = (marker.row - 1, marker.parity == "odd") if marker else (255, 0)
    out[_MOUNTAIN] = mountain.row - 1 if mountain else 255
    out[_ARROWS] = 0 if mountain is None else 255 if mountain.arrows == "up" else 1


def _show_queue(out: bytearray, queue: tuple[Play, ...]) -> None:
    for i, play in enumerate(queue):
        out[play.card] = _QUEUED
        out[_QUEUE + 2 * i] = play.seat + 1
        out[_QUEUE + 2 * i + 1] = code_of(play) & 255


def follow(out: bytearray, event: Event) -> None:
    match event:
        case CardPlaced(seat=seat, card=card, row=row, taken=taken, bulls=bulls):
            if taken:
                _take(out, seat, taken, bulls)
            out[card] = _next_place(out, row - 1)
            out[_QUEUE:_PHASE] = out[_QUEUE + 2 : _PHASE] + b"\0\0"
        case CardChosen(seat=seat, play=play) if play is not None:
            out[_CHOSEN + seat] = code_of(play) & 255
        case CardsRevealed(plays=plays):
            for play in plays:
                out[_CHOSEN + play.seat] = 0
                if play.twisted:
                    out[_TWISTS + play.seat] = 0
            _show_queue(out, plays)
        case CowJumped(seat=seat, row=row, kept=kept, taken=taken, bulls=bulls):
            out[_COW] = row - 1
            if kept is not None:
                _take(out, seat, taken, bulls)
                out[kept] = _ROWS + 8 * (row - 1)
        case MarkerMoved(fan="even-odd", row=row, shows=shows):
            out[_EVEN_ODD], out[_PARITY] = row - 1, shows == "odd"
        case MarkerMoved(row=row, shows=shows):
            out[_MOUNTAIN], out[_ARROWS] = row - 1, 255 if shows == "up" else 1
        case CardDrafted(seat=seat, card=card):
            out[card] = _HAND + seat
        case RowsStarted(cards=cards):
            for row, card in enumerate(cards):
                out[card] = _ROWS + 8 * row
        case MarkersLaid(markers=markers):
            _show_markers(out, markers)


def _take(out: bytearray, seat: int, taken: tuple[int, ...], bulls: int) -> None:
    for card in taken:
        out[card] = _PILE + seat
    out[_BULLS + seat] += bulls


def _next_place(out: bytearray, row: int) -> int:
    """The first place of a row where no card lies."""
    place = _ROWS + 8 * row
    while out.find(place, 0, _COW) >= 0:
        place += 1
    return place
