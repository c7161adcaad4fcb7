"""Deals that anyone can recompute: a shuffle over SHA-256, written down in `docs/shuffle.md`.

The server commits to a secret seed by publishing its hash, then every seat contributes a text of its own. All decks
of the match follow from both, so neither side alone decides a single card, and once the seed is revealed everybody can
check every deal. Changing anything here changes every deal ever made: a new way to shuffle needs a new name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from itertools import chain, count
from struct import Struct

import msgspec

from nimmt.rules.game import Cards, Deal, DealRequest

ALGORITHM = "nimmt-shuffle-1"
SEED_BYTES = 32
LONGEST_CONTRIBUTION = 200

_NUMBERS = 2**32
_EIGHT_NUMBERS = Struct(">8I")


class Fairness(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What proves the deals. The seed is None until the match is over; its commitment is known from the start."""

    algorithm: str = ALGORITHM
    commitment: str
    server_seed: str | None
    contributions: tuple[str, ...]


def commitment(server_seed: bytes) -> str:
    return sha256(server_seed).hexdigest()


def root(server_seed: bytes, contributions: Sequence[str]) -> bytes:
    """What all decks of the match follow from. Every part has 32 bytes, so no two inputs look alike."""
    parts = [sha256(contribution.encode()).digest() for contribution in contributions]
    return sha256(b"".join([sha256(ALGORITHM.encode()).digest(), server_seed, *parts])).digest()


def numbers(match_root: bytes, deal: int, deck: str) -> Iterator[int]:
    """An endless stream of 32-bit numbers for one deck of one deal (counted from 0)."""
    start = match_root + f"/{deal}/{deck}/".encode()
    return chain.from_iterable(_EIGHT_NUMBERS.unpack(sha256(start + b"%d" % block).digest()) for block in count())


def shuffle(cards: Cards, stream: Iterator[int]) -> Cards:
    """Fisher and Yates, from the last place down. A number that would favour some places is passed over."""
    order = list(cards)
    for (last, places, unfair), number in zip(_draws(len(order)), stream, strict=False):
        while number >= unfair:
            number = next(stream)  # noqa: PLW2901
        chosen = number % places
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)


@cache
def _draws(cards: int) -> tuple[tuple[int, int, int], ...]:
    """Each place from the last down, how many places its card is drawn from, and from where on numbers are unfair."""
    return tuple((last, last + 1, _NUMBERS - _NUMBERS % (last + 1)) for last in range(cards - 1, 0, -1))


def make_deal(match_root: bytes, index: int, request: DealRequest) -> Deal:
    """The deal with this index (from 0) of the match."""
    return Deal({deck: shuffle(cards, numbers(match_root, index, deck)) for deck, cards in request.decks.items()})


class Dealer:
    """Deals the decks of one match from its seed and the contributions of its seats."""

    def __init__(self, server_seed: bytes, contributions: Sequence[str]) -> None:
        if len(server_seed) != SEED_BYTES:
            raise ValueError(f"A server seed has {SEED_BYTES} bytes, not {len(server_seed)}.")
        self.server_seed = server_seed
        self.contributions = tuple(contributions)
        self._root = root(server_seed, self.contributions)

    def deal(self, index: int, request: DealRequest) -> Deal:
        return make_deal(self._root, index, request)

    def fairness(self, *, reveal: bool) -> Fairness:
        seed = self.server_seed.hex() if reveal else None
        return Fairness(commitment=commitment(self.server_seed), server_seed=seed, contributions=self.contributions)
