"""Many tables side by side, step by step: what batched environments do between two decisions, for all games.

A game declares (in its `batch.py`) how actions are numbered, what a seat sees as whole numbers, and what all could see
happening; the loops here deal, carry out, count, begin again and show. Whoever decides at the same time decides in one
step; everybody else has nothing to do but to wait.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from nimmt.fast.chance import seed_rng
from nimmt.fast.jit import Flat, Flats, Numbers, Words, implement, jit, part, wide
from nimmt.fast.kernels import Players, act, advance, begin, choose, legal, pick, tally, to_decide

# -- protocol ----------------------------------------------------------------------------------------------------------
# What the loops ask of a game besides what simulations ask (see `nimmt.fast.kernels`).


def number_of(s: Flat, seat: int, code: int) -> int:
    """The number that agents know an action by."""
    raise NotImplementedError


def code_of(s: Flat, seat: int, number: int) -> int:
    """The other way round, for a number that is legal now."""
    raise NotImplementedError


def observe(s: Flat, m: Flat, seat: int, out: Numbers) -> int:
    """Write down what the seat may know, in whole numbers; how many they are. They are 0 before."""
    raise NotImplementedError


def running(s: Flat, seat: int) -> int:
    """What the seat has gained or lost in this round so far, as everybody can see it."""
    raise NotImplementedError


def together(s: Flat) -> bool:
    """Whether all decide at the same time now, about cards."""
    raise NotImplementedError


def is_asked(s: Flat, seat: int) -> bool:
    """Whether the seat has anything to decide now."""
    raise NotImplementedError


def speaker(s: Flat, numbers: Numbers) -> int:
    """Of those who are asked, and do not decide together, the one whose decision counts."""
    raise NotImplementedError


def remember(s: Flat, m: Flat, seat: int, number: int) -> None:
    """What all see of a decision that is about to be carried out."""
    raise NotImplementedError


def look_around(s: Flat, m: Flat) -> None:
    """Remember what lies open now."""
    raise NotImplementedError


def next_round(s: Flat, m: Flat) -> None:
    """What the points so far change in the round that begins now."""
    raise NotImplementedError


# -- tables ------------------------------------------------------------------------------------------------------------

MAX_SEATS, MAX_CARDS = 10, 112

MATCH = np.dtype(
    [
        ("over", np.int8),
        ("rounds", np.int16),  # rounds that are finished
        ("logged", np.int32),  # decisions of this round
        ("totals", np.int32, MAX_SEATS),  # points of finished rounds
        ("counted", np.int32, MAX_SEATS),  # what `running` came to in finished rounds
        ("gained", np.int32, MAX_SEATS),  # what has been paid for
        ("open", np.int8, MAX_CARDS),  # by card: whether it has lain open in this round
        ("shown", np.int8, MAX_CARDS),  # by card: whether all saw it going into the hand that it is in; if needed
    ],
    align=True,
)
"""What goes on from round to round, and what can be remembered of this one."""

DECIDE, SETTLE, SHOW, RESET = 1, 2, 4, 8
"""What `play` does, in this order; RESET comes first."""

TASK, ROUNDS, TARGET, SIGN, RIVAL, AGAIN, CARDS = range(7)
"""Places in the settings: what to do; what ends a match (0: nothing of the kind); 1 if much is good, -1 if not; whether
the team plays against a rival; whether a finished table begins anew; the highest card."""

MAX_LEGAL = 8192


class Tables(NamedTuple):
    """All that goes on at the tables."""

    states: Flats
    matches: Flats
    chance: Words
    """(tables, 4): a generator for each."""
    decks: Numbers
    """(tables, cards): the decks in the order of the last deal."""
    log: Numbers
    """(tables, decisions, 2): seat and number of the last decisions, for those who want to see them."""


class Shown(NamedTuple):
    """What agents get to see, written anew by every step."""

    observations: Numbers
    masks: Numbers
    legal: Numbers
    """The masks once more, for the tables themselves: what agents write into theirs makes nothing legal."""
    rewards: Numbers
    done: Numbers
    points: Numbers
    """(tables, seats): of matches that are done."""
    won: Numbers
    final: Numbers
    """What was seen at their end, where the table has begun anew since."""


# -- steps -------------------------------------------------------------------------------------------------------------


@jit
def seed_tables(chance: Words, seed: np.uint64) -> None:
    for t in range(len(chance)):
        seed_rng(chance[t], seed, t)


@jit
def play(tables: Tables, shown: Shown, actions: Numbers, settings: Numbers, scales: Numbers) -> int:
    """Go through all tables once; -1, or the place (table after table, seat after seat) of an action that is illegal:
    then nothing has changed anywhere."""
    states, matches, chance, decks, log = tables
    task, auto = settings[TASK], settings[AGAIN]
    if task & DECIDE:
        wrong = first_illegal(actions, shown.legal)
        if wrong >= 0:
            return wrong
    seen, codes = np.zeros(len(scales), np.int32), np.empty(MAX_LEGAL, np.int64)
    points, taken, other = np.zeros(MAX_SEATS, np.int16), np.zeros(MAX_SEATS, np.int16), np.zeros(2, np.int16)
    for t in range(len(states)):
        s, m = states[t], matches[t]
        if task & RESET:
            restart(s, m, decks[t], chance[t])
        if task & DECIDE and not m.over:
            decide(s, m, actions[t], log[t])
        if task & SETTLE:
            shown.done[t] = False
            pay(s, m, shown.rewards[t], settings[SIGN])
            if to_decide(s) < 0 and not m.over:
                tally(s, points, taken, other)
                if end_round(s, m, points, settings):
                    shown.done[t] = True
                    settle(m, shown.points[t], shown.won[t], other[1], settings)
                    m.over = 1
                    if auto:
                        for seat in range(shown.final.shape[1]):
                            show(s, m, seat, log[t], settings[CARDS], seen)
                            scale(seen, scales, shown.final[t, seat])
                        restart(s, m, decks[t], chance[t])
                else:
                    next_round(s, m)
                    deal_again(s, m, decks[t], chance[t])
        if task & SHOW:
            for seat in range(shown.masks.shape[1]):
                show(s, m, seat, log[t], settings[CARDS], seen)
                scale(seen, scales, shown.observations[t, seat])
                offer(s, m, seat, codes, shown.legal[t, seat])
                for number in range(shown.masks.shape[2]):
                    shown.masks[t, seat, number] = shown.legal[t, seat, number]
    return -1


@jit
def help_on(tables: Tables, policy: int) -> None:
    """Let a policy decide until all decide together again, or a round is over."""
    states, matches, chance, _, log = tables
    params = np.zeros(1, np.float32)
    for t in range(len(states)):
        s, m = states[t], matches[t]
        seat = to_decide(s)
        while seat >= 0 and not together(s):
            code = wide(choose(s, seat, policy, params, chance[t]))
            note(s, m, seat, number_of(s, seat, code), log[t])
            act(s, seat, code)
            while advance(s):
                pass
            look_around(s, m)
            seat = to_decide(s)


@jit
def suggest(tables: Tables, players: Players, actions: Numbers) -> None:
    """What a policy of each seat would do now; the last number, to wait, is there already."""
    (states, matches, chance, _, _), (policies, params) = tables, players
    for t in range(len(states)):
        s = states[t]
        for seat in range(actions.shape[1]):
            if not matches[t].over and is_asked(s, seat):
                actions[t, seat] = number_of(s, seat, pick(s, seat, policies[seat], params, chance[t]))


@part
def first_illegal(actions: Numbers, masks: Numbers) -> int:
    tables, seats, numbers = masks.shape
    for t in range(tables):
        for seat in range(seats):
            number = actions[t, seat]
            if number < 0 or number >= numbers or masks[t, seat, number] == 0:
                return t * seats + seat
    return -1


@part
def restart(s: Flat, m: Flat, deck: Numbers, rng: Words) -> None:
    m.over = 0
    m.rounds = 0
    m.totals[:] = 0
    m.counted[:] = 0
    m.gained[:] = 0
    next_round(s, m)
    deal_again(s, m, deck, rng)


@part
def deal_again(s: Flat, m: Flat, deck: Numbers, rng: Words) -> None:
    m.logged = 0
    m.open[:] = 0
    m.shown[:] = 0
    begin(s, deck, rng)
    look_around(s, m)


@part
def decide(s: Flat, m: Flat, numbers: Numbers, log: Numbers) -> None:
    """Carry out what those who are asked have decided, and all that follows of itself."""
    if together(s):
        for seat in range(wide(s.seats)):
            note(s, m, seat, numbers[seat], log)
        for seat in range(wide(s.seats)):
            act(s, seat, wide(code_of(s, seat, numbers[seat])))
    else:
        seat = wide(speaker(s, numbers))
        note(s, m, seat, numbers[seat], log)
        act(s, seat, wide(code_of(s, seat, numbers[seat])))
    while advance(s):
        pass
    look_around(s, m)


@part
def note(s: Flat, m: Flat, seat: int, number: int, log: Numbers) -> None:
    remember(s, m, seat, number)
    if len(log):
        log[m.logged % len(log), 0] = seat
        log[m.logged % len(log), 1] = number
    m.logged += 1


# -- counting -------------------------------------------------------------------------------------------------


@part
def pay(s: Flat, m: Flat, rewards: Numbers, sign: int) -> None:
    """Rewards are what the points have changed by since they were paid last."""
    for seat in range(len(rewards)):
        now = m.gained[seat] if m.over else sign * (m.counted[seat] + running(s, seat))
        rewards[seat] = now - m.gained[seat]
        m.gained[seat] = now


@part
def end_round(s: Flat, m: Flat, points: Numbers, settings: Numbers) -> bool:
    """Count a round; whether it was the last one."""
    most = wide(0)
    for seat in range(wide(s.seats)):
        m.totals[seat] += points[seat]
        m.counted[seat] += running(s, seat)
        most = max(most, m.totals[seat])
    m.rounds += 1
    is_last = settings[ROUNDS] and m.rounds >= settings[ROUNDS]
    return is_last or (settings[TARGET] and most >= settings[TARGET])


@part
def settle(m: Flat, points: Numbers, won: Numbers, rival: int, settings: Numbers) -> None:
    """Who has won with which points; a team wins together or not at all."""
    best = wide(m.totals[0])
    for seat in range(len(points)):
        points[seat] = m.totals[seat]
        best = max(best, m.totals[seat]) if settings[SIGN] > 0 else min(best, m.totals[seat])
    for seat in range(len(points)):
        won[seat] = m.totals[seat] < rival if settings[RIVAL] else m.totals[seat] == best


# -- showing --------------------------------------------------------------------------------------------------


@part
def show(s: Flat, m: Flat, seat: int, log: Numbers, cards: int, out: Numbers) -> None:
    """What the seat sees; if decisions are logged also the cards that have lain open, and the last decisions, the
    latest first: whose and which, both from 1."""
    out[:] = 0
    place = observe(s, m, seat, out)
    if len(log):
        for card in range(1, cards + 1):
            out[place + card - 1] = m.open[card]
        place += cards
        for back in range(min(len(log), wide(m.logged))):
            entry = (m.logged - 1 - back) % len(log)
            out[place + 2 * back] = around(s, seat, wide(log[entry, 0])) + 1
            out[place + 2 * back + 1] = log[entry, 1] + 1


@part
def scale(seen: Numbers, scales: Numbers, out: Numbers) -> None:
    """Numbers as parts of their scales, never beyond -1 and 1."""
    for i in range(len(out)):
        value = np.float32(seen[i]) * scales[i]
        out[i] = max(np.float32(-1), min(np.float32(1), value))


@part
def offer(s: Flat, m: Flat, seat: int, codes: Numbers, mask: Numbers) -> None:
    """What is legal; to wait, the last number, is all there is for those who are not asked."""
    mask[:] = 0
    if m.over or not is_asked(s, seat):
        mask[len(mask) - 1] = 1
        return
    for i in range(legal(s, seat, codes)):
        mask[number_of(s, seat, codes[i])] = 1


# -- what games share --------------------------------------------------------------------------------------------------


@part
def around(s: Flat, seat: int, other: int) -> int:
    """How far another seat is, clockwise."""
    return other - seat if other >= seat else other - seat + wide(s.seats)


@part
def round_of(m: Flat) -> int:
    """The round that is being played, from 1; of a match that is over, the last one."""
    return m.rounds + 1 - m.over


@part
def put_sorted(cards: Numbers, count: int, out: Numbers, place: int) -> None:
    """Cards from the lowest to the highest."""
    for i in range(count):
        card, k = wide(cards[i]), place + i
        while k > place and out[k - 1] > card:
            out[k] = out[k - 1]
            k -= 1
        out[k] = card


@part
def put_seats(s: Flat, seat: int, values: Numbers, out: Numbers, place: int) -> int:
    """A number for each seat, the own one first; the place behind them."""
    seats = wide(s.seats)
    for other in range(seats):
        out[place + around(s, seat, other)] = values[other]
    return place + seats


@part
def put_rows(values: Numbers, out: Numbers, place: int) -> int:
    for row in range(len(values)):
        out[place + row] = values[row]
    return place + len(values)


@part
def put_known(s: Flat, m: Flat, seat: int, out: Numbers, place: int) -> None:
    """By card whose hand it is in, the own one being 1, for cards that have lain open before. When the match is over
    the hands that are left lie open."""
    for other in range(wide(s.seats)):
        for i in range(s.sizes[other]):
            card = s.hands[other, i]
            if m.open[card] or m.over:
                out[place + card - 1] = around(s, seat, other) + 1


@part
def rows_lie_open(s: Flat, m: Flat) -> None:
    for row in range(len(s.lengths)):
        for i in range(s.lengths[row]):
            m.open[s.rows[row, i]] = 1


class _Defaults:
    """What most games do; overridden by what a game's module has."""

    @staticmethod
    def together(s: Flat) -> bool:
        return s.phase == 0

    @staticmethod
    def is_asked(s: Flat, seat: int) -> bool:
        return together(s) or to_decide(s) == seat

    @staticmethod
    def speaker(s: Flat, numbers: Numbers) -> int:
        return to_decide(s)

    @staticmethod
    def look_around(s: Flat, m: Flat) -> None:
        rows_lie_open(s, m)

    @staticmethod
    def next_round(s: Flat, m: Flat) -> None:
        pass


_STEPS = (
    number_of,
    code_of,
    observe,
    running,
    together,
    is_asked,
    speaker,
    remember,
    look_around,
    next_round,
)


def register_batch(state: np.dtype[Any], module: ModuleType) -> None:
    """Let the loops find a game's own functions in this module."""
    for step in _STEPS:
        found = getattr(module, step.__name__, step)  # a module may have imported the step itself to call it
        implement(step, state, getattr(_Defaults, step.__name__) if found is step else found)
