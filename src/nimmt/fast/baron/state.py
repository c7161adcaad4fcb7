"""The flat state of a game of Baron Oxx, and what its numbers mean.

Rows and seats count from 0, cards are their numbers, 0 is no card. The deck is data, so what the cards show is part of
the state: colours as bits, and counts of bulls as one number with five bits for each colour. Such numbers are added
like the cards of a row; a colour with six bulls or more then shows in its highest bit when `SIX_BULLS` is added.

Codes of actions: a card is its number, a row is its number from 1, as in the rules.
"""

from __future__ import annotations

import numpy as np

from nimmt.rules.games.baron.deck import COLOURS, HIGHEST
from nimmt.rules.games.baron.options import HAND, MAX_SEATS, ROWS

COLOUR_COUNTS, BULLS_ARE_GOOD = 1, 2
"""Bits of `variants`."""

COLOUR_BITS = 5
SIX_BULLS = sum((16 - 6) << COLOUR_BITS * colour for colour in range(len(COLOURS)))
CROWDED = sum(16 << COLOUR_BITS * colour for colour in range(len(COLOURS)))

DRAW_SPACE = 32
"""Draw piles go round in a ring of so many places; nobody ever has more than 24 cards."""

STATE = np.dtype(
    [
        ("seats", np.int8),
        ("phase", np.int8),
        ("variants", np.int8),
        ("waiting", np.int8),  # how many seats have not chosen yet
        ("placed", np.int8),  # how many of the queue lie in their rows
        ("queued", np.int8),  # how many the queue had
        ("moved", np.int8),  # whether a card has found a row in this turn
        ("idle", np.int8),  # turns in a row in which none has
        ("track", np.int8),  # whether `owner` is kept up to date: search has no use for it
        ("lengths", np.int8, ROWS),
        ("ends", np.int8, ROWS),
        ("worth", np.int8, ROWS),  # bulls in the row
        ("counts", np.int32, ROWS),  # bulls in the row, by colour
        ("rows", np.int8, (ROWS, 32)),
        ("sizes", np.int8, MAX_SEATS),  # cards in hand
        ("hands", np.int8, (MAX_SEATS, HAND)),  # in any order
        ("chosen", np.int8, MAX_SEATS),  # 0 if nothing yet
        ("draw_first", np.int8, MAX_SEATS),  # where in the ring the top of the draw pile lies
        ("draw_sizes", np.int8, MAX_SEATS),
        ("draw", np.int8, (MAX_SEATS, DRAW_SPACE)),
        ("rows_taken", np.int8, MAX_SEATS),
        ("turns", np.int16),  # turns played
        ("bulls", np.int16, MAX_SEATS),  # bulls taken
        ("points", np.int16, MAX_SEATS),  # when the game is over
        ("queue", np.int16, MAX_SEATS),  # plays in the order of placement, see `parts`
        ("owner", np.int8, HIGHEST + 1),  # by card: the seat in whose pile it lies, plus 1
        ("card_colours", np.int8, HIGHEST + 1),  # by card: bit i for colour i
        ("card_bulls", np.int8, HIGHEST + 1),
        ("card_counts", np.int32, HIGHEST + 1),  # by card: bulls by colour
    ],
    align=True,
)
