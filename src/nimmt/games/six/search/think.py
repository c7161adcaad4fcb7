"""The search: every play of the hand (or every row) is rolled out in many worlds sampled from the belief."""

from __future__ import annotations

import math

import numpy as np

from nimmt.fast.jit import Flat, Flats, jit, part, wide
from nimmt.fast.parts import ROW, take_from_queue
from nimmt.games.six.kernels import end_draft, take
from nimmt.games.six.search.belief import imagine, shuffle
from nimmt.games.six.search.policy import insert, pick_play, place_queue, play_out, play_turn, reveal, roll
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
    at_table,
    new_desk,
    new_worlds,
)
from nimmt.games.six.search.unplayed import note_played
from nimmt.games.six.search.value import foretell
from nimmt.games.six.types import HAND, MAX_SEATS, ROWS

# -- think -------------------------------------------------------------------------------------------------------------

ROUNDS = 8
"""Stages of the search; after each, plays clearly behind are dropped."""
CLEARLY = 3.0
"""A play this many standard errors behind the best is dropped."""
AHEAD = 2
"""Turns of a rollout, the current one included, before the value network scores it."""
TRUST: Floats = np.array([0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 1.0, 1.0, 1.0, 1.0])
"""Weight of the value network, by cards left in a hand; the rest is the rollout to the end of the round. Early in a
round, the noise of rollouts is larger than the network's error."""
LATE = 5
"""Once this many turns are over, half as many worlds suffice."""
DOUBT = 4.0
"""How sure it is, in bulls, whether a match ends with this round."""
BULLS_A_ROUND, SPREAD = 13.0, 5.5
"""Bulls that the last of a table takes in a round, and the spread of scores per round; rough figures."""


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
        spread = spread_to_come(stakes, worst)
        for other in range(seats):
            share += math.exp((best - totals[other] - s.points[other]) / spread)
        share = math.exp((best - own) / spread) / share
    return float(share + stakes.blend * (others / (seats - 1) - s.points[seat]))


@part
def spread_to_come(stakes: Stakes, worst: float) -> float:
    """The expected spread of scores from the rounds to come."""
    rounds = float(stakes.rounds_left) if stakes.rounds_left > 0 else max((stakes.limit - worst) / BULLS_A_ROUND, 0.4)
    return SPREAD * math.sqrt(rounds)


@part
def prospect(s: Flat, seat: int, stakes: Stakes, leaf: Flat) -> float:
    """The same in the middle of a round, from the value network's estimates."""
    totals, seats = stakes.totals, wide(s.seats)
    best, worst, others, likeliest = 1e9, -1e9, 0.0, -1e9
    for other in range(seats):
        leaf.bulls[other] += s.points[other]
        leaf.chance[other] -= leaf.lead * totals[other]
        total = totals[other] + leaf.bulls[other]
        best, worst, likeliest = min(best, total), max(worst, total), max(likeliest, leaf.chance[other])
        if other != seat:
            others += leaf.bulls[other]
    last = 1.0 if stakes.rounds_left == 0 else 0.0
    if stakes.rounds_left < 0:
        last = 1.0 / (1.0 + math.exp((stakes.limit - worst) / DOUBT))
    spread, all_now, all_later = spread_to_come(stakes, worst) if last < 1.0 else 1.0, 0.0, 0.0
    for other in range(seats):
        all_now += math.exp(leaf.chance[other] - likeliest)
        all_later += math.exp((best - totals[other] - leaf.bulls[other]) / spread)
    now = math.exp(leaf.chance[seat] - likeliest) / all_now
    later = math.exp((best - totals[seat] - leaf.bulls[seat]) / spread) / all_later
    share = last * now + (1.0 - last) * later
    return float(share + stakes.blend * (others / (seats - 1) - leaf.bulls[seat]))


@part
def play_ahead(s: Flat, seat: int, types: Ints, kinds: Kinds, stakes: Stakes, desk: Desk) -> float:
    """The value of a position between two turns, by the value network, by a rollout to the end, or a mix of both."""
    mind, trust, foretold = desk.minds[0], 0.0 if len(kinds.value) == 0 else TRUST[s.sizes[seat]], 0.0
    if trust > 0.0:
        for _ in range(AHEAD - 1):
            play_turn(s, types, kinds.types, mind)
        foretell(s, types, kinds.types, kinds.value, mind, desk.leaves[0])
        foretold = trust * prospect(s, seat, stakes, desk.leaves[0])
        if trust >= 1.0:
            return foretold
    play_out(s, types, kinds.types, mind)
    return foretold + (1.0 - trust) * worth(s, seat, stakes)


@jit
def search(
    now: Situation, stakes: Stakes, kinds: Kinds, worlds: Worlds, choices: Ints, seed: int, desk: Desk
) -> Floats:
    """The value of each choice: plays, or rows if one must be chosen. Dropped choices get none."""
    count, number, tried = len(choices), len(worlds.flats), 0
    s, mind, thrown = desk.scratch[0], desk.minds[0], np.zeros(MAX_SEATS, np.int64)
    results, alive = np.zeros((count, number)), np.ones(count, np.bool_)
    while tried < number and alive.sum() > 1:
        world, types = worlds.flats[tried], worlds.types[tried]
        if world.phase != ROW:
            roll(mind, seed, 2 * tried)
            for seat in range(wide(s.seats)):
                thrown[seat] = pick_play(world, seat, kinds.types[types[seat]], mind)
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
            place_queue(s, types, kinds.types, mind)
            results[choice, tried] = play_ahead(s, now.seat, types, kinds, stakes, desk)
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
    """Drop the choices that are clearly worse than the best one; returns the best one."""
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
"""How often players other than random ones take the cheapest row."""


def clues(now: Situation, kinds: Kinds) -> Floats:
    """Likelihood of the rows that each seat took, by seat and type."""
    any_row = kinds.types["any_row"].astype(bool)
    cheapest, another = np.where(any_row, 0.25, CHEAPEST), np.where(any_row, 0.25, (1 - CHEAPEST) / (ROWS - 1))
    return np.asarray(cheapest ** now.rows_taken[:, :1] * another ** now.rows_taken[:, 1:], np.float64)


ALL_ROWS: Ints = np.arange(1, ROWS + 1, dtype=np.int64)


def think(now: Situation, stakes: Stakes, kinds: Kinds, effort: Effort, choices: Ints, seed: int) -> tuple[int, Floats]:
    """The best choice, and the value of each (dropped choices have none)."""
    kinds = at_table(kinds, now.seats)
    desk, number = new_desk(now.flat), max(effort.worlds * 4 // max(now.seats, 4), 8)  # more seats take longer
    if len(kinds.value) and len(now.past) > LATE:
        number = max(number // 2, 8)  # so few cards are hidden by then that worlds differ little
    worlds = new_worlds(now.flat, number)
    imagine(now, kinds, clues(now, kinds), effort, worlds, seed, desk)
    values = search(now, stakes, kinds, worlds, choices, seed, desk)
    return int(choices[values.argmax()]), values


# -- draft -------------------------------------------------------------------------------------------------------------
# Drafting: every card of the pool is tried, the draft is completed at random, and the round is rolled out.


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
