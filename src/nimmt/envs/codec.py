"""A game's actions as numbers and its views as arrays, and a plain way for games that have none of their own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, TypeAlias, get_args, get_origin

import msgspec
import numpy as np
from numpy.typing import NDArray

from nimmt.fast.arguments import check_range, check_whole
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Options, Seat
from nimmt.rules.kit.cards import points_so_far
from nimmt.rules.kit.notation import bare_type, fields_of, items_of
from nimmt.rules.kit.options import chosen_options

# -- base --------------------------------------------------------------------------------------------------------------
# What the environments need to know about a game, and the bricks that observations are built of.

Array: TypeAlias = NDArray[np.float32]
Mask: TypeAlias = NDArray[np.int8]
Feature: TypeAlias = tuple[str, Sequence[float], float]
"""A part of an observation: its name, its numbers, and the scale that they are divided by."""


class Codec(ABC):
    """Actions as numbers from 0, views as arrays of fixed size, and what is to be gained, for one table."""

    version: ClassVar[int] = 1
    """Changes whenever a number or an array comes to mean something else."""
    actions: int
    """How many numbers there are: the same for all variants of the game."""
    highest: int = 0
    """The highest card, for games that have kernels."""
    simultaneous: ClassVar[frozenset[str]] = frozenset({"card"})
    """Kinds of decisions that all seats make at the same time."""

    def __init__(self, game: AnyGame, options: Options, seats: int) -> None:
        self.game, self.options, self.seats = game, options, seats
        parts = list(self.features(game.view(game.setup(options, seats), 0)))
        self.layout: Mapping[str, slice] = _layout(parts)
        """Where in the observation each part stands."""
        self.scales: Array = np.array([np.float32(1 / scale) for _, part, scale in parts for _ in part], np.float32)
        """What the numbers of an observation are multiplied with."""
        self.size = len(self.scales)

    @abstractmethod
    def encode(self, view: Any, action: Action) -> int:
        """The number of an action, as things stand."""

    def decode(self, view: Any, number: int) -> Action:
        """The action of a number, which need not be legal; raises `ValueError` if it means nothing now."""
        check_range(0, self.actions - 1, number=number)
        return self._decode(view, number)

    @abstractmethod
    def _decode(self, view: Any, number: int) -> Action:
        """The same, of a number that there is."""

    @abstractmethod
    def features(self, view: Any) -> Iterator[Feature]:
        """The parts of an observation, always the same ones in the same sizes. The own seat comes first.

        A game with kernels has `observe` beside it, which writes down the same numbers in the same order.
        """

    @abstractmethod
    def scores(self, table: Any) -> tuple[int, ...]:
        """What each seat has gained so far, the more the better: rewards are its changes."""

    def gained(self, state: Any) -> tuple[int, ...]:
        """The same from the whole state, for codecs that cannot tell it from the table."""
        return self.scores(state.table)

    def mask(self, view: Any, legal: Sequence[Action]) -> Mask:
        mask: Mask = np.zeros(self.actions, np.int8)
        for action in legal:
            mask[self.encode(view, action)] = 1
        return mask

    def observation(self, view: Any) -> Array:
        """Numbers as parts of their scales, never beyond -1 and 1."""
        raw = np.array([number for _, part, _ in self.features(view) for number in part], np.float32)
        scaled: Array = np.clip(raw * self.scales, np.float32(-1), np.float32(1))
        return scaled

    def spell(self, state: Any, numbers: Sequence[int]) -> Iterator[tuple[Seat, Action]]:
        """What the rules are told when all who are asked have decided; numbers of other seats do not count."""
        for decision in self.game.pending(state):
            view = self.game.view(state, decision.seat)
            yield decision.seat, self.decode(view, int(numbers[decision.seat]))

    def same_moment(self, before: Any, after: Any) -> bool:
        """Whether a decision made at one table still means the same at another: others have merely decided, too."""
        return bool(before == after)

    def around(self, seat: Seat | None) -> list[Seat]:
        """All seats, beginning with this one."""
        return [((seat or 0) + step) % self.seats for step in range(self.seats)]


def _layout(features: Iterable[Feature]) -> dict[str, slice]:
    found: dict[str, slice] = {}
    start = 0
    for name, part, _ in features:
        found[name] = slice(start, start + len(part))
        start += len(part)
    return found


# -- bricks ---------------------------------------------------------------------------------------------------------


def plane(cards: Iterable[int], highest: int) -> list[float]:
    """A place for each card from 1: 1 where it is among these."""
    return by_card(dict.fromkeys(cards, 1), highest)


def by_card(values: Mapping[int, float], highest: int) -> list[float]:
    """A place for each card from 1, with its number."""
    return [values.get(card, 0) for card in range(1, highest + 1)]


def holders(hands: Iterable[Iterable[int]]) -> dict[int, float]:
    """By card whose it is, from 1."""
    return {card: holder for holder, cards in enumerate(hands, 1) for card in cards}


def listed(values: Iterable[float], size: int) -> list[float]:
    """Numbers one after the other; places that nothing fills are 0."""
    found = list(values)
    return [*found, *[0] * (size - len(found))]


def rows_of(rows: Sequence[Sequence[int]], count: int, places: int) -> list[float]:
    """So many rows with so many places each."""
    return [card for row in listed_rows(rows, count) for card in listed(row, places)]


def listed_rows(rows: Sequence[Sequence[int]], count: int) -> list[Sequence[int]]:
    return [*rows, *[()] * (count - len(rows))]


def one_of(index: int | None, size: int) -> list[float]:
    return [float(place == index) for place in range(size)]


def word(value: str | None, words: Sequence[str]) -> list[float]:
    return one_of(words.index(value) if value in words else None, len(words))


def ends(rows: Iterable[Sequence[int]]) -> list[int]:
    """The last card of each row; 0 if it is empty."""
    return [row[-1] if row else 0 for row in rows]


# -- codecs ------------------------------------------------------------------------------------------------------------
# A game's `env.py` has its codec; what has none gets a plain one.


def get_codec(game: AnyGame | str, options: Options | Mapping[str, Any] | None, seats: int) -> Codec:
    """The codec of a table: of a game or its id, with whole options or those that differ from the usual ones."""
    rules: AnyGame = registry.get(game) if isinstance(game, str) else game
    codec: type[Codec] = getattr(registry.part(rules.id, "env"), "CODEC", PlainCodec)
    check_whole(seats=seats)
    return codec(rules, chosen_options(rules, None, options), seats)


# -- plain -------------------------------------------------------------------------------------------------------------
# The codec of a game that has none of its own: legal actions by their place in the list, views by their numbers.

MAX_ROWS = 12
"""Of more rows than that, or seats, the first ones are observed."""
USUAL_HIGHEST = 104


class PlainCodec(Codec):
    """An action is its place among the legal ones; of more than there are numbers, the first ones can be taken."""

    actions = 256

    def __init__(self, game: AnyGame, options: Options, seats: int) -> None:
        request = game.deal_request(game.setup(options, seats))
        cards = [card for deck in (request.decks.values() if request else ()) for card in deck]
        self._highest, self._many = max(cards, default=USUAL_HIGHEST), max(len(cards), seats)
        self.simultaneous = frozenset(game.decisions)  # type: ignore[misc]  # who is asked at a time decides at a time
        super().__init__(game, options, seats)

    def encode(self, view: Any, action: Action) -> int:
        place = list(self.game.legal_for(view)).index(action)
        if place >= self.actions:
            raise ValueError(f"{action} has no number.")
        return place

    def _decode(self, view: Any, number: int) -> Action:
        legal = self.game.legal_for(view)
        if number >= len(legal):
            raise ValueError(f"There are only {len(legal)} legal actions now: {number} means nothing.")
        return legal[number]

    def mask(self, view: Any, legal: Sequence[Action]) -> Mask:
        del view
        mask: Mask = np.zeros(self.actions, np.int8)
        mask[: len(legal)] = 1
        return mask

    # -- observing ----------------------------------------------------------------------------------------------

    def features(self, view: Any) -> Iterator[Feature]:
        yield from self._struct("", self.game.view_type, view)

    def _struct(self, path: str, struct: type[msgspec.Struct], value: msgspec.Struct) -> Iterator[Feature]:
        for name, hint in fields_of(struct).items():
            yield from self._field(f"{path}{name}", hint, getattr(value, name))

    def _field(self, name: str, hint: Any, value: Any) -> Iterator[Feature]:
        """By the type of a field alone, so that all observations have the same size. What is no number is left out."""
        bare, item = bare_type(hint), items_of(hint)
        if get_origin(_inner(hint)) is Literal:
            yield name, word(value, get_args(_inner(hint))), 1
        elif bare in (int, bool):
            yield name, self._numbers([value], 1), self._highest
        elif item is not None and items_of(item) is not None and bare_type(items_of(item)) is int:
            yield name, self._rows(value), 1
        elif item is not None and bare_type(item) is int:
            yield name, self._numbers(value, self._many), self._highest
        elif isinstance(bare, type) and issubclass(bare, msgspec.Struct) and value is not None and bare is hint:
            yield from self._struct(f"{name}.", bare, value)

    def _numbers(self, values: Iterable[int | None], size: int) -> list[float]:
        """As little as can be where there is nothing; 0 beyond the end."""
        return listed([-self._highest if value is None else value for value in values][:size], size)

    def _rows(self, rows: Sequence[Sequence[int]]) -> list[float]:
        """A plane for each row: a card shows by how far in the row it lies."""
        found: list[float] = []
        for row in listed_rows(rows[:MAX_ROWS], MAX_ROWS):
            found += by_card({card: place / len(row) for place, card in enumerate(row, 1)}, self._highest)
        return found

    # -- gaining ------------------------------------------------------------------------------------------------

    def scores(self, table: Any) -> tuple[int, ...]:
        sign = 1 if self.game.high_score_wins(self.options) else -1
        return tuple(sign * points for points in points_so_far(table, self.seats) or (0,) * self.seats)

    def gained(self, state: Any) -> tuple[int, ...]:
        """Where nobody counts on the way, all is paid at the end."""
        outcome = self.game.outcome(state)
        if outcome is None or points_so_far(state.table, self.seats) is not None:
            return self.scores(state.table)
        sign = 1 if self.game.high_score_wins(self.options) else -1
        return tuple(sign * points for points in outcome.points)


def _inner(hint: Any) -> Any:
    """The type below `Annotated`."""
    return _inner(get_args(hint)[0]) if hasattr(hint, "__metadata__") else hint
