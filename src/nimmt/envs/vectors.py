"""Gymnasium's vector environments on top of batches: every seat an agent, or one seat against a policy."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space

from nimmt.envs.batched import BatchEnv, batch
from nimmt.envs.codec import Array

Info = dict[str, Any]


class VectorGame(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Without opponents each seat of each table is an environment of its own (table after table, seat after seat);
    with a policy as opponents each table is one: its seat 0.

    `infos["action_mask"]` says what is legal. A table that is over begins anew in the same step; then
    `infos["points"]` and `infos["won"]` tell how it ended.
    """

    def __init__(self, env: BatchEnv, opponents: str | None = None) -> None:
        self.batch, self.opponents = env, opponents
        self._mine = env.seats if opponents is None else 1
        self.num_envs = env.tables * self._mine
        self.single_observation_space = spaces.Box(-1, 1, (env.features,), np.float32)
        self.single_action_space = spaces.Discrete(env.actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        modes = getattr(gymnasium.vector, "AutoresetMode", None)
        self.metadata = {"autoreset_mode": modes.SAME_STEP} if modes else {}

    def reset(self, *, seed: int | list[int] | None = None, options: Info | None = None) -> tuple[Array, Info]:
        del options
        if isinstance(seed, list):
            raise ValueError("Give one seed for all tables.")
        self.batch.reset(seed)
        return self._flat(self.batch.observations), {"action_mask": self._flat(self.batch.masks)}

    def step(self, actions: Any) -> tuple[Array, Array, Any, Any, Info]:
        env = self.batch
        numbers = np.asarray(actions, np.int64).reshape(env.tables, self._mine)
        if self.opponents is not None:
            everybody = env.suggest(self.opponents)
            everybody[:, :1] = numbers
            numbers = everybody
        _, _, rewards, done = env.step(numbers)
        over = np.repeat(done, self._mine)
        infos: Info = {"action_mask": self._flat(env.masks)}
        if done.any():
            infos |= {"points": self._flat(env.points), "won": self._flat(env.won), "_points": over, "_won": over}
        return self._flat(env.observations), self._flat(rewards), over, np.zeros(self.num_envs, np.bool_), infos

    def _flat(self, array: Any) -> Any:
        """The part of it that belongs to the agents, a line for each: no copy if all seats are agents."""
        return array[:, : self._mine].reshape(self.num_envs, *array.shape[2:])


def vector(
    game: str, tables: int = 1, seats: int | None = None, *, opponents: str | None = None, **settings: Any
) -> Any:
    """A vector environment; `settings` are those of `nimmt.envs.batch`."""
    return VectorGame(batch(game, tables, seats, **settings), opponents)
