"""The bot that plays anything that is legal."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, TypeVar

from nimmt.rules.game import Action, AnyGame

T = TypeVar("T")


class RandomBot:
    """Every kind of action is as likely as any other, then every action of that kind.

    Some kinds come in thousands (all orders of Beat the Buffalo's Sort), others alone (passing): choosing among all
    alike would never pass.
    """

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action:
        del view
        if len(set(map(type, legal))) == 1 and not hasattr(legal[0], "use"):
            return _any_of(legal, rng)
        families: dict[Any, list[Action]] = {}
        for action in legal:
            families.setdefault(_family(action), []).append(action)
        return _any_of(_any_of(list(families.values()), rng), rng)


def _family(action: Action) -> tuple[type, type]:
    """Its kind and, where it carries an action within (such as a proposal), the kind of that."""
    return type(action), type(getattr(action, "use", None))


def _any_of(choices: Sequence[T], rng: Random) -> T:
    return choices[int(rng.random() * len(choices))]


def make(game: AnyGame) -> RandomBot:
    del game
    return RandomBot()
