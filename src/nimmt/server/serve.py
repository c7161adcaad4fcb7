"""Running the application: one process, or several that share a port."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import msgspec
import uvicorn
from litestar import Litestar
from litestar.types import ASGIApp
from uvicorn.supervisors import Multiprocess

from nimmt.insight.crew import when_orphaned
from nimmt.server import monitoring
from nimmt.server.app import create_app
from nimmt.server.http.connections import Connections, LimitedConfig, LimitedHttp, LimitedSocket, raise_descriptor_limit
from nimmt.server.limits import Metered
from nimmt.server.logs import set_up_logging
from nimmt.server.monitoring import Door
from nimmt.server.settings import Settings
from nimmt.store.contract import make_store
from nimmt.store.sqlite import SqliteStore
from nimmt.store.sqlite_file import is_private

log = logging.getLogger("nimmt.server")

SETTINGS_VARIABLE = "NIMMT_SERVE_SETTINGS"
"""How worker processes get the settings of the one that started them."""
GRACE = 5
KEEP_ALIVE = 30
"""Longer than clients keep connections that they do not use: else they may ask while the server hangs up."""
MAX_FRAME = 4096
FEW_DESCRIPTORS = 256
"""More than a process has open when it starts."""


class CannotListen(Exception):
    """An address or a port that cannot be had; says which."""


def run(settings: Settings, on_listening: Callable[[int], None]) -> int:
    """Serve until told to stop. On SIGTERM or Ctrl-C requests are finished and sockets closed.

    Raises `CannotListen` if a port is taken and `StoreError` if the database cannot be used, before anything is
    announced.
    """
    # When uvicorn has come to an end it passes on the signal that it was told to stop with.
    for stopping in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stopping, lambda *_: sys.exit(0))
    _collect_rarely()
    with _saying_where(settings.host, settings.port):
        listening = listen(settings)
    asyncio.run(_check_database(settings))
    if settings.workers > 1:
        return _run_workers(settings, listening, on_listening)
    _serve_metrics(settings)
    on_listening(listening.getsockname()[1])
    server = uvicorn.Server(uvicorn_config(create_app(settings), settings))
    server.run(sockets=[listening])
    return 0 if server.started else 1


def _run_workers(settings: Settings, listening: socket.socket, on_listening: Callable[[int], None]) -> int:
    os.environ[SETTINGS_VARIABLE] = msgspec.json.encode(settings).decode()
    config = uvicorn_config("nimmt.server.serve:app_of_worker", settings, factory=True)
    config.workers = settings.workers
    with tempfile.TemporaryDirectory(prefix="nimmt-metrics-") as folder:
        os.environ[monitoring.FOLDER_VARIABLE] = folder
        _serve_metrics(settings)
        on_listening(listening.getsockname()[1])
        Multiprocess(config, sockets=[listening]).run()
    return 0


def _serve_metrics(settings: Settings) -> None:
    if settings.metrics_listen:
        host, _, port = settings.metrics_listen.rpartition(":")
        with _saying_where(host, int(port)):
            monitoring.serve_apart(host.strip("[]"), int(port))


@contextmanager
def _saying_where(host: str, port: int) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CannotListen(f"Cannot listen on {host} port {port}: {error.strerror}.") from None


async def _check_database(settings: Settings) -> None:
    """Workers that cannot open it would only be started again and again."""
    store = make_store(settings.database)
    await store.open()
    try:
        await store.check()
    finally:
        await store.close()
    if isinstance(store, SqliteStore) and not is_private(store.path):
        log.warning("others on this machine may read the database: chmod 600", extra={"file": store.path})


def app_of_worker() -> ASGIApp:
    when_orphaned(lambda: os.kill(os.getpid(), signal.SIGTERM))
    _hand_nothing_on()
    settings = msgspec.json.decode(os.environ[SETTINGS_VARIABLE], type=Settings)
    set_up_logging(settings)
    _collect_rarely()
    return Door(Metered(create_app(settings)))


def _hand_nothing_on() -> None:
    """Programs that this process starts do not get the socket that it was handed. uvloop leaves open whatever may be
    inherited, and a compiler that outlives a killed server would keep its port."""
    for descriptor in range(3, FEW_DESCRIPTORS):
        with suppress(OSError):  # there is none with this number
            os.set_inheritable(descriptor, False)


def _collect_rarely() -> None:
    """Looking through everything in memory for garbage takes half a second when there are thousands of sockets, and
    nobody is served meanwhile. Young objects are looked through often, which is quick; everything only by the
    clock."""
    gc.set_threshold(10_000, 20, 1_000_000)


def uvicorn_config(app: Litestar | str, settings: Settings, factory: bool = False) -> LimitedConfig:
    config = LimitedConfig(
        Door(Metered(app)) if isinstance(app, Litestar) else app,
        factory=factory,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=True,
        http=LimitedHttp,
        ws=LimitedSocket,
        ws_max_size=MAX_FRAME,
        ws_per_message_deflate=False,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=GRACE,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies or None,
    )
    most = min(settings.max_connections, raise_descriptor_limit())
    config.open_connections = Connections(most, settings.connections_per_address, settings.trusted_proxies)
    return config


def listen(settings: Settings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # Only of sockets that say they are TCP does asyncio know that small packets must not wait for one another.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((settings.host, settings.port))
    listening.listen(2048)
    return listening
