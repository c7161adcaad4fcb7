"""Many tables of a game side by side, on the fast core: `nimmt.envs.batch("six", tables=4096)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Any

import numpy as np
from msgspec.structs import asdict, replace
from numpy.typing import NDArray

from nimmt.envs.codec import Array, Codec, Mask, get_codec
from nimmt.envs.lifetime import Lifetime
from nimmt.fast import batch as kernels
from nimmt.fast.arguments import (
    InvalidArgument,
    InvalidType,
    check_flags,
    check_range,
    check_seed,
    check_whole,
)
from nimmt.fast.batch import AGAIN, CARDS, DECIDE, MATCH, RESET, RIVAL, ROUNDS, SETTLE, SHOW, SIGN, TARGET, TASK
from nimmt.fast.game import FastGame, get_fast
from nimmt.fast.jit import direct
from nimmt.fast.kernels import Players
from nimmt.fast.simulation import fresh_seed
from nimmt.match.match import single_deal
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, IllegalAction, InvalidOptions, Options, Refusal, RulesError
from nimmt.rules.kit.events import count
from nimmt.rules.kit.options import chosen_options
from nimmt.rules.kit.seats import usual_seats

HELPER = "greedy"
"""The policy that makes the decisions that agents are not asked for, with `cards_only`."""
MAX_TABLES = 2**20
MAX_HISTORY = 4096
MOST_NAMED = 12
"""So many legal actions are listed when another one is refused."""

Whole = NDArray[np.int64]


class IllegalActions(IllegalAction, ValueError):
    """One of the actions may not be done now; nothing has changed at any table."""

    def __init__(self, refusal: Refusal, table: int, seat: int, action: int, sentence: str) -> None:
        super().__init__(refusal, seat, sentence)
        self.table, self.action = table, action


@cache
def fast_tables(game_id: str) -> FastGame:
    """The kernels of a game, ready for batches."""
    fast, module = get_fast(game_id), registry.part(game_id, "batch")
    if module is None:
        raise InvalidArgument("no_kernels", f"{game_id} has no kernels for batches.")
    kernels.register_batch(fast.state, module)
    return fast


def length_of(game: AnyGame, options: Options, seats: int) -> tuple[int, int]:
    """What ends a match: so many rounds, so many points; 0 where it is not that."""
    length = game.length(options, seats)
    return length.rounds or 0, length.target or 0


def refuse_idle(
    game: AnyGame, seats: int, variant: str | None, options: Mapping[str, Any], *, whole: bool, instead: str
) -> None:
    """Refuse options that change nothing: neither the table nor, in whole matches, when a match ends."""
    chosen = chosen_options(game, variant, options)
    usual = asdict(chosen_options(game, variant, {}))
    for name in options:
        without = replace(chosen, **{name: usual[name]})
        if without != chosen and not _matters(game, seats, chosen, without, whole):
            where = "whole matches, as the team decides as one" if whole else f"single rounds: {instead}"
            raise InvalidOptions(f"{name} has no effect on {where}.")


def _matters(game: AnyGame, seats: int, one: Options, other: Options, whole: bool) -> bool:
    fast = get_fast(game.id)
    try:
        game.setup(other, seats)
    except RulesError:
        return True
    if fast.template(one, seats).tobytes() != fast.template(other, seats).tobytes():
        return True
    every = range(game.min_seats, game.max_seats + 1)  # three rounds are usual for three, and yet to ask for
    return whole and any(length_of(game, one, number) != length_of(game, other, number) for number in every)


class BatchEnv(Lifetime):
    """So many tables at which everything happens step by step. What `reset` and `step` return are always the same
    arrays, written anew: copy what must last longer than a step."""

    def __init__(
        self,
        game: str,
        tables: int = 1,
        seats: int | None = None,
        *,
        seed: int | None = None,
        variant: str | None = None,
        options: Options | Mapping[str, Any] | None = None,
        single: bool = True,
        cards_only: bool = False,
        history: int = 0,
        auto_reset: bool = True,
    ) -> None:
        self.game: AnyGame = registry.get(game)
        fast = fast_tables(game)
        chosen = chosen_options(self.game, variant, options)
        self.options: Options = single_deal(self.game, chosen) if single else chosen
        self.seats = usual_seats(self.game) if seats is None else seats
        check_whole(seats=self.seats)
        check_range(1, MAX_TABLES, tables=tables)
        check_range(0, MAX_HISTORY, history=history)
        check_flags(single=single, cards_only=cards_only, auto_reset=auto_reset)
        self.game.setup(self.options, self.seats)  # says what is wrong with options or seats, if anything is
        if isinstance(options, Mapping):
            refuse_idle(self.game, self.seats, variant, options, whole=not single, instead="give single=False")
        self.tables, self.history = tables, history
        self.codec: Codec = get_codec(self.game, self.options, self.seats)
        if cards_only and not self.codec.simultaneous:
            sentence = f"In {self.game.name} nobody decides at the same time: cards_only has no effect."
            raise InvalidArgument("no_effect", sentence)
        self.cards_only = cards_only
        self._helper = fast.policies[HELPER] if cards_only else None
        self.noop = self.codec.actions
        """The action of a seat that has nothing to decide: the last number."""
        self.actions = self.noop + 1
        """How many actions there are, the last one included."""
        self.layout, self._scales = self._with_history()
        self.features = len(self._scales)
        self._make_arrays(fast)
        rounds, target = length_of(self.game, self.options, self.seats)
        sign = 1 if fast.has_rival or self.game.high_score_wins(self.options) else -1
        self._settings: Whole = np.zeros(7, np.int64)
        self._settings[[ROUNDS, TARGET, SIGN, RIVAL]] = rounds, target, sign, fast.has_rival
        self._settings[[AGAIN, CARDS]] = auto_reset, self.codec.highest
        self._sow(seed)

    def _with_history(self) -> tuple[dict[str, slice], Array]:
        """Behind what a view shows: cards that have lain open, and the last decisions."""
        layout, scales = dict(self.codec.layout), [self.codec.scales]
        if self.history:
            start, cards = self.codec.size, self.codec.highest
            layout["seen"] = slice(start, start + cards)
            layout["history"] = slice(start + cards, start + cards + 2 * self.history)
            pair = np.array([1 / self.seats, 1 / self.actions], np.float32)
            scales += [np.ones(cards, np.float32), np.tile(pair, self.history)]
        return layout, np.concatenate(scales)

    def _make_arrays(self, fast: FastGame) -> None:
        tables, seats, log_type = self.tables, self.seats, np.int16
        template = fast.template(self.options, seats)
        template["track"] = 1
        self._flat = kernels.Tables(
            np.repeat(template, tables),
            np.zeros(tables, MATCH),
            np.zeros((tables, 4), np.uint64),
            np.tile(fast.sorted_decks(), (tables, 1)),
            np.zeros((tables, self.history, 2), log_type),
        )
        self.observations: Array = np.zeros((tables, seats, self.features), np.float32)
        self.masks: Mask = np.zeros((tables, seats, self.actions), np.int8)
        self._legal: Mask = np.zeros_like(self.masks)
        self.rewards: Array = np.zeros((tables, seats), np.float32)
        self.done: NDArray[np.bool_] = np.zeros(tables, np.bool_)
        self.points: NDArray[np.int32] = np.zeros((tables, seats), np.int32)
        """Of each table the points of the last match that was finished there."""
        self.won: Mask = np.zeros((tables, seats), np.int8)
        """Who won it."""
        self.final_observations: Array = np.zeros_like(self.observations)
        """What was seen when it was over; `observations` show the new one already."""
        self._nothing: Whole = np.zeros((tables, seats), np.int64)
        self._shown = kernels.Shown(
            self.observations,
            self.masks,
            self._legal,
            self.rewards,
            self.done,
            self.points,
            self.won,
            self.final_observations,
        )

    def _sow(self, seed: int | None) -> None:
        seed = fresh_seed(seed)
        check_seed(seed)
        self.seed = int(seed)
        """What all chance comes from; a fresh one if none was given."""
        kernels.seed_tables(self._flat.chance, np.uint64(self.seed))

    @property
    def chance(self) -> NDArray[np.uint64]:
        """(tables, 4): where the generator of each table stands."""
        return self._flat.chance

    # -- playing ------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None) -> tuple[Array, Mask]:
        """New matches at all tables; without a seed chance goes on where it was."""
        self._check_open()
        if seed is not None:
            self._sow(seed)
            self._flat.decks[:] = fast_tables(self.game.id).sorted_decks()
        self._is_reset = True
        if self._helper is None:
            self._run(RESET | SETTLE | SHOW, self._nothing)
        else:
            self._run(RESET, self._nothing)
            self._help_on()
            self._run(SETTLE | SHOW, self._nothing)
        self.done[:] = False
        return self.observations, self.masks

    def step(self, actions: Any) -> tuple[Array, Mask, Array, NDArray[np.bool_]]:
        """All seats act at all tables; finished tables begin anew. Raises `IllegalActions`, and nothing has changed."""
        given = whole_numbers(actions, self._nothing.shape)
        self._check_reset()
        numbers: Whole = np.ascontiguousarray(given, np.int64)
        if self._helper is None:
            wrong = self._run(DECIDE | SETTLE | SHOW, numbers)
        else:
            wrong = self._run(DECIDE, numbers)
        if wrong >= 0:
            table, seat = divmod(wrong, self.seats)
            raise self._refuse(table, seat, int(given[table, seat]))
        if self._helper is not None:
            self._help_on()
            self._run(SETTLE, numbers)
            self._help_on()
            self._run(SHOW, numbers)
        return self.observations, self.masks, self.rewards, self.done

    def suggest(self, policy: str | Sequence[str], out: Whole | None = None) -> Whole:
        """What a policy, or one for each seat, would do now, for all seats at all tables: `random`, `greedy`, …

        Policies draw from the same chance as deals do. With `out` the numbers are written there, which must be an
        array as `step` takes it, of `int64`."""
        self._check_reset()
        if out is not None and not self._takes(out):
            raise InvalidArgument("wrong_shape", f"out must be a writable int64 array of {self._nothing.shape}.")
        fast = fast_tables(self.game.id)
        players = Players(fast.policy_codes(policy, self.seats), fast.params())
        actions: Whole = np.empty((self.tables, self.seats), np.int64) if out is None else out
        actions[:] = self.noop
        kernels.suggest(self._flat, players, actions)
        return actions

    def _takes(self, out: Any) -> bool:
        fits: bool = isinstance(out, np.ndarray) and out.shape == self._nothing.shape and out.dtype == np.int64
        return fits and out.flags.writeable

    def _run(self, task: int, numbers: Whole) -> int:
        self._settings[TASK] = task
        wrong: int = self._play(self._flat, self._shown, numbers, self._settings, self._scales)
        return wrong

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles: all but the machine code, which is found again."""
        return {name: value for name, value in self.__dict__.items() if name != "_play"}

    @cached_property
    def _play(self) -> Any:
        return direct(kernels.play, self._flat, self._shown, self._nothing, self._settings, self._scales)

    def _help_on(self) -> None:
        assert self._helper is not None
        kernels.help_on(self._flat, self._helper)

    def _refuse(self, table: int, seat: int, number: int) -> IllegalActions:
        where = f"Table {table}, seat {seat}"
        if self._legal[table, seat, self.noop]:
            sentence = f"{where}: there is nothing to decide, so the action must be {self.noop}, not {number}."
            return IllegalActions(Refusal.NOT_YOUR_TURN, table, seat, number, sentence)
        legal = np.flatnonzero(self._legal[table, seat]).tolist()
        named = ", ".join(map(str, legal[:MOST_NAMED])) + (", …" if len(legal) > MOST_NAMED else "")
        sentence = f"{where}: {number} is not legal now; legal: {named}."
        return IllegalActions(Refusal.WRONG_ACTION, table, seat, number, sentence)

    def __repr__(self) -> str:
        places = f"{count(self.tables, 'table')}, {count(self.seats, 'seat')}"
        shape = f"{places}, {self.features} features, {self.actions} actions"
        return f"<BatchEnv {self.game.id}_v{self.codec.version}: {shape}>"


def whole_numbers(numbers: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """Actions as they were given, if they are whole numbers in this shape."""
    try:
        array = np.asarray(numbers)
    except ValueError:
        array = np.array(None)  # lists of different lengths
    if array.shape != shape:
        raise InvalidArgument("wrong_shape", f"actions must have the shape {shape}, not {array.shape}.")
    if array.dtype.kind not in "iu":
        raise InvalidType(f"actions must be whole numbers, not {array.dtype}.")
    return array


def batch(game: str, tables: int = 1, seats: int | None = None, **settings: Any) -> BatchEnv:
    """Many tables side by side; see `docs/envs.md`.

    Further settings: `seed`, `variant` and `options` as for `nimmt.simulate`, `single` (an episode is one deal, else a
    whole match), `cards_only` (all decisions but cards are made by the greedy policy), `history` (so many of the last
    decisions of the round are observed too, and which cards have lain open), `auto_reset`.
    """
    return BatchEnv(game, tables, seats, **settings)
