"""What the kernels of several games share: numbers with one meaning, rows and queues, simple policies."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

from nimmt.fast.chance import below
from nimmt.fast.jit import Flat, Numbers, Words, hot, part, wide
from nimmt.rules.kit.cards import BULLS as _BULLS

T = TypeVar("T", int, np.int16)

# -- flat --------------------------------------------------------------------------------------------------------------
# Numbers that mean the same in the flat states of several games.

CHOOSE, PLACE, ROW, OVER = range(4)
"""Phases of a game with rows; a game that has more of them numbers them from 4. PLACE waits for nobody: cards are on
their way to the rows."""

PHASES = {"choose": CHOOSE, "row": ROW, "deal": OVER, "over": OVER}
"""By the names that the rules have for them. There, the next deal may be due as soon as a round is over."""

NOWHERE = -1

BULLS = np.array(_BULLS, dtype=np.int8)
"""By card."""


# -- parts -------------------------------------------------------------------------------------------------------------
# Small pieces that the kernels of several games need.
#
# Where they take a state, it has the fields that they name, with the same meaning in all games. A play in a queue is
# one number: from bit 4 the card, below it the seat. Sorted, plays are in the order of placement.

# -- hands ----------------------------------------------------------------------------------------------------


@hot
def deal_hands(s: Flat, cards: Numbers, size: int) -> None:
    """The first so many cards are the hand of seat 0, the next of seat 1, …"""
    for seat in range(s.seats):
        for i in range(size):
            s.hands[seat, i] = cards[size * seat + i]
        s.sizes[seat] = size


@hot
def remove_card(s: Flat, seat: int, card: int) -> None:
    """Take a card out of a hand, looked for from its end; the last one fills the gap."""
    last = s.sizes[seat] - 1
    place = last
    while s.hands[seat, place] != card:
        place -= 1
    s.hands[seat, place] = s.hands[seat, last]
    s.sizes[seat] = last


# -- secret choices -------------------------------------------------------------------------------------------


@hot
def let_all_choose(s: Flat) -> None:
    s.phase = CHOOSE
    s.waiting = s.seats


@part
def note_choice(s: Flat, seat: int, code: int) -> bool:
    """A seat chooses in secret, perhaps not for the first time; whether all have chosen now."""
    s.waiting -= s.chosen[seat] == 0
    s.chosen[seat] = code
    return s.waiting == 0


@part
def first_undecided(s: Flat) -> int:
    """The first seat that has not chosen yet; there is one."""
    seat = 0
    while s.chosen[seat]:
        seat += 1
    return seat


@part
def to_decide(s: Flat) -> int:
    """Where nobody decides anything but a card or a row."""
    if s.phase == CHOOSE:
        return first_undecided(s)
    return seat_of(wide(s.queue[s.placed])) if s.phase == ROW else -1


# -- the queue ------------------------------------------------------------------------------------------------


@hot
def seat_of(play: int) -> int:
    return play & 15


@hot
def card_of(play: int) -> int:
    return play >> 4 & 127


@hot
def reveal(s: Flat) -> None:
    """The chosen cards leave the hands and queue up to be placed."""
    for seat in range(wide(s.seats)):
        card = wide(s.chosen[seat])
        s.chosen[seat] = 0
        remove_card(s, seat, card)
        s.queue[seat] = card << 4 | seat
    begin_placing(s)


@hot
def begin_placing(s: Flat) -> None:
    """Everybody's play is in the queue, in any order."""
    seats = wide(s.seats)
    sort_queue(s.queue, seats)
    s.placed = 0
    s.queued = seats
    s.phase = PLACE


@hot
def sort_queue(queue: Numbers, count: int) -> None:
    """From the lowest to the highest. Cards come in any order, so that every branch of a clever sort would be a guess:
    this one has none."""
    for i in range(1, count):
        for k in range(i, 0, -1):
            low, high = queue[k - 1], queue[k]
            queue[k - 1] = min(low, high)
            queue[k] = max(low, high)


@hot
def take_from_queue(s: Flat) -> int:
    """The next play, which goes to a row now."""
    play = wide(s.queue[s.placed])
    s.placed += 1
    s.phase = PLACE
    return play


# -- rows -----------------------------------------------------------------------------------------------------


@hot
def closer(best: T, end: T, card: T) -> T:
    """Rules 1 and 2, one row after the other: the highest end that is lower than the card, of those looked at so far.

    Whatever else must be known of the row may stand in the lower bits of its end, if they are 0 in the card.
    """
    return max(best, end) if end < card else best


@hot
def closest_row(s: Flat, value: int) -> int:
    """Of the rows whose ends are lower the one with the highest; NOWHERE if there is none."""
    best = wide(0)
    for row in range(len(s.ends)):
        best = closer(best, wide(s.ends[row]) << 3 | row, value << 3)
    return best & 7 if best > 7 else NOWHERE  # an empty row has no end


@hot
def begin_row(s: Flat, row: int, card: int) -> None:
    s.rows[row, 0] = card
    s.lengths[row] = 1
    s.ends[row] = card


@hot
def add_to_row(s: Flat, row: int, card: int) -> None:
    length = s.lengths[row]
    s.rows[row, length] = card
    s.lengths[row] = length + 1
    s.ends[row] = card


@hot
def note_taking(s: Flat, row: int, seat: int) -> None:
    """The cards of a row come to the seat's pile."""
    s.rows_taken[seat] += 1
    if s.track:
        for i in range(s.lengths[row]):
            s.owner[s.rows[row, i]] = seat + 1


# -- lists, results -------------------------------------------------------------------------------------------


@part
def list_hand(s: Flat, seat: int, actions: Numbers) -> int:
    for i in range(s.sizes[seat]):
        actions[i] = s.hands[seat, i]
    return s.sizes[seat] + 0


@part
def glance_in_hand(s: Flat, seat: int, card: int, gap: tuple[int, int], highest: int, out: Numbers) -> tuple[int, int]:
    """The first five features of a card: what it is, and where it stands in its hand. `gap` is the end below it and the
    end above it. Returns how many own cards lie in each half of the gap."""
    end, ceiling = gap
    size, lower, between, above = wide(s.sizes[seat]), wide(0), wide(0), wide(0)
    for i in range(size):
        own = s.hands[seat, i]
        lower += own < card
        between += end < own < card
        above += card < own < ceiling
    out[0] = card / highest
    out[1] = BULLS[card] / 7
    out[2] = lower / max(size - 1, 1)
    out[3] = 0.3 * between
    out[4] = 0.3 * above
    return between, above


@part
def list_numbers(count: int, actions: Numbers) -> int:
    """1 … count."""
    for i in range(count):
        actions[i] = i + 1
    return count


@part
def tally(s: Flat, points: Numbers, taken: Numbers, other: Numbers) -> None:
    for seat in range(s.seats):
        points[seat] = s.points[seat]
        taken[seat] = s.rows_taken[seat]
    other[0] = s.turns


# -- policies ----------------------------------------------------------------------------------------------------------
# What policies of several games need.

RANDOM, GREEDY, CARELESS = range(3)


@part
def random_or_greedy(policy: int, params: Numbers, rng: Words) -> int:
    """What a policy does this time: a careless one is random in so many decisions of a hundred as `params` begins with,
    else greedy."""
    if policy == CARELESS:
        return RANDOM if below(rng, wide(100)) < params[0] else GREEDY
    return policy


@part
def any_card(s: Flat, seat: int, rng: Words) -> int:
    return wide(s.hands[seat, below(rng, wide(s.sizes[seat]))])


@part
def learned(s: Flat, seat: int, number: int, params: Numbers, rng: Words) -> int:
    """In games without an eye for networks nobody plays by one."""
    return wide(0)


@part
def so_far(s: Flat, seat: int) -> int:
    return wide(s.points[seat])


@part
def outlook(s: Flat, weights: Numbers, scores: Numbers) -> None:
    """In games without an eye for it nothing is foretold."""
