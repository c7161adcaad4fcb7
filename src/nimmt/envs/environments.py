"""PettingZoo's environments: seat by seat (AEC), or all at once (parallel)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from operator import index
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv  # type: ignore[import-untyped]

from nimmt.envs.batched import IllegalActions
from nimmt.envs.lifetime import Lifetime
from nimmt.envs.table import EnvTable, open_table
from nimmt.fast.arguments import InvalidArgument, InvalidType, NotPossible, check_number
from nimmt.rules.game import Refusal

Info = dict[str, Any]
Observation = dict[str, Any]
RENDER_MODES = ("ansi",)


class Environment(Lifetime):
    """What both of PettingZoo's kinds of environments show of a table. Set up by `_present`."""

    _table: EnvTable

    def _present(self, actions: int, render_mode: str | None, **facts: Any) -> None:
        """`actions` is the size of the action space; `facts` are further metadata."""
        playing = self._table
        if render_mode not in (None, *RENDER_MODES):
            known = f"render_mode must be None or 'ansi', not {render_mode!r:.40}."
            raise InvalidArgument("unknown_render_mode", known)
        self.metadata = {"name": playing.name, "render_modes": list(RENDER_MODES), **facts}
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

    def _begin(self, seed: int | None) -> None:
        self._check_open()
        self._table.begin(seed)
        self._is_reset = True
        self.agents = list(self.possible_agents)

    def state(self) -> np.ndarray[Any, Any]:
        """What all seats see, one after the other: all hands are in it. For critics, not for players."""
        self._check_reset()
        return np.concatenate([self._table.observation(seat) for seat in range(self._table.seats)])

    def _all_infos(self) -> dict[str, Info]:
        """Empty until the match is over."""
        if not self._table.over:
            return {agent: {} for agent in self.possible_agents}
        return {agent: self._table.info(seat) for agent, seat in self._seats.items()}

    def _blame(self, agents: Collection[str]) -> dict[str, Info]:
        """Who ended the episode by an illegal action."""
        refused = {"refused": Refusal.WRONG_ACTION.value}
        return {agent: dict(refused) if agent in agents else {} for agent in self.possible_agents}

    def render(self) -> str | None:
        """The whole position as text, all hands open."""
        if self.render_mode is None:
            return None
        self._check_reset()
        return self._table.text()


def action_number(action: Any) -> int:
    """A whole number of any kind; what is none is refused, as `int(1.5)` would be another action."""
    if isinstance(action, bool | np.bool_):
        raise InvalidType(f"An action is a whole number, not {action!r}.")
    try:
        return index(action)
    except TypeError:
        raise InvalidType(f"An action is a whole number, not {action!r:.60}.") from None


# -- aec ---------------------------------------------------------------------------------------------------------------
# Seat by seat: PettingZoo's AEC environment. Secret choices are asked for one after the other, and stay secret.


class AecGame(Environment, AECEnv):  # type: ignore[misc]
    """All decisions of the match in the order in which the rules ask for them."""

    agent_selection = ""

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
        ends the episode and costs `illegal_reward`; without one it raises `IllegalActions`."""
        super().__init__()
        self._table = open_table(game, seats, variant, options, single=single, history=history, text=bool(render_mode))
        if illegal_reward is not None:
            check_number(illegal_reward=illegal_reward)
        self._illegal_reward = illegal_reward
        self._present(self._table.actions, render_mode, is_parallelizable=False)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        del options
        self._begin(seed)
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
        self._check_reset()
        seat = self._seats[agent]
        asked = agent == self.agent_selection and not self.terminations.get(agent, True)
        mask = self._table.mask(seat)[:-1] if asked else np.zeros(self._table.actions, np.int8)
        return {"observation": self._table.observation(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        self._check_reset()
        if not self.agents:
            raise NotPossible("match_over", "The episode is over: call reset().")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise InvalidType("Only an agent whose match is over steps with None.")
        seat, number = self._seats[agent], action_number(action)
        if not self._table.may(seat, number) or number == self._table.wait:
            self._end_badly(agent, number)
            return
        self._cumulative_rewards[agent] = 0
        self._chosen[seat] = number
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

    def _end_badly(self, agent: str, number: int) -> None:
        if self._illegal_reward is None:
            sentence = f"{agent} may not do {number} now: it is not legal."
            raise IllegalActions(Refusal.WRONG_ACTION, 0, self._seats[agent], number, sentence)
        self.infos = self._blame([agent])
        self._cumulative_rewards[agent] = 0
        self.rewards = dict.fromkeys(self.agents, 0) | {agent: self._illegal_reward}
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()


def raw_env(game: str, seats: int | None = None, **settings: Any) -> AecGame:
    """The environment in which an illegal action raises `IllegalActions`, which is a `ValueError`."""
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
            sentence = f"In {self._table.title} nobody decides at the same time: use env({game!r})."
            raise InvalidArgument("not_simultaneous", sentence)
        check_number(illegal_reward=illegal_reward)
        self._illegal_reward = illegal_reward
        self.wait = self._table.wait
        """The number that means doing nothing."""
        self._present(self.wait + 1, render_mode)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        del options
        self._begin(seed)
        return self._observations(), self._all_infos()

    def step(self, actions: dict[str, int]) -> Results:
        agents, numbers = self.agents, self._numbers(actions)
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

    def _numbers(self, actions: Mapping[str, Any]) -> list[int]:
        """By seat. Who has nothing to decide may be left out."""
        self._check_reset()
        if not self.agents:
            raise NotPossible("match_over", "The episode is over: call reset().")
        if not isinstance(actions, Mapping):
            raise InvalidType(f"actions must be a dictionary with a number for each agent, not {actions!r:.60}.")
        if strange := actions.keys() - self._seats.keys():
            raise InvalidArgument("no_such_agent", f"There is no agent {min(strange, key=str)!r:.40}.")
        numbers = [action_number(actions.get(agent, self.wait)) for agent in self.possible_agents]
        silent = [agent for agent, seat in self._seats.items() if agent not in actions and seat in self._table.asked()]
        if silent:
            raise InvalidArgument("missing_action", f"{silent[0]} has to decide, and no action is given for it.")
        return numbers

    def _end_badly(self, wrong: list[str]) -> Results:
        agents, self.agents = self.agents, []
        rewards = {agent: self._illegal_reward if agent in wrong else 0 for agent in agents}
        over = dict.fromkeys(agents, True)
        return self._observations(), rewards, over, dict.fromkeys(agents, False), self._blame(wrong)

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
