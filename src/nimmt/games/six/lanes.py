"""The basic game in 64 lanes: as many rounds side by side, every step a loop over all of them without a branch.

Such loops become vector instructions, sixteen lanes at a time, which makes random rounds several times as fast as any
scalar code. There are no fan cards, no draft and no other players here.

All that the lanes hold is one array of int16, slot after slot, each with a number for every lane: with fixed slots the
compiler can see that no two overlap. Slots hold

    END + row     the end of the row: its number << 2 | row, so that the highest lower end is a plain maximum
    LOAD + row    what lies in the row: bulls << 3 | cards
    QUEUE + k     the k-th card to be placed, from the lowest: number << 7 | bulls << 4 | seat
    NOW           the card being placed, the same way
    LOOT          what it takes: 256 | bulls, or nothing
    CHANCE, + 1   random bits of the turn, two for each of the first five and of the other cards
    BITS          CHANCE before the last placement; only written where rounds are recorded
    SCORE + seat  what a seat has taken: rows << 8 | bulls
    DECK + place  the cards of the deck: number << 7 | bulls << 4

Hands are played in the order in which they were dealt: as that is random, so is the play. Chance is xoshiro128++ (by
Blackman and Vigna, public domain), one generator for each lane.
"""

from __future__ import annotations

import numpy as np

from nimmt.fast.chance import split_mix
from nimmt.fast.jit import Numbers, hot, jit, part
from nimmt.fast.parts import closer
from nimmt.games.six.types import HAND, MAX_SEATS, ROW_LIMIT, ROWS
from nimmt.rules.kit.cards import BULLS, HIGHEST

LANES = 64

END = 0
LOAD = END + ROWS
QUEUE = LOAD + ROWS
NOW = QUEUE + MAX_SEATS
LOOT = NOW + 1
CHANCE = LOOT + 1
BITS = CHANCE + 2
SCORE = BITS + 1
DECK = SCORE + MAX_SEATS
SLOTS = DECK + HIGHEST

_SORTED_DECK = np.array([card << 7 | BULLS[card] << 4 for card in range(1, HIGHEST + 1)], dtype=np.int16)
_NONE, _ZERO, _FULL = np.int16(-1), np.int16(0), np.int16(ROW_LIMIT)
_ROW_0, _ROW_1, _ROW_2, _ROW_3 = np.int16(0), np.int16(1), np.int16(2), np.int16(3)
_FIRST_HALF = MAX_SEATS // 2
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


@hot
def slot(lanes: Numbers, number: int) -> Numbers:
    """All lanes of one slot. Loops over it go to its length, not to LANES: short loops of known length would be
    unrolled before anybody thinks of vectors."""
    return lanes[number * LANES : (number + 1) * LANES]


@hot
def copy(source: Numbers, target: Numbers) -> None:
    """A slice assignment would do the same, but takes the compiler seconds: it could fail, and says so in words."""
    for i in range(len(target)):
        target[i] = source[i]


@part
def deal(lanes: Numbers, chance: Numbers, words: Numbers, picks: Numbers, seats: int) -> None:
    """Shuffle as many cards of each deck as are needed; start the rows."""
    for place in range(HAND * seats + ROWS):
        draw(chance, words)
        left = np.uint64(HIGHEST - place)
        for lane in range(len(words)):
            picks[lane] = ((words[lane] * left) >> np.uint64(32)) * np.uint64(LANES)
        deck = lanes[(DECK + place) * LANES :]
        for lane in range(LANES):
            other = np.uint64(picks[lane]) + np.uint64(lane)
            card = deck[lane]
            deck[lane] = deck[other]
            deck[other] = card
    for row in range(ROWS):
        cards, ends, loads = slot(lanes, DECK + HAND * seats + row), slot(lanes, END + row), slot(lanes, LOAD + row)
        for lane in range(len(cards)):
            ends[lane] = cards[lane] >> 7 << 2 | row
            loads[lane] = (cards[lane] >> 4 & 7) << 3 | 1
    for seat in range(seats):
        slot(lanes, SCORE + seat)[:] = 0


@part
def reveal(lanes: Numbers, chance: Numbers, words: Numbers, seats: int, turn: int) -> None:
    """Everybody's card of this turn, lowest first, and the random bits for rule 4."""
    for seat in range(seats):
        cards, queue = slot(lanes, DECK + HAND * seat + turn), slot(lanes, QUEUE + seat)
        for lane in range(len(queue)):
            queue[lane] = cards[lane] | seat
    for i in range(1, seats):
        for k in range(i, 0, -1):
            pair = lanes[(QUEUE + k - 1) * LANES : (QUEUE + k + 1) * LANES]
            for lane in range(LANES):
                low, high = pair[lane], pair[LANES + lane]
                pair[lane] = min(low, high)
                pair[LANES + lane] = max(low, high)
    draw(chance, words)
    first, second = slot(lanes, CHANCE), slot(lanes, CHANCE + 1)
    for lane in range(len(words)):
        first[lane] = words[lane] & np.uint32(0x3FF)
        second[lane] = words[lane] >> np.uint32(22)


@part
def place(lanes: Numbers, seats: int, k: int, cheapest: bool) -> None:
    """Place the k-th card of the turn in every lane."""
    queue, now, loot = slot(lanes, QUEUE + k), slot(lanes, NOW), slot(lanes, LOOT)
    for lane in range(len(now)):
        now[lane] = queue[lane]
    if k == _FIRST_HALF:
        copy(slot(lanes, CHANCE + 1), slot(lanes, CHANCE))
    for lane in range(LANES):
        card = lanes[NOW * LANES + lane]
        end0, end1 = lanes[END * LANES + lane], lanes[(END + 1) * LANES + lane]
        end2, end3 = lanes[(END + 2) * LANES + lane], lanes[(END + 3) * LANES + lane]
        load0, load1 = lanes[LOAD * LANES + lane], lanes[(LOAD + 1) * LANES + lane]
        load2, load3 = lanes[(LOAD + 2) * LANES + lane], lanes[(LOAD + 3) * LANES + lane]
        value = np.int16(card >> 7 << 2)
        best = closer(closer(closer(closer(_NONE, end0, value), end1, value), end2, value), end3, value)
        bits = lanes[CHANCE * LANES + lane]
        if cheapest:
            bits = min(
                min(np.int16(load0 >> 3 << 2), np.int16(load1 >> 3 << 2 | 1)),
                min(np.int16(load2 >> 3 << 2 | 2), np.int16(load3 >> 3 << 2 | 3)),
            )
        lanes[CHANCE * LANES + lane] = bits >> 2
        row = np.int16((best if best >= _ZERO else bits) & 3)
        load = np.int16((load0 if row == _ROW_0 else _ZERO) | (load1 if row == _ROW_1 else _ZERO))
        load = np.int16(load | (load2 if row == _ROW_2 else _ZERO) | (load3 if row == _ROW_3 else _ZERO))
        takes = (best < _ZERO) | (np.int16(load & 7) == _FULL)
        more = np.int16((card >> 4 & 7) << 3 | 1)
        after = more if takes else np.int16(load + more)
        end = np.int16(value | row)
        lanes[END * LANES + lane] = end if row == _ROW_0 else end0
        lanes[(END + 1) * LANES + lane] = end if row == _ROW_1 else end1
        lanes[(END + 2) * LANES + lane] = end if row == _ROW_2 else end2
        lanes[(END + 3) * LANES + lane] = end if row == _ROW_3 else end3
        lanes[LOAD * LANES + lane] = after if row == _ROW_0 else load0
        lanes[(LOAD + 1) * LANES + lane] = after if row == _ROW_1 else load1
        lanes[(LOAD + 2) * LANES + lane] = after if row == _ROW_2 else load2
        lanes[(LOAD + 3) * LANES + lane] = after if row == _ROW_3 else load3
        lanes[LOOT * LANES + lane] = np.int16(load >> 3 | 256) if takes else _ZERO
    for seat in range(seats):
        score = slot(lanes, SCORE + seat)
        owner = np.int16(seat)
        for lane in range(len(score)):
            gain, mine = loot[lane], np.int16(now[lane] & 15) == owner  # read anyway: branches stop vectors
            score[lane] += gain if mine else _ZERO


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


@jit
def trace_lanes(lanes: Numbers, chance: Numbers, seats: int, cheapest: bool, trace: Numbers) -> None:
    """One batch, with all slots written down after the deal and after each placement."""
    words, picks = np.empty(LANES, np.uint32), np.empty(LANES, np.int32)
    deal(lanes, chance, words, picks, seats)
    copy(lanes, trace[0])
    line = 0
    for turn in range(HAND):
        reveal(lanes, chance, words, seats, turn)
        for k in range(seats):
            copy(slot(lanes, CHANCE + (k == _FIRST_HALF)), slot(lanes, BITS))
            place(lanes, seats, k, cheapest)
            line += 1
            copy(lanes, trace[line])
