"""Gymnasium's vector environments on top of batches: every seat an agent, or one seat against policies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from nimmt.envs.batched import BatchEnv, IllegalActions, batch, fast_tables, whole_numbers
from nimmt.envs.codec import Array
from nimmt.fast.arguments import InvalidArgument

Info = dict[str, Any]


class VectorGame(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Without opponents each seat of each table is an environment of its own (table after table, seat after seat);
    with opponents, a policy or one for each of them, each table is one: its seat 0.

    `infos["action_mask"]` says what is legal. A table that is over begins anew in the same step; then
    `infos["final_info"]` has the points and who won, and `infos["final_obs"]` what was seen at the end.
    """

    def __init__(self, env: BatchEnv, opponents: str | Sequence[str] | None = None) -> None:
        self.batch, self.opponents = env, opponents
        self._agents = env.seats if opponents is None else 1
        if opponents is not None:
            fast_tables(env.game.id).policy_codes(opponents, env.seats - 1)  # refuses those that do not exist
            others = [opponents] * (env.seats - 1) if isinstance(opponents, str) else opponents
            self._policies = ["random", *others]
        self.num_envs = env.tables * self._agents
        self.single_observation_space = spaces.Box(-1, 1, (env.features,), np.float32)
        self.single_action_space = spaces.Discrete(env.actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        modes = getattr(gymnasium.vector, "AutoresetMode", None)
        self.metadata = {"autoreset_mode": modes.SAME_STEP} if modes else {}

    def reset(self, *, seed: int | list[int] | None = None, options: Info | None = None) -> tuple[Array, Info]:
        del options
        if isinstance(seed, list):
            raise InvalidArgument("one_seed", "Give one seed for all tables.")
        self.batch.reset(seed)
        return self._flat(self.batch.observations), {"action_mask": self._flat(self.batch.masks)}

    def step(self, actions: Any) -> tuple[Array, Array, Any, Any, Info]:
        env = self.batch
        numbers = whole_numbers(actions, (self.num_envs,)).reshape(env.tables, self._agents)
        step = env.step if self.opponents is None else self._step_with_opponents
        _, _, rewards, done = step(numbers)
        over = np.repeat(done, self._agents)
        infos: Info = {"action_mask": self._flat(env.masks)}
        if done.any():
            infos |= self._endings(over)
        return self._flat(env.observations), self._flat(rewards), over, np.zeros(self.num_envs, np.bool_), infos

    def _endings(self, over: NDArray[np.bool_]) -> Info:
        """What Gymnasium's own vector environments tell of those that begin anew in the same step."""
        env, last = self.batch, np.full(self.num_envs, None, object)
        final = self._flat(env.final_observations)
        for place in np.flatnonzero(over):
            last[place] = final[place].copy()
        told = {"points": self._flat(env.points), "won": self._flat(env.won)}
        infos = told | {f"_{name}": over for name in told}
        return infos | {"final_obs": last, "_final_obs": over, "final_info": infos, "_final_info": over}

    def _step_with_opponents(self, numbers: Any) -> Any:
        """What they draw for nothing, if an action is refused, is put back: then nothing has changed."""
        env = self.batch
        chance = env.chance.copy()
        everybody = env.suggest(self._policies)
        everybody[:, :1] = numbers
        try:
            return env.step(everybody)
        except IllegalActions:
            env.chance[:] = chance
            raise

    def close_extras(self, **kwargs: Any) -> None:
        del kwargs
        self.batch.close()

    def _flat(self, array: Any) -> Any:
        """The part of it that belongs to the agents, a line for each: no copy if all seats are agents."""
        return array[:, : self._agents].reshape(self.num_envs, *array.shape[2:])


def vector(
    game: str,
    tables: int = 1,
    seats: int | None = None,
    *,
    opponents: str | Sequence[str] | None = None,
    **settings: Any,
) -> VectorGame:
    """A vector environment; `settings` are those of `nimmt.envs.batch`. Tables always begin anew."""
    if "auto_reset" in settings:
        raise InvalidArgument("no_effect", "auto_reset has no effect on vector environments: tables begin anew.")
    return VectorGame(batch(game, tables, seats, **settings), opponents)
