"""What messengers show of a link: tags in the head of the page, and a picture."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Controller, HttpMethod, Response, route
from litestar.params import FromPath, QueryParameter
from litestar.status_codes import HTTP_304_NOT_MODIFIED

from nimmt.rules import registry
from nimmt.server import share
from nimmt.server.http.auth import Asking, platform
from nimmt.server.http.errors import AnyRequest, Code, Refused
from nimmt.server.http.openapi import ANYBODY
from nimmt.server.limits import in_thread
from nimmt.server.share_picture import draw, etag
from nimmt.store import StoreError


async def social_tags(request: AnyRequest) -> str:
    """For the head of the page at the place that is asked for."""
    return share.tags(await _shared_at(request), _base(request), request.url.path)


async def _shared_at(request: AnyRequest) -> share.Shared:
    """What there is to tell. Whatever cannot be found out is left to the page itself."""
    parts, language = request.url.path.strip("/").split("/"), _language(request, request.query_params.get("lang"))
    if parts[0] == "learn":
        return share.learning(language, *parts[1:3])
    if parts[0] == "puzzles":
        return share.puzzling(language, *parts[1:3])
    if parts[0] == "rules" and parts[1] in registry.GAMES:
        return share.of_game(parts[1], language)
    if parts[0] == "t":
        try:
            listing = await request.app.state.platform.store.listing(parts[1])
        except StoreError:
            listing = None
        if listing and (found := share.of_table(parts[1], listing, language)):
            return found
    return share.home(language)


def _base(request: AnyRequest) -> str:
    """Where people reach this server, as far as it knows."""
    settings = request.app.state.platform.settings
    return str(settings.public_url or request.base_url).rstrip("/")


CACHE_SECONDS = 300
"""Seconds for which a picture may be kept without asking: what it shows may change. A link names its version."""

Language = Annotated[str | None, QueryParameter(required=False, max_length=20, description="en, de, pl or ru.")]
Word = Annotated[str | None, QueryParameter(required=False, max_length=60)]
READING = [HttpMethod.GET, HttpMethod.HEAD]


class PictureController(Controller):
    """Pictures for links."""

    path = "/api"
    tags = ("pictures",)

    @route("/picture", http_method=READING, media_type="image/png", security=ANYBODY)
    async def picture(self, request: Asking, lang: Language = None, game: Word = None) -> Response[bytes]:
        """A picture of the server, or of one of its games: 1200 × 630, PNG."""
        language = _language(request, lang)
        shared = share.home(language)
        if game is not None:
            if game not in registry.GAMES:
                raise Refused(Code.NOT_FOUND, "There is no such game.")
            shared = share.of_game(game, language)
        return await _sent(request, shared)

    @route("/tables/{table_id:str}/picture", http_method=READING, media_type="image/png", security=ANYBODY)
    async def table_picture(
        self, request: Asking, table_id: FromPath[str], lang: Language = None, v: Word = None
    ) -> Response[bytes]:
        """A picture of a table: 1200 × 630, PNG. It shows the game, who sits there, and in the end the result: what
        anybody sees who knows the link, and no cards of the match. `v` changes when the picture does, and means
        nothing."""
        del v
        listing = await platform(request).store.listing(table_id)
        shared = share.of_table(table_id, listing, _language(request, lang)) if listing else None
        if shared is None:
            raise Refused(Code.NO_SUCH_TABLE, "This table does not exist, or no longer does.")
        return await _sent(request, shared)


def _language(request: AnyRequest, wanted: str | None) -> str:
    return share.language_of(wanted, request.headers.get("accept-language", ""))


async def _sent(request: Asking, shared: share.Shared) -> Response[Any]:
    svg = await in_thread(lambda: draw(shared))
    headers = {
        "etag": etag(svg),
        "cache-control": f"public, max-age={CACHE_SECONDS}",
        "vary": "accept-language",
        "cross-origin-resource-policy": "cross-origin",  # messengers in a browser show it on their own pages
    }
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(b"", status_code=HTTP_304_NOT_MODIFIED, headers=headers, media_type="image/png")
    content = await platform(request).pictures.png(svg)
    return Response(content, media_type="image/png", headers=headers)
