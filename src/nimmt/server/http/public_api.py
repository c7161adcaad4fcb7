"""The HTTP interface for what anybody may know: the games and their levels, and the list of commitments."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated, Any

import msgspec
from litestar import Controller, Response, get
from litestar.params import QueryParameter
from litestar.status_codes import HTTP_304_NOT_MODIFIED

from nimmt.bots import BOTS
from nimmt.match.commitments import CommitmentList
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Variant
from nimmt.rules.kit.options import option_fields
from nimmt.server.http import bodies as b
from nimmt.server.http.auth import Asking, platform
from nimmt.server.http.openapi import ANYBODY
from nimmt.server.tables.commitments import MOST

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
        )
        for game in registry.all_games()
    ]


# -- commitment list ---------------------------------------------------------------------------------------------------
# The list of commitments for everybody: in pages that others may keep, and that tell nothing about a table but that it
# was there.

LASTING = 3600
PASSING = 5
"""Seconds for which an answer is good enough: if nothing in it can change but the length of the list, and else."""


class CommitmentController(Controller):
    """What the server has committed itself to."""

    path = "/api"
    tags = ("commitments",)

    @get("/commitments", media_type="application/json", security=ANYBODY)
    async def commitments(
        self,
        request: Asking,
        after: Annotated[int, QueryParameter(ge=0, le=2**31 - 1, description="So many entries are known.")] = 0,
        limit: Annotated[int, QueryParameter(ge=1, le=MOST, description="So many entries at most.")] = MOST,
    ) -> Response[CommitmentList]:
        """The commitments of all tables there ever were, in the order in which they were made, each with the hash of
        the one before: `docs/shuffle.md`. Ask again until all are told."""
        page = await platform(request).tables.commitments.page(after, limit)
        content: Any = msgspec.json.encode(page)
        tag = f'"{sha256(content).hexdigest()[:32]}"'
        headers = {"etag": tag, "cache-control": f"public, max-age={LASTING if _lasts(page, limit) else PASSING}"}
        if request.headers.get("if-none-match") == tag:
            return Response(None, status_code=HTTP_304_NOT_MODIFIED, headers=headers)  # type: ignore[arg-type]
        return Response(content, media_type="application/json", headers=headers)


def _lasts(page: CommitmentList, limit: int) -> bool:
    return len(page.entries) == limit and all(entry.state != "sealed" for entry in page.entries)
