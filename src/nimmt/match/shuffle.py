"""The written-down shuffle, and the list of commitments that makes its secret binding."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from itertools import chain, count
from struct import Struct
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from nimmt.rules.game import Cards, Deal, DealRequest

# -- shuffle -----------------------------------------------------------------------------------------------------------
# Deals that anyone can recompute: a shuffle over SHA-256, written down in `docs/shuffle.md`.
#
# The server commits to a secret seed by publishing its hash, then every seat contributes a text of its own. All decks
# of the match follow from both, so neither side alone decides a single card, and once the seed is revealed everybody
# can check every deal. Changing anything here changes every deal ever made: a new way to shuffle needs a new name.

ALGORITHM = "nimmt-shuffle-1"
SEED_BYTES = 32
MAX_CONTRIBUTION_LENGTH = 200

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


# -- commitments -------------------------------------------------------------------------------------------------------
# The list of all commitments that a server has made, each entry bound to the one before it by a hash.
#
# `docs/shuffle.md` describes it. Whoever has seen one entry can tell later whether anything before it was changed, and
# that nothing was taken away: the hash of an entry depends on everything before it.

FORMAT = "nimmt-commitments-1"

Digest: TypeAlias = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
State: TypeAlias = Literal["sealed", "opened", "never"]
"""The match may still be played; its seed is known; its table was given up, so that nobody will ever know it."""


class ListError(Exception):
    """A list that is not as it should be."""


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """How far a list goes: the number of its entries and the hash of the last one."""

    length: Annotated[int, Meta(ge=0)] = 0
    hash: Digest = "0" * 64


class Committed(msgspec.Struct, frozen=True, kw_only=True):
    """An entry. `index` counts from 1; `table` is the hash of the table's id, which itself would let people in."""

    index: int
    table: Digest
    commitment: Digest
    at: int
    previous: Digest
    hash: Digest

    def head(self) -> Head:
        return Head(length=self.index, hash=self.hash)


class ListedCommitment(Committed, frozen=True, kw_only=True):
    """An entry as the server shows it, with what became of it. That is proven by the seed and needs no chain."""

    state: State
    server_seed: str | None


class CommitmentList(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the list, and how long all of it is."""

    entries: tuple[ListedCommitment, ...]
    length: int
    head: Digest


def public_name(table_id: str) -> str:
    """What the list calls a table: those who know its id find it, nobody gets from here to the id."""
    return sha256(f"{FORMAT}/table/{table_id}".encode()).hexdigest()


def entry_hash(index: int, table: str, its_commitment: str, at: int, previous: str) -> str:
    return sha256(f"{FORMAT}/{index}/{table}/{its_commitment}/{at}/{previous}".encode()).hexdigest()


def extended(head: Head, table: str, its_commitment: str, at: int) -> Committed:
    """The entry that follows."""
    index = head.length + 1
    return Committed(
        index=index,
        table=table,
        commitment=its_commitment,
        at=at,
        previous=head.hash,
        hash=entry_hash(index, table, its_commitment, at, head.hash),
    )


def followed(head: Head, entries: Iterable[Committed]) -> Head:
    """Where the list is after more entries; raises `ListError` if one does not follow."""
    for entry in entries:
        expected = extended(head, entry.table, entry.commitment, entry.at)
        if (entry.index, entry.previous) != (expected.index, expected.previous):
            raise ListError(f"Entry {head.length + 1} does not follow the one before it.")
        if entry.hash != expected.hash:
            raise ListError(f"The hash of entry {entry.index} is wrong.")
        head = entry.head()
    return head


def check_opening(entry: ListedCommitment) -> None:
    """Raises `ListError` if what the server calls opened is not."""
    if (entry.server_seed is not None) != (entry.state == "opened"):
        raise ListError(f"Entry {entry.index} is called {entry.state}, which does not go with its seed.")
    if entry.server_seed is not None and not _opens(entry.server_seed, entry.commitment):
        raise ListError(f"The seed of entry {entry.index} is not the one committed to.")


def _opens(server_seed: str, its_commitment: str) -> bool:
    try:
        return commitment(bytes.fromhex(server_seed)) == its_commitment
    except ValueError:
        return False
