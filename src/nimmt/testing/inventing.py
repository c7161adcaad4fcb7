"""Actions made up from their types: all that a program could send, sensible or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import product
from math import prod
from random import Random
from typing import Any

import msgspec
from msgspec import inspect

from nimmt.rules.game import Action
from nimmt.testing.playing import pick

ENORMOUS = 10**5000
"""Python refuses to write such a number out in digits."""

INTS = (-ENORMOUS, -(2**63), -1, *range(112), 10**9, 2**63, ENORMOUS)
WORDS = ("", "x", "-1")
MOST_PRODUCTS = 300


def invented(types: Iterable[type[Action]], rng: Random) -> Iterator[Action]:
    """Actions of these types: all with one small number, a mixed lot where there are more fields."""
    for action_type in types:
        yield from _structs(action_type, rng)


def near_misses(actions: Iterable[Action], rng: Random, each: int = 4) -> list[Action]:
    """These actions with one field changed."""
    return [
        msgspec.structs.replace(action, **{name: pick(rng, values)})
        for action in actions
        for name, values in _fields(type(action), rng)
        for _ in range(each)
    ]


def _structs(struct: type[msgspec.Struct], rng: Random) -> list[Any]:
    fields = _fields(struct, rng)
    if prod(len(values) for _, values in fields) <= MOST_PRODUCTS:
        choices: Iterable[Sequence[Any]] = product(*[values for _, values in fields])
    else:
        choices = [[pick(rng, values) for _, values in fields] for _ in range(MOST_PRODUCTS // 3)]
    return [struct(**dict(zip([name for name, _ in fields], values, strict=True))) for values in choices]


@cache
def _info(struct: type[msgspec.Struct]) -> inspect.StructType:
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    return info


def _fields(struct: type[msgspec.Struct], rng: Random) -> list[tuple[str, Sequence[Any]]]:
    return [(field.name, _values(field.type, rng)) for field in _info(struct).fields]


def _values(hint: inspect.Type, rng: Random) -> Sequence[Any]:
    """Values of this type, some of them at the edges."""
    match hint:
        case inspect.IntType():
            return INTS
        case inspect.BoolType():
            return (False, True)
        case inspect.NoneType():
            return (None,)
        case inspect.StrType():
            return WORDS
        case inspect.LiteralType(values=values):
            return tuple(values)
        case inspect.Metadata(type=inner):
            return _values(inner, rng)
        case inspect.UnionType(types=types):
            return [value for inner in types for value in _values(inner, rng)]
        case inspect.StructType(cls=cls):
            return _structs(cls, rng)
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return _tuples(_values(item, rng), rng)
    raise NotImplementedError(f"No values are known for {hint}.")


def _tuples(items: Sequence[Any], rng: Random) -> list[tuple[Any, ...]]:
    lengths = (0, 1, 2, 3, 4, 7, 11)
    few = [item for item in items if not isinstance(item, int) or -2 < item < 8]
    return [tuple(pick(rng, pool) for _ in range(length)) for length in lengths for pool in (items, few) for _ in "abc"]
