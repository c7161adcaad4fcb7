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
    """How many ways end how: the points of the round, or of the match with its winners if that has no rounds."""

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
                endings[ending_of(game, after)] += number
    return following


def ending_of(game: AnyGame, state: Any) -> tuple[int, ...]:
    scores, outcome = getattr(state.table, "scores", ()), game.outcome(state)
    if scores:
        return tuple(scores[-1])
    return (*outcome.points, *outcome.winners) if outcome else ()
