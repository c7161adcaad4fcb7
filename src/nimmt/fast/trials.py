"""Trying actions in many worlds: what a search bot needs, in one call."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nimmt.fast import kernels
from nimmt.fast.game import FastGame, check_seed, get_fast
from nimmt.fast.jit import Flats
from nimmt.rules.game import Action

NO_PARAMS = np.zeros(1, dtype=np.float32)


def rollouts(
    game: str,
    view: Any,
    actions: Sequence[Action],
    *,
    worlds: int | NDArray[np.int8] = 100,
    policy: str | Sequence[str] = "random",
    params: NDArray[np.float32] = NO_PARAMS,
    seed: int = 0,
    threads: int = 1,
) -> NDArray[np.int16]:
    """Points at the end of the round, by world, action and seat, if the owner of the view does this now.

    A world is a way to deal the cards that the owner has not seen: either so many fair ones, or given as orders of
    those cards (see `FastGame.hidden`), for instance by a belief about what others hold. In each world every action is
    tried with the same chance; then all seats, the own one included, play on by `policy`, which may look into `params`.
    """
    check_seed(seed)
    fast = get_fast(game)
    orders = fast.shuffled(view, worlds, seed) if isinstance(worlds, int) else worlds
    codes = np.array([fast.encode(action) for action in actions], dtype=np.int64)
    policies = fast.policy_codes(policy, view.table.seats)
    return roll(fast.worlds(view, orders), view.seat, codes, policies, params, seed, threads)


def roll(
    worlds: Flats,
    seat: int,
    codes: NDArray[np.int64],
    policies: NDArray[np.int64],
    params: NDArray[np.float32] = NO_PARAMS,
    seed: int = 0,
    threads: int = 1,
) -> NDArray[np.int16]:
    """The same for worlds, actions and policies that are flat already."""
    shape = (len(worlds), len(codes))
    points = np.zeros((*shape, len(policies)), np.int16)
    taken, other = np.zeros_like(points), np.zeros((*shape, 2), np.int16)
    share = -(-len(worlds) // threads)

    def play(first: int) -> None:
        mine = slice(first, first + share)
        kernels.rollout(
            worlds[mine], seat, codes, policies, params, np.uint64(seed), first, points[mine], taken[mine], other[mine]
        )

    if threads == 1:
        play(0)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(play, range(0, len(worlds), share)))
    return points


def try_out(fast: FastGame) -> None:
    """Call once what a search bot calls, with the types that it has."""
    seats = max(2, fast.rules.min_seats)
    flat = fast.template(fast.rules.options_type(), seats)
    policies = fast.policy_codes("random", seats)
    kernels.deal_round(flat, fast.sorted_decks())
    actions = np.zeros(fast.most_actions, dtype=np.int64)
    count = kernels.list_legal(flat, 0, actions)
    roll(flat, 0, actions[:count], policies)
    raw = flat.view(np.int8).reshape(1, -1)
    kernels.fill(raw, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros((1, 1), dtype=np.int8))
    kernels.shuffle_rows(fast.sorted_decks(), np.zeros((1, len(fast.sorted_decks())), np.int8), np.uint64(0), 0)
