"""Work that is asked for ahead of time, and done by several processes or, alone, when its answer is wanted."""

from __future__ import annotations

import multiprocessing
import signal
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
            jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_leave_interrupts
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


def _leave_interrupts() -> None:
    """Ctrl-C is for the process that began."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
