"""What clients send with a request, and the short answers they get. The rest is in `messages`."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta

from nimmt.match.shuffle import MAX_CONTRIBUTION_LENGTH
from nimmt.rules.game import Seat
from nimmt.server.calls.subscriptions import Key, Quiet, SubscriptionInfo
from nimmt.server.people.guests import MAX_TOKEN_DAYS, SCOPES, TOKEN_DAYS, Scope, TokenInfo
from nimmt.server.people.names import MAX_NAME_LENGTH
from nimmt.server.tables.log_entries import NoClock, Pace, Phrase, Tempo
from nimmt.server.tables.table import MAX_TEXT_LENGTH

Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME_LENGTH)]
OwnPace = Annotated[
    Pace | None,
    Meta(
        description="How much time bots leave you to watch what happens; by default what people need, and none for "
        "programs. The slowest at the table counts."
    ),
]
Contribution = Annotated[
    str, Meta(max_length=MAX_CONTRIBUTION_LENGTH, description="Your part in shuffling the cards: any text.")
]
OwnWords = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_CONTRIBUTION_LENGTH,
        description="Your part in shuffling the cards: any text that is not empty.",
    ),
]


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of what clients send."""

    EXAMPLE: ClassVar[dict[str, Any]]


class NewGuest(Body, frozen=True, kw_only=True):
    EXAMPLE = {"name": "Anna"}

    name: Name


class Me(msgspec.Struct, frozen=True):
    id: str
    name: str


class LinkCode(Body, frozen=True, kw_only=True):
    """Append it to `/carry#` for a link that carries a guest's seats to another device, once."""

    EXAMPLE = {"code": "Vb3mTtBrxoYoNFcVmNVQvlGU2qpZ5K0g"}

    code: Annotated[str, Meta(min_length=1, max_length=200)]


class NewToken(Body, frozen=True, kw_only=True):
    EXAMPLE = {"name": "my bot", "scopes": ["read", "play"]}

    name: Name
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=len(SCOPES))] = ("read", "play")
    expires_in_days: Annotated[int, Meta(ge=1, le=MAX_TOKEN_DAYS, description="It expires after this many days.")] = (
        TOKEN_DAYS
    )


class FreshToken(msgspec.Struct, frozen=True):
    """The token itself is shown only now."""

    token: str
    info: TokenInfo


class NewTable(Body, frozen=True, kw_only=True):
    EXAMPLE = {"game": "six", "seats": 3, "options": {"target": 66}, "bots": ["greedy"]}

    game: Annotated[str, Meta(max_length=40)]
    options: dict[str, Any] = {}
    seats: Annotated[int, Meta(ge=1, le=20)]
    public: bool = False
    tempo: Tempo = NoClock()
    join: Annotated[bool, Meta(description="Take the first seat at once.")] = True
    bots: Annotated[
        tuple[str | None, ...],
        Meta(max_length=20, description="Levels of bots for the last seats; null leaves a seat free."),
    ] = ()
    start: Annotated[
        bool,
        Meta(
            description="Start at once if no seat is left empty. Nobody can contribute to the shuffle then: the server "
            "alone decides the deals."
        ),
    ] = False
    pace: OwnPace = None
    takeover: Annotated[bool, Meta(description="Let people take the seats of bots while the match is on.")] = False
    practice: Annotated[
        bool,
        Meta(
            description="Play for practice: a coach gives hints, and who plays with bots alone may take decisions "
            "back. Everybody sees it, and the match counts in no statistics."
        ),
    ] = False


class Join(Body, frozen=True, kw_only=True):
    EXAMPLE = {"seat": 1, "contribution": "kumquat"}

    seat: Seat | None = None
    contribution: Contribution = ""
    pace: OwnPace = None


class Contribute(Body, frozen=True, kw_only=True):
    EXAMPLE = {"contribution": "kumquat"}

    contribution: OwnWords


class SetPace(Body, frozen=True, kw_only=True):
    EXAMPLE = {"pace": "fast"}

    pace: Pace


class AllowTakeover(Body, frozen=True, kw_only=True):
    EXAMPLE = {"allowed": True}

    allowed: bool


class StandIn(Body, frozen=True, kw_only=True):
    EXAMPLE = {"seat": 1}

    seat: Seat


class Expecting(Body, frozen=True, kw_only=True):
    """A command for the table as it was at message `expected`; refused if something has happened since."""

    EXAMPLE = {"expected": None}

    expected: int | None = None


class SeatBot(Expecting, frozen=True, kw_only=True):
    EXAMPLE = {"seat": 2, "level": "greedy"}

    seat: Seat
    level: Annotated[str, Meta(max_length=40)]


class ClearSeat(Expecting, frozen=True, kw_only=True):
    EXAMPLE = {"seat": 2}

    seat: Seat


class SwapSeats(Expecting, frozen=True, kw_only=True):
    EXAMPLE = {"one": 0, "other": 2}

    one: Seat
    other: Seat


class Act(Body, frozen=True, kw_only=True):
    EXAMPLE = {"action": {"type": "PlayCard", "card": 55}, "decision": 7}

    action: dict[str, Any]
    decision: Annotated[int | None, Meta(description="The `decision` of the situation this answers.")] = None


class WantHint(Body, frozen=True, kw_only=True):
    EXAMPLE = {"decision": 7}

    decision: Annotated[int | None, Meta(description="The `decision` of the situation that this is about.")] = None


class Solve(Body, frozen=True, kw_only=True):
    EXAMPLE = {"action": {"type": "PlayCard", "card": 55}}

    action: dict[str, Any]


class Say(Body, frozen=True, kw_only=True):
    EXAMPLE = {"text": "Well played!"}

    text: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT_LENGTH)]


class SayPhrase(Body, frozen=True, kw_only=True):
    EXAMPLE = {"phrase": "well_played"}

    phrase: Phrase


class AboutSomebody(Body, frozen=True, kw_only=True):
    """A message at the table (its number), or the person on a seat."""

    EXAMPLE = {"n": 17}

    n: Annotated[int, Meta(ge=1, le=2**31)] | None = None
    seat: Seat | None = None


class NewReport(AboutSomebody, frozen=True, kw_only=True):
    EXAMPLE = {"n": 17, "comment": "He insults everybody."}

    comment: Annotated[str, Meta(max_length=MAX_TEXT_LENGTH)] = ""


class Shun(AboutSomebody, frozen=True, kw_only=True):
    EXAMPLE = {"seat": 2, "block": True}

    block: bool = False


class Subscribe(Body, frozen=True, kw_only=True):
    """A browser that wants to be called, as its push manager describes it."""

    EXAMPLE = {
        "endpoint": "https://push.example.net/abc",
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        "quiet": {"start": 1320, "end": 420},
        "zone": "Europe/Berlin",
    }

    endpoint: Annotated[str, Meta(min_length=1, max_length=1000)]
    p256dh: Key
    auth: Key
    quiet: Annotated[
        Quiet | None, Meta(description="Minutes of the day, in the time zone, between which nobody is called.")
    ] = None
    zone: Annotated[str, Meta(min_length=1, max_length=60)] = "UTC"


class CallsInfo(msgspec.Struct, frozen=True):
    """`key` is what browsers subscribe with; null if this server calls nobody."""

    key: str | None
    subscriptions: tuple[SubscriptionInfo, ...]


class Again(Body, frozen=True, kw_only=True):
    """For a rematch. Nothing is contributed with it: the commitment of the new table must be known first."""

    EXAMPLE = {}


class Done(msgspec.Struct, frozen=True):
    """`n` is the number of the last message that the command brought about."""

    n: int


class OpenedTable(msgspec.Struct, frozen=True, kw_only=True):
    """`commitment` is the hash of the seed for the shuffle, `listed` the number of its entry in `/api/commitments`.
    Contribute to the shuffle when you have kept it: see `docs/shuffle.md`."""

    id: str
    commitment: str
    listed: int | None
    warnings: tuple[str, ...] = ()


class BroughtMatch(msgspec.Struct, frozen=True):
    """`id` is that of a table where the match is over; the same record has the same one."""

    id: str


class OptionInfo(msgspec.Struct, frozen=True):
    name: str
    kind: str
    description: str
    default: Any
    choices: tuple[str, ...]
    least: int | None
    most: int | None
    optional: bool


class VariantInfo(msgspec.Struct, frozen=True):
    id: str
    name: str
    summary: str
    options: dict[str, Any]
    max_seats: int


class GameInfo(msgspec.Struct, frozen=True):
    id: str
    name: str
    summary: str
    min_seats: int
    max_seats: int
    variants: tuple[VariantInfo, ...]
    options: tuple[OptionInfo, ...]
    rules: dict[str, str]
    decisions: dict[str, str]
    minutes: int | None
    """About so long a match of four takes on a screen."""


class Address(msgspec.Struct, frozen=True):
    """Where people at other machines reach this server, if it knows."""

    url: str | None


class BotInfo(msgspec.Struct, frozen=True):
    level: str
    description: str
