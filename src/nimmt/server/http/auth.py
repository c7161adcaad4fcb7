"""Who asks, and what: the guest behind a request, and its body read strictly."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import State

from nimmt.server.http.errors import Code, Refused
from nimmt.server.http.security import cookie_name
from nimmt.server.limits import meter_of
from nimmt.server.people.guests import Guest, Scope
from nimmt.server.platform import Platform

AnyConnection = ASGIConnection[Any, Any, Any, State]


class Asking(Request[Any, Any, State]):
    """A request whose JSON is read as the type that its handler wants: nothing is taken for something else."""

    async def json(self) -> Any:
        wanted = self.route_handler.parsed_fn_signature.parameters["data"].annotation
        try:
            return msgspec.json.decode(await self.body(), type=wanted)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise Refused(Code.BAD_REQUEST, f"Invalid request body: {error}.") from None
        except RecursionError:
            raise Refused(Code.BAD_REQUEST, "The request body is nested too deeply.") from None


async def as_asked(request: Asking) -> bytes:
    """What a request asks for, the same however its JSON is written."""
    body = await request.body()
    # Where no body is wanted anything may stand.
    with suppress(msgspec.MsgspecError, UnicodeError, RecursionError):
        body = msgspec.json.encode(msgspec.json.decode(body or b"{}"), order="sorted")
    return str(request.scope.get("path_template", "")).encode() + b"\n" + body


def platform(connection: AnyConnection) -> Platform:
    found: Platform = connection.app.state.platform
    return found


async def maybe_guest(connection: AnyConnection) -> Guest | None:
    """Who asks, if they said so; and that they did is counted."""
    here = platform(connection)
    authorization = connection.headers.get("authorization")
    if authorization is None:
        guest = await here.guests.from_cookie(connection.cookies.get(cookie_name(connection, here.settings)))
    else:
        kind, _, token = authorization.partition(" ")
        if kind.lower() != "bearer":
            raise Refused(Code.BAD_TOKEN, "Authorization must be 'Bearer' and a token.")
        guest = await here.guests.from_token(token.strip())
    if guest is not None:
        here.bans.require_guest(guest.id)
        here.limits.guest.spend(guest.id)
        meter_of(connection).is_for(guest.id)
    return guest


async def known_guest(connection: AnyConnection, scope: Scope) -> Guest:
    """Somebody with a nickname; a program also needs a token for this."""
    guest = await maybe_guest(connection)
    if guest is None:
        raise Refused(Code.NOT_SIGNED_IN, "Please choose a nickname first.")
    return _with(guest, scope)


async def spectator(connection: AnyConnection) -> Guest | None:
    """Anybody may look; a program that says who it is needs a token for reading."""
    guest = await maybe_guest(connection)
    return _with(guest, "read") if guest else None


async def person(connection: AnyConnection) -> Guest:
    """Somebody in their own browser."""
    guest = await known_guest(connection, "read")
    if guest.by_token:
        raise Refused(Code.FORBIDDEN, "A token cannot do this; it takes the person's own browser.")
    return guest


def _with(guest: Guest, scope: Scope) -> Guest:
    if scope not in guest.scopes:
        raise Refused(Code.FORBIDDEN, f"This token lacks the scope {scope!r}.")
    return guest
