"""What clients get to see. The types of the browser client are made from these."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, cast

import msgspec

from nimmt.rules.game import Cards, Outcome, Seat, Standing
from nimmt.server.tables.log_entries import AwayReason, Pace, Tempo
from nimmt.server.tables.summary import Summary
from nimmt.store import Listing

TablePhase: TypeAlias = Literal["waiting", "playing", "over", "closed"]


class Message(msgspec.Struct, frozen=True, kw_only=True, tag=True, tag_field="type"):
    """Base of everything tagged that goes to clients."""


# -- what happened at the table, besides the events of the game ---------------------------------------------------


class PlayerJoined(Message, frozen=True, kw_only=True):
    seat: Seat
    name: str


class Contributed(Message, frozen=True, kw_only=True):
    """A seat has added something to the shuffle, or something else than before. What, is told at the start."""

    seat: Seat


class PlayerLeft(Message, frozen=True, kw_only=True):
    """Before the start: the seat is free again."""

    seat: Seat
    name: str
    removed: bool


class BotJoined(Message, frozen=True, kw_only=True):
    seat: Seat
    level: str


class BotLeft(Message, frozen=True, kw_only=True):
    seat: Seat


class SeatsSwapped(Message, frozen=True, kw_only=True):
    one: Seat
    other: Seat


class MatchStarted(Message, frozen=True, kw_only=True):
    contributions: tuple[str, ...]


class TimeRanOut(Message, frozen=True, kw_only=True):
    """A person missed a decision, the last of so many in a row; a bot makes it. With `away` the seat's clock is short
    from now on, until the person is back."""

    seat: Seat
    missed: int
    away: bool


class PlayerAway(Message, frozen=True, kw_only=True):
    """A bot decides for this seat until the person is back."""

    seat: Seat
    reason: AwayReason


class PlayerBack(Message, frozen=True, kw_only=True):
    seat: Seat


class StandInWanted(Message, frozen=True, kw_only=True):
    """`by` would let a bot play for `seat`, who is gone."""

    seat: Seat
    by: Seat


class TakeoverAllowed(Message, frozen=True, kw_only=True):
    allowed: bool


class SeatTakenOver(Message, frozen=True, kw_only=True):
    """A person sits down in a bot's place, in the midst of the match."""

    seat: Seat
    name: str


class PaceSet(Message, frozen=True, kw_only=True):
    seat: Seat
    pace: Pace


class Unlisted(Message, frozen=True, kw_only=True):
    """Nothing that others need to know: a person has cleared up their list, or had their data deleted; or a
    message that is not for the reader: it was taken away, or they have muted its author."""


class ChatSaid(Message, frozen=True, kw_only=True, omit_defaults=True):
    """`n` is the number of the message: with it a message can be reported, and its author muted or blocked. `phrase` is
    the code of what is said with one tap, for whoever has words of their own for it; the text says it in English."""

    n: int
    name: str
    seat: Seat | None
    text: str
    phrase: str | None = None


class ChatRemoved(Message, frozen=True, kw_only=True):
    """Whoever runs the server has taken the message with number `n` away: nobody is told it any more."""

    n: int


class HintGiven(Message, frozen=True, kw_only=True):
    """The coach of a practice table has said something to a seat."""

    seat: Seat


class DecisionTakenBack(Message, frozen=True, kw_only=True):
    """At a practice table: the match goes on from where this seat decided last, as if nothing had happened since. How
    things were then comes with the situation."""

    seat: Seat


class RematchOffered(Message, frozen=True, kw_only=True):
    table: str


class TableClosed(Message, frozen=True, kw_only=True):
    reason: str


class Decided(Message, frozen=True, kw_only=True):
    """A seat has decided something; the events say what, as far as the reader may know it."""

    seat: Seat
    by_bot: bool


Note: TypeAlias = (
    PlayerJoined
    | Contributed
    | PlayerLeft
    | BotJoined
    | BotLeft
    | SeatsSwapped
    | MatchStarted
    | TimeRanOut
    | PlayerAway
    | PlayerBack
    | StandInWanted
    | TakeoverAllowed
    | SeatTakenOver
    | PaceSet
    | Unlisted
    | ChatSaid
    | ChatRemoved
    | HintGiven
    | DecisionTakenBack
    | RematchOffered
    | TableClosed
    | Decided
)

# -- how things are, for one pair of eyes ---------------------------------------------------------------------------


class Chair(msgspec.Struct, frozen=True, kw_only=True):
    """Who sits on a seat. `away` says why a bot decides for a person at the moment, `missed` for how many decisions
    in a row a person's time ran out, `program` that a bot plays there which somebody wrote."""

    kind: Literal["empty", "person", "bot"]
    name: str = ""
    level: str | None = None
    away: AwayReason | None = None
    missed: int = 0
    program: bool = False
    pace: Pace = "normal"
    wanting_stand_in: tuple[Seat, ...] = ()
    """Who would let a bot play here as long as the person is gone."""
    contributed: bool = False
    """Has the person added something to the shuffle?"""


class Waiting(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that is being waited for. `since` is the number of the message with which its decision came up. The clock
    starts when what happened before can have been watched."""

    seat: Seat
    kind: str
    since: int
    deadline: int | None


class Fair(msgspec.Struct, frozen=True, kw_only=True):
    """What makes the deals provable: a commitment from the start, what the seats contribute after it, and the seed
    itself when the match is over. `listed` is the number of the commitment in the server's list; tables from before
    there was a list have none."""

    commitment: str
    server_seed: str | None
    contributions: tuple[str, ...]
    listed: int | None


class Foresight(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where some actions would bring a card as the table stands, what it would take there, and the rule that says so.
    An action that is in several of them leaves a choice."""

    actions: tuple[int, ...]
    """Which of the legal actions, counted from 0."""
    place: int | None
    """The row or pile, from 1; null if the card finds no place."""
    rule: str
    takes: Cards = ()
    bulls: int = 0
    """What the cards taken are worth."""


class Coached(msgspec.Struct, frozen=True, kw_only=True):
    """What the coach of a practice table did for a seat: decisions with a hint, decisions taken back."""

    hints: int = 0
    take_backs: int = 0


class Situation(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    phase: TablePhase
    chairs: tuple[Chair, ...]
    you: Seat | None
    """The reader's seat; None for a spectator."""
    is_host: bool
    view: Any
    """What the reader may know of the match (the game's view); null before the start."""
    legal: tuple[Any, ...]
    """What the reader may do now. Of a family with very many members only the first ones are listed."""
    decision: int | None
    """To be sent back with an action, so that one that comes too late is not taken for another decision."""
    waiting: tuple[Waiting, ...]
    chat_open: bool
    paused: bool
    """All people are away: the match waits for the first of them."""
    takeover: bool
    """People may take the seats of bots."""
    outcome: Outcome | None
    fair: Fair
    rematch: str | None
    foreseen: tuple[Foresight, ...] = ()
    """What would come of the legal actions if nothing came between. Left out where there is nothing to say."""
    labels: tuple[str, ...] | None = None
    """What the legal actions are called in English, for games from outside: pages have no words for those. Left out
    for all others."""
    coached: tuple[Coached, ...] = ()
    """At a practice table what the coach did for each seat. Left out at all others."""
    may_take_back: bool = False
    """Whether the reader may take back a decision now."""


class TableInfo(msgspec.Struct, frozen=True, kw_only=True):
    """What does not change about a table."""

    id: str
    game: str
    options: dict[str, Any]
    seats: int
    public: bool
    tempo: Tempo
    opened: int
    rematch_of: str | None
    practice: bool = False
    """There is a coach, who gives hints and lets people take decisions back."""
    brought: bool = False
    """The match was played elsewhere: somebody has brought its record, to have it reviewed."""


class Snapshot(Message, frozen=True, kw_only=True):
    """Everything about a table as it is now. `n` is the number of the last thing that happened."""

    n: int
    at: int
    table: TableInfo
    situation: Situation
    chat: tuple[ChatSaid, ...]


class Update(Message, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that happened, numbered without gaps, and how things are after it."""

    n: int
    at: int
    note: Note | None
    """None for the first one: the table was opened."""
    events: tuple[Any, ...]
    situation: Situation
    changes: tuple[Any, ...] | None = None
    """For each event but the last what it changed in the reader's view, beginning with the view of the message before;
    after the last one the view is the situation's. Left out where that says it all. An object changes what it names, in
    a list by index; `[value]` is a new value, `[start, count, …items]` replaces so many items of a list; anything else
    is the new value itself."""
    told: tuple[str, ...] | None = None
    """The events as sentences in English, for games from outside; `{0}` stands for the name of seat 0. Left out for
    all others."""


class Gone(msgspec.Struct, frozen=True, kw_only=True):
    """A person who is not connected, and since when (milliseconds of the epoch)."""

    seat: Seat
    since: int


class Presence(Message, frozen=True, kw_only=True):
    """Who of the people at the table is not there. Comes with a socket's first message and whenever it changes; it has
    no number, as it is not part of what happened."""

    at: int
    gone: tuple[Gone, ...]


class OpenHands(msgspec.Struct, frozen=True, kw_only=True):
    """The hands of all seats after message `n`, told when the match is over."""

    n: int
    hands: tuple[tuple[int, ...], ...]


class Awaited(msgspec.Struct, frozen=True, kw_only=True):
    """A seat that is being waited for, and until when."""

    seat: Seat
    deadline: int | None


class TableCard(msgspec.Struct, frozen=True, kw_only=True):
    """A table in a list: public facts only. Tables that nothing has happened at since there were no standings yet have
    none."""

    id: str
    game: str
    options: dict[str, Any]
    phase: TablePhase
    tempo: Tempo
    chairs: tuple[Chair, ...]
    updated: int
    you: Seat | None = None
    """The reader's seat, in their own list."""
    waiting: tuple[Awaited, ...] = ()
    paused: bool = False
    """All people are away: the match waits for the first of them."""
    standing: Standing | None = None
    """How the match stands or ended; null before the start, and where the game does not say."""
    winners: tuple[Seat, ...] | None = None
    """Who has won; null as long as the match is not over."""
    practice: bool = False
    """There is a coach."""


class StoredCard(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What of it is kept with the listing."""

    game: str
    options: dict[str, Any]
    tempo: Tempo
    chairs: tuple[Chair, ...]
    seats: tuple[Seat, ...] = ()
    """Where those sit whom the listing names, in their order; told to nobody."""
    waiting: tuple[Awaited, ...] = ()
    paused: bool = False
    standing: Standing | None = None
    winners: tuple[Seat, ...] | None = None
    summary: Summary | None = None
    """Of a finished match, for those who played."""
    practice: bool = False
    coached: tuple[Coached, ...] = ()


def card_of(table_id: str, listing: Listing, guest: str | None = None) -> TableCard:
    """As this guest may see it."""
    stored = read_card(listing.card)
    seated = dict(zip(listing.guests, stored.seats, strict=False))
    return TableCard(
        id=table_id,
        game=stored.game,
        options=stored.options,
        phase=cast(TablePhase, listing.phase),
        tempo=stored.tempo,
        chairs=stored.chairs,
        updated=listing.updated,
        you=None if guest is None else seated.get(guest),
        waiting=stored.waiting,
        paused=stored.paused,
        standing=stored.standing,
        winners=stored.winners,
        practice=stored.practice,
    )


read_card = msgspec.json.Decoder(StoredCard).decode
