"""All that can happen from a position, counted: the number of ways after each action, and of each ending."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

from nimmt.rules.game import AnyGame

DEEPEST = 200


class Counts(NamedTuple):
    ways: tuple[int, ...]
    """Ways to play 0, 1, 2, … actions; those that have ended are not counted any more."""
    endings: Counter[tuple[int, ...]]
    """How many ways lead to the end of the round with which points; the last line of the scores."""

    @property
    def leaves(self) -> int:
        return sum(self.endings.values())


def count_play(game: AnyGame, state: Any, deepest: int = DEEPEST) -> Counts:
    """Every way to go on until a round ends, or for so many actions.

    Of several seats that choose at once the lowest acts first, as their order makes no difference.
    """
    level: Counter[Any] = Counter({state: 1})
    ways, endings = [1], Counter[tuple[int, ...]]()
    for _ in range(deepest):
        level = _after_one_action(game, level, endings)
        if not level:
            break
        ways.append(level.total())
    return Counts(tuple(ways), endings)


def _after_one_action(game: AnyGame, level: Counter[Any], endings: Counter[tuple[int, ...]]) -> Counter[Any]:
    following: Counter[Any] = Counter()
    for state, number in level.items():
        seat = game.pending(state)[0].seat
        for action in game.legal(state, seat):
            after, _ = game.apply(state, seat, action)
            if game.pending(after):
                following[after] += number
            else:
                endings[points_of(game, after)] += number
    return following


def points_of(game: AnyGame, state: Any) -> tuple[int, ...]:
    """The points of the round that has just ended."""
    scores = getattr(state.table, "scores", ())
    outcome = game.outcome(state)
    points: tuple[int, ...] = scores[-1] if scores else outcome.points if outcome else ()
    return points
