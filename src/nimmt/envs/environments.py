"""PettingZoo's environments: seat by seat (AEC), or all at once (parallel)."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv  # type: ignore[import-untyped]

from nimmt.envs.table import EnvTable, open_table

Observation = dict[str, Any]


class Environment:
    """What both of PettingZoo's kinds of environments show of a table. Set up by `_present`."""

    _table: EnvTable

    def _present(self, actions: int, render_mode: str | None, **facts: Any) -> None:
        """`actions` is the size of the action space; `facts` are further metadata."""
        playing = self._table
        self.metadata = {"name": playing.name, "render_modes": ["ansi"], **facts}
        self.render_mode = render_mode
        self.layout = playing.layout
        self.possible_agents = [f"player_{seat}" for seat in range(playing.seats)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        seen = spaces.Dict(
            {
                "observation": spaces.Box(-1, 1, (playing.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self.state_space = spaces.Box(-1, 1, (playing.seats * playing.size,), np.float32)

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def state(self) -> np.ndarray[Any, Any]:
        """What all seats see, one after the other: all hands are in it. For critics, not for players."""
        return np.concatenate([self._table.observation(seat) for seat in range(self._table.seats)])

    def _all_infos(self) -> dict[str, dict[str, Any]]:
        """Empty until the match is over."""
        if not self._table.over:
            return {agent: {} for agent in self.possible_agents}
        return {agent: self._table.info(seat) for agent, seat in self._seats.items()}

    def render(self) -> str | None:
        """The whole position as text, all hands open."""
        return self._table.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass


# -- aec ---------------------------------------------------------------------------------------------------------------
# Seat by seat: PettingZoo's AEC environment. Secret choices are asked for one after the other, and stay secret.


class AecGame(Environment, AECEnv):  # type: ignore[misc]
    """All decisions of the match in the order in which the rules ask for them."""

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        *,
        variant: str | None = None,
        single: bool = True,
        history: int = 0,
        illegal_reward: float | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """`single` plays one deal, else a whole match; further arguments are options of the game. An illegal action
        ends the episode and costs `illegal_reward`; without one it raises `ValueError`."""
        super().__init__()
        self._table = open_table(game, seats, variant, options, single=single, history=history, text=bool(render_mode))
        self._illegal_reward, self._possible = illegal_reward, False
        self._present(self._table.actions, render_mode, is_parallelizable=False)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        del options
        self._table.begin(seed)
        self._possible = True
        self.agents = list(self.possible_agents)
        self.rewards: dict[str, int | float] = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = self._all_infos()
        self._skip_agent_selection = None
        self._ask_all()

    def _ask_all(self) -> None:
        """Who decides together is asked one after the other; what they choose is carried out when all have chosen."""
        self._waiting = self._table.asked()
        self._chosen = [self._table.wait] * len(self.possible_agents)
        self.agent_selection = self.possible_agents[self._waiting[0]]

    def observe(self, agent: str) -> Observation:
        """The mask shows what the agent may do now; it is empty unless the agent is the one that is asked."""
        seat = self._seats[agent]
        asked = agent == self.agent_selection and not self.terminations.get(agent, True)
        mask = self._table.mask(seat)[:-1] if asked else np.zeros(self._table.actions, np.int8)
        return {"observation": self._table.observation(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        if not self._possible:
            raise RuntimeError("Call reset() first.")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("Only an agent whose match is over steps with None.")
        seat = self._seats[agent]
        if not self._table.may(seat, int(action)) or action == self._table.wait:
            self._end_badly(agent, action)
            return
        self._cumulative_rewards[agent] = 0
        self._chosen[seat] = int(action)
        self._waiting = self._waiting[1:]
        if self._waiting:
            self.rewards = dict.fromkeys(self.agents, 0)
            self.agent_selection = self.possible_agents[self._waiting[0]]
            return
        gains = self._table.step(self._chosen)
        self.rewards = dict(zip(self.agents, gains, strict=True))
        self._accumulate_rewards()
        if not self._table.over:
            self._ask_all()
            return
        self.infos = self._all_infos()
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def _end_badly(self, agent: str, action: int) -> None:
        if self._illegal_reward is None:
            raise ValueError(f"{agent} may not do {action} now: it is not legal.")
        self._cumulative_rewards[agent] = 0
        self.rewards = dict.fromkeys(self.agents, 0) | {agent: self._illegal_reward}
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()


def raw_env(game: str, seats: int | None = None, **settings: Any) -> AecGame:
    """The environment in which an illegal action raises `ValueError`."""
    return AecGame(game, seats, **settings)


def env(game: str, seats: int | None = None, *, illegal_reward: float = -1, **settings: Any) -> AecGame:
    """The environment in which an illegal action ends the episode and costs `illegal_reward`.

    It does so itself: PettingZoo's wrappers would take four fifths of the time."""
    return AecGame(game, seats, illegal_reward=illegal_reward, **settings)


# -- parallel ----------------------------------------------------------------------------------------------------------
# All at once: PettingZoo's parallel environment, for games in which everybody chooses a card at the same time.

Results = tuple[
    dict[str, Observation], dict[str, int | float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
]


class ParallelGame(Environment, ParallelEnv):  # type: ignore[misc]
    """In each step everybody who is asked decides; the others wait, which is the last number of the action space."""

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        *,
        variant: str | None = None,
        single: bool = True,
        cards_only: bool = False,
        history: int = 0,
        illegal_reward: float = -1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """With `cards_only` a step is a turn: only cards are asked for, all else is decided by the greedy bot."""
        self._table = open_table(
            game, seats, variant, options, single=single, history=history, cards_only=cards_only, text=bool(render_mode)
        )
        if not self._table.simultaneous:
            raise ValueError(f"In {self._table.title} nobody decides at the same time: use env({game!r}).")
        self._illegal_reward = illegal_reward
        self.wait = self._table.wait
        """The number that means doing nothing."""
        self._present(self.wait + 1, render_mode)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        del options
        self._table.begin(seed)
        self.agents = list(self.possible_agents)
        return self._observations(), self._all_infos()

    def step(self, actions: dict[str, int]) -> Results:
        agents = self.agents
        numbers = [int(actions.get(agent, self.wait)) for agent in self.possible_agents]
        wrong = [agent for agent, seat in self._seats.items() if not self._table.may(seat, numbers[seat])]
        if wrong:
            return self._end_badly(wrong)
        gains = self._table.step(numbers)
        over = self._table.over
        if over:
            self.agents = []
        rewards: dict[str, int | float] = dict(zip(agents, gains, strict=True))
        return (
            self._observations(),
            rewards,
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            self._all_infos(),
        )

    def _end_badly(self, wrong: list[str]) -> Results:
        agents, self.agents = self.agents, []
        rewards = {agent: self._illegal_reward if agent in wrong else 0 for agent in agents}
        over = dict.fromkeys(agents, True)
        return self._observations(), rewards, over, dict.fromkeys(agents, False), self._all_infos()

    def _observations(self) -> dict[str, Observation]:
        """Who is asked may not wait, and who is not asked can do nothing else."""
        playing = self._table
        return {
            agent: {"observation": playing.observation(seat), "action_mask": playing.mask(seat)}
            for agent, seat in self._seats.items()
        }


def parallel_env(game: str, seats: int | None = None, **settings: Any) -> ParallelGame:
    """An illegal action ends the episode and costs `illegal_reward`."""
    return ParallelGame(game, seats, **settings)
