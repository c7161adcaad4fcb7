"""The one place that touches Numba's decorators, so that everything else is plain typed Python.

`jit` compiles without the GIL held, so that threads scale, and keeps the machine code on disk. Numba notices only changes
in the file of the function itself, but a kernel contains whatever it calls: here cached code is used only if no source
of `nimmt.fast`, no source beside the function and no data compiled into a kernel has changed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from inspect import getfile, signature
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numba  # type: ignore[import-untyped]
import numpy as np
from numba.extending import overload  # type: ignore[import-untyped]
from numpy.typing import NDArray

Flat: TypeAlias = Any
"""A state as a record of a structured array. What its fields are says the `STATE` of its game."""
Flats: TypeAlias = NDArray[Any]
"""Many of them, side by side."""
Words: TypeAlias = NDArray[np.uint64]
Numbers: TypeAlias = NDArray[Any]

F = TypeVar("F", bound=Callable[..., Any])


def jit(function: F) -> F:
    """Compile at the first call, for the types of that call; machine code from an earlier run is loaded instead."""
    try:
        compiled: Any = numba.njit(nogil=True, cache=True)(function)
    except RuntimeError:  # nowhere to keep it: a read-only installation, and nobody's home
        return _as(function, numba.njit(nogil=True)(function))
    compiled._cache._cache_file._source_stamp = _sources(Path(__file__).parent), _sources(Path(getfile(function)).parent)
    return _as(function, compiled)


def part(function: F) -> F:
    """A piece of a kernel: it becomes part of whatever compiled code calls it."""
    return _as(function, numba.njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function))


def _as(function: F, compiled: Any) -> F:
    del function  # only its type is wanted
    kernel: F = compiled
    return kernel


@cache
def _sources(folder: Path) -> bytes:
    """What all sources in the folder, and in those below it, look like."""
    digest = sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return digest.digest()


def implement(step: Callable[..., Any], state: np.dtype[Any], function: Callable[..., Any]) -> None:
    """From now on compiled code that calls `step` with a state of this layout calls `function`."""
    layout, source = numba.from_dtype(state), getattr(function, "py_func", function)

    def find(*args: Any) -> Any:
        return source if args[0] == layout else None

    find.__signature__ = signature(source)  # type: ignore[attr-defined]
    overload(step)(find)
