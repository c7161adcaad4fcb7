"""A table of a batch, followed by the rules: what `render` shows, and the proof that both do the same."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from nimmt.bots import get_bot
from nimmt.envs.batched import HELPER, BatchEnv, fast_tables
from nimmt.rules.game import Deal


class Mirror:
    """Deals and decisions of one table through the rules. `follow` it after every reset and step."""

    def __init__(self, env: BatchEnv, table: int = 0) -> None:
        self.env, self.table, self.game = env, table, env.game
        self.state: Any = None
        self._bot = get_bot(HELPER, env.game)

    def begin(self) -> None:
        """After a reset."""
        self.state = self.game.setup(self.env.options, self.env.seats)
        self._deal()

    def follow(self, numbers: Sequence[int]) -> None:
        """After a step with these actions, by seat. A match that is over begins anew if the batch has begun anew."""
        for seat, action in list(self.env.codec.spell(self.state, numbers)):
            self.state, _ = self.game.apply(self.state, seat, action)
        self._help_on()
        if self.game.outcome(self.state) is None:
            self._deal()

    def _help_on(self) -> None:
        """The greedy bot does what the greedy policy does."""
        kinds = self.env.codec.simultaneous
        while self.env.cards_only and (pending := self.game.pending(self.state)) and pending[0].kind not in kinds:
            seat = pending[0].seat
            view, legal = self.game.view(self.state, seat), self.game.legal(self.state, seat)
            self.state, _ = self.game.apply(self.state, seat, self._bot.choose(view, legal, Random(0)))

    def _deal(self) -> None:
        """Deal what the batch has dealt, if anything is due."""
        request = self.game.deal_request(self.state)
        if request is None:
            self._help_on()
            return
        cards, decks, start = self.env._flat.decks[self.table].tolist(), {}, 0
        for name in fast_tables(self.game.id).decks:
            count = len(request.decks[name])
            decks[name] = tuple(cards[start : start + count])
            start += count
        self.state, _ = self.game.deal(self.state, Deal(decks))

    # -- comparing ------------------------------------------------------------------------------------------------

    def observation(self, seat: int) -> np.ndarray[Any, Any]:
        """What the seat's view is as an array, without what only environments remember."""
        return self.env.codec.observation(self.game.view(self.state, seat))

    def mask(self, seat: int) -> np.ndarray[Any, Any]:
        """What the rules allow the seat."""
        env = self.env
        mask = np.zeros(env.actions, np.int8)
        if any(decision.seat == seat for decision in self.game.pending(self.state)):
            legal = self.game.legal(self.state, seat)
            mask[:-1] = env.codec.mask(self.game.view(self.state, seat), legal)
        else:
            mask[env.noop] = 1
        return mask

    def gained(self) -> tuple[int, ...]:
        return self.env.codec.gained(self.state)
