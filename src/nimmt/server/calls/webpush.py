"""A message to a browser that is not there: encrypted (RFC 8291) and signed by this server (RFC 8292).

Push services, run by the makers of browsers, pass it on. They can read neither what it says nor how long it is.
"""

from __future__ import annotations

import asyncio
import os
import socket
from base64 import urlsafe_b64decode, urlsafe_b64encode
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

if TYPE_CHECKING:  # a fifth of the server's start, for what most servers never do
    import httpx

CURVE = ec.SECP256R1()
RECORD_SIZE = 4096
PADDED = 256
"""Every message is made this long before it is encrypted, in bytes, so that its length says nothing."""
TOKEN_SECONDS = 12 * 3600
"""A day is the most that push services accept."""


def b64encode(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def b64decode(text: str) -> bytes:
    """Raises `ValueError`."""
    return urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4))


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class Receiver(NamedTuple):
    """What a browser says to be reached with."""

    key: ec.EllipticCurvePublicKey
    auth: bytes

    @staticmethod
    def read(p256dh: str, auth: str) -> Receiver:
        """Raises `ValueError` if this is not a key, or not a secret of 16 bytes."""
        try:
            secret, key = b64decode(auth), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, b64decode(p256dh))
        except ValueError:
            raise ValueError("These are not the keys of a browser.") from None
        if len(secret) != 16:
            raise ValueError("The secret of a browser has 16 bytes.")
        return Receiver(key, secret)


# -- encryption: RFC 8291 on RFC 8188 ----------------------------------------------------------------------------------


def encrypt(
    plain: bytes,
    receiver: Receiver,
    ours: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
    padded: int = PADDED,
) -> bytes:
    """The body of a message in one record. Key and salt are made for each message; only tests give them."""
    ours, salt = ours or ec.generate_private_key(CURVE), salt or os.urandom(16)
    key, nonce = _keys(ours, receiver, salt)
    # Behind what is said stands a 2, as this is the last record, and then zeros.
    record = plain + b"\x02" + bytes(max(0, padded - len(plain) - 1))
    if len(record) + 16 > RECORD_SIZE:
        raise ValueError("The message is too long.")
    sender = point(ours.public_key())
    head = salt + RECORD_SIZE.to_bytes(4, "big") + len(sender).to_bytes(1, "big") + sender
    return head + AESGCM(key).encrypt(nonce, record, None)


def _keys(ours: ec.EllipticCurvePrivateKey, receiver: Receiver, salt: bytes) -> tuple[bytes, bytes]:
    info = b"WebPush: info\0" + point(receiver.key) + point(ours.public_key())
    secret = _derive(ours.exchange(ec.ECDH(), receiver.key), receiver.auth, info, 32)
    key = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    return key, _derive(secret, salt, b"Content-Encoding: nonce\0", 12)


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


# -- who sends: VAPID, RFC 8292 ----------------------------------------------------------------------------------------


class Vapid:
    """The key by which push services know this server. Browsers are given its public half when they subscribe."""

    def __init__(self, secret: bytes, contact: str = "") -> None:
        self._key = ec.derive_private_key(int.from_bytes(secret, "big"), CURVE)
        self._contact = contact
        self.public = b64encode(point(self._key.public_key()))

    @staticmethod
    def new_secret() -> bytes:
        number = ec.generate_private_key(CURVE).private_numbers().private_value
        return number.to_bytes(32, "big")

    def authorization(self, endpoint: str, now: int) -> str:
        """The header for a message to this endpoint; `now` in seconds of the epoch."""
        parts = urlsplit(endpoint)
        claims: dict[str, str | int] = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": now + TOKEN_SECONDS}
        if self._contact:
            claims["sub"] = self._contact
        said = ".".join(b64encode(msgspec.json.encode(part)) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
        return f"vapid t={said}.{b64encode(self._sign(said.encode()))}, k={self.public}"

    def _sign(self, said: bytes) -> bytes:
        r, s = decode_dss_signature(self._key.sign(said, ec.ECDSA(hashes.SHA256())))
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")


# -- where messages may be sent ----------------------------------------------------------------------------------------

MAX_LENGTH = 1000
NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
"""Addresses behind which an IPv4 address is reached: perhaps one of ours."""


class BadEndpoint(Exception):
    """Nothing is sent there; says why."""


class Target(NamedTuple):
    """An endpoint, and the address that its name led to when we looked: no second look may lead elsewhere."""

    url: httpx.URL
    """With that address in place of the name."""
    endpoint: httpx.URL

    @property
    def headers(self) -> dict[str, str]:
        return {"host": self.endpoint.netloc.decode()}

    @property
    def extensions(self) -> dict[str, str]:
        """The certificate must be the name's, whatever address it is at."""
        return {"sni_hostname": self.endpoint.host}


def check_endpoint(endpoint: str, private: bool = False) -> None:
    """Raises `BadEndpoint` for what cannot be a push service, as far as the address itself tells."""
    import httpx

    if len(endpoint) > MAX_LENGTH or not endpoint.isascii() or any(sign <= " " for sign in endpoint):
        raise BadEndpoint("The endpoint is not an address.")
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port
        httpx.URL(endpoint)
    except (ValueError, httpx.InvalidURL):
        raise BadEndpoint("The endpoint is not an address.") from None
    if not host or parts.username is not None or parts.password is not None or parts.fragment:
        raise BadEndpoint("The endpoint is not an address.")
    if private and parts.scheme in ("http", "https"):
        return
    if parts.scheme != "https" or port not in (None, 443):
        raise BadEndpoint("The endpoint must be at an https:// address.")
    if _is_number(host) or "." not in host:
        raise BadEndpoint("The endpoint must have the name of a host out there.")


async def resolve(endpoint: str, private: bool = False) -> Target:
    """Where to send; raises `BadEndpoint` if its name leads to where nobody from outside should get, and `OSError` if
    it leads nowhere now."""
    import httpx

    check_endpoint(endpoint, private)
    url = httpx.URL(endpoint)
    port = url.port or (443 if url.scheme == "https" else 80)
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(url.host, port, type=socket.SOCK_STREAM)
    addresses = [str(address[0]) for *_, address in found]
    if not private and not all(map(is_public, addresses)):
        raise BadEndpoint("The endpoint leads to an address that is not public.")
    return Target(url.copy_with(host=addresses[0]), url)


def is_public(text: str) -> bool:
    """Is this an address that anybody on the internet can reach?"""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None,))[0]
        if inner is not None:
            return is_public(str(inner))
        if any(address in network for network in NAT64):
            return is_public(str(IPv4Address(int(address) & 0xFFFFFFFF)))
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


def _is_number(host: str) -> bool:
    """Also as some systems still read it: 0x7f000001, 2130706433, 0177.1"""
    try:
        ip_address(host)
    except ValueError:
        last = host.rstrip(".").rpartition(".")[2]
        return last.isdecimal() or last.startswith("0x")
    return True
