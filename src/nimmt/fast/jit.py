"""The one place that touches Numba's decorators, so that everything else is plain typed Python.

`jit` makes a kernel that Python may call: compiled without the GIL held, so that threads scale, and kept on disk (see
`nimmt.fast.cache`). `part` makes a piece of kernels, which spares the compiler what only Python would need. `implement`
lets shared kernels call a game's own functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import signature
from typing import Any, TypeAlias, TypeVar, cast

import numba
import numpy as np
from numba.core.event import Event, Listener, install_listener
from numba.extending import overload
from numpy.typing import NDArray

from nimmt.fast.cache import cache_for

Flat: TypeAlias = Any
"""A state as a record of a structured array; what its fields are says the `STATE` of its game."""
Flats: TypeAlias = NDArray[Any]
"""Many of them, side by side."""
Words: TypeAlias = NDArray[np.uint64]
Numbers: TypeAlias = NDArray[Any]

njit: Any = numba.njit
"""Its types do not know all that it takes."""

wide: Callable[[Any], int] = cast("Any", np.int64)
"""A number of a state, mostly a byte, in 64 bits. A function is compiled again for every other type that its arguments
have: so numbers are handed on wide."""

F = TypeVar("F", bound=Callable[..., Any])


def jit(function: F) -> F:
    """Compile at the first call, for the types of that call; machine code from an earlier run is loaded instead."""
    compiled: Any = njit(nogil=True)(function)
    if (kept := cache_for(function)) is not None:
        compiled._cache = kept
    kernel: F = compiled
    return kernel


def part(function: F) -> F:
    """Compile it into whatever compiled code calls it."""
    compiled: F = njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return compiled


def hot(function: F) -> F:
    """The same for a piece that is called so often that the call itself would cost: it dissolves in its callers."""
    compiled: F = njit(nogil=True, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return compiled


def direct(kernel: F, *args: Any) -> F:
    """The kernel for arguments of exactly these types, called without finding out the types again, which takes longer
    than a short kernel does. Nobody checks the types of later calls."""
    compiled, types = cast("Any", kernel), tuple(map(numba.typeof, args))
    compiled.compile(types)
    code: F = compiled.overloads[types].entry_point
    return code


def implement(step: Callable[..., Any], state: np.dtype[Any], function: Callable[..., Any]) -> None:
    """Compiled code that calls `step` with a state of this layout calls `function` from now on."""
    layout, source = numba.from_dtype(state), getattr(function, "py_func", function)

    def find(*args: Any) -> Any:
        return source if args[0] == layout else None

    find.__signature__ = signature(source)  # type: ignore[attr-defined]
    overload(step)(find)


class _Listener(Listener):
    def __init__(self, pieces: int, tell: Callable[[int], None]) -> None:
        self._pieces, self._tell, self._begun = pieces, tell, 0

    def on_start(self, event: Event) -> None:
        del event
        self._begun += 1
        self._tell(min(99, 100 * self._begun // self._pieces))

    def on_end(self, event: Event) -> None:
        del event


@contextmanager
def watch_compiling(pieces: int, tell: Callable[[int], None]) -> Iterator[None]:
    """`tell` is called whenever a kernel, or a piece of one, must be compiled; not if it can be loaded. It is told how
    far that is, in per cent, if there are about so many pieces."""
    install: Any = install_listener
    with install("numba:compile", _Listener(pieces, tell)):
        yield
