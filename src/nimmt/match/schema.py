"""The JSON Schema of match records: `python3 dev.py generate schema` writes it.

It comes from the same types that read a record, so it cannot drift away from them. What no schema can say (whose turn
it is, whether a deal follows from its seed) is left to `nimmt verify`.
"""

from __future__ import annotations

import json
from typing import Any, TypeAlias, Union

import msgspec

from nimmt.match.record import FORMAT, Record
from nimmt.match.shuffle import ALGORITHM, LONGEST_CONTRIBUTION, SEED_BYTES
from nimmt.rules import registry
from nimmt.rules.game import AnyGame

Schema: TypeAlias = dict[str, Any]

_HASH: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_SEED: Schema = {"type": "string", "pattern": f"^[0-9a-fA-F]{{{2 * SEED_BYTES}}}$"}


def record_schema() -> Schema:
    """The whole schema; which options, seats, deals and actions are allowed depends on the game."""
    (record,), definitions = _components("", Record)
    _tighten(definitions)
    games = registry.all_games()
    for game in games:
        definitions |= _game_definitions(game)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "record.schema.json",
        "title": "The record of a match",
        **record,
        "allOf": [_only_for(game) for game in games],
        "$defs": definitions,
    }


def _components(prefix: str, *types: Any) -> tuple[tuple[Schema, ...], dict[str, Schema]]:
    schemas, found = msgspec.json.schema_components(types, ref_template=f"#/$defs/{prefix}{{name}}")
    definitions = {f"{prefix}{name}": schema for name, schema in found.items()}
    return _plain(schemas), _plain(definitions)


def _plain(schema: Any) -> Any:
    """Without "discriminator", which OpenAPI knows but JSON Schema does not."""
    if isinstance(schema, dict):
        return {key: _plain(value) for key, value in schema.items() if key != "discriminator"}
    return [_plain(item) for item in schema] if isinstance(schema, list | tuple) else schema


def _tighten(definitions: dict[str, Schema]) -> None:
    """Say what the program checks after reading, where a schema can say it too."""
    record, fairness = definitions["Record"], definitions["Fairness"]["properties"]
    record["properties"] |= {"format": {"const": FORMAT}, "game": {"enum": list(registry.GAMES)}, "digest": _HASH}
    record["required"].append("digest")
    fairness |= {"algorithm": {"const": ALGORITHM}, "commitment": _HASH}
    fairness["server_seed"] = {"anyOf": [_SEED, {"type": "null"}]}
    fairness["contributions"]["items"]["maxLength"] = LONGEST_CONTRIBUTION
    definitions["RawMove"]["properties"]["seat"]["minimum"] = 0


def _game_definitions(game: AnyGame) -> dict[str, Schema]:
    prefix = f"{game.id}."
    (_, action), definitions = _components(prefix, game.options_type, Union[game.action_types])  # noqa: UP007
    request = game.deal_request(game.setup(game.options_type(), game.min_seats))
    decks = {name: _order_of(cards) for name, cards in request.decks.items()} if request else {}
    return definitions | {
        f"{prefix}Action": action,
        f"{prefix}Decks": {
            "type": "object",
            "properties": decks,
            "required": list(decks),
            "additionalProperties": False,
        },
    }


def _order_of(cards: tuple[int, ...]) -> Schema:
    items = {"type": "integer", "minimum": min(cards), "maximum": max(cards)}
    return {"type": "array", "items": items, "minItems": len(cards), "maxItems": len(cards), "uniqueItems": True}


def _only_for(game: AnyGame) -> Schema:
    refs = {name: {"$ref": f"#/$defs/{game.id}.{name}"} for name in ("Options", "Action", "Decks")}
    most = {"maximum": game.max_seats - 1}
    then = {
        "rules_version": {"minimum": 1, "maximum": game.rules_version},
        "options": refs["Options"],
        "seats": {"minItems": game.min_seats, "maxItems": game.max_seats},
        "deals": {"items": {"properties": {"decks": refs["Decks"]}}},
        "actions": {"items": {"properties": {"seat": most, "action": refs["Action"]}}},
        "result": {"properties": {"reason": {"enum": list(game.ends)}}},
    }
    return {"if": {"properties": {"game": {"const": game.id}}}, "then": {"properties": then}}


def to_text(schema: Schema) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
