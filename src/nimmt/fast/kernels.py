"""The loops that all games share: play a round on, play many rounds, try actions in many worlds."""

from __future__ import annotations

import numpy as np

from nimmt.fast.chance import seed_rng
from nimmt.fast.jit import Flat, Flats, Numbers, Words, jit, part
from nimmt.fast.protocol import act, advance, begin, choose, play_on, tally, to_decide


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
