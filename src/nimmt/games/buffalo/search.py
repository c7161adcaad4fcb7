"""What plays Beat the Buffalo at the upper levels.

Cards and rows are tried in imagined worlds, as in the other games. Special cards are looked at twice: when the cards of
a turn lie open, what a use does until the end of the turn can be seen, and uses that gain nothing are put aside. Of the
others it is tried in worlds whether the team wins more often with them or without: so a card that is spent costs what
it would have been good for later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import numpy as np

from nimmt.bots.judge import KernelJudge
from nimmt.bots.worlds import Effort, Floats, values_of
from nimmt.fast.game import get_fast
from nimmt.games.buffalo import GAME
from nimmt.games.buffalo.bot import considered, gain_of, was_declined
from nimmt.games.buffalo.specials import PIECES
from nimmt.games.buffalo.types import Agree, AnyUse, Decline, Pass, Propose, Sort, Swap, Table, Use, View, kind
from nimmt.match.match import Match
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules.game import Action, AnyGame

MASTER_ROUNDS, EXPERT_ROUNDS = 800, 120
LARGE_TEAM, EXPERT_ROUNDS_IN_LARGE_TEAMS = 5, 30
"""Five or six who think as much as four win nearly always: nobody would see that the Master is better."""
SLIPS = 3.0
BLEND = 0.01
"""What a bull more than needed is worth besides the chance to win."""
MAX_USES = 5
"""So many uses of special cards are tried in worlds, those that gain most at once."""
EXPERT_CAUTION = 0.3
"""Where nobody is asked, whoever is most mistaken decides. One who thinks little lays a card only if the team seems to
win so much more often with it."""
DOUBT = 0.01
"""A proposal is agreed to if the team loses no more by it than this: whoever proposed it knows another hand."""


class BuffaloBot:
    def __init__(self, rounds: int, in_large_teams: int | None = None, caution: float = 0.0) -> None:
        self._fast, self._effort = get_fast(GAME.id), Effort(rounds, SLIPS)
        self._effort_in_large_teams, self._caution = Effort(in_large_teams or rounds, SLIPS), caution

    def choose(self, view: View, legal: Sequence[Action], rng: Random) -> Action:
        seed, window = rng.getrandbits(62), view.table.window
        legal = considered(view, legal)
        if len(legal) == 1:
            return legal[0]
        if window is None:
            return self._best(view, legal, seed)
        if window.proposal is not None:
            return self._answer(view, window.proposal.use, seed)
        if view.table.options.decide == "anyone":
            return self._best(view, [Pass(), *map(Use, promising(view))], seed, self._caution)
        proposals = [Propose(use) for use in promising(view) if not was_declined(view.table, use)]
        return self._best(view, [Pass(), *proposals], seed)

    def _answer(self, view: View, use: AnyUse, seed: int) -> Action:
        without, with_it = self._values(view, [Pass(), Propose(use)], seed)
        return Agree() if with_it >= without - DOUBT else Decline()

    def _best(self, view: View, actions: Sequence[Action], seed: int, caution: float = 0.0) -> Action:
        """The first one, unless another is worth more, by more than the caution."""
        if len(actions) == 1:
            return actions[0]
        values = self._values(view, actions, seed)
        values[0] += caution
        return actions[int(values.argmax())]

    def _values(self, view: View, actions: Sequence[Action], seed: int) -> Floats:
        codes = np.array([self._fast.encode(action) for action in actions], np.int64)
        effort = self._effort if view.table.seats < LARGE_TEAM else self._effort_in_large_teams
        return values_of(self._fast, view, codes, effort, chance, seed)


def chance(points: Floats, rival: Floats) -> Floats:
    """Whether the team wins, plus a little for its lead."""
    lead = rival - points[..., 0]
    return (lead > 0) + BLEND * lead


def promising(view: View) -> list[AnyUse]:
    """Uses that gain something in this turn, those that gain most first; and to swap the own card."""
    gains = {use: gain_of(view, use) for use in _open_uses(view.table)}
    if _has(view.table, "Sort") and len(view.table.queue) > 1:
        gains |= _sortings(view)
    useful = sorted((use for use in gains if gains[use] > 0), key=lambda use: -gains[use])[:MAX_USES]
    own = [Swap(view.seat or 0)] if _has(view.table, "Swap") else []
    return useful + [use for use in own if PIECES["Swap"].refusal(view.table, use) is None]


def _has(table: Table, name: str) -> bool:
    return any(kind(special) == name for special in table.face_up)


def _open_uses(table: Table) -> Iterator[AnyUse]:
    """All uses but those that depend on a hand or come in thousands."""
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
    """The team decides as one: whoever agrees to a proposal does what was proposed, whoever declines passes."""

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
    return BuffaloBot(EXPERT_ROUNDS, EXPERT_ROUNDS_IN_LARGE_TEAMS, EXPERT_CAUTION)


def master(game: AnyGame) -> BuffaloBot:
    del game
    return BuffaloBot(MASTER_ROUNDS)


def warm_up(game: AnyGame) -> None:
    """The first decision of a match: all kernels are in it."""
    match = Match(game, game.options_type(), [SeatInfo("A")], Dealer(bytes(32), [""]))
    BuffaloBot(1).choose(game.view(match.state, 0), game.legal(match.state, 0), Random(1))
