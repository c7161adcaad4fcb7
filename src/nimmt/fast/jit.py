"""The one place that touches Numba's decorators, so that everything else is plain typed Python.

`jit` makes a kernel that Python may call: compiled without the GIL held, so that threads scale, and kept on disk.
Numba notices only changes in the file of the kernel itself, but a kernel contains all that it calls: here cached code
is used only if no source of `nimmt.fast` and no source beside the kernel has changed. `part` makes a piece of kernels,
which spares the compiler what only Python would need. `implement` lets shared kernels call a game's own functions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from inspect import getfile, signature
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import numba
import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

Flat: TypeAlias = Any
"""A state as a record of a structured array; what its fields are says the `STATE` of its game."""
Flats: TypeAlias = NDArray[Any]
"""Many of them, side by side."""
Words: TypeAlias = NDArray[np.uint64]
Numbers: TypeAlias = NDArray[Any]

njit: Any = numba.njit
"""Its types do not know all that it takes."""

F = TypeVar("F", bound=Callable[..., Any])


def jit(function: F) -> F:
    """Compile at the first call, for the types of that call; machine code from an earlier run is loaded instead."""
    kernel: Any
    try:
        kernel = njit(nogil=True, cache=True)(function)
    except RuntimeError:  # nowhere to keep it: a read-only installation, and nobody's home
        kernel = njit(nogil=True)(function)
    else:
        sources = _digest(Path(__file__).parent), _digest(Path(getfile(function)).parent)
        kernel._cache._cache_file._source_stamp = sources
    compiled: F = kernel
    return compiled


def part(function: F) -> F:
    """Compile it into whatever compiled code calls it."""
    compiled: F = njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return compiled


def hot(function: F) -> F:
    """The same for a piece that is called so often that the call itself would cost: it dissolves in its callers."""
    compiled: F = njit(nogil=True, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return compiled


@cache
def _digest(folder: Path) -> bytes:
    """Tells whether any source in the folder or below it has changed."""
    digest = sha256()
    for path in sorted(folder.rglob("*.py")):
        digest.update(f"{path.relative_to(folder)}\0".encode() + path.read_bytes())
    return digest.digest()


def implement(step: Callable[..., Any], state: np.dtype[Any], function: Callable[..., Any]) -> None:
    """Compiled code that calls `step` with a state of this layout calls `function` from now on."""
    layout, source = numba.from_dtype(state), getattr(function, "py_func", function)

    def find(*args: Any) -> Any:
        return source if args[0] == layout else None

    find.__signature__ = signature(source)  # type: ignore[attr-defined]
    overload(step)(find)
