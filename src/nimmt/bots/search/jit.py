"""Numba's compiler with types that the checker understands. Importing this module loads Numba: do it late."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

import numba

P = ParamSpec("P")
R = TypeVar("R")


def compiled(function: Callable[P, R]) -> Callable[P, R]:
    """Machine code at the first call, kept on disk; other threads may run meanwhile."""
    jitted: Any = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    return jitted  # type: ignore[no-any-return]
