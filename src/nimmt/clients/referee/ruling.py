"""The answer to a question: what happened step by step, by which rules, and how things lie then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from nimmt.rules.game import AnyGame, Cards
from nimmt.rules.kit.events import count


class Step(msgspec.Struct, kw_only=True):
    """One thing that happened. `reasons` say why it was so, `notes` what followed from it."""

    seat: str
    card: int | UnsetType = UNSET
    value: int | UnsetType = UNSET
    """What the card was played as, if that is not its number."""
    row: int | UnsetType | None = UNSET
    pile: int | UnsetType = UNSET
    taken: Cards | UnsetType = UNSET
    bulls: int | UnsetType = UNSET
    rule: str
    also: list[str] = []
    """Other rules that had a say."""
    sentence: str
    reasons: list[str] = []
    notes: list[str] = []
    kept: int | UnsetType = UNSET
    to_hand: Cards | UnsetType = UNSET
    to_x_pile: Cards | UnsetType = UNSET


class Needs(msgspec.Struct, kw_only=True):
    """A choice that is missing: whose, what kind of choice, for which card, and between what."""

    seat: str
    choose: str
    card: int | UnsetType = UNSET
    between: list[Any]
    sentence: str
    reasons: list[str] = []


class Lane(msgspec.Struct, frozen=True):
    """A row, a pile or whatever else lies on the table, for the picture."""

    label: str
    cards: str
    bulls: int | None = None
    remarks: tuple[str, ...] = ()


class Ruling(msgspec.Struct, kw_only=True):
    game: AnyGame
    before: list[Lane]
    after: list[Lane]
    played: str
    steps: list[Step]
    needs: Needs | None
    facts: dict[str, Any]
    """What programs are told about how things lie, `rows` first."""
    totals: list[str]
    """Who got what in all, in sentences."""
    notes: list[str]
    warnings: list[str]

    def to_data(self) -> dict[str, Any]:
        """Plain data, for programs."""
        data = {"game": self.game.id, **self.facts, "steps": self.steps}
        if self.needs is not None:
            data["needs"] = self.needs
        plain: dict[str, Any] = msgspec.to_builtins(data | {"notes": self.notes, "warnings": self.warnings})
        return plain


def bulls_taken(names: Sequence[str], steps: Sequence[Step]) -> dict[str, int]:
    """By name, what the steps brought in all."""
    sums = dict.fromkeys(names, 0)
    for step in steps:
        sums[step.seat] += step.bulls or 0
    return sums


def totals(sums: Mapping[str, int]) -> list[str]:
    """`A takes 3 bulls, B none, C none.`"""
    if not any(sums.values()):
        return ["Nobody takes a bull."]
    takers = [f"{name} takes {count(number, 'bull')}" for name, number in sums.items() if number]
    others = [name for name, number in sums.items() if not number]
    ending = f"; {listed(others, 'and')} {'takes' if len(others) == 1 else 'take'} none." if others else "."
    return [listed(takers, "and") + ending]


def listed(items: Sequence[object], last: str) -> str:
    """`1`, `1 or 2`, `1, 2 or 3`."""
    words = list(map(str, items))
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}"
