"""Inputs of the policy network of Beat the Buffalo: the score, the rows, and where a card would go.

The network decides about cards and rows only. What a special card is worth shows in rollouts, so special cards are left
to the wary team.
"""

from __future__ import annotations

import numpy as np

from nimmt.fast.jit import Flat, Numbers, part, wide
from nimmt.fast.net import Shape, Weights, player
from nimmt.fast.parts import BULLS, NOWHERE, ROW, glance_in_hand
from nimmt.games.buffalo.kernel_parts import SWAP_CARD, WINDOW, cheapest_row, limit, target_row, team_points
from nimmt.games.buffalo.kernels import list_cards_or_rows
from nimmt.games.buffalo.policies import BETWEEN, expected_cost, wary
from nimmt.games.buffalo.types import DOUBLED_SEATS, HAND, ROWS
from nimmt.rules.kit.cards import HIGHEST

NETWORK = Shape(scene=44, glance=32)
MOST = max(HAND, ROWS)

_LEAD, _BULLS, _ROOM = 0.05, 0.1, 0.2
"""Scales that bring leads, bulls and card counts to around one."""
_KINDS_AT, _ROWS_AT, _NUMBERS_OF_ROW = 9, 17, 6


@part
def look(s: Flat, seat: int, actions: Numbers, scene: Weights, glances: Weights) -> int:
    """List the legal actions and write their features; returns the number of actions."""
    if s.phase == WINDOW:
        actions[0] = wary(s, seat)
        return wide(1)
    count = list_cards_or_rows(s, seat, actions)
    if count == 1:
        return count
    scene[:] = 0.0
    glances[: NETWORK.glance * count] = 0.0
    look_at_score(s, scene)
    look_at_rows(s, scene)
    strange = np.empty(HIGHEST + 1, np.int64)
    count_strange(s, seat, strange)
    for option in range(count):
        out = glances[NETWORK.glance * option : NETWORK.glance * (option + 1)]
        if s.phase == ROW:
            glance_at_row(s, actions[option] - 1, out)
        else:
            glance_at_card(s, seat, actions[option], strange, out)
    return count


@part
def look_at_score(s: Flat, scene: Weights) -> None:
    """The lead, the turns left to change it, and the special cards left."""
    lead, left = s.bulls[1] - team_points(s), wide(HAND) + 1 - s.turns
    scene[0] = _LEAD * lead
    scene[1] = 4 * _LEAD * lead / left
    scene[2] = left / HAND
    scene[3] = 1.0 if left == 1 else 0.0
    scene[4] = 1.0 if left == 2 else 0.0
    scene[5] = 0.2 * s.seats
    scene[6] = 1.0 if s.seats <= DOUBLED_SEATS else 0.0
    scene[7] = 1.0 if s.seats == 1 else 0.0
    scene[8] = 0.1 * (s.face_ups + s.special_stock - s.special_next)
    for i in range(s.face_ups):
        scene[_KINDS_AT + (s.face_up[i] - 1) // 2] += 1.0


@part
def look_at_rows(s: Flat, scene: Weights) -> None:
    total, full = wide(0), wide(0)
    for row in range(ROWS):
        at, room = _ROWS_AT + _NUMBERS_OF_ROW * row, limit(s, row) - s.lengths[row]
        scene[at] = s.ends[row] / HIGHEST
        scene[at + 1] = _ROOM * room
        scene[at + 2] = 1.0 if room <= 0 else 0.0
        scene[at + 3] = _BULLS * s.worth[row]
        scene[at + 4] = 1.0 if s.take7[row] else 0.0
        scene[at + 5] = 1.0 if s.stop[row] else 0.0
        total += s.worth[row]
        full += room <= 0
    scene[41] = 0.5 * _BULLS * total
    scene[42] = 0.3 * full
    scene[43] = _BULLS * s.worth[cheapest_row(s)]


@part
def count_strange(s: Flat, seat: int, strange: Numbers) -> None:
    """By card, the number of unseen cards up to and including it."""
    for card in range(HIGHEST + 1):
        strange[card] = card > 0 and s.owner[card] == 0
    for row in range(ROWS):
        for i in range(s.lengths[row]):
            strange[s.rows[row, i]] = 0
    for i in range(s.queued):
        strange[s.queue[i]] = 0
    for i in range(s.sizes[seat]):
        strange[s.hands[seat, i]] = 0
    for card in range(1, HIGHEST + 1):
        strange[card] += strange[card - 1]


@part
def glance_at_row(s: Flat, row: int, out: Weights) -> None:
    """The row to take, the card that starts it again, and those that follow."""
    card = wide(s.queue[0])
    out[0] = card / HIGHEST
    out[1] = BULLS[card] / 7
    out[24] = 1.0
    out[25] = _BULLS * s.worth[row]
    out[26] = s.ends[row] / HIGHEST
    out[27] = _ROOM * (limit(s, row) - s.lengths[row])
    out[28] = 0.2 * s.queued
    out[29] = 1.0 if row == cheapest_row(s) else 0.0


@part
def glance_at_card(s: Flat, seat: int, card: int, strange: Numbers, out: Weights) -> None:
    row, all_strange = target_row(s, card), max(strange[HIGHEST], 1)
    end, ceiling = wide(s.ends[row]) if row != NOWHERE else wide(0), wide(HIGHEST) + 1
    for other in range(ROWS):
        if s.ends[other] > card and s.stop[other] == 0:
            ceiling = min(ceiling, wide(s.ends[other]))
    glance_in_hand(s, seat, card, (end, ceiling), HIGHEST, out)
    out[5] = s.seats * (strange[ceiling - 1] - strange[card]) / all_strange
    out[6] = 1.0 if s.phase == SWAP_CARD else 0.0
    out[7] = _BULLS * min(expected_cost(s, card), 20.0)
    if row == NOWHERE:
        out[8] = 1.0
        out[9] = _BULLS * s.worth[cheapest_row(s)]
        out[10] = s.seats * strange[card] / all_strange
        return
    before, room = strange[card] - strange[end], limit(s, row) - s.lengths[row]
    span = min(100 * before // all_strange, wide(HIGHEST))
    out[11] = s.seats * before / all_strange
    out[12] = BETWEEN[s.seats, 1, span]
    out[13] = BETWEEN[s.seats, max(room, wide(0)), span]
    out[14 + max(min(room, wide(3)), wide(0))] = 1.0
    out[18] = _BULLS * s.worth[row]
    out[19] = _BULLS * s.worth[row] if room <= 0 else 0.0
    out[20] = _BULLS * (s.worth[row] + max(room, wide(0))) * out[13]
    out[21] = 1.0 if s.take7[row] else 0.0
    out[22] = (card - end) / HIGHEST
    out[23] = out[19] * out[12]
    out[30] = 1.0 if s.lengths[row] == 0 else 0.0


learned = player(NETWORK, MOST, look)
