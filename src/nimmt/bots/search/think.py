"""The search: every play of the own hand (or every row) is tried in many imagined worlds, played to the end."""

from __future__ import annotations

import math

import numpy as np

from nimmt.bots.search.belief import imagine
from nimmt.bots.search.board import ROWS, take
from nimmt.bots.search.jit import compiled
from nimmt.bots.search.rollout import new_desk, new_world, pick_play, place_one, play_out, play_turn, roll
from nimmt.bots.search.types import HAND, SEATS, Desk, Effort, Floats, Ints, Kinds, Situation, Stakes, World

ROUNDS = 8
"""So often the search looks which plays are not worth more of its time."""
CLEARLY = 3.0
"""Standard errors that a play must be behind the best one to be given up."""


@compiled
def worth(score: Ints, seat: int, seats: int, stakes: Stakes) -> float:
    """The chance to win the match with this result of the round, or to win the round if it is the last one."""
    own, best, worst, others = 0.0, 1e9, -1e9, 0.0
    for other in range(seats):
        total = float(stakes.totals[other] + score[other])
        best, worst = min(best, total), max(worst, total)
        if other == seat:
            own = total
        else:
            others += score[other]
    share = 0.0
    if stakes.rounds_left == 0 or (stakes.rounds_left < 0 and worst >= stakes.limit):
        if own == best:
            for other in range(seats):
                share += stakes.totals[other] + score[other] == best
            share = 1.0 / share
    else:
        rounds = float(stakes.rounds_left) if stakes.rounds_left > 0 else max((stakes.limit - worst) / 13.0, 0.4)
        spread = 5.5 * math.sqrt(rounds)
        for other in range(seats):
            share += math.exp((best - stakes.totals[other] - score[other]) / spread)
        share = math.exp((best - own) / spread) / share
    return share + stakes.blend * (others / (seats - 1) - score[seat])


@compiled
def enter(world: World, now: Situation, hands: Ints) -> None:
    world.board[:] = now.board
    world.hands[: now.seats] = hands[: now.seats]
    world.twists[:] = now.twists
    world.hidden[:] = now.hidden
    world.score[:] = now.score


@compiled
def finish_row(world: World, now: Situation, row: int, types: Ints, kinds: Kinds, desk: Desk) -> None:
    """Take the row, then place what is left of the turn."""
    world.score[now.seat] += take(world.board, row, now.queued[0] >> 1)
    for place in range(1, len(now.queue)):
        seat = now.queue[place]
        place_one(world, seat, now.queued[place], kinds.any_row[types[seat]], desk.dice)


@compiled
def think(now: Situation, stakes: Stakes, kinds: Kinds, effort: Effort, choices: Ints, seed: int, values: Floats) -> int:
    """The index of the best choice: plays, or rows if the situation has a queue. `values` gets what each is worth."""
    count, number = len(choices), effort.worlds
    desk, world = new_desk(seed), new_world()
    worlds, types = np.zeros((number, now.seats, HAND + 1), np.int64), np.zeros((number, SEATS), np.int64)
    imagine(now, kinds, effort, desk, worlds, types)
    results = np.zeros((count, number))
    alive = np.ones(count, np.bool_)
    plays, best = np.zeros(SEATS, np.int64), 0
    choosing_row = len(now.queue) > 0
    for at in range(number):
        if not choosing_row:
            enter(world, now, worlds[at])
            roll(desk.dice, seed, 2 * at + 1)
            for seat in range(now.seats):
                kind = types[at, seat]
                if seat != now.seat:
                    plays[seat] = pick_play(world, seat, now.size, now.seats, kinds.factors[kind], kinds.slips[kind], desk)
        for choice in range(count):
            if not alive[choice]:
                continue
            enter(world, now, worlds[at])
            roll(desk.dice, seed, 2 * at + 2)
            if choosing_row:
                finish_row(world, now, choices[choice], types[at], kinds, desk)
                play_out(world, now.size, now.seats, types[at], kinds, desk)
            else:
                plays[now.seat] = choices[choice]
                play_turn(world, now.size, now.seats, plays, types[at], kinds, desk)
                play_out(world, now.size - 1, now.seats, types[at], kinds, desk)
            results[choice, at] = worth(world.score, now.seat, now.seats, stakes)
        if (at + 1) * ROUNDS % number < ROUNDS:
            best = give_up(results, at + 1, alive)
            if alive.sum() == 1:
                break
    for choice in range(count):
        values[choice] = results[choice, :number].mean() if alive[choice] else -1e9
    return best


@compiled
def give_up(results: Floats, tried: int, alive: Ints) -> int:
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


def rows() -> Ints:
    return np.arange(ROWS, dtype=np.int64)
