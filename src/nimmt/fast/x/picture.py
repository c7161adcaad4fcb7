"""A state of X nimmt! as bytes that the rules and the kernels can both make: what is equal here is equal.

After what all games of this family have (see `nimmt.fast.pictures`) comes who may keep one of the cards taken.
"""

from __future__ import annotations

from nimmt.fast import pictures
from nimmt.fast.jit import Flat, Numbers, part
from nimmt.fast.pictures import CHOSEN, HAND, OWN, PILE
from nimmt.fast.x.state import MOST_CARDS, PHASES
from nimmt.rules.game import Event
from nimmt.rules.games.x.events import CardKept, CardsRevealed
from nimmt.rules.games.x.state import State
from nimmt.rules.kit.events import CardChosen, CardPlaced

# More places of cards.
_TAKEN, _X_ROWS = 22, 64

_TAKER = OWN
SIZE = _TAKER + 1 + 2


@part
def picture(s: Flat, out: Numbers) -> None:
    pictures.show_cards(s, out)
    pictures.show_rows(s, out)
    pictures.show_queue(s, out)
    for seat in range(s.seats):
        for i in range(s.x_lengths[seat]):
            out[s.x_rows[seat, i]] = _X_ROWS + MOST_CARDS * seat + i
    for i in range(s.takes):
        out[s.taken[i]] = _TAKEN + i
        out[_TAKER] = s.taker + 1


def picture_of(state: State) -> bytearray:
    table = state.table
    out = pictures.new_picture(SIZE, state, state.chosen, PHASES[table.phase])
    for seat in range(table.seats):
        pictures.put(out, table.x_piles[seat], PILE + seat)
        pictures.lay(out, table.x_rows[seat], _X_ROWS + MOST_CARDS * seat)
    pictures.lay_rows(out, table.rows)
    if table.taken:
        pictures.lay(out, table.taken.cards, _TAKEN)
        out[_TAKER] = table.taken.seat + 1
    return out


def follow(out: bytearray, event: Event) -> None:
    match event:
        case CardPlaced(seat=seat, card=card, row=row, taken=taken):
            if taken:
                pictures.lay(out, taken, _TAKEN)
                out[_TAKER] = seat + 1
            pictures.add_to_row(out, row - 1, card)
            pictures.leave_queue(out, card)
        case CardKept(seat=seat, x_row=x_row, discarded=discarded, to_hand=to_hand):
            pictures.put(out, discarded, PILE + seat)
            pictures.put(out, to_hand, HAND + seat)
            pictures.lay(out, x_row, _X_ROWS + MOST_CARDS * seat)
            out[_TAKER] = 0
        case CardChosen(seat=seat, card=card) if card is not None:
            out[CHOSEN + seat] = card
        case CardsRevealed(plays=plays):
            pictures.reveal(out, plays)
