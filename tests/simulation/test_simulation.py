"""Worlds on virtual time: nothing breaks the laws, everything follows from the seed, and planted faults are found.

More of them: `python -m nimmt.testing.simulation --seeds 1000`.
"""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from nimmt.testing.simulation import PLANTED, run
from nimmt.testing.simulation.process import Process, VirtualLoop
from nimmt.testing.simulation.storage import Database, SimStore, Weather, climate_of
from nimmt.testing.simulation.world import World
from nimmt.testing.stores import LAWS, Law, obey

PARTS, WORLDS_IN_PART, SOAKING = 2, 2, 21
MIN_HOURS, MIN_DECISIONS = 40, 15
"""Simulated in each world, on average."""
SEEDS_FOR_A_FAULT = 14
FOUND_BY = {
    "cache-goes-back": 51,
    "no-second-look": 4,
    "deadline-from-birth": 1,
    "two-decisions": 2,
    "time-stands-still": 10,
    "no-pause": 2,
    "open-hand": 2,
    "ghosts": 90,
}
"""Seeds that show a fault: they are tried first, so that it takes less time, and less chance. Any will do."""
MAY_BE_MISSED = 0.1


@pytest.mark.parametrize("part", range(PARTS))
def test_the_laws_hold(part: int, soaking: bool) -> None:
    worlds = SOAKING if soaking else WORLDS_IN_PART
    first = 1005 + part
    reports = [run(seed) for seed in range(first, first + PARTS * worlds, PARTS)]
    assert {report.seed: report.found for report in reports if report.found} == {}
    assert sum(report.hours for report in reports) > MIN_HOURS * worlds
    assert sum(report.decisions for report in reports) > MIN_DECISIONS * worlds


def _trace(seed: int, hash_seed: str) -> str:
    command = [sys.executable, "-m", "nimmt.testing.simulation", "--seed", str(seed)]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


def test_a_seed_tells_everything() -> None:
    """Twice in this process, after other worlds, and in another one where sets are in another order."""
    seed = 2
    here = [run(seed), run(0), run(seed)]
    assert here[0] == here[2] != here[1]
    assert here[0].trace[:16] in _trace(seed, "1")


def _is_found(name: str) -> bool:
    return any(run(seed, name).found for seed in (FOUND_BY.get(name, 0), *range(SEEDS_FOR_A_FAULT)))


def test_planted_faults_are_found() -> None:
    missed = [name for name in PLANTED if not _is_found(name)]
    assert len(PLANTED) >= 10
    assert len(missed) <= MAY_BE_MISSED * len(PLANTED), missed


def test_the_page_lists_the_faults() -> None:
    page = (Path(__file__).parents[2] / "docs" / "simulation.md").read_text("utf-8")
    for name, fault in PLANTED.items():
        assert f"| `{name}` | {fault.about} |" in page


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_simulated_store_is_a_store(law: Law) -> None:
    """In calm weather it keeps the contract of all stores."""

    def make() -> SimStore:
        world = World(0)
        database = Database(Weather(climate_of(world.chance("climate")), world.chance("weather")))
        return SimStore(database, Process(world, 1, 0.0))

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(obey(law, make))


def test_virtual_time_passes_at_once() -> None:
    async def sleep_for_a_year() -> float:
        await asyncio.sleep(365 * 86_400)
        return asyncio.get_running_loop().time()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        assert runner.run(sleep_for_a_year()) == pytest.approx(365 * 86_400)


def test_a_world_in_which_nothing_can_happen_any_more_says_so() -> None:
    async def wait_for_nothing() -> None:
        await asyncio.Event().wait()

    with pytest.raises(RuntimeError, match="stuck"), asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(wait_for_nothing())
