"""`nimmt.simulate`: many rounds or whole matches by simple players, or by yours, and what came of them as arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, TypeAlias

import numba
import numpy as np
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numpy.typing import NDArray

from nimmt.envs.batched import BatchEnv, refuse_idle
from nimmt.fast import simulation
from nimmt.fast.arguments import (
    InvalidArgument,
    InvalidType,
    check_flags,
    check_number_of_policies,
    check_range,
    check_whole,
)
from nimmt.fast.game import get_fast
from nimmt.fast.simulation import SimulationResult, fresh_seed
from nimmt.rules.game import Options
from nimmt.rules.kit.events import count
from nimmt.rules.kit.options import chosen_options
from nimmt.rules.kit.seats import usual_seats

Policy: TypeAlias = str | Callable[..., Any]
"""The name of one, or a function of the observation, the mask and a number from 0 to 1 that Numba can compile: it
returns the number of a legal action."""

MAX_TABLES = 512
DEFAULT_ROUNDS = 1000


@dataclass(frozen=True, repr=False)
class Trajectories:
    """All decisions, a line for each, in the order of steps; seats that only wait are left out."""

    match: NDArray[np.int32]
    """In which round or match, from 0: its line in the result."""
    seat: NDArray[np.int8]
    observation: NDArray[np.float32]
    mask: NDArray[np.int8]
    action: NDArray[np.int64]
    reward: NDArray[np.float32]
    """What the seat gained by the step, and since its last decision."""
    last: NDArray[np.bool_]
    """Whether it was the seat's last decision in the match."""
    layout: Mapping[str, slice]
    """Where in an observation each part stands."""

    def __len__(self) -> int:
        return len(self.match)

    def __repr__(self) -> str:
        features, actions = self.observation.shape[1], self.mask.shape[1]
        return f"<Trajectories: {count(len(self), 'decision')}, {features} features, {actions} actions>"


def simulate(
    game: str,
    *,
    seats: int | None = None,
    rounds: int | None = None,
    matches: int | None = None,
    seed: int | None = None,
    variant: str | None = None,
    options: Options | Mapping[str, Any] | None = None,
    policy: Policy | Sequence[Policy] = "random",
    threads: int = 1,
    trajectories: bool = False,
) -> SimulationResult:
    """Play so many rounds (1,000), each from a new deal, or so many whole matches, and count.

    `seats` is four, or as many as the game takes. `variant` names one of the game's variants, `options` changes some of
    its options; those that change nothing are refused. `policy` is what all seats play by, or a list with one for each:
    `random`, `greedy` and what else the game has (`nimmt.fast.get_fast(game).policies`), or a function of yours that
    Numba can compile: `policy(observation, mask, chance)` returns the number of a legal action (see `docs/envs.md`).
    With `trajectories` all decisions are kept. Without a seed there is a fresh one, which the result tells; the same
    seed plays the same for the same arguments.
    """
    fast = get_fast(game)
    if rounds is not None and matches is not None:
        raise InvalidArgument("not_both", "Give rounds or matches, not both.")
    seats = usual_seats(fast.rules) if seats is None else seats
    settings = chosen_options(fast.rules, variant, options)
    check_whole(seats=seats)
    check_flags(trajectories=trajectories)
    fast.rules.setup(settings, seats)
    if isinstance(options, Mapping):
        refuse_idle(fast.rules, seats, variant, options, whole=matches is not None, instead="give matches")
    policies = _by_seat(policy, seats)
    rounds = DEFAULT_ROUNDS if rounds is None else rounds
    is_plain = matches is None and not trajectories and not any(map(callable, policies))
    if is_plain:
        return simulation.simulate(
            game,
            seats=seats,
            rounds=rounds,
            seed=seed,
            options=settings,
            policy=[str(one) for one in policies],
            threads=threads,
        )
    if threads != 1:
        sentence = "threads has no effect on whole matches, trajectories and policies of yours."
        raise InvalidArgument("no_effect", sentence)
    number, name = (rounds, "rounds") if matches is None else (matches, "matches")
    check_range(1, **{name: number})
    env = BatchEnv(
        game, min(number, MAX_TABLES), seats, seed=fresh_seed(seed), options=settings, single=matches is None
    )
    return _Run(env, number, name, policies, trajectories).play()


def _by_seat(policy: Policy | Sequence[Policy], seats: int) -> list[Policy]:
    if isinstance(policy, str) or callable(policy):
        policies: list[Policy] = [policy] * seats
    elif isinstance(policy, Sequence):
        policies = list(policy)
    else:
        raise InvalidType(f"policy must be a name, a function, or a list of them, not {policy!r:.60}.")
    check_number_of_policies(policies, seats)
    for one in policies:
        if not isinstance(one, str | FunctionType) and not hasattr(one, "py_func"):
            raise InvalidType(f"A policy is a name or a function, not {one!r:.60}.")
    return policies


# -- playing -----------------------------------------------------------------------------------------------------------


def _decide_by(policy: Any, observations: Any, masks: Any, chance: Any, mine: Any, actions: Any) -> None:
    for t in range(len(masks)):
        for seat in range(len(mine)):
            if mine[seat] and masks[t, seat, masks.shape[2] - 1] == 0:
                number = policy(observations[t, seat], masks[t, seat], chance[t, seat])
                actions[t, seat] = number | 0  # does not compile for anything but whole numbers


def _to_read(array: NDArray[Any]) -> NDArray[Any]:
    """The same array for policies, which must not write into it."""
    view = array.view()
    view.flags.writeable = False
    return view


class _Run:
    """Matches at tables side by side. Each table plays its share of them: short ones do not count more often."""

    def __init__(self, env: BatchEnv, number: int, unit: str, policies: Sequence[Policy], keep: bool) -> None:
        self.env, self.unit, self.keep = env, unit, keep
        self.share = np.full(env.tables, number // env.tables)
        self.share[: number % env.tables] += 1
        self.first = np.concatenate([[0], np.cumsum(self.share)[:-1]])
        self.done = np.zeros(env.tables, np.int64)
        self.points = np.zeros((number, env.seats), np.int32)
        self.won = np.zeros((number, env.seats))
        self.steps = np.zeros(number, np.int32)
        self.names = tuple(one if isinstance(one, str) else one.__name__ for one in policies)
        self.core = [one if isinstance(one, str) else "random" for one in policies]
        njit: Any = numba.njit
        self.own = [
            (one if hasattr(one, "py_func") else njit(one), np.array([other is one for other in policies]))
            for one in dict.fromkeys(one for one in policies if callable(one))
        ]
        self.decide: Any = njit(nogil=True)(_decide_by) if self.own else None
        self.rng = np.random.default_rng(env.seed)
        self.lines: list[tuple[Any, ...]] = []

    def play(self) -> SimulationResult:
        env = self.env
        env.reset()
        while (open_tables := self.done < self.share).any():
            actions = env.suggest(self.core)
            for policy, mine in self.own:
                chance = self.rng.random((env.tables, env.seats))
                self._decide(policy, chance, mine, actions)
            match = np.minimum(self.first + self.done, len(self.points) - 1)
            self._note(open_tables, match, actions)
            env.step(actions)
            self.steps[match[open_tables]] += 1
            if self.keep:
                self.lines.append((open_tables, match, env.rewards.copy()))
            ended = np.flatnonzero(env.done & open_tables)
            self.points[match[ended]] = env.points[ended]
            self.won[match[ended]] = env.won[ended]
            self.done[ended] += 1
        return SimulationResult(
            game=env.game.id,
            options=env.options,
            policies=self.names,
            seed=env.seed,
            points=self.points,
            taken=None,
            turns=self.steps,
            unit=self.unit,
            shares=self.won / np.maximum(1, self.won.sum(axis=1, keepdims=True)) if not self._team() else self.won,
            trajectories=self._trajectories() if self.keep else None,
        )

    def _decide(self, policy: Any, chance: Any, mine: Any, actions: Any) -> None:
        try:
            self.decide(policy, _to_read(self.env.observations), _to_read(self.env.masks), chance, mine, actions)
        except (NumbaError, UnsupportedBytecodeError) as error:
            raise InvalidArgument("not_compiled", f"Numba cannot compile {policy.__name__}: {error}") from error

    def _team(self) -> bool:
        return get_fast(self.env.game.id).has_rival

    def _note(self, open_tables: Any, match: Any, actions: Any) -> None:
        if self.keep:
            tables, seats = np.nonzero((actions != self.env.noop) & open_tables[:, None])
            seen, masks = self.env.observations[tables, seats], self.env.masks[tables, seats]
            self.lines.append((match[tables], seats, seen, masks, actions[tables, seats]))

    def _trajectories(self) -> Trajectories:
        """What a seat gains while it waits is paid to its last decision."""
        noted, paid = self.lines[::2], self.lines[1::2]
        match, seat, seen, masks, action = (np.concatenate(part) for part in zip(*noted, strict=True))
        reward, last = np.zeros(len(match), np.float32), np.zeros(len(match), np.bool_)
        latest = np.full((len(self.points), self.env.seats), -1, np.int64)
        start = 0
        for (lines, seats, *_), (open_tables, matches, rewards) in zip(noted, paid, strict=True):
            latest[lines, seats] = np.arange(start, start + len(lines))
            start += len(lines)
            decisions = latest[matches[open_tables]]
            gains = rewards[open_tables]
            np.add.at(reward, decisions[decisions >= 0], gains[decisions >= 0])
        last[latest[latest >= 0]] = True
        return Trajectories(
            match.astype(np.int32), seat.astype(np.int8), seen, masks, action, reward, last, self.env.layout
        )
