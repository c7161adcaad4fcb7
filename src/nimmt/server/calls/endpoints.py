"""Where messages may be sent. Guests name the address, so it must not lead to anything but a push service out there."""

from __future__ import annotations

import asyncio
import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx

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


def check(endpoint: str, private: bool = False) -> None:
    """Raises `BadEndpoint` for what cannot be a push service, as far as the address itself tells."""
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
    check(endpoint, private)
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
