"""The codec of a game that has none of its own: legal actions by their place in the list, views by their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, get_args, get_origin

import msgspec
import numpy as np

from nimmt.envs.codec import Array, Codec, Feature, Mask, numbers, word
from nimmt.rules.game import Action, AnyGame, Options
from nimmt.rules.kit.cards import points_so_far
from nimmt.rules.kit.notation import bare_type, fields_of, items_of

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
