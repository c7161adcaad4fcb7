"""A second, slow and plain version of the kernels' chance."""

import pytest

WORD, HALF = 2**64, 2**32


def rotate(word: int, by: int) -> int:
    return (word << by | word >> 64 - by) % WORD


class Reference:
    """xoshiro256** and what is drawn with it, in plain Python."""

    def __init__(self, words: list[int]) -> None:
        self.words = list(words)

    def next_word(self) -> int:
        a, b, c, d = self.words
        word = rotate(b * 5 % WORD, 7) * 9 % WORD
        c, d = c ^ a, d ^ b
        self.words = [a ^ d, b ^ c, c ^ (b << 17) % WORD, rotate(d, 45)]
        return word

    def below(self, number: int) -> int:
        return (self.next_word() // HALF) * number // HALF

    def shuffle(self, cards: list[int], needed: int) -> None:
        for place in range(needed):
            other = place + self.below(len(cards) - place)
            cards[place], cards[other] = cards[other], cards[place]


@pytest.fixture
def reference() -> type[Reference]:
    return Reference
