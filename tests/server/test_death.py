"""Kill the process anywhere: nothing acknowledged is lost, nothing is done twice, every table goes on.

A thousand kills: `python -m nimmt.testing.death --kills 1000`.
"""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from nimmt.testing.death import Server, strike, torture
from nimmt.testing.postgres import PostgresServer

KILLS, TABLES = 7, 6


@pytest.mark.parametrize("workers", [1, 3])
def test_kills_on_sqlite(tmp_path: Path, workers: int) -> None:
    report = asyncio.run(torture(str(tmp_path / "nimmt.db"), workers, KILLS, TABLES, seed=workers))
    assert report.kills == KILLS
    assert report.acknowledged > 100


@pytest.mark.parametrize("workers", [1, 3])
def test_kills_on_postgresql(postgres_url: str, workers: int) -> None:
    report = asyncio.run(torture(postgres_url, workers, KILLS, TABLES, seed=10 + workers))
    assert report.kills == KILLS
    assert report.acknowledged > 100


@pytest.mark.parametrize(("kind", "workers"), [("worker", 2), ("bot", 1), ("parent", 1), ("parent", 2)])
def test_single_processes_are_killed(tmp_path: Path, kind: str, workers: int) -> None:
    """Only one of them: the others go on or end by themselves, and nothing is lost."""

    def one(server: Server, rng: random.Random) -> str:
        return strike(server, kind, rng)

    report = asyncio.run(torture(str(tmp_path / "nimmt.db"), workers, 3, 3, seed=20 + workers, strike=one))
    assert report.struck.get(kind), report.struck
    assert report.acknowledged > 20


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
