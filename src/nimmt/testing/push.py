"""A push service for tests, and browsers behind it that read what they are told: a real HTTP server with real keys."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, NamedTuple

import msgspec
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from nimmt.server.calls.webpush import CURVE, b64decode, b64encode, point

TIMEOUT = 60.0


class Pushed(NamedTuple):
    """A message as it arrived."""

    path: str
    headers: dict[str, str]
    body: bytes


class Browser:
    """Has the keys that messages to it are encrypted for."""

    def __init__(self, service: PushService) -> None:
        self._key, self._auth = ec.generate_private_key(CURVE), secrets.token_bytes(16)
        self._service, self.path = service, f"/push/{secrets.token_urlsafe(12)}"

    def subscription(self, **more: Any) -> dict[str, Any]:
        """What a page sends to its server."""
        p256dh = b64encode(point(self._key.public_key()))
        return {"endpoint": self._service.url + self.path, "p256dh": p256dh, "auth": b64encode(self._auth), **more}

    @property
    def received(self) -> list[Pushed]:
        return [pushed for pushed in self._service.received if pushed.path == self.path]

    def wait(self, count: int = 1) -> list[Pushed]:
        """Until so many messages have come, whatever the service answered."""
        self._service.until(lambda: len(self.received) >= count)
        return self.received

    def read(self, pushed: Pushed) -> Any:
        """What a message says: RFC 8291 from the other end, written on its own."""
        salt, size, length = pushed.body[:16], int.from_bytes(pushed.body[16:20], "big"), pushed.body[20]
        sender, record = pushed.body[21 : 21 + length], pushed.body[21 + length :]
        assert pushed.headers["content-encoding"] == "aes128gcm"
        assert len(record) <= size
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender))
        info = b"WebPush: info\0" + point(self._key.public_key()) + sender
        secret = HKDF(hashes.SHA256(), 32, self._auth, info).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        return msgspec.json.decode(AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0").removesuffix(b"\x02"))


def claims_of(authorization: str, key: str) -> Any:
    """What a server says of itself, if it is signed with the key that browsers were given."""
    token, said_key = authorization.removeprefix("vapid t=").split(", k=")
    assert said_key == key
    said, _, signature = token.rpartition(".")
    r, s = (int.from_bytes(half, "big") for half in (b64decode(signature)[:32], b64decode(signature)[32:]))
    public = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, b64decode(key))
    public.verify(encode_dss_signature(r, s), said.encode(), ec.ECDSA(hashes.SHA256()))
    return msgspec.json.decode(b64decode(said.partition(".")[2]))


class PushService:
    """Takes messages; answers 201 unless it was told to answer otherwise."""

    def __init__(self) -> None:
        self.received: list[Pushed] = []
        self.answers: list[tuple[int, dict[str, str]]] = []
        """The next ones, the first one first."""
        self._came = threading.Condition()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                status, more = service._take(Pushed(self.path, headers, body))
                self.send_response(status)
                for name, value in more.items():
                    self.send_header(name, value)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, name="push service", daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def _take(self, pushed: Pushed) -> tuple[int, dict[str, str]]:
        with self._came:
            self.received.append(pushed)
            self._came.notify_all()
            return self.answers.pop(0) if self.answers else (201, {})

    def until(self, condition: Callable[[], bool]) -> None:
        with self._came:
            assert self._came.wait_for(condition, TIMEOUT), "nothing was pushed"

    def __enter__(self) -> PushService:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
