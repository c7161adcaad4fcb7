"""A table as its log tells it: the fold of all entries, and what may come next.

Nothing here waits, stores or sends. A command is a method that returns the entries to append or raises `Refused`;
whether they count is decided by the log.
"""

from __future__ import annotations

import unicodedata
from copy import copy
from typing import Any

import msgspec

from nimmt.match.match import Match
from nimmt.match.record import Move, SeatInfo, decode_action
from nimmt.match.shuffle import LONGEST_CONTRIBUTION, Dealer
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Event, IllegalAction, Options, RulesError, Seat, Value
from nimmt.rules.kit.options import read_options
from nimmt.server import messages as m
from nimmt.server.entries import (
    Acted,
    AnyEntry,
    BotDismissed,
    BotSeated,
    CameBack,
    Closed,
    Entry,
    Joined,
    Opened,
    RematchOpened,
    Said,
    Started,
    Stood,
    Swapped,
    WentAway,
    milliseconds,
)
from nimmt.server.refusals import Code, Refused, refused
from nimmt.store import Listing

LONGEST_TEXT = 300
CHAT_KEPT = 100
TURNING_SIGNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""With these a text could be shown in another order than it was written in."""
RESCUE = 2000
"""The process that brought up a bot's turn lets it think at once; after so many milliseconds others look after it."""


class Chair(msgspec.Struct, frozen=True):
    """What sits on a seat: a person (guest), a bot (level), or nothing."""

    guest: str | None = None
    name: str = ""
    contribution: str = ""
    level: str | None = None
    away: Any = None

    @property
    def is_empty(self) -> bool:
        return self.guest is None and self.level is None

    @property
    def is_bot(self) -> bool:
        """Does a bot decide here now?"""
        return self.level is not None or self.away is not None

    def shown(self) -> m.Chair:
        kind: Any = "bot" if self.level else "person" if self.guest else "empty"
        return m.Chair(kind=kind, name=self.name, level=self.level, away=self.away)


EMPTY = Chair()


class Asked(msgspec.Struct, frozen=True):
    """Since when (number and time) a seat is asked for a decision of this kind."""

    since: int
    at: int
    kind: str


class Moment(msgspec.Struct, frozen=True):
    """The table right after an entry, with what is needed to tell it to anybody."""

    n: int
    at: int
    note: m.Note | None
    events: tuple[Event, ...]
    phase: m.TablePhase
    chairs: tuple[Chair, ...]
    state: Value | None
    asked: dict[Seat, Asked]
    """Seats that are waited for, and seats that may still change their mind."""
    waiting: tuple[Seat, ...]
    chat_open: bool
    rematch: str | None


class Table:
    """The fold of a log. `moments` has one item for each entry, so that everything can be told again to anybody."""

    def __init__(self, table_id: str, opened: Opened) -> None:
        self.id = table_id
        self.opened = opened
        self.game: AnyGame = registry.get(opened.game)
        self.options: Options = read_options(self.game.options_type, opened.options)
        self.seed = bytes.fromhex(opened.server_seed)
        self.chairs: tuple[Chair, ...] = (EMPTY,) * opened.seats
        self.phase: m.TablePhase = "waiting"
        self.match: Match | None = None
        self.asked: dict[Seat, Asked] = {}
        self.waiting: tuple[Seat, ...] = ()
        self.chat: list[m.ChatSaid] = []
        self.removed: set[str] = set()
        self.rematch: str | None = None
        self.at = opened.at
        self.moments: list[Moment] = []
        self._remember(None, ())

    @property
    def version(self) -> int:
        return len(self.moments)

    # -- folding --------------------------------------------------------------------------------------------------

    def add(self, entry: AnyEntry) -> None:
        """Take in the next entry of the log, which has been checked before it was appended."""
        self.at = max(self.at, entry.at)
        note, events = self._fold(entry)
        self._ask(entry)
        self._remember(note, events)

    def fork(self) -> Table:
        """A copy that can go its own way: entries count only once the log has them."""
        other = copy(self)
        other.moments, other.removed = [*self.moments], {*self.removed}
        other.match = self.match.fork() if self.match else None
        return other

    def _fold(self, entry: AnyEntry) -> tuple[m.Note, tuple[Event, ...]]:
        match entry:
            case Acted():
                return self._fold_action(entry)
            case Joined(seat=seat):
                self._seat(seat, Chair(entry.guest, entry.name, entry.contribution))
                return m.PlayerJoined(seat=seat, name=entry.name), ()
            case Stood(seat=seat):
                return self._fold_standing(seat, entry.removed), ()
            case BotSeated(seat=seat, level=level):
                self._seat(seat, Chair(name=level.capitalize(), level=level))
                return m.BotJoined(seat=seat, level=level), ()
            case BotDismissed(seat=seat):
                self._seat(seat, EMPTY)
                return m.BotLeft(seat=seat), ()
            case Swapped(one=one, other=other):
                here, there = self.chairs[one], self.chairs[other]
                self._seat(one, there)
                self._seat(other, here)
                return m.SeatsSwapped(one=one, other=other), ()
            case Started():
                return self._fold_start()
            case WentAway(seat=seat, reason=reason):
                self._seat(seat, msgspec.structs.replace(self.chairs[seat], away=reason))
                return m.PlayerAway(seat=seat, reason=reason), ()
            case CameBack(seat=seat):
                self._seat(seat, msgspec.structs.replace(self.chairs[seat], away=None))
                return m.PlayerBack(seat=seat), ()
            case Said():
                said = m.ChatSaid(name=entry.name, seat=entry.seat, text=entry.text)
                self.chat = [*self.chat[-CHAT_KEPT + 1 :], said]
                return said, ()
            case RematchOpened(table=table):
                self.rematch = table
                return m.RematchOffered(table=table), ()
            case Closed(reason=reason):
                self.phase = "closed"
                return m.TableClosed(reason=reason), ()
        raise TypeError(f"{type(entry).__name__} cannot follow in a log")

    def _seat(self, seat: Seat, chair: Chair) -> None:
        self.chairs = (*self.chairs[:seat], chair, *self.chairs[seat + 1 :])

    def _fold_standing(self, seat: Seat, removed: bool) -> m.Note:
        chair = self.chairs[seat]
        if removed and chair.guest:
            self.removed.add(chair.guest)
        self._seat(seat, EMPTY)
        return m.PlayerLeft(seat=seat, name=chair.name, removed=removed)

    def _fold_start(self) -> tuple[m.Note, tuple[Event, ...]]:
        infos = [SeatInfo(chair.name, chair.level or "person") for chair in self.chairs]
        contributions = tuple(chair.contribution for chair in self.chairs)
        self.match = Match(self.game, self.options, infos, Dealer(self.seed, contributions))
        self.phase = "playing"
        return m.MatchStarted(contributions=contributions), self.match.opening

    def _fold_action(self, entry: Acted) -> tuple[m.Note, tuple[Event, ...]]:
        match = self._match()
        events = match.act(entry.seat, decode_action(self.game, entry.action))
        if match.outcome is not None:
            self.phase = "over"
        return m.Decided(seat=entry.seat, by_bot=entry.by_bot), events

    def _ask(self, entry: AnyEntry) -> None:
        """Who is asked for what, and since when: a decision goes on while others make theirs."""
        if self.phase != "playing":
            self.asked, self.waiting = {}, ()
            return
        if not isinstance(entry, Acted | Started):
            return
        state, actor = self._match().state, entry.seat if isinstance(entry, Acted) else None
        pending = {decision.seat: decision.kind for decision in self.game.pending(state)}
        asked: dict[Seat, Asked] = {}
        for seat in range(len(self.chairs)):
            before, kind = self.asked.get(seat), pending.get(seat)
            if kind is None:
                # Not waited for, but a secret choice may still be changed.
                if before is not None and self.game.legal(state, seat):
                    asked[seat] = before
            elif before is None or before.kind != kind or seat == actor or seat not in self.waiting:
                asked[seat] = Asked(self.version + 1, self.at, kind)
            else:
                asked[seat] = before
        self.asked, self.waiting = asked, tuple(pending)

    def _remember(self, note: m.Note | None, events: tuple[Event, ...]) -> None:
        state = self.match.state if self.match else None
        self.moments.append(
            Moment(
                n=self.version + 1,
                at=self.at,
                note=note,
                events=events,
                phase=self.phase,
                chairs=self.chairs,
                state=state,
                asked=self.asked,
                waiting=self.waiting,
                chat_open=self.chat_open,
                rematch=self.rematch,
            )
        )

    def _match(self) -> Match:
        if self.match is None:
            raise Refused(Code.NOT_PLAYING, "The match has not begun.")
        return self.match

    # -- what may come next -----------------------------------------------------------------------------------------

    def seat_of(self, guest: str | None) -> Seat | None:
        for seat, chair in enumerate(self.chairs):
            if guest is not None and chair.guest == guest:
                return seat
        return None

    def join(self, guest: str, name: str, seat: Seat | None, contribution: str, now: int) -> list[Entry]:
        self._require_waiting()
        if guest in self.removed:
            raise Refused(Code.REMOVED, "The host has removed you from this table.")
        if self.seat_of(guest) is not None:
            raise Refused(Code.ALREADY_SEATED, "You sit at this table already.")
        if len(contribution) > LONGEST_CONTRIBUTION:
            raise Refused(Code.BAD_REQUEST, f"A contribution has {LONGEST_CONTRIBUTION} characters at most.")
        free = [number for number, chair in enumerate(self.chairs) if chair.is_empty]
        if seat is None:
            if not free:
                raise Refused(Code.TABLE_FULL, "All seats are taken. You may watch.")
            seat = free[0]
        self._check_seat(seat)
        if seat not in free:
            raise Refused(Code.SEAT_TAKEN, "This seat is taken.")
        return [Joined(at=now, seat=seat, guest=guest, name=name, contribution=contribution)]

    def leave(self, guest: str, now: int) -> list[Entry]:
        seat = self._own_seat(guest)
        if self.phase == "waiting":
            return [Stood(at=now, seat=seat)]
        if self.phase == "playing":
            away = self.chairs[seat].away
            return [] if away == "left" else [WentAway(at=now, seat=seat, reason="left")]
        return []

    def come_back(self, guest: str, now: int) -> list[Entry]:
        seat = self._own_seat(guest)
        return [CameBack(at=now, seat=seat)] if self.chairs[seat].away else []

    def seat_bot(self, guest: str, seat: Seat, level: str, now: int) -> list[Entry]:
        self._require_host(guest)
        self._require_waiting()
        self._check_seat(seat)
        if self.chairs[seat].guest is not None:
            raise Refused(Code.SEAT_TAKEN, "A person sits there.")
        return [BotSeated(at=now, seat=seat, level=level)]

    def clear_seat(self, guest: str, seat: Seat, now: int) -> list[Entry]:
        """The host sends a bot or a person away."""
        self._require_host(guest)
        self._require_waiting()
        self._check_seat(seat)
        chair = self.chairs[seat]
        if chair.level is not None:
            return [BotDismissed(at=now, seat=seat)]
        if chair.guest == guest:
            raise Refused(Code.FORBIDDEN, "Leave the table instead of removing yourself.")
        return [] if chair.is_empty else [Stood(at=now, seat=seat, removed=True)]

    def swap(self, guest: str, one: Seat, other: Seat, now: int) -> list[Entry]:
        self._require_host(guest)
        self._require_waiting()
        self._check_seat(one)
        self._check_seat(other)
        return [] if one == other else [Swapped(at=now, one=one, other=other)]

    def start(self, guest: str, now: int) -> list[Entry]:
        self._require_host(guest)
        self._require_waiting()
        if any(chair.is_empty for chair in self.chairs):
            raise Refused(Code.SEATS_EMPTY, "Every seat needs a person or a bot before the match can start.")
        return [Started(at=now)]

    def close(self, guest: str, now: int) -> list[Entry]:
        self._require_host(guest)
        self._require_waiting()
        return [Closed(at=now, reason="host")]

    def act(self, guest: str, action: Any, decision: int | None, now: int) -> list[Entry]:
        """A person decides; a bot that decided for them hands back."""
        seat = self._own_seat(guest)
        self._require_playing()
        asked = self.asked.get(seat)
        if decision is not None and (asked is None or asked.since != decision):
            raise Refused(Code.STALE_DECISION, "This was meant for an earlier decision, which is made already.")
        acted = Acted(at=now, seat=seat, action=self.checked_action(seat, action))
        return [*self.come_back(guest, now), acted]

    def act_for(self, seat: Seat, action: Action, now: int) -> list[Entry]:
        """A bot decides for a seat."""
        return [Acted(at=now, seat=seat, action=msgspec.Raw(msgspec.json.encode(action)), by_bot=True)]

    def checked_action(self, seat: Seat, action: Any) -> msgspec.Raw:
        """The action in the form in which the log keeps it, once the rules have accepted it."""
        try:
            decoded = decode_action(self.game, msgspec.json.encode(action))
        except msgspec.MsgspecError as error:
            raise Refused(Code.BAD_ACTION, f"This is not an action of this game: {error}.") from None
        try:
            self.game.apply(self._match().state, seat, decoded)
        except IllegalAction as error:
            raise refused(error) from None
        return Move(seat, decoded).encoded().action

    def say(self, guest: str, name: str, text: str, now: int) -> list[Entry]:
        text = clean_text(text)
        if not text:
            raise Refused(Code.NOTHING_TO_SAY, "There is nothing in this message.")
        if len(text) > LONGEST_TEXT:
            raise Refused(Code.BAD_REQUEST, f"A message has {LONGEST_TEXT} characters at most.")
        if self.phase == "closed":
            raise Refused(Code.TABLE_CLOSED, "This table is closed.")
        if guest in self.removed:
            raise Refused(Code.REMOVED, "The host has removed you from this table.")
        if not self.chat_open:
            raise Refused(Code.CHAT_CLOSED, "While cards are being chosen nobody talks in this game.")
        return [Said(at=now, guest=guest, name=name, seat=self.seat_of(guest), text=text)]

    def check_rematch(self, guest: str) -> None:
        self._own_seat(guest)
        if self.phase != "over":
            raise Refused(Code.NOT_OVER, "The match is not over yet.")

    def offer_rematch(self, guest: str, table: str, now: int) -> list[Entry]:
        self.check_rematch(guest)
        return [RematchOpened(at=now, table=table)]

    def run_out(self, now: int) -> list[Entry]:
        """The people whose time is over."""
        late = [
            seat for seat in self.waiting
            if not self.chairs[seat].is_bot and (end := self.deadline(self.asked[seat])) is not None and end <= now
        ]  # fmt: skip
        return [WentAway(at=now, seat=seat, reason="time") for seat in late]

    # -- what the log says about time ---------------------------------------------------------------------------------

    def bots_to_decide(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.waiting if self.chairs[seat].is_bot)

    def deadline(self, asked: Asked) -> int | None:
        limit = milliseconds(self.opened.tempo)
        return None if limit is None else asked.at + limit

    def due(self) -> int | None:
        """When something must happen here by itself."""
        if self.phase != "playing":
            return None
        times = [self.at + RESCUE if self.chairs[s].is_bot else self.deadline(self.asked[s]) for s in self.waiting]
        return min((time for time in times if time is not None), default=None)

    @property
    def chat_open(self) -> bool:
        """Where talking would give away secrets it is closed while they matter."""
        kinds = {self.asked[seat].kind for seat in self.waiting}
        return self.phase != "closed" and not kinds & self.game.silent

    def listing(self) -> Listing:
        guests = tuple(chair.guest for chair in self.chairs if chair.guest)
        public = self.opened.public and self.phase != "closed"
        card = {
            "game": self.game.id,
            "options": self.opened.options,
            "tempo": self.opened.tempo,
            "chairs": [chair.shown() for chair in self.chairs],
        }
        return Listing(self.phase, public, self.game.id, guests, self.at, self.due(), msgspec.json.encode(card))

    # -- conditions --------------------------------------------------------------------------------------------------

    def _require_waiting(self) -> None:
        if self.phase == "closed":
            raise Refused(Code.TABLE_CLOSED, "This table is closed.")
        if self.phase != "waiting":
            raise Refused(Code.NOT_WAITING, "The match has begun already.")

    def _require_playing(self) -> None:
        if self.phase != "playing":
            raise Refused(Code.NOT_PLAYING, "No match is being played here now.")

    def _require_host(self, guest: str) -> None:
        if guest != self.opened.host:
            raise Refused(Code.NOT_HOST, "Only the host of the table may do this.")

    def _own_seat(self, guest: str) -> Seat:
        seat = self.seat_of(guest)
        if seat is None:
            raise Refused(Code.NOT_SEATED, "You do not sit at this table.")
        return seat

    def _check_seat(self, seat: Seat) -> None:
        if seat not in range(len(self.chairs)):
            raise Refused(Code.NO_SUCH_SEAT, f"There is no seat {seat}: seats are 0 to {len(self.chairs) - 1}.")


def clean_text(text: str) -> str:
    """What people may say to each other: in one line, without signs that steer a screen or turn words around."""
    visible = "".join([" " if unicodedata.category(sign) == "Cc" else sign for sign in text])
    return " ".join("".join([sign for sign in visible if sign not in TURNING_SIGNS]).split())


def check_opening(game_id: str, options: dict[str, Any], seats: int) -> tuple[str, ...]:
    """Refuse what no match could be played with; returns what the rulebook advises against."""
    try:
        game = registry.get(game_id)
        typed: Options = read_options(game.options_type, options)
        game.setup(typed, seats)
    except RulesError as error:
        raise Refused(Code.BAD_OPTIONS, str(error)) from None
    return game.warnings(typed, seats)
