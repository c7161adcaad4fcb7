"""How much somebody may do: token buckets for requests, time and bytes, and who is charged for what."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Generator
from contextvars import ContextVar
from typing import Any, Generic, TypeAlias, TypeVar

from litestar import Litestar
from litestar.connection import ASGIConnection
from litestar.types import Message, Receive, Scope, Send

from nimmt.server.http.errors import Code, Refused
from nimmt.server.http.security import network
from nimmt.server.settings import Settings

# -- limits ------------------------------------------------------------------------------------------------------------
# How much of a thing somebody may do: token buckets, forgotten when they are full again.

MAX_BUCKETS = 100_000
SHORTAGE = 5
"""While too much is asked of the server as a whole, so many times less of its work comes back to everybody."""


class Limit:
    """`most` in `seconds` for each name, all at once or spread. Memory is bounded, whoever comes."""

    def __init__(self, what: str, most: int, seconds: float, clock: Callable[[], float] | None = None) -> None:
        self.what, self.most, self.seconds = what, most, seconds
        self._clock = clock or time.monotonic
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
        if len(self._buckets) > MAX_BUCKETS:
            self._forget(now)

    def _forget(self, now: float) -> None:
        """Full buckets say nothing; if all are in use the oldest half goes."""
        kept = {name: bucket for name, bucket in self._buckets.items() if now - bucket[1] < self.seconds}
        if len(kept) > MAX_BUCKETS // 2:
            kept = dict(sorted(kept.items(), key=lambda item: item[1][1])[-MAX_BUCKETS // 2 :])
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


# -- metering ----------------------------------------------------------------------------------------------------------
# How much work something is. Whoever it is done for is charged, also for what goes on in tasks and threads of its own.

T = TypeVar("T")
Charge: TypeAlias = Callable[[float], None]
"""Takes the seconds that some work took."""


def _nobody(seconds: float) -> None:
    del seconds


CHARGE: ContextVar[Charge] = ContextVar("charge", default=_nobody)
"""Who pays for what is done here, and in tasks that are started here."""


PORTION = 0.0005
"""Seconds of work that are charged at once: to charge for every step of it would cost about as much as most steps."""


class Timed(Generic[T]):
    """Work that is measured step by step; what it waits for costs nothing."""

    def __init__(self, work: Awaitable[T], charge: Charge) -> None:
        self._work, self._charge = work, charge

    def __await__(self) -> Generator[Any, Any, T]:
        steps, value, error, unpaid = self._work.__await__(), None, None, 0.0
        try:
            while True:
                began = time.thread_time()
                try:
                    waiting = steps.send(value) if error is None else steps.throw(error)
                except StopIteration as done:
                    result: T = done.value
                    return result
                finally:
                    unpaid += time.thread_time() - began
                if unpaid >= PORTION:
                    self._charge(unpaid)
                    unpaid = 0.0
                try:
                    value, error = (yield waiting), None
                except BaseException as thrown:  # whatever it is, it is for the work to deal with
                    value, error = None, thrown
        finally:
            self._charge(unpaid)


async def charged(work: Awaitable[T]) -> T:
    """For a task of its own."""
    return await Timed(work, CHARGE.get())


async def in_thread(job: Callable[[], T]) -> T:
    """Something long that cannot be interrupted: others have their turn meanwhile."""
    seconds = 0.0

    def timed() -> T:
        nonlocal seconds
        began = time.thread_time()
        try:
            return job()
        finally:
            seconds = time.thread_time() - began

    try:
        return await asyncio.to_thread(timed)
    finally:
        CHARGE.get()(seconds)


# -- costs -------------------------------------------------------------------------------------------------------------
# What answers cost, in time and bytes, and who has to wait because of it. Requests alone say little: one may cost a
# thousand times as much as another.

TOTAL_WORK = 14_000
"""Milliseconds of work in 20 seconds above which everybody gets less."""
MAX_DELAY = 1.0
"""Seconds that a request of somebody who has to wait is kept waiting before it is refused: else asking again and again
would cost more than what was refused."""


class Costs:
    """The budgets of a process."""

    def __init__(self, settings: Settings) -> None:
        self._all = Budget("work", TOTAL_WORK, 20)
        self.guest_work = Budget("work for you", settings.work_per_guest, 20, self._is_short)
        self.guest_data = Budget("data for you", settings.kilobytes_per_guest, 20)
        self.address_work = Budget("work for your network", settings.work_per_address, 20, self._is_short)
        self.address_data = Budget("data for your network", settings.kilobytes_per_address, 20)

    def _is_short(self) -> bool:
        return self._all.wait("all") > 0

    def charge_all(self, milliseconds: float) -> None:
        self._all.charge("all", milliseconds)


class Meter:
    """Charges what is done for one connection to the address it comes from, and to the guest once that is known."""

    def __init__(self, costs: Costs, address: str) -> None:
        self._costs, self._address, self._guest = costs, address, ""

    def is_for(self, guest: str) -> None:
        """Raises `Refused` if the guest has to wait."""
        self._guest = guest
        self._costs.guest_work.check(guest)
        self._costs.guest_data.check(guest)

    def check(self) -> None:
        """Raises `Refused` if the address has to wait."""
        self._costs.address_work.check(self._address)
        self._costs.address_data.check(self._address)

    def wait(self) -> float:
        """Seconds until there is more to be had; 0 if there is."""
        costs, guest = self._costs, self._guest
        of_guest = max(costs.guest_work.wait(guest), costs.guest_data.wait(guest)) if guest else 0.0
        return max(costs.address_work.wait(self._address), costs.address_data.wait(self._address), of_guest)

    def charge_work(self, seconds: float) -> None:
        self._costs.address_work.charge(self._address, 1000 * seconds)
        self._costs.charge_all(1000 * seconds)
        if self._guest:
            self._costs.guest_work.charge(self._guest, 1000 * seconds)

    def charge_data(self, size: int) -> None:
        self._costs.address_data.charge(self._address, size / 1024)
        if self._guest:
            self._costs.guest_data.charge(self._guest, size / 1024)


def meter_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Meter:
    meter: Meter = connection.scope["nimmt.meter"]  # type: ignore[typeddict-item]
    return meter


class Metered:
    """The application, with a meter for whatever it is asked."""

    def __init__(self, app: Litestar) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":  # type: ignore[comparison-overlap]
            await self._app(scope, receive, send)
            return
        client = scope.get("client")
        meter = Meter(self._app.state.platform.limits.costs, network(client[0]) if client else "unknown")
        scope["nimmt.meter"] = meter  # type: ignore[typeddict-unknown-key]
        CHARGE.set(meter.charge_work)

        async def send_counted(message: Message) -> None:
            meter.charge_data(_size(message))
            await send(message)

        if delay := min(meter.wait(), MAX_DELAY):
            await asyncio.sleep(delay)
        await Timed(self._app(scope, receive, send_counted), meter.charge_work)


def _size(message: Message) -> int:
    return len(message.get("body") or message.get("text") or message.get("bytes") or b"")  # type: ignore[arg-type]
