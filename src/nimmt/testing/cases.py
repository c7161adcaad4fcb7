"""What is to be tested: every variant of every game, with few, some and many seats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Options, Variant
from nimmt.rules.kit.options import variant_options


class Case(NamedTuple):
    game: AnyGame
    variant: str
    seats: int

    @property
    def id(self) -> str:
        return f"{self.game.id}-{self.variant}-{self.seats}"

    def options(self, **changes: Any) -> Options:
        return variant_options(self.game, self.variant, **changes)


def seat_counts(game: AnyGame, variant: Variant) -> list[int]:
    """The fewest, the most, and three: all if there are few."""
    least, most = game.min_seats, variant.max_seats or game.max_seats
    every = range(least, most + 1)
    return list(every) if len(every) <= 4 else [least, 3, most]


def cases_of(game: AnyGame) -> Iterator[Case]:
    for variant in game.variants:
        for seats in seat_counts(game, variant):
            yield Case(game, variant.id, seats)


def all_cases() -> list[Case]:
    """Every case of every registered game."""
    return [case for game in registry.all_games() for case in cases_of(game)]
