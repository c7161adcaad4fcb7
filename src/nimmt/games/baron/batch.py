"""Baron Oxx for batched environments: 110 cards, 5 rows."""

from __future__ import annotations

from nimmt.fast.batch import around, put_known, put_rows, put_seats, put_sorted, round_of
from nimmt.fast.jit import Flat, Numbers, part, wide
from nimmt.fast.parts import CHOOSE, OVER, ROW, card_of, seat_of
from nimmt.games.baron.deck import COLOURS, HIGHEST
from nimmt.games.baron.kernels import BULLS_ARE_GOOD, COLOUR_BITS, DRAW_SPACE, so_far
from nimmt.games.baron.types import HAND, ROWS

_COLOURS = len(COLOURS)


@part
def number_of(s: Flat, seat: int, code: int) -> int:
    return HIGHEST + code - 1 if s.phase == ROW else code - 1


@part
def code_of(s: Flat, seat: int, number: int) -> int:
    return number - HIGHEST + 1 if number >= HIGHEST else number + 1


@part
def running(s: Flat, seat: int) -> int:
    return so_far(s, seat)


@part
def remember(s: Flat, m: Flat, seat: int, number: int) -> None:
    if number < HIGHEST:
        m.open[number + 1] = 1


@part
def put_colours(counts: int, out: Numbers, place: int) -> int:
    """How many bulls of each colour."""
    for colour in range(_COLOURS):
        out[place + colour] = counts >> COLOUR_BITS * colour & (1 << COLOUR_BITS) - 1
    return place + _COLOURS


@part
def observe(s: Flat, m: Flat, seat: int, out: Numbers) -> int:
    seats, place = wide(s.seats), wide(HAND)
    put_sorted(s.hands[seat], wide(s.sizes[seat]), out, wide(0))
    for i in range(HAND):
        place = put_colours(wide(s.card_counts[out[i]]), out, place)
    place = put_rows(s.lengths, out, place)
    place = put_rows(s.ends, out, place)
    place = put_rows(s.worth, out, place)
    for row in range(ROWS):
        place = put_colours(wide(s.counts[row]), out, place)
    for row in range(ROWS):
        place = put_colours(wide(s.card_counts[s.ends[row]]), out, place)
    if s.phase == ROW:
        for i in range(s.placed, s.queued):
            out[place + around(s, seat, seat_of(wide(s.queue[i])))] = card_of(wide(s.queue[i]))
    place += seats
    out[place] = s.phase == CHOOSE
    out[place + 1] = s.phase == ROW
    out[place + 2] = s.phase == OVER
    place = put_seats(s, seat, s.sizes, out, place + 3)
    if not m.over:
        put_seats(s, seat, s.draw_sizes, out, place)
    place += seats
    place = put_seats(s, seat, s.bulls, out, place)
    place = put_seats(s, seat, m.totals, out, place)
    out[place] = s.idle
    out[place + 1] = round_of(m)
    place += 2
    return put_returned(s, m, seat, out, place) if s.variants & BULLS_ARE_GOOD else place


@part
def put_returned(s: Flat, m: Flat, seat: int, out: Numbers, place: int) -> int:
    """By card that has come back: whose hand it is in, the own one being 1; negative if it is in the draw pile."""
    put_known(s, m, seat, out, place)
    for other in range(0 if m.over else wide(s.seats)):
        for i in range(s.draw_sizes[other]):
            card = s.draw[other, (s.draw_first[other] + i) & (DRAW_SPACE - 1)]
            if m.open[card]:
                out[place + card - 1] = -around(s, seat, other) - 1
    return place + HIGHEST
