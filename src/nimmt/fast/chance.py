"""Chance for kernels: xoshiro256** seeded by splitmix64, both public domain algorithms by Blackman and Vigna.

A generator is an array of four 64-bit words. The same seed and stream give the same numbers everywhere; streams of one
seed (one for each world or each chunk of rounds) are as good as independent. It is made for speed: deals that
people rely on come from `nimmt.match.shuffle`.
"""

from __future__ import annotations

import numpy as np

from nimmt.fast.jit import Numbers, Words, hot, part, wide

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_HALF = np.uint64(32)


@part
def split_mix(word: np.uint64) -> np.uint64:
    """The output of splitmix64 for this state."""
    word = (word ^ (word >> np.uint64(30))) * _MIX_1
    word = (word ^ (word >> np.uint64(27))) * _MIX_2
    return word ^ (word >> np.uint64(31))


@part
def seed_rng(rng: Words, seed: np.uint64, stream: int) -> None:
    """Make the generator the one of this stream of this seed."""
    word = split_mix(seed) ^ (np.uint64(stream) * _GOLDEN)
    for i in range(4):
        word += _GOLDEN
        rng[i] = split_mix(word)


@hot
def next_word(rng: Words) -> np.uint64:
    word = rng[1] * np.uint64(5)
    word = ((word << np.uint64(7)) | (word >> np.uint64(57))) * np.uint64(9)
    shifted = rng[1] << np.uint64(17)
    rng[2] ^= rng[0]
    rng[3] ^= rng[1]
    rng[1] ^= rng[2]
    rng[0] ^= rng[3]
    rng[2] ^= shifted
    rng[3] = (rng[3] << np.uint64(45)) | (rng[3] >> np.uint64(19))
    return word


@hot
def below(rng: Words, number: int) -> int:
    """0 … number - 1. No value is favoured by more than number / 2³² of its share, which nobody can measure."""
    return wide(((next_word(rng) >> _HALF) * np.uint64(number)) >> _HALF)


@part
def shuffle(rng: Words, cards: Numbers, start: int, count: int, needed: int) -> None:
    """Fisher and Yates: the first `needed` of `count` cards from `start` become a fair draw from all of them.

    Whatever order they had before does not matter, so a deck need not be sorted again between rounds.
    """
    for place in range(needed):
        other = start + place + below(rng, count - place)
        card = cards[start + place]
        cards[start + place] = cards[other]
        cards[other] = card
