"""Monte Carlo search on the game protocol, for any game: sample the hidden cards, try an action, play on at random.

Slow compared with kernels, but it needs only the rules, so a new game has bots at every level from the start.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from nimmt.rules.game import Action, AnyGame, Deal, DealRequest, Seat

CLUB_WORLDS, EXPERT_WORLDS, MASTER_WORLDS = 6, 20, 60
MAX_ACTIONS = 24
"""Longer lists of actions are thinned out evenly to this many."""
MAX_STEPS = 2000
"""A random match that takes longer scores 0."""
BLEND = 0.01
"""Weight of a better rank, relative to the win."""


class ImaginingBot:
    """Tries every action in the same worlds, sampled to fit its view."""

    def __init__(self, game: AnyGame, worlds: int) -> None:
        self._game, self._worlds = game, worlds

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action:
        if len(legal) == 1:
            return legal[0]
        tried = legal[:: -(-len(legal) // MAX_ACTIONS)]
        worths = [0.0] * len(tried)
        for _ in range(self._worlds):
            cards = list(self._game.unseen(view))
            rng.shuffle(cards)
            state, luck = self._game.imagine(view, cards), rng.getrandbits(62)
            for number, action in enumerate(tried):
                worths[number] += self._try(state, view.seat, action, Random(luck))
        return tried[max(range(len(tried)), key=worths.__getitem__)]

    def _try(self, state: Any, seat: Seat, action: Action, rng: Random) -> float:
        state, _ = self._game.apply(state, seat, action)
        for _ in range(MAX_STEPS):
            if (outcome := self._game.outcome(state)) is not None:
                share = (seat in outcome.winners) / max(1, len(outcome.winners))
                return share + BLEND * self._place(outcome.points, seat, state)
            state = self._step(state, rng)
        return 0.0

    def _step(self, state: Any, rng: Random) -> Any:
        """A deal or a decision at random."""
        request = self._game.deal_request(state)
        if request is not None:
            return self._game.deal(state, shuffled(request, rng))[0]
        waiting = self._game.pending(state)[0].seat
        return self._game.apply(state, waiting, rng.choice(self._game.legal(state, waiting)))[0]

    def _place(self, points: Sequence[int], seat: Seat, state: Any) -> float:
        """The number of opponents behind minus the number ahead."""
        above, below = sum(other > points[seat] for other in points), sum(other < points[seat] for other in points)
        return float(below - above if self._game.high_score_wins(state.table.options) else above - below)


def shuffled(request: DealRequest, rng: Random) -> Deal:
    return Deal({name: tuple(rng.sample(cards, len(cards))) for name, cards in request.decks.items()})


def club(game: AnyGame) -> ImaginingBot:
    return ImaginingBot(game, CLUB_WORLDS)


def expert(game: AnyGame) -> ImaginingBot:
    return ImaginingBot(game, EXPERT_WORLDS)


def master(game: AnyGame) -> ImaginingBot:
    return ImaginingBot(game, MASTER_WORLDS)
