"""What an engine and whoever runs it say to each other: a message a line. `docs/engine-protocol.md` explains it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import msgspec

from nimmt.rules.game import Action, Seat

PROTOCOL = 1
"""Changes when an engine that was written before could not play any more. New fields may appear at any time."""

LONGEST_LINE = 1_000_000
LISTED_ACTIONS = 100
"""So many legal actions of one family are told at most; the rules accept all of them."""


class Message(msgspec.Struct, frozen=True, kw_only=True, tag=str.lower, tag_field="type"):
    """Base of all messages. Unknown fields are ignored, so that both sides can grow."""


# -- to the engine ----------------------------------------------------------------------------------------------


class Hello(Message, frozen=True, kw_only=True):
    """The first line. The engine answers `Ready`, as soon as it is: what takes long to load is loaded before."""

    protocol: int = PROTOCOL
    program: str = "nimmt"
    game: str | None = None
    """What will be played, if that is known already."""


class New(Message, frozen=True, kw_only=True):
    """A match begins; whatever came before is over. Not answered."""

    game: str
    options: dict[str, Any]
    seats: int
    seat: Seat
    time_ms: int
    seed: str = ""
    """For an engine's own chance: the same seed should play the same match."""


class Decide(Message, frozen=True, kw_only=True):
    """The seat is asked. The engine answers `Act` within the time."""

    decision: int
    kind: str
    view: Any
    legal: tuple[Any, ...]
    all_listed: bool = True
    """False if some family of actions has too many members to be listed."""
    events: tuple[Any, ...] = ()
    """What happened since the last decision, as this seat may see it."""
    time_ms: int


class Over(Message, frozen=True, kw_only=True):
    """The match has ended. Not answered."""

    outcome: Any
    events: tuple[Any, ...] = ()


class Quit(Message, frozen=True, kw_only=True):
    """The last line; standard input ends after it."""


ToEngine: TypeAlias = Hello | New | Decide | Over | Quit


# -- from the engine --------------------------------------------------------------------------------------------


class Ready(Message, frozen=True, kw_only=True):
    protocol: int
    name: str = ""
    games: tuple[str, ...] | None = None
    """The games it plays; None for all."""


class Act(Message, frozen=True, kw_only=True):
    action: msgspec.Raw
    decision: int | None = None
    """Which decision this answers; may be left out."""


class Info(Message, frozen=True, kw_only=True):
    """Anything the engine likes to say, at any time. Nobody has to listen."""

    text: str = ""


FromEngine: TypeAlias = Ready | Act | Info


def listed(legal: Sequence[Action]) -> tuple[Action, ...]:
    """The actions, or of a family with very many members the first ones."""
    if len(legal) <= LISTED_ACTIONS:
        return tuple(legal)
    seen: dict[tuple[type, type], int] = {}
    chosen = []
    for action in legal:
        family = (type(action), type(getattr(action, "use", None)))
        seen[family] = seen.get(family, 0) + 1
        if seen[family] <= LISTED_ACTIONS:
            chosen.append(action)
    return tuple(chosen)
