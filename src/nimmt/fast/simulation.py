"""`nimmt.simulate`: many rounds by simple players, and what came of them as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nimmt.fast.game import FastGame, check_seed, check_whole, get_fast
from nimmt.rules.game import Options
from nimmt.rules.kit.options import find_variant, read_options

Counts = NDArray[np.int16]


@dataclass(frozen=True)
class SimulationResult:
    """What was played, and a line for each round of it."""

    game: str
    options: Options
    policies: tuple[str, ...]
    """What each seat plays by."""
    seed: int
    points: Counts
    """(rounds, seats): points of the round. All seats of a team have the team's."""
    taken: Counts
    """(rounds, seats): how many rows, or piles, each seat has taken."""
    turns: Counts
    """(rounds,): how many turns it took."""
    rival: Counts | None = None
    """(rounds,): the points of whom the team plays against, in Beat the Buffalo."""

    @property
    def rounds(self) -> int:
        return len(self.points)

    @property
    def seats(self) -> int:
        return len(self.policies)

    @property
    def wins(self) -> NDArray[np.float64]:
        """(rounds, seats): each seat's share of the win; equals share it, and a team wins together or not at all."""
        if self.rival is not None:
            return np.repeat((self.points[:, :1] < self.rival[:, None]).astype(np.float64), self.seats, axis=1)
        most_wins = getattr(self.options, "bulls_are_good", False)
        best = self.points.max(axis=1) if most_wins else self.points.min(axis=1)
        won = self.points == best[:, None]
        shares: NDArray[np.float64] = won / won.sum(axis=1, keepdims=True)
        return shares


def simulate(
    game: str,
    *,
    seats: int | None = None,
    rounds: int = 1000,
    seed: int = 0,
    variant: str | None = None,
    options: Options | Mapping[str, Any] | None = None,
    policy: str | Sequence[str] = "random",
    threads: int = 1,
) -> SimulationResult:
    """Play single rounds, each from a new deal, and count.

    `seats` is four, or as many as the game takes. `variant` names one of the game's variants, `options` changes some of
    its options. `policy` is what all seats play by, or a list with one for each: `random`, `greedy` and what else the
    game has (`nimmt.fast.get_fast(game).policies`). The same seed gives the same rounds, however many threads play
    them, and asking for more rounds only adds to them.
    """
    fast = get_fast(game)
    settings = _options(fast, variant, options)
    seats = min(4, fast.rules.max_seats) if seats is None else seats
    check_whole(seats=seats, rounds=rounds, threads=threads)
    check_seed(seed)
    fast.rules.setup(settings, seats)  # says what is wrong with options or seats, if anything is
    policies = fast.policy_codes(policy, seats)
    if rounds < 1 or threads < 1:
        raise ValueError("rounds and threads must be 1 or more.")
    points, taken = np.zeros((rounds, seats), np.int16), np.zeros((rounds, seats), np.int16)
    other = np.zeros((rounds, 2), np.int16)

    def play(chunk: int) -> None:
        lines = slice(chunk * fast.chunk, (chunk + 1) * fast.chunk)
        template = fast.template(settings, seats, lines.start)
        fast.play_rounds(template, policies, seed, chunk, points[lines], taken[lines], other[lines])

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(play, range(-(-rounds // fast.chunk))))
    names = {code: name for name, code in fast.policies.items()}
    return SimulationResult(
        game=game,
        options=settings,
        policies=tuple(names[code] for code in policies.tolist()),
        seed=seed,
        points=points,
        taken=taken,
        turns=other[:, 0],
        rival=other[:, 1] if fast.has_rival else None,
    )


def _options(fast: FastGame, variant: str | None, options: Options | Mapping[str, Any] | None) -> Any:
    if isinstance(options, Options):
        if variant is not None:
            raise ValueError("Give a variant with changes as a mapping, or whole options without a variant.")
        return options
    chosen = find_variant(fast.rules, variant) if variant is not None else fast.rules.variants[0]
    return read_options(fast.rules.options_type, {**chosen.options, **(options or {})})
