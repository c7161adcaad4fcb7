"""6 nimmt! for batched environments: 104 cards to play or to draft, 99 to play with the twist card, 4 rows."""

from __future__ import annotations

from nimmt.fast.batch import around, put_rows, put_seats, put_sorted, round_of, rows_lie_open
from nimmt.fast.jit import Flat, Numbers, part, wide
from nimmt.fast.parts import CHOOSE, NOWHERE, OVER, ROW, card_of, seat_of
from nimmt.games.six.kernels import COW, DRAFT, EVEN_ODD, MOUNTAIN, TWIST, UNTWISTED
from nimmt.games.six.types import HAND, ROW_LIMIT, ROWS
from nimmt.rules.kit.cards import HIGHEST

TWISTS = HIGHEST
"""Where the twisted cards begin; those with three digits cannot be twisted."""
CHOICES = TWISTS + 99


@part
def number_of(s: Flat, seat: int, code: int) -> int:
    if s.phase == ROW:
        return CHOICES + code - 1
    return code - 1 if code > 0 else TWISTS - code - 1


@part
def code_of(s: Flat, seat: int, number: int) -> int:
    if number >= CHOICES:
        return number - CHOICES + 1
    return number + 1 if number < TWISTS else TWISTS - number - 1


@part
def running(s: Flat, seat: int) -> int:
    return wide(0) if s.phase == DRAFT else wide(s.points[seat])


@part
def remember(s: Flat, m: Flat, seat: int, number: int) -> None:
    if number < CHOICES:
        m.open[number % TWISTS + 1] = 1


@part
def look_around(s: Flat, m: Flat) -> None:
    if s.phase != DRAFT:
        rows_lie_open(s, m)


@part
def next_round(s: Flat, m: Flat) -> None:
    """A new match begins with seat 0; who drafts first in a round is the seat after the one named here."""
    if m.rounds == 0 and s.drafter != NOWHERE:
        s.drafter = s.seats - 1


@part
def observe(s: Flat, m: Flat, seat: int, out: Numbers) -> int:
    is_draft = s.phase == DRAFT
    put_sorted(s.hands[seat], wide(s.sizes[seat]), out, wide(0))
    place = wide(HAND)
    if not is_draft:
        for row in range(ROWS):
            for i in range(s.lengths[row]):
                out[place + ROW_LIMIT * row + i] = s.rows[row, i]
        put_rows(s.lengths, out, place + ROWS * ROW_LIMIT)
        put_rows(s.ends, out, place + ROWS * ROW_LIMIT + ROWS)
        put_rows(s.worth, out, place + ROWS * ROW_LIMIT + 2 * ROWS)
    place += ROWS * ROW_LIMIT + 3 * ROWS
    if s.phase == ROW:
        for i in range(s.placed, s.queued):
            play = wide(s.queue[i])
            out[place + around(s, seat, seat_of(play))] = card_of(play) if play & UNTWISTED else -card_of(play)
    place += s.seats
    out[place] = is_draft
    out[place + 1] = s.phase == CHOOSE
    out[place + 2] = s.phase == ROW
    out[place + 3] = s.phase == OVER
    place += 4
    out[place] = s.sizes[seat]
    place += 1
    if not is_draft:
        put_seats(s, seat, s.points, out, place)
    place = put_seats(s, seat, m.totals, out, place + s.seats)
    out[place] = round_of(m)
    place = put_fans(s, seat, is_draft, out, place + 1)
    return put_draft(s, seat, is_draft, out, place) if s.drafter != NOWHERE else place


@part
def put_fans(s: Flat, seat: int, is_draft: bool, out: Numbers, place: int) -> int:
    """By row where the fan cards in play lie, and what they show; by seat who has a twist card."""
    if s.fans & EVEN_ODD:
        if not is_draft:
            out[place + s.even_odd] = -1 if s.parity else 1
        place += ROWS
    if s.fans & MOUNTAIN:
        if not is_draft:
            out[place + s.mountain] = s.arrows
        place += ROWS
    if s.fans & COW:
        if not is_draft:
            out[place + s.cow] = 1
        place += ROWS
    if s.fans & TWIST:
        if not is_draft:
            put_seats(s, seat, s.twists, out, place)
        place += s.seats
    return place


@part
def put_draft(s: Flat, seat: int, is_draft: bool, out: Numbers, place: int) -> int:
    """By card: -1 in the pool, else whose hand it is in, the own one being 1. A draft has no secrets."""
    if is_draft:
        for i in range(s.pooled):
            out[place + s.pool[i] - 1] = -1
    for other in range(wide(s.seats)):
        for i in range(s.sizes[other]):
            out[place + s.hands[other, i] - 1] = around(s, seat, other) + 1
    return place + HIGHEST
