"""Compiled kernels on disk: never stale, never half written, shared by processes."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from nimmt.fast import cache

KERNEL = """
from parts import twice
from nimmt.fast.jit import jit

@jit
def kernel(number):
    return twice(number) + 1

print(kernel(5), kernel(0.5), sum(kernel.stats.cache_hits.values()))
"""
PART = """
from nimmt.fast.jit import part

@part
def twice(number):
    return {} * number
"""


def start(folder: Path, *words: str) -> "subprocess.Popen[str]":
    settings = os.environ | {"NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.Popen(
        [sys.executable, "kernel.py", *words], cwd=folder, env=settings, text=True, stdout=subprocess.PIPE
    )


def said(process: "subprocess.Popen[str]") -> list[str]:
    return process.communicate(timeout=240)[0].split()


def test_kernels_are_kept_until_anything_in_them_changes(tmp_path: Path) -> None:
    """A kernel for two types, compiled by two processes at once; then a part of it in another file changes."""
    (tmp_path / "kernel.py").write_text(KERNEL, "utf-8")
    (tmp_path / "parts.py").write_text(PART.format(2), "utf-8")
    for process in [start(tmp_path), start(tmp_path)]:
        assert said(process)[:2] == ["11", "2.0"]
    assert said(start(tmp_path)) == ["11", "2.0", "2"]
    assert not list(tmp_path.rglob("*.new"))
    (tmp_path / "parts.py").write_text(PART.format(3), "utf-8")
    assert said(start(tmp_path)) == ["16", "2.5", "0"]
    for path in (tmp_path / "cache").rglob("*kernel*"):
        if path.is_file():
            path.write_bytes(path.read_bytes()[:100])
    assert said(start(tmp_path)) == ["16", "2.5", "0"]


def test_only_folders_used_last_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache._config, "CACHE_DIR", str(tmp_path))
    for age in range(cache.KEPT + 3):
        folder = tmp_path / "nimmt" / f"old-{age}"
        folder.mkdir(parents=True)
        os.utime(folder, (time.time() - 1000 * (age + 1),) * 2)
    mine = cache.cache_folder.__wrapped__(cache.HERE)
    assert mine is not None
    kept = sorted(path.name for path in (tmp_path / "nimmt").iterdir())
    assert kept == sorted([mine.name, *(f"old-{age}" for age in range(cache.KEPT - 1))])


def test_the_next_place_is_taken_where_one_cannot_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First where the user says, then the user's cache folder, then among the temporary files."""
    (tmp_path / "file").write_text("no folder", "utf-8")
    monkeypatch.setattr(cache._config, "CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setattr(cache, "_user_cache_dir", lambda *_, **__: str(tmp_path / "user"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    folder = cache.cache_folder.__wrapped__(cache.HERE)
    assert folder is not None
    assert folder.parent == tmp_path / "user" / "kernels"
    monkeypatch.setattr(cache, "_user_cache_dir", lambda *_, **__: str(tmp_path / "file"))
    folder = cache.cache_folder.__wrapped__(cache.HERE)
    assert folder is not None
    assert folder.parent == tmp_path / f"nimmt-kernels-{os.getuid()}"
    folder.parent.chmod(0o777)  # anybody could put code there now
    assert cache.cache_folder.__wrapped__(cache.HERE) is None


def test_the_same_is_compiled_by_one_at_a_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Protects the start of a server with several processes: they would all compile the same, and take as long."""
    monkeypatch.setattr(cache, "cache_folder", lambda _: tmp_path)
    done: list[str] = []

    def follow() -> None:
        with cache.alone("six"):
            done.append("second")

    with cache.alone("six"):
        second = threading.Thread(target=follow)
        second.start()
        with cache.alone("x"):  # another game waits for nobody
            done.append("first")
        assert done == ["first"]
    second.join()
    assert done == ["first", "second"]


NAMESAKES = """
import sys
from nimmt.fast.jit import jit, part

def climb(step):
    @part
    def up(height):
        return step if height <= 0 else up(height - 1) + up(height - 2)

    return up

ones, tens = climb(1), climb(10)

@jit
def by_ones(height):
    return ones(height)

@jit
def by_tens(height):
    return tens(height)

print(*(globals()[name](9) for name in sys.argv[1:]))
"""


def test_kernels_of_several_processes_keep_their_own_pieces(tmp_path: Path) -> None:
    """As at a server's first start, where each game is compiled by a process of its own: Numba would give the pieces
    `up` of both kernels the same name, and then one kernel calls that of the other."""
    (tmp_path / "kernel.py").write_text(NAMESAKES)
    assert said(start(tmp_path, "by_ones")) == ["89"]
    assert said(start(tmp_path, "by_tens")) == ["890"]
    assert said(start(tmp_path, "by_ones", "by_tens")) == ["89", "890"]
    assert said(start(tmp_path, "by_tens", "by_ones")) == ["890", "89"]


FORK = """
import os
from nimmt.fast import cache

print(cache.FunctionIdentity._unique_ids, flush=True)
if not os.fork():
    print(cache.FunctionIdentity._unique_ids, flush=True)
    os._exit(0)
os.wait()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing forks here")
def test_a_fork_numbers_its_pieces_anew(tmp_path: Path) -> None:
    (tmp_path / "kernel.py").write_text(FORK)
    before, after = said(start(tmp_path))
    assert before != after
