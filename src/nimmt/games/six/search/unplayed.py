"""The cards that nobody has seen played, as a bitset of two words in the state."""

from __future__ import annotations

import numpy as np

from nimmt.fast.jit import Flat, part, wide


@part
def note_played(s: Flat, card: int) -> None:
    """Clear the card's bit: it has been seen."""
    s.unplayed[card >> 6] &= ~(np.uint64(1) << np.uint64(card & 63))


@part
def bits_set(word: np.uint64) -> int:
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return wide((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@part
def below(s: Flat, low_half: int, card: int) -> int:
    """The number of unplayed cards below this one; `low_half` is the number of those below 64."""
    one = np.uint64(1)
    if card < 64:
        return bits_set(s.unplayed[0] & ((one << np.uint64(card)) - one))
    return low_half + bits_set(s.unplayed[1] & ((one << np.uint64(card - 64)) - one))
