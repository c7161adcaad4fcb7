"""The kernels' chance is what it says it is, and fair."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from nimmt.fast import kernels
from nimmt.fast.game import get_fast
from nimmt.games.six import lanes as kernel


def test_the_generator_is_seeded_by_splitmix() -> None:
    """The known first numbers of splitmix64 for seed 0, found by taking the seed's own scrambling back out."""
    words = kernels.seeded(np.uint64(0), 0).tolist()
    assert words == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC]


def test_streams_and_seeds_differ() -> None:
    seen = {tuple(kernels.seeded(np.uint64(seed), stream).tolist()) for seed in range(20) for stream in range(20)}
    assert len(seen) == 400


def test_orders_are_those_of_the_reference(reference: Any) -> None:
    cards, orders = np.arange(1, 31, dtype=np.int8), np.zeros((5, 30), np.int8)
    kernels.shuffle_rows(cards, orders, np.uint64(3), 1)
    chance = reference(kernels.seeded(np.uint64(3), 1).tolist())
    for order in orders.tolist():
        expected: list[int] = []
        for card in cards.tolist():
            other = chance.below(len(expected) + 1)
            expected.append(card)
            expected[-1], expected[other] = expected[other], card
        assert order == expected


def test_orders_are_fair() -> None:
    orders = np.zeros((24_000, 4), np.int8)
    kernels.shuffle_rows(np.arange(4, dtype=np.int8), orders, np.uint64(1), 0)
    counts = Counter(map(tuple, orders.tolist()))
    assert len(counts) == 24
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 60  # chi², 23 degrees: 60 is one in 30,000


def lane_words(words: list[int]) -> tuple[int, list[int]]:
    """xoshiro128++ in plain Python: the next number, and the generator after it."""
    size = 2**32

    def rotated(word: int, by: int) -> int:
        return (word << by | word >> 32 - by) % size

    a, b, c, d = words
    word = (rotated((a + d) % size, 7) + a) % size
    c, d = c ^ a, d ^ b
    return word, [a ^ d, b ^ c, c ^ (b << 9) % size, rotated(d, 11)]


def test_lanes_deal_by_their_own_generators() -> None:
    lanes, chance = kernel.new_lanes(11, 3)
    before = chance.reshape(4, 64).copy()
    trace = np.zeros((21, kernel.SLOTS * 64), np.int16)
    kernel.trace_lanes(lanes, chance, 2, False, trace)
    decks = trace[0].reshape(kernel.SLOTS, 64)[kernel.DECK :].T >> 7
    for lane in range(64):
        words, order = before[:, lane].tolist(), list(range(1, 105))
        for place in range(24):
            word, words = lane_words(words)
            other = place + (word * (104 - place) >> 32)
            order[place], order[other] = order[other], order[place]
        assert decks[lane].tolist() == order


@pytest.mark.parametrize("policy", ["random", "cheapest"])
def test_lanes_and_scalar_kernels_agree_on_average(policy: str) -> None:
    from nimmt.fast.simulation import simulate

    fast = get_fast("six")
    in_lanes = simulate("six", rounds=100_000, seed=5, policy=policy).points
    template, lines = fast.template(fast.rules.options_type(), 4), kernels.new_lines(100_000, 4)
    players = kernels.Players(fast.policy_codes(policy, 4), np.zeros(1, np.float32))
    kernels.play_rounds(template, fast.sorted_decks(), players, kernels.seeded(np.uint64(6), 0), lines)
    assert abs(in_lanes.mean() - lines.points.mean()) < 0.15
    assert abs(in_lanes.std() - lines.points.std()) < 0.15
