"""A process of the simulated server: the real platform on a simulated store and hub. It can die at any moment."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Any

from nimmt.server.hub import LocalHub
from nimmt.server.platform import Platform
from nimmt.testing.simulation.loop import HERE

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
