"""The HTTP interface of reviews: what the decisions of a finished match cost, also of one that was played elsewhere."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import Controller, get, post
from litestar.params import FromPath, FromQuery, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED

from nimmt.rules.game import Seat
from nimmt.server.http import bodies as b
from nimmt.server.http.auth import Asking, platform, spectator
from nimmt.server.http.openapi import SPECTATOR
from nimmt.server.http.security import address_of
from nimmt.server.reviews import ReviewStatus
from nimmt.server.uploads import MAX_RECORD

Spoken = Annotated[Literal["en", "de", "pl", "ru"], QueryParameter(description="The language of the reasons.")]
Known = Annotated[int, QueryParameter(ge=0, description="So many decisions are known already, and left out.")]


class ReviewController(Controller):
    """What decisions cost."""

    path = "/api/tables"
    tags = ("tables",)

    @get("/{table_id:str}/review", security=SPECTATOR)
    async def look_at_review(
        self, request: Asking, table_id: FromPath[str], seat: FromQuery[Seat], language: Spoken = "en", after: Known = 0
    ) -> ReviewStatus:
        """What is known of the decisions of a seat in a finished match; asking for more is a POST."""
        await spectator(request)
        here = platform(request)
        return await here.reviews.look(await here.tables.load(table_id), seat, language, after)

    @post("/{table_id:str}/review", status_code=HTTP_200_OK, security=SPECTATOR)
    async def ask_for_review(
        self, request: Asking, table_id: FromPath[str], seat: FromQuery[Seat], language: Spoken = "en", after: Known = 0
    ) -> ReviewStatus:
        """Let the decisions of a seat in a finished match be judged, and see how far it is: ask again until all its
        rounds are done. It stops when nobody asks any more."""
        await spectator(request)
        here = platform(request)
        table = await here.tables.load(table_id)
        status = await here.reviews.look(table, seat, language, after)
        if status.done < status.rounds:
            if here.reviews.is_new(table_id, seat):
                here.limits.reviews.spend(address_of(request))
            await here.reviews.ask(table, seat)
        return status


class RecordController(Controller):
    """Matches that were played elsewhere."""

    path = "/api/records"
    tags = ("tables",)

    @post("/", status_code=HTTP_201_CREATED, security=SPECTATOR, request_max_body_size=MAX_RECORD)
    async def bring(self, request: Asking) -> b.BroughtMatch:
        """Bring the record of a finished match that was played elsewhere: it is checked as `nimmt verify` does, and its
        deals must be proven. From then on there is a replay of it, and a review, for whoever knows its id."""
        guest, here = await spectator(request), platform(request)
        if guest is not None:
            here.limits.uploads.spend(guest.id)
        here.limits.address_uploads.spend(address_of(request))
        return b.BroughtMatch(await here.uploads.bring(await request.body()))
