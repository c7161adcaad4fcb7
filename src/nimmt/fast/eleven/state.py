"""The flat state of a round of 11 nimmt!, and what its numbers mean.

Seats count from 0, cards are their numbers, 0 is no card. A hand may hold any number of cards, and what is asked of it
is whether it holds one within ten of a top: so hands are a table that says whose each card is. A pile is its top and,
for each card, the one below it.

Codes of actions: kind << 16 | pile << 8 | card to lay a card, kind << 16 | pile << 8 to take a pile, kind << 16 to end
the turn, kind << 16 | seat to say who gives a bull card. Piles count from 1 there, as in the rules.
"""

from __future__ import annotations

import numpy as np

from nimmt.rules.games.eleven.options import HIGHEST, MAX_SEATS

TURN, GIVER, OVER = range(3)
"""Phases."""

LAY, TAKE, END, GIVE = range(4)
"""Kinds of actions."""

MOST_PILES = 48
"""There are never more than 41: one to begin with, and one more with each pair of the draw pile."""

STATE = np.dtype(
    [
        ("seats", np.int8),
        ("phase", np.int8),
        ("starter", np.int8),
        ("turn", np.int8),  # the seat whose turn it is
        ("piles", np.int8),  # how many there are
        ("laid", np.int8),  # on how many of them cards were laid in this turn
        ("supply", np.int8),  # bull cards that nobody has
        ("drawn", np.int8),  # how many of the draw pile are gone
        ("stock", np.int8),  # how many the draw pile had
        ("track", np.int8),  # unused: this game always keeps track
        ("bull_cards", np.int8, MAX_SEATS),
        ("sizes", np.int8, MAX_SEATS),  # cards in hand
        ("tops", np.int8, MOST_PILES),
        ("heights", np.int8, MOST_PILES),
        ("laid_on", np.int8, MOST_PILES),  # the top that cards laid in this turn are measured from; 0 if none were
        ("holder", np.int8, HIGHEST + 1),  # by card: the seat that holds it, plus 1
        ("below", np.int8, HIGHEST + 1),  # by card in a pile: the card below it
        ("draw", np.int8, HIGHEST),  # the draw pile, the first card on top
        ("turns", np.int16),  # turns played
        ("piles_taken", np.int16, MAX_SEATS),
        ("points", np.int16, MAX_SEATS),  # when the round is over
    ],
    align=True,
)
