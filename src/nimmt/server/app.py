"""The application: routes, errors and life cycle."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from litestar import Litestar, Response, get
from litestar.exceptions import HTTPException, NotFoundException

from nimmt.server.http.api import AddressController, GuestController, TableController
from nimmt.server.http.auth import Asking, platform
from nimmt.server.http.errors import HANDLERS, AnyRequest, Refused, on_refused
from nimmt.server.http.insight_api import CoachController, PuzzleController, RecordController, ReviewController
from nimmt.server.http.openapi import openapi
from nimmt.server.http.people_api import AccountController, CallsController, MatchesController, PeaceController
from nimmt.server.http.public_api import CommitmentController, GamesController
from nimmt.server.http.security import add_headers, check_request, public_path
from nimmt.server.http.share_api import PictureController, social_tags
from nimmt.server.http.sockets import stream_events, stream_table, table_socket
from nimmt.server.http.web import Answering, lost_page, web_routes
from nimmt.server.limits import meter_of
from nimmt.server.monitoring import metrics
from nimmt.server.platform import Platform
from nimmt.server.settings import Settings

MAX_BODY = 64 * 1024


@get("/healthz", include_in_schema=False, sync_to_thread=False)
def healthz() -> dict[str, str]:
    """The process is alive."""
    return {"status": "ok"}


@get("/readyz", include_in_schema=False)
async def readyz(request: Asking) -> dict[str, str]:
    """The process can serve: its store reads and writes."""
    await platform(request).store.check()
    return {"status": "ok"}


def _check(request: AnyRequest) -> Response[None] | None:
    meter_of(request).check()
    return check_request(request)


async def _check_first(request: AnyRequest) -> Response[None] | None:
    """Async although it waits for nothing: Litestar would hand a plain function to a thread for every request."""
    return _check(request)


def _counted(answer: Answering) -> Answering:
    """What is asked for where nothing is counts like everything else."""

    def count(request: AnyRequest, error: NotFoundException) -> Response[Any]:
        try:
            _check(request)
        except Refused as refused:
            return on_refused(request, refused)
        return answer(request, error)

    return count


class Below(Litestar):
    """A proxy may pass on the path that people see before ours, or take it off: both are the same to us."""

    below = ""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if self.below and scope["type"] != "lifespan" and (scope["path"] + "/").startswith(self.below + "/"):
            if scope["path"] == self.below and scope["type"] == "http":
                return await _send_home(self.below, scope, send)
            raw = scope.get("raw_path") or b""
            # In place: whoever handed it in looks up the route in it afterwards.
            scope["path"] = scope["path"][len(self.below) :] or "/"
            scope["raw_path"] = raw[len(self.below) :] or b"/"
        return await super().__call__(scope, receive, send)


async def _send_home(path: str, scope: Any, send: Any) -> None:
    """The page is at `/nimmt/`, where everything it is made of is below it."""
    query = scope["query_string"]
    location = path.encode() + b"/" + (b"?" + query if query else b"")
    await send({"type": "http.response.start", "status": 307, "headers": [(b"location", location)]})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


def create_app(settings: Settings) -> Litestar:
    path = public_path(settings)

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        app.state.platform = Platform(settings)
        await app.state.platform.open()
        try:
            yield
        finally:
            await app.state.platform.close()

    app = Below(
        route_handlers=[
            GuestController,
            AccountController,
            MatchesController,
            CallsController,
            GamesController,
            AddressController,
            TableController,
            ReviewController,
            RecordController,
            CoachController,
            PuzzleController,
            PeaceController,
            CommitmentController,
            PictureController,
            table_socket,
            stream_table,
            stream_events,
            healthz,
            readyz,
            metrics,
            *web_routes(path=path, tell=social_tags),
        ],
        lifespan=[lifespan],
        before_request=_check_first,
        before_send=[add_headers],
        exception_handlers={**HANDLERS, NotFoundException: _counted(lost_page(HANDLERS[HTTPException], path=path))},
        request_class=Asking,
        request_max_body_size=MAX_BODY,
        openapi_config=openapi(settings),
        logging_config=None,
        debug=False,
    )
    app.below = path
    return app
