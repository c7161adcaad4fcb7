"""Pictures (see `nimmt.fast.proof`) of games with rows: what is the same in all of them, made by the kernels and from
the rules.

First comes the place of every card, then choices and the queue, then what a game has of its own; last the phase and how
many seats are being waited for, which no event tells.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from nimmt.fast.jit import Flat, Numbers, part
from nimmt.fast.parts import CHOOSE, card_of, seat_of
from nimmt.rules.game import Cards

# Places of cards: a seat's hand or pile, the queue, eight places for each row. A game may have others besides.
IN_HAND, PILE, QUEUED, IN_ROWS = 1, 11, 21, 32

_CARDS, _SEATS = 112, 10  # as many as any game has, or more
CHOSEN = _CARDS
QUEUE = CHOSEN + _SEATS
OWN = QUEUE + 2 * (_SEATS + 1)
PHASE, WAITING = -2, -1

# -- by the kernels -------------------------------------------------------------------------------------------


@part
def show_cards(s: Flat, out: Numbers) -> None:
    """Piles, hands and choices, and who is being waited for."""
    out[:] = 0
    for card in range(1, len(s.owner)):
        out[card] = PILE + s.owner[card] - 1 if s.owner[card] else 0
    for seat in range(s.seats):
        for i in range(s.sizes[seat]):
            out[s.hands[seat, i]] = IN_HAND + seat
        out[CHOSEN + seat] = s.chosen[seat]
    out[PHASE] = s.phase
    out[WAITING] = s.waiting if s.phase == CHOOSE else 0


@part
def show_rows(s: Flat, out: Numbers) -> None:
    for row in range(len(s.lengths)):
        for i in range(s.lengths[row]):
            out[s.rows[row, i]] = IN_ROWS + 8 * row + i


@part
def show_queue(s: Flat, out: Numbers) -> None:
    for i in range(s.placed, s.queued):
        card = card_of(s.queue[i])
        out[card] = QUEUED
        out[QUEUE + 2 * (i - s.placed)] = seat_of(s.queue[i]) + 2
        out[QUEUE + 2 * (i - s.placed) + 1] = card


# -- from the rules -------------------------------------------------------------------------------------------


def new_picture(size: int, state: Any, chosen: Iterable[int | None], phase: int) -> bytearray:
    """Hands, choices and the queue, and who is being waited for."""
    out = bytearray(size)
    for seat, hand in enumerate(state.hands):
        put(out, hand, IN_HAND + seat)
    for seat, code in enumerate(chosen, CHOSEN):
        out[seat] = (code or 0) & 255
    queue_up(out, state.table.queue)
    out[PHASE], out[WAITING] = phase, len(state.waiting)
    return out


def put(out: bytearray, cards: Cards, place: int) -> None:
    """Cards that lie together in no order."""
    for card in cards:
        out[card] = place


def lay(out: bytearray, cards: Cards, first: int) -> None:
    """Cards that lie one after the other from this place on."""
    for place, card in enumerate(cards, first):
        out[card] = place


def lay_rows(out: bytearray, rows: Sequence[Cards]) -> None:
    for row, cards in enumerate(rows):
        lay(out, cards, IN_ROWS + 8 * row)


def add_to_row(out: bytearray, row: int, card: int) -> None:
    """The card lies in the first free place of the row."""
    place = IN_ROWS + 8 * row
    while out.find(place, 0, CHOSEN) >= 0:
        place += 1
    out[card] = place


def queue_up(out: bytearray, plays: Sequence[Any]) -> None:
    """Whose they are and which; the buffalo, who may play too, is seat -1."""
    for place, play in zip(range(QUEUE, OWN, 2), plays, strict=False):
        out[play.card] = QUEUED
        out[place], out[place + 1] = play.seat + 2, play.card


def reveal(out: bytearray, plays: Sequence[Any]) -> None:
    out[CHOSEN:QUEUE] = bytes(_SEATS)
    queue_up(out, plays)


def leave_queue(out: bytearray, card: int) -> None:
    place = next(i for i in range(QUEUE, OWN, 2) if out[i + 1] == card)
    out[place:OWN] = out[place + 2 : OWN] + b"\0\0"
