"""What guests can do with what the server knows of them: see it, take it along, end it."""

from __future__ import annotations

from typing import Any

from litestar import Controller, Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath
from litestar.response import Stream
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT

from nimmt.server import bodies as b
from nimmt.server.asking import Asking, person, platform
from nimmt.server.description import PERSON
from nimmt.server.guests import DeviceInfo, Guest
from nimmt.server.privacy import OwnData
from nimmt.server.security import address_of, cookie_name, make_cookie

COST_OF_LOOKING = 5
"""Looking through everything counts as so many new guests."""


def signed_in(request: Asking, guest: Guest, status: int) -> Response[b.Me]:
    """An answer that makes a browser this guest."""
    here = platform(request)
    cookie = make_cookie(request, here.settings, here.guests.sign(guest))
    return Response(b.Me(guest.id, guest.name), status_code=status, cookies=[cookie])


async def forgotten(request: Asking) -> Response[None]:
    """An answer that makes a browser nobody, when the server has forgotten who it was."""
    guest, here = await person(request), platform(request)
    here.limits.guests.spend(address_of(request), COST_OF_LOOKING)
    await here.privacy.forget(guest.id)
    gone = Cookie(key=cookie_name(request, here.settings), max_age=0, path="/")
    return Response(None, status_code=HTTP_204_NO_CONTENT, cookies=[gone])


class AccountController(Controller):
    """What the server knows of you."""

    path = "/api/me"
    tags = ("guests",)

    @get("/devices", security=PERSON)
    async def devices(self, request: Asking) -> list[DeviceInfo]:
        """Devices that a link of yours made you, the first one first."""
        return await platform(request).guests.devices(await person(request))

    @delete("/devices/{device_id:str}", status_code=HTTP_204_NO_CONTENT, security=PERSON)
    async def end_device(self, request: Asking, device_id: FromPath[str]) -> None:
        """Log a device out. What it has open ends at once."""
        guest, here = await person(request), platform(request)
        await here.guests.end_device(guest, device_id)
        await here.sessions.end(guest.id)

    @post("/log-out", status_code=HTTP_200_OK, security=PERSON)
    async def log_out(self, request: Asking) -> Response[b.Me]:
        """Log out everywhere else: all other devices, links and tokens of yours end at once. This device stays you, and
        gets a new cookie: without one nobody could sit on your seats again. The old one ends as soon as the new one is
        used, so that nothing is lost if no answer comes."""
        guest, here = await person(request), platform(request)
        fresh = await here.guests.end_others(guest)
        await here.sessions.end(guest.id)
        return signed_in(request, fresh, HTTP_200_OK)

    @get("/data", media_type="application/json", security=PERSON)
    async def data(self, request: Asking) -> Response[OwnData]:
        """All that the server knows of you, with the records of your matches and what you have said."""
        guest, here = await person(request), platform(request)
        here.limits.guests.spend(address_of(request), COST_OF_LOOKING)
        headers = {"content-disposition": 'attachment; filename="nimmt-data.json"'}
        answer: Any = Stream(here.privacy.export(guest), media_type="application/json", headers=headers)
        return answer  # type: ignore[no-any-return]
