"""Equilibria by counterfactual regret minimization, and what a best response wins against a strategy.

CFR+ with alternating updates: each seat in turn weighs its actions by how much it would rather have played them so
far, negative regrets are forgotten, and the average of all strategies, later ones counting more, goes towards an
equilibrium (Zinkevich et al. 2007, Tammelin 2014). All of it on whole levels of the tree at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

import numpy as np

from nimmt.fast.arguments import InvalidArgument, InvalidType, check_range
from nimmt.rules.game import Action, IllegalAction, Refusal, Seat
from nimmt.theory.tree import Floats, Ints, Strategy, Tree

Choose = Callable[[Any, Sequence[Action], Random], Action]
"""How a bot decides: from a view and the legal actions."""


class Solution(NamedTuple):
    strategy: Strategy
    value: float
    """For the first seat, if both play it."""
    exploitability: float
    """What a best response wins against it on average of the seats: 0 in an equilibrium."""
    curve: tuple[tuple[int, float], ...]
    """The exploitability after so many iterations."""


def uniform(tree: Tree) -> Strategy:
    """Everything as likely as everything else."""
    return _normalized(tree, np.zeros(tree.slots))


def solve(
    tree: Tree, iterations: int = 1000, goal: float = 0.0, tell: Callable[[int, float], None] = lambda *_: None
) -> Solution:
    """An equilibrium, as nearly as so many iterations get, or as `goal` demands."""
    check_range(1, iterations=iterations)
    regrets, sums = np.zeros(tree.slots), np.zeros(tree.slots)
    curve: list[tuple[int, float]] = []
    for number in range(1, iterations + 1):
        for seat in (0, 1):
            strategy = _normalized(tree, regrets)
            reach, values = _reach(tree, strategy), _values(tree, strategy)
            gains, own = _gains(tree, reach, values, seat)
            regrets = np.maximum(regrets + gains, 0.0)
            sums += number * own * strategy
        if _is_due(number) or number == iterations:
            average = _normalized(tree, sums)
            curve.append((number, exploitability(tree, average)))
            tell(*curve[-1])
            if curve[-1][1] <= goal:
                break
    average = _normalized(tree, sums)
    return Solution(average, value_of(tree, average), curve[-1][1], tuple(curve))


def value_of(tree: Tree, strategy: Strategy) -> float:
    """What the first seat wins on average if both play this."""
    strategy = _checked(tree, strategy)
    return float(_values(tree, strategy)[tree.roots].mean())


def best_response(tree: Tree, strategy: Strategy, seat: Seat) -> float:
    """What this seat wins on average with the best answer to the other seat's strategy."""
    check_range(0, 1, seat=seat)
    strategy = _checked(tree, strategy)
    sign = 1.0 if seat == 0 else -1.0
    reach, values = _reach(tree, strategy), sign * tree.values
    for level in reversed(tree.levels):
        own = level.seats == seat
        others = ~own
        np.add.at(values, level.parents[others], strategy[level.slots[others]] * values[level.children[others]])
        slots, parents, children = level.slots[own], level.parents[own], level.children[own]
        worth = np.bincount(slots, reach[1 - seat][parents] * values[children], tree.slots).astype(np.float64)
        best = np.zeros(tree.slots, bool)
        best[_best_slots(tree, worth, slots)] = True
        chosen = best[slots]
        values[parents[chosen]] = values[children[chosen]]
    return float(values[tree.roots].mean())


def exploitability(tree: Tree, strategy: Strategy) -> float:
    """What somebody who knows the strategy and answers it best wins with it, on average of both seats."""
    return (best_response(tree, strategy, 0) + best_response(tree, strategy, 1)) / 2


def strategy_of(
    tree: Tree, choose: Choose, samples: int = 1, seed: int = 0, tell: Callable[[int], None] = lambda _: None
) -> Strategy:
    """How a bot plays: asked so often at every place."""
    check_range(1, samples=samples)
    counts, rng = np.zeros(tree.slots), Random(seed)
    for number, place in enumerate(tree.places):
        for _ in range(samples if len(place.actions) > 1 else 1):
            chosen = choose(place.view, place.actions, rng)
            if chosen not in place.actions:
                raise IllegalAction(Refusal.WRONG_ACTION, place.seat, f"{chosen!r:.60} is none of the legal actions.")
            counts[place.first + place.actions.index(chosen)] += 1
        tell(number)
    return _normalized(tree, counts)


# -- on whole levels --------------------------------------------------------------------------------------------------


def _checked(tree: Tree, strategy: Strategy) -> Strategy:
    """Refuse what is not a chance for each action of each place."""
    try:
        given = np.asarray(strategy, np.float64)
    except (ValueError, TypeError):
        raise InvalidType("A strategy is an array of numbers.") from None
    if given.shape != (tree.slots,):
        raise InvalidArgument(
            "wrong_shape", f"A strategy of this tree has the shape ({tree.slots},), not {given.shape}."
        )
    sums = np.bincount(tree.owner, given, len(tree.places))
    if not (given >= 0).all() or not np.allclose(sums, 1):
        raise InvalidArgument("out_of_range", "The chances of each place must be 0 or more and add up to 1.")
    return given


def _normalized(tree: Tree, weights: Floats) -> Strategy:
    """Chances in proportion to weights; all alike where there are none."""
    sums = np.bincount(tree.owner, weights, len(tree.places))[tree.owner]
    counts = np.bincount(tree.owner, minlength=len(tree.places))[tree.owner]
    return np.where(sums > 0.0, weights / np.where(sums > 0.0, sums, 1.0), 1.0 / counts)


def _reach(tree: Tree, strategy: Strategy) -> Floats:
    """By seat and node: how likely the seat's own decisions lead there. Deals count as the other's decision."""
    reach = np.zeros((2, tree.nodes))
    reach[:, tree.roots] = 1.0
    for level in tree.levels:
        chance = strategy[level.slots]
        for seat in (0, 1):
            reach[seat, level.children] = reach[seat, level.parents] * np.where(level.seats == seat, chance, 1.0)
    return reach


def _values(tree: Tree, strategy: Strategy) -> Floats:
    """What every node is worth for the first seat."""
    values = tree.values.copy()
    for level in reversed(tree.levels):
        np.add.at(values, level.parents, strategy[level.slots] * values[level.children])
    return values


def _gains(tree: Tree, reach: Floats, values: Floats, seat: Seat) -> tuple[Floats, Floats]:
    """What the seat would rather have played, weighed by how likely all else leads there; and how likely it gets to
    each of its places itself."""
    sign = 1.0 if seat == 0 else -1.0
    gains, own = np.zeros(tree.slots), np.zeros(tree.slots)
    for level in tree.levels:
        mine = level.seats == seat
        slots, parents, children = level.slots[mine], level.parents[mine], level.children[mine]
        better = sign * reach[1 - seat][parents] * (values[children] - values[parents])
        gains += np.bincount(slots, better, tree.slots)
        own[slots] = reach[seat][parents]  # the same in all nodes of a place: it remembers what it has done
    return gains, own


def _best_slots(tree: Tree, worth: Floats, slots: Ints) -> list[int]:
    """The best action of every place that has these."""
    best = []
    for number in np.unique(tree.owner[slots]):
        first, count = tree.places[number].first, len(tree.places[number].actions)
        best.append(first + int(worth[first : first + count].argmax()))
    return best


def _is_due(number: int) -> bool:
    """1, 2, 5, 10, 20, 50, …"""
    while number % 10 == 0:
        number //= 10
    return number in (1, 2, 5)
