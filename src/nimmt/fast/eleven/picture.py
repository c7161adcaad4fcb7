"""A state of 11 nimmt! as bytes that the rules and the kernels can both make: what is equal here is equal.

The place of every card: whose hand, or which pile; for a card in a pile also the one below it, for one in the draw pile
also how deep it lies. Then bull cards, and on what cards were laid in this turn; last the phase and whose turn it is.
"""

from __future__ import annotations

from nimmt.fast.eleven.state import GIVER, MOST_PILES, OVER, TURN
from nimmt.fast.jit import Flat, Numbers, part
from nimmt.rules.game import Event
from nimmt.rules.games.eleven.options import HIGHEST, MAX_SEATS
from nimmt.rules.games.eleven.state import State

# Places of cards.
_HAND, _DRAW, _PILES = 1, 9, 16

# Where things stand in a picture, after the places of the cards 0 … 100 and what lies below or before each.
_UNDER = HIGHEST + 1
_BULL_CARDS = _UNDER + HIGHEST + 1
_SUPPLY = _BULL_CARDS + MAX_SEATS
_LAID_ON = _SUPPLY + 1
_PHASE = _LAID_ON + MOST_PILES
_TURN = _PHASE + 1
SIZE = _TURN + 1

_PHASES = {"turn": TURN, "giver": GIVER, "deal": OVER, "over": OVER}


@part
def picture(s: Flat, out: Numbers) -> None:
    out[:] = 0
    for card in range(1, HIGHEST + 1):
        if s.holder[card]:
            out[card] = _HAND + s.holder[card] - 1
    for i in range(s.drawn, s.stock):
        out[s.draw[i]] = _DRAW
        out[_UNDER + s.draw[i]] = i - s.drawn
    for pile in range(s.piles):
        card = s.tops[pile]
        for _ in range(s.heights[pile]):
            out[card] = _PILES + pile
            out[_UNDER + card] = s.below[card]
            card = s.below[card]
        out[_LAID_ON + pile] = s.laid_on[pile]
    for seat in range(s.seats):
        out[_BULL_CARDS + seat] = s.bull_cards[seat]
    out[_SUPPLY] = s.supply
    out[_PHASE] = s.phase
    out[_TURN] = s.turn if s.phase != OVER else 0


def picture_of(state: State) -> bytearray:
    table = state.table
    out = bytearray(SIZE)
    for seat, hand in enumerate(state.hands):
        for card in hand:
            out[card] = _HAND + seat
        out[_BULL_CARDS + seat] = table.bull_cards[seat]
    for i, card in enumerate(state.draw):
        out[card] = _DRAW
        out[_UNDER + card] = i
    for pile, cards in enumerate(state.piles):
        under = 0
        for card in cards:
            out[card] = _PILES + pile
            out[_UNDER + card] = under
            under = card
    for laid in table.laid:
        out[_LAID_ON + laid.pile - 1] = laid.on
    out[_SUPPLY] = table.supply
    out[_PHASE] = _PHASES[table.phase]
    out[_TURN] = table.turn if _PHASES[table.phase] != OVER else 0
    return out


def follow(out: bytearray, event: Event) -> None:
    """A decision and what follows of it are one step, so that no picture has to be told by events."""
