"""A player that is watched: what training by imitation learns from."""

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
    """Lets a player play and notes what it saw, how many cards it had, and which of them it chose, from 0."""

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
    """Lets a search play and notes what it saw, and what each action was worth to it. Now and then something else is
    done, so that it is seen in more situations."""

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
