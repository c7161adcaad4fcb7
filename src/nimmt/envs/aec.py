"""Seat by seat: PettingZoo's AEC environment. Secret choices are asked for one after the other, and stay secret."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv  # type: ignore[import-untyped]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]

from nimmt.envs.playing import Episode, Observation
from nimmt.rules.game import IllegalAction


class AecGame(AECEnv):  # type: ignore[misc]
    """All decisions of the match in the order in which the rules ask for them."""

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        *,
        variant: str | None = None,
        single: bool = True,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """`single` plays one deal, else a whole match; further arguments are options of the game."""
        super().__init__()
        self._episode = Episode(game, seats, variant, single, options)
        self.metadata = {"name": self._episode.name, "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = render_mode
        self.layout = self._episode.codec.layout
        self.possible_agents = list(self._episode.agents)
        self.agents: list[str] = []
        actions = self._episode.codec.actions
        self.observation_spaces = {agent: self._episode.observation_space(actions) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        del options
        self._episode.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = self._episode.infos()
        self._skip_agent_selection = None
        self._ask_next()

    def _ask_next(self) -> None:
        self.agent_selection = self.possible_agents[self._episode.pending()[0].seat]

    def observe(self, agent: str) -> Observation:
        """The mask shows what the agent may do now; it is empty unless the agent is the one that is asked."""
        seat = self.possible_agents.index(agent)
        codec, view = self._episode.codec, self._episode.view(seat)
        asked = agent == self.agent_selection and not self.terminations.get(agent, True)
        mask = codec.mask(view, self._episode.legal(seat)) if asked else np.zeros(codec.actions, np.int8)
        return {"observation": codec.observation(view), "action_mask": mask}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("Only an agent whose match is over steps with None.")
        seat, before = self.possible_agents.index(agent), self._episode.scores()
        try:
            self._episode.playing.act(seat, self._episode.decode(seat, int(action)))
        except IllegalAction as error:
            raise ValueError(f"{agent} may not do {action} now: {error}") from None
        self._cumulative_rewards[agent] = 0
        after = self._episode.scores()
        self.rewards = {agent: after[seat] - before[seat] for seat, agent in enumerate(self.agents)}
        self._accumulate_rewards()
        self._go_on()

    def _go_on(self) -> None:
        self.infos = self._episode.infos()
        if self._episode.playing.outcome is None:
            self._ask_next()
            return
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def render(self) -> str | None:
        return self._episode.render() if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass


def raw_env(game: str, seats: int | None = None, **settings: Any) -> AecGame:
    """The environment without wrappers: an illegal action raises `ValueError`."""
    return AecGame(game, seats, **settings)


def env(game: str, seats: int | None = None, *, illegal_reward: float = -1, **settings: Any) -> Any:
    """The environment as PettingZoo likes it: an illegal action ends the episode and costs `illegal_reward`."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(game, seats, **settings), illegal_reward=illegal_reward)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))
