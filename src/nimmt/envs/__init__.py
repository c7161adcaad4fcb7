"""PettingZoo environments for all games: `env("six")` seat by seat, `parallel_env("six")` all at once.

Needs more than the plain installation: pip install 'nimmt[envs]'. `docs/envs.md` describes what agents see and do.
"""

try:
    import gymnasium as _gymnasium  # noqa: F401
    import numpy as _numpy  # noqa: F401
    import pettingzoo as _pettingzoo  # type: ignore[import-untyped]  # noqa: F401
except ModuleNotFoundError as error:
    raise ImportError(f"nimmt.envs needs {error.name}: pip install 'nimmt[envs]'", name=error.name) from None

from nimmt.envs.codec import Codec, get_codec
from nimmt.envs.environments import AecGame, ParallelGame, env, parallel_env, raw_env

__all__ = ["AecGame", "Codec", "ParallelGame", "env", "get_codec", "parallel_env", "raw_env"]
