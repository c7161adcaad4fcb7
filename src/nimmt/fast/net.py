"""Small policy and value networks, evaluated inside the kernels.

The inputs of a decision are the *scene*, shared by all actions, and a *glance* at each action. Two hidden layers turn
them into a score per action; the policy is the softmax of the scores. Each game defines its own inputs (`sight.py`, or
`games/six/search/net.py`); their number is the shape of its network.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nimmt.fast.chance import next_word
from nimmt.fast.jit import Flat, Numbers, Words, part

Weights: TypeAlias = NDArray[np.float32]
Layer: TypeAlias = Callable[..., Any]

FIRST, SECOND = 32, 16
"""Units in the hidden layers."""
ROOM = FIRST + 2 * (FIRST + SECOND)
"""Size of the scratch buffer: the scene's part of the first layer, then the activations of two actions at a time."""


class Shape(NamedTuple):
    """Numbers of inputs of a network."""

    scene: int
    glance: int

    @property
    def parts(self) -> dict[str, tuple[int, ...]]:
        """Shapes of the weight arrays, in the order in which they are stored."""
        return {
            "scene": (self.scene, FIRST),
            "first": (FIRST,),
            "glance": (self.glance, FIRST),
            "second": (SECOND,),
            "between": (FIRST, SECOND),
            "last": (SECOND,),
        }

    @property
    def starts(self) -> dict[str, int]:
        """The offset of each array."""
        sizes = [math.prod(shape) for shape in self.parts.values()]
        return dict(zip(self.parts, np.cumsum([0, *sizes[:-1]]).tolist(), strict=True))

    @property
    def weights(self) -> int:
        return sum(math.prod(shape) for shape in self.parts.values())


# The layers are separate functions with sizes known at compile time, so that the compiler vectorizes them, which makes
# them ten times as fast.


def first_layers(shape: Shape) -> tuple[Layer, Layer]:
    """The first layer, in two functions: the scene's part, and that of one action."""
    scene_size, glance_size = shape
    bias_at, glance_at = shape.starts["first"], shape.starts["glance"]

    @part
    def take_in(weights: Weights, scene: Weights, base: Weights) -> None:
        for cell in range(FIRST):
            total = weights[bias_at + cell]
            for i in range(scene_size):
                total += scene[i] * weights[FIRST * i + cell]
            base[cell] = total

    @part
    def first_layer(weights: Weights, glances: Weights, option: int, base: Weights, first: Weights) -> None:
        for cell in range(FIRST):
            total = base[cell]
            for i in range(glance_size):
                total += glances[glance_size * option + i] * weights[glance_at + FIRST * i + cell]
            first[cell] = max(total, np.float32(0.0))

    return take_in, first_layer


def last_layers(shape: Shape) -> tuple[Layer, Layer]:
    second_at, between_at, last_at = (shape.starts[name] for name in ("second", "between", "last"))

    @part
    def second_layer(weights: Weights, first: Weights, second: Weights) -> None:
        for cell in range(SECOND):
            one = other = weights[second_at + cell]
            for i in range(FIRST):
                weight = weights[between_at + SECOND * i + cell]
                one += first[i] * weight
                other += first[FIRST + i] * weight
            second[cell] = max(one, np.float32(0.0))
            second[SECOND + cell] = max(other, np.float32(0.0))

    @part
    def last_layer(weights: Weights, second: Weights, at: int) -> float:
        total = np.float32(0.0)
        for cell in range(SECOND):
            total += second[at + cell] * weights[last_at + cell]
        return float(total)

    return second_layer, last_layer


def rater(shape: Shape) -> Layer:
    """Build `rate` for networks of this shape: it writes the score of every action and returns the highest."""
    take_in, first_layer = first_layers(shape)
    second_layer, last_layer = last_layers(shape)

    @part
    def rate(weights: Weights, scene: Weights, glances: Weights, options: int, room: Weights, scores: Numbers) -> float:
        base, first, second = room[:FIRST], room[FIRST : 3 * FIRST], room[3 * FIRST :]
        take_in(weights, scene, base)
        highest = -1e30
        for one in range(0, options, 2):
            # Two actions at a time, for instruction-level parallelism.
            other = min(one + 1, options - 1)
            first_layer(weights, glances, one, base, first[:FIRST])
            first_layer(weights, glances, other, base, first[FIRST:])
            second_layer(weights, first, second)
            scores[one] = last_layer(weights, second, 0)
            scores[other] = last_layer(weights, second, SECOND)
            highest = max(highest, scores[one], scores[other])
        return highest

    return rate


def scorer(shape: Shape) -> Layer:
    """Build `score` for networks of this shape: it writes the unnormalized probability of every action and returns
    their sum."""
    rate = rater(shape)

    @part
    def score(
        weights: Weights, scene: Weights, glances: Weights, options: int, room: Weights, scores: Numbers
    ) -> float:
        highest = rate(weights, scene, glances, options, room, scores)
        total = 0.0
        for option in range(options):
            scores[option] = math.exp(scores[option] - highest)
            total += scores[option]
        return total

    return score


# -- players -----------------------------------------------------------------------------------------------------------

LEARNED = 16
"""The policy that uses the first network in `params`; the next number uses the second, …"""
NETS_AT = 1
"""Offset of the networks in `params`; before them is the percentage of random actions of careless players."""


def player(shape: Shape, most: int, look: Layer) -> Layer:
    """Build a player for `kernels.learned`. `look` is the game's feature extractor, `most` the largest number of
    actions."""
    score, size, (scene_size, glance_size) = scorer(shape), shape.weights, shape
    desk_at = scene_size + glance_size * most

    @part
    def learned(s: Flat, seat: int, number: int, params: Numbers, rng: Words) -> int:
        actions, scores = np.empty(most, np.int64), np.empty(most, np.float64)
        desk = np.empty(desk_at + ROOM, np.float32)
        scene, glances, room = desk[:scene_size], desk[scene_size:desk_at], desk[desk_at:]
        count = look(s, seat, actions, scene, glances)
        if count > 1:
            weights = params[NETS_AT + size * number : NETS_AT + size * (number + 1)]
            total = score(weights, scene, glances, count, room, scores)
            return actions[draw(scores, count, total, rng)]
        return actions[0]

    return learned


def forecaster(shape: Shape, most: int, survey: Layer) -> Layer:
    """Build a value network for `kernels.outlook`. `survey` is the game's feature extractor; seats take the place of
    actions, `most` at most."""
    rate, (scene_size, glance_size) = rater(shape), shape
    desk_at = scene_size + glance_size * most

    @part
    def outlook(s: Flat, weights: Weights, scores: Numbers) -> None:
        desk = np.empty(desk_at + ROOM, np.float32)
        scene, glances, room = desk[:scene_size], desk[scene_size:desk_at], desk[desk_at:]
        seats = survey(s, scene, glances)
        rate(weights, scene, glances, seats, room, scores)

    return outlook


@part
def draw(scores: Numbers, count: int, total: float, rng: Words) -> int:
    """Sample an index in proportion to its score."""
    left = total * ((next_word(rng) >> np.uint64(11)) * 2.0**-53)
    for option in range(count - 1):
        left -= scores[option]
        if left < 0.0:
            return option
    return count - 1
