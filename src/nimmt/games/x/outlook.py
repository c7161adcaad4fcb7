"""Inputs of the value network of X nimmt!, which predicts who will win from a position with all hands known.

It is evaluated at the start of a turn: what each card would cost as the rows stand, who will run out of cards first,
and what the others will have to count then.
"""

from __future__ import annotations

from nimmt.fast.jit import Flat, part, wide
from nimmt.fast.net import Shape, Weights, forecaster
from nimmt.fast.parts import BULLS, NOWHERE, closest_row
from nimmt.games.x.kernels import MAX_CARDS, TAKING, cheapest_row, cost_of_row, so_far
from nimmt.games.x.sight import clipped
from nimmt.games.x.types import HIGHEST, MAX_SEATS, ROWS

OUTLOOK = Shape(scene=20, glance=32)


@part
def survey(s: Flat, scene: Weights, glances: Weights) -> int:
    """Write the features of the table and of each seat; returns the number of seats."""
    seats = wide(s.seats)
    glances[: OUTLOOK.glance * seats] = 0.0
    survey_table(s, scene)
    for seat in range(seats):
        out = glances[OUTLOOK.glance * seat : OUTLOOK.glance * (seat + 1)]
        glance_at_points(s, seat, out)
        glance_at_rows(s, seat, out)
        glance_at_hand(s, seat, out)
    return seats


@part
def survey_table(s: Flat, scene: Weights) -> None:
    """The rows, and how soon somebody may run out of cards."""
    seats, fewest, cards = wide(s.seats), wide(MAX_CARDS), wide(0)
    for seat in range(seats):
        fewest = min(fewest, wide(s.sizes[seat]))
        cards += s.sizes[seat]
    scene[0] = 0.25 * seats
    scene[1] = 0.1 * fewest
    scene[2] = 1.0 if fewest == 1 else 0.0
    scene[3] = 1.0 if fewest == 2 else 0.0
    scene[4] = 0.1 * cards / seats
    for row in range(ROWS):
        at, bulls = 5 + 5 * row, wide(0)
        for i in range(s.lengths[row]):
            bulls += BULLS[s.rows[row, i]]
        room = TAKING[row] - 1 - s.lengths[row]
        scene[at] = s.ends[row] / HIGHEST
        scene[at + 1] = 0.25 * room
        scene[at + 2] = 1.0 if room == 0 else 0.0
        scene[at + 3] = 1.0 if room == 1 else 0.0
        scene[at + 4] = 0.1 * bulls


@part
def glance_at_points(s: Flat, seat: int, out: Weights) -> None:
    """Points so far, also relative to the best opponent and to all; what may fall from the X row; cards left, also
    relative to the others."""
    own, best, total, fewest = so_far(s, seat), wide(10_000), wide(0), wide(MAX_CARDS)
    size, length = wide(s.sizes[seat]), wide(s.x_lengths[seat])
    for other in range(wide(s.seats)):
        if other != seat:
            points = so_far(s, other)
            best = min(best, points)
            total += points
            fewest = min(fewest, wide(s.sizes[other]))
    out[0] = 0.05 * own
    out[1] = 0.05 * (own - best)
    out[2] = 0.05 * (own - total / (s.seats - 1))
    out[3] = 0.05 * s.pile_bulls[seat]
    out[4] = 0.1 * s.x_bulls[seat]
    out[5] = s.x_rows[seat, length - 1] / HIGHEST if length else 0.0
    out[6] = 0.2 * length
    out[7] = 0.1 * size
    out[8] = 1.0 if size == 1 else 0.0
    out[9] = 1.0 if size == 2 else 0.0
    out[10] = 0.2 * (size - fewest)
    out[11] = 1.0 if size <= fewest else 0.0


@part
def glance_at_rows(s: Flat, seat: int, out: Weights) -> None:
    """What it would cost the seat to take each row."""
    for row in range(ROWS):
        out[12 + row] = clipped(0.1 * cost_of_row(s, seat, row))
    out[15] = clipped(0.1 * cost_of_row(s, seat, cheapest_row(s, seat)))


@part
def glance_at_hand(s: Flat, seat: int, out: Weights) -> None:
    """Where the cards of the hand would go: below all rows, to full ones, next in line, or somewhere in between."""
    size, bulls, most, low, full, close, far = wide(s.sizes[seat]), wide(0), wide(0), wide(0), wide(0), wide(0), wide(0)
    highest, lowest, cheapest = wide(0), wide(HIGHEST), wide(1 << 20)
    too_low = cost_of_row(s, seat, cheapest_row(s, seat))
    for i in range(size):
        card = wide(s.hands[seat, i])
        row, cost = closest_row(s, card), wide(0)
        bulls += BULLS[card]
        most = max(most, wide(BULLS[card]))
        highest, lowest = max(highest, card), min(lowest, card)
        if row == NOWHERE:
            low += 1
            cost = too_low
        elif s.lengths[row] + 1 >= TAKING[row]:
            full += 1
            cost = cost_of_row(s, seat, row)
        else:
            out[26 + row] += 0.3
            gap, room = card - wide(s.ends[row]), TAKING[row] - 1 - wide(s.lengths[row])
            if gap <= 2 * room:
                close += 1
            elif gap > 12 * room:
                far += 1
        cheapest = min(cheapest, cost)
    out[16] = 0.05 * bulls
    out[17] = most / 7
    out[18] = 0.2 * low
    out[19] = 0.2 * full
    out[20] = 0.3 * close
    out[21] = 0.3 * far
    out[22] = (low + full) / (size + 1)
    out[23] = clipped(0.1 * cheapest)
    out[24] = highest / HIGHEST
    out[25] = lowest / HIGHEST
    out[29] = bulls / (8.0 * (size + 1))
    out[30] = 1.0 if size == 1 and low + full == 0 else 0.0
    out[31] = 1.0 if size == low + full else 0.0


outlook = forecaster(OUTLOOK, MAX_SEATS, survey)
