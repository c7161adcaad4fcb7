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
Pace: TypeAlias = Literal["slow", "normal", "fast", "instant"]
"""How much time bots leave people to watch what happened."""
AwayReason: TypeAlias = Literal["left", "time", "absent"]
"""A person let a bot play, missed several decisions in a row, or was gone and the others let a bot play."""


def milliseconds(tempo: Tempo) -> int | None:
    """The time for a decision."""
    match tempo:
        case Live(seconds=seconds):
            return 1000 * seconds
        case ByTurns(hours=hours):
            return 3_600_000 * hours
    return None


MIN_CLOCK = 5_000


def short_clock(limit: int) -> int:
    """Milliseconds for the decisions of somebody who missed several: enough to show a sign of life."""
    return min(limit, max(MIN_CLOCK, limit // 6))


class Entry(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    at: int
    """Milliseconds of the epoch, by the clock of the process that wrote it."""


class BroughtSeat(msgspec.Struct, frozen=True, kw_only=True):
    """Who sat on a seat of a match that was played elsewhere, as its record says."""

    name: str
    player: str
    """What the record calls it: a person, the level of a bot, …"""
    is_bot: bool
    """One whose level is known here."""
    contribution: str = ""
    hints: int = 0
    take_backs: int = 0


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """What people choose who open a table; the server adds the rest of `Opened`."""

    game: str
    options: dict[str, Any]
    seats: int
    public: bool
    tempo: Tempo
    rematch_of: str | None = None
    pace: Pace = "normal"
    takeover: bool = False
    practice: bool = False


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
    pace: Pace = "normal"
    """How fast bots play among themselves, where no person sits."""
    takeover: bool = False
    """May people who come later take the seats of bots?"""
    rules_version: int = 1
    """Of the game's rules, as long as the table lives. Logs from before there was a second version do not say it."""
    listed: int | None = None
    """The entry of the commitment in the server's list; tables from before there was a list have none."""
    practice: bool = False
    """Is there a coach, who gives hints and lets people take decisions back?"""
    brought: tuple[BroughtSeat, ...] = ()
    """Who sat there, if the match was played elsewhere and is here as a record that somebody has brought."""


class Joined(Entry, frozen=True, kw_only=True):
    seat: Seat
    guest: str
    name: str
    contribution: str
    pace: Pace = "normal"
    program: bool = False
    """Came with a token: a bot that somebody wrote."""


class Contributed(Entry, frozen=True, kw_only=True):
    """What a seat adds to the shuffle, before the start. The last one counts."""

    seat: Seat
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
    program: bool = False
    """Decided with a token, by a bot that somebody wrote."""


class HintGiven(Entry, frozen=True, kw_only=True):
    """The coach has said something about the decision of a seat, for the first time."""

    seat: Seat


class TakenBack(Entry, frozen=True, kw_only=True):
    """A person takes their last decision back: the match goes on from where so many moves had been made. Those after
    them stand in the log and count no more."""

    seat: Seat
    moves: int


class TimeRanOut(Entry, frozen=True, kw_only=True):
    """A person missed a decision: a bot makes this one."""

    seat: Seat


class WentAway(Entry, frozen=True, kw_only=True):
    """A bot decides for this person until they come back. (`time`: logs from before `TimeRanOut` only.)"""

    seat: Seat
    reason: AwayReason


class CameBack(Entry, frozen=True, kw_only=True):
    seat: Seat


class StandInWanted(Entry, frozen=True, kw_only=True):
    """Somebody would let a bot play for a person who is gone; it does once all who are there want it."""

    seat: Seat
    by: Seat


class TakeoverAllowed(Entry, frozen=True, kw_only=True):
    """The host lets people take the seats of bots, or no longer."""

    allowed: bool


class TookOver(Entry, frozen=True, kw_only=True):
    """A person sits down in a bot's place, in the midst of a match."""

    seat: Seat
    guest: str
    name: str
    pace: Pace = "normal"
    program: bool = False


class PaceSet(Entry, frozen=True, kw_only=True):
    seat: Seat
    pace: Pace


class Unlisted(Entry, frozen=True, kw_only=True):
    """A person does not want to see this finished match in their list any more."""

    seat: Seat


class Said(Entry, frozen=True, kw_only=True):
    guest: str
    name: str
    seat: Seat | None
    text: str
    phrase: str | None = None
    """What was said with one tap; the text says the same in English."""


class Hushed(Entry, frozen=True, kw_only=True):
    """Whoever runs the server has taken a message away: from now on it is told to nobody."""

    n: int


class RematchOpened(Entry, frozen=True, kw_only=True):
    table: str


class Closed(Entry, frozen=True, kw_only=True):
    """Nobody can do anything here any more: the host gave up, nobody came, nobody wanted to play on, or
    whoever runs the server closed it."""

    reason: Literal["host", "idle", "abandoned", "admin"]


class Forgotten(Entry, frozen=True, kw_only=True):
    """Somebody's data was taken out of this log, which was written anew for that. Copies of it are out of date."""


AnyEntry: TypeAlias = (
    Opened
    | Joined
    | Contributed
    | Stood
    | BotSeated
    | BotDismissed
    | Swapped
    | Started
    | Acted
    | HintGiven
    | TakenBack
    | TimeRanOut
    | WentAway
    | CameBack
    | StandInWanted
    | TakeoverAllowed
    | TookOver
    | PaceSet
    | Unlisted
    | Said
    | Hushed
    | RematchOpened
    | Closed
    | Forgotten
)

_decoder: msgspec.json.Decoder[AnyEntry] = msgspec.json.Decoder(AnyEntry)


def encode(entry: Entry) -> bytes:
    return msgspec.json.encode(entry)


def decode(data: bytes) -> AnyEntry:
    return _decoder.decode(data)


# -- phrases -----------------------------------------------------------------------------------------------------------

Phrase: TypeAlias = Literal[
    "hello",
    "good_luck",
    "well_played",
    "thanks",
    "close_call",
    "not_again",
    "sorry",
    "thinking",
    "good_game",
    "once_more",
    "clap",
    "laugh",
    "wow",
    "cry",
    "angry",
    "sleepy",
]

WORDS: dict[Phrase, str] = {
    "hello": "Hello!",
    "good_luck": "Good luck!",
    "well_played": "Well played!",
    "thanks": "Thank you!",
    "close_call": "That was close!",
    "not_again": "Not again!",
    "sorry": "Sorry!",
    "thinking": "Let me think …",
    "good_game": "Good game!",
    "once_more": "Once more?",
    "clap": "(applauds)",
    "laugh": "(laughs)",
    "wow": "(is amazed)",
    "cry": "(cries)",
    "angry": "(snorts)",
    "sleepy": "(yawns)",
}
"""For whoever knows no other language. They are kept in the log with the code, so that a message stays readable even if
its code is no longer offered."""
