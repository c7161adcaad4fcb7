"""The HTTP interface of the coach at practice tables: hints, and decisions taken back."""

from __future__ import annotations

from litestar import Controller, post
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK

from nimmt.insight.advice import Hint
from nimmt.server.coach import question_of
from nimmt.server.http import bodies as b
from nimmt.server.http.api import Key, carry_out
from nimmt.server.http.auth import Asking, known_guest, platform
from nimmt.server.http.openapi import SIGNED_IN
from nimmt.server.http.reviews_api import Spoken
from nimmt.server.http.security import address_of
from nimmt.server.tables.commands import now_ms


class CoachController(Controller):
    """Hints and decisions taken back, at practice tables only."""

    path = "/api/tables"
    tags = ("tables",)

    @post("/{table_id:str}/hint", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def hint(
        self, request: Asking, table_id: FromPath[str], data: JSONBody[b.WantHint], language: Spoken = "en"
    ) -> Hint:
        """At a practice table, what may be expected of each action of a decision that you have to make, from what your
        seat knows: costs, risk, and why. Counted once for each decision, for everybody to see."""
        guest, here = await known_guest(request, "play"), platform(request)
        table = await here.tables.load(table_id)
        table.hint_wanted(guest.id, data.decision, now_ms())
        seat = table.seat_of(guest.id) or 0
        decision, question = table.asked[seat].since, question_of(table, seat)
        if here.coach.is_new(question):
            here.limits.hints.spend(guest.id)
            here.limits.address_hints.spend(address_of(request))
        found = await here.coach.hint(question, language)
        # Counted before it is told, and told only if the decision is still to be made.
        await here.tables.do(table_id, lambda table: table.hint_wanted(guest.id, decision, now_ms()))
        return found

    @post("/{table_id:str}/take-back", status_code=HTTP_200_OK, security=SIGNED_IN)
    async def take_back(self, request: Asking, table_id: FromPath[str], key: Key = None) -> b.Done:
        """At a practice table with nobody but you and bots: go back to your last decision. Bots decide anew, and what
        came after it is in no record."""
        guest = await known_guest(request, "play")
        platform(request).limits.chat.spend(guest.id)
        return await carry_out(request, guest, table_id, key, lambda t: t.take_back(guest.id, now_ms()))
