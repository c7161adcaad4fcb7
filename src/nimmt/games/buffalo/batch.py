"""Beat the Buffalo for batched environments: 104 cards to play or to swap, 4 rows, passing, all uses of special cards.

In a window all are asked at once, and the first seat that wants to use a special card uses it: where the rules want
everybody's agreement, everybody agrees. The numbers of Sort are the ranks of the orders of the cards still to be
placed, in the order of the dictionary; rank 0 is the present order.
"""

from __future__ import annotations

from nimmt.fast.batch import around, put_known, put_rows, put_seats, put_sorted, rows_lie_open, together
from nimmt.fast.jit import Flat, Numbers, part, wide
from nimmt.fast.kernels import to_decide
from nimmt.fast.parts import CHOOSE, OVER, ROW
from nimmt.games.buffalo.kernel_parts import (
    FIRST,
    INSERT,
    KIND_SHIFT,
    LAST,
    LIFT,
    PASS,
    PAYLOAD,
    PUSH,
    SORT,
    STOP,
    SWAP,
    SWAP_CARD,
    TAKE7,
    WINDOW,
)
from nimmt.games.buffalo.types import DOUBLED_SEATS, HAND, KINDS, MAX_SEATS, ROW_LIMIT, ROWS, SPECIALS
from nimmt.rules.kit.cards import HIGHEST

CHOICES = HIGHEST
FIRST_ANSWER = CHOICES + ROWS
FIRST_ROW_USE = FIRST_ANSWER + 3
FIRST_SEAT_USE = FIRST_ROW_USE + 4 * ROWS
FIRST_PUSH = FIRST_SEAT_USE + 3 * MAX_SEATS
FIRST_SORT = FIRST_PUSH + HIGHEST * ROWS
MAX_ROW_LENGTH = ROW_LIMIT + 1
"""The most cards that lie in a row."""

_KINDS = len(KINDS)


# -- numbers ---------------------------------------------------------------------------------------------------


@part
def number_of(s: Flat, seat: int, code: int) -> int:
    if s.phase == ROW:
        return CHOICES + code - 1
    if s.phase != WINDOW:
        return code - 1
    kind, payload = code >> KIND_SHIFT, code & PAYLOAD
    if kind == PASS:
        return wide(FIRST_ANSWER)
    if kind == TAKE7:
        return FIRST_ROW_USE + payload - 1
    if kind == STOP:
        return FIRST_ROW_USE + ROWS + payload - 1
    if kind == LIFT:
        return FIRST_ROW_USE + 2 * ROWS + payload - 1
    if kind == INSERT:
        return FIRST_ROW_USE + 3 * ROWS + payload - 1
    if kind == PUSH:
        return FIRST_PUSH + ((payload >> 3) - 1) * ROWS + (payload & 7) - 1
    if kind == SORT:
        return FIRST_SORT + rank_of(s, payload)
    return FIRST_SEAT_USE + (0 if kind == SWAP else 1 if kind == FIRST else 2) * MAX_SEATS + payload


@part
def code_of(s: Flat, seat: int, number: int) -> int:
    if number < CHOICES:
        return number + 1
    if number < FIRST_ANSWER:
        return number - CHOICES + 1
    if number < FIRST_ROW_USE:
        return wide(PASS)
    if number >= FIRST_SORT:
        return SORT << KIND_SHIFT | order_at(s, number - FIRST_SORT)
    if number >= FIRST_PUSH:
        which = number - FIRST_PUSH
        return PUSH << KIND_SHIFT | (which // ROWS + 1) << 3 | (which % ROWS + 1)
    if number >= FIRST_SEAT_USE:
        which = number - FIRST_SEAT_USE
        kind = SWAP if which < MAX_SEATS else FIRST if which < 2 * MAX_SEATS else LAST
        return kind << KIND_SHIFT | which % MAX_SEATS
    which = number - FIRST_ROW_USE
    kind = TAKE7 if which < ROWS else STOP if which < 2 * ROWS else LIFT if which < 3 * ROWS else INSERT
    return kind << KIND_SHIFT | (which % ROWS + 1)


@part
def rank_of(s: Flat, order: int) -> int:
    """The place of an order of owners in the list of all, which begins with the present one."""
    rank, gone = wide(0), wide(0)
    for i in range(wide(s.queued)):
        owner, before, left = (order >> 3 * i & 7) - 1, wide(0), wide(s.queued) - i
        for place in range(wide(s.queued)):
            if s.owners[place] == owner:
                gone |= 1 << place
                break
            before += 1 - (gone >> place & 1)
        rank = rank * left + before
    return rank


@part
def order_at(s: Flat, rank: int) -> int:
    order, gone, count = wide(0), wide(0), wide(s.queued)
    ways = wide(1)
    for i in range(2, count):
        ways *= i
    for i in range(count):
        before, rank = rank // ways, rank % ways
        place = wide(0)
        while before or gone >> place & 1:
            before -= 1 - (gone >> place & 1)
            place += 1
        gone |= 1 << place
        order |= (wide(s.owners[place]) + 1) << 3 * i
        ways //= max(wide(1), count - 1 - i)
    return order


# -- deciding --------------------------------------------------------------------------------------------------


@part
def is_asked(s: Flat, seat: int) -> bool:
    return together(s) or s.phase == WINDOW or to_decide(s) == seat


@part
def speaker(s: Flat, numbers: Numbers) -> int:
    if s.phase == WINDOW:
        for seat in range(wide(s.seats)):
            if numbers[seat] != FIRST_ANSWER:
                return seat
    return wide(to_decide(s))


@part
def running(s: Flat, seat: int) -> int:
    """The team's lead: what the buffalo has taken less the team's points."""
    return wide(s.bulls[1]) - s.bulls[0] * (2 if s.seats <= DOUBLED_SEATS else 1)


@part
def remember(s: Flat, m: Flat, seat: int, number: int) -> None:
    if number < CHOICES:
        m.open[number + 1] = 1


@part
def look_around(s: Flat, m: Flat) -> None:
    rows_lie_open(s, m)
    if s.buffalo_next:
        m.open[s.buffalo[s.buffalo_next - 1]] = 1


# -- seeing ----------------------------------------------------------------------------------------------------


@part
def observe(s: Flat, m: Flat, seat: int, out: Numbers) -> int:
    seats, place = wide(s.seats), wide(HAND)
    put_sorted(s.hands[seat], wide(s.sizes[seat]), out, wide(0))
    for row in range(ROWS):
        for i in range(s.lengths[row]):
            out[place + MAX_ROW_LENGTH * row + i] = s.rows[row, i]
        out[place + ROWS * (MAX_ROW_LENGTH + 3) + row] = s.take7[row] != 0
        out[place + ROWS * (MAX_ROW_LENGTH + 4) + row] = s.stop[row] != 0
    put_rows(s.lengths, out, place + ROWS * MAX_ROW_LENGTH)
    put_rows(s.ends, out, place + ROWS * (MAX_ROW_LENGTH + 1))
    put_rows(s.worth, out, place + ROWS * (MAX_ROW_LENGTH + 2))
    place += ROWS * (MAX_ROW_LENGTH + 5)
    for i in range(s.queued):
        out[place + i] = s.queue[i]
        out[place + seats + 1 + i] = around(s, seat, wide(s.owners[i])) + 1 if s.owners[i] >= 0 else seats + 1
    place += 2 * (seats + 1)
    put_known(s, m, seat, out, place)
    place = put_specials(s, out, place + HIGHEST)
    out[place] = s.phase == CHOOSE
    out[place + 1] = s.phase == WINDOW
    out[place + 2] = s.phase == SWAP_CARD
    out[place + 3] = s.phase == ROW
    out[place + 4] = s.phase == OVER
    out[place + 5] = s.turns
    place = put_seats(s, seat, s.sizes, out, place + 6)
    out[place] = s.buffalo_stock - s.buffalo_next
    out[place + 1] = s.bulls[0]
    out[place + 2] = s.bulls[1]
    return place + 3


@part
def put_specials(s: Flat, out: Numbers, place: int) -> int:
    """By kind how many lie face up and how many are used; how many are still face down."""
    for i in range(s.face_ups):
        out[place + (s.face_up[i] - 1) // 2] += 1
    for special in range(1, len(SPECIALS) + 1):
        out[place + _KINDS + (special - 1) // 2] += s.used[special]
    out[place + 2 * _KINDS] = s.special_stock - s.special_next
    return place + 2 * _KINDS + 1
