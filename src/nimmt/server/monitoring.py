"""What whoever runs the server can see: figures for Prometheus, timed requests, health and load."""

from __future__ import annotations

import asyncio
import logging
import os
import platform as machine
import re
import secrets
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
from litestar import Request, Response, get
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.exceptions import NotFoundException
from litestar.types import ASGIApp, Message, Receive, Scope, Send
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

from nimmt.server.hub import end
from nimmt.server.logs import cause, tell_left_out
from nimmt.server.tables.commands import now_ms
from nimmt.store import Conflict, Store, StoreError, contract

# -- metrics -----------------------------------------------------------------------------------------------------------
# Figures for Prometheus. Labels are routes and codes, never names, tables or addresses.
#
# Several workers write their figures to files in one folder, as `prometheus_client` does it, so that whichever is asked
# answers for all of them.

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
BOT_QUEUE = Gauge(
    "nimmt_bot_queue", "Decisions that bots are making or still have to make.", multiprocess_mode="livesum"
)
FALL_BACKS = Counter(
    "nimmt_bot_fall_backs_total", "Decisions that a simple bot made instead of a stronger one, by reason.", ["reason"]
)
WARMING_UP = Gauge(
    "nimmt_games_warming_up",
    "Games whose strong bots are not ready yet, in the slowest process.",
    multiprocess_mode="livemax",
)
WARM = Gauge(
    "nimmt_warm_up_percent",
    "How much of what strong bots think with is ready, in the slowest process.",
    multiprocess_mode="livemin",
)
CALLS = Counter("nimmt_calls_total", "Calls to people who were not there, by what became of them.", ["outcome"])
DATABASE_ERRORS = Counter("nimmt_database_errors_total", "Failed attempts to use the database.")

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
    WARMING_UP.set(len(here.thinkers.warmth.cold))
    WARM.set(here.thinkers.warmth.percent)
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


# -- door --------------------------------------------------------------------------------------------------------------
# What every request passes on its way in and out: it is timed, counted and, at debug, logged.

request_log = logging.getLogger("nimmt.server.requests")

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
                request_log.debug("%s %s %s in %.1f ms", method, route, status, 1000 * seconds)
            await send(message)

        await self._app(inner, receive, note)


# -- health ------------------------------------------------------------------------------------------------------------
# Whether the database can be used, said once when it cannot and once when it can again.

log = logging.getLogger("nimmt.server")

LOOK_SECONDS = 5.0


class Health:
    """Looks after the store every few seconds; whoever is refused by it in between reports that here."""

    def __init__(self, store: Store, then: Callable[[], Awaitable[None]], load: Callable[[], bytes]) -> None:
        self._store, self._then, self._load = store, then, load
        self._process = secrets.token_hex(8)
        self._renewed = 0
        self._failing_since: float | None = None
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        await self.look()
        self._task = asyncio.create_task(self._look_on())

    async def close(self) -> None:
        if self._task:
            await end(self._task)
            with suppress(StoreError):  # then it expires
                await contract.end(self._store, self._process)

    def failed(self, error: StoreError) -> None:
        """Something could not be read or written. That others were faster is no failure."""
        if isinstance(error, Conflict):
            return
        DATABASE_ERRORS.inc()
        if self._failing_since is None:
            self._failing_since = time.monotonic()
            log.error("the database cannot be used", extra={"cause": cause(error)})

    def works(self) -> None:
        if self._failing_since is not None:
            seconds, self._failing_since = time.monotonic() - self._failing_since, None
            log.warning("the database can be used again", extra={"seconds": round(seconds, 1)})

    async def look(self) -> None:
        """One look: does it read and write, and do the others know that this process uses it?"""
        try:
            if self._failing_since is not None:
                await self._store.check()
            if now_ms() - self._renewed > contract.RENEWAL:
                self._renewed = now_ms()
                await contract.renew(self._store, self._process, now_ms(), self._load())
            await self._then()
        except StoreError as error:
            self.failed(error)
        else:
            self.works()
        tell_left_out()

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.look()
            except Exception as error:
                log.warning("housekeeping failed", exc_info=error)


# -- load --------------------------------------------------------------------------------------------------------------
# How much a process has to do, as it tells those who run the server: see `nimmt admin load`.

if TYPE_CHECKING:
    from nimmt.server.platform import Platform

STARTED = now_ms()


class Load(msgspec.Struct, frozen=True):
    """`peak_mb` is the most memory that the process has ever held, in megabytes."""

    host: str
    pid: int
    started: int
    at: int
    sockets: int
    tables: int
    bot_queue: int
    peak_mb: int | None


def load_of(here: Platform) -> bytes:
    return msgspec.json.encode(
        Load(
            machine.node(),
            os.getpid(),
            STARTED,
            now_ms(),
            here.limits.all_sockets.total,
            here.tables.in_memory,
            here.thinkers.queue,
            _peak_mb(),
        )
    )


def _peak_mb() -> int | None:
    try:
        import resource
    except ImportError:  # not on every system
        return None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 * 1024 if sys.platform == "darwin" else 1024)
