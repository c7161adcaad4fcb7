"""The loops that all games share: play a round on, play many rounds, try actions in many worlds."""

from __future__ import annotations

import numpy as np

from nimmt.fast.chance import below, seed_rng
from nimmt.fast.jit import Flat, Flats, Numbers, Words, jit, part
from nimmt.fast.protocol import act, advance, begin, choose, deal, legal, picture, play_on, tally, to_decide


@part
def apply(s: Flat, seat: int, action: int) -> None:
    """Carry out a decision and all that follows of itself."""
    act(s, seat, action)
    while advance(s):
        pass


@part
def play_by_steps(s: Flat, policies: Numbers, params: Numbers, rng: Words) -> None:
    """To the end of the round, decision after decision, each seat by its policy."""
    seat = to_decide(s)
    while seat >= 0:
        apply(s, seat, choose(s, seat, policies[seat], params, rng))
        seat = to_decide(s)


@jit
def play_rounds(
    template: Flats, cards: Numbers, policies: Numbers, params: Numbers, rng: Words,
    points: Numbers, taken: Numbers, other: Numbers,
) -> None:  # fmt: skip
    """Whole rounds, shuffle included; what came out of each goes to its line of the arrays."""
    s = template[0]
    for i in range(len(points)):
        begin(s, cards, rng)
        play_on(s, policies, params, rng)
        tally(s, points[i], taken[i], other[i])


@jit
def rollout(
    worlds: Flats, seat: int, actions: Numbers, policies: Numbers, params: Numbers, seed: np.uint64, first: int,
    points: Numbers, taken: Numbers, other: Numbers,
) -> None:  # fmt: skip
    """Let a seat try each action in each world, everybody going on by policy.

    All actions meet the same chance in a world: what differs is due to the action.
    """
    scratch = np.empty(1, worlds.dtype)
    rng = np.empty(4, np.uint64)
    for w in range(len(worlds)):
        for a in range(len(actions)):
            scratch[0] = worlds[w]
            seed_rng(rng, seed, first + w)
            apply(scratch[0], seat, actions[a])
            play_on(scratch[0], policies, params, rng)
            tally(scratch[0], points[w, a], taken[w, a], other[w, a])


# -- worlds ---------------------------------------------------------------------------------------------------


@jit
def shuffle_rows(cards: Numbers, orders: Numbers, seed: np.uint64, kind: int) -> None:
    """A fair order of the cards in each line."""
    rng = np.empty(4, np.uint64)
    seed_rng(rng, seed, kind)
    for line in range(len(orders)):
        for i in range(len(cards)):  # inside out: each card changes places with one before it, or stays
            other = below(rng, i + 1)
            orders[line, i] = orders[line, other]
            orders[line, other] = cards[i]


@jit
def fill(worlds: Numbers, places: Numbers, columns: Numbers, cards: Numbers) -> None:
    """Put cards of each line into the hidden places of a world, which is a line of bytes here."""
    for w in range(len(worlds)):
        for i in range(len(places)):
            worlds[w, places[i]] = cards[w, columns[i]]


@jit
def seeded(seed: np.uint64, stream: int) -> Words:
    """A generator of its own for each stream of a seed."""
    rng = np.empty(4, np.uint64)
    seed_rng(rng, seed, stream)
    return rng


# -- one step at a time -----------------------------------------------------------------------------------------


@jit
def deal_round(flat: Flats, cards: Numbers) -> None:
    deal(flat[0], cards)


@jit
def list_legal(flat: Flats, seat: int, actions: Numbers) -> int:
    return legal(flat[0], seat, actions)


@jit
def who_decides(flat: Flats) -> int:
    """The seat that decides next; -1 if the round is over."""
    return to_decide(flat[0])


@jit
def choose_for(flat: Flats, seat: int, policy: int, params: Numbers, rng: Words) -> int:
    """What a policy does in this seat's place."""
    return choose(flat[0], seat, policy, params, rng)


@jit
def step(flat: Flats, seat: int, action: int, pictures: Numbers) -> int:
    """Carry out a decision and take a picture after it and after each small step that follows; how many they are.

    The last two differ only by what ends a turn or begins a decision.
    """
    act(flat[0], seat, action)
    count, more = 0, True
    while True:
        picture(flat[0], pictures[count])
        count += 1
        if not more:
            return count
        more = advance(flat[0])


@jit
def act_only(flat: Flats, seat: int, action: int) -> None:
    act(flat[0], seat, action)


@jit
def advance_once(flat: Flats) -> bool:
    return advance(flat[0])


@jit
def look(flat: Flats, pictures: Numbers) -> None:
    picture(flat[0], pictures[0])
