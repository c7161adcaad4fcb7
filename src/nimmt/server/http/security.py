"""Headers that browsers obey, where requests may come from, and how the cookie travels."""

from __future__ import annotations

import logging
import socket
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Network, ip_address
from typing import Any
from urllib.parse import urlsplit

from litestar import Request, Response
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie, Headers, MutableScopeHeaders, State
from litestar.types import Message, Scope

from nimmt.server.http.errors import Code, Refused
from nimmt.server.settings import Settings

# -- addresses ---------------------------------------------------------------------------------------------------------
# Where people reach this server.

EVERYWHERE = ("0.0.0.0", "::")
"""Hosts that stand for all addresses of this machine."""
_FAR_AWAY = ("192.0.2.1", 9)
"""An address that is nobody's: it only has to be elsewhere."""


def for_friends(settings: Settings, port: int) -> str | None:
    """What to tell people at other machines: the public address, or this machine's in its network; None if they cannot
    come, or only by the address that the server was told to listen on."""
    if settings.public_url:
        return settings.public_url.rstrip("/")
    host = _in_network() if settings.host in EVERYWHERE else None
    return f"http://{host}:{port}" if host else None


def public_path(settings: Settings) -> str:
    """What stands before all our paths where people reach this server: nothing, or "/nimmt"."""
    return urlsplit(settings.public_url).path.rstrip("/")


def public_origin(settings: Settings) -> str | None:
    """As browsers call the server that our pages come from."""
    parts = urlsplit(settings.public_url)
    return f"{parts.scheme}://{parts.netloc}".lower() if parts.netloc else None


def is_here(host: str) -> bool:
    """Is this an address of somebody at this very machine?"""
    try:
        address = ip_address(host)
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def _in_network() -> str | None:
    """This machine's address in the local network. Nothing is sent: the system only says from where it would."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect(_FAR_AWAY)
        except OSError:
            return None
        host: str = asking.getsockname()[0]
    return None if is_here(host) else host


# -- security ----------------------------------------------------------------------------------------------------------

log = logging.getLogger("nimmt.server")

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
        "object-src 'none'",
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
PERMISSION = {
    "access-control-allow-methods": "GET, HEAD, POST, DELETE",
    "access-control-allow-headers": "authorization, content-type, idempotency-key",
    "access-control-max-age": "7200",
}
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
YEAR = 31_536_000
COOKIE = "nimmt"
COOKIE_DAYS = 400

AnyRequest = Request[Any, Any, State]
AnyConnection = ASGIConnection[Any, Any, Any, State]


# -- where a request comes from ---------------------------------------------------------------------------------------


def address_of(connection: AnyConnection) -> str:
    """For whom requests are counted: an address, or with IPv6 the network that a household has to itself."""
    return network(connection.client.host) if connection.client else "unknown"


@lru_cache(maxsize=4096)
def network(host: str) -> str:
    """What counts as one address."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(IPv6Network((address, 64), strict=False))


def origin_allowed(origin: str | None, host: str | None, settings: Settings) -> bool:
    """A page of this server or of one that the settings name. Programs send no origin."""
    if origin is None:
        return True
    if origin in settings.origins or origin == public_origin(settings):
        return True
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc == host


def foreign_origin(origin: str | None, settings: Settings) -> Refused:
    """Most often it is the own page behind a proxy that nobody told the server of: the log says what to set."""
    advice = "--public-url, if people reach this server there; --origins, if it is another page that may use it"
    known = settings.public_url or "the address it listens on"
    log.warning("refused a page of another origin", extra={"origin": repr(origin)[:100], "known": known, "set": advice})
    return Refused(Code.FOREIGN_ORIGIN, "This page may not use this server.")


def check_request(request: AnyRequest) -> Response[None] | None:
    """Before anything is read: every request is counted, and foreign pages cannot make use of their visitors."""
    platform = request.app.state.platform
    platform.bans.require_address(address_of(request))
    platform.limits.address.spend(address_of(request))
    if request.method not in SAFE_METHODS:
        _check_origin(request, platform.settings)
        _check_content(request)
    return _permission(request, platform.settings)


def _permission(request: AnyRequest, settings: Settings) -> Response[None] | None:
    """The answer to a browser that asks whether a page from elsewhere may make a request; None if this is the request
    itself. Whether the answer says yes is decided with all others, by `add_headers`."""
    asked = request.method == "OPTIONS" and "access-control-request-method" in request.headers
    named = request.headers.get("origin") in settings.origins
    return Response(None, status_code=204, headers=PERMISSION) if asked and named else None


def _check_origin(request: AnyRequest, settings: Settings) -> None:
    origin = request.headers.get("origin")
    # A browser that hides where a request comes from says at least whether it is from elsewhere.
    elsewhere = request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
    if not origin_allowed(origin, request.headers.get("host"), settings) or (origin is None and elsewhere):
        raise foreign_origin(origin, settings)


def _check_content(request: AnyRequest) -> None:
    """Forms can be sent from anywhere, JSON only from pages that were asked for it."""
    kind = request.headers.get("content-type")
    has_body = request.headers.get("content-length", "0") != "0" or "transfer-encoding" in request.headers
    if (kind is not None or has_body) and request.content_type[0] != "application/json":
        raise Refused(Code.NOT_JSON, "The request body must be JSON, with the content type application/json.")


# -- the cookie -------------------------------------------------------------------------------------------------------


def is_secure(connection: AnyConnection, settings: Settings) -> bool:
    """Do people reach this server by HTTPS?"""
    return connection.url.scheme in ("https", "wss") or settings.public_url.startswith("https://")


def cookie_name(connection: AnyConnection, settings: Settings) -> str:
    """With these prefixes browsers take the cookie by HTTPS only and, where we have a host to ourselves, from this very
    host only. A cookie for a part of the host's paths cannot have that: browsers would refuse it."""
    if not is_secure(connection, settings):
        return COOKIE
    return f"__Secure-{COOKIE}" if public_path(settings) else f"__Host-{COOKIE}"


def make_cookie(connection: AnyConnection, settings: Settings, value: str) -> Cookie:
    return Cookie(
        key=cookie_name(connection, settings),
        value=value,
        path=public_path(settings) or "/",
        max_age=COOKIE_DAYS * 86_400,
        httponly=True,
        samesite="lax",
        secure=is_secure(connection, settings),
    )


# -- answers ----------------------------------------------------------------------------------------------------------


async def add_headers(message: Message, scope: Scope) -> None:
    """On every answer, also on errors and files."""
    if message["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders.from_message(message)
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    settings: Settings = scope["litestar_app"].state.platform.settings
    if scope.get("scheme") == "https" or settings.public_url.startswith("https://"):
        headers.setdefault("strict-transport-security", f"max-age={YEAR}")
    if str(scope.get("path", "")).startswith("/api/"):
        headers.setdefault("cache-control", "no-store")
        if settings.origins:
            _let_pages_read(headers, Headers.from_scope(scope).get("origin"), settings)


def _let_pages_read(headers: MutableScopeHeaders, origin: str | None, settings: Settings) -> None:
    """Pages from the origins that the settings name may read our answers, cookies or not; no others."""
    headers.extend_header_value("vary", "origin")
    if origin in settings.origins:
        headers["access-control-allow-origin"] = str(origin)
        headers["access-control-allow-credentials"] = "true"
        headers["access-control-expose-headers"] = "retry-after"
