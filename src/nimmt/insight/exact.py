"""Endings that can be solved: where the rest of a round is small and nothing is left to guess, its exact value.

Everything goes through the protocol of the rules, so that it serves every game. From a view, all ways are listed in
which the hidden cards may lie; as a rule there must be just one. From there all that can be done is done:

- who has no choice does what must be done;
- who alone has a choice, and can know how all cards lie, does what is best for themselves; a team, for the team;
- if two choose at the same time and all is known to both, they play an equilibrium: mixtures of actions such that
  neither could have fewer points, on average, with another one.

Whatever goes beyond that is not solved, and neither is what takes too many steps.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import perm
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from nimmt.bots.judge import Floats, Judge, Trial, seed_of
from nimmt.fast import kernels
from nimmt.fast.game import get_fast
from nimmt.fast.kernels import new_lines
from nimmt.rules.game import Action, AnyGame, Seat
from nimmt.rules.kit.secret import nobody_has_chosen

MAX_STEPS = 1000
"""Actions that are carried out in thought before an ending counts as too large."""
MAX_WORLDS = 120
MAX_CHOICES = 30
MAX_PAIRS = 12
"""Of actions of two seats: three cards against four. With four each the rest of the tree would be too large."""
_TINY = 1e-7


class Leaf(NamedTuple):
    """A way in which the round can end."""

    points: tuple[float, ...]
    rival: float
    soon: float
    taken: float


Chances: TypeAlias = dict[Leaf, float]
"""How likely the ends are."""


class Unsolved(Exception):
    """This ending is too large, or not everything is known."""


def judged(
    game: AnyGame, judge: Judge, view: Any, legal: Sequence[Action], actions: Sequence[Action], worlds: int
) -> Trial:
    """What comes of each action: exactly, if that can be found out, else in so many imagined worlds."""
    # What is not compared could be best: then nothing is exact.
    solved = solve(game, judge, view, actions) if len(actions) == len(legal) else None
    return judge.try_out(view, actions, worlds, seed_of(judge.name, view)) if solved is None else solved


def solve(game: AnyGame, judge: Judge, view: Any, actions: Sequence[Action]) -> Trial | None:
    """The exact results of the actions of the owner of the view, which are all that are legal; or None."""
    if len(actions) > MAX_CHOICES:
        return None
    try:
        states = list(_worlds(game, view))
        return _Ending(game, judge, view.seat, states[0]).trial(states, actions)
    except Unsolved:
        return None


# -- what is known ----------------------------------------------------------------------------------------------


def _worlds(game: AnyGame, view: Any) -> Iterator[Any]:
    """All states that look like the view, if they are few."""
    unseen = tuple(game.unseen(view))
    for hidden in range(3):
        if _same(game, view, unseen[:hidden], unseen[hidden:]):
            if perm(len(unseen), hidden) > MAX_WORLDS:
                raise Unsolved
            for first in permutations(unseen, hidden):
                rest = [card for card in unseen if card not in first]
                yield nobody_has_chosen(game.imagine(view, (*first, *rest)))
            return
    raise Unsolved


def _same(game: AnyGame, view: Any, first: Sequence[int], rest: Sequence[int]) -> bool:
    """Whether it does not matter in which order the rest of the unseen cards lie."""
    turned = (*rest[1:], *rest[:1])
    return bool(game.imagine(view, (*first, *rest)) == game.imagine(view, (*first, *turned)))


# -- the tree ---------------------------------------------------------------------------------------------------


class _Path(NamedTuple):
    """What has happened to the seat in the turn that is looked at."""

    taken: int = 0
    soon: float | None = None
    """What it has more at the end of that turn; None while it goes on."""


class _Ending:
    def __init__(self, game: AnyGame, judge: Judge, seat: Seat, state: Any) -> None:
        self._game, self._judge, self._seat, self._fast = game, judge, seat, get_fast(game.id)
        self._sign = -1.0 if game.high_score_wins(state.table.options) else 1.0
        self._finished = len(_scores(state))
        self._start, rival, self._turn = self._tally(state)
        self._so_far = self._start - rival
        self._left = MAX_STEPS

    def trial(self, states: Sequence[Any], actions: Sequence[Action]) -> Trial:
        """All ends of the round, and how likely they are after each action; at last, if the seat does what is best."""
        roots = [self._root(state, actions) for state in states]
        ends = [_mixed(column, [1 / len(roots)] * len(roots)) for column in zip(*roots, strict=True)]
        if len(ends) == len(actions):
            ends.append(min(ends, key=lambda chances: self._cost(chances, self._seat)))
        leaves = sorted({leaf for chances in ends for leaf in chances})
        return Trial(
            points=np.array([leaf.points for leaf in leaves])[:, None, :],
            rival=np.array([[leaf.rival] for leaf in leaves]),
            soon=np.array([[leaf.soon] for leaf in leaves]),
            taken=np.array([[leaf.taken] for leaf in leaves]),
            so_far=np.array(self._so_far),
            weights=np.array([[chances.get(leaf, 0.0) for chances in ends] for leaf in leaves]),
        )

    def _root(self, state: Any, actions: Sequence[Action]) -> list[Chances]:
        """After each action; and after the best mixture of them, where another chooses at the same time."""
        state, path, choosing = self._until_choice(state, _Path())
        if self._seat not in choosing:
            raise Unsolved
        if len(choosing) == 1 or self._game.cooperative:
            return [self._value(*self._after(state, self._seat, action, path)) for action in actions]
        seats = (self._seat, *(seat for seat in choosing if seat != self._seat))
        table, (own, other) = self._matrix(state, path, seats, actions)
        after = [_mixed(line, other) for line in table]
        return [*after, _mixed(after, own)]

    def _value(self, state: Any, path: _Path) -> Chances:
        """How likely the ends are from here, everybody doing what is best for them."""
        state, path, choosing = self._until_choice(state, path)
        if not choosing:
            return {self._leaf(state, path): 1.0}
        seat = choosing[0]
        if len(choosing) == 1 or self._game.cooperative:
            self._must_know(state, seat)
            ends = [self._value(*self._after(state, seat, action, path)) for action in self._legal(state, seat)]
            return min(ends, key=lambda chances: self._cost(chances, seat))
        table, (first, second) = self._matrix(state, path, choosing, self._legal(state, seat))
        return _mixed([_mixed(line, second) for line in table], first)

    def _matrix(
        self, state: Any, path: _Path, seats: Sequence[Seat], actions: Sequence[Action]
    ) -> tuple[list[list[Chances]], tuple[Sequence[float], Sequence[float]]]:
        """What comes of each pair of actions of two seats, and how an equilibrium mixes them."""
        if len(seats) != 2:
            raise Unsolved
        one, other = seats
        answers = self._legal(state, other)
        if len(actions) * len(answers) > MAX_PAIRS:
            raise Unsolved
        for seat in seats:
            self._must_know(state, seat)
        table = []
        for action in actions:
            chosen = self._after(state, one, action, path)
            table.append([self._value(*self._after(chosen[0], other, answer, chosen[1])) for answer in answers])
        costs = [np.array([[self._cost(chances, seat) for chances in line] for line in table]) for seat in seats]
        return table, equilibrium(*costs)

    # -- steps --------------------------------------------------------------------------------------------------

    def _until_choice(self, state: Any, path: _Path) -> tuple[Any, _Path, list[Seat]]:
        """On to where somebody has a choice; nobody has one when the round is over."""
        while not self._is_over(state):
            waiting = [decision.seat for decision in self._game.pending(state)]
            forced = [seat for seat in waiting if len(self._game.legal(state, seat)) == 1]
            if not forced:
                return state, path, waiting
            state, path = self._after(state, forced[0], self._game.legal(state, forced[0])[0], path)
        return state, path, []

    def _after(self, state: Any, seat: Seat, action: Action, path: _Path) -> tuple[Any, _Path]:
        self._left -= 1
        if self._left < 0:
            raise Unsolved
        state, events = self._game.apply(state, seat, action)
        if path.soon is not None:
            return state, path
        path = path._replace(taken=path.taken + sum(event.taker() == self._seat for event in events))
        if not self._is_over(state):
            points, _, turn = self._tally(state)
            if turn != self._turn:
                path = path._replace(soon=points - self._start)
        return state, path

    def _legal(self, state: Any, seat: Seat) -> Sequence[Action]:
        legal = self._game.legal(state, seat)
        if len(legal) > MAX_CHOICES:
            raise Unsolved
        return legal

    def _must_know(self, state: Any, seat: Seat) -> None:
        """Who chooses what is best must be able to know how all cards lie."""
        view = self._game.view(state, seat)
        if not _same(self._game, view, (), self._game.unseen(view)):
            raise Unsolved

    def _is_over(self, state: Any) -> bool:
        return self._game.outcome(state) is not None or len(_scores(state)) > self._finished

    def _tally(self, state: Any) -> tuple[float, float, int]:
        """The seat's points in this round so far, the rival's, and how many turns there have been."""
        lines = new_lines(1, state.table.seats)
        kernels.tally_all(self._fast.load(state), lines)
        return float(lines.points[0, self._seat]), float(lines.other[0, 1]), int(lines.other[0, 0])

    def _leaf(self, state: Any, path: _Path) -> Leaf:
        outcome = self._game.outcome(state)
        together = self._game.cooperative and outcome is not None
        points = outcome.points if together and outcome else _scores(state)[-1]
        soon = points[self._seat] - self._start if path.soon is None else path.soon
        rival = self._judge.rival(state) if together else 0.0
        return Leaf(tuple(map(float, points)), rival, float(soon), float(path.taken))

    def _cost(self, chances: Chances, seat: Seat) -> float:
        """What a seat wants to keep low."""
        return self._sign * sum(chance * (leaf.points[seat] - leaf.rival) for leaf, chance in chances.items())


def _mixed(parts: Sequence[Chances], weights: Sequence[float]) -> Chances:
    mixed: Chances = {}
    for part, weight in zip(parts, weights, strict=True):
        for leaf, chance in part.items():
            if weight > 0:
                mixed[leaf] = mixed.get(leaf, 0.0) + weight * chance
    return mixed


def _scores(state: Any) -> Any:
    return getattr(state.table, "scores", ())


# -- equilibrium ------------------------------------------------------------------------------------------------


def equilibrium(mine: Floats, theirs: Floats) -> tuple[Sequence[float], Sequence[float]]:
    """How two who choose at the same time mix their actions so that neither can have lower costs by another mixture.

    `mine` and `theirs` are the costs of the two by the action of the one (rows) and of the other (columns). With few
    actions the simplest way is to try which of them are played at all, the fewest first; of several equilibria that one
    counts that costs both together least. Ties would have no end of equilibria: a trifle tells equal costs apart.
    """
    rows, columns = mine.shape
    trifles = _TINY * np.modf(np.arange(1, 2 * rows * columns + 1) * 0.6180339887498949)[0].reshape(2, rows, columns)
    first, second = mine + trifles[0], theirs + trifles[1]
    for size in range(1, min(rows, columns) + 1):
        found = []
        for some in combinations(range(rows), size):
            for others in combinations(range(columns), size):
                q = _balanced(first, some, others)
                p = _balanced(second.T, others, some)
                if p is not None and q is not None:
                    found.append((float(p @ (mine + theirs) @ q), p.tolist(), q.tolist()))
        if found:
            _, one, other = min(found)
            return one, other
    raise Unsolved  # rounding has hidden it


def _balanced(costs: Floats, rows: Sequence[int], columns: Sequence[int]) -> Floats | None:
    """The mixture of these columns by which these rows cost the same, and no other row less; None if there is none."""
    size = len(rows)
    system = np.ones((size + 1, size + 1))
    system[:size, :size], system[:size, size], system[size, size] = costs[np.ix_(rows, columns)], -1.0, 0.0
    try:
        solved = np.linalg.solve(system, np.r_[np.zeros(size), 1.0])
    except np.linalg.LinAlgError:
        return None
    mixture = np.zeros(costs.shape[1])
    mixture[list(columns)] = solved[:size]
    ok = solved[:size].min() >= 0 and (costs @ mixture).min() >= solved[size] - _TINY * 1e-3
    return mixture if ok else None
