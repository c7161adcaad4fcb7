"""The record of a match: one JSON document from which everything follows, and its JSON Schema.

`docs/record-format.md` describes it for people, `docs/record.schema.json` for programs.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from typing import Annotated, Any, TypeAlias, Union

import msgspec
from msgspec import UNSET, Meta, UnsetType

from nimmt.match.shuffle import ALGORITHM, MAX_CONTRIBUTION_LENGTH, SEED_BYTES, Fairness
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Deal, Options, Outcome, Seat

# -- record ------------------------------------------------------------------------------------------------------------

FORMAT = "nimmt-record-1"


class RecordError(Exception):
    """A record that is refused: where in the document, and why."""

    def __init__(self, place: str, reason: str) -> None:
        super().__init__(f"{place}: {reason}")
        self.place = place
        self.reason = reason


class SeatInfo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who sat there: a name, and "person" or the name of a bot."""

    name: Annotated[str, Meta(min_length=1, max_length=100)]
    player: Annotated[str, Meta(min_length=1, max_length=100)] = "person"


class Practice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a coach did for each seat of a match that was played for practice. Decisions that were taken back are in no
    record: only what counted in the end is."""

    hints: tuple[Annotated[int, Meta(ge=0)], ...]
    take_backs: tuple[Annotated[int, Meta(ge=0)], ...]


class RawMove(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A move as it stands in the document; which actions there are depends on the game."""

    seat: Seat
    action: msgspec.Raw


class Move(msgspec.Struct, frozen=True):
    seat: Seat
    action: Action

    def encoded(self) -> RawMove:
        return RawMove(self.seat, msgspec.Raw(msgspec.json.encode(self.action)))


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The document. `result` is null while the match is going on; `digest` guards against careless changes."""

    format: str
    game: str
    rules_version: int
    options: msgspec.Raw
    seats: tuple[SeatInfo, ...]
    practice: Practice | UnsetType = UNSET
    """Only in the records of practice matches."""
    fairness: Fairness | None = None
    deals: tuple[Deal, ...]
    actions: tuple[RawMove, ...]
    result: Outcome | None = None
    digest: str = ""


def encode_options(options: Options) -> msgspec.Raw:
    return msgspec.Raw(msgspec.json.encode(options))


def digest(document: dict[str, Any]) -> str:
    """SHA-256 of the document without its digest, as JSON with sorted keys and no white space."""
    content = {key: value for key, value in document.items() if key != "digest"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def sealed(record: Record) -> Record:
    """The record with its digest."""
    document = json.loads(msgspec.json.encode(record))
    return msgspec.structs.replace(record, digest=digest(document))


def write_record(record: Record) -> bytes:
    """A document that people can read too: one line for each deal and each action."""
    document = json.loads(msgspec.json.encode(record))
    lines = [f"  {json.dumps(key)}: {_pretty(value)}" for key, value in document.items()]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def _pretty(value: Any) -> str:
    if isinstance(value, list) and value:
        items = ",\n".join("    " + json.dumps(item, ensure_ascii=False) for item in value)
        return f"[\n{items}\n  ]"
    return json.dumps(value, ensure_ascii=False)


def read_record(data: bytes) -> Record:
    """The document as a record, its form checked but not its content; `verify` does that."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise RecordError("$", f"this is not JSON: {error}") from None
    if not isinstance(document, dict) or not str(document.get("format", "")).startswith("nimmt-record-"):
        raise RecordError("$.format", "this is not the record of a match")
    if document["format"] != FORMAT:
        raise RecordError("$.format", f"this program reads {FORMAT}, not {document['format']!r:.40}")
    try:
        return msgspec.json.decode(data, type=Record)
    except msgspec.MsgspecError as error:
        reason, _, place = str(error).partition(" - at ")
        raise RecordError(place.strip("`") or "$", reason) from None


@cache
def _action_decoder(game: AnyGame) -> msgspec.json.Decoder[Action]:
    return msgspec.json.Decoder(Union[game.action_types])  # noqa: UP007


def decode_action(game: AnyGame, data: bytes | str | msgspec.Raw) -> Action:
    """An action from JSON; raises `msgspec.ValidationError` or `DecodeError`."""
    return _action_decoder(game).decode(data)


# -- schema ------------------------------------------------------------------------------------------------------------
# `python3 dev.py generate schema` writes it. It comes from the same types that read a record, so it cannot drift away
# from them. What no schema can say (whose turn it is, whether a deal follows from its seed) is left to `nimmt verify`.

Schema: TypeAlias = dict[str, Any]

_HASH: Schema = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_SEED: Schema = {"type": "string", "pattern": f"^[0-9a-fA-F]{{{2 * SEED_BYTES}}}$"}


def record_schema() -> Schema:
    """The whole schema; which options, seats, deals and actions are allowed depends on the game."""
    (record,), definitions = schema_components("", Record)
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


def schema_components(prefix: str, *types: Any) -> tuple[tuple[Schema, ...], dict[str, Schema]]:
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
    fairness["contributions"]["items"]["maxLength"] = MAX_CONTRIBUTION_LENGTH
    definitions["RawMove"]["properties"]["seat"]["minimum"] = 0


def _game_definitions(game: AnyGame) -> dict[str, Schema]:
    prefix = f"{game.id}."
    (_, action), definitions = schema_components(prefix, game.options_type, Union[game.action_types])  # noqa: UP007
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
