"""Where people reach this server."""

from __future__ import annotations

import socket
from ipaddress import ip_address
from urllib.parse import urlsplit

from nimmt.server.settings import Settings

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
