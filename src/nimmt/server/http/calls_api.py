"""The HTTP interface for being called: which browsers want to be, and which matches wait."""

from __future__ import annotations

from litestar import Controller, delete, get, post
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT

from nimmt.server.calls.caller import WaitingTable
from nimmt.server.calls.subscriptions import SubscriptionInfo
from nimmt.server.http import bodies as b
from nimmt.server.http.auth import Asking, person, platform
from nimmt.server.http.errors import Code, Refused
from nimmt.server.http.openapi import PERSON


class CallsController(Controller):
    """When it is your turn."""

    path = "/api/me"
    tags = ("calls",)

    @get("/waiting", security=PERSON)
    async def waiting(self, request: Asking) -> list[WaitingTable]:
        """Your matches that wait for a decision of yours."""
        guest, here = await person(request), platform(request)
        return await here.caller.waiting(guest.id)

    @get("/calls", security=PERSON)
    async def calls(self, request: Asking) -> b.CallsInfo:
        """Your browsers that are called when it is your turn in a match over days and you are not there."""
        guest, here = await person(request), platform(request)
        found = [one.info() for one in await here.subscriptions.of(guest.id)]
        return b.CallsInfo(here.caller.key, tuple(found))

    @post("/calls", status_code=HTTP_200_OK, security=PERSON)
    async def subscribe(self, request: Asking, data: JSONBody[b.Subscribe]) -> SubscriptionInfo:
        """Let a browser be called, or change how. There are ten at most: then the oldest is called no more."""
        guest, here = await person(request), platform(request)
        if here.caller.key is None:
            raise Refused(Code.NO_CALLS, "This server calls nobody.")
        return await here.subscriptions.add(guest, data.endpoint, data.p256dh, data.auth, data.quiet, data.zone)

    @delete("/calls", status_code=HTTP_204_NO_CONTENT, security=PERSON)
    async def end_all(self, request: Asking) -> None:
        """Call no browser of yours any more."""
        guest, here = await person(request), platform(request)
        await here.subscriptions.forget(guest.id)

    @delete("/calls/{subscription_id:str}", status_code=HTTP_204_NO_CONTENT, security=PERSON)
    async def end(self, request: Asking, subscription_id: FromPath[str]) -> None:
        """Call this browser no more."""
        guest, here = await person(request), platform(request)
        await here.subscriptions.remove(guest.id, subscription_id)
