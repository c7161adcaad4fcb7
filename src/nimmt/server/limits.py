"""How much of a thing somebody may do: token buckets, forgotten when they are full again."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from nimmt.server.refusals import Code, Refused

MOST_BUCKETS = 100_000


class Limit:
    """`most` in `seconds` for each name, all at once or spread. Memory is bounded, whoever comes."""

    def __init__(self, what: str, most: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.what, self.most, self.seconds = what, most, seconds
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def spend(self, name: str, amount: float = 1.0) -> None:
        """Take from the bucket; raises `Refused` with the seconds to wait when it is empty."""
        now = self._clock()
        left, then = self._buckets.get(name, (float(self.most), now))
        left = min(float(self.most), left + (now - then) * self.most / self.seconds)
        if left < amount:
            self._buckets[name] = (left, now)
            wait = math.ceil((amount - left) * self.seconds / self.most)
            raise Refused(Code.TOO_MANY, f"Too many {self.what}. Please wait {wait} s.", retry_after=wait)
        self._buckets[name] = (left - amount, now)
        if len(self._buckets) > MOST_BUCKETS:
            self._forget(now)

    def _forget(self, now: float) -> None:
        """Full buckets say nothing; if all are in use the oldest half goes."""
        kept = {name: bucket for name, bucket in self._buckets.items() if now - bucket[1] < self.seconds}
        if len(kept) > MOST_BUCKETS // 2:
            kept = dict(sorted(kept.items(), key=lambda item: item[1][1])[-MOST_BUCKETS // 2 :])
        self._buckets = kept


class Counter:
    """How many of a thing are going on at once for each name."""

    def __init__(self, what: str, most: int) -> None:
        self.what, self.most = what, most
        self._counts: dict[str, int] = {}

    def check(self, name: str) -> None:
        """Raises `Refused` if one more would be too many."""
        if self._counts.get(name, 0) >= self.most:
            raise Refused(Code.TOO_MANY, f"Too many {self.what} at once.", retry_after=5)

    def enter(self, name: str) -> None:
        self.check(name)
        self._counts[name] = self._counts.get(name, 0) + 1

    def leave(self, name: str) -> None:
        self._counts[name] -= 1
        if not self._counts[name]:
            del self._counts[name]

    @property
    def total(self) -> int:
        return sum(self._counts.values())
