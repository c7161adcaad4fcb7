"""11 nimmt! for batched environments: laying by card and distance, taking by the top of the pile, ending, givers.

Piles have numbers that shift; their tops are all different. So a pile is named by its top: a card lies 1 to 10 above
the top that it is laid on, and no limit on the number of piles is needed.
"""

from __future__ import annotations

from nimmt.fast.batch import around, put_seats, round_of
from nimmt.fast.jit import Flat, Numbers, part, wide
from nimmt.games.eleven.kernels import END as END_TURN
from nimmt.games.eleven.kernels import GIVE, GIVER, LAY, OVER, TAKE, TURN, distance
from nimmt.games.eleven.types import HIGHEST, REACH

TAKES = HIGHEST * REACH
END = TAKES + HIGHEST
GIVERS = END + 1


@part
def number_of(s: Flat, seat: int, code: int) -> int:
    kind, pile, card = code >> 16, (code >> 8 & 255) - 1, code & 255
    if kind == LAY:
        return (card - 1) * REACH + distance(wide(s.tops[pile]), card) - 1
    if kind == TAKE:
        return TAKES + wide(s.tops[pile]) - 1
    return wide(END) if kind == END_TURN else GIVERS + card


@part
def code_of(s: Flat, seat: int, number: int) -> int:
    if number >= GIVERS:
        return GIVE << 16 | (number - GIVERS)
    if number == END:
        return wide(END_TURN << 16)
    if number >= TAKES:
        return TAKE << 16 | (pile_with(s, number - TAKES + 1) + 1) << 8
    card, above = number // REACH + 1, number % REACH + 1
    return LAY << 16 | (pile_with(s, (card - above - 1) % HIGHEST + 1) + 1) << 8 | card


@part
def pile_with(s: Flat, top: int) -> int:
    pile = wide(0)
    while s.tops[pile] != top:
        pile += 1
    return pile


@part
def together(s: Flat) -> bool:
    """In 11 nimmt! nobody ever decides at the same time."""
    return False


@part
def running(s: Flat, seat: int) -> int:
    """Points are counted when a round ends, not before."""
    return wide(s.points[seat]) if s.phase == OVER else wide(0)


@part
def remember(s: Flat, m: Flat, seat: int, number: int) -> None:
    """All see which card is laid, and the top of a pile that is taken."""
    if number < TAKES:
        m.open[number // REACH + 1] = 1
        m.shown[number // REACH + 1] = 0
    elif number < END:
        m.shown[number - TAKES + 1] = 1


@part
def look_around(s: Flat, m: Flat) -> None:
    for pile in range(s.piles):
        m.open[s.tops[pile]] = 1


@part
def next_round(s: Flat, m: Flat) -> None:
    """Who has the most points begins; among equals the first clockwise, beginning with the last starter."""
    if m.rounds == 0:
        s.starter = s.first
        return
    best, seats = wide(-1), wide(s.seats)
    last = wide(s.starter)
    for step in range(seats):
        seat = (last + step) % seats
        if m.totals[seat] > best:
            best = wide(m.totals[seat])
            s.starter = seat


@part
def observe(s: Flat, m: Flat, seat: int, out: Numbers) -> int:
    seats, known = wide(s.seats), 2 * HIGHEST
    seen = known + HIGHEST
    for card in range(1, HIGHEST + 1):
        holder = wide(s.holder[card]) - 1
        if holder >= 0:
            out[card - 1] = holder == seat
            if m.shown[card]:
                out[known + card - 1] = around(s, seat, holder) + 1
            out[seen + around(s, seat, holder)] += m.open[card]
    no_other = s.laid >= max(1, s.bull_cards[s.turn])
    for pile in range(s.piles):
        reach = wide(0)
        if s.laid_on[pile]:
            reach = REACH - distance(wide(s.laid_on[pile]), wide(s.tops[pile]))
        elif not no_other:
            reach = wide(REACH)
        out[HIGHEST + s.tops[pile] - 1] = 1 + reach
    place = put_seats(s, seat, s.sizes, out, seen + seats)
    place = put_seats(s, seat, s.bull_cards, out, place)
    out[place] = s.supply
    out[place + 1] = s.stock - s.drawn
    out[place + 2] = s.laid
    place += 3
    out[place + around(s, seat, wide(s.turn))] = 1
    out[place + seats + around(s, seat, wide(s.starter))] = 1
    place += 2 * seats
    out[place] = s.phase == TURN
    out[place + 1] = s.phase == GIVER
    out[place + 2] = s.phase == OVER
    place = put_seats(s, seat, m.totals, out, place + 3)
    out[place] = round_of(m)
    return place + 1
