"""The one place that touches Numba's decorators, so that everything else is plain typed Python.

`jit` makes a kernel callable from Python: it releases the GIL, so that threads scale, and is cached on disk (see
`nimmt.fast.cache`). `part` makes a function that only kernels call, without Python wrappers. `implement` lets shared
kernels call a game's own functions.
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
"""A state as a record of a structured array, whose fields are those of the game's `STATE`."""
Flats: TypeAlias = NDArray[Any]
"""An array of states."""
Words: TypeAlias = NDArray[np.uint64]
Numbers: TypeAlias = NDArray[Any]

njit: Any = numba.njit
"""Untyped, because Numba's annotations are incomplete."""

wide: Callable[[Any], int] = cast("Any", np.int64)
"""Widens a number from a state, mostly a byte, to 64 bits. Functions are recompiled for every new argument type, so
pass wide numbers."""

F = TypeVar("F", bound=Callable[..., Any])


def jit(function: F) -> F:
    """Compile at the first call for the types of that call, or load the machine code of an earlier run."""
    compiled: Any = njit(nogil=True)(function)
    if (kept := cache_for(function)) is not None:
        compiled._cache = kept
    kernel: F = compiled
    return kernel


def part(function: F) -> F:
    """Compile for calls from compiled code only."""
    compiled: F = njit(nogil=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return compiled


def hot(function: F) -> F:
    """Like `part`, but always inlined: for functions so hot that the call itself would show."""
    compiled: F = njit(nogil=True, forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return compiled


def direct(kernel: F, *args: Any) -> F:
    """The kernel for arguments of exactly these types, without type dispatch, which takes longer than a short kernel
    itself. The types of later calls are not checked."""
    compiled, types = cast("Any", kernel), tuple(map(numba.typeof, args))
    compiled.compile(types)
    code: F = compiled.overloads[types].entry_point
    return code


def implement(step: Callable[..., Any], state: np.dtype[Any], function: Callable[..., Any]) -> None:
    """From now on compiled calls of `step` with a state of this layout go to `function`."""
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
    """Calls `tell` with the progress in per cent whenever a function is compiled rather than loaded. `pieces` is the
    expected number of functions."""
    install: Any = install_listener
    with install("numba:compile", _Listener(pieces, tell)):
        yield
