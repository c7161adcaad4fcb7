"""Running a world from its seed to its end."""

from __future__ import annotations

import asyncio
import gc
import logging
from contextlib import nullcontext
from typing import Any

import msgspec

from nimmt.testing.death import GAMES
from nimmt.testing.simulation import wire
from nimmt.testing.simulation.people import Person, Watcher
from nimmt.testing.simulation.planted import PLANTED
from nimmt.testing.simulation.process import VirtualLoop
from nimmt.testing.simulation.wire import Json
from nimmt.testing.simulation.world import World, bury, inside, storm


class Report(msgspec.Struct, frozen=True):
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


async def _whole(world: World) -> Report:
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
    return Report(world.seed, tuple(world.found), world.trace, hours, decisions, len(ledgers), world.climate.tempo)


def _unhandled(world: World, context: dict[str, Any]) -> None:
    if not world.is_over:
        world.broken(f"nobody handled: {context.get('message')} {context.get('exception')!r}")


def run(seed: int, plant: str | None = None, show: bool = False) -> Report:
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
