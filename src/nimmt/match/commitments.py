"""The list of all commitments that a server has made, each entry bound to the one before it by a hash.

`docs/shuffle.md` describes it. Whoever has seen one entry can tell later whether anything before it was changed, and
that nothing was taken away: the hash of an entry depends on everything before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from nimmt.match.shuffle import commitment

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
