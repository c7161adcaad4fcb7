"""A state of Beat the Buffalo as bytes that the rules and the kernels can both make: what is equal here is equal.

The place of every card and of every special card, then choices, the queue, bulls, and what Swap! has brought back; last
the phase with the turn, and how many seats are being waited for or which rows were stopped in this window, which no
event tells.
"""

from __future__ import annotations

from nimmt.fast.buffalo.state import BUFFALO, CHOOSE, OVER, ROW, SWAP_CARD, TEAM, WINDOW
from nimmt.fast.jit import Flat, Numbers, part
from nimmt.rules.game import Cards, Event
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
    SpecialUsed,
)
from nimmt.rules.games.buffalo.options import MAX_SEATS, ROWS
from nimmt.rules.games.buffalo.state import SPECIALS, Play, State, kind
from nimmt.rules.kit.cards import BULLS, HIGHEST
from nimmt.rules.kit.events import CardChosen

# Places of cards.
_HAND, _PILE, _QUEUED, _ROWS, _STOCK = 1, 10, 21, 32, 70
# Places of special cards; none is put away.
_DECK, _FACE_UP, _BESIDE, _USED = 1, 20, 30, 40

# Where things stand in a picture, after the places of the cards 0 … 104.
_SPECIALS = HIGHEST + 1
_CHOSEN = _SPECIALS + len(SPECIALS) + 1
_QUEUE = _CHOSEN + MAX_SEATS
_BULLS = _QUEUE + 2 * (MAX_SEATS + 1)
_SWAPPER, _SWAPPED = _BULLS + 2, _BULLS + 3
_PHASE = _BULLS + 4
_WAITING = _PHASE + 1
SIZE = _WAITING + 1

_PHASES = {"choose": CHOOSE, "window": WINDOW, "swap": SWAP_CARD, "row": ROW, "over": OVER}


@part
def picture(s: Flat, out: Numbers) -> None:
    out[:] = 0
    for card in range(1, HIGHEST + 1):
        out[card] = _PILE + s.owner[card] if s.owner[card] else 0
    for seat in range(s.seats):
        for i in range(s.sizes[seat]):
            out[s.hands[seat, i]] = _HAND + seat
        out[_CHOSEN + seat] = s.chosen[seat]
    for i in range(s.buffalo_next, s.buffalo_stock):
        out[s.buffalo[i]] = _STOCK + i - s.buffalo_next
    for special in range(1, len(SPECIALS) + 1):
        out[_SPECIALS + special] = _USED if s.used[special] else 0
    for row in range(ROWS):
        for i in range(s.lengths[row]):
            out[s.rows[row, i]] = _ROWS + 8 * row + i
        if s.take7[row]:
            out[_SPECIALS + s.take7[row]] = _BESIDE + row
        if s.stop[row]:
            out[_SPECIALS + s.stop[row]] = _BESIDE + row
    for i in range(s.face_ups):
        out[_SPECIALS + s.face_up[i]] = _FACE_UP + i
    for i in range(s.special_next, s.special_stock):
        out[_SPECIALS + s.specials[i]] = _DECK + i - s.special_next
    for i in range(s.queued):
        out[s.queue[i]] = _QUEUED
        out[_QUEUE + 2 * i] = s.owners[i] + 2
        out[_QUEUE + 2 * i + 1] = s.queue[i]
    out[_BULLS] = s.bulls[0]
    out[_BULLS + 1] = s.bulls[1]
    if s.phase == SWAP_CARD:
        out[_SWAPPER] = s.swapper + 1
        out[_SWAPPED] = s.swapped
    out[_PHASE] = s.phase + 8 * s.turn
    if s.phase == CHOOSE:
        out[_WAITING] = s.waiting
    elif s.phase == WINDOW:
        for row in range(ROWS):
            out[_WAITING] += s.stopped_now[row] << row


def picture_of(state: State) -> bytearray:
    table = state.table
    out = bytearray(SIZE)
    for seat, hand in enumerate(state.hands):
        for card in hand:
            out[card] = _HAND + seat
        out[_CHOSEN + seat] = state.chosen[seat] or 0
    for card in table.pile:
        out[card] = _PILE + TEAM
    for card in state.buffalo_pile:
        out[card] = _PILE + BUFFALO
    for i, card in enumerate(state.buffalo, _STOCK):
        out[card] = i
    for row, cards in enumerate(table.rows):
        _show_row(out, row, cards)
        for special in table.beside[row]:
            out[_SPECIALS + special] = _BESIDE + row
    for special in table.used:
        out[_SPECIALS + special] = _USED
    for i, special in enumerate(table.face_up, _FACE_UP):
        out[_SPECIALS + special] = i
    for i, special in enumerate(state.specials, _DECK):
        out[_SPECIALS + special] = i
    _show_queue(out, table.queue)
    out[_BULLS], out[_BULLS + 1] = table.bulls, table.buffalo_bulls
    if table.phase == "swap":
        out[_SWAPPER], out[_SWAPPED] = table.known[-1].seat + 1, table.known[-1].card
    out[_PHASE] = _PHASES[table.phase] + 8 * table.turn
    out[_WAITING] = len(state.waiting)
    if table.window is not None:
        out[_WAITING] = sum(1 << row - 1 for row in table.window.stopped)
    return out


def _show_row(out: bytearray, row: int, cards: Cards) -> None:
    for i, card in enumerate(cards, _ROWS + 8 * row):
        out[card] = i


def _show_queue(out: bytearray, queue: tuple[Play, ...]) -> None:
    for i, play in enumerate(queue):
        out[play.card] = _QUEUED
        out[_QUEUE + 2 * i], out[_QUEUE + 2 * i + 1] = play.seat + 2, play.card


def follow(out: bytearray, event: Event) -> None:
    match event:
        case CardPlaced(seat=seat, card=card, row=row, taken=taken):
            _take(out, taken, BUFFALO if seat < 0 else TEAM)
            _show_row(out, row - 1, (*_row(out, row - 1), card))
            _leave_queue(out, card)
        case CardInserted(card=card, row=row, taken=taken, kept=kept):
            _squeeze(out, card, row - 1, taken, kept)
            _leave_queue(out, card)
        case CardPushed(card=card, from_row=source, row=row, taken=taken, kept=kept):
            out[card] = 0
            _show_row(out, source - 1, _row(out, source - 1))
            _squeeze(out, card, row - 1, taken, kept)
        case OrderChanged(plays=plays):
            _show_queue(out, plays)
        case CardTakenBack(seat=seat, card=card):
            out[card] = _HAND + seat
            _leave_queue(out, card)
            out[_SWAPPER], out[_SWAPPED] = seat + 1, card
        case CardSwapped(seat=seat, card=card):
            out[card] = _QUEUED
            out[_QUEUE:_BULLS] = bytes((seat + 2, card)) + out[_QUEUE : _BULLS - 2]
            out[_SWAPPER], out[_SWAPPED] = 0, 0
        case SpecialUsed(use=use) if not isinstance(use, Lift):
            _spend(out, use)
        case SpecialRemoved(kind=what, row=row):
            for special in SPECIALS:
                if out[_SPECIALS + special] == _BESIDE + row - 1 and kind(special) == what:
                    out[_SPECIALS + special] = _USED
        case CardChosen(seat=seat, card=card) if card is not None:
            out[_CHOSEN + seat] = card
        case CardsRevealed(plays=plays):
            out[_CHOSEN:_QUEUE] = bytes(MAX_SEATS)
            _show_queue(out, plays)
            for card in range(1, HIGHEST + 1):
                out[card] -= out[card] > _STOCK  # the buffalo's cards move up


def _row(out: bytearray, row: int) -> Cards:
    """The cards of a row in their order."""
    first = _ROWS + 8 * row
    found = [(place, card) for card, place in enumerate(out[:_SPECIALS]) if first <= place < first + 8]
    return tuple(card for _, card in sorted(found))


def _take(out: bytearray, taken: Cards, by: int) -> None:
    for card in taken:
        out[card] = _PILE + by
        out[_BULLS + by - 1] += BULLS[card]


def _squeeze(out: bytearray, card: int, row: int, taken: Cards, kept: int | None) -> None:
    if kept is None:
        _show_row(out, row, tuple(sorted((*_row(out, row), card))))
    else:
        _take(out, taken, TEAM)
        _show_row(out, row, (kept,))


def _leave_queue(out: bytearray, card: int) -> None:
    place = next(i for i in range(_QUEUE, _BULLS, 2) if out[i + 1] == card)
    out[place:_BULLS] = out[place + 2 : _BULLS] + b"\0\0"


def _spend(out: bytearray, use: AnyUse) -> None:
    """The first special card of this kind that lies face up is used; the next of the deck takes its place."""
    face_up = sorted(
        (place, special) for special, place in enumerate(out[_SPECIALS:_CHOSEN]) if _FACE_UP <= place < _BESIDE
    )
    place, special = next(pair for pair in face_up if kind(pair[1]) == type(use).__name__)
    out[_SPECIALS + special] = _BESIDE + use.row - 1 if isinstance(use, Take7 | Stop) else _USED
    is_deck = _DECK in out[_SPECIALS + 1 : _CHOSEN]
    for other in SPECIALS:
        here = out[_SPECIALS + other]
        if here == _DECK:
            out[_SPECIALS + other] = place
        elif _DECK < here < _FACE_UP or (not is_deck and place < here < _BESIDE):
            out[_SPECIALS + other] -= 1
