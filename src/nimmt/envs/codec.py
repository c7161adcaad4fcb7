"""A game's actions as numbers and its views as arrays, and a plain way for games that have none of their own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, TypeAlias, get_args, get_origin

import msgspec
import numpy as np
from numpy.typing import NDArray

from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Options, Seat
from nimmt.rules.kit.cards import points_so_far
from nimmt.rules.kit.notation import bare_type, fields_of, items_of

# A game's actions as numbers and its views as arrays.

# -- base --------------------------------------------------------------------------------------------------------------
# What the environments need to know about a game, and the bricks that observations are built of.

Array: TypeAlias = NDArray[np.float32]
Mask: TypeAlias = NDArray[np.int8]
Feature: TypeAlias = tuple[str, Array]


class Codec(ABC):
    """Actions as numbers from 0, views as arrays of fixed size, and what is to be gained, for one table."""

    version: ClassVar[int] = 0
    """Changes whenever a number or an array comes to mean something else."""
    actions: ClassVar[int]
    """How many numbers there are: the same for all variants of the game."""
    simultaneous: ClassVar[frozenset[str]] = frozenset({"card"})
    """Kinds of decisions that all seats make at the same time."""

    def __init__(self, game: AnyGame, options: Options, seats: int) -> None:
        self.game, self.options, self.seats = game, options, seats
        view = game.view(game.setup(options, seats), 0)
        self.layout: Mapping[str, slice] = _layout(self.features(view))
        """Where in the observation each part stands."""
        self.size = max(part.stop for part in self.layout.values())

    @abstractmethod
    def encode(self, view: Any, action: Action) -> int:
        """The number of an action, as things stand."""

    @abstractmethod
    def decode(self, view: Any, number: int) -> Action:
        """The action of a number, which need not be legal; raises `ValueError` if it means nothing now."""

    @abstractmethod
    def features(self, view: Any) -> Iterator[Feature]:
        """The parts of an observation, always the same ones in the same sizes. The own seat comes first."""

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
        return np.concatenate([part for _, part in self.features(view)])

    def same_moment(self, before: Any, after: Any) -> bool:
        """Whether a decision made at one table still means the same at another: others have merely decided, too."""
        return bool(before == after)

    def around(self, seat: Seat | None) -> list[Seat]:
        """All seats, beginning with this one."""
        return [((seat or 0) + step) % self.seats for step in range(self.seats)]


def _layout(features: Iterable[Feature]) -> dict[str, slice]:
    found: dict[str, slice] = {}
    start = 0
    for name, part in features:
        found[name] = slice(start, start + len(part))
        start += len(part)
    return found


# -- bricks ---------------------------------------------------------------------------------------------------------


def plane(cards: Iterable[int], highest: int) -> Array:
    """A place for each card from 1: 1 where it is among these."""
    found = np.zeros(highest, np.float32)
    found[[card - 1 for card in cards]] = 1
    return found


def planes(rows: Iterable[Iterable[int]], highest: int, count: int) -> Array:
    """One plane after the other, so many in all."""
    found = np.zeros((count, highest), np.float32)
    for index, cards in enumerate(rows):
        found[index, [card - 1 for card in cards]] = 1
    return found.reshape(-1)


def one_of(index: int | None, size: int) -> Array:
    found = np.zeros(size, np.float32)
    if index is not None:
        found[index] = 1
    return found


def word(value: str | None, words: Sequence[str]) -> Array:
    return one_of(words.index(value) if value in words else None, len(words))


def flags(values: Iterable[bool]) -> Array:
    return np.array([float(value) for value in values], np.float32)


def numbers(values: Iterable[float], scale: float, size: int) -> Array:
    """Numbers as parts of a scale, never beyond -1 and 1; places that nothing fills are 0."""
    found = np.zeros(size, np.float32)
    for index, value in enumerate(values):
        found[index] = value / scale
    return np.clip(found, -1, 1)


def ends(rows: Iterable[Sequence[int]]) -> list[Sequence[int]]:
    """The last card of each row."""
    return [row[-1:] for row in rows]


# -- codecs ------------------------------------------------------------------------------------------------------------
# A game's `env.py` has its codec; what has none gets a plain one.


def get_codec(game: AnyGame, options: Options, seats: int) -> Codec:

    codec: type[Codec] = getattr(registry.part(game.id, "env"), "CODEC", PlainCodec)
    return codec(game, options, seats)


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

    def decode(self, view: Any, number: int) -> Action:
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
            yield name, word(value, get_args(_inner(hint)))
        elif bare in (int, bool):
            yield name, self._numbers([value], 1)
        elif item is not None and items_of(item) is not None and bare_type(items_of(item)) is int:
            yield name, self._rows(value)
        elif item is not None and bare_type(item) is int:
            yield name, self._numbers(value, self._many)
        elif isinstance(bare, type) and issubclass(bare, msgspec.Struct) and value is not None and bare is hint:
            yield from self._struct(f"{name}.", bare, value)

    def _numbers(self, values: Iterable[int | None], size: int) -> Array:
        """-1 where there is nothing; 0 beyond the end."""
        shown = [-self._highest if value is None else value for value in values]
        return numbers(shown[:size], self._highest, size)

    def _rows(self, rows: Sequence[Sequence[int]]) -> Array:
        """A plane for each row: a card shows by how far in the row it lies."""
        found = np.zeros((MAX_ROWS, self._highest), np.float32)
        for index, row in enumerate(rows[:MAX_ROWS]):
            for place, card in enumerate(row, 1):
                if 1 <= card <= self._highest:
                    found[index, card - 1] = place / len(row)
        return found.reshape(-1)

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
