"""Simulations of many rounds, and rollouts of actions in many worlds, with results as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from secrets import randbits
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nimmt.fast import kernels
from nimmt.fast.arguments import check_range, check_seed, check_whole
from nimmt.fast.game import FastGame, get_fast
from nimmt.fast.jit import Flats
from nimmt.fast.kernels import Lines, Players, new_lines
from nimmt.rules import registry
from nimmt.rules.game import Action, Options
from nimmt.rules.kit.options import chosen_options
from nimmt.rules.kit.seats import usual_seats

# -- simulation --------------------------------------------------------------------------------------------------------
# `nimmt.simulate`: many rounds by simple players, with results as arrays.

Counts = NDArray[Any]


def fresh_seed(seed: int | None) -> int:
    """The seed, or a fresh one if none is given."""
    return randbits(63) if seed is None else seed


@dataclass(frozen=True, repr=False)
class SimulationResult:
    """What was played, and one line of results per round."""

    game: str
    options: Options
    policies: tuple[str, ...]
    """The policy of each seat."""
    seed: int
    points: Counts
    """(rounds, seats): points of the round, or of the match. All seats of a team have the team's."""
    taken: Counts | None
    """(rounds, seats): how many rows, or piles, each seat has taken; of plain rounds only."""
    turns: Counts
    """(rounds,): how many turns it took; in whole matches, how many steps."""
    rival: Counts | None = None
    """(rounds,): the points of whom the team plays against, in Beat the Buffalo; of plain rounds only."""
    unit: str = "rounds"
    """What a line stands for: `rounds` or `matches`."""
    shares: NDArray[np.float64] | None = None
    """Who won, where it does not follow from the points of the lines alone."""
    trajectories: Any = None
    """All decisions, if they were asked for."""

    @property
    def rounds(self) -> int:
        return len(self.points)

    @property
    def seats(self) -> int:
        return len(self.policies)

    @property
    def wins(self) -> NDArray[np.float64]:
        """(rounds, seats): each seat's share of the win; equals share it, and a team wins together or not at all."""
        if self.shares is not None:
            return self.shares
        if self.rival is not None:
            return np.repeat((self.points[:, :1] < self.rival[:, None]).astype(np.float64), self.seats, axis=1)
        most_wins = registry.get(self.game).high_score_wins(self.options)
        best = self.points.max(axis=1) if most_wins else self.points.min(axis=1)
        won = self.points == best[:, None]
        shares: NDArray[np.float64] = won / won.sum(axis=1, keepdims=True)
        return shares

    # -- for people and other tools -----------------------------------------------------------------------------

    def __str__(self) -> str:
        """A small table: what each seat played by, and what it came to."""
        wins, means, spread = self.wins.mean(axis=0), self.points.mean(axis=0), self.points.std(axis=0)
        lines = [
            (str(seat), name, f"{wins[seat]:.1%}", f"{means[seat]:.2f}", f"{spread[seat]:.2f}")
            for seat, name in enumerate(self.policies)
        ]
        heads = ("seat", "policy", "wins", "points", "spread")
        widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]
        rows = [
            "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in (heads, *lines)
        ]
        return "\n".join([f"{self.game}: {self.rounds:,} {self.unit}, seed {self.seed}", *rows])

    __repr__ = __str__

    def columns(self) -> dict[str, NDArray[Any]]:
        """A line for each round (or match) and seat, as columns."""
        rounds, seats = self.points.shape
        found: dict[str, NDArray[Any]] = {
            {"rounds": "round", "matches": "match"}[self.unit]: np.repeat(np.arange(rounds), seats),
            "seat": np.tile(np.arange(seats), rounds),
            "policy": np.tile(np.array(self.policies), rounds),
            "points": self.points.reshape(-1),
            "won": self.wins.reshape(-1),
            "turns": np.repeat(self.turns, seats),
        }
        if self.taken is not None:
            found["taken"] = self.taken.reshape(-1)
        if self.rival is not None:
            found["rival"] = np.repeat(self.rival, seats)
        return found

    def frame(self) -> Any:
        """The columns as a frame of pandas, or else of Polars, whichever is installed; if neither is, as a dictionary
        of arrays."""
        for name in ("pandas", "polars"):
            try:
                return import_module(name).DataFrame(self.columns())
            except ModuleNotFoundError:
                continue
        return self.columns()


def simulate(
    game: str,
    *,
    seats: int | None = None,
    rounds: int = 1000,
    seed: int | None = None,
    variant: str | None = None,
    options: Options | Mapping[str, Any] | None = None,
    policy: str | Sequence[str] = "random",
    threads: int = 1,
) -> SimulationResult:
    """Play single rounds, each from a new deal, and count.

    `seats` is four, or as many as the game takes. `variant` names one of the game's variants, `options` changes some of
    its options. `policy` is what all seats play by, or a list with one for each: `random`, `greedy` and what else the
    game has (`nimmt.fast.get_fast(game).policies`). The same seed gives the same rounds, however many threads play
    them, and asking for more rounds only adds to them; without a seed there is a fresh one, which the result tells.
    """
    fast = get_fast(game)
    settings = chosen_options(fast.rules, variant, options)
    seats = usual_seats(fast.rules) if seats is None else seats
    check_whole(seats=seats)
    check_range(1, rounds=rounds, threads=threads)
    seed = fresh_seed(seed)
    check_seed(seed)
    fast.rules.setup(settings, seats)  # says what is wrong with options or seats, if anything is
    policies = fast.policy_codes(policy, seats)
    lines = new_lines(rounds, seats)

    def play(chunk: int) -> None:
        mine = slice(chunk * fast.chunk, (chunk + 1) * fast.chunk)
        fast.play_rounds(fast.template(settings, seats, mine.start), policies, seed, chunk, lines.part(mine))

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(play, range(-(-rounds // fast.chunk))))
    names = {code: name for name, code in fast.policies.items()}
    return SimulationResult(
        game=game,
        options=settings,
        policies=tuple(names[code] for code in policies.tolist()),
        seed=seed,
        points=lines.points,
        taken=lines.taken,
        turns=lines.other[:, 0],
        rival=lines.other[:, 1] if fast.has_rival else None,
    )


# -- trials ------------------------------------------------------------------------------------------------------------
# Rollouts of all actions in many worlds: what a search bot needs, in one call.

NO_PARAMS = np.zeros(1, dtype=np.float32)


def rollouts(
    game: str,
    view: Any,
    actions: Sequence[Action],
    *,
    worlds: int | NDArray[np.int8] = 100,
    policy: str | Sequence[str] = "random",
    params: NDArray[np.float32] | None = None,
    seed: int = 0,
    threads: int = 1,
) -> NDArray[np.int16]:
    """Points at the end of the round, by world, action and seat, if the owner of the view does this now.

    A world is a way to deal the cards that the owner has not seen: either so many fair ones, or given as orders of
    those cards (see `FastGame.hidden`), for instance by a belief about what others hold. In each world every action is
    tried with the same chance; then all seats, the own one included, play on by `policy`, which may look into `params`
    (by default what `FastGame.params` has).
    """
    check_seed(seed)
    fast = get_fast(game)
    orders = fast.shuffled(view, worlds, seed) if isinstance(worlds, int) else worlds
    codes = np.array([fast.encode(action) for action in actions], dtype=np.int64)
    policies = fast.policy_codes(policy, view.table.seats)
    params = fast.params() if params is None else params
    fast.check_params(policies, params)
    return roll(fast.worlds(view, orders), view.seat, codes, policies, params, seed, threads)


def roll(
    worlds: Flats,
    seat: int,
    codes: NDArray[np.int64],
    policies: NDArray[np.int64],
    params: NDArray[np.float32] = NO_PARAMS,
    seed: int = 0,
    threads: int = 1,
) -> NDArray[np.int16]:
    """The same for flat worlds and encoded actions and policies."""
    points: NDArray[np.int16] = try_actions(worlds, seat, codes, Players(policies, params), seed, threads).points
    return points


def try_actions(
    worlds: Flats, seat: int, codes: NDArray[np.int64], players: Players, seed: int = 0, threads: int = 1
) -> Lines:
    """All results, not only the points."""
    lines, share = new_lines(len(worlds), len(codes), len(players.policies)), -(-len(worlds) // threads)

    def play(first: int) -> None:
        mine = slice(first, first + share)
        kernels.rollout(worlds[mine], seat, codes, players, np.uint64(seed), first, lines.part(mine))

    if threads == 1:
        play(0)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(play, range(0, len(worlds), share)))
    return lines


def try_out(fast: FastGame) -> None:
    """Call everything a search bot calls once, with its argument types."""
    seats = max(2, fast.rules.min_seats)
    flat = fast.template(fast.rules.options_type(), seats)
    kernels.deal_round(flat, fast.sorted_decks())
    actions = np.zeros(fast.most_actions, dtype=np.int64)
    count = kernels.list_legal(flat, 0, actions)
    roll(flat, 0, actions[:count], fast.policy_codes("random", seats))
    raw = flat.view(np.int8).reshape(1, -1)
    kernels.fill(raw, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros((1, 1), dtype=np.int8))
    kernels.shuffle_rows(fast.sorted_decks(), np.zeros((1, len(fast.sorted_decks())), np.int8), np.uint64(0), 0)
