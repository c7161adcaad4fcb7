"""What changed between two views, in the few words that a message has for it.

A change is an object that changes what it names (fields by name, items of a list by index); `[value]`, a new value;
`[start, count, ...items]`, which replaces so many items of a list; or, if it is nothing of this, the new value itself.
"""

from __future__ import annotations

from typing import Any

import msgspec


def difference(old: Any, new: Any) -> Any:
    """The change that leads from one value to the other, as they are written in JSON."""
    if type(old) is type(new):
        if isinstance(new, tuple):
            return _between_lists(old, new)
        if isinstance(new, msgspec.Struct) and _shows_all_fields(new):
            return _between_fields(old, new)
    return new if new is None or isinstance(new, (bool, int, float, str)) else [new]


def _shows_all_fields(value: msgspec.Struct) -> bool:
    config = value.__struct_config__
    return not (config.array_like or config.omit_defaults)


def _between_fields(old: msgspec.Struct, new: msgspec.Struct) -> dict[str, Any]:
    changes = {}
    for field, name in zip(new.__struct_fields__, new.__struct_encode_fields__, strict=True):
        before, after = getattr(old, field), getattr(new, field)
        # Most parts of a view are the same object before and after.
        if before is not after and before != after:
            changes[name] = difference(before, after)
    return changes


def _between_lists(old: tuple[Any, ...], new: tuple[Any, ...]) -> dict[str, Any] | list[Any]:
    """Item by item where lists or objects have changed inside; else what stands between the same beginning and end."""
    shorter, start, end = min(len(old), len(new)), 0, 0
    if old[:shorter] == new[:shorter]:  # what grows at the end may be long
        start = shorter
    while start < shorter and old[start] == new[start]:
        start += 1
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    between = range(start, len(new) - end)
    if len(old) == len(new) and all(isinstance(new[index], tuple | msgspec.Struct) for index in between):
        return {str(index): difference(old[index], new[index]) for index in between if old[index] != new[index]}
    return [start, len(old) - start - end, *new[start : len(new) - end]]


def changed(value: Any, change: Any) -> Any:
    """The value after the change; both as they are read from JSON."""
    match change:
        case dict() if isinstance(value, list):
            parts = {int(index): part for index, part in change.items()}
            return [changed(item, parts[index]) if index in parts else item for index, item in enumerate(value)]
        case dict() if isinstance(value, dict):
            return value | {name: changed(value.get(name), part) for name, part in change.items()}
        case [new]:
            return new
        case [start, count, *items]:
            return [*value[:start], *items, *value[start + count :]]
    return change
