"""What answers cost, in time and bytes, and who has to wait because of it. Requests alone say little: one may cost a
thousand times as much as another."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import Litestar
from litestar.connection import ASGIConnection
from litestar.types import Message, Receive, Scope, Send

from nimmt.server.limits import Budget
from nimmt.server.metering import CHARGE, Timed
from nimmt.server.security import network
from nimmt.server.settings import Settings

IN_ALL = 14_000
"""Milliseconds of work in 20 seconds above which everybody gets less."""
LONGEST_DELAY = 1.0
"""Seconds that a request of somebody who has to wait is kept waiting before it is refused: else asking again and again
would cost more than what was refused."""


class Costs:
    """The budgets of a process."""

    def __init__(self, settings: Settings) -> None:
        self._all = Budget("work", IN_ALL, 20)
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

        if delay := min(meter.wait(), LONGEST_DELAY):
            await asyncio.sleep(delay)
        await Timed(self._app(scope, receive, send_counted), meter.charge_work)


def _size(message: Message) -> int:
    return len(message.get("body") or message.get("text") or message.get("bytes") or b"")  # type: ignore[arg-type]
