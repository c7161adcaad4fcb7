"""A game's actions as numbers and its views as arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Options, Seat

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
        """The number of an action, as things lie."""

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
    from nimmt.envs.plain import PlainCodec

    codec: type[Codec] = getattr(registry.part(game.id, "env"), "CODEC", PlainCodec)
    return codec(game, options, seats)
