"""The search: every play of the own hand (or every row) is tried in many imagined worlds, played to the end."""

from __future__ import annotations

import math

import numpy as np

from nimmt.bots.search.belief import imagine
from nimmt.bots.search.board import ROWS, take
from nimmt.bots.search.rollout import pick_play, place_one, play_out, play_turn, roll
from nimmt.bots.search.types import (
    LOOK,
    PLAYS,
    SCORE,
    SEATS,
    WORLD,
    Effort,
    Flags,
    Floats,
    Ints,
    Kinds,
    Situation,
    Stakes,
)
from nimmt.fast.jit import jit, part

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
