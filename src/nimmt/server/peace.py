"""What players can do about each other: mute, block, report."""

from __future__ import annotations

from litestar import Controller, delete, get, post
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_204_NO_CONTENT

from nimmt.server import bodies as b
from nimmt.server.asking import Asking, person, platform
from nimmt.server.description import PERSON
from nimmt.server.reports import target_of
from nimmt.server.security import address_of
from nimmt.server.shunning import Shunned
from nimmt.server.tables import now_ms


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
