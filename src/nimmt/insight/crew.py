"""Work that is asked for ahead of time, and done by several processes or, alone, when its answer is wanted; and
processes that do not outlive the one that started them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

AHEAD = 2
"""Questions for each process, so that none has to wait for the next one."""


class Crew:
    """So many processes; one is this process itself. Close it, or use it in `with`."""

    def __init__(self, jobs: int = 1) -> None:
        self.ahead = 0 if jobs == 1 else AHEAD * jobs
        """How many questions should be asked before the first answer is taken."""
        self._pool = None if jobs == 1 else ProcessPoolExecutor(
            jobs, mp_context=multiprocessing.get_context("spawn"), initializer=enlist
        )  # fmt: skip

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: Any) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def ask(self, do: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Callable[[], T]:
        """The answer, for whenever it is wanted. What nobody wants is not done, as far as it has not been begun."""
        if self._pool is None:
            return partial(do, *args, **kwargs)
        return Answer(self._pool.submit(do, *args, **kwargs))


class Answer:
    """Of another process."""

    def __init__(self, future: Future[Any]) -> None:
        self._future = future

    def __call__(self) -> Any:
        return self._future.result()

    def __del__(self) -> None:
        self._future.cancel()


def enlist() -> None:
    """How each process of a crew begins: Ctrl-C, which a terminal sends to all of them, is left to the process that
    started it, and it ends when that is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_when_orphaned()


# -- orphans -----------------------------------------------------------------------------------------------------------
# Processes that must not outlive the one that started them, however that came to its end.

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
