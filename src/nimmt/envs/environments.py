"""PettingZoo's environments: seat by seat (AEC), or all at once (parallel)."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv  # type: ignore[import-untyped]
from pettingzoo.utils import wrappers  # type: ignore[import-untyped]

from nimmt.bots import get_bot
from nimmt.envs.codec import Codec, Mask, get_codec
from nimmt.match.match import Match, single_deal
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import SEED_BYTES, Dealer
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Decision, IllegalAction, Options, Seat
from nimmt.rules.kit.options import find_variant, read_options
from nimmt.rules.position import to_text

# -- playing -----------------------------------------------------------------------------------------------------------
# What both kinds of environment share: a match that is dealt from the environment's own chance.

Observation = dict[str, Any]


def options_for(game: AnyGame, variant: str | None, single: bool, options: dict[str, Any]) -> Options:
    values = dict(find_variant(game, variant).options) if variant is not None else {}
    read: Options = read_options(game.options_type, values | options)
    return single_deal(game, read) if single else read


def default_seats(game: AnyGame) -> int:
    return min(max(4, game.min_seats), game.max_seats)


class Episode:
    """A game, its codec, and the match that is going on."""

    def __init__(self, game_id: str, seats: int | None, variant: str | None, single: bool, options: dict[str, Any]):
        self.game: AnyGame = registry.get(game_id)
        self.options = options_for(self.game, variant, single, options)
        self.seats = default_seats(self.game) if seats is None else seats
        self.game.setup(self.options, self.seats)
        self.codec: Codec = get_codec(self.game, self.options, self.seats)
        self.agents = [f"player_{seat}" for seat in range(self.seats)]
        self._chance: np.random.Generator | None = None
        self.match: Match | None = None
        self.random = Random()

    @property
    def name(self) -> str:
        return f"{self.game.id}_v{self.codec.version}"

    def begin(self, seed: int | None) -> None:
        """A new match; without a seed the chance goes on where it was."""
        if seed is not None or self._chance is None:
            self._chance, _ = seeding.np_random(seed)
        dealer = Dealer(self._chance.bytes(SEED_BYTES), ())
        self.random = Random(self._chance.bytes(SEED_BYTES))
        self.match = Match(self.game, self.options, [SeatInfo(agent) for agent in self.agents], dealer)

    @property
    def playing(self) -> Match:
        if self.match is None:
            raise RuntimeError("Call reset() first.")
        return self.match

    @property
    def table(self) -> Any:
        state: Any = self.playing.state
        return state.table

    def pending(self) -> tuple[Decision, ...]:
        return self.game.pending(self.playing.state)

    def scores(self) -> tuple[int, ...]:
        return self.codec.gained(self.playing.state)

    def view(self, seat: Seat) -> Any:
        return self.game.view(self.playing.state, seat)

    def legal(self, seat: Seat) -> Any:
        return self.game.legal(self.playing.state, seat)

    def decode(self, seat: Seat, number: int) -> Action:
        return self.codec.decode(self.view(seat), number)

    def infos(self) -> dict[str, dict[str, Any]]:
        """Empty until the match is over."""
        outcome = self.playing.outcome
        if outcome is None:
            return {agent: {} for agent in self.agents}
        return {
            agent: {"points": outcome.points[seat], "won": seat in outcome.winners}
            for seat, agent in enumerate(self.agents)
        }

    def observation_space(self, actions: int) -> spaces.Dict:
        return spaces.Dict(
            {
                "observation": spaces.Box(-1, 1, (self.codec.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )

    def render(self) -> str:
        """The whole position as text, all hands open."""
        return to_text(self.game, self.playing.state)


class Environment:
    """What both of PettingZoo's kinds of environments show of an episode. Set up by `_present`."""

    _episode: Episode

    def _present(self, actions: int, render_mode: str | None, **facts: Any) -> None:
        """`actions` is the size of the action space; `facts` are further metadata."""
        self.metadata = {"name": self._episode.name, "render_modes": ["ansi"], **facts}
        self.render_mode = render_mode
        self.layout = self._episode.codec.layout
        self.possible_agents = list(self._episode.agents)
        self.agents: list[str] = []
        self.observation_spaces = {agent: self._episode.observation_space(actions) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def render(self) -> str | None:
        return self._episode.render() if self.render_mode == "ansi" else None

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
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """`single` plays one deal, else a whole match; further arguments are options of the game."""
        super().__init__()
        self._episode = Episode(game, seats, variant, single, options)
        self._present(self._episode.codec.actions, render_mode, is_parallelizable=False)

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


def raw_env(game: str, seats: int | None = None, **settings: Any) -> AecGame:
    """The environment without wrappers: an illegal action raises `ValueError`."""
    return AecGame(game, seats, **settings)


def env(game: str, seats: int | None = None, *, illegal_reward: float = -1, **settings: Any) -> Any:
    """The environment as PettingZoo likes it: an illegal action ends the episode and costs `illegal_reward`."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(game, seats, **settings), illegal_reward=illegal_reward)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


# -- parallel ----------------------------------------------------------------------------------------------------------
# All at once: PettingZoo's parallel environment, for games in which everybody chooses a card at the same time.

HELPER = "greedy"
"""Who makes the decisions that agents are not asked for, with `cards_only`: it takes the cheapest row."""

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
        illegal_reward: float = -1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """With `cards_only` a step is a turn: only cards are asked for, all else is decided by the greedy bot."""
        self._episode = Episode(game, seats, variant, single, options)
        if not self._episode.codec.simultaneous:
            raise ValueError(f"In {self._episode.game.name} nobody decides at the same time: use env({game!r}).")
        self._helper = get_bot(HELPER, self._episode.game) if cards_only else None
        self._illegal_reward = illegal_reward
        self.wait = self._episode.codec.actions
        """The number that means doing nothing."""
        self._present(self.wait + 1, render_mode)

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


def parallel_env(game: str, seats: int | None = None, **settings: Any) -> ParallelGame:
    """An illegal action ends the episode and costs `illegal_reward`."""
    return ParallelGame(game, seats, **settings)
