"""What plays 6 nimmt! at the upper levels."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
from msgspec.structs import replace

from nimmt.bots import greedy
from nimmt.bots.search.players import CARELESS, PRIOR, fitted, make_kinds
from nimmt.bots.search.policy import draw, see, weigh
from nimmt.bots.search.rollout import roll
from nimmt.bots.search.six import SearchBot, situation_of
from nimmt.bots.search.types import HANDS, LOOK, LOOKS, PLAYS, STRIDE, TWISTS, Effort
from nimmt.rules.game import Action, AnyGame
from nimmt.rules.games.six.actions import PlayCard
from nimmt.rules.games.six.game import SIX
from nimmt.rules.games.six.options import Options
from nimmt.rules.games.six.position import table_position
from nimmt.rules.games.six.state import History, View

MASTER = Effort(worlds=400, drafts=400, warm_up=25, thinning=10, herd=1.0)
EXPERT = Effort(worlds=30, drafts=120, warm_up=0, thinning=0, herd=1.0)
BLEND = 0.1


class ClubBot:
    """Plays by the Master's tables, without search; drafts and takes rows as the greedy player does.

    Several fan cards at once are not in the tables: there it is a greedy player altogether.
    """

    def __init__(self, game: AnyGame) -> None:
        self._kinds, self._greedy = make_kinds(fitted(), PRIOR, "master"), greedy.make(game)

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        if not isinstance(legal[0], PlayCard) or len(view.table.options.fan) > 1:
            return self._greedy.choose(view, legal, rng)
        now, looks, weights = situation_of(view), np.zeros(PLAYS * LOOK, np.int64), np.zeros(PLAYS)
        base, twist, dice = HANDS + STRIDE * now.seat, int(now.world[TWISTS + now.seat]), np.zeros(1, np.uint64)
        roll(dice, rng.getrandbits(62), 0)
        options = see(now.world, base, now.size, twist, now.world, now.seats, looks)
        total = weigh(looks, options, self._kinds.factors, self._kinds.own, weights)
        play = int(looks[LOOK * draw(weights, options, total, dice) + LOOKS])
        return PlayCard(play >> 1, bool(play & 1))


class ExpertBot(SearchBot):
    """Searches less, takes everybody for a careless player and forgets what has been played by whom."""

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        forgotten = replace(view, table=replace(view.table, history=History()))
        return super().choose(forgotten, legal, rng)


def club(game: AnyGame) -> ClubBot:
    return ClubBot(game)


def expert(game: AnyGame) -> ExpertBot:
    del game
    return ExpertBot(make_kinds({}, CARELESS, "careless"), EXPERT, BLEND)


def master(game: AnyGame) -> SearchBot:
    del game
    return SearchBot(make_kinds(fitted(), PRIOR, "master"), MASTER, BLEND)


def warm_up() -> None:
    """One decision of every kind."""
    bot, rng = SearchBot(make_kinds(fitted(), PRIOR, "master"), Effort(8, 8, 1, 1, 1.0), BLEND), Random(1)
    ClubBot(SIX).choose(*_asked(table_position([[10], [20], [30], [40]], [[1, 50], [2, 60]])), rng)
    bot.choose(*_asked(table_position([[10], [20], [30], [40]], [[1, 50], [2, 60]])), rng)
    known = table_position([[10], [20], [24], [4]], [[1, 5], [2, 6]], options=Options(draft=True))
    bot.choose(*_asked(known), rng)
    state = SIX.setup(Options(draft=True), 2)
    bot.choose(SIX.view(state, 0), SIX.legal(state, 0), rng)


def _asked(state: object) -> tuple[View, Sequence[Action]]:
    return SIX.view(state, 0), SIX.legal(state, 0)  # type: ignore[arg-type]
