"""Kill the process anywhere: nothing acknowledged is lost, nothing is done twice, every table goes on.

A thousand kills: `python -m nimmt.testing.death --kills 1000`.
"""

from __future__ import annotations

import asyncio
import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nimmt.server.tables import log_entries as e
from nimmt.store import Store
from nimmt.store.contract import make_store
from nimmt.testing.death import Server, strike, torture
from nimmt.testing.postgres import PostgresServer

KILLS, SOAKING, TABLES, FEW_TABLES = 2, 7, 6, 3
LEAST = 14
"""Decisions that are acknowledged for each kill, at least."""


@pytest.fixture
def kills(soaking: bool) -> int:
    return SOAKING if soaking else KILLS


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.soak), 3])
def test_kills_on_sqlite(tmp_path: Path, workers: int, kills: int) -> None:
    report = asyncio.run(torture(str(tmp_path / "nimmt.db"), workers, kills, TABLES, seed=workers))
    assert report.kills == kills
    assert report.acknowledged > LEAST * kills


@pytest.mark.parametrize("workers", [pytest.param(1, marks=pytest.mark.soak), 3])
def test_kills_on_postgresql(postgres_url: str, workers: int, kills: int, soaking: bool) -> None:
    """With half of the games, as all are played on SQLite; with `--soak` with all of them."""
    tables = TABLES if soaking else FEW_TABLES
    report = asyncio.run(torture(postgres_url, workers, kills, tables, seed=10 + workers))
    assert report.kills == kills
    assert report.acknowledged > LEAST * kills


@pytest.mark.parametrize(
    ("kind", "workers"), [("worker", 2), ("bot", 1), pytest.param("parent", 1, marks=pytest.mark.soak), ("parent", 2)]
)
def test_single_processes_are_killed(tmp_path: Path, kind: str, workers: int, kills: int) -> None:
    """Only one of them: the others go on or end by themselves, and nothing is lost."""

    def one(server: Server, rng: random.Random) -> str:
        return strike(server, kind, rng)

    report = asyncio.run(torture(str(tmp_path / "nimmt.db"), workers, kills, FEW_TABLES, seed=20 + workers, strike=one))
    assert report.struck.get(kind), report.struck
    assert report.acknowledged > 20


async def _is_played(store: Store) -> bool:
    """Has a person decided somewhere? By then all tables are there."""
    tables = await store.idle_tables(["playing", "over"], 2**62, 100)
    entries = [e.decode(line) for table in tables for line in await store.read(table)]
    return any(isinstance(entry, e.Acted) and not entry.by_bot for entry in entries)


async def _wait_for_people(database: str, running: subprocess.Popen[str]) -> None:
    while not Path(database).exists():
        assert running.poll() is None
        await asyncio.sleep(0.05)
    store = make_store(database)
    await store.open()
    try:
        while not await _is_played(store):
            assert running.poll() is None
            await asyncio.sleep(0.05)
    finally:
        await store.close()


def _users_of(database: str) -> list[str]:
    """The processes that have been started with this database."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [file.parent.name] if database.encode() in file.read_bytes() else []
        except OSError:  # it has just ended
            continue
    return found


@pytest.mark.parametrize("how", [pytest.param(signal.SIGTERM, marks=pytest.mark.soak), signal.SIGINT])
def test_whoever_stops_it_stops_its_server(tmp_path: Path, how: signal.Signals) -> None:
    """It compares and sums up what it has seen, and leaves nothing behind: no process and no stray error."""
    database = str(tmp_path / "nimmt.db")
    command = [sys.executable, "-m", "nimmt.testing.death", "--database", database, "--tables", "2"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        asyncio.run(_wait_for_people(database, running))
        running.send_signal(how)
        told, errors = running.communicate()
    assert running.returncode == 0, errors
    assert "tables" in json.loads(told)
    assert "Error" not in errors
    assert _users_of(database) == []


@pytest.mark.soak
def test_the_server_recovers_when_postgresql_is_restarted_under_load() -> None:
    """Stopped as an administrator would, or crashed; the server and its clients find their way back."""
    with PostgresServer() as postgres:

        def restart(_: Server, rng: random.Random) -> None:
            if rng.random() < 0.5:
                postgres.stop()
            else:
                postgres.crash()
            postgres.start()

        report = asyncio.run(torture(postgres.new_database(), 2, 4, TABLES, seed=5, strike=restart))
    assert report.kills == 4
    assert report.acknowledged > 100
