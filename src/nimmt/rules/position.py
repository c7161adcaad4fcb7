"""Positions as readable text and as JSON, for every game, without loss.

The text has a heading and a line for each thing that lies on the table or is hidden:

    nimmt position six 1
    seats: 2
    rows: 12 14 | 37 | 43 | 58
    hands: 3 61 | 9 70
    …
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import msgspec

from nimmt.rules import registry
from nimmt.rules.game import AnyGame, InvalidPosition, RulesError, UnknownVersion, Value
from nimmt.rules.kit.notation import Unreadable, fields_of, read, write

FORMAT = "nimmt-position"
_HEADING = "nimmt position"


class Position(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The JSON form."""

    format: str
    game: str
    rules_version: int
    state: msgspec.Raw


def to_json(game: AnyGame, state: Value) -> bytes:
    raw = msgspec.Raw(msgspec.json.encode(state))
    return msgspec.json.encode(Position(format=FORMAT, game=game.id, rules_version=game.rules_version, state=raw))


def from_json(data: bytes | str) -> tuple[AnyGame, Value]:
    """The game and its state; raises `InvalidPosition`, which says where and why."""
    try:
        position = msgspec.json.decode(data, type=Position)
        if position.format != FORMAT:
            raise InvalidPosition(f'format must be "{FORMAT}", not "{position.format[:40]}".')
        game = _game(position.game, position.rules_version)
        return game, _checked(game, msgspec.json.decode(position.state, type=game.state_type))
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise InvalidPosition(f"This is not a position in JSON: {error}.") from error


def to_text(game: AnyGame, state: Value) -> str:
    lines = [f"{name}: {write(value, hint)}" for name, value, hint in _flat(state)]
    return "\n".join([f"{_HEADING} {game.id} {game.rules_version}", *lines, ""])


def from_text(text: str) -> tuple[AnyGame, Value]:
    """The game and its state; raises `InvalidPosition`, which names the line."""
    heading, *lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1) if line.strip()] or [
        (1, "")
    ]
    words = heading[1].split()
    if words[:2] != _HEADING.split() or len(words) != 4 or not words[3].isdecimal():
        raise InvalidPosition(f"Line {heading[0]}: a position starts with the line '{_HEADING} GAME VERSION'.")
    game = _game(words[2], int(words[3][:9]))
    values = dict(_read_lines(game, lines))
    try:
        return game, _checked(game, _build(game.state_type, values))
    except (msgspec.MsgspecError, RecursionError) as error:
        raise InvalidPosition(f"This is not a position of {game.id}: {error}.") from error


def read_position(data: str) -> tuple[AnyGame, Value]:
    """Either form."""
    return from_json(data) if data.lstrip().startswith("{") else from_text(data)


# -- the table's fields stand among the state's own: to a reader they are one position ------------------------


def _flat(state: Value) -> Iterator[tuple[str, Any, Any]]:
    for name, hint in fields_of(type(state)).items():
        value = getattr(state, name)
        if name == "table":
            yield from _flat(value)
        else:
            yield name, value, hint


def _hints(struct: type[msgspec.Struct]) -> dict[str, Any]:
    hints: dict[str, Any] = {}
    for name, hint in fields_of(struct).items():
        hints |= _hints(hint) if name == "table" else {name: hint}
    return hints


def _read_lines(game: AnyGame, lines: list[tuple[int, str]]) -> Iterator[tuple[str, Any]]:
    hints, seen = _hints(game.state_type), set()
    for number, line in lines:
        name, colon, text = line.partition(":")
        if not colon or name not in hints:
            _refuse(number, f"{name[:40]!r} is not part of a position of {game.id}.")
        if name in seen:
            _refuse(number, f"{name} was given before.")
        seen.add(name)
        try:
            yield name, read(text.strip(), hints[name])
        except (Unreadable, RulesError) as error:
            _refuse(number, f"{name}: {error}.")
    missing = [name for name in _required(game.state_type) if name not in seen]
    if missing:
        raise InvalidPosition(f"The position lacks: {', '.join(missing)}.")


def _required(struct: type[msgspec.Struct]) -> Iterator[str]:
    """What a position must say. What later versions added has a default: older files do not say it."""
    for field in msgspec.structs.fields(struct):
        if field.name == "table":
            yield from _required(fields_of(struct)[field.name])
        elif field.required:
            yield field.name


def _refuse(number: int, reason: str) -> NoReturn:
    raise InvalidPosition(f"Line {number}: {reason}")


def _build(struct: type[msgspec.Struct], values: dict[str, Any]) -> Any:
    parts = {name: values[name] for name in fields_of(struct) if name in values}
    if "table" in fields_of(struct):
        parts["table"] = _build(fields_of(struct)["table"], values)
    return struct(**parts)


def _game(game_id: str, rules_version: int) -> AnyGame:
    try:
        return registry.get(game_id, rules_version)
    except registry.UnknownGame as error:
        raise InvalidPosition(str(error)) from None
    except UnknownVersion:
        raise InvalidPosition(f"Version {rules_version} of the rules of {game_id} is unknown here.") from None


def _checked(game: AnyGame, state: Value) -> Value:
    game.check(state)
    return state
