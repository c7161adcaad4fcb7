"""Headers that browsers obey, and where requests may come from."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from litestar import Request
from litestar.datastructures import MutableScopeHeaders, State
from litestar.types import Message, Scope

from nimmt.server.refusals import Code, Refused
from nimmt.server.settings import Settings

CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "media-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)

HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
YEAR = 31_536_000


def origin_allowed(origin: str | None, host: str | None, settings: Settings) -> bool:
    """A page of this server or of one that the settings name. Programs send no origin."""
    if origin is None:
        return True
    if origin in settings.origins or (settings.public_url and origin == settings.public_url.rstrip("/")):
        return True
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc == host


def check_origin(request: Request[Any, Any, State]) -> None:
    """Refuse to be made use of by foreign pages: nothing that changes anything may come from them."""
    if request.method in SAFE_METHODS:
        return
    settings: Settings = request.app.state.platform.settings
    if not origin_allowed(request.headers.get("origin"), request.headers.get("host"), settings):
        raise Refused(Code.FOREIGN_ORIGIN, "This page may not use this server.")
    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none") and not settings.origins:
        raise Refused(Code.FOREIGN_ORIGIN, "This page may not use this server.")


async def add_headers(message: Message, scope: Scope) -> None:
    """On every answer, also on errors and files."""
    if message["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders.from_message(message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    if scope.get("scheme") == "https":
        headers.setdefault("strict-transport-security", f"max-age={YEAR}")
    if str(scope.get("path", "")).startswith("/api/"):
        headers.setdefault("cache-control", "no-store")
