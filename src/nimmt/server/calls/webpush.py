"""A message to a browser that is not there: encrypted (RFC 8291) and signed by this server (RFC 8292).

Push services, run by the makers of browsers, pass it on. They can read neither what it says nor how long it is.
"""

from __future__ import annotations

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

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
