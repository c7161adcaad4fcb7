"""Browsers that want to be called, for each guest: durable, few, soon forgotten when they are gone; quiet hours."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Annotated
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Meta

from nimmt.rules.game import Seat
from nimmt.server.calls.webpush import BadEndpoint, Receiver, b64encode, check_endpoint
from nimmt.server.http.errors import Code, Refused
from nimmt.server.people.guests import Guest
from nimmt.server.tables.commands import now_ms
from nimmt.store import Store
from nimmt.store.contract import is_storable

MAX_SUBSCRIPTIONS = 10
"""For each guest; then the oldest gives way."""
OWNERS = "push-owner"
"""Documents named after subscriptions, with the guest: a browser calls one person only."""


CALLS = "call"
"""Calls that are not settled yet."""


class Subscription(msgspec.Struct, frozen=True, kw_only=True):
    """A browser of a guest. The endpoint and the keys are for the server alone."""

    id: str
    endpoint: str
    p256dh: str
    auth: str
    since: int
    quiet: Quiet | None = None
    zone: str = "UTC"
    device: str = ""
    """The device by whose cookie it came: when that is logged out, so is this."""

    def info(self) -> SubscriptionInfo:
        service = urlsplit(self.endpoint).hostname or ""
        return SubscriptionInfo(self.id, self.since, service, self.quiet, self.zone)


class SubscriptionInfo(msgspec.Struct, frozen=True):
    """A browser that is called, and which service passes calls on to it."""

    id: str
    since: int
    service: str
    quiet: Quiet | None
    zone: str


class Call(msgspec.Struct, frozen=True):
    """Somebody is to be told in one of their browsers that it is their turn."""

    guest: str
    subscription: str
    table: str
    seat: Seat
    since: int
    """Which decision: see `Asked`."""
    due: int
    attempts: int = 0

    @property
    def name(self) -> str:
        """Tells calls apart, and nothing about whom they are for."""
        return b64encode(sha256(f"{self.subscription}/{self.table}/{self.since}".encode()).digest()[:18])


Key = Annotated[str, Meta(min_length=1, max_length=200)]


def subscription_id(endpoint: str) -> str:
    return b64encode(sha256(endpoint.encode()).digest()[:18])


class Subscriptions:
    """`private`: endpoints may be anywhere, even on this machine."""

    def __init__(self, store: Store, private: bool = False) -> None:
        self._store, self._private = store, private

    async def add(
        self, guest: Guest, endpoint: str, p256dh: str, auth: str, quiet: Quiet | None, zone: str
    ) -> SubscriptionInfo:
        """Or change it, if this browser is called already. Raises `Refused`."""
        try:
            check_endpoint(endpoint, self._private)
            Receiver.read(p256dh, auth)
            find_zone(zone)
        except (BadEndpoint, ValueError) as error:
            raise Refused(Code.BAD_SUBSCRIPTION, str(error)) from None
        name = subscription_id(endpoint)
        before = await self.get(guest.id, name)
        added = Subscription(
            id=name,
            endpoint=endpoint,
            p256dh=p256dh,
            auth=auth,
            since=before.since if before else now_ms(),
            quiet=quiet,
            zone=zone,
            device=guest.device,
        )
        await self._own(guest.id, name)
        await self._write(guest.id, added)
        for old in (await self.of(guest.id))[:-MAX_SUBSCRIPTIONS]:
            await self.remove(guest.id, old.id)
        return added.info()

    async def _own(self, guest_id: str, name: str) -> None:
        """Somebody else may have used this browser before."""
        owner = (await self._store.get(OWNERS, name) or b"").decode()
        if owner and owner != guest_id:
            await self._store.remove(_kind(owner), name)
        await self._store.put(OWNERS, name, guest_id.encode())

    async def _write(self, guest_id: str, subscription: Subscription) -> None:
        await self._store.put(_kind(guest_id), subscription.id, msgspec.json.encode(subscription))

    async def get(self, guest_id: str, name: str) -> Subscription | None:
        data = await self._store.get(_kind(guest_id), name) if is_storable(name) else None
        return msgspec.json.decode(data, type=Subscription) if data else None

    async def of(self, guest_id: str) -> list[Subscription]:
        """The first one first."""
        found = await self._store.documents(_kind(guest_id))
        all_of_them = [msgspec.json.decode(data, type=Subscription) for data in found.values()]
        return sorted(all_of_them, key=lambda one: (one.since, one.id))

    async def owners(self) -> list[str]:
        """The guests who want to be called somewhere."""
        return sorted({owner.decode() for owner in (await self._store.documents(OWNERS)).values()})

    async def remove(self, guest_id: str, name: str) -> None:
        if await self.get(guest_id, name) is not None:
            await self._store.remove(_kind(guest_id), name)
            await self._store.remove(OWNERS, name)

    async def forget(self, guest_id: str) -> None:
        """All of a guest's, and the calls that wait for them."""
        for one in await self.of(guest_id):
            await self.remove(guest_id, one.id)
        for name, data in (await self._store.documents(CALLS)).items():
            if msgspec.json.decode(data, type=Call).guest == guest_id:
                await self._store.remove(CALLS, name)

    async def end_device(self, guest_id: str, device: str) -> None:
        """A device that was logged out is not this guest any more."""
        for one in await self.of(guest_id):
            if one.device == device:
                await self.remove(guest_id, one.id)

    async def end_others(self, guest: Guest) -> None:
        """All but those of the device that this guest came with, whose cookie names no device from now on."""
        for one in await self.of(guest.id):
            if one.device == guest.device:
                await self._write(guest.id, msgspec.structs.replace(one, device=""))
            else:
                await self.remove(guest.id, one.id)


def _kind(guest_id: str) -> str:
    return f"push:{guest_id}"


# -- quiet hours -------------------------------------------------------------------------------------------------------

DAY = 24 * 60
Minute = Annotated[int, Meta(ge=0, lt=DAY)]


class Quiet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """From one minute of the day to another; over midnight if that is earlier. The same twice is never."""

    start: Minute
    end: Minute

    def holds(self, minute: int) -> bool:
        if self.start <= self.end:
            return self.start <= minute < self.end
        return minute >= self.start or minute < self.end


def find_zone(name: str) -> ZoneInfo:
    """Raises `ValueError` for a zone that is not known here."""
    try:
        return ZoneInfo(name)
    except (OSError, LookupError, ValueError):  # no such zone, a folder of zones, or no name at all
        raise ValueError(f"There is no time zone {name!r:.60}.") from None


def quiet_until(quiet: Quiet | None, zone: str, now: int) -> int | None:
    """When the quiet hours end that hold now, in milliseconds of the epoch; None if none do."""
    if quiet is None:
        return None
    local = datetime.fromtimestamp(now / 1000, UTC).astimezone(find_zone(zone))
    minute = 60 * local.hour + local.minute
    if not quiet.holds(minute):
        return None
    day = local.date() + timedelta(days=quiet.end <= minute)
    end = datetime(day.year, day.month, day.day, quiet.end // 60, quiet.end % 60, tzinfo=local.tzinfo)
    return max(now + 60_000, int(end.timestamp() * 1000))  # clocks may be set back meanwhile
