"""The search: every play of the own hand (or every row) is tried in many imagined worlds, played to the end."""

from __future__ import annotations

import math

import numpy as np

from nimmt.fast.jit import Flat, Flats, jit, part, wide
from nimmt.fast.parts import ROW, take_from_queue
from nimmt.games.six.kernels import end_draft, take
from nimmt.games.six.search.belief import imagine, shuffle
from nimmt.games.six.search.policy import insert, pick_play, place_queue, play_out, reveal, roll
from nimmt.games.six.search.situation import (
    Desk,
    Effort,
    Flags,
    Floats,
    Ints,
    Kinds,
    Situation,
    Stakes,
    Worlds,
    new_desk,
    new_worlds,
)
from nimmt.games.six.search.unplayed import note_played
from nimmt.games.six.types import HAND, MAX_SEATS, ROWS

# -- think -------------------------------------------------------------------------------------------------------------

ROUNDS = 8
"""So often the search looks which plays are not worth more of its time."""
CLEARLY = 3.0
"""Standard errors that a play must be behind the best one to be given up."""
BULLS_A_ROUND, SPREAD = 13.0, 5.5
"""What the last of a table takes in a round, and how far a round drives the standings apart: rough experience."""


@part
def worth(s: Flat, seat: int, stakes: Stakes) -> float:
    """The chance to win the match with this result of the round, or to win the round if it is the last one."""
    totals, seats = stakes.totals, wide(s.seats)
    own, best, worst, others = 0.0, 1e9, -1e9, 0.0
    for other in range(seats):
        total = float(totals[other] + s.points[other])
        best, worst = min(best, total), max(worst, total)
        if other == seat:
            own = total
        else:
            others += s.points[other]
    share = 0.0
    if stakes.rounds_left == 0 or (stakes.rounds_left < 0 and worst >= stakes.limit):
        if own == best:
            for other in range(seats):
                share += totals[other] + s.points[other] == best
            share = 1.0 / share
    else:
        rounds = (
            float(stakes.rounds_left) if stakes.rounds_left > 0 else max((stakes.limit - worst) / BULLS_A_ROUND, 0.4)
        )
        spread = SPREAD * math.sqrt(rounds)
        for other in range(seats):
            share += math.exp((best - totals[other] - s.points[other]) / spread)
        share = math.exp((best - own) / spread) / share
    return float(share + stakes.blend * (others / (seats - 1) - s.points[seat]))


@jit
def search(
    now: Situation, stakes: Stakes, kinds: Flats, worlds: Worlds, choices: Ints, seed: int, desk: Desk
) -> Floats:
    """What each choice is worth: plays, or rows if one must be chosen. Nothing for those given up on the way."""
    count, number, tried = len(choices), len(worlds.flats), 0
    s, mind, thrown = desk.scratch[0], desk.minds[0], np.zeros(MAX_SEATS, np.int64)
    results, alive = np.zeros((count, number)), np.ones(count, np.bool_)
    while tried < number and alive.sum() > 1:
        world, types = worlds.flats[tried], worlds.types[tried]
        if world.phase != ROW:
            roll(mind, seed, 2 * tried)
            for seat in range(wide(s.seats)):
                thrown[seat] = pick_play(world, seat, kinds[types[seat]], mind)
        for choice in range(count):
            if not alive[choice]:
                continue
            # The same chance for every choice: what differs is what the choice has done.
            roll(mind, seed, 2 * tried + 1)
            desk.scratch[0] = world
            if s.phase == ROW:
                take(s, take_from_queue(s), choices[choice] - 1)
            else:
                for seat in range(wide(s.seats)):
                    s.chosen[seat] = choices[choice] if seat == now.seat else thrown[seat]
                reveal(s)
            place_queue(s, types, kinds, mind)
            play_out(s, types, kinds, mind)
            results[choice, tried] = worth(s, now.seat, stakes)
        tried += 1
        if tried * ROUNDS % number < ROUNDS:
            give_up(results, tried, alive)
    values = np.full(count, -np.inf)
    for choice in range(count):
        if alive[choice]:
            values[choice] = results[choice, :tried].mean()
    return values


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
    any_row = kinds.types["any_row"].astype(bool)
    cheapest, another = np.where(any_row, 0.25, CHEAPEST), np.where(any_row, 0.25, (1 - CHEAPEST) / (ROWS - 1))
    return np.asarray(cheapest ** now.rows_taken[:, :1] * another ** now.rows_taken[:, 1:], np.float64)


ALL_ROWS: Ints = np.arange(1, ROWS + 1, dtype=np.int64)


def think(now: Situation, stakes: Stakes, kinds: Kinds, effort: Effort, choices: Ints, seed: int) -> tuple[int, Floats]:
    """The best of the choices, and what each is worth (nothing for those given up on the way)."""
    desk, number = new_desk(now.flat), max(effort.worlds * 4 // max(now.seats, 4), 8)  # more seats take longer
    worlds = new_worlds(now.flat, number)
    imagine(now, kinds, clues(now, kinds), effort, worlds, seed, desk)
    values = search(now, stakes, kinds.types, worlds, choices, seed, desk)
    return int(choices[values.argmax()]), values


# -- draft -------------------------------------------------------------------------------------------------------------
# Which card to draft: every card of the pool is tried, the rest of the draft at random, then the round is played.


@part
def draft_at_random(s: Flat, cards: Ints) -> None:
    """The first card is the own seat's; the others go to whoever lacks some, and what is left starts the rows."""
    insert(s, wide(s.drafter), cards[0])
    used = 1
    for seat in range(wide(s.seats)):
        for _ in range(wide(s.sizes[seat]), HAND):
            insert(s, seat, cards[used])
            used += 1
    for row in range(ROWS):
        s.pool[row] = cards[used + row]
        note_played(s, cards[used + row])
    end_draft(s)


@jit
def search_draft(flat: Flats, stakes: Stakes, kinds: Kinds, number: int, seed: int, desk: Desk) -> int:
    """The best card of the pool, for the seat that drafts next."""
    own, pool = wide(flat[0].drafter), np.zeros(wide(flat[0].pooled), np.int64)
    for at in range(len(pool)):
        pool[at] = flat[0].pool[at]
    count, tried, best, cards, types = len(pool), 0, 0, pool.copy(), np.full(MAX_SEATS, kinds.own)
    s, mind = desk.scratch[0], desk.minds[0]
    results, alive = np.zeros((count, number)), np.ones(count, np.bool_)
    while tried < number and alive.sum() > 1:
        for choice in range(count):
            if not alive[choice]:
                continue
            roll(mind, seed, tried)
            cards[:] = pool
            shuffle(cards, mind)
            at = 0
            while cards[at] != pool[choice]:
                at += 1
            cards[at], cards[0] = cards[0], cards[at]
            desk.scratch[0] = flat[0]
            draft_at_random(s, cards)
            play_out(s, types, kinds.types, mind)
            results[choice, tried] = worth(s, own, stakes)
        tried += 1
        if tried * ROUNDS % number < ROUNDS:
            best = give_up(results, tried, alive)
    return int(pool[best])
