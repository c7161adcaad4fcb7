"""The flat state of a round of 6 nimmt!, and what its numbers mean.

Rows and seats count from 0, cards are their numbers, -1 is "nowhere". Nearly all is int8 (the highest card is 104), so
that a state is half a kilobyte and copying it costs next to nothing; signed, as Numba mixes signed and unsigned to
floats.

Codes of actions: a card to draft or to play is its number, negated if it is played with the twist card; a row is its
number from 1, as in the rules.
"""

from __future__ import annotations

import numpy as np

from nimmt.fast import flat
from nimmt.rules.games.six.options import HAND, MAX_SEATS, ROWS
from nimmt.rules.games.six.state import twisted
from nimmt.rules.kit.cards import HIGHEST

DRAFT = 4
"""A phase besides those of `flat`."""
PHASES = flat.PHASES | {"draft": DRAFT}

COW, EVEN_ODD, MOUNTAIN, TWIST = 1, 2, 4, 8
"""Bits of `fans`."""

TWISTED = np.array([twisted(card) for card in range(100)], dtype=np.int8)
UNTWISTED = 1 << 11
"""In a play of the queue: a card that is played without the twist card."""

STATE = np.dtype(
    [
        ("seats", np.int8),
        ("phase", np.int8),
        ("fans", np.int8),
        ("waiting", np.int8),  # how many seats have not chosen yet
        ("drafter", np.int8),  # the seat that drafts next; NOWHERE if cards are dealt
        ("pooled", np.int8),  # cards in the pool
        ("placed", np.int8),  # how many of the queue lie in their rows
        ("queued", np.int8),  # how many the queue had
        ("turns", np.int8),  # turns played
        ("cow", np.int8),  # its row
        ("even_odd", np.int8),  # the row of this marker
        ("parity", np.int8),  # what it shows: 0 even, 1 odd
        ("mountain", np.int8),  # the row of that marker
        ("arrows", np.int8),  # where its arrows point: -1 up, 1 down
        ("track", np.int8),  # whether `owner` is kept up to date: search has no use for it
        ("lengths", np.int8, ROWS),
        ("ends", np.int8, ROWS),
        ("worth", np.int8, ROWS),  # bulls in the row
        ("rows", np.int8, (ROWS, 8)),  # five places are used; eight make an index a shift
        ("sizes", np.int8, MAX_SEATS),  # cards in hand
        ("hands", np.int8, (MAX_SEATS, HAND)),  # in any order
        ("chosen", np.int8, MAX_SEATS),  # the code of the play; 0 if there is none yet
        ("twists", np.int8, MAX_SEATS),  # 1 while the seat holds its twist card
        ("rows_taken", np.int8, MAX_SEATS),
        ("points", np.int16, MAX_SEATS),  # bulls taken in this round
        ("queue", np.int32, MAX_SEATS),  # plays in the order of placement, see `packed` in `steps`
        ("pool", np.int8, HIGHEST),  # draft: cards nobody has taken yet, in any order
        ("owner", np.int8, HIGHEST + 1),  # by card: the seat in whose pile it lies, plus 1
    ],
    align=True,
)
