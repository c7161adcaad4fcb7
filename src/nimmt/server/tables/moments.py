"""The latest moments of a table. A match may have a hundred thousand; older ones can be had from the log."""

from __future__ import annotations

from typing import Generic, TypeVar, overload

T = TypeVar("T")

KEPT = 200
"""So many are remembered at least, and twice as many at most."""


class Moments(Generic[T]):
    """Like a list that has forgotten its first items but not their number."""

    def __init__(self, first: int = 0, kept: list[T] | None = None) -> None:
        self.first = first
        """So many are forgotten."""
        self._kept: list[T] = [] if kept is None else kept

    def append(self, moment: T) -> None:
        self._kept.append(moment)
        if len(self._kept) > 2 * KEPT:
            self.first += len(self._kept) - KEPT
            del self._kept[:-KEPT]

    def fork(self) -> Moments[T]:
        return Moments(self.first, [*self._kept])

    @property
    def kept(self) -> int:
        return len(self._kept)

    def __len__(self) -> int:
        return self.first + len(self._kept)

    @overload
    def __getitem__(self, place: int) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> list[T]: ...
    def __getitem__(self, place: int | slice) -> T | list[T]:
        if isinstance(place, slice):
            start, stop, _ = place.indices(len(self))
            self._require(start)
            return self._kept[start - self.first : max(0, stop - self.first)]
        number = place + len(self) if place < 0 else place
        self._require(number)
        return self._kept[number - self.first]

    def _require(self, number: int) -> None:
        if number < self.first:
            raise LookupError(f"Moment {number} is forgotten; the first that is remembered is {self.first}.")
