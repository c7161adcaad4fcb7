"""A world: processes of the server, a database, a network and people on one virtual clock and one seed; running it."""

from __future__ import annotations

import asyncio
import gc
import logging
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from hashlib import sha256
from random import Random
from typing import Any
from unittest import mock

import msgspec

from nimmt.server import limits, monitoring
from nimmt.server.http import sockets
from nimmt.server.hub import LocalHub, SqliteHub
from nimmt.server.limits import Meter
from nimmt.server.people import moderation, sessions
from nimmt.server.platform import Platform
from nimmt.server.tables import clock, commands, commitments, moments, presence
from nimmt.server.worker_pool import Mind
from nimmt.store import contract
from nimmt.testing.death import GAMES
from nimmt.testing.simulation import wire
from nimmt.testing.simulation.laws import Laws, Ledger
from nimmt.testing.simulation.people import Person, Watcher
from nimmt.testing.simulation.planted import PLANTED
from nimmt.testing.simulation.process import EPOCH, HERE, Process, SimHub, VirtualLoop
from nimmt.testing.simulation.storage import Climate, Database, SimStore, Weather, climate_of
from nimmt.testing.simulation.wire import Json

# -- world -------------------------------------------------------------------------------------------------------------
# A world: some processes of the server, a database, a network and people, all on one virtual clock and one seed.

LEASE, RENEWAL = 12.5, 5.0
"""Of presence and of servers, in looks at who is elsewhere."""
MOMENTS = 60
"""So many a table remembers at least: few, so that worlds are long enough to forget some."""


class Broken(Exception):
    """A law does not hold in this world."""


class World:
    def __init__(self, seed: int, show: bool = False) -> None:
        self.seed, self._show = seed, show
        self.rng = self.chance("world")
        self.climate: Climate = climate_of(self.chance("climate"))
        self.weather = Weather(self.climate, self.chance("weather"))
        self.database = Database(self.weather)
        self.processes: list[Process] = []
        self.lines: dict[wire.Wire, None] = {}
        self.ledgers: dict[str, Ledger] = {}
        self.laws = Laws(self)
        self.found: list[str] = []
        """Laws that were broken, in words."""
        self.is_patient = False
        """The end is near: people come back, stay and decide, so that every match ends."""
        self.is_over = False
        self.failed = asyncio.Event()
        self._count = 0
        self._trace = sha256()
        self._starting: set[asyncio.Task[Any]] = set()

    def chance(self, name: str) -> Random:
        """Chance for one part of the world: what others do with theirs does not change it."""
        return Random(f"{self.seed}/{name}")

    # -- time, and what happened -----------------------------------------------------------------------------------

    @property
    def now(self) -> float:
        return asyncio.get_running_loop().time()

    def now_ms(self) -> int:
        """True time; processes may think otherwise."""
        return int((EPOCH + self.now) * 1000)

    def time_ns(self) -> int:
        """What the clock of the process says that asks."""
        here = HERE.get()
        return int((EPOCH + self.now + (here.offset if here else 0.0)) * 1e9)

    def monotonic(self) -> float:
        return self.now

    def perf_counter(self) -> float:
        return self.monotonic()

    def thread_time(self) -> float:
        """What is measured takes no time."""
        return 0.0

    def note(self, *words: object) -> None:
        line = f"{self.now:.6f} {' '.join(map(str, words))}"
        self._trace.update(line.encode() + b"\n")
        if self._show:
            print(line)

    @property
    def trace(self) -> str:
        return self._trace.hexdigest()

    def broken(self, law: str) -> None:
        self.note("BROKEN", law)
        self.found.append(f"{law} (after {self.now / 3600:.2f} h)")
        self.failed.set()

    # -- processes ------------------------------------------------------------------------------------------------

    def any_process(self) -> Process | None:
        ready = [process for process in self.processes if process.is_ready]
        return self.weather.rng.choice(ready) if ready else None

    def start_process(self) -> None:
        self._count += 1
        skew = self.climate.skew
        process = Process(self, self._count, self.rng.uniform(-skew, skew))
        self.processes.append(process)
        self.note("start", process.serial, f"{process.offset:.3f}")
        process.run(self._open(process))

    async def _open(self, process: Process) -> None:
        """Until it works: whoever runs a server starts it again when it did not come up."""
        while process.is_alive:
            store = SimStore(self.database, process)
            process.hub = self._hub(process, store)
            platform = Platform(wire.settings(self.climate.processes), store=store, hub=process.hub)
            platform.clock.tick, platform.clock.sweep = self.climate.tick, 240 * self.climate.tick
            process.platform = platform
            try:
                await platform.open()
            except Exception:
                await asyncio.sleep(1)
            else:
                process.is_ready = True
                return

    def _hub(self, process: Process, store: SimStore) -> LocalHub:
        if self.climate.watched_file:
            return SqliteHub(store, look=self.climate.look / 2)  # type: ignore[arg-type]
        return SimHub(process)

    def kill(self, process: Process) -> None:
        self.note("kill", process.serial)
        self.processes.remove(process)
        process.die()

    async def stop(self, process: Process) -> None:
        """As an administrator does: it may finish what it is doing, for a while."""
        self.note("stop", process.serial)
        process.is_ready = False
        if process.platform is not None:
            closing = process.run(process.platform.close())
            await asyncio.wait({closing}, timeout=5)
        if process in self.processes:
            self.processes.remove(process)
            process.die()

    def pass_on(self, sender: Process, topic: str) -> None:
        """A word to the other processes."""
        for other in [process for process in self.processes if process is not sender]:
            if self.weather.happens("word is lost"):
                continue
            for _ in range(2 if self.weather.happens("word comes twice") else 1):
                loop = asyncio.get_running_loop()
                loop.call_later(self.weather.word(), _hear, other, topic, context=other.context())


def _hear(process: Process, topic: str) -> None:
    if process.is_alive and process.hub is not None:
        process.hub.hear(topic)


# -- the server in a world -------------------------------------------------------------------------------------------


async def _think(mind: Mind, seconds: float, job: Any, *arguments: Any) -> bytes:
    """In the place of a process for bots: the same job, here, after a while; sometimes it is too long or fails."""
    del mind
    process = HERE.get()
    assert process is not None
    weather = process.world.weather
    if weather.happens("bots fail"):
        await asyncio.sleep(weather.rng.choice((0.01, 1.0, seconds)))
        raise TimeoutError if weather.rng.random() < 0.5 else RuntimeError("A simulated bot fails.")
    await asyncio.sleep(weather.rng.expovariate(20))
    result: bytes = job(*arguments) if arguments else b""
    return result


def _free(meter: Meter, seconds: float) -> None:
    """Work costs nothing here: how long it really takes is chance that no seed knows."""
    del meter, seconds


@contextmanager
def inside(world: World) -> Iterator[None]:
    """The server of this Python process belongs to the world: time and chance come from there."""
    climate, chance = world.climate, world.chance("secrets")
    look = int(climate.look * 1000)
    with ExitStack() as patches:
        for target, name, value in (
            *((module, "time", world) for module in (commands, monitoring, limits, limits)),
            (commitments, "random", world.chance("commitments")),
            (secrets, "token_bytes", lambda count=32: chance.randbytes(count)),
            (Mind, "do", _think),
            (clock, "COLLECT_SECONDS", 1e12),
            (presence, "LOOK_SECONDS", climate.look),
            (presence, "LEASE", int(LEASE * look)),
            (presence, "RENEWAL", int(RENEWAL * look)),
            (sockets, "HEARTBEAT", climate.heartbeat),
            (moments, "MIN_MOMENTS", MOMENTS),
            (Meter, "charge_work", _free),
            (sessions, "LOOK_SECONDS", 5 * climate.look),
            (moderation, "LOOK_SECONDS", 2.5 * climate.look),
            (monitoring, "LOOK_SECONDS", 2.5 * climate.look),
            (contract, "LEASE", int(LEASE * look)),
            (contract, "RENEWAL", int(RENEWAL * look)),
        ):
            patches.enter_context(mock.patch.object(target, name, value))
        yield


# -- weather ---------------------------------------------------------------------------------------------------------


async def storm(world: World, seconds: float) -> None:
    """For so long everything goes wrong that does in this climate; then there is calm, and all processes are up."""
    world.note("storm", f"{seconds:.0f}")
    world.weather.is_storm, end = True, world.now + seconds
    while world.climate.disasters and world.now < end:
        await asyncio.sleep(min(end - world.now, world.rng.expovariate(6 / seconds)))
        if world.now < end:
            await _strike(world, world.rng.choice(world.climate.disasters))
    await asyncio.sleep(max(0.0, end - world.now))
    world.weather.calm_down()
    while len(world.processes) < world.climate.processes:
        world.start_process()
    world.note("calm")


async def _strike(world: World, disaster: str) -> None:
    rng, weather, process = world.rng, world.weather, world.any_process()
    world.note("strike", disaster)
    if disaster in ("crash", "stop") and process is not None:
        if disaster == "stop":
            await world.stop(process)
        elif rng.random() < 0.2:
            for each in [*world.processes]:
                world.kill(each)
        else:
            world.kill(process)
        asyncio.get_running_loop().call_later(rng.random() * world.climate.limit, _replace, world)
    elif disaster == "clock" and process is not None:
        process.offset = rng.uniform(-world.climate.skew, world.climate.skew)
    elif disaster == "outage":
        weather.outage = True
        asyncio.get_running_loop().call_later(rng.random() * world.climate.limit, _end_outage, world)
    elif disaster == "slow disk":
        weather.slow = rng.choice((0.0, 0.05, 0.5, 3.0))
    elif disaster == "cut":
        for line in [*world.lines]:
            if rng.random() < 0.5:
                line.cut(rng.choice((0.0, 0.0, 20.0)))


def _replace(world: World) -> None:
    if len(world.processes) < world.climate.processes and not world.is_over:
        world.start_process()


def _end_outage(world: World) -> None:
    world.weather.outage = False


async def bury(world: World) -> None:
    """The end of a world: nothing of it goes on."""
    world.is_over = True
    for process in [*world.processes]:
        process.die()
    mine = asyncio.current_task()
    rest = [task for task in asyncio.all_tasks() if task is not mine]
    for task in rest:
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.gather(*rest, return_exceptions=True)


# -- running -----------------------------------------------------------------------------------------------------------
# Running a world from its seed to its end.


class WorldReport(msgspec.Struct, frozen=True):
    """What became of a world."""

    seed: int
    found: tuple[str, ...]
    """Laws that were broken, in words."""
    trace: str
    hours: float
    decisions: int
    tables: int
    tempo: str


class Party:
    """The people of one table, and those who watch."""

    def __init__(self, world: World, number: int) -> None:
        rng = world.chance(f"party {number}")
        self.world = world
        self.game, self.options = rng.choice(GAMES)
        self.seats = rng.choice((2, 3, 3, 4))
        count = rng.randint(1, min(3, self.seats))
        self.people = [Person(world, f"{number}.{each}") for each in range(count)]
        self.watchers = [Watcher(world, f"{number}.w{each}") for each in range(rng.choice((0, 1, 1)))]
        self.level = rng.choice(("random", "greedy"))
        self.pace = rng.choice(("normal", "instant"))
        self._joined = [asyncio.Event() for _ in self.people]

    async def play(self) -> None:
        host, *others = self.people
        await asyncio.gather(*(person.come_in() for person in self.people))
        body: Json = {
            "game": self.game, "options": self.options, "seats": self.seats, "tempo": self._tempo(),
            "bots": [self.level] * (self.seats - len(self.people)), "pace": self.pace,
        }  # fmt: skip
        answer = await host._persist("POST", "/api/tables", body, host.key())
        if answer.status != 201:
            raise AssertionError(f"The table cannot be opened: {answer.content.decode()}")
        for each in (*self.people, *self.watchers):
            each.table = answer.json()["id"]
        following = [asyncio.create_task(each.follow()) for each in (*self.people, *self.watchers)]
        await asyncio.gather(*(person.do("join", {"pace": self.pace}) for person in others))
        await host.do("start", {})
        await asyncio.gather(*(person.play() for person in self.people))
        del following

    def _tempo(self) -> Json:
        climate = self.world.climate
        match climate.tempo:
            case "live":
                return {"kind": "live", "seconds": int(climate.limit)}
            case "turns":
                return {"kind": "turns", "hours": int(climate.limit / 3600)}
        return {"kind": "none"}


async def _live(world: World) -> None:
    """Storms and calms, then patience until every match is over."""
    climate, rng = world.climate, world.rng
    for _ in range(climate.processes):
        world.start_process()
    parties = [Party(world, number) for number in range(rng.choice((1, 2, 2, 3)))]
    everybody: list[Watcher] = [each for party in parties for each in (*party.people, *party.watchers)]
    playing = asyncio.gather(*(party.play() for party in parties))
    settling = max(climate.news, climate.grace + 16 * climate.look) + 1
    for _ in range(rng.choice((1, 2, 3))):
        await storm(world, climate.limit * rng.uniform(3, 12))
        await asyncio.wait({playing}, timeout=settling + climate.limit)
        world.laws.check_calm(everybody)
        if playing.done():
            break
    world.is_patient = True
    world.note("patience")
    longest = 400 * max(climate.limit, 10.0) + 10 * settling
    await asyncio.wait({playing}, timeout=longest)
    if playing.done():
        playing.result()
    await asyncio.sleep(settling)
    world.laws.check_calm(everybody)
    await world.laws.check_end([person for party in parties for person in party.people])


async def _whole(world: World) -> WorldReport:
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: _unhandled(world, context))
    # Once a law is broken the rest would only be more of the same.
    living, failing = asyncio.create_task(_live(world)), asyncio.create_task(world.failed.wait())
    try:
        await asyncio.wait({living, failing}, return_when=asyncio.FIRST_COMPLETED)
        if living.done():
            living.result()
    finally:
        hours = world.now / 3600
        await bury(world)
    ledgers = world.ledgers.values()
    decisions = sum(ledger.decisions for ledger in ledgers)
    return WorldReport(world.seed, tuple(world.found), world.trace, hours, decisions, len(ledgers), world.climate.tempo)


def _unhandled(world: World, context: dict[str, Any]) -> None:
    if not world.is_over:
        world.broken(f"nobody handled: {context.get('message')} {context.get('exception')!r}")


def run(seed: int, plant: str | None = None, show: bool = False) -> WorldReport:
    """One world from its beginning to its end; with `plant` the server has a fault that somebody put there."""
    wire.application()
    log = logging.getLogger("nimmt.server")
    level = log.level
    log.setLevel(logging.CRITICAL)
    # Garbage is collected between worlds: when it happens within one must not depend on the worlds before.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        with asyncio.Runner(loop_factory=VirtualLoop) as runner:
            world = World(seed, show)
            with inside(world), PLANTED[plant].into() if plant else nullcontext():
                return runner.run(_whole(world))
    finally:
        log.setLevel(level)
        if was_enabled:
            gc.enable()
