"""The search that plays Beat the Buffalo at the upper levels.

Cards and rows are tried in sampled worlds for a few turns and judged by the lead over the buffalo: whether the team
wins in the end says so little about one card among forty that a few dozen worlds would choose worse than a greedy
player.

Special cards are examined in two steps: once the cards of a turn lie open, the effect of a use until the end of the
turn is known, and uses that gain nothing are dropped. The others are rolled out to the end of the game, so that the
cost of spending a card includes its later value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

import numpy as np

from nimmt.bots.judge import KernelJudge
from nimmt.bots.worlds import Effort, Floats, Worth, values_of
from nimmt.fast.game import get_fast
from nimmt.games.buffalo import GAME
from nimmt.games.buffalo.bot import considered, gain_of, was_declined
from nimmt.games.buffalo.specials import PIECES
from nimmt.games.buffalo.types import (
    HAND,
    Agree,
    AnyUse,
    Decline,
    Pass,
    Propose,
    Sort,
    Swap,
    Table,
    Use,
    View,
    kind,
)
from nimmt.match.match import Match
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules.game import Action, AnyGame

MAX_USES = 5
"""Uses of special cards to roll out: those with the highest immediate gain."""
LARGE_TEAM = 5


def lead(points: Floats, rival: Floats) -> Floats:
    """The lead over the buffalo, in bulls."""
    ahead: Floats = rival - points[..., 0]
    return ahead


def lead_and_win(points: Floats, rival: Floats) -> Floats:
    """The lead at the end of the game, where a win is worth ten bulls."""
    ahead = lead(points, rival)
    return ahead + 10.0 * (ahead > 0)


def win_and_lead(points: Floats, rival: Floats) -> Floats:
    """Whether the team wins, plus a little for its lead."""
    ahead = lead(points, rival)
    return (ahead > 0) + 0.01 * ahead


class Ways(NamedTuple):
    """Search settings of a level."""

    cards: Effort
    """Search of cards and rows."""
    uses: Effort
    """Search of special cards."""
    worth: Worth = lead_and_win
    """The value of a finished game."""
    caution: float = 0.0
    """The margin by which a special card must beat waiting. Everybody is asked in every window, so without a margin the
    player who overrates a card most would play it."""
    caution_alone: float = 0.0
    """The same margin where nobody else has to agree."""
    doubt: float = 0.0
    """The largest estimated loss at which a proposal is accepted: the proposer knows another hand, and estimates from
    few worlds are noisy."""


SLIPS = 3.0
"""Percentage of random actions of the simulated team."""
EXPERT = Ways(
    cards=Effort(80, SLIPS, turns=3),
    uses=Effort(50, SLIPS),
    caution=1.0,
    caution_alone=5.0,
    doubt=2.0,
)
"""With more rollouts, four Experts win nearly always, and the Master could not be told apart."""
MASTER = Ways(
    cards=Effort(4000, SLIPS, "learned", turns=4),
    uses=Effort(600, SLIPS, "wary"),
    caution=1.0,
    caution_alone=1.0,
    doubt=1.0,
)
MASTER_ALONE = Ways(Effort(3000, SLIPS), Effort(1, SLIPS), win_and_lead)
"""With only the buffalo's cards hidden and short rounds, rollouts to the end say most. There are no special cards."""
FIRST_EXPERT = Ways(Effort(120, SLIPS), Effort(120, SLIPS), win_and_lead, caution_alone=0.3, doubt=0.01)
FIRST_EXPERT_IN_LARGE_TEAMS = FIRST_EXPERT._replace(cards=Effort(30, SLIPS), uses=Effort(30, SLIPS))


class BuffaloBot:
    def __init__(self, ways: Ways, in_large_teams: Ways | None = None, alone: Ways | None = None) -> None:
        self._fast, self._ways = get_fast(GAME.id), ways
        self._in_large_teams, self._alone = in_large_teams or ways, alone or ways

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        seed, window, ways = rng.getrandbits(62), view.table.window, self._ways_of(view)
        legal = considered(view, legal)
        if len(legal) == 1:
            return legal[0]
        if window is None:
            return self._best(view, legal, ways.cards, seed)
        if window.proposal is not None:
            return self._answer(view, window.proposal.use, seed)
        if view.table.options.decide == "anyone":
            return self._best(view, [Pass(), *map(Use, promising(view))], ways.uses, seed, ways.caution_alone)
        proposals = [Propose(use) for use in promising(view) if not was_declined(view.table, use)]
        return self._best(view, [Pass(), *proposals], ways.uses, seed, ways.caution)

    def _ways_of(self, view: View) -> Ways:
        if view.table.seats == 1:
            return self._alone
        return self._ways if view.table.seats < LARGE_TEAM else self._in_large_teams

    def _answer(self, view: View, use: AnyUse, seed: int) -> Action:
        ways = self._ways_of(view)
        without, with_it = self._values(view, [Pass(), Propose(use)], ways.uses, seed)
        return Agree() if with_it >= without - ways.doubt else Decline()

    def _best(self, view: View, actions: Sequence[Action], effort: Effort, seed: int, caution: float = 0.0) -> Action:
        """The first one, unless another is better by more than the caution."""
        if len(actions) == 1:
            return actions[0]
        values = self._values(view, actions, effort, seed)
        values[0] += caution
        return actions[int(values.argmax())]

    def _values(self, view: View, actions: Sequence[Action], effort: Effort, seed: int) -> Floats:
        """Roll out to the end of the game if it is near."""
        codes = np.array([self._fast.encode(action) for action in actions], np.int64)
        if view.table.turn + effort.turns > HAND:
            effort = effort._replace(turns=0)
        worth = lead if effort.turns else self._ways_of(view).worth
        return values_of(self._fast, view, codes, effort, worth, seed)


def promising(view: View) -> list[AnyUse]:
    """Uses that gain something in this turn, best first; and swapping one's own card."""
    gains = {use: gain_of(view, use) for use in _open_uses(view.table)}
    if _has(view.table, "Sort") and len(view.table.queue) > 1:
        gains |= _sortings(view)
    useful = sorted((use for use in gains if gains[use] > 0), key=lambda use: -gains[use])[:MAX_USES]
    own = [Swap(view.seat or 0)] if _has(view.table, "Swap") else []
    return useful + [use for use in own if PIECES["Swap"].refusal(view.table, use) is None]


def _has(table: Table, name: str) -> bool:
    return any(kind(special) == name for special in table.face_up)


def _open_uses(table: Table) -> Iterator[AnyUse]:
    """All uses except those that depend on a hand or number in the thousands."""
    for name in dict.fromkeys(kind(special) for special in table.face_up):
        if name not in ("Swap", "Sort"):
            yield from PIECES[name].uses(table)
    yield from PIECES["Lift"].uses(table)


def _sortings(view: View) -> dict[AnyUse, int]:
    """Orders with one card moved, and the best of them with another one moved."""
    present = tuple(play.seat for play in view.table.queue)
    gains: dict[AnyUse, int] = {Sort(order): gain_of(view, Sort(order)) for order in _moves(present)}
    best = max(gains, key=lambda use: gains[use])
    assert isinstance(best, Sort)
    again = set(_moves(best.order)) - {present}
    return gains | {Sort(order): gain_of(view, Sort(order)) for order in sorted(again)}


def _moves(order: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every order in which one of these has moved to another place."""
    for source, moved in enumerate(order):
        rest = order[:source] + order[source + 1 :]
        for target in range(len(order)):
            if target not in (source, source - 1):  # to move one down is to move the other one up
                yield (*rest[:target], moved, *rest[target:])


class BuffaloJudge(KernelJudge):
    """The team decides as one: to agree to a proposal is to carry it out, to decline is to pass."""

    def considered(self, view: View, legal: Sequence[Action], done: Action) -> Sequence[Action]:
        window = view.table.window
        if window is None:
            return super().considered(view, legal, done)
        if window.proposal is not None:
            return [action for action in legal if isinstance(action, Agree | Decline)]
        if isinstance(done, Propose) and view.table.seats > 1:
            return ()  # nothing has happened yet: whoever agrees decides
        lays: type[Propose | Use] = Use if view.table.options.decide == "anyone" else Propose
        uses = [action for use in promising(view) if (action := lays(use)) in legal]
        return [Pass(), *uses] if done in [Pass(), *uses] else [Pass(), *uses, done]

    def extra(self, view: View, action: Action) -> tuple[str, Action] | None:
        proposal = view.table.window.proposal if view.table.window else None
        if isinstance(action, Agree) and proposal is not None:
            return type(proposal.use).__name__, Decline()
        if isinstance(action, Use) or (isinstance(action, Propose) and view.table.seats == 1):
            return type(action.use).__name__, Pass()
        return None

    def code(self, view: View, action: Action) -> int:
        proposal = view.table.window.proposal if view.table.window else None
        if proposal is not None:
            return self._fast.encode(Propose(proposal.use) if isinstance(action, Agree) else Pass())
        return super().code(view, action)


def expert(game: AnyGame) -> BuffaloBot:
    del game
    return BuffaloBot(EXPERT)


def first_expert(game: AnyGame) -> BuffaloBot:
    """The Expert as it was when the puzzles were mined."""
    del game
    return BuffaloBot(FIRST_EXPERT, FIRST_EXPERT_IN_LARGE_TEAMS)


def master(game: AnyGame) -> BuffaloBot:
    del game
    return BuffaloBot(MASTER, alone=MASTER_ALONE)


def warm_up(game: AnyGame) -> None:
    """Make a first decision like the Master, with and without truncated rollouts, which uses all kernels."""
    match = Match(game, game.options_type(), [SeatInfo("A")], Dealer(bytes(32), [""]))
    for turns in (1, 0):
        ways = Ways(Effort(1, SLIPS, turns=turns), Effort(1, SLIPS))
        BuffaloBot(ways).choose(game.view(match.state, 0), game.legal(match.state, 0), Random(1))
