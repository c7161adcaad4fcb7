"""Running the application: one process, or several that share a port."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import sys
import traceback
from collections.abc import Callable

import msgspec
import uvicorn
from litestar import Litestar
from uvicorn.supervisors import Multiprocess

from nimmt.server.app import create_app
from nimmt.server.connections import Connections, raise_descriptor_limit
from nimmt.server.costs import Metered
from nimmt.server.orphans import when_orphaned
from nimmt.server.protocols import LimitedConfig, LimitedHttp, LimitedSocket
from nimmt.server.settings import Settings
from nimmt.store.choice import make_store
from nimmt.store.sqlite import SqliteStore
from nimmt.store.sqlite_file import is_private

log = logging.getLogger("nimmt.server")

SETTINGS_VARIABLE = "NIMMT_SERVE_SETTINGS"
"""How worker processes get the settings of the one that started them."""
GRACE = 5
KEEP_ALIVE = 30
"""Longer than clients keep connections that they do not use: else they may ask while the server hangs up."""
LARGEST_FRAME = 4096


def run(settings: Settings, on_listening: Callable[[int], None]) -> int:
    """Serve until told to stop. On SIGTERM or Ctrl-C requests are finished and sockets closed.

    Raises `OSError` if the port is taken and `StoreError` if the database cannot be used, before anything is announced.
    """
    # When uvicorn has come to an end it passes on the signal that it was told to stop with.
    for stopping in (signal.SIGTERM, signal.SIGINT):
        signal.signal(stopping, lambda *_: sys.exit(0))
    _collect_rarely()
    listening = listen(settings)
    asyncio.run(_check_database(settings))
    on_listening(listening.getsockname()[1])
    if settings.workers == 1:
        server = uvicorn.Server(uvicorn_config(create_app(settings), settings))
        server.run(sockets=[listening])
        return 0 if server.started else 1
    os.environ[SETTINGS_VARIABLE] = msgspec.json.encode(settings).decode()
    config = uvicorn_config("nimmt.server.serve:app_of_worker", settings, factory=True)
    config.workers = settings.workers
    Multiprocess(config, sockets=[listening]).run()
    return 0


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


def app_of_worker() -> Metered:
    when_orphaned(lambda: os.kill(os.getpid(), signal.SIGTERM))
    settings = msgspec.json.decode(os.environ[SETTINGS_VARIABLE], type=Settings)
    set_up_logging(settings)
    _collect_rarely()
    return Metered(create_app(settings))


def _collect_rarely() -> None:
    """Looking through everything in memory for garbage takes half a second when there are thousands of sockets, and
    nobody is served meanwhile. Young objects are looked through often, which is quick; everything only by the
    clock."""
    gc.set_threshold(10_000, 20, 1_000_000)


def uvicorn_config(app: Litestar | str, settings: Settings, factory: bool = False) -> LimitedConfig:
    config = LimitedConfig(
        Metered(app) if isinstance(app, Litestar) else app,
        factory=factory,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=True,
        http=LimitedHttp,
        ws=LimitedSocket,
        ws_max_size=LARGEST_FRAME,
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
    listening.set_inheritable(True)
    return listening


class JsonFormatter(logging.Formatter):
    """One JSON object a line, with the fields that a message was given. Requests' contents are never among them."""

    _STANDARD = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "color_message"}

    def format(self, record: logging.LogRecord) -> str:
        fields = {key: str(value) for key, value in record.__dict__.items() if key not in self._STANDARD}
        line = {"at": int(record.created * 1000), "level": record.levelname.lower(), "logger": record.name}
        if record.exc_info and record.exc_info[0]:
            fields["error"] = record.exc_info[0].__name__
            fields["where"] = _where(record)
        return msgspec.json.encode({**line, "message": record.getMessage(), **fields}).decode()


class PlainFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        extra = {k: v for k, v in record.__dict__.items() if k not in JsonFormatter._STANDARD}
        words = " ".join(f"{key}={value}" for key, value in extra.items())
        line = f"{self.formatTime(record, '%H:%M:%S')} {record.levelname.lower():7} {record.getMessage()} {words}"
        if record.exc_info and record.exc_info[0]:
            line += f" {record.exc_info[0].__name__} at {_where(record)}"
        return line.rstrip()


def _where(record: logging.LogRecord) -> str:
    """File and line of an error, without the values that an exception's text may quote."""
    frames = traceback.extract_tb(record.exc_info[2]) if record.exc_info else []
    return " < ".join(f"{frame.filename.rsplit('/', 1)[-1]}:{frame.lineno}" for frame in reversed(frames[-5:]))


def _is_our_fault(record: logging.LogRecord) -> bool:
    """Nonsense in a socket is its sender's fault: nobody should be able to fill our log with it."""
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))


def set_up_logging(settings: Settings) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if settings.log_json else PlainFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    uvicorn_log = logging.getLogger("uvicorn.error")
    uvicorn_log.setLevel("WARNING")
    uvicorn_log.addFilter(_is_our_fault)
