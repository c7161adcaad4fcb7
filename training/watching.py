"""Wrappers around a player that record its decisions: the data for imitation learning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from nimmt.bots.worlds import Floats, WorldsBot
from nimmt.games.six.search.players import Player
from nimmt.games.six.search.situation import Situation, Stakes
from nimmt.rules.game import Action

Seen = TypeVar("Seen")


class Watched(Generic[Seen]):
    """Records what a player saw, the size of its hand, and the index of the card it chose."""

    def __init__(self, player: Player, see: Callable[[Situation], Seen]) -> None:
        self.player, self.see = player, see
        self.noted: list[tuple[Seen, int, int]] = []

    def choose(self, now: Situation, stakes: Stakes, seed: int) -> int:
        code, hand = self.player.choose(now, stakes, seed), now.hand.tolist()
        if len(hand) > 1 and not now.chooses_row:
            self.noted.append((self.see(now), len(hand), hand.index(code)))
        return code


Reals = NDArray[np.float32]


class Weighed:
    """Records what a search saw and how it valued each action. With probability `slips` a random action is played
    instead, for more varied positions."""

    def __init__(
        self,
        bot: WorldsBot,
        see: Callable[[Any], tuple[NDArray[np.int64], Reals, Reals]],
        encode: Callable[[Action], int],
        slips: float,
        many: int,
    ) -> None:
        self.bot, self.see, self.encode, self.slips, self.many = bot, see, encode, slips, many
        self.noted: list[tuple[Reals, Reals, Floats]] = []

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action:
        tried, values = self.bot.weigh(view, legal, rng.getrandbits(62))
        codes, scene, glances = self.see(view)
        if 1 < len(codes) <= self.many:
            places = {code: place for place, code in enumerate(codes.tolist())}
            worth = np.full(len(codes), -np.inf)
            for action, value in zip(tried, values, strict=True):
                worth[places[self.encode(action)]] = value
            self.noted.append((scene, glances.copy(), worth))
        return rng.choice(tried) if rng.random() < self.slips else tried[int(values.argmax())]
