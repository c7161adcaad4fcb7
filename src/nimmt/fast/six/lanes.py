"""The basic game in 64 lanes: as many rounds side by side, every step a loop over all of them without a branch.

Such loops become vector instructions, sixteen lanes at a time, which makes random rounds several times as fast as any
scalar code. There are no fan cards, no draft and no other players here.

All that the lanes hold is one array of int16, slot after slot, each with a number for every lane: with fixed slots the
compiler can see that no two overlap. Slots hold

    END + row     the end of the row: its number << 2 | row, so that the highest lower end is a plain maximum
    LOAD + row    what lies in the row: bulls << 3 | cards
    QUEUE + k     the k-th card to be placed, from the lowest: number << 7 | bulls << 4 | seat
    NOW           the card being placed, the same way
    CHANCE, + 1   random bits of the turn, two for each of the first five and of the other cards
    SCORE + seat  what a seat has taken: rows << 8 | bulls
    DECK + place  the cards of the deck: number << 7 | bulls << 4

Hands are played in the order in which they were dealt: as that is random, so is the play. Chance is xoshiro128++ (by
Blackman and Vigna, public domain), one generator for each lane.
"""

from __future__ import annotations

import numpy as np

from nimmt.fast.chance import split_mix
from nimmt.fast.jit import Numbers, jit, part
from nimmt.rules.games.six.options import HAND, MAX_SEATS, ROW_LIMIT, ROWS
from nimmt.rules.kit.cards import BULLS, HIGHEST

LANES = 64

END = 0
LOAD = END + ROWS
QUEUE = LOAD + ROWS
NOW = QUEUE + MAX_SEATS
CHANCE = NOW + 1
SCORE = CHANCE + 2
DECK = SCORE + MAX_SEATS
SLOTS = DECK + HIGHEST

_SORTED_DECK = np.array([card << 7 | BULLS[card] << 4 for card in range(1, HIGHEST + 1)], dtype=np.int16)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def new_lanes(seed: int, batch: int) -> tuple[Numbers, Numbers]:
    """Lanes with a sorted deck each, and their generators: those of this batch of this seed."""
    lanes = np.zeros(SLOTS * LANES, dtype=np.int16)
    lanes[DECK * LANES :] = np.repeat(_SORTED_DECK, LANES)
    chance = np.empty(4 * LANES, dtype=np.uint32)
    seed_lanes(chance, np.uint64(seed), batch)
    return lanes, chance


@jit
def seed_lanes(chance: Numbers, seed: np.uint64, batch: int) -> None:
    word = split_mix(seed) ^ (np.uint64(batch) * _GOLDEN)
    for i in range(4 * LANES):
        word += _GOLDEN
        chance[i] = np.uint32(split_mix(word) >> np.uint64(32))


@part
def draw(chance: Numbers, words: Numbers) -> None:
    """The next 32 random bits of each lane."""
    for lane in range(LANES):
        a, b = chance[lane], chance[LANES + lane]
        c, d = chance[2 * LANES + lane], chance[3 * LANES + lane]
        mixed = np.uint32(a + d)
        words[lane] = np.uint32(np.uint32(mixed << np.uint32(7)) | np.uint32(mixed >> np.uint32(25))) + a
        shifted = np.uint32(b << np.uint32(9))
        c ^= a
        d ^= b
        chance[LANES + lane] = b ^ c
        chance[lane] = a ^ d
        chance[2 * LANES + lane] = c ^ shifted
        chance[3 * LANES + lane] = np.uint32(d << np.uint32(11)) | np.uint32(d >> np.uint32(21))


@part
def deal(lanes: Numbers, chance: Numbers, words: Numbers, picks: Numbers, seats: int) -> None:
    """Shuffle as many cards of each deck as are needed; start the rows."""
    needed = HAND * seats + ROWS
    for place in range(needed):
        draw(chance, words)
        left = np.uint64(HIGHEST - place)
        for lane in range(LANES):
            picks[lane] = ((words[lane] * left) >> np.uint64(32)) * LANES + lane
        here = (DECK + place) * LANES
        for lane in range(LANES):
            other = here + picks[lane]
            card = lanes[here + lane]
            lanes[here + lane] = lanes[other]
            lanes[other] = card
    for row in range(ROWS):
        first = (DECK + HAND * seats + row) * LANES
        for lane in range(LANES):
            card = lanes[first + lane]
            lanes[(END + row) * LANES + lane] = (card >> 7) << 2 | row
            lanes[(LOAD + row) * LANES + lane] = (card >> 4 & 7) << 3 | 1
    lanes[SCORE * LANES : DECK * LANES] = 0


@part
def reveal(lanes: Numbers, chance: Numbers, words: Numbers, seats: int, turn: int) -> None:
    """Everybody's card of this turn, lowest first, and the random bits for rule 4."""
    for seat in range(seats):
        card = (DECK + HAND * seat + turn) * LANES
        queued = (QUEUE + seat) * LANES
        for lane in range(LANES):
            lanes[queued + lane] = lanes[card + lane] | seat
    for i in range(1, seats):
        for k in range(i, 0, -1):
            slot = (QUEUE + k - 1) * LANES
            for lane in range(LANES):
                low, high = lanes[slot + lane], lanes[slot + LANES + lane]
                lanes[slot + lane] = min(low, high)
                lanes[slot + LANES + lane] = max(low, high)
    draw(chance, words)
    for lane in range(LANES):
        lanes[CHANCE * LANES + lane] = words[lane] & np.uint32(0x3FF)
        lanes[(CHANCE + 1) * LANES + lane] = words[lane] >> np.uint32(22)


@part
def place(lanes: Numbers, seats: int, k: int, cheapest: bool) -> None:
    """Place the k-th card of the turn in every lane."""
    queued = (QUEUE + k) * LANES
    for lane in range(LANES):
        lanes[NOW * LANES + lane] = lanes[queued + lane]
    for lane in range(LANES):
        card = lanes[NOW * LANES + lane]
        end0, end1 = lanes[END * LANES + lane], lanes[(END + 1) * LANES + lane]
        end2, end3 = lanes[(END + 2) * LANES + lane], lanes[(END + 3) * LANES + lane]
        load0, load1 = lanes[LOAD * LANES + lane], lanes[(LOAD + 1) * LANES + lane]
        load2, load3 = lanes[(LOAD + 2) * LANES + lane], lanes[(LOAD + 3) * LANES + lane]
        value = card >> 7 << 2
        best = max(
            max(end0 if end0 < value else -1, end1 if end1 < value else -1),
            max(end2 if end2 < value else -1, end3 if end3 < value else -1),
        )
        bits = lanes[CHANCE * LANES + lane]
        if cheapest:
            bits = min(min(load0 >> 3 << 2, load1 >> 3 << 2 | 1), min(load2 >> 3 << 2 | 2, load3 >> 3 << 2 | 3))
        lanes[CHANCE * LANES + lane] = bits >> 2
        row = (best if best >= 0 else bits) & 3
        load = (load0 if row == 0 else 0) | (load1 if row == 1 else 0)
        load |= (load2 if row == 2 else 0) | (load3 if row == 3 else 0)
        takes = (best < 0) | (load & 7 == ROW_LIMIT)
        more = (card >> 4 & 7) << 3 | 1
        after = more if takes else load + more
        end = value | row
        lanes[END * LANES + lane] = end if row == 0 else end0
        lanes[(END + 1) * LANES + lane] = end if row == 1 else end1
        lanes[(END + 2) * LANES + lane] = end if row == 2 else end2
        lanes[(END + 3) * LANES + lane] = end if row == 3 else end3
        lanes[LOAD * LANES + lane] = after if row == 0 else load0
        lanes[(LOAD + 1) * LANES + lane] = after if row == 1 else load1
        lanes[(LOAD + 2) * LANES + lane] = after if row == 2 else load2
        lanes[(LOAD + 3) * LANES + lane] = after if row == 3 else load3
        lanes[queued + lane] = (load >> 3 | 256) if takes else 0
    for seat in range(seats):
        score = (SCORE + seat) * LANES
        for lane in range(LANES):
            mine = (lanes[NOW * LANES + lane] & 15) == seat
            lanes[score + lane] += lanes[queued + lane] if mine else 0


@jit
def play_lanes(lanes: Numbers, chance: Numbers, seats: int, cheapest: bool, points: Numbers, taken: Numbers) -> None:
    """Random rounds, shuffle included: bulls and rows taken by each seat in each round."""
    words, picks = np.empty(LANES, np.uint32), np.empty(LANES, np.int32)
    for first in range(0, len(points), LANES):
        deal(lanes, chance, words, picks, seats)
        for turn in range(HAND):
            reveal(lanes, chance, words, seats, turn)
            for k in range(seats):
                place(lanes, seats, k, cheapest)
        for lane in range(min(LANES, len(points) - first)):
            for seat in range(seats):
                score = lanes[(SCORE + seat) * LANES + lane]
                points[first + lane, seat] = score & 255
                taken[first + lane, seat] = score >> 8
