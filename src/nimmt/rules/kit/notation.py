"""Values as short readable text, and back, guided by their types.

Cards are `3 14 15`, rows `12 14 | 37 | 43`, an empty row `.`, nothing `-`, yes and no are `yes` and `no`, a struct is
`name=value name=value` with its defaults left out, or whatever its own `to_text` and `from_text` say. What has no
short form is written as JSON.
"""

from __future__ import annotations

import re
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_type_hints
from typing import get_origin as _get_origin

import msgspec

Hint: TypeAlias = Any

_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_-]*")
_NO_ROWS = "none"
_TEXT_ERRORS = (ValueError, KeyError, TypeError, RecursionError, msgspec.ValidationError)


class Unreadable(ValueError):
    """The text is not a value of this type."""


def write(value: Any, hint: Hint) -> str:
    """The short form if there is one, else JSON."""
    short = _write_rows(value, hint)
    return msgspec.json.encode(value).decode() if short is None else short


def read(text: str, hint: Hint) -> Any:
    """The value that `write` wrote."""
    try:
        if text[:1] in ("{", "[", '"'):
            return msgspec.json.decode(text, type=hint)
        return _read_rows(text, hint)
    except _TEXT_ERRORS as error:
        raise Unreadable(f"{text[:60]!r} cannot be read: {error}") from error


@cache
def fields_of(struct: type[msgspec.Struct]) -> dict[str, Hint]:
    return get_type_hints(struct, include_extras=True)


# -- from a whole line down to a single word; None says that there is no short form --------------------------


def _write_rows(value: Any, hint: Hint) -> str | None:
    inner = items_of(items_of(hint))
    if inner is None:
        return _write_words(value, hint)
    if not value:
        return _NO_ROWS
    rows = [_join([_write_word(item, inner) for item in row], " ") for row in value]
    return _join(rows, " | ")


def _read_rows(text: str, hint: Hint) -> Any:
    inner = items_of(items_of(hint))
    if inner is None:
        return _read_words(text, hint)
    rows = [] if text == _NO_ROWS else text.split("|")
    return tuple(_read_list(row.strip(), inner, None) for row in rows)


def _write_words(value: Any, hint: Hint) -> str | None:
    item = items_of(hint)
    if item is not None:
        return _join([_write_word(part, item) for part in value], " ")
    struct = _plain_struct(hint)
    return _write_word(value, hint) if struct is None else _write_struct(value, struct)


def _read_words(text: str, hint: Hint) -> Any:
    item = items_of(hint)
    if item is not None:
        return _read_list(text, item, None)
    struct = _plain_struct(hint)
    return _read_word(text, hint) if struct is None else _read_struct(text, struct)


def _write_struct(value: msgspec.Struct, struct: type[msgspec.Struct]) -> str | None:
    parts: list[str] = []
    for field in msgspec.structs.fields(struct):
        shown = getattr(value, field.name)
        if field.required or shown != field.default:
            word = _write_item(shown, fields_of(struct)[field.name])
            if word is None:
                return None
            parts.append(f"{field.name}={word}")
    return " ".join(parts) or "-"


def _read_struct(text: str, struct: type[msgspec.Struct]) -> Any:
    hints, values = fields_of(struct), {}
    for part in [] if text == "-" else text.split():
        name, equals, word = part.partition("=")
        if not equals or name not in hints or name in values:
            raise Unreadable(f"{part!r} is not one of: {', '.join(f'{name}=…' for name in hints)}")
        values[name] = _read_item(word, hints[name])
    return msgspec.convert({name: msgspec.to_builtins(value) for name, value in values.items()}, struct)


def _write_item(value: Any, hint: Hint) -> str | None:
    """A value inside `name=value`: a word, or words with commas between them."""
    item = items_of(hint)
    return _write_word(value, hint) if item is None else _join([_write_word(part, item) for part in value], ",")


def _read_item(text: str, hint: Hint) -> Any:
    item = items_of(hint)
    return _read_word(text, hint) if item is None else _read_list(text, item, ",")


def _read_list(text: str, item: Hint, separator: str | None) -> Any:
    return () if text == "." else tuple(_read_word(word, item) for word in text.split(separator))


def _write_word(value: Any, hint: Hint) -> str | None:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return value if _WORD.fullmatch(value) else None
    to_text = getattr(value, "to_text", None)
    return to_text() if to_text and hasattr(bare_type(hint), "from_text") else None


def _read_word(word: str, hint: Hint) -> Any:
    bare = bare_type(hint)
    if word == "-" and _is_optional(hint):
        return None
    if bare is bool:
        return {"yes": True, "no": False}[word]
    if bare is int:
        return msgspec.convert(_number(word), _unwrapped(hint))
    if hasattr(bare, "from_text"):
        return bare.from_text(word)
    return msgspec.convert(word, hint)


def _number(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise Unreadable(f"{word[:40]!r} is not a number") from None


def _join(words: list[str | None], separator: str) -> str | None:
    if None in words:
        return None
    return separator.join(word for word in words if word is not None) or "."


# -- what a type hint says ------------------------------------------------------------------------------------


def _origin(hint: Hint) -> Any:
    return _get_origin(hint)


def items_of(hint: Hint) -> Hint | None:
    """X for tuple[X, ...]."""
    bare = _unwrapped(hint)
    return get_args(bare)[0] if _origin(bare) is tuple else None


def _plain_struct(hint: Hint) -> type[msgspec.Struct] | None:
    bare = _unwrapped(hint)
    is_struct = isinstance(bare, type) and issubclass(bare, msgspec.Struct) and not hasattr(bare, "from_text")
    return bare if is_struct else None


def bare_type(hint: Hint) -> Hint:
    """The type without Annotated and without None."""
    bare = _unwrapped(hint)
    if _origin(bare) in (Union, UnionType):
        others = [arg for arg in get_args(bare) if arg is not NoneType]
        return bare_type(others[0]) if len(others) == 1 else bare
    return str if _origin(bare) is Literal else bare


def _unwrapped(hint: Hint) -> Hint:
    return _unwrapped(get_args(hint)[0]) if _origin(hint) is Annotated else hint


def _is_optional(hint: Hint) -> bool:
    return NoneType in get_args(_unwrapped(hint))
