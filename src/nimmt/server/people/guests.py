"""Who somebody is: guests with a nickname and a signed cookie, links to other devices, tokens for programs."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from base64 import urlsafe_b64encode
from datetime import UTC, datetime
from hashlib import sha256
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from nimmt.server.http.errors import Code, Refused
from nimmt.server.people.keys import DAY, LEGACY, Keys
from nimmt.server.people.names import clean_label, clean_name
from nimmt.server.tables.commands import Once, now_ms
from nimmt.store import Store, StoreError
from nimmt.store.contract import is_storable

LINK_MINUTES = 15
TOKEN_PREFIX = "nimmt_"
TOKEN_DAYS = 365
"""So long a token is good if nothing else is said when it is made."""
MAX_TOKEN_DAYS = 3650
MAX_TOKENS = 20
MAX_DEVICES = 20
REMEMBERED = 5000
MAX_REMEMBERED = 50_000
RENEWED_AFTER = 30
"""A cookie that is so many days old is signed anew, so that it lasts as long as its guest comes."""

LOGGED_OUT = "You were logged out here."

Scope: TypeAlias = Literal["read", "play", "tables"]
SCOPES: tuple[Scope, ...] = ("read", "play", "tables")


class Guest(msgspec.Struct, frozen=True):
    """A person or a program as the server knows them. Programs may do only what their token's scopes say."""

    id: str
    name: str
    scopes: tuple[Scope, ...] = SCOPES
    by_token: bool = False
    epoch: str = ""
    """Which log-out this cookie or token came after: another one ends it."""
    device: str = ""
    """The device that a link made this guest, if it was one."""
    cookie: str = ""
    """The epoch and the device that the cookie itself says: see `_Standing.grace`."""
    token: str = ""
    """The hash of the token."""
    until: int | None = None
    """When the token expires."""
    is_stale: bool = False
    """The cookie should be signed anew."""


class GuestDocument(msgspec.Struct, frozen=True):
    name: str
    created: int


class DeviceInfo(msgspec.Struct, frozen=True):
    """A device that came by a link."""

    id: str
    since: int


class TokenInfo(msgspec.Struct, frozen=True):
    """A token without its secret. `expires` is null for those from before tokens expired."""

    id: str
    name: str
    scopes: tuple[Scope, ...]
    created: int
    expires: int | None = None

    def has_expired(self) -> bool:
        return self.expires is not None and self.expires <= now_ms()


class _Link(msgspec.Struct, frozen=True):
    guest: str
    epoch: str


class _Standing(NamedTuple):
    """What cookies of a guest are checked against."""

    guest: Guest
    devices: frozenset[str]
    grace: str
    """The cookie with which somebody logged out everywhere else counts until their new one is seen: the answer that
    brought it may have been lost, and without any cookie they could never come back."""
    since: int

    def lets_in(self, epoch: str, device: str) -> bool:
        return epoch == self.guest.epoch and (not device or device in self.devices)


class _Cookie(NamedTuple):
    guest: str
    epoch: str
    device: str
    day: int
    key: str
    signature: str
    said: str
    """What was signed."""

    @staticmethod
    def read(text: str) -> _Cookie | None:
        match text.split("."):
            case [guest, signature] if guest:  # from before there was a way to log out
                return _Cookie(guest, "", "", 0, LEGACY, signature, "guest:" + guest)
            case [guest, epoch, device, day, key, signature] if guest and day.isdecimal() and len(day) < 9:
                said = f"cookie:{guest}.{epoch}.{device}.{day}"
                return _Cookie(guest, epoch, device, int(day), key, signature, said)
        return None


class Guests:
    """Identities in the store. Secrets (links, tokens) are kept only as hashes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._keys = Keys(store)
        self._tokens_change = asyncio.Lock()
        self._known: dict[str, _Standing] = {}
        self._recalls = 0
        self._came: dict[str, int] = {}

    async def open(self) -> None:
        await self._keys.load()

    async def reload(self) -> None:
        """The keys may have changed, and everything else."""
        await self._keys.load()
        self._recalls += 1
        self._known.clear()

    # -- cookies ---------------------------------------------------------------------------------------

    def sign(self, guest: Guest) -> str:
        said, key = f"{guest.id}.{guest.epoch}.{guest.device}.{today()}", self._keys.current
        return f"{said}.{key}.{self._signature(key, f'cookie:{said}')}"

    def _signature(self, key: str, text: str) -> str | None:
        made = self._keys.signature(key, text)
        return None if made is None else _text(made)

    def opening(self, guest: Guest, key: str, request: bytes) -> Once:
        """For opening a table: the id of the table that this guest opens with this idempotency key is always the same,
        and as hard to guess as one made at random."""
        table_id = "t" + _text(self._keys.fixed(f"table:{guest.id}:{key}")[:16])
        return Once(table_id, self._fingerprint(request))

    def once(self, guest: Guest, key: str, request: bytes) -> Once:
        """For a command at a table."""
        return Once(f"{guest.id}:{key}", self._fingerprint(request))

    def _fingerprint(self, request: bytes) -> str:
        """Nobody who sees it can try out what was asked for: there are few cards to choose from."""
        return _text(self._keys.fixed("request:" + sha256(request).hexdigest())[:16])

    async def from_cookie(self, text: str | None) -> Guest | None:
        """The guest of a cookie that this server signed; None for anything else."""
        cookie = _Cookie.read(text or "")
        if cookie is None:
            return None
        await self._keys.expect(cookie.key)
        signed = self._signature(cookie.key, cookie.said)
        if signed is None or not hmac.compare_digest(cookie.signature.encode(), signed.encode()):
            return None
        standing = await self._standing(cookie.guest)
        if standing is None:
            return None
        stale = cookie.key != self._keys.current or today() - cookie.day >= RENEWED_AFTER
        said = f"{cookie.epoch}.{cookie.device}"
        if standing.lets_in(cookie.epoch, cookie.device):
            guest = msgspec.structs.replace(standing.guest, device=cookie.device, cookie=said, is_stale=stale)
            await self._end_grace(standing)
        elif standing.grace == said:
            guest = msgspec.structs.replace(standing.guest, cookie=said, is_stale=True)
        else:
            return None
        await self.note_visit(cookie.guest)
        return guest

    async def _end_grace(self, standing: _Standing) -> None:
        if standing.grace:
            await self._store.remove("grace", standing.guest.id)
            self.recall(standing.guest.id)

    async def _standing(self, guest_id: str) -> _Standing | None:
        """Asked for with every request, so remembered for a moment: another process may rename a guest meanwhile. That
        somebody was logged out is told, see `Sessions`."""
        known = self._known.get(guest_id)
        if known is not None and now_ms() - known.since < REMEMBERED:
            return known
        recalls, since = self._recalls, now_ms()
        data = await self._store.get("guest", guest_id)
        if data is None:
            return None
        epoch = (await self._store.get("epoch", guest_id) or b"").decode()
        devices = frozenset(await self._store.documents(_devices(guest_id)))
        grace = (await self._store.get("grace", guest_id, since) or b"").decode()
        guest = Guest(guest_id, msgspec.json.decode(data, type=GuestDocument).name, epoch=epoch)
        standing = _Standing(guest, devices, grace, since)
        if recalls == self._recalls:  # else it may be old already
            self._remember(standing)
        return standing

    def _remember(self, standing: _Standing) -> None:
        if len(self._known) >= MAX_REMEMBERED:
            self._known.clear()
        self._known[standing.guest.id] = standing

    def recall(self, guest_id: str) -> None:
        """What is remembered of a guest, or is just being read, may be wrong by now."""
        self._recalls += 1
        self._known.pop(guest_id, None)

    async def note_visit(self, guest_id: str) -> None:
        """Written once a day for each guest, so that those who never come back can be forgotten. Guests are kept in a
        list for each day, and are in the one of the last day that they came."""
        day = today()
        if self._came.get(guest_id) == day:
            return
        if len(self._came) >= MAX_REMEMBERED:
            self._came.clear()
        self._came[guest_id] = day
        try:
            await self._move_to_list(guest_id, day)
        except StoreError:  # no reason to send anybody away; there will be another visit
            self._came.pop(guest_id, None)

    async def _move_to_list(self, guest_id: str, day: int) -> None:
        before = await self.last_seen(guest_id)
        if before == day:
            return
        await self._store.put(came_on(day), guest_id, b"")
        await self._store.put("seen", guest_id, str(day).encode())
        if before is not None:
            await self._store.remove(came_on(before), guest_id)

    async def last_seen(self, guest_id: str) -> int | None:
        """The day, counted from that of the epoch."""
        data = await self._store.get("seen", guest_id)
        return int(data) if data else None

    # -- people ----------------------------------------------------------------------------------------

    async def welcome(self, name: str) -> Guest:
        # A letter first: commands would take an id that begins with a dash for an option.
        guest = Guest("g" + secrets.token_urlsafe(16), clean_name(name))
        await self._write(guest, now_ms())
        await self.note_visit(guest.id)
        return guest

    async def rename(self, guest: Guest, name: str) -> Guest:
        renamed = msgspec.structs.replace(guest, name=clean_name(name))
        document = await self.document(guest.id)
        if document is None:  # deleted in this very moment
            raise Refused(Code.LOGGED_OUT, LOGGED_OUT)
        await self._write(renamed, document.created)
        return renamed

    async def document(self, guest_id: str) -> GuestDocument | None:
        data = await self._store.get("guest", guest_id)
        return msgspec.json.decode(data, type=GuestDocument) if data else None

    async def _write(self, guest: Guest, created: int) -> None:
        await self._store.put("guest", guest.id, msgspec.json.encode(GuestDocument(guest.name, created)))
        self.recall(guest.id)

    async def make_link(self, guest: Guest) -> str:
        """A code that makes another device the same guest, once, within a quarter of an hour."""
        code = secrets.token_urlsafe(24)
        link = msgspec.json.encode(_Link(guest.id, guest.epoch))
        await self._store.put("link", _hash(code), link, now_ms() + LINK_MINUTES * 60_000)
        return code

    async def use_link(self, code: str) -> Guest:
        data = await self._store.take("link", _hash(code), now_ms())
        link = msgspec.json.decode(data, type=_Link) if data and data.startswith(b"{") else None
        standing = await self._standing(link.guest) if link else None
        if link is None or standing is None or not standing.lets_in(link.epoch, ""):
            raise Refused(Code.NO_SUCH_LINK, "This link has already been used or has expired. Please make a new one.")
        return await self._carry(standing)

    async def _carry(self, standing: _Standing) -> Guest:
        guest, device = standing.guest, DeviceInfo(secrets.token_urlsafe(6), now_ms())
        # Somebody who is carried about a lot need not clear up: the device that came first gives way.
        for old in (await self.devices(guest))[: -MAX_DEVICES + 1]:
            await self._store.remove(_devices(guest.id), old.id)
        await self._store.put(_devices(guest.id), device.id, msgspec.json.encode(device))
        self.recall(guest.id)
        return msgspec.structs.replace(guest, device=device.id)

    async def devices(self, guest: Guest) -> list[DeviceInfo]:
        """Those that came by a link, the first one first."""
        found = await self._store.documents(_devices(guest.id))
        devices = [msgspec.json.decode(data, type=DeviceInfo) for data in found.values()]
        return sorted(devices, key=lambda device: (device.since, device.id))

    # -- shutting out ----------------------------------------------------------------------------------
    # Whoever calls these must tell the processes that serve: see `Sessions.end`.

    async def end_device(self, guest: Guest, device_id: str) -> None:
        if is_storable(device_id):
            await self._store.remove(_devices(guest.id), device_id)
        self.recall(guest.id)

    async def end_others(self, guest: Guest) -> Guest:
        """All cookies, links and tokens but this one count no more; returns the guest to sign a new cookie for."""
        await self._store.put("grace", guest.id, guest.cookie.encode(), now_ms() + DAY)
        return msgspec.structs.replace(guest, epoch=await self.end_all(guest.id), device="")

    async def end_all(self, guest_id: str) -> str:
        """All cookies, links and tokens of a guest count no more. Returns what a cookie must say from now on."""
        epoch = secrets.token_urlsafe(6)
        await self._store.put("epoch", guest_id, epoch.encode())
        for device_id in await self._store.documents(_devices(guest_id)):
            await self._store.remove(_devices(guest_id), device_id)
        async with self._tokens_change:
            for hashed in await self._tokens_of(guest_id):
                await self._store.remove("token", hashed)
            await self._store.remove("tokens", guest_id)
        self.recall(guest_id)
        return epoch

    async def remove(self, guest_id: str) -> None:
        """Forget who somebody was. What they left at tables is `privacy`'s business."""
        await self._store.remove("guest", guest_id)
        await self.end_all(guest_id)
        await self._store.remove("epoch", guest_id)
        await self._store.remove("grace", guest_id)
        seen = await self.last_seen(guest_id)
        if seen is not None:
            await self._store.remove(came_on(seen), guest_id)
        await self._store.remove("seen", guest_id)
        self._came.pop(guest_id, None)
        self.recall(guest_id)

    async def require_still(self, guest: Guest) -> None:
        """Raises `Refused` if what this guest came with counts no more."""
        if guest.by_token:
            await self._from_hash(guest.token)
            return
        standing = await self._standing(guest.id)
        if standing is None or not standing.lets_in(guest.epoch, guest.device):
            raise Refused(Code.LOGGED_OUT, LOGGED_OUT)

    # -- programs --------------------------------------------------------------------------------------

    async def make_token(
        self, guest: Guest, name: str, scopes: tuple[Scope, ...], days: int = TOKEN_DAYS
    ) -> tuple[str, TokenInfo]:
        token = TOKEN_PREFIX + secrets.token_urlsafe(32)
        kept = tuple(scope for scope in SCOPES if scope in scopes)
        info = TokenInfo(secrets.token_urlsafe(8), clean_label(name), kept, now_ms(), now_ms() + days * DAY)
        async with self._tokens_change:
            mine = await self._unexpired(guest.id)
            if len(mine) >= MAX_TOKENS:
                raise Refused(Code.FORBIDDEN, f"You already have {MAX_TOKENS} tokens. Please delete one first.")
            await self._store.put("token", _hash(token), guest.id.encode())
            await self._write_tokens(guest, {**mine, _hash(token): info})
        return token, info

    async def _unexpired(self, guest_id: str) -> dict[str, TokenInfo]:
        """The others make room."""
        mine = await self._tokens_of(guest_id)
        for hashed, info in mine.items():
            if info.has_expired():
                await self._store.remove("token", hashed)
        return {hashed: info for hashed, info in mine.items() if not info.has_expired()}

    async def from_token(self, token: str) -> Guest:
        """A token counts only while its guest can see it in the list, and so take it back."""
        guest = await self._from_hash(_hash(token))
        await self.note_visit(guest.id)
        return guest

    async def _from_hash(self, hashed: str) -> Guest:
        owner = await self._store.get("token", hashed)
        info = (await self._tokens_of(owner.decode())).get(hashed) if owner else None
        standing = await self._standing(owner.decode()) if owner else None
        if standing is None or info is None:
            raise Refused(Code.BAD_TOKEN, "This token is invalid or has been revoked.")
        if info.has_expired():
            day = datetime.fromtimestamp((info.expires or 0) / 1000, UTC).date().isoformat()
            raise Refused(Code.TOKEN_EXPIRED, f"This token expired on {day}. Please make a new one.")
        return msgspec.structs.replace(
            standing.guest, scopes=info.scopes, by_token=True, token=hashed, until=info.expires
        )

    async def tokens(self, guest: Guest) -> list[TokenInfo]:
        return [*(await self._tokens_of(guest.id)).values()]

    async def delete_token(self, guest: Guest, token_id: str) -> None:
        async with self._tokens_change:
            mine = await self._tokens_of(guest.id)
            for hashed, info in mine.items():
                if info.id == token_id:
                    await self._store.remove("token", hashed)
            await self._write_tokens(guest, {hashed: info for hashed, info in mine.items() if info.id != token_id})

    async def _tokens_of(self, guest_id: str) -> dict[str, TokenInfo]:
        data = await self._store.get("tokens", guest_id)
        return msgspec.json.decode(data, type=dict[str, TokenInfo]) if data else {}

    async def _write_tokens(self, guest: Guest, tokens: dict[str, TokenInfo]) -> None:
        await self._store.put("tokens", guest.id, msgspec.json.encode(tokens))


def today() -> int:
    """Days since that of the epoch."""
    return now_ms() // DAY


def came_on(day: int) -> str:
    """The kind of documents that are named after the guests who came last on this day."""
    return f"seen:{day}"


def _devices(guest_id: str) -> str:
    """The kind of documents that are a guest's devices."""
    return f"device:{guest_id}"


def _hash(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
