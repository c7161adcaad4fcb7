"""A state of 6 nimmt! as bytes that the rules and the kernels can both make: what is equal here is equal.

What a game of this family has of its own, here markers, twist cards and bulls, comes after what all of them have (see
`nimmt.fast.pictures`).
"""

from __future__ import annotations

from nimmt.fast import pictures
from nimmt.fast.jit import Flat, Numbers, part
from nimmt.fast.parts import NOWHERE, card_of
from nimmt.fast.pictures import CHOSEN, IN_HAND, IN_ROWS, OWN, PILE
from nimmt.games.six.fans import CowJumped, MarkerMoved
from nimmt.games.six.kernels import DRAFT, PHASES, UNTWISTED
from nimmt.games.six.types import (
    MAX_SEATS,
    CardChosen,
    CardDrafted,
    CardsRevealed,
    Markers,
    MarkersLaid,
    Play,
    RowsStarted,
    State,
)
from nimmt.rules.game import Cards, Event
from nimmt.rules.kit.events import CardPlaced

# More places of cards: in the pool of a draft, and twisted in the queue.
_POOL, _TWISTED = 22, 23

_COW = OWN
_EVEN_ODD, _PARITY, _MOUNTAIN, _ARROWS = _COW + 1, _COW + 2, _COW + 3, _COW + 4
_TWISTS = _COW + 5
_BULLS = _TWISTS + MAX_SEATS
SIZE = _BULLS + MAX_SEATS + 2


@part
def picture(s: Flat, out: Numbers) -> None:
    pictures.show_cards(s, out)
    out[_COW], out[_EVEN_ODD], out[_MOUNTAIN] = NOWHERE, NOWHERE, NOWHERE
    if s.phase == DRAFT:
        for i in range(s.pooled):
            out[s.pool[i]] = _POOL
        return
    pictures.show_rows(s, out)
    pictures.show_queue(s, out)
    for i in range(s.placed, s.queued):
        if not s.queue[i] & UNTWISTED:
            out[card_of(s.queue[i])] = _TWISTED
    for seat in range(s.seats):
        out[_TWISTS + seat] = s.twists[seat]
        out[_BULLS + seat] = s.points[seat]
    out[_COW], out[_EVEN_ODD], out[_MOUNTAIN] = s.cow, s.even_odd, s.mountain
    if s.even_odd != NOWHERE:
        out[_PARITY] = s.parity
    if s.mountain != NOWHERE:
        out[_ARROWS] = s.arrows


def picture_of(state: State) -> bytearray:
    table = state.table
    out = pictures.new_picture(SIZE, state, map(code_of, state.chosen), PHASES[table.phase])
    for seat, pile in enumerate(state.piles):
        pictures.put(out, pile, PILE + seat)
        out[_TWISTS + seat] = table.phase != "draft" and table.twists[seat]
        out[_BULLS + seat] = table.bulls[seat]
    pictures.put(out, table.pool, _POOL)
    pictures.lay_rows(out, table.rows)
    _show_markers(out, table.markers)
    _show_twisted(out, table.queue)
    return out


def code_of(play: Play | None) -> int:
    """0 if there is none yet."""
    return 0 if play is None else -play.card if play.twisted else play.card


def _show_markers(out: bytearray, markers: Markers) -> None:
    out[_COW] = ((markers.cow or 0) - 1) & 255
    marker, mountain = markers.even_odd, markers.mountain
    out[_EVEN_ODD], out[_PARITY] = (marker.row - 1, marker.parity == "odd") if marker else (255, 0)
    out[_MOUNTAIN] = mountain.row - 1 if mountain else 255
    out[_ARROWS] = 0 if mountain is None else 255 if mountain.arrows == "up" else 1


def _show_twisted(out: bytearray, plays: tuple[Play, ...]) -> None:
    pictures.put(out, tuple(play.card for play in plays if play.twisted), _TWISTED)


def follow(out: bytearray, event: Event) -> None:
    match event:
        case CardPlaced(seat=seat, card=card, row=row, taken=taken, bulls=bulls):
            if taken:
                _take(out, seat, taken, bulls)
            pictures.add_to_row(out, row - 1, card)
            pictures.leave_queue(out, card)
        case CardChosen(seat=seat, play=play) if play is not None:
            out[CHOSEN + seat] = code_of(play) & 255
        case CardsRevealed(plays=plays):
            pictures.reveal(out, plays)
            _show_twisted(out, plays)
            for play in plays:
                out[_TWISTS + play.seat] &= not play.twisted
        case CowJumped(seat=seat, row=row, kept=kept, taken=taken, bulls=bulls):
            out[_COW] = row - 1
            if kept is not None:
                _take(out, seat, taken, bulls)
                out[kept] = IN_ROWS + 8 * (row - 1)
        case MarkerMoved(fan="even-odd", row=row, shows=shows):
            out[_EVEN_ODD], out[_PARITY] = row - 1, shows == "odd"
        case MarkerMoved(row=row, shows=shows):
            out[_MOUNTAIN], out[_ARROWS] = row - 1, 255 if shows == "up" else 1
        case CardDrafted(seat=seat, card=card):
            out[card] = IN_HAND + seat
        case RowsStarted(cards=cards):
            pictures.lay_rows(out, [(card,) for card in cards])
        case MarkersLaid(markers=markers):
            _show_markers(out, markers)


def _take(out: bytearray, seat: int, taken: Cards, bulls: int) -> None:
    pictures.put(out, taken, PILE + seat)
    out[_BULLS + seat] += bulls
