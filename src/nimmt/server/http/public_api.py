"""The HTTP interface for what anybody may know: the games, their bots and lessons, and the list of commitments."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, get
from litestar.params import FromPath, QueryParameter
from litestar.status_codes import HTTP_304_NOT_MODIFIED

from nimmt.bots import BOTS
from nimmt.match.shuffle import CommitmentList
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Variant
from nimmt.rules.kit.options import option_fields
from nimmt.server.http import bodies as b
from nimmt.server.http.auth import Asking, platform
from nimmt.server.http.errors import Code, Refused
from nimmt.server.http.openapi import ANYBODY
from nimmt.server.lessons import LessonInfo, LessonScript, RulesPage, catalogue, rule_picture, rules_page, script
from nimmt.server.limits import in_thread
from nimmt.server.tables.commitments import MAX_PAGE
from nimmt.server.warm_up import WarmUpStatus

LONG_CACHE_SECONDS = 3600
SHORT_CACHE_SECONDS = 5
"""Seconds for which an answer is good enough: if hardly anything in it can change, and else."""


def answered(request: Asking, content: bytes, seconds: int, media_type: str = "application/json") -> Response[Any]:
    """What browsers and proxies may keep for a while; whoever has it already is not sent it again."""
    tag = f'"{sha256(content).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": f"public, max-age={seconds}"}
    if request.headers.get("if-none-match") == tag:
        return Response(None, status_code=HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(content, media_type=media_type, headers=headers)


# -- catalogue ---------------------------------------------------------------------------------------------------------
# What can be played, and against whom.


class GamesController(Controller):
    """What can be played."""

    path = "/api"
    tags = ("games",)

    @get("/games", security=ANYBODY, sync_to_thread=False)
    def games(self) -> list[b.GameInfo]:
        """All games with their variants and options."""
        return _games()

    @get("/bots", security=ANYBODY, sync_to_thread=False)
    def bots(self) -> list[b.BotInfo]:
        """The levels of bots."""
        return [b.BotInfo(level, description) for level, description in BOTS.items()]

    @get("/warm-up", security=ANYBODY, sync_to_thread=False)
    def warm_up(self, request: Asking) -> WarmUpStatus:
        """How far strong bots are that still get ready after a start of the server."""
        return platform(request).thinkers.warmth.status

    @get("/lessons", security=ANYBODY, sync_to_thread=False)
    def lessons(self) -> list[LessonInfo]:
        """All lessons, in the order in which they are best taken."""
        return catalogue()

    @get("/lessons/{game_id:str}/{lesson_id:str}", media_type="application/json", security=ANYBODY)
    async def lesson(self, request: Asking, game_id: FromPath[str], lesson_id: FromPath[str]) -> Response[LessonScript]:
        """A whole lesson: every step with what the learner sees and what comes of the right answers."""
        content: Any = await in_thread(lambda: script(game_id, lesson_id)) if game_id in registry.GAMES else None
        if content is None:
            raise Refused(Code.NOT_FOUND, "There is no such lesson.")
        return answered(request, content, LONG_CACHE_SECONDS)

    @get("/rules/{game_id:str}/{language:str}", media_type="application/json", security=ANYBODY)
    async def rules(self, request: Asking, game_id: FromPath[str], language: FromPath[str]) -> Response[RulesPage]:
        """The rules of a game in a language: en, de, pl or ru. Games that are not translated have English ones."""
        content: Any = await in_thread(lambda: rules_page(game_id, language))
        if content is None:
            raise Refused(Code.NOT_FOUND, "There are no such rules.")
        return answered(request, content, LONG_CACHE_SECONDS)

    @get("/rules/{game_id:str}/{language:str}/{file:str}", media_type="image/svg+xml", security=ANYBODY)
    async def picture_of_rule(
        self, request: Asking, game_id: FromPath[str], language: FromPath[str], file: FromPath[str]
    ) -> Response[bytes]:
        """A picture of a rule, as SVG: `<name>-wide.svg` or, for a phone, `<name>-tall.svg`."""
        content = await in_thread(lambda: rule_picture(game_id, language, file))
        if content is None:
            raise Refused(Code.NOT_FOUND, "There is no such picture.")
        return answered(request, content, LONG_CACHE_SECONDS, "image/svg+xml")


def _variant(game: AnyGame, variant: Variant) -> b.VariantInfo:
    most = variant.max_seats or game.max_seats
    return b.VariantInfo(variant.id, variant.name, variant.summary, variant.options, most)


def _games() -> list[b.GameInfo]:
    return [
        b.GameInfo(
            game.id,
            game.name,
            game.summary,
            game.min_seats,
            game.max_seats,
            tuple(_variant(game, variant) for variant in game.variants),
            tuple(msgspec.convert(msgspec.to_builtins(f), b.OptionInfo) for f in option_fields(game.options_type)),
            dict(game.rules),
            dict(game.decisions),
            game.minutes,
        )
        for game in registry.all_games()
    ]


# -- commitment list ---------------------------------------------------------------------------------------------------
# The list of commitments for everybody: in pages that others may keep, and that tell nothing about a table but that it
# was there.


class CommitmentController(Controller):
    """What the server has committed itself to."""

    path = "/api"
    tags = ("commitments",)

    @get("/commitments", media_type="application/json", security=ANYBODY)
    async def commitments(
        self,
        request: Asking,
        after: Annotated[int, QueryParameter(ge=0, le=2**31 - 1, description="How many entries you already know.")] = 0,
        limit: Annotated[int, QueryParameter(ge=1, le=MAX_PAGE, description="At most this many entries.")] = MAX_PAGE,
    ) -> Response[CommitmentList]:
        """The commitments of all tables there ever were, in the order in which they were made, each with the hash of
        the one before: `docs/shuffle.md`. Ask again until all are told."""
        page = await platform(request).tables.commitments.page(after, limit)
        return answered(
            request, msgspec.json.encode(page), LONG_CACHE_SECONDS if _lasts(page, limit) else SHORT_CACHE_SECONDS
        )


def _lasts(page: CommitmentList, limit: int) -> bool:
    return len(page.entries) == limit and all(entry.state != "sealed" for entry in page.entries)
