"""X nimmt! for batched environments: 100 cards to play or to keep, 3 rows."""

from __future__ import annotations

from nimmt.fast.batch import around, put_known, put_rows, put_seats, round_of
from nimmt.fast.jit import Flat, Numbers, part, wide
from nimmt.fast.parts import BULLS, CHOOSE, OVER, ROW, card_of, seat_of
from nimmt.games.x.kernels import KEEP
from nimmt.games.x.types import HIGHEST, ROWS, TAKING

MAX_ROW_LENGTH = max(TAKING) - 1
"""The most cards that lie in a row."""


@part
def number_of(s: Flat, seat: int, code: int) -> int:
    return HIGHEST + code - 1 if s.phase == ROW else code - 1


@part
def code_of(s: Flat, seat: int, number: int) -> int:
    return number - HIGHEST + 1 if number >= HIGHEST else number + 1


@part
def running(s: Flat, seat: int) -> int:
    """Points are counted when a round ends, not before."""
    return wide(s.points[seat]) if s.phase == OVER else wide(0)


@part
def remember(s: Flat, m: Flat, seat: int, number: int) -> None:
    if number < HIGHEST:
        m.open[number + 1] = 1


@part
def observe(s: Flat, m: Flat, seat: int, out: Numbers) -> int:
    seats = wide(s.seats)
    for i in range(s.sizes[seat]):
        out[s.hands[seat, i] - 1] = 1
    place = wide(HIGHEST)
    for row in range(ROWS):
        for i in range(s.lengths[row]):
            out[place + MAX_ROW_LENGTH * row + i] = s.rows[row, i]
            out[place + ROWS * (MAX_ROW_LENGTH + 2) + row] += BULLS[s.rows[row, i]]
    put_rows(s.lengths, out, place + ROWS * MAX_ROW_LENGTH)
    put_rows(s.ends, out, place + ROWS * (MAX_ROW_LENGTH + 1))
    place += ROWS * (MAX_ROW_LENGTH + 3)
    if s.phase in (ROW, KEEP):
        for i in range(s.placed, s.queued):
            out[place + around(s, seat, seat_of(wide(s.queue[i])))] = card_of(wide(s.queue[i]))
    place += seats
    if s.phase == KEEP:
        for i in range(s.takes):
            out[place + i] = s.taken[i]
        out[place + MAX_ROW_LENGTH + around(s, seat, wide(s.taker))] = 1
    place += MAX_ROW_LENGTH + seats
    for other in range(seats):
        length = s.x_lengths[other]
        if length:
            out[place + around(s, seat, other)] = s.x_rows[other, length - 1]
    place = put_seats(s, seat, s.x_lengths, out, place + seats)
    place = put_seats(s, seat, s.x_bulls, out, place)
    place = put_seats(s, seat, s.pile_bulls, out, place)
    put_known(s, m, seat, out, place)
    place += HIGHEST
    out[place] = s.phase == CHOOSE
    out[place + 1] = s.phase == ROW
    out[place + 2] = s.phase == KEEP
    out[place + 3] = s.phase == OVER
    place = put_seats(s, seat, s.sizes, out, place + 4)
    place = put_seats(s, seat, m.totals, out, place)
    out[place] = round_of(m)
    return place + 1
