"""A state of Beat the Buffalo as bytes that the rules and the kernels can both make: what is equal here is equal.

After what all games of this family have (see `nimmt.fast.pictures`) comes the place of every special card, bulls, and
what Swap! has brought back. With the phase stands the turn; in a window the rows that were stopped in it stand for the
seats that are being waited for.
"""

from __future__ import annotations

from nimmt.fast import pictures
from nimmt.fast.jit import Flat, Numbers, part
from nimmt.fast.pictures import CHOSEN, IN_HAND, IN_ROWS, OWN, PHASE, PILE, QUEUE, QUEUED, WAITING
from nimmt.games.buffalo import events
from nimmt.games.buffalo.kernel_parts import BUFFALO, PHASES, SWAP_CARD, TEAM, WINDOW
from nimmt.games.buffalo.types import SPECIALS, AnyUse, Lift, State, Stop, Take7, kind
from nimmt.rules.game import Cards, Event
from nimmt.rules.kit.cards import BULLS, HIGHEST
from nimmt.rules.kit.events import CardChosen

_STOCK = 70
"""Another place of cards: the buffalo's."""

# Places of special cards; none is put away.
_DECK, _FACE_UP, _BESIDE, _USED = 1, 20, 30, 40

_SPECIALS = OWN
_BULLS = _SPECIALS + len(SPECIALS) + 1
_SWAPPER, _SWAPPED = _BULLS + 2, _BULLS + 3
SIZE = _BULLS + 4 + 2


@part
def picture(s: Flat, out: Numbers) -> None:
    pictures.show_cards(s, out)
    pictures.show_rows(s, out)
    for i in range(s.buffalo_next, s.buffalo_stock):
        out[s.buffalo[i]] = _STOCK + i - s.buffalo_next
    for special in range(1, len(SPECIALS) + 1):
        out[_SPECIALS + special] = _USED if s.used[special] else 0
    for row in range(len(s.lengths)):
        if s.take7[row]:
            out[_SPECIALS + s.take7[row]] = _BESIDE + row
        if s.stop[row]:
            out[_SPECIALS + s.stop[row]] = _BESIDE + row
        if s.phase == WINDOW:
            out[WAITING] += s.stopped_now[row] << row
    for i in range(s.face_ups):
        out[_SPECIALS + s.face_up[i]] = _FACE_UP + i
    for i in range(s.special_next, s.special_stock):
        out[_SPECIALS + s.specials[i]] = _DECK + i - s.special_next
    for i in range(s.queued):
        out[s.queue[i]] = QUEUED
        out[QUEUE + 2 * i] = s.owners[i] + 2
        out[QUEUE + 2 * i + 1] = s.queue[i]
    out[_BULLS] = s.bulls[0]
    out[_BULLS + 1] = s.bulls[1]
    if s.phase == SWAP_CARD:
        out[_SWAPPER] = s.swapper + 1
        out[_SWAPPED] = s.swapped
    out[PHASE] += 8 * s.turns


def picture_of(state: State) -> bytearray:
    table = state.table
    out = pictures.new_picture(SIZE, state, state.chosen, PHASES[table.phase] + 8 * table.turn)
    pictures.put(out, table.pile, _pile(TEAM))
    pictures.put(out, state.buffalo_pile, _pile(BUFFALO))
    pictures.lay(out, state.buffalo, _STOCK)
    pictures.lay_rows(out, table.rows)
    for row, specials in enumerate(table.beside):
        for special in specials:
            out[_SPECIALS + special] = _BESIDE + row
    for special in table.used:
        out[_SPECIALS + special] = _USED
    for i, special in enumerate(table.face_up, _FACE_UP):
        out[_SPECIALS + special] = i
    for i, special in enumerate(state.specials, _DECK):
        out[_SPECIALS + special] = i
    out[_BULLS], out[_BULLS + 1] = table.bulls, table.buffalo_bulls
    if table.phase == "swap":
        out[_SWAPPER], out[_SWAPPED] = table.known[-1].seat + 1, table.known[-1].card
    if table.window is not None:
        out[WAITING] = sum(1 << row - 1 for row in table.window.stopped)
    return out


def _pile(owner: int) -> int:
    return PILE + owner - 1


def follow(out: bytearray, event: Event) -> None:
    match event:
        case events.CardPlaced(seat=seat, card=card, row=row, taken=taken):
            _take(out, taken, BUFFALO if seat < 0 else TEAM)
            pictures.add_to_row(out, row - 1, card)
            pictures.leave_queue(out, card)
        case events.CardInserted(card=card, row=row, taken=taken, kept=kept):
            _squeeze(out, card, row - 1, taken, kept)
            pictures.leave_queue(out, card)
        case events.CardPushed(card=card, from_row=source, row=row, taken=taken, kept=kept):
            out[card] = 0
            pictures.lay(out, _row(out, source - 1), IN_ROWS + 8 * (source - 1))
            _squeeze(out, card, row - 1, taken, kept)
        case events.OrderChanged(plays=plays):
            pictures.queue_up(out, plays)
        case events.CardTakenBack(seat=seat, card=card):
            out[card] = IN_HAND + seat
            pictures.leave_queue(out, card)
            out[_SWAPPER], out[_SWAPPED] = seat + 1, card
        case events.CardSwapped(seat=seat, card=card):
            out[card] = QUEUED
            out[QUEUE:OWN] = bytes((seat + 2, card)) + out[QUEUE : OWN - 2]
            out[_SWAPPER], out[_SWAPPED] = 0, 0
        case events.SpecialUsed(use=use) if not isinstance(use, Lift):
            _spend(out, use)
        case events.SpecialRemoved(kind=what, row=row):
            for special in SPECIALS:
                if out[_SPECIALS + special] == _BESIDE + row - 1 and kind(special) == what:
                    out[_SPECIALS + special] = _USED
        case CardChosen(seat=seat, card=card) if card is not None:
            out[CHOSEN + seat] = card
        case events.CardsRevealed(plays=plays):
            pictures.reveal(out, plays)
            for card in range(1, HIGHEST + 1):
                out[card] -= out[card] > _STOCK  # the buffalo's cards move up


def _row(out: bytearray, row: int) -> Cards:
    """The cards of a row in their order."""
    first = IN_ROWS + 8 * row
    found = [(place, card) for card, place in enumerate(out[:CHOSEN]) if first <= place < first + 8]
    return tuple(card for _, card in sorted(found))


def _take(out: bytearray, taken: Cards, by: int) -> None:
    for card in taken:
        out[card] = _pile(by)
        out[_BULLS + by - 1] += BULLS[card]


def _squeeze(out: bytearray, card: int, row: int, taken: Cards, kept: int | None) -> None:
    if kept is None:
        pictures.lay(out, tuple(sorted((*_row(out, row), card))), IN_ROWS + 8 * row)
    else:
        _take(out, taken, TEAM)
        out[kept] = IN_ROWS + 8 * row


def _spend(out: bytearray, use: AnyUse) -> None:
    """The first special card of this kind that lies face up is used; the next of the deck takes its place."""
    face_up = sorted(
        (place, special) for special, place in enumerate(out[_SPECIALS:_BULLS]) if _FACE_UP <= place < _BESIDE
    )
    place, special = next(pair for pair in face_up if kind(pair[1]) == type(use).__name__)
    out[_SPECIALS + special] = _BESIDE + use.row - 1 if isinstance(use, Take7 | Stop) else _USED
    is_deck = _DECK in out[_SPECIALS + 1 : _BULLS]
    for other in SPECIALS:
        here = out[_SPECIALS + other]
        if here == _DECK:
            out[_SPECIALS + other] = place
        elif _DECK < here < _FACE_UP or (not is_deck and place < here < _BESIDE):
            out[_SPECIALS + other] -= 1
