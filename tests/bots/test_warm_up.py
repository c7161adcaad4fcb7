"""What one process has compiled another one can load and use: so it is on every server but the first time."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from nimmt.bots import __main__ as command
from nimmt.bots.levels import fast_games, strength_of
from nimmt.fast.jit import njit
from nimmt.rules import registry


def warmed_up(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "nimmt.bots", *words], capture_output=True, text=True, check=False)


def test_kernels_from_the_disk_can_be_used() -> None:
    for _ in range(2):  # the first one may have to compile
        done = warmed_up("six")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("six ")


def test_several_games_are_compiled_at_a_time() -> None:
    done = warmed_up("--jobs", "2", "--progress", "six", "x")
    assert (done.returncode, done.stderr) == (0, "")
    ready = [line.split()[0] for line in done.stdout.splitlines() if "ready after" in line]
    assert sorted(ready) == ["six", "x"]


def test_the_first_failure_of_several_games_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    done = {"six": 0, "x": 3, "baron": 4}
    monkeypatch.setattr(
        command.subprocess, "run", lambda words, check: subprocess.CompletedProcess(words, done[words[-1]])
    )
    assert command.main(["--jobs", "3", *done]) == 3


def test_ctrl_c_stops_all_of_several_games(tmp_path: Path) -> None:
    """A terminal sends it to all of them: what has not begun is not begun any more."""
    command_line = [sys.executable, "-m", "nimmt.bots", "--jobs", "2", "--progress", "six", "x", "baron"]
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    with subprocess.Popen(command_line, env=env, stdout=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout is not None
        assert "%" in process.stdout.readline()
        os.killpg(process.pid, signal.SIGINT)
        told = process.stdout.read()
    assert process.returncode == 130
    assert "baron" not in told


@pytest.mark.parametrize(
    ("words", "why"), [(["chess"], "The games are: six"), (["--jobs", "0"], "--jobs must be at least 1, not 0.")]
)
def test_what_cannot_be_compiled_is_refused(words: list[str], why: str) -> None:
    done = warmed_up(*words)
    assert done.returncode == 2
    assert why in done.stderr


def test_whoever_waits_is_told_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def compile_four_pieces(game_id: str) -> None:
        for number in range(4):
            njit(lambda value, added=number: value + added)(1)

    monkeypatch.setattr(command, "warm_up", compile_four_pieces)
    monkeypatch.setattr(command, "strength_of", lambda game: strength_of(game)._replace(pieces=3))
    assert command.main(["--progress", "six"]) == 0
    *far, ready = capsys.readouterr().out.splitlines()
    assert far == ["six      33 %", "six      66 %", "six      99 %"], "never at the end before it is"
    assert ready.startswith("six      ready after ")
    assert command.main(["six"]) == 0
    assert "%" not in capsys.readouterr().out


def test_nothing_is_compiled_for_others_where_it_cannot_be_kept(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "cache_folder", lambda home: None)
    monkeypatch.setattr(command, "warm_up", lambda game_id: pytest.fail("this would be done twice"))
    assert command.main(["six"]) == 1
    assert "cannot be kept" in capsys.readouterr().err


COUNT = """
import sys
from nimmt.bots import warm_up
from nimmt.fast.jit import watch_compiling
compiled = []
with watch_compiling(1, compiled.append):
    warm_up(sys.argv[1])
print(len(compiled))
"""


@pytest.mark.soak
@pytest.mark.parametrize("game_id", fast_games())
def test_about_as_many_pieces_are_compiled_as_is_said(game_id: str, tmp_path: Path) -> None:
    """Else a progress bar would wait at its end, or never come near it."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", COUNT, game_id], env=env, capture_output=True, text=True, check=True)
    pieces = strength_of(registry.get(game_id)).pieces
    assert 0.8 * pieces <= int(done.stdout) <= 1.2 * pieces


@pytest.mark.soak
def test_what_was_compiled_before_a_stop_is_kept(tmp_path: Path) -> None:
    """A server that is killed while it compiles goes on with what is missing when it is started again."""
    env, words = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}, [sys.executable, "-c", COUNT, "eleven"]
    with subprocess.Popen(words, env=env, stdout=subprocess.DEVNULL) as process:
        while len(kept(tmp_path)) < 3 and process.poll() is None:
            pass
        process.kill()
    before = kept(tmp_path)
    assert before
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=True)
    assert int(done.stdout) < 0.95 * strength_of(registry.get("eleven")).pieces
    assert {path: kept(tmp_path)[path] for path in before} == before


def kept(folder: Path) -> dict[Path, int]:
    """Compiled kernels on disk, and when they were written."""
    found = (path for path in folder.rglob("nimmt.*") if path.is_file() and path.suffix not in {".new", ".lock"})
    return {path: path.stat().st_mtime_ns for path in found}
