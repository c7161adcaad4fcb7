"""How much a process has to do, as it tells those who run the server: see `nimmt admin load`."""

from __future__ import annotations

import os
import platform as machine
import sys
from typing import TYPE_CHECKING

import msgspec

from nimmt.server.tables import now_ms

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
