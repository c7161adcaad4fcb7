"""Compiled kernels on disk, so that each is compiled once per machine.

Numba's own cache has three flaws, each of which ends in wrong machine code:

- It checks only the kernel's own file, although a kernel contains everything it calls. Here a folder belongs to exactly
  one state of the sources, one set of versions and one kind of processor. The sources are this package, the rules,
  where constants come from, and the folder of the kernel.
- Its index of files breaks when two processes compile at once. Here a kernel is one file, written atomically.
- A kernel brings along the functions it calls, under symbols that Numba numbers from 1 in every process. So kernels
  from different processes may use one symbol for different functions, and loaded together, one calls the function of
  the other. Here every process starts numbering somewhere else.

The folders are in `NUMBA_CACHE_DIR` if that is set, in the user's cache folder, or among the temporary files: the first
of them that is writable.
"""

from __future__ import annotations

import os
import pickle
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from inspect import getfile
from itertools import count
from pathlib import Path
from typing import Any
from uuid import uuid4

import numba
import numpy as np
from llvmlite import __version__ as llvmlite_version  # type: ignore[import-untyped]
from llvmlite.binding import get_host_cpu_features, get_host_cpu_name  # type: ignore[import-untyped]
from numba.core import config
from numba.core.bytecode import FunctionIdentity
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.misc.appdirs import user_cache_dir

# Numba's own code has few types.
_config: Any = config
_rebuild: Any = CompileResult._rebuild
_dumps: Any = dumps
_user_cache_dir: Any = user_cache_dir
_identity: Any = FunctionIdentity

HERE = Path(__file__).parent
SOURCES = tuple(HERE.with_name(name) for name in ("fast", "rules", "games"))
NOT_COMPILED = frozenset({"bot.py", "env.py", "terminal.py", "referee.py"})
"""Files of a game that no kernel can depend on."""
KEPT = 8
"""Folders to keep, most recently used first: those of other versions or checkouts."""


def number_pieces_apart() -> None:
    """Start numbering symbols at random, so that no other process uses the same numbers."""
    _identity._unique_ids = count(int.from_bytes(os.urandom(7), "big"))


number_pieces_apart()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=number_pieces_apart)


class DiskCache(_Cache):
    """The cache of one function, as Numba wants it."""

    def __init__(self, folder: Path, function: Callable[..., Any]) -> None:
        self._folder, self._name = folder, f"{function.__module__}.{function.__qualname__}"

    @property
    def cache_path(self) -> str:
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        try:
            kept, compiled = pickle.loads(self._file(sig).read_bytes())
        except (OSError, EOFError, pickle.UnpicklingError):
            return None
        return _rebuild(target_context, *compiled) if kept == sig else None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """The last writer wins; all write equivalent code."""
        with suppress(OSError):  # disk full or folder gone: it will be compiled again
            self._folder.mkdir(parents=True, exist_ok=True)
            draft = self._folder / f"{uuid4().hex}.new"
            try:
                draft.write_bytes(_dumps((sig, cres._reduce())))
                draft.replace(self._file(sig))
            finally:
                draft.unlink(missing_ok=True)

    def _file(self, sig: Any) -> Path:
        return self._folder / f"{self._name}-{sha256(repr(sig).encode()).hexdigest()[:16]}"

    def enable(self) -> None: ...

    def disable(self) -> None: ...

    def flush(self) -> None:
        for path in self._folder.glob(f"{self._name}-*"):
            path.unlink(missing_ok=True)


def cache_for(function: Callable[..., Any]) -> DiskCache | None:
    """The cache for this function; None if no folder is writable."""
    home = Path(getfile(function)).parent
    folder = cache_folder(HERE if any(map(home.is_relative_to, SOURCES)) else home)
    return None if folder is None else DiskCache(folder, function)


@contextmanager
def alone(name: str) -> Iterator[None]:
    """A lock between processes: the workers of a server start at once, and those that wait find the work done."""
    folder = cache_folder(HERE)
    if folder is None or not os.access(folder, os.W_OK):
        yield
        return
    with (folder / f"{name}.lock").open("w") as file:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@cache
def cache_folder(home: Path) -> Path | None:
    """The folder for kernels defined in `home`, given the current sources, versions and processor."""
    name = f"{home.name}-{fingerprint(home)}"
    for parent in _parents():
        with suppress(OSError):
            folder = parent / name
            is_new = not folder.exists()
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if is_new:
                _forget_old(parent)
            if os.access(folder, os.W_OK):
                os.utime(folder)  # it is in use
                return folder
            if any(folder.iterdir()):  # read-only, but filled in advance
                return folder
    return None


def _parents() -> Iterator[Path]:
    if _config.CACHE_DIR:
        yield Path(_config.CACHE_DIR) / "nimmt"
    yield Path(_user_cache_dir("nimmt", appauthor=False)) / "kernels"
    if hasattr(os, "getuid"):
        temporary = Path(tempfile.gettempdir()) / f"nimmt-kernels-{os.getuid()}"
        with suppress(OSError):
            temporary.mkdir(mode=0o700, exist_ok=True)
            about = temporary.lstat()  # the code will be executed: it must not come from another user
            if about.st_uid == os.getuid() and about.st_mode & 0o777 == 0o700:
                yield temporary


def fingerprint(home: Path) -> str:
    """A digest of everything that compiled code depends on."""
    versions = sys.version, numba.__version__, llvmlite_version, np.__version__
    processor = get_host_cpu_name(), get_host_cpu_features().flatten()
    digest = sha256(repr((versions, processor)).encode())
    for folder in sorted({*SOURCES, home}):
        for path in sorted(folder.rglob("*.py")):
            if path.name in NOT_COMPILED:
                continue
            digest.update(f"\0{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:24]


def _forget_old(parent: Path) -> None:
    folders = sorted(parent.iterdir(), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)
