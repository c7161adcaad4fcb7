"""All at once: PettingZoo's parallel environment, for games in which everybody chooses a card at the same time."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv  # type: ignore[import-untyped]

from nimmt.bots import get_bot
from nimmt.envs.codec import Mask
from nimmt.envs.playing import Episode, Observation
from nimmt.rules.game import Seat

HELPER = "greedy"
"""Who makes the decisions that agents are not asked for, with `cards_only`: it takes the cheapest row."""

Results = tuple[
    dict[str, Observation], dict[str, int | float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
]


class ParallelGame(ParallelEnv):  # type: ignore[misc]
    """In each step everybody who is asked decides; the others wait, which is the last number of the action space."""

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        *,
        variant: str | None = None,
        single: bool = True,
        cards_only: bool = False,
        illegal_reward: float = -1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """With `cards_only` a step is a turn: only cards are asked for, all else is decided by the greedy bot."""
        self._episode = Episode(game, seats, variant, single, options)
        if not self._episode.codec.simultaneous:
            raise ValueError(f"In {self._episode.game.name} nobody decides at the same time: use env({game!r}).")
        self.metadata = {"name": self._episode.name, "render_modes": ["ansi"]}
        self.render_mode = render_mode
        self.layout = self._episode.codec.layout
        self._helper = get_bot(HELPER, self._episode.game) if cards_only else None
        self._illegal_reward = illegal_reward
        self.wait = self._episode.codec.actions
        """The number that means doing nothing."""
        self.possible_agents = list(self._episode.agents)
        self.agents: list[str] = []
        actions = self.wait + 1
        self.observation_spaces = {agent: self._episode.observation_space(actions) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        del options
        self._episode.begin(seed)
        self.agents = list(self.possible_agents)
        self._help()
        return self._observations(), self._episode.infos()

    def step(self, actions: dict[str, int]) -> Results:
        agents, before = self.agents, self._episode.scores()
        wrong = self._wrong(actions)
        if wrong:
            return self._end_badly(wrong)
        self._apply(actions)
        self._help()
        after = self._episode.scores()
        over = self._episode.playing.outcome is not None
        rewards: dict[str, int | float] = {agent: after[seat] - before[seat] for seat, agent in enumerate(agents)}
        if over:
            self.agents = []
        return (
            self._observations(),
            rewards,
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, False),
            self._episode.infos(),
        )

    def _wrong(self, actions: dict[str, int]) -> list[str]:
        """Who does what its mask does not allow."""
        masks = {agent: self._mask(seat) for seat, agent in enumerate(self.agents)}
        return [agent for agent, mask in masks.items() if not mask[int(actions.get(agent, self.wait))]]

    def _apply(self, actions: dict[str, int]) -> None:
        """In the order of the seats. Once things lie differently, the others are asked again."""
        moment = self._episode.table
        chosen = [
            (decision.seat, self._episode.decode(decision.seat, int(actions[self.possible_agents[decision.seat]])))
            for decision in self._episode.pending()
        ]
        for seat, action in chosen:
            if not self._episode.codec.same_moment(moment, self._episode.table):
                return
            self._episode.playing.act(seat, action)

    def _help(self) -> None:
        """Make all decisions that nobody is asked for."""
        episode, kinds = self._episode, self._episode.codec.simultaneous
        while self._helper and (pending := episode.pending()) and pending[0].kind not in kinds:
            seat = pending[0].seat
            action = self._helper.choose(episode.view(seat), episode.legal(seat), episode.random)
            episode.playing.act(seat, action)

    def _end_badly(self, wrong: list[str]) -> Results:
        agents, self.agents = self.agents, []
        rewards = {agent: self._illegal_reward if agent in wrong else 0 for agent in agents}
        over = dict.fromkeys(agents, True)
        return self._observations(), rewards, over, dict.fromkeys(agents, False), self._episode.infos()

    # -- observing ----------------------------------------------------------------------------------------------

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._observation(seat) for seat, agent in enumerate(self.possible_agents)}

    def _observation(self, seat: Seat) -> Observation:
        return {
            "observation": self._episode.codec.observation(self._episode.view(seat)),
            "action_mask": self._mask(seat),
        }

    def _mask(self, seat: Seat) -> Mask:
        """Who is asked may not wait, and who is not asked can do nothing else."""
        mask: Mask = np.zeros(self.wait + 1, np.int8)
        if any(decision.seat == seat for decision in self._episode.pending()):
            mask[:-1] = self._episode.codec.mask(self._episode.view(seat), self._episode.legal(seat))
        else:
            mask[self.wait] = 1
        return mask

    def render(self) -> str | None:
        return self._episode.render() if self.render_mode == "ansi" else None

    def close(self) -> None:
        pass


def parallel_env(game: str, seats: int | None = None, **settings: Any) -> ParallelGame:
    """An illegal action ends the episode and costs `illegal_reward`."""
    return ParallelGame(game, seats, **settings)
