"""Figures for Prometheus. Labels are routes and codes, never names, tables or addresses.

Several workers write their figures to files in one folder, as `prometheus_client` does it, so that whichever is asked
answers for all of them.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.exceptions import NotFoundException
from litestar.types import Scope
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    start_http_server,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

if TYPE_CHECKING:
    from nimmt.server.platform import Platform

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Where workers keep their figures; `prometheus_client` looks for it when it is imported."""
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

ANSWERS = Counter("nimmt_http_answers_total", "Answers by route, method and status.", ["route", "method", "status"])
LATENCY = Histogram(
    "nimmt_http_latency_seconds", "From a request to the beginning of its answer, by route.", ["route"], buckets=SECONDS
)
SOCKETS = Gauge("nimmt_connections", "Sockets and streams that are open.", multiprocess_mode="livesum")
TABLES = Gauge("nimmt_tables_in_memory", "Tables that processes keep at hand.", multiprocess_mode="livesum")
MATCHES = Gauge("nimmt_tables", "Tables in the database, by phase.", ["phase"], multiprocess_mode="mostrecent")
BOT_QUEUE = Gauge("nimmt_bot_queue", "Decisions that bots are making or are to make.", multiprocess_mode="livesum")
FALL_BACKS = Counter(
    "nimmt_bot_fall_backs_total", "Decisions that a simple bot made instead of a stronger one, by reason.", ["reason"]
)
WARMING_UP = Gauge(
    "nimmt_games_warming_up",
    "Games whose strong bots are not ready yet, in the slowest process.",
    multiprocess_mode="livemax",
)
DATABASE_ERRORS = Counter("nimmt_database_errors_total", "Times that the database could not be used.")

METHODS = frozenset({"GET", "POST", "DELETE", "HEAD", "OPTIONS"})
"""Clients may make up others; each would be a figure of its own for ever."""


def route_of(scope: Scope | dict[str, Any]) -> str:
    """The address without what people put into it."""
    return str(scope.get("path_template", "") or "none")


def count_answer(route: str, method: str, status: int, seconds: float) -> None:
    ANSWERS.labels(route, method if method in METHODS else "other", str(status)).inc()
    LATENCY.labels(route).observe(seconds)


async def refresh(here: Platform) -> None:
    """Bring up to date what is not counted when it happens."""
    SOCKETS.set(here.limits.all_sockets.total)
    TABLES.set(here.tables.in_memory)
    BOT_QUEUE.set(here.thinkers.queue)
    WARMING_UP.set(here.thinkers.cold)
    for phase in ("waiting", "playing"):
        MATCHES.labels(phase).set(await here.store.count(phase))


def registry() -> CollectorRegistry:
    """Of this process, or of all workers that share a folder."""
    folder = os.environ.get(FOLDER_VARIABLE)
    if folder is None:
        return REGISTRY
    for file in Path(folder).glob("gauge_live*.db"):
        found = re.search(r"_(\d+)\.db$", file.name)
        if found and not _is_running(int(found[1])):  # nobody else tells of a worker that was killed
            mark_process_dead(int(found[1]), folder)  # type: ignore[no-untyped-call]
    collected = CollectorRegistry()
    MultiProcessCollector(collected, folder)  # type: ignore[no-untyped-call]
    return collected


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


class _EachTime:
    """A registry that looks anew whenever it is asked."""

    def collect(self) -> Any:
        return registry().collect()


def serve_apart(host: str, port: int) -> None:
    """Answer on a port of its own, which need not be reachable for others; raises `OSError`."""
    looking = CollectorRegistry()
    looking.register(_EachTime())
    start_http_server(port, host, looking)


@get("/metrics", include_in_schema=False)
async def metrics(request: Request[Any, Any, State]) -> Response[bytes]:
    here: Platform = request.app.state.platform
    if here.settings.metrics_listen:
        raise NotFoundException("They are on a port of their own.")
    await refresh(here)
    return Response(generate_latest(registry()), media_type=CONTENT_TYPE_LATEST)
