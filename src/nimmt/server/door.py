"""What every request passes on its way in and out: it is timed, counted and, at debug, logged."""

from __future__ import annotations

import logging
import time
from typing import cast

from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from nimmt.server.metrics import count_answer, route_of

log = logging.getLogger("nimmt.server.requests")

STREAMS = "/api/stream/"


class Door:
    """HEAD is GET without the content, which uvicorn does not send then; streams have no end to ask for."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        began, method = time.perf_counter(), str(scope.get("method"))
        inner: Scope = scope
        if method == "HEAD" and STREAMS not in scope["path"]:
            inner = cast(Scope, {**scope, "method": "GET"})

        async def note(message: Message) -> None:
            if message["type"] == "http.response.start":
                seconds, route, status = time.perf_counter() - began, route_of(inner), int(message["status"])
                count_answer(route, method, status, seconds)
                # The route, not the address: whoever knows the id of a table may come in.
                log.debug("%s %s %s in %.1f ms", method, route, status, 1000 * seconds)
            await send(message)

        await self._app(inner, receive, note)
