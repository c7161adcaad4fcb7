"""Quiet hours: when somebody does not want to be called, by the clock where they are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Meta

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
