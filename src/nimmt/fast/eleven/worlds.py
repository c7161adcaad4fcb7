"""What may be true in 11 nimmt! for all that a seat knows: hidden cards dealt to draw pile, hands and piles.

Cards that have never lain open go to the draw pile and to hands; those that have go to hands and below the tops. It
does the same as `nimmt.rules.games.eleven.imagining`, for many orders of the cards.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nimmt.fast.eleven.steps import distance
from nimmt.fast.jit import Flat, Flats, Numbers, jit, part, wide
from nimmt.rules.games.eleven.options import HIGHEST
from nimmt.rules.games.eleven.state import View, laid_on


class Layout(NamedTuple):
    """How many hidden cards of which kind go where."""

    fresh: int
    """So many of the cards have never lain open; they come first."""
    draw: int
    """So many of those are the draw pile."""
    hands: NDArray[np.int64]
    """By seat: hidden cards in its hand that have never lain open, and that have."""
    bottoms: NDArray[np.int64]
    """By pile: the lowest card that is known to lie there, and how many are."""

    @classmethod
    def of(cls, view: View, fresh: int) -> Layout:
        table = view.table
        hands = np.zeros((table.seats, 2), dtype=np.int64)
        for seat, (size, old) in enumerate(zip(table.hand_sizes, table.seen_in_hand, strict=True)):
            if seat != view.seat:
                hands[seat] = size - old, old - len(table.known[seat])
        bottoms = np.zeros((len(table.tops), 2), dtype=np.int64)
        for pile, top in enumerate(table.tops):
            laid = laid_on(table, pile + 1)
            bottoms[pile] = (laid.on, 1 + len(laid.cards)) if laid else (top, 1)
        return cls(fresh, table.draw_left, hands, bottoms)


@jit
def fill_worlds(worlds: Flats, cards: Numbers, fresh: int, draw: int, hands: Numbers, bottoms: Numbers) -> None:
    for w in range(len(worlds)):
        s, order = worlds[w], cards[w]
        for card in order:
            s.holder[card] = 0
        for i in range(draw):
            s.draw[i] = order[i]
        new, old = draw, fresh
        for seat in range(len(hands)):
            for i in range(new, new + hands[seat, 0]):
                s.holder[order[i]] = seat + 1
            for i in range(old, old + hands[seat, 1]):
                s.holder[order[i]] = seat + 1
            new += hands[seat, 0]
            old += hands[seat, 1]
        fill_piles(s, order[old:], bottoms)


@part
def fill_piles(s: Flat, cards: Numbers, bottoms: Numbers) -> None:
    """Every card that is left lies below the top that it is closest to: piles grow upwards in small steps."""
    nearest = np.full(HIGHEST + 1, -1)
    for card in cards:
        least = HIGHEST
        for pile in range(len(bottoms)):
            steps = distance(wide(card), bottoms[pile, 0])
            if steps < least:
                nearest[card], least = pile, steps
    for pile in range(len(bottoms)):
        lowest, s.heights[pile] = bottoms[pile, 0], bottoms[pile, 1]
        for steps in range(1, HIGHEST):
            card = bottoms[pile, 0] - steps
            card = card if card > 0 else card + HIGHEST
            if nearest[card] == pile:
                s.below[lowest] = card
                lowest = card
                s.heights[pile] += 1
        s.below[lowest] = 0
