"""A table as its log tells it: the fold of all entries. Nothing here waits, stores or sends."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from typing import Any, Self, TypeAlias

import msgspec

from nimmt.match.match import Match
from nimmt.match.record import SeatInfo, decode_action
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Event, Options, Seat
from nimmt.rules.kit.options import read_options
from nimmt.server.http.errors import Code, Refused
from nimmt.server.people.names import distinct, herd_name
from nimmt.server.tables import log_entries as e
from nimmt.server.tables import messages as m
from nimmt.server.tables.moments import (
    EMPTY,
    GONE,
    Asked,
    Chair,
    ForeseenAt,
    Moment,
    Moments,
    chairs_at_first,
    deadline,
    is_paused,
)
from nimmt.server.tables.practice import Coaching
from nimmt.server.tables.summary import Summary, Tally
from nimmt.store import Listing

CHAT_KEPT = 100
RESCUE = 2000
"""The process that brought up a bot's turn lets it think at once; after so many milliseconds others look after it."""
RESCUE_ALONE = 20_000
"""The same where no people sit: those bots come last, so they may have to wait."""
AWAY_AFTER = 3
"""Who misses so many decisions in a row is away: others need not wait as long for the next ones."""
DAY = 24 * 3_600_000
ABANDONED_AFTER = 7 * DAY
"""A match that all people have left waits so many milliseconds for the first of them."""
ABANDONED_AFTER_BY_TURNS = 30 * DAY
"""The same where people play over days."""
AboutPresence: TypeAlias = e.TimeRanOut | e.WentAway | e.CameBack | e.StandInWanted | e.PaceSet | e.Unlisted
PACES: dict[e.Pace, float] = {"slow": 2.0, "normal": 1.0, "fast": 0.5, "instant": 0.0}
MAX_TURN_SECONDS = 2.0
"""Seconds that a turn takes at most, besides those of its cards when they are hurried: see `tempo.ts` of the page."""


class TableState:
    """The fold of a log. `moments` has one item for each of the latest entries: they can be told again to anybody."""

    def __init__(self, table_id: str, opened: e.Opened) -> None:
        self.id = table_id
        self.opened = opened
        self.game: AnyGame = registry.get(opened.game, opened.rules_version)
        self.options: Options = read_options(self.game.options_type, opened.options)
        self.seed = bytes.fromhex(opened.server_seed)
        self.chairs: tuple[Chair, ...] = chairs_at_first(opened)
        self.phase: m.TablePhase = "waiting"
        self.match: Match | None = None
        self.tally = Tally.at_start(opened.seats, opened.at)
        self.asked: dict[Seat, Asked] = {}
        self.waiting: tuple[Seat, ...] = ()
        self.chat: list[m.ChatSaid] = []
        self.speakers: dict[int, str] = {}
        """The guests who said something, by the numbers of the messages; those that were taken away are not there."""
        self.removed: set[str] = set()
        self.rematch: str | None = None
        self.takeover = opened.takeover
        self.at = opened.at
        self._show = (0, 0)
        """When people could begin to watch what happened last, and how many milliseconds there is to see."""
        self._watched: frozenset[Seat] = frozenset()
        """People who have decided something since: they need no more time to watch."""
        self.foreseen: dict[Seat, ForeseenAt] = {}
        """The latest for each seat, kept to save work. Forks share it: it says itself what it holds for."""
        self.coaching = Coaching.at_first(opened)
        self.moments: Moments[Moment] = Moments()
        self._remember(None, ())

    @property
    def version(self) -> int:
        return len(self.moments)

    # -- folding --------------------------------------------------------------------------------------------------

    def add(self, entry: e.AnyEntry, action: Action | None = None) -> None:
        """Take in the next entry. Whoever has just decided on it may hand in the action that it says; the log's entries
        have been checked before they were appended."""
        self.at = max(self.at, entry.at)
        note, events = self._fold(entry, action)
        self._ask(entry)
        self._remember(note, events)

    def fork(self) -> Self:
        """A copy that can go its own way: entries count only once the log has them."""
        other = copy(self)
        other.moments, other.removed, other.speakers = self.moments.fork(), {*self.removed}, {**self.speakers}
        other.match = self.match.fork() if self.match else None
        return other

    def _fold(self, entry: e.AnyEntry, action: Action | None) -> tuple[m.Note, tuple[Event, ...]]:
        match entry:
            case e.Acted():
                return self._fold_action(entry, action or decode_action(self.game, entry.action))
            case e.Started():
                return self._fold_start()
            case e.HintGiven(seat=seat):
                self.asked = self.asked | {seat: msgspec.structs.replace(self.asked[seat], hinted=True)}
                self._coach(self._coaching().counted(seat, hints=1))
                return m.HintGiven(seat=seat), ()
            case e.TakenBack():
                return self._fold_taking_back(entry), ()
            case e.TimeRanOut() | e.WentAway() | e.CameBack() | e.StandInWanted() | e.PaceSet() | e.Unlisted():
                return self._fold_presence(entry), ()
            case e.Said():
                name = entry.name if entry.seat is not None else distinct(entry.name, self._names_beside(None))
                said = m.ChatSaid(n=self.version + 1, name=name, seat=entry.seat, text=entry.text, phrase=entry.phrase)
                self.chat = [*self.chat[-CHAT_KEPT + 1 :], said]
                self.speakers[said.n] = entry.guest
                return said, ()
            case e.Hushed(n=n):
                self.chat = [said for said in self.chat if said.n != n]
                self.speakers.pop(n, None)
                return m.ChatRemoved(n=n), ()
            case e.RematchOpened(table=table):
                self.rematch = table
                return m.RematchOffered(table=table), ()
            case e.Closed(reason=reason):
                self.phase = "closed"
                return m.TableClosed(reason=reason), ()
            case e.Forgotten():
                return m.Unlisted(), ()
        return self._fold_seating(entry), ()

    def _fold_seating(self, entry: e.AnyEntry) -> m.Note:
        """Who sits where."""
        match entry:
            case e.Joined():
                return self._fold_joining(entry)
            case e.Contributed(seat=seat, contribution=contribution):
                self._change(seat, contribution=contribution)
                return m.Contributed(seat=seat)
            case e.Stood(seat=seat):
                return self._fold_standing(seat, entry.removed)
            case e.BotSeated(seat=seat, level=level):
                self._seat(seat, Chair(name=herd_name(seat, self._names_beside(seat)), level=level))
                return m.BotJoined(seat=seat, level=level)
            case e.BotDismissed(seat=seat):
                self._seat(seat, EMPTY)
                return m.BotLeft(seat=seat)
            case e.Swapped(one=one, other=other):
                here, there = self.chairs[one], self.chairs[other]
                self._seat(one, there)
                self._seat(other, here)
                return m.SeatsSwapped(one=one, other=other)
            case e.TakeoverAllowed(allowed=allowed):
                self.takeover = allowed
                return m.TakeoverAllowed(allowed=allowed)
            case e.TookOver():
                return self._fold_takeover(entry)
        raise TypeError(f"{type(entry).__name__} cannot follow in a log")

    def _fold_presence(self, entry: AboutPresence) -> m.Note:
        """Who is there, and decides for themselves."""
        seat = entry.seat
        match entry:
            case e.TimeRanOut():
                return self._fold_missing(seat)
            case e.WentAway(reason=reason):
                self._change(seat, away=reason, wanting_stand_in=())
                return m.PlayerAway(seat=seat, reason=reason)
            case e.CameBack():
                self._fold_return(seat)
                return m.PlayerBack(seat=seat)
            case e.StandInWanted(by=by):
                self._change(seat, wanting_stand_in=(*self.chairs[seat].wanting_stand_in, by))
                return m.StandInWanted(seat=seat, by=by)
            case e.PaceSet(pace=pace):
                self._change(seat, pace=pace)
                return m.PaceSet(seat=seat, pace=pace)
            case e.Unlisted():
                self._change(seat, unlisted=True)
                return m.Unlisted()

    def _seat(self, seat: Seat, chair: Chair) -> None:
        self.chairs = (*self.chairs[:seat], chair, *self.chairs[seat + 1 :])

    def _change(self, seat: Seat, **changes: Any) -> None:
        self._seat(seat, msgspec.structs.replace(self.chairs[seat], **changes))

    def _names_beside(self, seat: Seat | None) -> list[str]:
        return [chair.name for number, chair in enumerate(self.chairs) if number != seat and chair.name]

    def _fold_joining(self, entry: e.Joined) -> m.Note:
        seat, name = entry.seat, distinct(entry.name, self._names_beside(entry.seat))
        came = Chair(entry.guest, name, entry.contribution, seen=self.at, pace=entry.pace, program=entry.program)
        self._seat(seat, came)
        return m.PlayerJoined(seat=seat, name=name)

    def _fold_takeover(self, entry: e.TookOver) -> m.Note:
        seat, name, match = entry.seat, distinct(entry.name, self._names_beside(entry.seat)), self._match()
        taken = Chair(entry.guest, name, seen=self.at, pace=entry.pace, program=entry.program)
        info = SeatInfo(name, f"{self.chairs[seat].player}, then {taken.player}")
        match.seats = (*match.seats[:seat], info, *match.seats[seat + 1 :])
        self._seat(seat, taken)
        self._restart_clocks([seat])
        return m.SeatTakenOver(seat=seat, name=name)

    def _fold_missing(self, seat: Seat) -> m.Note:
        missed = self.chairs[seat].missed + 1
        away = missed >= AWAY_AFTER or self.chairs[seat].away is not None
        self._change(seat, missed=missed, away="time" if away else None)
        self.asked = self.asked | {seat: msgspec.structs.replace(self.asked[seat], expired=True)}
        return m.TimeRanOut(seat=seat, missed=missed, away=away)

    def _fold_return(self, seat: Seat) -> None:
        was_paused, reason = self.is_paused, self.chairs[seat].away
        self._change(seat, away=None, missed=0, wanting_stand_in=(), seen=self.at)
        if was_paused:
            self._restart_clocks(self.waiting)
        elif reason != "left":  # who leaves and comes back again and again wins no time by it
            self._restart_clocks([seat])

    def _restart_clocks(self, seats: Iterable[Seat]) -> None:
        fresh = {s: msgspec.structs.replace(self.asked[s], at=self.at, expired=False) for s in seats if s in self.asked}
        self.asked = self.asked | fresh

    def _fold_standing(self, seat: Seat, removed: bool) -> m.Note:
        chair = self.chairs[seat]
        if removed and chair.guest:
            self.removed.add(chair.guest)
        self._seat(seat, EMPTY)
        return m.PlayerLeft(seat=seat, name=chair.name, removed=removed)

    def _fold_start(self) -> tuple[m.Note, tuple[Event, ...]]:
        infos = [SeatInfo(chair.name, chair.player) for chair in self.chairs]
        contributions = tuple(chair.contribution for chair in self.chairs)
        self.match = Match(self.game, self.options, infos, Dealer(self.seed, contributions))
        self.phase = "playing"
        self.tally = Tally.at_start(len(infos), self.at)
        if self.coaching is not None:
            self._coach(self.coaching)
        return m.MatchStarted(contributions=contributions), self.match.opening

    def _fold_action(self, entry: e.Acted, action: Action) -> tuple[m.Note, tuple[Event, ...]]:
        match, seat = self._match(), entry.seat
        events = match.act(seat, action)
        if self.coaching is not None and not entry.by_bot:
            self.coaching = self.coaching.decided(seat)
        self.tally = self.tally.counted(entry.seat, entry.by_bot, events, self.at)
        if match.outcome is not None:
            self.phase = "over"
        if not entry.by_bot:
            self._fold_sign_of_life(entry.seat, entry.program)
        self._show_events(events, None if entry.by_bot else entry.seat)
        return m.Decided(seat=entry.seat, by_bot=entry.by_bot), events

    def _fold_sign_of_life(self, seat: Seat, program: bool) -> None:
        chair = self.chairs[seat]
        self._change(seat, missed=0, wanting_stand_in=(), seen=self.at)
        if program and not chair.program:
            self._change(seat, program=True)
            match = self._match()
            infos = [SeatInfo(i.name, "program") if s == seat else i for s, i in enumerate(match.seats)]
            match.seats = tuple(infos)

    def _fold_taking_back(self, entry: e.TakenBack) -> m.Note:
        match, coaching = self._match(), self._coaching()
        point = next(
            point for point in reversed(coaching.points) if (point.seat, point.moves) == (entry.seat, entry.moves)
        )
        match.go_back(point.state, point.moves, point.deals)
        self.tally, self.asked, self.waiting = point.tally, {}, ()
        self._show, self._watched = (self.at, 0), frozenset()
        self._coach(coaching.taken_back(point, self.version + 1).counted(entry.seat, take_backs=1))
        return m.DecisionTakenBack(seat=entry.seat)

    def _coach(self, coaching: Coaching) -> None:
        self.coaching = coaching
        self._match().practice = coaching.practice

    def _coaching(self) -> Coaching:
        if self.coaching is None:
            raise Refused(Code.NOT_PRACTICE, "There is a coach only at tables that were opened for practice.")
        return self.coaching

    def _show_events(self, events: tuple[Event, ...], decided: Seat | None) -> None:
        """Whatever can be seen must be watched by all anew; who goes on to decide has watched it. Where all have, what
        is new begins at once, however long the rules thought that the last turn takes to watch."""
        if decided is not None:
            self._watched |= {decided}
        milliseconds = round(1000 * seconds_to_watch(events))
        if milliseconds:
            self._show, self._watched = (max(self.at, self.bots_wait_until()), milliseconds), frozenset()

    def _ask(self, entry: e.AnyEntry) -> None:
        """Who is asked for what, and since when: a decision goes on while others make theirs."""
        if self.phase != "playing":
            self.asked, self.waiting = {}, ()
            return
        if not isinstance(entry, e.Acted | e.Started | e.TakenBack):
            return
        state, actor = self._match().state, entry.seat if isinstance(entry, e.Acted) else None
        pending = {decision.seat: decision.kind for decision in self.game.pending(state)}
        asked: dict[Seat, Asked] = {}
        for seat in range(len(self.chairs)):
            before, kind = self.asked.get(seat), pending.get(seat)
            if kind is None:
                # Not waited for, but a secret choice may still be changed.
                if before is not None and self.game.legal(state, seat):
                    asked[seat] = before
            elif before is None or before.kind != kind or seat == actor or seat not in self.waiting:
                asked[seat] = Asked(self.version + 1, max(self.at, self.shown_until), kind)
            else:
                asked[seat] = before
        self.asked, self.waiting = asked, tuple(pending)
        if self.coaching is not None:
            self.coaching = self.coaching.asked(asked, self.version + 1, self._match(), self.tally)

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
                before=self.moments[-1].state if self.moments else None,
                asked=self.asked,
                waiting=self.waiting,
                chat_open=self.chat_open,
                takeover=self.takeover,
                rematch=self.rematch,
                coached=self.coached,
                may_take_back=self._who_may_take_back() if self.coaching else frozenset(),
            )
        )

    def _match(self) -> Match:
        if self.match is None:
            raise Refused(Code.NOT_PLAYING, "The match has not begun.")
        return self.match

    def seat_of(self, guest: str | None) -> Seat | None:
        for seat, chair in enumerate(self.chairs):
            if guest is not None and chair.guest == guest:
                return seat
        return None

    def plays_alone(self, guest: str) -> bool:
        """Is there no other person at the table?"""
        return all(c.guest is None or c.guest == guest or c.guest.startswith(GONE) for c in self.chairs)

    def _who_may_take_back(self) -> frozenset[Seat]:
        seats = {point.seat for point in self._coaching().points} if self.phase == "playing" else ()
        return frozenset(seat for seat in seats if (guest := self.chairs[seat].guest) and self.plays_alone(guest))

    @property
    def coached(self) -> tuple[m.Coached, ...]:
        """What a coach did for each seat, if there is one."""
        return self.coaching.coached if self.coaching else ()

    # -- what the log says about time ---------------------------------------------------------------------------------

    @property
    def is_paused(self) -> bool:
        return is_paused(self.phase, self.chairs)

    @property
    def is_bots_alone(self) -> bool:
        """No person sits here, not even one who is away."""
        return all(chair.guest is None for chair in self.chairs)

    def bot_decides(self, seat: Seat) -> bool:
        return self.chairs[seat].has_stand_in or self.asked[seat].expired

    def bots_to_decide(self) -> tuple[Seat, ...]:
        return () if self.is_paused else tuple(seat for seat in self.waiting if self.bot_decides(seat))

    @property
    def shown_until(self) -> int:
        """When everybody can have watched what happened last, at the pace of the slowest."""
        start, milliseconds = self._show
        paces = [chair.pace for chair in self.chairs if chair.is_present] or [self.opened.pace]
        return start + round(milliseconds * max(PACES[pace] for pace in paces))

    def bots_wait_until(self) -> int:
        """Bots leave people the time to watch, unless all have gone on already."""
        present = {seat for seat, chair in enumerate(self.chairs) if chair.is_present}
        return 0 if present and present <= self._watched else self.shown_until

    def deadline(self, seat: Seat) -> int | None:
        return deadline(self.opened.tempo, self.asked[seat], self.chairs[seat])

    @property
    def abandoned_at(self) -> int:
        """When a match that waits is given up."""
        by_turns = isinstance(self.opened.tempo, e.ByTurns)
        return self.at + (ABANDONED_AFTER_BY_TURNS if by_turns else ABANDONED_AFTER)

    def due(self) -> int | None:
        """When something must happen here by itself."""
        if self.phase != "playing":
            return None
        if self.is_paused:
            return self.abandoned_at
        rescue = max(self.at, self.bots_wait_until()) + (RESCUE_ALONE if self.is_bots_alone else RESCUE)
        times = [rescue if self.bot_decides(seat) else self.deadline(seat) for seat in self.waiting]
        return min((time for time in times if time is not None), default=None)

    @property
    def chat_open(self) -> bool:
        """Where talking would give away secrets it is closed while they matter."""
        kinds = {self.asked[seat].kind for seat in self.waiting}
        return self.phase != "closed" and not self.opened.brought and not kinds & self.game.silent

    def listing(self) -> Listing:
        listed = {seat: chair.guest for seat, chair in enumerate(self.chairs) if chair.guest and not chair.unlisted}
        public = self.opened.public and self.phase != "closed"
        card = msgspec.json.encode(self._card(tuple(listed)))
        return Listing(self.phase, public, self.game.id, tuple(listed.values()), self.at, self.due(), card)

    def _card(self, seats: tuple[Seat, ...]) -> m.StoredCard:
        """What lists show, from a spectator's view: it is written with the log, so that a list costs no more than
        reading it."""
        state, paused = self.match.state if self.match else None, self.is_paused
        outcome = self.match.outcome if self.match else None
        return m.StoredCard(
            game=self.game.id,
            options=self.opened.options,
            tempo=self.opened.tempo,
            chairs=tuple([chair.shown() for chair in self.chairs]),
            seats=seats,
            waiting=tuple(
                [m.Awaited(seat=seat, deadline=None if paused else self.deadline(seat)) for seat in self.waiting]
            ),
            paused=paused,
            standing=None if state is None else self.game.standing(self.game.view(state, None)),
            winners=outcome.winners if outcome else None,
            summary=self.summary() if self.phase == "over" else None,
            practice=self.opened.practice,
            coached=self.coached,
        )

    def summary(self) -> Summary | None:
        outcome = self._match().outcome
        return self.tally.summary(outcome, [chair.guest for chair in self.chairs]) if outcome else None


def seconds_to_watch(events: Iterable[Event]) -> float:
    """At an easy pace, but a turn goes faster where many cards take rows: four cards take 4 seconds at most, ten 7."""
    hurried = [(event.seconds(), event.HURRIED) for event in events if event.HURRIED is not None]
    turn = min(sum(easy for easy, _ in hurried), MAX_TURN_SECONDS + sum(least for _, least in hurried))
    return turn + sum(event.seconds() for event in events if event.HURRIED is None)
