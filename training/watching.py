"""A player that is watched: what training by imitation learns from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from nimmt.games.six.search.players import Player
from nimmt.games.six.search.situation import Situation, Stakes

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
