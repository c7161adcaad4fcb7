"""The flat state of a round of X nimmt!, and what its numbers mean.

Rows and seats count from 0, cards are their numbers, 0 is no card. Codes of actions: a card to play or to keep is its
number, a row is its number from 1, as in the rules.
"""

from __future__ import annotations

import numpy as np

from nimmt.fast import flat
from nimmt.rules.games.x.options import HAND, HIGHEST, MAX_SEATS, ROWS
from nimmt.rules.games.x.options import TAKING as _TAKING

KEEP = 4
"""A phase besides those of `flat`."""
PHASES = flat.PHASES | {"keep": KEEP}

TAKING = np.array(_TAKING, dtype=np.int8)

MOST_CARDS = HAND * MAX_SEATS + ROWS
"""More than any hand or X row can ever hold."""

STATE = np.dtype(
    [
        ("seats", np.int8),
        ("phase", np.int8),
        ("waiting", np.int8),  # how many seats have not chosen yet
        ("placed", np.int8),  # how many of the queue lie in their rows
        ("queued", np.int8),  # how many the queue had
        ("turns", np.int8),  # turns played
        ("track", np.int8),  # unused: this game always keeps track
        ("taker", np.int8),  # whose decision the taken cards wait for
        ("takes", np.int8),  # how many they are
        ("taken", np.int8, max(_TAKING)),
        ("lengths", np.int8, ROWS),
        ("ends", np.int8, ROWS),
        ("rows", np.int8, (ROWS, 8)),
        ("sizes", np.int8, MAX_SEATS),  # cards in hand
        ("hands", np.int8, (MAX_SEATS, MOST_CARDS)),  # in any order
        ("chosen", np.int8, MAX_SEATS),  # 0 if nothing yet
        ("x_lengths", np.int8, MAX_SEATS),
        ("x_rows", np.int8, (MAX_SEATS, MOST_CARDS)),
        ("rows_taken", np.int8, MAX_SEATS),
        ("x_bulls", np.int16, MAX_SEATS),  # bulls in the X row
        ("pile_bulls", np.int16, MAX_SEATS),  # bulls in the X pile
        ("points", np.int16, MAX_SEATS),  # when the round is over
        ("queue", np.int16, MAX_SEATS),  # plays in the order of placement, see `parts`
        ("owner", np.int8, HIGHEST + 1),  # by card: the seat in whose X pile it lies, plus 1
    ],
    align=True,
)
