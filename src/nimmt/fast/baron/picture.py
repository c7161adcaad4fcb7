"""A state of Baron Oxx as bytes that the rules and the kernels can both make: what is equal here is equal.

The place of every card, how deep it lies in a row or a draw pile, then choices, the queue, bulls taken; last the phase,
for how many turns nobody has placed a card, and how many seats are being waited for, which no event tells.
"""

from __future__ import annotations

from nimmt.fast.baron.state import CHOOSE, DRAW_SPACE, OVER, PLACE, ROW
from nimmt.fast.jit import Flat, Numbers, part
from nimmt.rules.game import Event
from nimmt.rules.games.baron.deck import HIGHEST
from nimmt.rules.games.baron.events import CardPlaced, CardReturned, CardsDrawn, CardsRevealed
from nimmt.rules.games.baron.options import MAX_SEATS, ROWS
from nimmt.rules.games.baron.state import Play, State
from nimmt.rules.kit.events import CardChosen

# Places of cards.
_HAND, _PILE, _DRAW, _QUEUED, _ROWS = 1, 11, 21, 31, 32

# Where things stand in a picture, after the places of the cards 0 … 110 and how deep each lies there.
_DEPTH = HIGHEST + 1
_CHOSEN = _DEPTH + HIGHEST + 1
_QUEUE = _CHOSEN + MAX_SEATS
_BULLS = _QUEUE + 2 * MAX_SEATS
_PHASE = _BULLS + MAX_SEATS
_WAITING = _PHASE + 1
SIZE = _WAITING + 1

_PHASES = {"choose": CHOOSE, "row": ROW, "deal": OVER, "over": OVER}


@part
def picture(s: Flat, out: Numbers) -> None:
    out[:] = 0
    for card in range(1, HIGHEST + 1):
        out[card] = s.owner[card] + _PILE - 1 if s.owner[card] else 0
    for seat in range(s.seats):
        for i in range(s.sizes[seat]):
            out[s.hands[seat, i]] = _HAND + seat
        for i in range(s.draw_sizes[seat]):
            card = s.draw[seat, (s.draw_first[seat] + i) & (DRAW_SPACE - 1)]
            out[card] = _DRAW + seat
            out[_DEPTH + card] = i
        out[_CHOSEN + seat] = s.chosen[seat]
        out[_BULLS + seat] = s.bulls[seat]
    for row in range(ROWS):
        for i in range(s.lengths[row]):
            out[s.rows[row, i]] = _ROWS + row
            out[_DEPTH + s.rows[row, i]] = i
    if s.phase in (PLACE, ROW):
        for i in range(s.placed, s.queued):
            out[s.queue[i] >> 4] = _QUEUED
            out[_QUEUE + 2 * (i - s.placed)] = (s.queue[i] & 15) + 1
            out[_QUEUE + 2 * (i - s.placed) + 1] = s.queue[i] >> 4
    out[_PHASE] = s.phase + 8 * s.idle
    out[_WAITING] = s.waiting if s.phase == CHOOSE else 0


def picture_of(state: State) -> bytearray:
    table = state.table
    out = bytearray(SIZE)
    for seat, hand in enumerate(state.hands):
        for card in hand:
            out[card] = _HAND + seat
        for card in table.piles[seat]:
            out[card] = _PILE + seat
        for i, card in enumerate(state.draw_piles[seat]):
            out[card], out[_DEPTH + card] = _DRAW + seat, i
        out[_CHOSEN + seat] = state.chosen[seat] or 0
        out[_BULLS + seat] = table.bulls[seat] & 255  # in the end all of it is compared
    for row, cards in enumerate(table.rows, _ROWS):
        for i, card in enumerate(cards):
            out[card], out[_DEPTH + card] = row, i
    _show_queue(out, table.queue)
    out[_PHASE] = _PHASES[table.phase] + 8 * table.idle
    out[_WAITING] = len(state.waiting)
    return out


def _show_queue(out: bytearray, queue: tuple[Play, ...]) -> None:
    for i, play in enumerate(queue):
        out[play.card], out[_DEPTH + play.card] = _QUEUED, 0
        out[_QUEUE + 2 * i], out[_QUEUE + 2 * i + 1] = play.seat + 1, play.card


def follow(out: bytearray, event: Event) -> None:
    match event:
        case CardPlaced(seat=seat, card=card, row=row, taken=taken, bulls=bulls):
            for other in taken:
                out[other], out[_DEPTH + other] = _PILE + seat, 0
            out[_BULLS + seat] = (out[_BULLS + seat] + bulls) & 255
            place = _ROWS + row - 1
            out[card], out[_DEPTH + card] = place, out[:_DEPTH].count(place)
            _shift_queue(out)
        case CardReturned(seat=seat, card=card):
            out[_DEPTH + card] = out[:_DEPTH].count(_DRAW + seat)
            out[card] = _DRAW + seat
            _shift_queue(out)
        case CardsDrawn(drawn=drawn):
            for seat, cards in enumerate(drawn):
                _draw(out, seat, cards or ())
        case CardChosen(seat=seat, card=card) if card is not None:
            out[_CHOSEN + seat] = card
        case CardsRevealed(plays=plays):
            out[_CHOSEN:_QUEUE] = bytes(MAX_SEATS)
            _show_queue(out, plays)


def _shift_queue(out: bytearray) -> None:
    out[_QUEUE:_BULLS] = out[_QUEUE + 2 : _BULLS] + b"\0\0"


def _draw(out: bytearray, seat: int, cards: tuple[int, ...]) -> None:
    for card in cards:
        out[card], out[_DEPTH + card] = _HAND + seat, 0
    for card in range(1, _DEPTH):
        if out[card] == _DRAW + seat:
            out[_DEPTH + card] -= len(cards)
