"""The data that search works on: a flat position, what its seat knows, and what is at stake.

Positions are the flat states of `kernels.py`, so that rollouts place cards by the code that is proven equal to the
rules. Search maintains two more invariants: hands are sorted, and `unplayed` tracks the cards nobody has seen played.
Actions are kernel codes: a card, negated if it is twisted, or a row from 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nimmt.fast.jit import Flats
from nimmt.fast.net import FIRST, ROOM, Shape
from nimmt.fast.parts import ROW
from nimmt.games.six.types import HAND, MAX_SEATS

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Weights: TypeAlias = NDArray[np.float32]
Flags: TypeAlias = NDArray[np.bool_]

PLAYS = 2 * HAND
"""Every card, and every card twisted."""

# -- how players play --------------------------------------------------------------------------------------------------
# The features of a play, and types of players as a factor for each value of each feature; see `policy.py`.

CROWDS = 10
"""Bins for the expected number of cards that others play in between."""
COSTS = 32
SHAPES = {
    "way": 5 * CROWDS * 4,  # room in its row, crowd in between, bulls of the row
    "low": 10 * 4,  # too low for every row: bulls of the cheapest, crowd below
    "rank": 10 * 10,  # cards in hand, rank among them
    "face": 2 * 4,  # many bulls on it?; own cards on the same way
    "time": 10 * 6 * 3,  # cards in hand, room in its row (or too low), few or many seats
    "cost": COSTS,  # bulls it takes as the rows stand
    "twist": 2,
}
WAY, LOW, RANK, FACE, TIME, COST, TWIST = np.cumsum([0, *list(SHAPES.values())[:-1]]).tolist()
FACTORS = sum(SHAPES.values())
LOOKS = len(SHAPES)
LOOK = LOOKS + 1
"""The features of a play, and the play itself."""

# The inputs of the policy network, and its weights; see `net.py`.

SCENE = 24
"""Inputs shared by all plays of a hand."""
GLANCE = 24
"""Inputs per play."""
NETWORK = Shape(SCENE, GLANCE)

KIND = np.dtype(
    [
        ("factors", np.float64, FACTORS),
        ("weights", np.float32, NETWORK.weights),
        ("learned", np.int64),  # 1 if the type uses its network, 0 for its tables
        ("slip", np.float64),  # the probability of a random card
        ("prior", np.float64),  # how many players are of this type
        ("prior_in_crowds", np.float64),  # and at large tables
        ("any_row", np.int64),  # 1 if the type takes any row under rule 4, 0 if the cheapest
        ("known_as", np.int64),  # its number for the network that tells what positions are worth
    ]
)
"""A type of player."""


class Kinds(NamedTuple):
    """The types of players that a seat may be."""

    types: Flats
    own: int
    """The rollout policy of the searching seat itself."""
    value: Weights
    """Weights of the value network (`value.py`); if empty, rollouts go to the end of the round."""


CROWD = 7
"""From this many seats on, the prior for large tables applies."""


def at_table(kinds: Kinds, seats: int) -> Kinds:
    """The types with the prior for a table of this size."""
    if seats < CROWD:
        return kinds
    here = kinds.types["prior_in_crowds"] > 0
    types = kinds.types[here]
    types["prior"] = types["prior_in_crowds"]
    return kinds._replace(types=types, own=int(here[: kinds.own].sum()))


MIND = np.dtype(
    [
        ("looks", np.int64, PLAYS * LOOK),
        ("scene", np.float32, SCENE),
        ("glances", np.float32, PLAYS * GLANCE),
        ("room", np.float32, ROOM),
        ("weights", np.float64, PLAYS),
        ("dice", np.uint64),
    ]
)
"""Scratch space for choosing a play: features, weights, and a random generator."""

# Scratch space for the value network; see `value.py`.

CARD, SEAT = FIRST, 32
"""Units of the card layer and of the seat layer."""

LEAF = np.dtype(
    [
        ("base", np.float32, CARD),
        ("card", np.float32, CARD),
        ("pooled", np.float32, (MAX_SEATS, CARD)),
        ("all", np.float32, CARD),
        ("rest", np.float32, CARD),
        ("inner", np.float32, (MAX_SEATS, SEAT)),
        ("bulls", np.float64, MAX_SEATS),  # bulls that a seat is expected to take
        ("chance", np.float64, MAX_SEATS),  # unnormalized log probability of having the fewest
        ("lead", np.float64),  # what a bull less adds to that
    ]
)
"""Scratch space for evaluating a position, and the results."""

# -- what is known -----------------------------------------------------------------------------------------------------


class Situation(NamedTuple):
    """What the searching seat knows."""

    seat: int
    flat: Flats
    """The position, an array of one. Hands that the seat does not know are arbitrary."""
    pool: Ints
    """The cards that may be in other hands; none if all hands are known (a draft)."""
    past: Flats
    """The round so far: the table before each turn. Hands in it are scratch space."""
    past_plays: Ints
    """What each seat played in each of these turns."""
    rows_taken: Ints
    """How often each seat took the cheapest row under rule 4, and another one."""

    @property
    def seats(self) -> int:
        return int(self.flat[0]["seats"])

    @property
    def hand(self) -> Ints:
        """The seat's own cards, sorted."""
        own = self.flat[0]
        cards: Ints = own["hands"][self.seat, : own["sizes"][self.seat]].astype(np.int64)
        return cards

    @property
    def chooses_row(self) -> bool:
        return bool(self.flat[0]["phase"] == ROW)


class Worlds(NamedTuple):
    """Sampled worlds: positions consistent with what the seat knows."""

    flats: Flats
    types: Ints
    """By world and seat, an index into `Kinds.types`."""


def new_worlds(flat: Flats, number: int) -> Worlds:
    """Uninitialized worlds."""
    return Worlds(np.repeat(flat, number), np.zeros((number, MAX_SEATS), np.int64))


class Desk(NamedTuple):
    """Buffers for a search, allocated by Python: in compiled code a record does not keep its array alive."""

    scratch: Flats
    """The state of a rollout."""
    minds: Flats
    leaves: Flats


def new_desk(flat: Flats) -> Desk:
    return Desk(flat.copy(), np.zeros(1, MIND), np.zeros(1, LEAF))


def set_unplayed(flat: Flats, cards: Iterable[int]) -> None:
    """Mark these cards as not seen played."""
    halves = [0, 0]
    for card in cards:
        halves[card >> 6] |= 1 << (card & 63)
    flat[0]["unplayed"] = halves


# -- what is at stake --------------------------------------------------------------------------------------------------


class Stakes(NamedTuple):
    """What is at stake in a round: the standings before it, and how the match ends."""

    totals: Ints
    limit: int
    """Bulls that end the match."""
    rounds_left: int
    """Rounds left after this one if their number is fixed, else -1."""
    blend: float
    """Weight of a bull's lead, relative to the chance to win."""


class Effort(NamedTuple):
    worlds: int
    drafts: int
    """Worlds per draft candidate: they vary more, since nothing has been dealt yet."""
    warm_up: int
    thinning: int
    herd: float
    """How much types vary within a table: low where players at one table are alike."""
