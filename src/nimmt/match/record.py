"""The record of a match: one JSON document from which everything follows.

`docs/record-format.md` describes it for people, `docs/record.schema.json` for programs.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from typing import Annotated, Any, Union

import msgspec
from msgspec import Meta

from nimmt.match.shuffle import Fairness
from nimmt.rules.game import Action, AnyGame, Deal, Options, Outcome, Seat

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
