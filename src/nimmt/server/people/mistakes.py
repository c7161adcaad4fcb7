"""What kinds of mistakes somebody makes: from the reviews of their own seats that are kept, never from others'."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from nimmt.insight.figures import KINDS, Kind, whole
from nimmt.server.people.matches import Filter, Matches
from nimmt.server.reviews import KindCount, ReviewSum, sum_of
from nimmt.store import Store

MOST = 100
"""So many matches are looked at, the latest first."""


class OwnMistakes(msgspec.Struct, frozen=True, kw_only=True):
    """What the reviews of your latest matches say about your decisions. `looked_at` of your matches fit, 100 at most;
    `reviewed` of them have a whole review of your seat."""

    looked_at: int
    reviewed: int
    judged: int
    """Decisions."""
    lost: float
    """Points lost by decisions that mattered."""
    accuracy: float
    """Of what could be lost by them, so many per cent were not."""
    kinds: tuple[KindCount, ...]
    """The most frequent first; those that were never made are left out."""


class Mistakes:
    def __init__(self, store: Store, matches: Matches) -> None:
        self._store, self._matches = store, matches

    async def of(self, guest: str, wanted: Filter) -> OwnMistakes:
        latest = (await self._matches.fitting(guest, wanted))[:MOST]
        found = [await sum_of(self._store, match.id, match.seat) for match in latest]
        return added(len(latest), [one for one in found if one is not None])


def added(looked_at: int, sums: list[ReviewSum]) -> OwnMistakes:
    lost, stake = whole(one.lost for one in sums), whole(one.stake for one in sums)
    counts = [_added(kind, (count for one in sums for count in one.kinds)) for kind in KINDS]
    return OwnMistakes(
        looked_at=looked_at,
        reviewed=len(sums),
        judged=sum(one.judged for one in sums),
        lost=lost,
        accuracy=round(100 * (1 - lost / stake), 1) if stake else 100.0,
        kinds=tuple(sorted((one for one in counts if one.count), key=lambda one: -one.count)),
    )


def _added(kind: Kind, counts: Iterable[KindCount]) -> KindCount:
    same = [one for one in counts if one.kind == kind]
    return KindCount(
        kind=kind,
        count=sum(one.count for one in same),
        lost=whole(one.lost for one in same),
        win_lost=whole(one.win_lost for one in same),
    )
