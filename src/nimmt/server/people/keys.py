"""The secret keys of a server: those that sign cookies, and the one that makes ids and fingerprints of requests.

Cookies are signed with the newest key. Older ones are still good for those who come back within a while; then a cookie
is signed anew. The other key never changes: a request that is sent again must be known again.
"""

from __future__ import annotations

import hmac
import secrets
from hashlib import sha256

import msgspec

from nimmt.server.tables.commands import now_ms
from nimmt.store import Store

KIND = "cookie-key"
LEGACY = "0"
"""The key of a server from before keys could be changed: its cookies do not name it."""
FIRST = "1"
DAY = 24 * 3_600_000
KEPT_DAYS = 30
"""So long cookies that were signed with the key before are good, unless the operator says otherwise."""


class _Key(msgspec.Struct, frozen=True):
    key: bytes
    made: int
    until: int | None = None


_decode = msgspec.json.Decoder(_Key).decode


class Keys:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._keys: dict[str, _Key] = {}
        self._fixed = b""
        self._looked = 0
        self.current = ""
        """The name of the key that new cookies are signed with."""

    async def load(self) -> None:
        """Make them if there are none, and read them."""
        self._looked = now_ms()
        self._fixed = await _ensure(self._store)
        found = await self._store.documents(KIND, now_ms())
        self._keys = {name: _decode(data) for name, data in found.items()}
        self.current = max(self._keys, key=lambda name: (self._keys[name].made, name))

    async def expect(self, name: str) -> None:
        """Another process may have heard of a new key sooner. Whoever makes names up does not make us look for all of
        them."""
        if name not in self._keys and now_ms() - self._looked >= 1000:
            await self.load()

    def signature(self, name: str, text: str) -> bytes | None:
        """What this key makes of a text; None if it is not (or no longer) good."""
        key = self._keys.get(name)
        if key is None or (key.until is not None and key.until <= now_ms()):
            return None
        return hmac.new(key.key, text.encode(), sha256).digest()

    def fixed(self, text: str) -> bytes:
        """What nobody can guess, and always the same for a text."""
        return hmac.new(self._fixed, text.encode(), sha256).digest()


async def _ensure(store: Store) -> bytes:
    """The first process that comes up makes the keys. Returns the one that never changes: with a database of an older
    version that is the one that also signed cookies, so that ids made with it stay the same."""
    fixed = await store.get("secret", "id-key")
    if fixed is not None and await store.documents(KIND, now_ms()):
        return fixed
    if not await store.documents(KIND, now_ms()):
        legacy = await store.get("secret", "cookie-key")
        # First the other key: whoever finds a key for cookies need not ask where ids come from.
        await store.put_if_absent("secret", "id-key", legacy or secrets.token_bytes(32))
        first = _Key(legacy, 0) if legacy else _Key(secrets.token_bytes(32), now_ms())
        await store.put_if_absent(KIND, LEGACY if legacy else FIRST, msgspec.json.encode(first))
    return await store.put_if_absent("secret", "id-key", secrets.token_bytes(32))


async def rotate(store: Store, keep_days: int = KEPT_DAYS) -> None:
    """Sign with a new key from now on. Cookies of the old one are good for so many days, and signed anew when their
    guests come back; with 0 nobody is let in with them any more.

    Processes that serve find out by themselves, see `Sessions`.
    """
    await _ensure(store)
    now = now_ms()
    keys = {name: _decode(data) for name, data in (await store.documents(KIND, now)).items()}
    made = max(now, *(key.made + 1 for key in keys.values()))  # the newest, even if the clock was set back
    await store.put(KIND, secrets.token_hex(4), msgspec.json.encode(_Key(secrets.token_bytes(32), made)))
    for name, key in keys.items():
        until = min(key.until or now + keep_days * DAY, now + keep_days * DAY)
        if until <= now:
            await store.remove(KIND, name)
        else:
            await store.put(KIND, name, msgspec.json.encode(_Key(key.key, key.made, until)), until)
    await store.remove("secret", "cookie-key")
