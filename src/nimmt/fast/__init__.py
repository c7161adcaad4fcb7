"""The rules on flat arrays, compiled by Numba: for search that plays thousands of worlds, and for simulations.

`nimmt.rules` is the readable version and decides; this one is proven equal to it (see `docs/fast.md`). Importing this
package loads neither Numba nor NumPy: that happens when one of its names is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nimmt.fast.game import get_fast, warm_up
    from nimmt.fast.simulation import SimulationResult, rollouts, simulate

__all__ = ["SimulationResult", "get_fast", "rollouts", "simulate", "warm_up"]

_HOMES = {
    "SimulationResult": "simulation",
    "simulate": "simulation",
    "rollouts": "simulation",
    "get_fast": "game",
    "warm_up": "game",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
