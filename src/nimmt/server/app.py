"""The application: routes, errors and life cycle."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from litestar import Litestar, Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import HTTPException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

from nimmt import __version__
from nimmt.server.api import COOKIE, GamesController, GuestController, TableController
from nimmt.server.metrics import metrics, observe
from nimmt.server.platform import Platform
from nimmt.server.refusals import Code, Refused
from nimmt.server.security import add_headers, check_origin
from nimmt.server.settings import Settings
from nimmt.server.sockets import stream_events, stream_table, table_socket
from nimmt.server.web import web_routes
from nimmt.store import StoreError

log = logging.getLogger("nimmt.server")

LARGEST_BODY = 64 * 1024


class ErrorBody(msgspec.Struct, frozen=True, omit_defaults=True):
    code: str
    message: str
    retry_after: float | None = None


class ErrorAnswer(msgspec.Struct, frozen=True):
    """Every error looks like this."""

    error: ErrorBody


def _answer(code: str, sentence: str, status: int, retry_after: float | None = None) -> Response[ErrorAnswer]:
    headers = {"retry-after": str(int(retry_after))} if retry_after else {}
    body = ErrorAnswer(ErrorBody(str(code), sentence, retry_after))
    return Response(body, status_code=status, headers=headers, media_type="application/json")


def _on_refused(_: Request[Any, Any, State], error: Refused) -> Response[ErrorAnswer]:
    return _answer(error.code, str(error), error.status, error.retry_after)


def _on_store_error(_: Request[Any, Any, State], error: StoreError) -> Response[ErrorAnswer]:
    log.warning("store", extra={"reason": type(error).__name__})
    return _answer(Code.UNAVAILABLE, "The server cannot reach its database at the moment.", 503, 2)


def _on_validation(_: Request[Any, Any, State], error: ValidationException) -> Response[ErrorAnswer]:
    details = [
        f"{item.get('key', '')}: {item.get('message', '')}" for item in error.extra or () if isinstance(item, dict)
    ]
    return _answer(Code.BAD_REQUEST, "; ".join(details) or "The request is not as it should be.", 400)


_CODES = {404: "not_found", 405: "method_not_allowed", 413: Code.TOO_LARGE, 401: Code.NOT_SIGNED_IN}


def _on_http(_: Request[Any, Any, State], error: HTTPException) -> Response[ErrorAnswer]:
    status = error.status_code
    code = _CODES.get(status, Code.BAD_REQUEST if status < 500 else "server_error")
    return _answer(code, error.detail if status < 500 else "Something went wrong on the server.", status)


def _on_anything(request: Request[Any, Any, State], error: Exception) -> Response[ErrorAnswer]:
    # The request's content may hold secrets: only where it happened is logged.
    log.error("unexpected error", extra={"path": request.scope["path_template"]}, exc_info=error)
    return _answer("server_error", "Something went wrong on the server.", 500)


@get("/healthz", include_in_schema=False, sync_to_thread=False)
def healthz() -> dict[str, str]:
    """The process is alive."""
    return {"status": "ok"}


@get("/readyz", include_in_schema=False)
async def readyz(request: Request[Any, Any, State]) -> dict[str, str]:
    """The process can serve: its store reads and writes."""
    await request.app.state.platform.store.check()
    return {"status": "ok"}


def create_app(settings: Settings) -> Litestar:
    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        app.state.platform = Platform(settings)
        await app.state.platform.open()
        try:
            yield
        finally:
            await app.state.platform.close()

    return Litestar(
        route_handlers=[
            GuestController,
            GamesController,
            TableController,
            table_socket,
            stream_table,
            stream_events,
            healthz,
            readyz,
            metrics,
            *web_routes(),
        ],
        lifespan=[lifespan],
        before_request=check_origin,
        before_send=[add_headers, observe],
        exception_handlers={
            Refused: _on_refused,
            StoreError: _on_store_error,
            ValidationException: _on_validation,
            HTTPException: _on_http,
            Exception: _on_anything,
        },
        request_max_body_size=LARGEST_BODY,
        openapi_config=OpenAPIConfig(
            title="nimmt",
            version=__version__,
            description="Tables of the 6 nimmt! family of card games. Commands by HTTP, news by socket or stream.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
            components=Components(
                security_schemes={
                    "cookie": SecurityScheme(type="apiKey", name=COOKIE, security_scheme_in="cookie"),
                    "token": SecurityScheme(type="http", scheme="bearer"),
                }
            ),
        ),
        logging_config=None,
        debug=False,
    )
