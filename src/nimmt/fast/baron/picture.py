"""A state of Baron Oxx as bytes that the rules and the kernels can both make: what is equal here is equal.

After what all games of this family have (see `nimmt.fast.pictures`) comes how deep each card lies in its row or draw
pile, both of which may be long, and the bulls taken. With the phase stands for how many turns nobody has placed a card.
"""

from __future__ import annotations

from nimmt.fast import pictures
from nimmt.fast.baron.state import DRAW_SPACE
from nimmt.fast.flat import PHASES
from nimmt.fast.jit import Flat, Numbers, part
from nimmt.fast.pictures import CHOSEN, HAND, OWN, PHASE, PILE, ROWS
from nimmt.rules.game import Cards, Event
from nimmt.rules.games.baron.deck import HIGHEST
from nimmt.rules.games.baron.events import CardPlaced, CardReturned, CardsDrawn, CardsRevealed
from nimmt.rules.games.baron.options import MAX_SEATS
from nimmt.rules.games.baron.state import State
from nimmt.rules.kit.events import CardChosen

_DRAW = 40
"""Another place of cards: a seat's draw pile. Rows have a single place each, as the depth tells the rest."""

_DEPTH = OWN
_BULLS = _DEPTH + HIGHEST + 1
SIZE = _BULLS + MAX_SEATS + 2


@part
def picture(s: Flat, out: Numbers) -> None:
    pictures.show_cards(s, out)
    pictures.show_queue(s, out)
    for seat in range(s.seats):
        for i in range(s.draw_sizes[seat]):
            card = s.draw[seat, (s.draw_first[seat] + i) & (DRAW_SPACE - 1)]
            out[card] = _DRAW + seat
            out[_DEPTH + card] = i
        out[_BULLS + seat] = s.bulls[seat]
    for row in range(len(s.lengths)):
        for i in range(s.lengths[row]):
            out[s.rows[row, i]] = ROWS + row
            out[_DEPTH + s.rows[row, i]] = i
    out[PHASE] += 8 * s.idle


def picture_of(state: State) -> bytearray:
    table = state.table
    out = pictures.new_picture(SIZE, state, state.chosen, PHASES[table.phase] + 8 * table.idle)
    for seat, draw_pile in enumerate(state.draw_piles):
        pictures.put(out, table.piles[seat], PILE + seat)
        _pile_up(out, draw_pile, _DRAW + seat)
        out[_BULLS + seat] = table.bulls[seat] & 255  # in the end all of it is compared
    for row, cards in enumerate(table.rows, ROWS):
        _pile_up(out, cards, row)
    return out


def _pile_up(out: bytearray, cards: Cards, place: int) -> None:
    """On top of, or behind, those that are there already."""
    for depth, card in enumerate(cards, out.count(place, 0, CHOSEN)):
        out[card], out[_DEPTH + card] = place, depth


def follow(out: bytearray, event: Event) -> None:
    match event:
        case CardPlaced(seat=seat, card=card, row=row, taken=taken, bulls=bulls):
            for other in taken:
                out[other], out[_DEPTH + other] = PILE + seat, 0
            out[_BULLS + seat] = (out[_BULLS + seat] + bulls) & 255
            _pile_up(out, (card,), ROWS + row - 1)
            pictures.leave_queue(out, card)
        case CardReturned(seat=seat, card=card):
            _pile_up(out, (card,), _DRAW + seat)
            pictures.leave_queue(out, card)
        case CardsDrawn(drawn=drawn):
            for seat, cards in enumerate(drawn):
                _draw(out, seat, cards or ())
        case CardChosen(seat=seat, card=card) if card is not None:
            out[CHOSEN + seat] = card
        case CardsRevealed(plays=plays):
            pictures.reveal(out, plays)


def _draw(out: bytearray, seat: int, cards: Cards) -> None:
    for card in cards:
        out[card], out[_DEPTH + card] = HAND + seat, 0
    for card in range(1, HIGHEST + 1):
        if out[card] == _DRAW + seat:
            out[_DEPTH + card] -= len(cards)
