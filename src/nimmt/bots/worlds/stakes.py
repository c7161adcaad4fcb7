"""What the points of a round are worth: the chance to win, and the lead over the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from nimmt.bots.worlds.trying import Floats
from nimmt.match.single import length_option
from nimmt.rules.game import AnyGame
from nimmt.rules.kit.scoring import totals

SPREAD = {"x": 12.0, "eleven": 14.0, "baron": 14.0}
"""How far a round drives the standings apart, in points: rough experience."""


class Chance:
    """The chance to win the match with the points of a round, plus a little for the lead over the others.

    After the last round it is the share of the win; before that an estimate from the standings and the rounds to come.
    Who does not know the standings wants to win the round.
    """

    def __init__(self, game: AnyGame, view: Any, blend: float, *, knows_standings: bool) -> None:
        table, length = view.table, length_option(game)
        rounds = getattr(table.options, length) if length else 1
        self._seat, self._blend = view.seat, blend
        self._sign = -1.0 if getattr(table.options, "bulls_are_good", False) else 1.0
        self._before = np.array(totals(table.scores, table.seats), np.float64) * knows_standings
        self._left = ((table.seats if rounds is None else rounds) - table.round) * knows_standings
        self._spread = SPREAD[game.id] * max(1, self._left) ** 0.5

    def __call__(self, points: Floats, rival: Floats) -> Floats:
        del rival
        behind = self._sign * (self._before + points)
        behind -= behind.min(axis=-1, keepdims=True)
        weights = np.exp(-behind / self._spread) if self._left else (behind == 0).astype(np.float64)
        share: Floats = weights[..., self._seat] / weights.sum(axis=-1)
        return share + self._blend * self._lead(points)

    def _lead(self, points: Floats) -> Floats:
        own = points[..., self._seat]
        lead: Floats = self._sign * ((points.sum(axis=-1) - own) / (points.shape[-1] - 1) - own)
        return lead
