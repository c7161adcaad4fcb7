"""A state of X nimmt! as bytes that the rules and the kernels can both make: what is equal here is equal.

The place of every card, then who may keep one of the cards taken, choices and the queue; last the phase and how many
are being waited for, which no event tells.
"""

from __future__ import annotations

from nimmt.fast.jit import Flat, Numbers, part
from nimmt.fast.x.state import CHOOSE, KEEP, MOST_CARDS, OVER, PLACE, ROW
from nimmt.rules.game import Event
from nimmt.rules.games.x.events import CardKept, CardsRevealed
from nimmt.rules.games.x.options import HIGHEST, MAX_SEATS, ROWS
from nimmt.rules.games.x.state import Play, State
from nimmt.rules.kit.events import CardChosen, CardPlaced

# Places of cards.
_HAND, _PILE, _QUEUED, _TAKEN, _ROWS, _X_ROWS = 1, 11, 21, 22, 32, 64

# Where things stand in a picture, after the places of the cards 0 … 100.
_TAKER = HIGHEST + 1
_CHOSEN = _TAKER + 1
_QUEUE = _CHOSEN + MAX_SEATS
_PHASE = _QUEUE + 2 * MAX_SEATS
_WAITING = _PHASE + 1
SIZE = _WAITING + 1

_PHASES = {"choose": CHOOSE, "row": ROW, "keep": KEEP, "deal": OVER, "over": OVER}


@part
def picture(s: Flat, out: Numbers) -> None:
    out[:] = 0
    for card in range(1, HIGHEST + 1):
        out[card] = s.owner[card] + _PILE - 1 if s.owner[card] else 0
    for seat in range(s.seats):
        for i in range(s.sizes[seat]):
            out[s.hands[seat, i]] = _HAND + seat
        for i in range(s.x_lengths[seat]):
            out[s.x_rows[seat, i]] = _X_ROWS + MOST_CARDS * seat + i
        out[_CHOSEN + seat] = s.chosen[seat]
    for row in range(ROWS):
        for i in range(s.lengths[row]):
            out[s.rows[row, i]] = _ROWS + 8 * row + i
    for i in range(s.takes):
        out[s.taken[i]] = _TAKEN + i
        out[_TAKER] = s.taker + 1
    if s.phase in (PLACE, ROW, KEEP):
        for i in range(s.placed, s.queued):
            out[s.queue[i] >> 3] = _QUEUED
            out[_QUEUE + 2 * (i - s.placed)] = (s.queue[i] & 7) + 1
            out[_QUEUE + 2 * (i - s.placed) + 1] = s.queue[i] >> 3
    out[_PHASE] = s.phase
    out[_WAITING] = s.waiting if s.phase == CHOOSE else 0


def picture_of(state: State) -> bytearray:
    table = state.table
    out = bytearray(SIZE)
    for seat, hand in enumerate(state.hands):
        for card in hand:
            out[card] = _HAND + seat
        for card in table.x_piles[seat]:
            out[card] = _PILE + seat
        for i, card in enumerate(table.x_rows[seat], _X_ROWS + MOST_CARDS * seat):
            out[card] = i
        out[_CHOSEN + seat] = state.chosen[seat] or 0
    for row, cards in enumerate(table.rows):
        for i, card in enumerate(cards, _ROWS + 8 * row):
            out[card] = i
    if table.taken:
        for i, card in enumerate(table.taken.cards, _TAKEN):
            out[card] = i
        out[_TAKER] = table.taken.seat + 1
    _show_queue(out, table.queue)
    out[_PHASE] = _PHASES[table.phase]
    out[_WAITING] = len(state.waiting)
    return out


def _show_queue(out: bytearray, queue: tuple[Play, ...]) -> None:
    for i, play in enumerate(queue):
        out[play.card] = _QUEUED
        out[_QUEUE + 2 * i] = play.seat + 1
        out[_QUEUE + 2 * i + 1] = play.card


def follow(out: bytearray, event: Event) -> None:
    match event:
        case CardPlaced(seat=seat, card=card, row=row, taken=taken):
            for i, other in enumerate(taken, _TAKEN):
                out[other] = i
                out[_TAKER] = seat + 1
            out[card] = _next_place(out, row - 1)
            out[_QUEUE:_PHASE] = out[_QUEUE + 2 : _PHASE] + b"\0\0"
        case CardKept(seat=seat, x_row=x_row, discarded=discarded, to_hand=to_hand):
            for card in discarded:
                out[card] = _PILE + seat
            for card in to_hand:
                out[card] = _HAND + seat
            for i, card in enumerate(x_row, _X_ROWS + MOST_CARDS * seat):
                out[card] = i
            out[_TAKER] = 0
        case CardChosen(seat=seat, card=card) if card is not None:
            out[_CHOSEN + seat] = card
        case CardsRevealed(plays=plays):
            out[_CHOSEN:_QUEUE] = bytes(MAX_SEATS)
            _show_queue(out, plays)


def _next_place(out: bytearray, row: int) -> int:
    """The first place of a row where no card lies."""
    place = _ROWS + 8 * row
    while out.find(place, 0, _TAKER) >= 0:
        place += 1
    return place
