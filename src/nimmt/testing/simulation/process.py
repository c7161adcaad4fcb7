"""A process of the simulated server, and the event loop on virtual time that it lives on."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Generator
from contextvars import Context, ContextVar, copy_context
from typing import TYPE_CHECKING, Any, TypeAlias

from nimmt.server.hub import LocalHub
from nimmt.server.platform import Platform

# -- loop --------------------------------------------------------------------------------------------------------------
# An event loop on virtual time: when nothing is left to do now, it is already later.

EPOCH = 1_800_000_000.0
"""When a world begins."""
HERE: ContextVar[Process | None] = ContextVar("simulated process", default=None)
"""In which of the simulated processes something runs; tasks and timers inherit it from whoever starts them."""

_Work: TypeAlias = Coroutine[Any, Any, Any] | Generator[Any, None, Any]


class _Jump(selectors.SelectSelector):
    """Nobody outside ever has anything to say, so waiting is but a step of the clock."""

    step: Callable[[float], None]

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise RuntimeError("The simulation is stuck: nothing is going to happen any more.")
        if timeout > 0:
            self.step(timeout)
        return []


class VirtualLoop(asyncio.SelectorEventLoop):
    """Runs what the server runs, in an order that depends on nothing but what is run."""

    def __init__(self) -> None:
        self._virtual = 0.0
        selector = _Jump()
        selector.step = self._step
        super().__init__(selector)
        # After months a float does not know steps as small as the usual one, and a timer would never be reached.
        self._clock_resolution = 1e-6
        self.set_task_factory(_make_task)

    def time(self) -> float:
        return self._virtual

    def _step(self, seconds: float) -> None:
        self._virtual += seconds

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """At once and here: threads would bring in an order of their own."""
        del executor
        done: asyncio.Future[Any] = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:
            done.set_exception(error)
        return done


def _make_task(
    loop: asyncio.AbstractEventLoop, coro: _Work, context: Context | None = None
) -> asyncio.Task[Any]:  # fmt: skip
    """Every task belongs to a process and dies with it. What a dead one still begins comes to nothing."""
    here = HERE.get() if context is None else context.get(HERE)
    if here is not None and not here.is_alive:
        coro.close()
        coro = _nothing()
    task: asyncio.Task[Any] = asyncio.Task(coro, loop=loop, context=context)
    if here is not None:
        here.own(task)
    return task


async def _nothing() -> None:
    await asyncio.get_running_loop().create_future()


# -- process -----------------------------------------------------------------------------------------------------------
# A process of the simulated server: the real platform on a simulated store and hub. It can die at any moment.

if TYPE_CHECKING:
    from nimmt.testing.simulation.world import World


class Process:
    def __init__(self, world: World, serial: int, offset: float) -> None:
        self.world, self.serial = world, serial
        self.offset = offset
        """Seconds that its clock is ahead."""
        self.born = asyncio.get_running_loop().time()
        self.is_alive = True
        self.is_ready = False
        self.platform: Platform | None = None
        self.hub: LocalHub | None = None
        self._tasks: list[asyncio.Task[Any]] = []
        self._connections: dict[Callable[[], None], None] = {}

    def own(self, task: asyncio.Task[Any]) -> None:
        self._tasks.append(task)
        if len(self._tasks) > 500:
            self._tasks = [task for task in self._tasks if not task.done()]

    def context(self) -> Context:
        """Whatever runs in it runs in this process."""
        context = copy_context()
        context.run(HERE.set, self)
        return context

    def run(self, work: Any) -> asyncio.Task[Any]:
        return asyncio.get_running_loop().create_task(work, context=self.context())

    def connect(self, on_death: Callable[[], None]) -> None:
        self._connections[on_death] = None

    def disconnect(self, on_death: Callable[[], None]) -> None:
        self._connections.pop(on_death, None)

    def die(self) -> None:
        """At once: what it had in memory is gone, and nothing it still does reaches anybody."""
        self.is_alive = self.is_ready = False
        for task in self._tasks:
            if not task.done():
                task.cancel()
        self._tasks.clear()
        connections, self._connections = [*self._connections], {}
        for on_death in connections:
            on_death()


class SimHub(LocalHub):
    """Tells the others through a network that loses, delays and repeats."""

    def __init__(self, process: Process) -> None:
        super().__init__()
        self._process = process

    async def publish(self, table: str) -> None:
        self.wake(table)
        if self._process.is_alive:
            self._process.world.pass_on(self._process, table)
