"""The arrays that the kernels work on. The kernels get them bare: bundles cost time in inner loops."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Bits: TypeAlias = NDArray[np.uint64]
Flags: TypeAlias = NDArray[np.bool_]

SEATS, HAND = 10, 10
PLAYS = 2 * HAND
"""Every card, and every card twisted."""
LOOKS = 7
LOOK = LOOKS + 1
"""What is seen of a play, and the play itself."""

# A world is a position as one array: the board (see board.py), then what is known of it, then the hands.
SCORE, TWISTS, HIDDEN, HANDS = 22, 32, 42, 44
STRIDE = HAND + 1
WORLD = HANDS + STRIDE * SEATS


class Kinds(NamedTuple):
    """The types of players that a seat may be."""

    factors: Floats
    """By type: a factor for each value of each thing seen (`policy.SHAPES`)."""
    slips: Floats
    """The chance of playing just any card."""
    any_row: Ints
    """1 if the type takes any row under rule 4, 0 if the cheapest."""
    prior: Floats
    own: int
    """The type by which the thinking seat itself goes on in its thoughts."""


class Situation(NamedTuple):
    """What the thinking seat knows. Plays are twice the card, plus one if twisted; rows count from 0."""

    seat: int
    seats: int
    size: int
    """Cards in every hand."""
    world: Ints
    """Board, bulls of this round, twist cards, cards not played yet, and the hands that are known."""
    pool: Ints
    """The cards that may be in other hands; none if all hands are known (a draft)."""
    queue: Ints
    """When choosing a row: the seats whose cards are still to be placed, the own seat first; else empty."""
    queued: Ints
    """The plays of the queue."""
    past: Ints
    """The round so far: for each turn a world without hands, as it was before the turn."""
    past_plays: Ints
    """What each seat played in each of these turns."""
    rows_taken: Ints
    """How often each seat took the cheapest row under rule 4, and another one."""


class Stakes(NamedTuple):
    """What a round's bulls are worth: the standings before it and how the match ends."""

    totals: Ints
    limit: int
    """So many bulls end the match."""
    rounds_left: int
    """Rounds after this one if their number is fixed, else -1."""
    blend: float
    """What a bull more than the others is worth besides the chance to win."""


class Effort(NamedTuple):
    worlds: int
    drafts: int
    """Worlds for each card that could be drafted: they differ more, since nothing has been dealt yet."""
    warm_up: int
    thinning: int
    herd: float
    """How freely the seats at a table differ in their type: low for tables of equals."""
