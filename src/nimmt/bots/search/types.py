"""The arrays that the kernels work on, bundled."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Bits: TypeAlias = NDArray[np.uint64]

SEATS, HAND = 10, 10
PLAYS = 2 * HAND
"""Every card, and every card twisted."""
LOOKS = 7


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
    board: Ints
    hand: Ints
    twists: Ints
    hidden: Bits
    """The cards that have not been played, as a set."""
    pool: Ints
    """The cards that may be in other hands."""
    known: Ints
    """All hands if they are known (a draft), else empty."""
    score: Ints
    """Bulls of this round so far, by seat."""
    queue: Ints
    """When choosing a row: the seats whose cards are still to be placed, the own seat first; else empty."""
    queued: Ints
    """The plays of the queue."""
    past_boards: Ints
    past_hidden: Bits
    past_plays: Ints
    past_twists: Ints
    """The round so far, turn by turn: what lay before it, and what each seat played."""


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
    burn_in: int
    thinning: int
    herd: float
    """How freely the seats at a table differ in their type: low for tables of equals."""


class World(NamedTuple):
    """A position that is used up while it is played out."""

    board: Ints
    hands: Ints
    twists: Ints
    hidden: Bits
    score: Ints


class Desk(NamedTuple):
    """Space to work in, made once a decision."""

    plays: Ints
    order: Ints
    looks: Ints
    weights: Floats
    dice: Bits
