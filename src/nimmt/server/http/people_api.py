"""The HTTP interface for what people do about themselves and each other: their data, calls, mute, block, report."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Controller, Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency, Provide
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.response import Stream
from litestar.status_codes import HTTP_200_OK, HTTP_204_NO_CONTENT

from nimmt.server.calls.caller import WaitingTable
from nimmt.server.calls.subscriptions import SubscriptionInfo
from nimmt.server.http import bodies as b
from nimmt.server.http.auth import Asking, known_guest, person, platform
from nimmt.server.http.errors import Code, Refused
from nimmt.server.http.openapi import PERSON, SIGNED_IN
from nimmt.server.http.security import address_of, cookie_name, make_cookie
from nimmt.server.people.guests import DeviceInfo, Guest
from nimmt.server.people.matches import MAX_MATCHES, Company, Filter, OwnMatches, OwnStatistics, Result
from nimmt.server.people.moderation import Shunned, target_of
from nimmt.server.people.privacy import OwnData
from nimmt.server.reviews import OwnMistakes
from nimmt.server.tables.commands import now_ms

# -- account -----------------------------------------------------------------------------------------------------------
# What guests can do with what the server knows of them: see it, take it along, end it.

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
        await here.subscriptions.end_device(guest.id, device_id)
        await here.sessions.end(guest.id)

    @post("/log-out", status_code=HTTP_200_OK, security=PERSON)
    async def log_out(self, request: Asking) -> Response[b.Me]:
        """Log out everywhere else: all other devices, links and tokens of yours end at once. This device stays you, and
        gets a new cookie: without one nobody could sit on your seats again. The old one ends as soon as the new one is
        used, so that nothing is lost if no answer comes."""
        guest, here = await person(request), platform(request)
        fresh = await here.guests.end_others(guest)
        await here.subscriptions.end_others(guest)
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


# -- matches -----------------------------------------------------------------------------------------------------------
# What guests have played, and how it went.

MAX_PAGE = 100
"""So many matches are told at once at most."""

Word = Annotated[str | None, QueryParameter(required=False, max_length=60)]
Search = Annotated[str, QueryParameter(max_length=100, description="Words in the names of the others.")]


def filter_from(
    game: Word = None,
    variant: Word = None,
    company: FromQuery[Company | None] = None,
    result: FromQuery[Result | None] = None,
    search: Search = "",
) -> Filter:
    """Which matches are asked for; everywhere the same words in the query."""
    return Filter(game=game, variant=variant, company=company, result=result, search=search)


class MatchesController(Controller):
    """Your finished matches."""

    path = "/api/me"
    tags = ("guests",)
    dependencies = {"wanted": Provide(filter_from, sync_to_thread=False)}

    @get("/matches", security=SIGNED_IN)
    async def matches(
        self,
        request: Asking,
        wanted: NamedDependency[Filter],
        skip: Annotated[int, QueryParameter(ge=0, le=MAX_MATCHES, description="How many you already know.")] = 0,
        limit: Annotated[int, QueryParameter(ge=1, le=MAX_PAGE, description="At most this many matches.")] = 20,
    ) -> OwnMatches:
        """Matches that you played to their end, the latest first: those with people or with bots alone, won or lost."""
        guest = await known_guest(request, "read")
        return await platform(request).matches.page(guest.id, wanted, skip, limit)

    @get("/statistics", security=SIGNED_IN)
    async def statistics(self, request: Asking, wanted: NamedDependency[Filter]) -> OwnStatistics:
        """What can be counted in those of your matches that fit. Matches in which a bot made more than half of your
        decisions are left out."""
        guest = await known_guest(request, "read")
        return await platform(request).matches.statistics(guest.id, wanted)

    @get("/mistakes", security=SIGNED_IN)
    async def own_mistakes(self, request: Asking, wanted: NamedDependency[Filter]) -> OwnMistakes:
        """What kinds of mistakes you make, from the reviews of your own seat that are kept: of the latest matches that
        fit, 100 at most."""
        guest = await known_guest(request, "read")
        return await platform(request).mistakes.of(guest.id, wanted)


# -- peace -------------------------------------------------------------------------------------------------------------
# What players can do about each other: mute, block, report.


class PeaceController(Controller):
    """What you can do about others."""

    path = "/api"
    tags = ("peace",)

    @post("/tables/{table_id:str}/report", status_code=HTTP_204_NO_CONTENT, security=PERSON)
    async def report(self, request: Asking, table_id: FromPath[str], data: JSONBody[b.NewReport]) -> None:
        """Report a message, or the name of somebody who sits at the table, to whoever runs the server. Nobody else is
        told. Reporting the same thing again changes nothing."""
        guest, here = await person(request), platform(request)
        here.limits.reports.spend(address_of(request))
        table = await here.tables.load(table_id)
        await here.reports.add(guest.id, table, target_of(table, data.n, data.seat), data.comment)

    @post("/tables/{table_id:str}/shun", status_code=HTTP_204_NO_CONTENT, security=PERSON)
    async def shun(self, request: Asking, table_id: FromPath[str], data: JSONBody[b.Shun]) -> None:
        """Mute the author of a message or the person on a seat: what they say is told to you nowhere. With `block` they
        can also neither sit down nor talk at tables whose host you are, and lose the seat at this one if it waits."""
        guest, here = await person(request), platform(request)
        here.limits.chat.spend(guest.id)
        table = await here.tables.load(table_id)
        target = target_of(table, data.n, data.seat)
        await here.shunning.shun(guest.id, target.guest, target.name, data.block)
        if data.block:
            await here.tables.do(table_id, lambda table: table.send_away(guest.id, target.guest, now_ms()))

    @get("/me/shunned", security=PERSON)
    async def shunned(self, request: Asking) -> list[Shunned]:
        """Whom you have muted or blocked."""
        return await platform(request).shunning.of((await person(request)).id)

    @delete("/me/shunned/{shunned_id:str}", status_code=HTTP_204_NO_CONTENT, security=PERSON)
    async def take_back(self, request: Asking, shunned_id: FromPath[str]) -> None:
        """Neither mute nor block somebody any more."""
        await platform(request).shunning.take_back((await person(request)).id, shunned_id)


# -- calls -------------------------------------------------------------------------------------------------------------
# Which browsers want to be called, and which matches wait.


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
            raise Refused(Code.NO_CALLS, "This server does not send notifications.")
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
