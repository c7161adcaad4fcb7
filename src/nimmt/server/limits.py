"""How much of a thing somebody may do: token buckets, forgotten when they are full again."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from nimmt.server.refusals import Code, Refused

MOST_BUCKETS = 100_000
SHORTAGE = 5
"""While too much is asked of the server as a whole, so many times less of its work comes back to everybody."""


class Limit:
    """`most` in `seconds` for each name, all at once or spread. Memory is bounded, whoever comes."""

    def __init__(self, what: str, most: int, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.what, self.most, self.seconds = what, most, seconds
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def spend(self, name: str, amount: float = 1.0) -> None:
        """Take from the bucket; raises `Refused` with the seconds to wait when it is empty."""
        now = self._clock()
        left = self._left(name, now)
        if left < amount:
            self._put(name, left, now)
            wait = math.ceil((amount - left) * self.seconds / self.most)
            raise Refused(Code.TOO_MANY, f"Too many {self.what}. Please wait {wait} s.", retry_after=wait)
        self._put(name, left - amount, now)

    def _left(self, name: str, now: float) -> float:
        left, then = self._buckets.get(name, (float(self.most), now))
        return min(float(self.most), left + (now - then) * self._refill)

    @property
    def _refill(self) -> float:
        """So much comes back in a second."""
        return self.most / self.seconds

    def _put(self, name: str, left: float, now: float) -> None:
        self._buckets[name] = (left, now)
        if len(self._buckets) > MOST_BUCKETS:
            self._forget(now)

    def _forget(self, now: float) -> None:
        """Full buckets say nothing; if all are in use the oldest half goes."""
        kept = {name: bucket for name, bucket in self._buckets.items() if now - bucket[1] < self.seconds}
        if len(kept) > MOST_BUCKETS // 2:
            kept = dict(sorted(kept.items(), key=lambda item: item[1][1])[-MOST_BUCKETS // 2 :])
        self._buckets = kept


class Budget(Limit):
    """A limit of what turns out only afterwards: one may overdraw it, and then has to wait.

    While there is a `shortage` less comes back, so that those who use little hardly notice those who use much.
    """

    def __init__(self, what: str, most: int, seconds: float, shortage: Callable[[], bool] = lambda: False) -> None:
        super().__init__(what, most, seconds)
        self._shortage = shortage

    def charge(self, name: str, amount: float) -> None:
        now = self._clock()
        self._put(name, max(-float(self.most), self._left(name, now) - amount), now)

    def wait(self, name: str) -> float:
        """Seconds until there is something left; 0 if there is."""
        left = self._left(name, self._clock())
        return 0.0 if left > 0 else max(1.0, -left / self._refill)

    def check(self, name: str) -> None:
        """Raises `Refused` if nothing is left."""
        if wait := math.ceil(self.wait(name)):
            raise Refused(Code.TOO_MANY, f"Too much {self.what}. Please wait {wait} s.", retry_after=wait)

    @property
    def _refill(self) -> float:
        return super()._refill / (SHORTAGE if self._shortage() else 1)


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
