"""Whom a guest has muted or blocked. It is theirs alone: nobody else is told.

Muted: what that person says is told to this guest nowhere. Blocked: muted, and that person cannot sit down or talk at
tables whose host this guest is.
"""

from __future__ import annotations

from hashlib import sha256

import msgspec

from nimmt.server.http.errors import Code, Refused
from nimmt.server.hub import LocalHub
from nimmt.server.tables.commands import guest_topic, now_ms
from nimmt.store import Store

REMEMBERED = 5000
"""Milliseconds for which a process that did not hear of a change goes on as before."""
MOST_REMEMBERED = 50_000
MOST_SHUNNED = 500


class Shunned(msgspec.Struct, frozen=True):
    """Somebody whom a guest has muted or blocked, as they were called then. `id` stands for them in requests."""

    id: str
    name: str
    blocked: bool
    since: int


_decode = msgspec.json.Decoder(Shunned).decode


class Shunning:
    def __init__(self, store: Store, hub: LocalHub) -> None:
        self._store, self._hub = store, hub
        self._known: dict[str, tuple[int, dict[str, Shunned]]] = {}
        self._recalls = 0
        hub.listeners.append(self._hear)

    async def muted(self, guest: str | None) -> frozenset[str]:
        """Guests whose words are not told to this one."""
        return frozenset(await self._of(guest)) if guest is not None else frozenset()

    async def require_welcome(self, host: str, guest: str) -> None:
        """Raises `Refused` if the host of a table has blocked this guest."""
        found = (await self._of(host)).get(guest)
        if found is not None and found.blocked:
            raise Refused(Code.BLOCKED, "The host of this table has blocked you. You may watch.")

    async def of(self, guest: str) -> list[Shunned]:
        return sorted((await self._of(guest)).values(), key=lambda one: (one.name, one.id))

    async def _of(self, guest: str) -> dict[str, Shunned]:
        known = self._known.get(guest)
        if known is not None and now_ms() - known[0] < REMEMBERED:
            return known[1]
        since, recalls = now_ms(), self._recalls
        found = {other: _decode(data) for other, data in (await self._store.documents(_list(guest))).items()}
        if recalls == self._recalls:  # else it may be old already
            if len(self._known) >= MOST_REMEMBERED:
                self._known.clear()
            self._known[guest] = since, found
        return found

    def _recall(self, guest: str) -> None:
        self._recalls += 1
        self._known.pop(guest, None)

    async def shun(self, guest: str, other: str, name: str, blocked: bool) -> None:
        """Mute or block somebody; again, to have it otherwise."""
        if guest == other:
            raise Refused(Code.YOURSELF, "That is you.")
        mine = await self._store.documents(_list(guest))
        if other not in mine and len(mine) >= MOST_SHUNNED:
            raise Refused(
                Code.FORBIDDEN, f"You have muted {MOST_SHUNNED} people already. Please take somebody back first."
            )
        one = Shunned(sha256(f"{guest}:{other}".encode()).hexdigest()[:16], name, blocked, now_ms())
        await self._store.put(_list(guest), other, msgspec.json.encode(one))
        await self._store.put(_shunners(other), guest, b"")
        await self._tell(guest)

    async def take_back(self, guest: str, ref: str) -> None:
        for other, data in (await self._store.documents(_list(guest))).items():
            if _decode(data).id == ref:
                await self._remove(guest, other)
        await self._tell(guest)

    async def _remove(self, guest: str, other: str) -> None:
        await self._store.remove(_list(guest), other)
        await self._store.remove(_shunners(other), guest)

    async def forget(self, guest: str) -> None:
        """Nothing says any more whom this guest has shunned, or who has shunned them."""
        for other in await self._store.documents(_list(guest)):
            await self._remove(guest, other)
        for other in await self._store.documents(_shunners(guest)):
            await self._remove(other, guest)
            await self._tell(other)
        self._recall(guest)

    async def _tell(self, guest: str) -> None:
        self._recall(guest)
        await self._hub.publish(guest_topic(guest))

    def _hear(self, topic: str | None) -> None:
        if topic is None:
            self._recalls += 1
            self._known.clear()
        elif topic.startswith("guest:"):
            self._recall(topic.removeprefix("guest:"))


def _list(guest: str) -> str:
    """The kind of documents that are named after those whom a guest has shunned."""
    return f"shunned:{guest}"


def _shunners(guest: str) -> str:
    """The other way round, for the day when this guest is forgotten."""
    return f"shunned-by:{guest}"
