"""The HTTP interface of reviews, records brought to be reviewed, the coach at practice tables, and puzzles."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK, HTTP_201_CREATED

from nimmt.insight.advice import Hint
from nimmt.insight.puzzles import Difficulty
from nimmt.rules.game import Seat
from nimmt.server import puzzles as p
from nimmt.server.coach import question_of
from nimmt.server.http import bodies as b
from nimmt.server.http.api import Key, carry_out
from nimmt.server.http.auth import Asking, known_guest, platform, spectator
from nimmt.server.http.openapi import ANYBODY, SIGNED_IN, SPECTATOR
from nimmt.server.http.public_api import LONG_CACHE_SECONDS, SHORT_CACHE_SECONDS, answered
from nimmt.server.http.security import address_of
from nimmt.server.limits import in_thread
from nimmt.server.reviews import ReviewStatus
from nimmt.server.tables.commands import now_ms
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


# -- coach -------------------------------------------------------------------------------------------------------------


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


# -- puzzles -----------------------------------------------------------------------------------------------------------

Day = Annotated[str | None, QueryParameter(description="By UTC, as 2026-01-31; today unless told.")]
Hard = Annotated[Difficulty | None, QueryParameter(description="Any unless told.")]
After = Annotated[str | None, QueryParameter(description="The id of the last one; the first one unless told.")]


class PuzzleController(Controller):
    """Positions with one best action."""

    path = "/api/puzzles"
    tags = ("puzzles",)

    @get("", media_type="application/json", security=ANYBODY)
    async def puzzles_of_the_day(self, request: Asking, date: Day = None) -> Response[p.PuzzleDay]:
        """The puzzles of a day, one for each game: they follow from the date alone and are the same for everybody."""
        found: Any = await in_thread(lambda: msgspec.json.encode(p.day(date)))
        return answered(request, found, SHORT_CACHE_SECONDS)

    @get("/{game_id:str}/next", media_type="application/json", security=ANYBODY)
    async def next_puzzle(
        self, request: Asking, game_id: FromPath[str], difficulty: Hard = None, after: After = None
    ) -> Response[p.PuzzleSheet]:
        """The next one for whoever practises, round and round."""
        found: Any = await in_thread(lambda: p.sheet(p.collection(game_id).following(difficulty, after)))
        return answered(request, found, LONG_CACHE_SECONDS)

    @get("/{game_id:str}/{which:str}", media_type="application/json", security=ANYBODY)
    async def puzzle(self, request: Asking, game_id: FromPath[str], which: FromPath[str]) -> Response[p.PuzzleSheet]:
        """A puzzle, by its id or as that of a date: the table as its seat saw it, without the solution."""
        found: Any = await in_thread(lambda: p.sheet(p.find(game_id, which)))
        return answered(request, found, LONG_CACHE_SECONDS)

    @post("/{game_id:str}/{which:str}/answer", status_code=HTTP_200_OK, security=ANYBODY)
    async def answer_puzzle(
        self, game_id: FromPath[str], which: FromPath[str], data: JSONBody[b.Solve], language: Spoken = "en"
    ) -> p.PuzzleAnswer:
        """Say what you would do, and be told what every action is worth, and why. Nothing is kept."""
        return await in_thread(lambda: p.answer(p.find(game_id, which), data.action, language))
