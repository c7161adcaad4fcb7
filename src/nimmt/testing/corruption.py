"""What careless hands, broken programs and hostile people send: spoilt documents and invented actions."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from functools import cache
from itertools import product
from math import prod
from random import Random
from typing import Any, TypeAlias

import msgspec
from msgspec import inspect

from nimmt.rules.game import Action
from nimmt.testing.random_play import pick

# -- spoiling ----------------------------------------------------------------------------------------------------------
# Spoilt documents: what careless hands, broken programs and hostile people make of a good text or JSON.

Tree: TypeAlias = Any
Path: TypeAlias = tuple[Any, ...]

STRANGE_NUMBERS = ("-1", "0", "1", "2", "3", "5", "11", "104", "105", "1000000000", str(2**63), "1.5", "1e400")
STRANGE_SIGNS = ("-", ".", "|", ":", "=", "none", "yes", "null", '"', "[", "{", "1" * 5000, "٣", "\0", "½")
STRANGE_VALUES: tuple[Tree, ...] = (
    None, True, False, -1, 0, 1, 2, 7, 105, 10**9, -(10**9), 2**63, 2**64, 10**30, 0.5, 1e308, "", "x", "1", "\ud800",
    [], [0], [[]], [None], [-1], [1, 1], {}, {"x": 1}, {"type": "PlayCard"},
)  # fmt: skip
DEEP = 3000


# -- text ------------------------------------------------------------------------------------------------------------


def spoilt_text(text: str, rng: Random) -> str:
    """The text with one to three things done to it."""
    for _ in range(1 + int(rng.random() * 3)):
        text = pick(rng, _TEXT_WAYS)(text, rng)
    return text


def _change_a_character(text: str, rng: Random) -> str:
    place = int(rng.random() * len(text))
    return text[:place] + chr(32 + int(rng.random() * 96)) + text[place + 1 :]


def _lose_a_character(text: str, rng: Random) -> str:
    place = int(rng.random() * len(text))
    return text[:place] + text[place + 1 :]


def _change_the_lines(text: str, rng: Random) -> str:
    lines = text.split("\n")
    one, other = (int(rng.random() * len(lines)) for _ in "ab")
    if rng.random() < 0.4:
        lines[one], lines[other] = lines[other], lines[one]
    elif rng.random() < 0.5:
        lines.insert(one, lines[other])
    else:
        del lines[one]
    return "\n".join(lines)


def _words(text: str) -> list[re.Match[str]]:
    return list(re.finditer(r"[\w.-]+", text)) or list(re.finditer("$", text))


def _replace(text: str, word: re.Match[str], new: str) -> str:
    return text[: word.start()] + new + text[word.end() :]


def _change_a_word(text: str, rng: Random) -> str:
    return _replace(text, pick(rng, _words(text)), pick(rng, STRANGE_NUMBERS + STRANGE_SIGNS))


def _copy_a_word(text: str, rng: Random) -> str:
    words = _words(text)
    return _replace(text, pick(rng, words), pick(rng, words).group())


def _nudge_a_number(text: str, rng: Random) -> str:
    numbers = [word for word in _words(text) if re.fullmatch(r"[0-9]{1,9}", word.group())]
    if not numbers:
        return text
    word = pick(rng, numbers)
    return _replace(text, word, str(int(word.group()) + pick(rng, (-1, 1))))


def _swap_two_words(text: str, rng: Random) -> str:
    words = _words(text)
    first, second = sorted((pick(rng, words), pick(rng, words)), key=lambda word: word.start())
    if first.start() == second.start():
        return text
    return _replace(_replace(text, second, first.group()), first, second.group())


def _lose_or_double_a_word(text: str, rng: Random) -> str:
    word = pick(rng, _words(text))
    return _replace(text, word, pick(rng, ("", f"{word.group()} {word.group()}")))


_TEXT_WAYS: tuple[Callable[[str, Random], str], ...] = (
    _change_a_character,
    _lose_a_character,
    _change_the_lines,
    _change_a_word,
    _copy_a_word,
    _nudge_a_number,
    _nudge_a_number,
    _swap_two_words,
    _swap_two_words,
    _lose_or_double_a_word,
)


def small_changes(text: str) -> Iterator[str]:
    """The text with one word changed, lost or doubled, in every place and a few ways each."""
    for word in _words(text):
        old = word.group()
        number = int(old) if re.fullmatch(r"[0-9]{1,9}", old) else None
        news = ("", f"{old} {old}", "-1", "0", "1", ".", "-", str(10**9))
        for new in (*news, *(() if number is None else (str(number - 1), str(number + 1)))):
            yield _replace(text, word, new)


# -- JSON ------------------------------------------------------------------------------------------------------------


def spoilt_json(data: bytes, rng: Random) -> bytes:
    """The document with one to three of its values changed, or now and then spoilt as a text."""
    if rng.random() < 0.15:
        return spoilt_bytes(data, rng)
    tree = json.loads(data)
    for _ in range(1 + int(rng.random() * 3)):
        tree = pick(rng, _TREE_WAYS)(tree, rng)
    text = json.dumps(tree)
    if rng.random() < 0.02:
        text = text.replace("[", "[" * DEEP, 1)
    return text.encode("utf-8", "surrogatepass")


def spoilt_bytes(data: bytes, rng: Random) -> bytes:
    place, other = (int(rng.random() * len(data)) for _ in "ab")
    way = int(rng.random() * 4)
    if way == 0:
        return data[:place] + bytes([int(rng.random() * 256)]) + data[place + 1 :]
    if way == 1:
        return data[:place]
    if way == 2:
        return data[:place] + data[other : other + 20] + data[place:]
    return data[:place] + data[place + 1 + int(rng.random() * 10) :]


def paths(tree: Tree, so_far: Path = ()) -> Iterator[Path]:
    """The way to every value in the tree, its own included."""
    yield so_far
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        yield from paths(value, (*so_far, key))


def get(tree: Tree, path: Path) -> Tree:
    for key in path:
        tree = tree[key]
    return tree


def put(tree: Tree, path: Path, value: Tree) -> Tree:
    """A copy of the tree with another value there."""
    if not path:
        return value
    copy = deepcopy(tree)
    get(copy, path[:-1])[path[-1]] = value
    return copy


def _somewhere(tree: Tree, rng: Random) -> Path:
    """Any value is as likely as its list: one of the numbers is seldom the most interesting thing."""
    every = list(paths(tree))
    if rng.random() < 0.5:
        every = [path for path in every if isinstance(get(tree, path), list | dict)] or every
    return pick(rng, every)


def _strange_value(tree: Tree, rng: Random) -> Tree:
    return put(tree, _somewhere(tree, rng), pick(rng, STRANGE_VALUES))


def _copied_value(tree: Tree, rng: Random) -> Tree:
    return put(tree, _somewhere(tree, rng), get(tree, _somewhere(tree, rng)))


def _swapped_values(tree: Tree, rng: Random) -> Tree:
    leaves = [path for path in paths(tree) if not isinstance(get(tree, path), list | dict)]
    if not leaves:
        return tree
    one, other = pick(rng, leaves), pick(rng, leaves)
    return put(put(tree, one, get(tree, other)), other, get(tree, one))


def _nudged_value(tree: Tree, rng: Random) -> Tree:
    numbers = [path for path in paths(tree) if type(get(tree, path)) is int]
    if not numbers:
        return tree
    path = pick(rng, numbers)
    return put(tree, path, get(tree, path) + pick(rng, (-1, 1)))


def _moved_value(tree: Tree, rng: Random) -> Tree:
    """A value leaves one list for another, as a card that is put in the wrong place."""
    lists = [path for path in paths(tree) if isinstance(get(tree, path), list)]
    full = [path for path in lists if get(tree, path)]
    if not full:
        return tree
    source, goal = pick(rng, full), pick(rng, lists)
    if goal[: len(source)] == source:
        return tree
    copy = deepcopy(tree)
    target, origin = get(copy, goal), get(copy, source)
    target.insert(int(rng.random() * (len(target) + 1)), origin.pop(int(rng.random() * len(origin))))
    return copy


def _lost_or_doubled(tree: Tree, rng: Random) -> Tree:
    path = _somewhere(tree, rng)
    if not path:
        return tree
    copy = deepcopy(tree)
    parent, key = get(copy, path[:-1]), path[-1]
    if isinstance(parent, list) and rng.random() < 0.5:
        parent.insert(key, parent[key])
    else:
        del parent[key]
    return copy


def _renamed_key(tree: Tree, rng: Random) -> Tree:
    objects = [path for path in paths(tree) if isinstance(get(tree, path), dict) and get(tree, path)]
    if not objects:
        return tree
    copy = deepcopy(tree)
    target = get(copy, pick(rng, objects))
    key = pick(rng, list(target))
    target[pick(rng, ("x", "type", "seat", key.upper()))] = target.pop(key)
    return copy


_TREE_WAYS: tuple[Callable[[Tree, Random], Tree], ...] = (
    _strange_value,
    _copied_value,
    _swapped_values,
    _swapped_values,
    _nudged_value,
    _nudged_value,
    _moved_value,
    _moved_value,
    _lost_or_doubled,
    _renamed_key,
)


# -- inventing ---------------------------------------------------------------------------------------------------------
# Actions made up from their types: all that a program could send, sensible or not.

ENORMOUS = 10**5000
"""Python refuses to write such a number out in digits."""

INTS = (-ENORMOUS, -(2**63), -1, *range(112), 10**9, 2**63, ENORMOUS)
WORDS = ("", "x", "-1")
MAX_PRODUCTS = 300


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
    if prod(len(values) for _, values in fields) <= MAX_PRODUCTS:
        choices: Iterable[Sequence[Any]] = product(*[values for _, values in fields])
    else:
        choices = [[pick(rng, values) for _, values in fields] for _ in range(MAX_PRODUCTS // 3)]
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
