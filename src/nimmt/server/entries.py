"""What the log of a table is made of. The log is the truth: everything else about a table follows from it."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta

from nimmt.rules.game import Seat


class NoClock(msgspec.Struct, frozen=True, tag="none", tag_field="kind", forbid_unknown_fields=True):
    """Everybody takes the time they need."""


class Live(msgspec.Struct, frozen=True, tag="live", tag_field="kind", forbid_unknown_fields=True):
    """Seconds for each decision."""

    seconds: Annotated[int, Meta(ge=5, le=600)] = 30


class ByTurns(msgspec.Struct, frozen=True, tag="turns", tag_field="kind", forbid_unknown_fields=True):
    """Hours for each decision: a match over days."""

    hours: Annotated[int, Meta(ge=1, le=336)] = 24


Tempo: TypeAlias = NoClock | Live | ByTurns


def milliseconds(tempo: Tempo) -> int | None:
    """The time for a decision."""
    match tempo:
        case Live(seconds=seconds):
            return 1000 * seconds
        case ByTurns(hours=hours):
            return 3_600_000 * hours
    return None


class Entry(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    at: int
    """Milliseconds of the epoch, by the clock of the process that wrote it."""


class Opened(Entry, frozen=True, kw_only=True):
    """The first entry. The server's seed stays secret until the match is over; its hash is public from now on."""

    game: str
    options: dict[str, Any]
    seats: int
    public: bool
    tempo: Tempo
    host: str
    server_seed: str
    rematch_of: str | None = None


class Joined(Entry, frozen=True, kw_only=True):
    seat: Seat
    guest: str
    name: str
    contribution: str


class Stood(Entry, frozen=True, kw_only=True):
    """A person left the seat before the start, or was removed by the host."""

    seat: Seat
    removed: bool = False


class BotSeated(Entry, frozen=True, kw_only=True):
    seat: Seat
    level: str


class BotDismissed(Entry, frozen=True, kw_only=True):
    seat: Seat


class Swapped(Entry, frozen=True, kw_only=True):
    """Two seats change what sits on them, before the start."""

    one: Seat
    other: Seat


class Started(Entry, frozen=True, kw_only=True):
    pass


class Acted(Entry, frozen=True, kw_only=True):
    seat: Seat
    action: msgspec.Raw
    by_bot: bool = False


class WentAway(Entry, frozen=True, kw_only=True):
    """A bot decides for this person until they come back."""

    seat: Seat
    reason: Literal["left", "time"]


class CameBack(Entry, frozen=True, kw_only=True):
    seat: Seat


class Said(Entry, frozen=True, kw_only=True):
    guest: str
    name: str
    seat: Seat | None
    text: str


class RematchOpened(Entry, frozen=True, kw_only=True):
    table: str


class Closed(Entry, frozen=True, kw_only=True):
    """Nobody can do anything here any more: the host gave up, or nobody came."""

    reason: Literal["host", "idle"]


AnyEntry: TypeAlias = (
    Opened
    | Joined
    | Stood
    | BotSeated
    | BotDismissed
    | Swapped
    | Started
    | Acted
    | WentAway
    | CameBack
    | Said
    | RematchOpened
    | Closed
)

_decoder: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)


def encode(entry: Entry) -> bytes:
    return msgspec.json.encode(entry)


def decode(data: bytes) -> AnyEntry:
    return _decoder.decode(data)
