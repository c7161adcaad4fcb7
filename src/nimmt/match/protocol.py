"""JSON Schemas of what programs that play get to see and send: views, actions, events and the messages of the engine
protocol, for every game.

`python3 dev.py generate protocol` writes them, from the same types that the program reads and writes with.
"""

from __future__ import annotations

from typing import Any, Union

from nimmt.match.record import Schema, schema_components
from nimmt.rules import registry
from nimmt.rules.game import AnyGame, Outcome

PROTOCOL = 1
_WHOLE: Schema = {"type": "integer", "minimum": 0}
_TEXT: Schema = {"type": "string"}


def game_schema(game: AnyGame) -> Schema:
    """Views, actions, events, options and outcomes of a game."""
    types = (
        game.view_type,
        Union[game.action_types],  # noqa: UP007
        Union[game.event_types],  # noqa: UP007
        game.options_type,
        Outcome,
    )
    found, definitions = schema_components("", *types)
    names = ("AnyView", "AnyAction", "AnyEvent", "AnyOptions", "AnyOutcome")
    definitions |= dict(zip(names, found, strict=True))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"{game.id}.schema.json",
        "title": f"Views, actions and events of {game.name}",
        "description": "A document is one of the samples beside it; programs use the definitions by name.",
        "type": "object",
        "properties": {
            "views": {"type": "object", "additionalProperties": {"$ref": "#/$defs/AnyView"}},
            "actions": {"type": "object", "additionalProperties": {"$ref": "#/$defs/AnyAction"}},
            "events": {"type": "object", "additionalProperties": {"$ref": "#/$defs/AnyEvent"}},
        },
        "required": ["views", "actions", "events"],
        "additionalProperties": False,
        "$defs": definitions,
    }


def engine_schema() -> Schema:
    """The messages of the engine protocol; views, actions and events are those of the game."""
    games = [game.id for game in registry.all_games()]

    def any_of(name: str) -> Schema:
        return {"anyOf": [{"$ref": f"{game}.schema.json#/$defs/{name}"} for game in games]}

    events = {"type": "array", "items": any_of("AnyEvent")}
    messages = {
        "hello": _message("hello", {"protocol": _WHOLE}, {"program": _TEXT, "game": {"type": ["string", "null"]}}),
        "new": _message(
            "new",
            {"game": _TEXT, "options": any_of("AnyOptions"), "seats": _WHOLE, "seat": _WHOLE, "time_ms": _WHOLE},
            {"seed": _TEXT},
        ),
        "decide": _message(
            "decide",
            {
                "decision": _WHOLE,
                "kind": _TEXT,
                "view": any_of("AnyView"),
                "legal": {"type": "array", "items": any_of("AnyAction"), "minItems": 1},
                "all_listed": {"type": "boolean"},
                "events": events,
                "time_ms": _WHOLE,
            },
        ),
        "over": _message("over", {"outcome": any_of("AnyOutcome"), "events": events}),
        "quit": _message("quit", {}),
        "ready": _message(
            "ready",
            {"protocol": {"const": PROTOCOL}},
            {"name": _TEXT, "games": {"type": ["array", "null"], "items": _TEXT}},
        ),
        "act": _message("act", {"action": any_of("AnyAction")}, {"decision": {"type": ["integer", "null"]}}),
        "info": _message("info", {"text": _TEXT}),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "engine.schema.json",
        "title": f"A message of the engine protocol, version {PROTOCOL}",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in messages],
        "$defs": messages,
    }


def _message(name: str, required: dict[str, Any], others: dict[str, Any] | None = None) -> Schema:
    """Fields that are not named here may come: both sides pass over what they do not know."""
    return {
        "type": "object",
        "properties": {"type": {"const": name}, **required, **(others or {})},
        "required": ["type", *required],
    }
