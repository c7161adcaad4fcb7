"""Who somebody is: guests with a nickname and a signed cookie, links to other devices, tokens for programs."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Literal, TypeAlias

import msgspec

from nimmt.server.names import clean_name
from nimmt.server.refusals import Code, Refused
from nimmt.server.tables import now_ms
from nimmt.store import Store

LINK_MINUTES = 15
TOKEN_PREFIX = "nimmt_"
MOST_TOKENS = 20
REMEMBERED = 5000
MOST_REMEMBERED = 50_000

Scope: TypeAlias = Literal["read", "play", "tables"]
SCOPES: tuple[Scope, ...] = ("read", "play", "tables")


class Guest(msgspec.Struct, frozen=True):
    """A person or a program as the server knows them. Programs may do only what their token's scopes say."""

    id: str
    name: str
    scopes: tuple[Scope, ...] = SCOPES
    by_token: bool = False


class _GuestDocument(msgspec.Struct, frozen=True):
    name: str
    created: int


class TokenInfo(msgspec.Struct, frozen=True):
    """A token without its secret."""

    id: str
    name: str
    scopes: tuple[Scope, ...]
    created: int


class Guests:
    """Identities in the store. Secrets (links, tokens) are kept only as hashes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._key = b""
        self._tokens_change = asyncio.Lock()
        self._known: dict[str, tuple[Guest, int]] = {}

    async def open(self) -> None:
        """The key that signs cookies is made once, by the first process that comes up."""
        self._key = await self._store.put_if_absent("secret", "cookie-key", secrets.token_bytes(32))

    # -- cookies ---------------------------------------------------------------------------------------

    def sign(self, guest_id: str) -> str:
        return f"{guest_id}.{self._signature(guest_id)}"

    def _signature(self, guest_id: str) -> str:
        return _text(self._mac("guest:" + guest_id))

    def table_id(self, guest: Guest, key: str) -> str:
        """The id of the table that this guest opens with this idempotency key: always the same, and as hard to guess
        as one made by chance."""
        return "t" + _text(self._mac(f"table:{guest.id}:{key}")[:16])

    def _mac(self, text: str) -> bytes:
        return hmac.new(self._key, text.encode(), sha256).digest()

    async def from_cookie(self, cookie: str | None) -> Guest | None:
        """The guest of a cookie that this server signed; None for anything else."""
        guest_id, _, signature = (cookie or "").partition(".")
        if not guest_id or not hmac.compare_digest(signature.encode(), self._signature(guest_id).encode()):
            return None
        return await self._guest(guest_id)

    async def _guest(self, guest_id: str) -> Guest | None:
        """Asked for with every request, so remembered for a moment: another process may rename a guest meanwhile."""
        known, since = self._known.get(guest_id, (None, 0))
        if known is not None and now_ms() - since < REMEMBERED:
            return known
        data = await self._store.get("guest", guest_id)
        if data is None:
            return None
        return self._remember(Guest(guest_id, msgspec.json.decode(data, type=_GuestDocument).name))

    def _remember(self, guest: Guest) -> Guest:
        if len(self._known) >= MOST_REMEMBERED:
            self._known.clear()
        self._known[guest.id] = (guest, now_ms())
        return guest

    # -- people ----------------------------------------------------------------------------------------

    async def welcome(self, name: str) -> Guest:
        guest = Guest(secrets.token_urlsafe(16), clean_name(name))
        await self._write(guest)
        return guest

    async def rename(self, guest: Guest, name: str) -> Guest:
        renamed = msgspec.structs.replace(guest, name=clean_name(name))
        await self._write(renamed)
        return renamed

    async def _write(self, guest: Guest) -> None:
        await self._store.put("guest", guest.id, msgspec.json.encode(_GuestDocument(guest.name, now_ms())))
        self._remember(guest)

    async def make_link(self, guest: Guest) -> str:
        """A code that makes another device the same guest, once, within a quarter of an hour."""
        code = secrets.token_urlsafe(24)
        await self._store.put("link", _hash(code), guest.id.encode(), now_ms() + LINK_MINUTES * 60_000)
        return code

    async def use_link(self, code: str) -> Guest:
        data = await self._store.take("link", _hash(code), now_ms())
        guest = await self._guest(data.decode()) if data else None
        if guest is None:
            raise Refused(Code.NO_SUCH_LINK, "This link was used already or is too old. Please make a new one.")
        return guest

    # -- programs --------------------------------------------------------------------------------------

    async def make_token(self, guest: Guest, name: str, scopes: tuple[Scope, ...]) -> tuple[str, TokenInfo]:
        token = TOKEN_PREFIX + secrets.token_urlsafe(32)
        kept = tuple(scope for scope in SCOPES if scope in scopes)
        info = TokenInfo(secrets.token_urlsafe(8), clean_name(name), kept, now_ms())
        async with self._tokens_change:
            mine = await self._tokens_of(guest.id)
            if len(mine) >= MOST_TOKENS:
                raise Refused(Code.FORBIDDEN, f"You have {MOST_TOKENS} tokens already. Please delete one first.")
            await self._store.put("token", _hash(token), guest.id.encode())
            await self._write_tokens(guest, {**mine, _hash(token): info})
        return token, info

    async def from_token(self, token: str) -> Guest:
        """A token counts only while its guest can see it in the list, and so take it back."""
        owner = await self._store.get("token", _hash(token))
        info = (await self._tokens_of(owner.decode())).get(_hash(token)) if owner else None
        guest = await self._guest(owner.decode()) if owner else None
        if guest is None or info is None:
            raise Refused(Code.BAD_TOKEN, "This token is not (or no longer) valid.")
        return msgspec.structs.replace(guest, scopes=info.scopes, by_token=True)

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


def _hash(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")
