"""The search: every play of the own hand (or every row) is tried in many imagined worlds, played to the end."""

from __future__ import annotations

import math

import numpy as np

from nimmt.fast.jit import jit, part
from nimmt.games.six.search.belief import imagine, shuffle
from nimmt.games.six.search.board import (
    BULLS_ON,
    COW,
    END,
    FANS,
    HAND,
    HANDS,
    HIDDEN,
    LENGTH,
    LOOK,
    MOUNTAIN_ROW,
    MOUNTAIN_STEP,
    NOWHERE,
    PARITY,
    PARITY_ROW,
    PLAYS,
    ROWS,
    SCORE,
    SEATS,
    STRIDE,
    TOP,
    TWISTS,
    WORLD,
    WORTH,
    Effort,
    Flags,
    Floats,
    Ints,
    Kinds,
    Situation,
    Stakes,
    lowest_end,
    take,
)
from nimmt.games.six.search.policy import insert, pick_play, place_one, play_out, play_turn, roll

# -- think -------------------------------------------------------------------------------------------------------------

ROUNDS = 8
"""So often the search looks which plays are not worth more of its time."""
CLEARLY = 3.0
"""Standard errors that a play must be behind the best one to be given up."""
BULLS_A_ROUND, SPREAD = 13.0, 5.5
"""What the last of a table takes in a round, and how far a round drives the standings apart: rough experience."""


@part
def worth(world: Ints, seat: int, seats: int, totals: Ints, limit: int, rounds_left: int, blend: float) -> float:
    """The chance to win the match with this result of the round, or to win the round if it is the last one."""
    own, best, worst, others = 0.0, 1e9, -1e9, 0.0
    for other in range(seats):
        total = float(totals[other] + world[SCORE + other])
        best, worst = min(best, total), max(worst, total)
        if other == seat:
            own = total
        else:
            others += world[SCORE + other]
    share = 0.0
    if rounds_left == 0 or (rounds_left < 0 and worst >= limit):
        if own == best:
            for other in range(seats):
                share += totals[other] + world[SCORE + other] == best
            share = 1.0 / share
    else:
        rounds = float(rounds_left) if rounds_left > 0 else max((limit - worst) / BULLS_A_ROUND, 0.4)
        spread = SPREAD * math.sqrt(rounds)
        for other in range(seats):
            share += math.exp((best - totals[other] - world[SCORE + other]) / spread)
        share = math.exp((best - own) / spread) / share
    return float(share + blend * (others / (seats - 1) - world[SCORE + seat]))


@jit
def search(
    start: Ints,
    own: int,
    seats: int,
    size: int,
    queue: Ints,
    queued: Ints,
    totals: Ints,
    limit: int,
    rounds_left: int,
    blend: float,
    factors: Floats,
    slips: Floats,
    any_row: Ints,
    worlds: Ints,
    types: Ints,
    choices: Ints,
    seed: int,
    values: Floats,
) -> int:
    """The index of the best choice: plays, or rows if there is a queue. `values` gets what each is worth."""
    count, number, tried, best = len(choices), len(worlds), 0, 0
    plays, thrown, order = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64)
    looks, weights, dice = np.zeros(PLAYS * LOOK, np.int64), np.zeros(PLAYS), np.zeros(1, np.uint64)
    results, alive, world = np.zeros((count, number)), np.ones(count, np.bool_), start.copy()
    while tried < number and alive.sum() > 1:
        chosen = types[tried]
        if len(queue) == 0:
            roll(dice, seed, 2 * tried)
            world[:] = worlds[tried]
            for seat in range(seats):
                thrown[seat] = pick_play(world, seat, size, seats, chosen[seat], factors, slips, looks, weights, dice)
        for choice in range(count):
            if not alive[choice]:
                continue
            # The same chance for every choice: what differs is what the choice has done.
            roll(dice, seed, 2 * tried + 1)
            world[:] = worlds[tried]
            left = size
            if len(queue) > 0:
                world[SCORE + own] += take(world, choices[choice], queued[0] >> 1)
                for place in range(1, len(queue)):
                    place_one(world, queue[place], queued[place], any_row[chosen[queue[place]]], dice)
            else:
                thrown[own] = choices[choice]
                play_turn(world, size, seats, thrown, order, chosen, any_row, dice)
                left -= 1
            play_out(world, left, seats, chosen, factors, slips, any_row, plays, order, looks, weights, dice)
            results[choice, tried] = worth(world, own, seats, totals, limit, rounds_left, blend)
        tried += 1
        if tried * ROUNDS % number < ROUNDS:
            best = give_up(results, tried, alive)
    for choice in range(count):
        values[choice] = results[choice, :tried].mean() if alive[choice] else -np.inf
    return best


@part
def give_up(results: Floats, tried: int, alive: Flags) -> int:
    """Forget the choices that are clearly worse than the best one; the best one."""
    best, best_mean = -1, 0.0
    for choice in range(len(results)):
        if alive[choice]:
            mean = results[choice, :tried].mean()
            if best < 0 or mean > best_mean:
                best, best_mean = choice, mean
    for choice in range(len(results)):
        if alive[choice] and choice != best:
            behind, squares = 0.0, 0.0
            for at in range(tried):
                gap = results[best, at] - results[choice, at]
                behind += gap
                squares += gap * gap
            behind /= tried
            error = math.sqrt(max(squares / tried - behind * behind, 1e-12) / tried)
            if behind > CLEARLY * error:
                alive[choice] = False
    return best


CHEAPEST = 0.94
"""How often players who look at the table take the cheapest row."""


def clues(now: Situation, kinds: Kinds) -> Floats:
    """What the rows that a seat took say about its type."""
    any_row = kinds.any_row.astype(bool)
    cheapest, another = np.where(any_row, 0.25, CHEAPEST), np.where(any_row, 0.25, (1 - CHEAPEST) / (ROWS - 1))
    return np.asarray(cheapest ** now.rows_taken[:, :1] * another ** now.rows_taken[:, 1:], np.float64)


ALL_ROWS: Ints = np.arange(ROWS, dtype=np.int64)


def think(now: Situation, stakes: Stakes, kinds: Kinds, effort: Effort, choices: Ints, seed: int) -> tuple[int, Floats]:
    """The best of the choices, and what each is worth (nothing for those given up on the way)."""
    dice, values = np.zeros(1, np.uint64), np.zeros(len(choices))
    roll(dice, seed, -1)
    number = max(effort.worlds * 4 // max(now.seats, 4), 8)  # a world with more seats takes longer
    worlds, types = np.zeros((number, WORLD), np.int64), np.zeros((number, SEATS), np.int64)
    table = now.world, now.seat, now.seats, now.size
    habits = kinds.factors, kinds.slips
    past = now.pool, now.past, now.past_plays
    walk = effort.warm_up, effort.thinning
    imagine(*table, *past, *habits, kinds.prior, clues(now, kinds), kinds.own, *walk, effort.herd, dice, worlds, types)
    best = search(*table, now.queue, now.queued, *stakes, *habits, kinds.any_row, worlds, types, choices, seed, values)
    return int(choices[best]), values


# -- draft -------------------------------------------------------------------------------------------------------------
# Which card to draft: every card of the pool is tried, the rest of the draft at random, then the round is played.


@jit
def lay_rows(world: Ints, cards: Ints, parity: bool, mountain: bool, cow: bool) -> None:
    """The rows at the beginning of a round, and the fan cards in play."""
    for row in range(ROWS):
        card = cards[row]
        world[END + row], world[LENGTH + row], world[WORTH + row], world[TOP + row] = card, 1, BULLS_ON[card], card
    lowest = lowest_end(world, NOWHERE)
    world[PARITY_ROW], world[PARITY] = (lowest, world[END + lowest] % 2) if parity else (NOWHERE, 0)
    world[MOUNTAIN_ROW], world[MOUNTAIN_STEP] = ROWS - 1 if mountain else NOWHERE, -1
    world[COW] = lowest if cow else NOWHERE
    world[FANS] = 1 if parity or mountain or cow else 0


@jit
def search_draft(
    start: Ints,
    own: int,
    seats: int,
    drafted: Ints,
    pool: Ints,
    fans: Ints,
    totals: Ints,
    limit: int,
    rounds_left: int,
    blend: float,
    factors: Floats,
    slips: Floats,
    any_row: Ints,
    kind: int,
    number: int,
    seed: int,
) -> int:
    """The index in the pool of the best card. `start` has the hands so far, `drafted` says how many cards each has."""
    count, tried, best = len(pool), 0, 0
    plays, order, types = np.zeros(SEATS, np.int64), np.zeros(SEATS, np.int64), np.full(SEATS, kind)
    looks, weights, dice = np.zeros(PLAYS * LOOK, np.int64), np.zeros(PLAYS), np.zeros(1, np.uint64)
    results, alive, world, cards = np.zeros((count, number)), np.ones(count, np.bool_), start.copy(), pool.copy()
    rows = np.zeros(ROWS, np.int64)
    while tried < number and alive.sum() > 1:
        for choice in range(count):
            if not alive[choice]:
                continue
            roll(dice, seed, tried)
            cards[:] = pool
            shuffle(cards, dice)
            at = 0
            while cards[at] != pool[choice]:
                at += 1
            cards[at], cards[0] = cards[0], cards[at]
            world[:] = start
            used = 1
            insert(world, HANDS + STRIDE * own, drafted[own], cards[0])
            for seat in range(seats):
                for size in range(drafted[seat] + (1 if seat == own else 0), HAND):
                    insert(world, HANDS + STRIDE * seat, size, cards[used])
                    used += 1
            rows[:] = np.sort(cards[used : used + ROWS])
            lay_rows(world, rows, fans[0] > 0, fans[1] > 0, fans[2] > 0)
            for row in range(ROWS):
                world[HIDDEN + (rows[row] >> 6)] &= ~(1 << (rows[row] & 63))
            for seat in range(seats):
                world[SCORE + seat], world[TWISTS + seat] = 0, fans[3]
            play_out(world, HAND, seats, types, factors, slips, any_row, plays, order, looks, weights, dice)
            results[choice, tried] = worth(world, own, seats, totals, limit, rounds_left, blend)
        tried += 1
        if tried * ROUNDS % number < ROUNDS:
            best = give_up(results, tried, alive)
    return best
