"""The flat state of Beat the Buffalo, and what its numbers mean.

Rows and seats count from 0, cards are their numbers, 0 is no card, and special cards have the numbers of the rules. The
buffalo owns cards as seat -1. The team decides as one here: who proposes a special card and who agrees is not among it.

Codes of actions: a card to play, also instead of one taken back, is its number; a row is its number from 1. In a window
0 is to use nothing (more), and a use is kind << 24 | what it needs: a row from 1, a seat, for Push! card << 3 | row,
for Sort three bits for each card still to be placed, the next one lowest: its owner plus 1.
"""

from __future__ import annotations

import numpy as np

from nimmt.fast import flat
from nimmt.rules.games.buffalo.options import FACE_UP, HAND, MAX_SEATS, ROWS
from nimmt.rules.games.buffalo.options import SPECIALS_IN_PLAY as _SPECIALS_IN_PLAY
from nimmt.rules.games.buffalo.state import SPECIALS
from nimmt.rules.kit.cards import HIGHEST

WINDOW, SWAP_CARD = 4, 5
"""Phases besides those of `flat`. PLACE also opens the next window."""
PHASES = flat.PHASES | {"window": WINDOW, "swap": SWAP_CARD}

PASS, TAKE7, STOP, SWAP, INSERT, PUSH, FIRST, LAST, SORT, LIFT = range(10)
"""What the team may do in a window; the special cards in the order of the rules' `KINDS`."""

SPECIALS_IN_PLAY = np.array(_SPECIALS_IN_PLAY, dtype=np.int8)
KIND_SHIFT = 24
PAYLOAD = (1 << KIND_SHIFT) - 1

TEAM, BUFFALO = 1, 2
"""In `owner`: whose pile a card lies in."""

STATE = np.dtype(
    [
        ("version", np.int8),  # of the rules
        ("seats", np.int8),
        ("phase", np.int8),
        ("waiting", np.int8),  # how many seats have not chosen yet
        ("turn", np.int8),  # the turn being played, from 1
        ("queued", np.int8),  # how many cards are still to be placed
        ("settled", np.int8),  # whether the window before the next placement is over
        ("buffalo_next", np.int8),  # how many of the buffalo's cards are gone
        ("buffalo_stock", np.int8),  # how many it had
        ("face_ups", np.int8),  # how many special cards lie face up
        ("special_next", np.int8),  # how many of the special deck are gone
        ("special_stock", np.int8),  # how many it had
        ("swapper", np.int8),  # who has taken a card back
        ("swapped", np.int8),  # and which one
        ("track", np.int8),  # unused: this game always keeps track
        ("lengths", np.int8, ROWS),
        ("ends", np.int8, ROWS),  # 0 for an empty row
        ("worth", np.int8, ROWS),  # bulls in the row
        ("rows", np.int8, (ROWS, 8)),
        ("take7", np.int8, ROWS),  # the Take 7! that lies at the row
        ("stop", np.int8, ROWS),  # the Stop! that lies at the row
        ("stopped_now", np.int8, ROWS),  # whether it was laid in this window; version 1 only
        ("queue", np.int8, MAX_SEATS + 1),  # cards still to be placed, in their order
        ("owners", np.int8, MAX_SEATS + 1),  # and whose they are
        ("sizes", np.int8, MAX_SEATS),  # cards in hand
        ("hands", np.int8, (MAX_SEATS, HAND)),  # in any order
        ("chosen", np.int8, MAX_SEATS),  # 0 if nothing yet
        ("buffalo", np.int8, HAND),  # its cards, the first on top
        ("face_up", np.int8, FACE_UP),
        ("specials", np.int8, len(SPECIALS)),  # the deck of special cards, the first on top
        ("used", np.int8, len(SPECIALS) + 1),  # by special card: 1 if it has left the game
        ("rows_taken", np.int8, 2),  # by the team, by the buffalo
        ("bulls", np.int16, 2),  # of the team, of the buffalo
        ("owner", np.int8, HIGHEST + 1),  # by card: whose pile it lies in
    ],
    align=True,
)
