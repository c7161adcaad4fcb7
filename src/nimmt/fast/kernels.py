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
    points: Numbers, taken: Numbers, turns: Numbers,
) -> None:  # fmt: skip
    """Whole rounds, shuffle included; what came out of each goes to its line of the arrays."""
    s = template[0]
    for i in range(len(points)):
        begin(s, cards, rng)
        play_on(s, policies, params, rng)
        tally(s, points[i], taken[i], turns[i])


@jit
def rollout(
    worlds: Flats, seat: int, actions: Numbers, policies: Numbers, params: Numbers, seed: np.uint64, first: int,
    points: Numbers, taken: Numbers, turns: Numbers,
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
            tally(scratch[0], points[w, a], taken[w, a], turns[w, a])


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
def fill(worlds: Numbers, places: Numbers, cards: Numbers) -> None:
    """Put the cards of each line into the hidden places of a world, which is an array of bytes here."""
    for w in range(len(worlds)):
        for i in range(len(places)):
            worlds[w, places[i]] = cards[w, i]


# -- one step at a time -----------------------------------------------------------------------------------------


@jit
def deal_round(flat: Flats, cards: Numbers) -> None:
    deal(flat[0], cards)


@jit
def list_legal(flat: Flats, seat: int, actions: Numbers) -> int:
    return legal(flat[0], seat, actions)


@jit
def decide(flat: Flats, policy: int, params: Numbers, rng: Words) -> tuple[int, int]:
    """Who decides next, and what a policy would do; nobody (-1) if the round is over."""
    seat = to_decide(flat[0])
    return (seat, choose(flat[0], seat, policy, params, rng)) if seat >= 0 else (seat, 0)


@jit
def step(flat: Flats, seat: int, action: int, pictures: Numbers) -> int:
    """Carry out a decision and take a picture after it and after each small step that follows; how many they are."""
    act(flat[0], seat, action)
    picture(flat[0], pictures[0])
    taken = 1
    while advance(flat[0]):
        picture(flat[0], pictures[taken])
        taken += 1
    picture(flat[0], pictures[taken])
    return taken + 1


@jit
def look(flat: Flats, pictures: Numbers) -> None:
    picture(flat[0], pictures[0])
