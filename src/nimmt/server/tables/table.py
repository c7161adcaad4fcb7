"""What may come next at a table.

A command is a method that returns the entries to append, or a draft with them, or raises `Refused`; whether they count
is decided by the log.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, Self

import msgspec

from nimmt.match.record import decode_action
from nimmt.match.shuffle import MAX_CONTRIBUTION_LENGTH
from nimmt.rules import registry
from nimmt.rules.game import Action, IllegalAction, Options, Refusal, RulesError, Seat
from nimmt.rules.kit.options import read_options
from nimmt.server.http.errors import Code, Refused, refused
from nimmt.server.tables import log_entries as e
from nimmt.server.tables import messages as m
from nimmt.server.tables.moments import GONE
from nimmt.server.tables.state import TableState

MAX_TEXT_LENGTH = 300
ABSENT_AFTER = 60_000
"""Milliseconds without a connection after which others may let a bot play for somebody."""
TURNING_SIGNS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""With these a text could be shown in another order than it was written in."""


class Table(TableState):
    """A table that can be asked for what should happen next."""

    def join(
        self,
        guest: str,
        name: str,
        seat: Seat | None,
        contribution: str,
        now: int,
        pace: e.Pace = "normal",
        program: bool = False,
    ) -> list[e.Entry]:
        """Sit down on a free seat; in a running match on a bot's, if the host lets people do that."""
        if not (self.phase == "playing" and self.takeover):
            self._require_waiting()
        if guest in self.removed:
            raise Refused(Code.REMOVED, "The host has removed you from this table.")
        if self.seat_of(guest) is not None:
            raise Refused(Code.ALREADY_SEATED, "You are already sitting at this table.")
        if self.phase == "playing":
            return [e.TookOver(at=now, seat=self._bot_seat(seat), guest=guest, name=name, pace=pace, program=program)]
        _check_contribution(contribution)
        free = [number for number, chair in enumerate(self.chairs) if chair.is_empty]
        if seat is None:
            if not free:
                raise Refused(Code.TABLE_FULL, "All seats are taken. You may watch.")
            seat = free[0]
        self._check_seat(seat)
        if seat not in free:
            raise Refused(Code.SEAT_TAKEN, "This seat is taken.")
        return [
            e.Joined(
                at=now, seat=seat, guest=guest, name=name, contribution=contribution, pace=pace, program=program
            )
        ]  # fmt: skip

    def _bot_seat(self, seat: Seat | None) -> Seat:
        """The seat of a bot that a person may take over now."""
        bots = [number for number, chair in enumerate(self.chairs) if chair.level is not None]
        if seat is None:
            if not bots:
                raise Refused(Code.TABLE_FULL, "All seats are taken. You may watch.")
            return bots[0]
        self._check_seat(seat)
        if seat not in bots:
            raise Refused(Code.SEAT_TAKEN, "This seat is taken.")
        return seat

    def contribute(self, guest: str, contribution: str, now: int) -> list[e.Entry]:
        """Add to the shuffle, or add something else instead: what counts is what is there at the start."""
        seat = self._own_seat(guest)
        self._require_waiting()
        if not contribution:
            raise Refused(Code.BAD_REQUEST, "This contribution is empty.")
        _check_contribution(contribution)
        if contribution == self.chairs[seat].contribution:
            return []
        return [e.Contributed(at=now, seat=seat, contribution=contribution)]

    def allow_takeover(self, guest: str, allowed: bool, now: int) -> list[e.Entry]:
        self._require_host(guest)
        if self.phase not in ("waiting", "playing"):
            self._require_playing()
        return [] if allowed == self.takeover else [e.TakeoverAllowed(at=now, allowed=allowed)]

    def set_pace(self, guest: str, pace: e.Pace, now: int) -> list[e.Entry]:
        seat = self._own_seat(guest)
        return [] if pace == self.chairs[seat].pace else [e.PaceSet(at=now, seat=seat, pace=pace)]

    def unlist(self, guest: str, now: int) -> list[e.Entry]:
        """Take a match that has ended off one's own list."""
        seat = self._own_seat(guest)
        if self.phase in ("waiting", "playing"):
            raise Refused(Code.NOT_OVER, "The match is not over yet.")
        return [] if self.chairs[seat].unlisted else [e.Unlisted(at=now, seat=seat)]

    def leave(self, guest: str, now: int) -> list[e.Entry]:
        seat = self._own_seat(guest)
        if self.phase == "waiting":
            return [e.Stood(at=now, seat=seat)]
        if self.phase == "playing":
            away = self.chairs[seat].away
            return [] if away == "left" else [e.WentAway(at=now, seat=seat, reason="left")]
        return []

    def come_back(self, guest: str, now: int) -> list[e.Entry]:
        seat = self._own_seat(guest)
        return [e.CameBack(at=now, seat=seat)] if self.chairs[seat].away else []

    def let_stand_in(self, guest: str, seat: Seat, gone: Mapping[Seat, int], now: int) -> list[e.Entry]:
        """Let a bot play for a person who has been gone for a while: the host may, or all who are there together.

        `gone` says which people are not connected, and since when.
        """
        self._require_playing()
        self._check_seat(seat)
        is_host, own = guest == self.opened.host, self.seat_of(guest)
        if own is None and not is_host:
            raise Refused(Code.NOT_SEATED, "You are not seated at this table.")
        absent = self.chairs[seat]
        if absent.guest is None:
            raise Refused(Code.NOT_ABSENT, "No person sits there.")
        if absent.has_stand_in:
            return []
        if e.milliseconds(self.opened.tempo) is not None:
            raise Refused(Code.NOT_ABSENT, "There is a clock at this table: it decides how long to wait.")
        if seat not in gone or now - gone[seat] < ABSENT_AFTER:
            raise Refused(Code.NOT_ABSENT, f"{absent.name} has not been gone for {ABSENT_AFTER // 1000} seconds yet.")
        wanting = {*absent.wanting_stand_in, own}
        there = {
            number for number, other in enumerate(self.chairs)
            if other.is_present and number != seat and (number not in gone or number == own)
        }  # fmt: skip
        if is_host or there <= wanting:
            return [e.WentAway(at=now, seat=seat, reason="absent")]
        if own is None or own in absent.wanting_stand_in:
            return []
        return [e.StandInWanted(at=now, seat=seat, by=own)]

    def seat_bot(self, guest: str, seat: Seat, level: str, now: int) -> list[e.Entry]:
        self._require_host(guest)
        self._require_waiting()
        self._check_seat(seat)
        if self.chairs[seat].guest is not None:
            raise Refused(Code.SEAT_TAKEN, "A person sits there.")
        return [e.BotSeated(at=now, seat=seat, level=level)]

    def clear_seat(self, guest: str, seat: Seat, now: int) -> list[e.Entry]:
        """The host sends a bot or a person away."""
        self._require_host(guest)
        self._require_waiting()
        self._check_seat(seat)
        chair = self.chairs[seat]
        if chair.level is not None:
            return [e.BotDismissed(at=now, seat=seat)]
        if chair.guest == guest:
            raise Refused(Code.FORBIDDEN, "Leave the table instead of removing yourself.")
        return [] if chair.is_empty else [e.Stood(at=now, seat=seat, removed=True)]

    def send_away(self, guest: str, other: str, now: int) -> list[e.Entry]:
        """Somebody whom the host has blocked leaves a table that waits."""
        seat = self.seat_of(other)
        if seat is None or guest != self.opened.host or self.phase != "waiting":
            return []
        return self.clear_seat(guest, seat, now)

    def swap(self, guest: str, one: Seat, other: Seat, now: int) -> list[e.Entry]:
        self._require_host(guest)
        self._require_waiting()
        self._check_seat(one)
        self._check_seat(other)
        return [] if one == other else [e.Swapped(at=now, one=one, other=other)]

    def start(self, guest: str, now: int) -> list[e.Entry]:
        self._require_host(guest)
        self._require_waiting()
        if any(chair.is_empty for chair in self.chairs):
            raise Refused(Code.SEATS_EMPTY, "Every seat needs a person or a bot before the match can start.")
        return [e.Started(at=now)]

    def close(self, guest: str, now: int) -> list[e.Entry]:
        """Give up a table that has not begun (its host), or a match against nobody but bots."""
        if self.phase == "playing":
            return self._abandon(guest, now)
        self._require_host(guest)
        self._require_waiting()
        return [e.Closed(at=now, reason="host")]

    def _abandon(self, guest: str, now: int) -> list[e.Entry]:
        people = {c.guest for c in self.chairs if c.guest is not None and not c.guest.startswith(GONE)}
        if not people:
            self._require_host(guest)
        elif guest not in people:
            raise Refused(Code.NOT_SEATED, "You are not seated at this table.")
        if len(people) > 1:
            raise Refused(Code.NOT_ALONE, "Others play in this match. You may leave: a bot then plays for you.")
        return [e.Closed(at=now, reason="abandoned")]

    def act(
        self, guest: str, action: Any, decision: int | None, now: int, program: bool = False
    ) -> Draft:  # fmt: skip
        """A person decides; a bot that decided for them hands back."""
        seat = self._own_seat(guest)
        self._require_playing()
        asked = self.asked.get(seat)
        if decision is not None and (asked is None or asked.since != decision):
            raise Refused(Code.STALE_DECISION, "This was meant for an earlier decision, which is made already.")
        try:
            decoded = decode_action(self.game, msgspec.json.encode(action))
        except msgspec.MsgspecError as error:
            raise Refused(Code.BAD_ACTION, f"This is not an action of this game: {error}.") from None
        try:
            return Draft(self).add(self.come_back(guest, now)).act(seat, decoded, now, program=program)
        except IllegalAction as error:
            raise refused(error) from None

    def act_for(self, seat: Seat, action: Action, now: int) -> Draft:
        """A bot decides for a seat."""
        return Draft(self).act(seat, action, now, by_bot=True)

    def hint_wanted(self, guest: str, decision: int | None, now: int) -> list[e.Entry]:
        """The coach says something about a decision that is still to be made: counted once for each."""
        self._coaching()
        seat = self._own_seat(guest)
        self._require_playing()
        asked = self.asked.get(seat)
        if asked is None or seat not in self.waiting:
            raise Refused(Refusal.NOT_YOUR_TURN, "You have nothing to decide now.")
        if decision not in (None, asked.since):
            raise Refused(Code.STALE_DECISION, "This was meant for an earlier decision, which is made already.")
        return [] if asked.hinted else [e.HintGiven(at=now, seat=seat)]

    def take_back(self, guest: str, now: int) -> Draft:
        """Go back to one's own last decision, where nobody else is at the table."""
        coaching, seat = self._coaching(), self._own_seat(guest)
        self._require_playing()
        if not self.plays_alone(guest):
            raise Refused(Code.NOT_ALONE, "Others play in this match: what they have seen cannot be taken back.")
        point = coaching.last_decision(seat)
        if point is None:
            raise Refused(Code.NOTHING_TO_TAKE_BACK, "There is no decision of yours that can be taken back.")
        return Draft(self).add(self.come_back(guest, now)).add([e.TakenBack(at=now, seat=seat, moves=point.moves)])

    def say(self, guest: str, name: str, text: str, now: int) -> list[e.Entry]:
        text = clean_text(text)
        if not text:
            raise Refused(Code.NOTHING_TO_SAY, "This message is empty.")
        if len(text) > MAX_TEXT_LENGTH:
            raise Refused(Code.BAD_REQUEST, f"A message may have at most {MAX_TEXT_LENGTH} characters.")
        return self._say(guest, name, text, None, now)

    def say_phrase(self, guest: str, name: str, phrase: e.Phrase, now: int) -> list[e.Entry]:
        return self._say(guest, name, e.WORDS[phrase], phrase, now)

    def _say(self, guest: str, name: str, text: str, phrase: e.Phrase | None, now: int) -> list[e.Entry]:
        if self.phase == "closed" or self.opened.brought:
            raise Refused(Code.TABLE_CLOSED, "This table is closed.")
        if guest in self.removed:
            raise Refused(Code.REMOVED, "The host has removed you from this table.")
        if not self.chat_open:
            raise Refused(Code.CHAT_CLOSED, "Chat is closed while cards are being chosen.")
        seat = self.seat_of(guest)
        if seat is None:
            return [e.Said(at=now, guest=guest, name=name, seat=None, text=text, phrase=phrase)]
        chair = self.chairs[seat]
        back = [] if chair.away == "left" else self.come_back(guest, now)
        return [*back, e.Said(at=now, guest=guest, name=chair.name, seat=seat, text=text, phrase=phrase)]

    def hush(self, n: int, now: int) -> list[e.Entry]:
        """Take a message away, in the name of whoever runs the server."""
        self.message(n)
        return [e.Hushed(at=now, n=n)]

    def message(self, n: int) -> m.ChatSaid:
        """A message that is there; raises `Refused`."""
        note = self.moments[n - 1].note if n in self.speakers else None
        if not isinstance(note, m.ChatSaid):
            raise Refused(Code.NO_SUCH_MESSAGE, "This message does not exist, or no longer does.")
        return note

    def shut(self, now: int) -> list[e.Entry]:
        """Close it, in the name of whoever runs the server; what has ended stays as it is."""
        return [e.Closed(at=now, reason="admin")] if self.phase in ("waiting", "playing") else []

    def check_rematch(self, guest: str) -> list[e.Entry]:
        """Nothing to append, if a rematch may be asked for."""
        self._own_seat(guest)
        if self.phase != "over":
            raise Refused(Code.NOT_OVER, "The match is not over yet.")
        return []

    def offer_rematch(self, guest: str, table: str, now: int) -> list[e.Entry]:
        self.check_rematch(guest)
        return [e.RematchOpened(at=now, table=table)]

    def run_out(self, now: int) -> list[e.Entry]:
        """What the clock brings about: a bot decides for the people whose time is over; a match that has waited long
        enough for all its people is given up."""
        if self.is_paused:
            return [e.Closed(at=now, reason="abandoned")] if self.abandoned_at <= now else []
        late = [
            seat for seat in self.waiting
            if not self.bot_decides(seat) and (end := self.deadline(seat)) is not None and end <= now
        ]  # fmt: skip
        if not late:
            return []
        draft = Draft(self)
        for seat in late:
            if not draft.after.is_paused:  # the last one who was there may just have missed too many
                draft.add([e.TimeRanOut(at=now, seat=seat)])
        return draft.entries

    # -- conditions --------------------------------------------------------------------------------------------------

    def _require_waiting(self) -> None:
        if self.phase == "closed":
            raise Refused(Code.TABLE_CLOSED, "This table is closed.")
        if self.phase != "waiting":
            raise Refused(Code.NOT_WAITING, "The match has already begun.")

    def _require_playing(self) -> None:
        if self.phase != "playing":
            raise Refused(Code.NOT_PLAYING, "No match is being played here now.")

    def _require_host(self, guest: str) -> None:
        if guest != self.opened.host:
            raise Refused(Code.NOT_HOST, "Only the host of the table may do this.")

    def _own_seat(self, guest: str) -> Seat:
        seat = self.seat_of(guest)
        if seat is None:
            raise Refused(Code.NOT_SEATED, "You are not seated at this table.")
        return seat

    def _check_seat(self, seat: Seat) -> None:
        if seat not in range(len(self.chairs)):
            raise Refused(Code.NO_SUCH_SEAT, f"There is no seat {seat}: seats are 0 to {len(self.chairs) - 1}.")


class Draft:
    """A fork of a table on which something is carried out, once and for all: the rules check an action by applying it.

    Collects the entries that bring it about. They count only once the log has them; then `after` is what it says.
    """

    def __init__(self, table: Table) -> None:
        self.after = table.fork()
        self.entries: list[e.Entry] = []

    def add(self, entries: Iterable[e.Entry]) -> Self:
        for entry in entries:
            self._add(entry)
        return self

    def act(self, seat: Seat, action: Action, now: int, *, by_bot: bool = False, program: bool = False) -> Self:
        """Raises `IllegalAction`, and is then of no more use."""
        encoded = msgspec.Raw(msgspec.json.encode(action))
        self._add(e.Acted(at=now, seat=seat, action=encoded, by_bot=by_bot, program=program), action)
        return self

    def _add(self, entry: e.Entry, action: Action | None = None) -> None:
        self.after.add(entry, action)  # type: ignore[arg-type]
        self.entries.append(entry)


def _check_contribution(contribution: str) -> None:
    if len(contribution) > MAX_CONTRIBUTION_LENGTH:
        raise Refused(Code.BAD_REQUEST, f"A contribution may have at most {MAX_CONTRIBUTION_LENGTH} characters.")


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
