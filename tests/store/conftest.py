"""Databases for tests of stores, and processes that can be killed."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import nimmt

SOURCES = str(Path(nimmt.__file__).parents[1])

Spawn = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a fresh database that outlives its process."""
    if request.param == "postgres":
        url: str = request.getfixturevalue("postgres_url")
        return url
    return str(tmp_path / "nimmt.db")


@pytest.fixture
def spawn() -> Spawn:
    """`spawn(code, "word")`: another Python with these sources, whose output can be read."""

    def call(code: str, *words: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-c", code, *words],
            env={**os.environ, "PYTHONPATH": SOURCES},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    return call
