"""One table for PettingZoo: on the fast core, or by the rules where a game has no kernels."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from nimmt.bots import get_bot
from nimmt.envs.batched import HELPER, BatchEnv, fast_tables
from nimmt.envs.codec import Array, Codec, Mask, get_codec
from nimmt.fast.arguments import InvalidArgument, check_flags, check_seed
from nimmt.fast.simulation import fresh_seed
from nimmt.match.match import Match, single_deal
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import SEED_BYTES, Dealer
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Deal, Options, Seat
from nimmt.rules.kit.options import chosen_options
from nimmt.rules.kit.seats import usual_seats
from nimmt.rules.position import to_text


class EnvTable(ABC):
    """What an environment asks of a table."""

    seats: int
    codec: Codec
    layout: Mapping[str, slice]
    size: int
    """Numbers in an observation."""
    over: bool

    @property
    def actions(self) -> int:
        return self.codec.actions

    @property
    def wait(self) -> int:
        """The number that means doing nothing: the last one of a mask."""
        return self.codec.actions

    @property
    def name(self) -> str:
        return f"{self.codec.game.id}_v{self.codec.version}"

    @property
    def title(self) -> str:
        return self.codec.game.name

    @property
    def simultaneous(self) -> bool:
        return bool(self.codec.simultaneous)

    @abstractmethod
    def begin(self, seed: int | None) -> None:
        """A new match; without a seed the chance goes on where it was."""

    @abstractmethod
    def asked(self) -> list[Seat]: ...

    @abstractmethod
    def observation(self, seat: Seat) -> Array: ...

    @abstractmethod
    def mask(self, seat: Seat) -> Mask: ...

    def may(self, seat: Seat, number: int) -> bool:
        """Whether the seat may do this, or has to wait if it is that."""
        return 0 <= number <= self.wait and bool(self.mask(seat)[number])

    @abstractmethod
    def step(self, numbers: Sequence[int]) -> list[int]:
        """Carry out what everybody does, by seat; what each gains by it."""

    @abstractmethod
    def info(self, seat: Seat) -> dict[str, Any]:
        """Points and whether they are enough, when the match is over."""

    @abstractmethod
    def text(self) -> str: ...


def open_table(
    game: str,
    seats: int | None,
    variant: str | None,
    options: Mapping[str, Any],
    *,
    single: bool,
    history: int,
    cards_only: bool = False,
    text: bool = False,
) -> EnvTable:
    """On the fast core if the game has one; `text` is needed for positions in words."""
    if registry.has_part(game, "batch"):
        settings: dict[str, Any] = {"variant": variant, "options": options, "single": single, "history": history}
        return CoreTable(BatchEnv(game, 1, seats, cards_only=cards_only, auto_reset=False, **settings), text)
    if history:
        raise InvalidArgument("no_kernels", f"{game} has no kernels, and so no history in its observations.")
    check_flags(single=single, cards_only=cards_only)
    rules = registry.get(game)
    chosen = chosen_options(rules, variant, options)
    return RulesTable(rules, single_deal(rules, chosen) if single else chosen, seats, cards_only)


class CoreTable(EnvTable):
    """A batch of one."""

    def __init__(self, env: BatchEnv, text: bool) -> None:
        self._env, self.seats, self.codec = env, env.seats, env.codec
        self.layout, self.size, self.over = env.layout, env.features, False
        self._mirror = Mirror(env) if text else None
        self._numbers = np.zeros((1, env.seats), np.int64)
        self._look()

    def _look(self) -> None:
        """At the arrays of the batch, which are always the same ones."""
        env = self._env
        self._seen, self._offered, self._gains = env.observations[0], env.masks[0], env.rewards[0]
        self._waits = self._offered[:, -1]

    def __setstate__(self, state: dict[str, Any]) -> None:
        """A copy looks at the arrays of its own batch: copied one by one, parts of them would be arrays apart."""
        self.__dict__.update(state)
        self._look()

    def begin(self, seed: int | None) -> None:
        self._env.reset(seed)
        self.over = False
        if self._mirror is not None:
            self._mirror.begin()

    def asked(self) -> list[Seat]:
        return [seat for seat, waits in enumerate(self._waits.tolist()) if not waits]

    def observation(self, seat: Seat) -> Array:
        seen: Array = self._seen[seat].copy()
        return seen

    def mask(self, seat: Seat) -> Mask:
        offered: Mask = self._offered[seat].copy()
        return offered

    def may(self, seat: Seat, number: int) -> bool:
        return 0 <= number <= self.wait and bool(self._offered[seat, number])

    def step(self, numbers: Sequence[int]) -> list[int]:
        self._numbers[0] = numbers
        self._env.step(self._numbers)
        self.over = bool(self._env.done[0])
        if self._mirror is not None:
            self._mirror.follow(numbers)
        return list(map(int, self._gains.tolist()))

    def info(self, seat: Seat) -> dict[str, Any]:
        return {"points": int(self._env.points[0, seat]), "won": bool(self._env.won[0, seat])}

    def text(self) -> str:
        assert self._mirror is not None
        return to_text(self._mirror.game, self._mirror.state)


class RulesTable(EnvTable):
    """A match by the rules, dealt from the environment's own chance."""

    def __init__(self, game: AnyGame, options: Options, seats: int | None, cards_only: bool) -> None:
        self.game, self.options = game, options
        self.seats = usual_seats(game) if seats is None else seats
        game.setup(options, self.seats)
        self.codec = get_codec(game, options, self.seats)
        self.layout, self.size = self.codec.layout, self.codec.size
        self._helper = get_bot(HELPER, game) if cards_only else None
        self._chance: np.random.Generator | None = None

    def begin(self, seed: int | None) -> None:
        if seed is not None or self._chance is None:
            seed = fresh_seed(seed)
            check_seed(seed)
            self._chance = np.random.default_rng(seed)
        dealer, names = Dealer(self._chance.bytes(SEED_BYTES), ()), [f"player_{seat}" for seat in range(self.seats)]
        self._random = Random(self._chance.bytes(SEED_BYTES))
        self._match = Match(self.game, self.options, [SeatInfo(name) for name in names], dealer)
        self._help()

    @property
    def over(self) -> bool:  # type: ignore[override]
        return self._match.outcome is not None

    def asked(self) -> list[Seat]:
        return [decision.seat for decision in self.game.pending(self._match.state)]

    def observation(self, seat: Seat) -> Array:
        return self.codec.observation(self.game.view(self._match.state, seat))

    def mask(self, seat: Seat) -> Mask:
        mask: Mask = np.zeros(self.wait + 1, np.int8)
        if seat in self.asked():
            state = self._match.state
            mask[:-1] = self.codec.mask(self.game.view(state, seat), self.game.legal(state, seat))
        else:
            mask[self.wait] = 1
        return mask

    def step(self, numbers: Sequence[int]) -> list[int]:
        """In the order of the seats. Once things lie differently, the others are asked again."""
        before, state = self.codec.gained(self._match.state), self._match.state
        moment = _table(state)
        for seat, action in list(self.codec.spell(state, numbers)):
            if not self.codec.same_moment(moment, _table(self._match.state)):
                break
            self._match.act(seat, action)
        self._help()
        after = self.codec.gained(self._match.state)
        return [now - then for now, then in zip(after, before, strict=True)]

    def _help(self) -> None:
        """Make all decisions that nobody is asked for."""
        game = self.game
        while self._helper and (pending := game.pending(self._match.state)):
            if pending[0].kind in self.codec.simultaneous:
                return
            seat, state = pending[0].seat, self._match.state
            choice = self._helper.choose(game.view(state, seat), game.legal(state, seat), self._random)
            self._match.act(seat, choice)

    def info(self, seat: Seat) -> dict[str, Any]:
        outcome = self._match.outcome
        assert outcome is not None
        return {"points": outcome.points[seat], "won": seat in outcome.winners}

    def text(self) -> str:
        return to_text(self.game, self._match.state)


def _table(state: Any) -> Any:
    return state.table


# -- a table followed by the rules -------------------------------------------------------------------------------------


class Mirror:
    """Deals and decisions of one table through the rules. `follow` it after every reset and step."""

    def __init__(self, env: BatchEnv, table: int = 0) -> None:
        self.env, self.table, self.game = env, table, env.game
        self.state: Any = None
        self._bot = get_bot(HELPER, env.game)

    def begin(self) -> None:
        """After a reset."""
        self.state = self.game.setup(self.env.options, self.env.seats)
        self._deal()

    def follow(self, numbers: Sequence[int]) -> None:
        """After a step with these actions, by seat. A match that is over begins anew if the batch has begun anew."""
        for seat, action in list(self.env.codec.spell(self.state, numbers)):
            self.state, _ = self.game.apply(self.state, seat, action)
        self._help_on()
        if self.game.outcome(self.state) is None:
            self._deal()

    def _help_on(self) -> None:
        """The greedy bot does what the greedy policy does."""
        kinds = self.env.codec.simultaneous
        while self.env.cards_only and (pending := self.game.pending(self.state)) and pending[0].kind not in kinds:
            seat = pending[0].seat
            view, legal = self.game.view(self.state, seat), self.game.legal(self.state, seat)
            self.state, _ = self.game.apply(self.state, seat, self._bot.choose(view, legal, Random(0)))

    def _deal(self) -> None:
        """Deal what the batch has dealt, if anything is due."""
        request = self.game.deal_request(self.state)
        if request is None:
            self._help_on()
            return
        cards, decks, start = self.env._flat.decks[self.table].tolist(), {}, 0
        for name in fast_tables(self.game.id).decks:
            count = len(request.decks[name])
            decks[name] = tuple(cards[start : start + count])
            start += count
        self.state, _ = self.game.deal(self.state, Deal(decks))

    # -- comparing ------------------------------------------------------------------------------------------------

    def observation(self, seat: int) -> np.ndarray[Any, Any]:
        """What the seat's view is as an array, without what only environments remember."""
        return self.env.codec.observation(self.game.view(self.state, seat))

    def mask(self, seat: int) -> np.ndarray[Any, Any]:
        """What the rules allow the seat."""
        env = self.env
        mask = np.zeros(env.actions, np.int8)
        if any(decision.seat == seat for decision in self.game.pending(self.state)):
            legal = self.game.legal(self.state, seat)
            mask[:-1] = env.codec.mask(self.game.view(self.state, seat), legal)
        else:
            mask[env.noop] = 1
        return mask

    def gained(self) -> tuple[int, ...]:
        return self.env.codec.gained(self.state)
