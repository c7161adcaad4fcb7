"""Running the command line, in this process and in others."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import nimmt
from nimmt.clients.cli import main

SOURCES = str(Path(nimmt.__file__).parents[1])


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """`run("verify", path, given=b"…")`: the command line in this process."""

    def call(*words: object, given: bytes = b"") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
        capsys.readouterr()
        code = main([str(word) for word in words])
        return Ran(code, *capsys.readouterr())

    return call


@pytest.fixture(scope="session")
def process() -> Callable[..., subprocess.CompletedProcess[str]]:
    """`process("verify", path)`: the command line as a user starts it."""

    def call(*words: object, env: Mapping[str, str] | None = None, **kwargs: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "nimmt", *map(str, words)],
            env={**os.environ, "PYTHONPATH": SOURCES, **(env or {})},
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=180,
            **kwargs,
        )

    return call


@pytest.fixture(scope="session")
def record_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The record of a short match of six between three bots."""
    folder = tmp_path_factory.mktemp("records")
    words = ["simulate", "six", "--players", "3", "--rounds", "2", "--matches", "1", "--seed", "7", "--json"]
    assert main([*words, "--out", str(folder)]) == 0
    (path,) = folder.iterdir()
    return path


@pytest.fixture(scope="session")
def record(record_path: Path) -> bytes:
    return record_path.read_bytes()
