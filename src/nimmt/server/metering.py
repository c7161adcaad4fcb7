"""How much work something is. Whoever it is done for is charged, also for what goes on in tasks and threads of its
own."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Generator
from contextvars import ContextVar
from typing import Any, Generic, TypeAlias, TypeVar

T = TypeVar("T")
Charge: TypeAlias = Callable[[float], None]
"""Takes the seconds that some work took."""


def _nobody(seconds: float) -> None:
    del seconds


CHARGE: ContextVar[Charge] = ContextVar("charge", default=_nobody)
"""Who pays for what is done here, and in tasks that are started here."""


class Timed(Generic[T]):
    """Work that is measured step by step; what it waits for costs nothing."""

    def __init__(self, work: Awaitable[T], charge: Charge) -> None:
        self._work, self._charge = work, charge

    def __await__(self) -> Generator[Any, Any, T]:
        steps, value, error = self._work.__await__(), None, None
        while True:
            began = time.thread_time()
            try:
                waiting = steps.send(value) if error is None else steps.throw(error)
            except StopIteration as done:
                result: T = done.value
                return result
            finally:
                self._charge(time.thread_time() - began)
            try:
                value, error = (yield waiting), None
            except BaseException as thrown:  # whatever it is, it is for the work to deal with
                value, error = None, thrown


async def charged(work: Awaitable[T]) -> T:
    """For a task of its own."""
    return await Timed(work, CHARGE.get())


async def in_thread(job: Callable[[], T]) -> T:
    """Something long that cannot be interrupted: others have their turn meanwhile."""
    seconds = 0.0

    def timed() -> T:
        nonlocal seconds
        began = time.thread_time()
        try:
            return job()
        finally:
            seconds = time.thread_time() - began

    try:
        return await asyncio.to_thread(timed)
    finally:
        CHARGE.get()(seconds)
