"""Judges evaluate every action in many worlds sampled to fit a seat's view: the yardstick of reviews.

A judge is fixed before any match is seen. It samples worlds uniformly, tries each action in each of them, and rolls out
with the same policy for all seats. The last column is that policy's own choice: the seat's expectation before it
decides. Averaged over all deals it equals the mean of whole rounds played by the policy, so luck measured against it
has mean zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from hashlib import sha256
from importlib import import_module
from typing import Any, NamedTuple, Protocol, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from nimmt.bots.levels import strength_of
from nimmt.bots.simple import cost_of
from nimmt.bots.worlds import first_decision
from nimmt.fast import kernels
from nimmt.fast.game import get_fast
from nimmt.fast.kernels import Lines, Players, new_lines
from nimmt.rules.game import Action, AnyGame, Options, Seat

Floats: TypeAlias = NDArray[np.float64]
Codes: TypeAlias = NDArray[np.int64]

MAX_ACTIONS = 24
"""Of longer lists the cheapest at once are tried, and what was really done."""
POLICY = "careless"


class Trial(NamedTuple):
    """Outcomes by world and action; the last column is the rollout policy's own choice."""

    points: Floats
    """Points of the round, for every seat."""
    rival: Floats
    """Points of a team's rival."""
    soon: Floats
    """Points the seat gains in this turn."""
    taken: Floats
    """Rows (or piles) it has taken by the end of the turn."""
    so_far: Floats
    """A single number: the seat's points in this round before the decision, minus the rival's."""
    weights: Floats | None = None
    """The probability of each world after each action, if the ending was solved: worlds are then all possible ends of
    the round, and the last column is the best action. Without weights all worlds are equally likely."""

    def share(self, values: Floats, action: int) -> float:
        """The mean over worlds, for this action."""
        if self.weights is None:
            return float(values[:, action].mean())
        return float(values[:, 0] @ self.weights[:, action])


class Rounds(NamedTuple):
    """Whole rounds played by the rollout policy: points by round and seat, and the rival's."""

    points: Floats
    rival: Floats


class Judge(Protocol):
    name: str
    """With the version of what it goes by: another one gives other figures."""

    def __hash__(self) -> int: ...

    def alike(self, options: Options) -> bool:
        """Whether all seats have the same expectation before a deal, in every round."""

    def considered(self, view: Any, legal: Sequence[Action], done: Action) -> Sequence[Action]:
        """The actions to compare: all legal ones, or the best of very many; always includes `done`."""

    def rounds(self, options: Options, seats: int, number: int, seat: Seat, count: int, seed: int) -> Rounds:
        """Play round `number` of a match `count` times, with fresh deals."""

    def try_out(self, view: Any, actions: Sequence[Action], worlds: int, seed: int) -> Trial: ...

    def rival(self, state: Any) -> float:
        """The points of a team's rival at the end of the round; None without a rival."""

    def extra(self, view: Any, action: Action) -> tuple[str, Action] | None:
        """The special card that an action uses, and the action of going on without it."""


def digest_of(*parts: Any) -> str:
    """A short hash of arrays and names."""
    joined = b"\0".join(part.tobytes() if isinstance(part, np.ndarray) else str(part).encode() for part in parts)
    return sha256(joined).hexdigest()[:12]


def seed_of(name: str, view: Any) -> int:
    """A seed derived from the view alone, so that hidden cards cannot influence it."""
    return int.from_bytes(sha256(name.encode() + msgspec.json.encode(view)).digest()[:7], "big")


def as_trial(lines: Lines, soon: Lines, before: Lines, seat: Seat) -> Trial:
    return Trial(
        points=lines.points.astype(np.float64),
        rival=lines.other[..., 1].astype(np.float64),
        soon=(soon.points[..., seat] - before.points[0, seat]).astype(np.float64),
        taken=(soon.taken[..., seat] - before.taken[0, seat]).astype(np.float64),
        so_far=np.array(before.points[0, seat] - before.other[0, 1], np.float64),
    )


class KernelJudge:
    """Judges any game with kernels; the rollout policy is greedy with occasional random actions."""

    def __init__(self, game: AnyGame) -> None:
        self._game, self._fast, self._slips = game, get_fast(game.id), strength_of(game).careless
        self._cost = cost_of(game)
        self.name = f"{game.id}-{POLICY}-1 {digest_of(game.id, game.rules_version, POLICY, self._slips)}"

    def alike(self, options: Options) -> bool:
        del options
        return strength_of(self._game).alike

    def considered(self, view: Any, legal: Sequence[Action], done: Action) -> Sequence[Action]:
        if len(legal) <= MAX_ACTIONS or self._cost is None:
            return legal[:MAX_ACTIONS] if done in legal[:MAX_ACTIONS] else [*legal[: MAX_ACTIONS - 1], done]
        cost = self._cost
        cheapest = sorted(legal, key=lambda action: cost(view, action))[:MAX_ACTIONS]
        return cheapest if done in cheapest else [*cheapest[:-1], done]

    def rounds(self, options: Options, seats: int, number: int, seat: Seat, count: int, seed: int) -> Rounds:
        del seat
        fast, lines = self._fast, new_lines(count, seats)
        template = fast.template(options, seats, number)
        kernels.play_rounds(
            template, fast.sorted_decks(), self._players(seats), kernels.seeded(np.uint64(seed), 0), lines
        )
        return Rounds(lines.points.astype(np.float64), lines.other[:, 1].astype(np.float64))

    def try_out(self, view: Any, actions: Sequence[Action], worlds: int, seed: int) -> Trial:
        fast, seats = self._fast, view.table.seats
        codes = np.array([self.code(view, action) for action in actions], np.int64)
        flats = fast.worlds(view, fast.shuffled(view, worlds, seed))
        lines, soon = new_lines(worlds, len(codes) + 1, seats), new_lines(worlds, len(codes) + 1, seats)
        kernels.judge(flats, view.seat, codes, self._players(seats), np.uint64(seed), lines, soon)
        return as_trial(lines, soon, self._so_far(flats[:1], seats), view.seat)

    def rival(self, state: Any) -> float:
        return float(self._fast.points_by_rules(state)[-1]) if self._fast.has_rival else 0.0

    def extra(self, view: Any, action: Action) -> tuple[str, Action] | None:
        del view, action
        return None

    def code(self, view: Any, action: Action) -> int:
        del view
        return self._fast.encode(action)

    def _players(self, seats: int) -> Players:
        return Players(self._fast.policy_codes(POLICY, seats), np.array([self._slips], np.float32))

    def _so_far(self, flats: NDArray[Any], seats: int) -> Lines:
        lines = new_lines(1, seats)
        kernels.tally_all(flats, lines)
        return lines


def warm_up(game: AnyGame) -> None:
    """Judge a first decision in a few worlds and play a round: that uses all kernels."""
    (view, legal), judge = first_decision(game), judge_of(game)
    judge.try_out(view, legal, 2, 1)
    judge.rounds(view.table.options, view.table.seats, 1, view.seat, 2, 1)


@cache
def judge_of(game: AnyGame) -> Judge:
    """The judge of this game: the one it declares, or the default on its kernels."""
    path = strength_of(game).judge
    module, _, name = path.partition(":")
    judge: Judge = getattr(import_module(module), name)(game)
    return judge
