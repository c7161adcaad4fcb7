"""What both kinds of environment share: a match that is dealt from the environment's own chance."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding

from nimmt.envs.codec import Codec, get_codec
from nimmt.match.match import Match, single_deal
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import SEED_BYTES, Dealer
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Decision, Options, Seat
from nimmt.rules.kit.options import find_variant, read_options
from nimmt.rules.position import to_text

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
