"""Figures for Prometheus. Labels are routes and codes, never names, tables or addresses."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.types import Message, Scope
from prometheus_client import CONTENT_TYPE_LATEST, Counter, Gauge, generate_latest

from nimmt.server.platform import Platform

ANSWERS = Counter("nimmt_http_answers_total", "Answers by route, method and status.", ["route", "method", "status"])
SOCKETS = Gauge("nimmt_connections", "Sockets and streams that are open.")
TABLES = Gauge("nimmt_tables_in_memory", "Tables that this process keeps at hand.")

METHODS = frozenset({"GET", "POST", "DELETE", "HEAD", "OPTIONS"})
"""Clients may make up others; each would be a figure of its own for ever."""


async def observe(message: Message, scope: Scope) -> None:
    if message["type"] == "http.response.start":
        route = str(scope.get("path_template", "") or "none")
        method = str(scope.get("method", ""))
        ANSWERS.labels(route, method if method in METHODS else "other", str(message["status"])).inc()


@get("/metrics", include_in_schema=False, sync_to_thread=False)
def metrics(request: Request[Any, Any, State]) -> Response[bytes]:
    platform: Platform = request.app.state.platform
    SOCKETS.set(platform.limits.all_sockets.total)
    TABLES.set(platform.tables.in_memory)
    return Response(generate_latest(), media_type=CONTENT_TYPE_LATEST)
