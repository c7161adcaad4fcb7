"""The HTTP interface of puzzles: those of a day, any other one, and what an answer was worth."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from litestar import Controller, Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter
from litestar.status_codes import HTTP_200_OK

from nimmt.insight.puzzles import Difficulty
from nimmt.server import puzzles as p
from nimmt.server.http import bodies as b
from nimmt.server.http.auth import Asking
from nimmt.server.http.openapi import ANYBODY
from nimmt.server.http.public_api import LASTING, PASSING, answered
from nimmt.server.limits import in_thread

Day = Annotated[str | None, QueryParameter(description="By UTC, as 2026-01-31; today unless told.")]
Hard = Annotated[Difficulty | None, QueryParameter(description="Any unless told.")]
After = Annotated[str | None, QueryParameter(description="The id of the last one; the first one unless told.")]
Spoken = Annotated[Literal["en", "de", "pl", "ru"], QueryParameter(description="The language of the reasons.")]


class PuzzleController(Controller):
    """Positions with one best action."""

    path = "/api/puzzles"
    tags = ("puzzles",)

    @get("", media_type="application/json", security=ANYBODY)
    async def puzzles_of_the_day(self, request: Asking, date: Day = None) -> Response[p.PuzzleDay]:
        """The puzzles of a day, one for each game: they follow from the date alone and are the same for everybody."""
        found: Any = await in_thread(lambda: msgspec.json.encode(p.day(date)))
        return answered(request, found, PASSING)

    @get("/{game_id:str}/next", media_type="application/json", security=ANYBODY)
    async def next_puzzle(
        self, request: Asking, game_id: FromPath[str], difficulty: Hard = None, after: After = None
    ) -> Response[p.PuzzleSheet]:
        """The next one for whoever practises, round and round."""
        found: Any = await in_thread(lambda: p.sheet(p.collection(game_id).following(difficulty, after)))
        return answered(request, found, LASTING)

    @get("/{game_id:str}/{which:str}", media_type="application/json", security=ANYBODY)
    async def puzzle(self, request: Asking, game_id: FromPath[str], which: FromPath[str]) -> Response[p.PuzzleSheet]:
        """A puzzle, by its id or as that of a date: the table as its seat saw it, without the solution."""
        found: Any = await in_thread(lambda: p.sheet(p.find(game_id, which)))
        return answered(request, found, LASTING)

    @post("/{game_id:str}/{which:str}/answer", status_code=HTTP_200_OK, security=ANYBODY)
    async def answer_puzzle(
        self, game_id: FromPath[str], which: FromPath[str], data: JSONBody[b.Solve], language: Spoken = "en"
    ) -> p.PuzzleAnswer:
        """Say what you would do, and be told what every action is worth, and why. Nothing is kept."""
        return await in_thread(lambda: p.answer(p.find(game_id, which), data.action, language))
