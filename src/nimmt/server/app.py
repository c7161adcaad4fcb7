"""The application: routes, errors and life cycle."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from litestar import Litestar, get
from litestar.exceptions import HTTPException, NotFoundException

from nimmt.server.account import AccountController
from nimmt.server.api import AddressController, GamesController, GuestController, TableController
from nimmt.server.asking import Asking, platform
from nimmt.server.description import openapi
from nimmt.server.errors import HANDLERS
from nimmt.server.metrics import metrics
from nimmt.server.peace import PeaceController
from nimmt.server.platform import Platform
from nimmt.server.security import add_headers, check_request
from nimmt.server.settings import Settings
from nimmt.server.sockets import stream_events, stream_table, table_socket
from nimmt.server.web import lost_page, web_routes

LARGEST_BODY = 64 * 1024


@get("/healthz", include_in_schema=False, sync_to_thread=False)
def healthz() -> dict[str, str]:
    """The process is alive."""
    return {"status": "ok"}


@get("/readyz", include_in_schema=False)
async def readyz(request: Asking) -> dict[str, str]:
    """The process can serve: its store reads and writes."""
    await platform(request).store.check()
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
            AccountController,
            GamesController,
            AddressController,
            TableController,
            PeaceController,
            table_socket,
            stream_table,
            stream_events,
            healthz,
            readyz,
            metrics,
            *web_routes(),
        ],
        lifespan=[lifespan],
        before_request=check_request,
        before_send=[add_headers],
        exception_handlers={**HANDLERS, NotFoundException: lost_page(HANDLERS[HTTPException])},
        request_class=Asking,
        request_max_body_size=LARGEST_BODY,
        openapi_config=openapi(),
        logging_config=None,
        debug=False,
    )
