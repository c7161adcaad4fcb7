"""Environments for learning: `batch("six", tables=4096)` on the fast core, `vector` for Gymnasium, `env` and
`parallel_env` for PettingZoo. `nimmt.envs.openspiel` has 6 nimmt! for OpenSpiel.

`batch` needs the plain installation; the others need more: pip install 'nimmt[envs]'. `docs/envs.md` describes what
agents see and do. Importing this package is cheap: each of its names is imported when it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from nimmt.envs.batched import BatchEnv, IllegalActions, batch
    from nimmt.envs.codec import Codec, get_codec
    from nimmt.envs.environments import AecGame, ParallelGame, env, parallel_env, raw_env
    from nimmt.envs.vectors import VectorGame, vector

__all__ = [
    "AecGame",
    "BatchEnv",
    "Codec",
    "IllegalActions",
    "ParallelGame",
    "VectorGame",
    "batch",
    "env",
    "get_codec",
    "parallel_env",
    "raw_env",
    "vector",
]

_HOMES = {
    "AecGame": "environments",
    "BatchEnv": "batched",
    "Codec": "codec",
    "IllegalActions": "batched",
    "ParallelGame": "environments",
    "VectorGame": "vectors",
    "batch": "batched",
    "env": "environments",
    "get_codec": "codec",
    "parallel_env": "environments",
    "raw_env": "environments",
    "vector": "vectors",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    except ModuleNotFoundError as error:
        if error.name not in ("gymnasium", "pettingzoo"):
            raise
        raise ImportError(f"nimmt.envs.{name} needs {error.name}: pip install 'nimmt[envs]'", name=error.name) from None
