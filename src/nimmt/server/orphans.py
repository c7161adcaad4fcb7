"""Processes that must not outlive the one that started them, however that came to its end."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from collections.abc import Callable

LOOK_SECONDS = 0.5


def when_orphaned(then: Callable[[], None]) -> None:
    """Do this once the process that started this one is gone. It may have been killed: nobody tells us.

    POSIX gives orphans another parent; on Windows, where it does not, nothing happens.
    """
    started_by = multiprocessing.parent_process()  # it may be gone already
    parent = os.getppid() if started_by is None else started_by.pid

    def look() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK_SECONDS)
        then()

    threading.Thread(target=look, name="orphans", daemon=True).start()


def end_when_orphaned() -> None:
    """For processes that have nothing to finish."""
    when_orphaned(lambda: os._exit(1))
