"""A table of a server: told as it happens, and decided at from a seat."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from functools import cached_property
from random import Random
from typing import Any, NamedTuple, Union

import msgspec

from nimmt.bots import get_bot
from nimmt.clients.cli.common import CommandError, clean
from nimmt.clients.remote import STALE, Client, Refused
from nimmt.clients.terminal.face import Look, Unclear, face_of
from nimmt.clients.terminal.inbox import (
    End,
    Follower,
    Foreign,
    Found,
    Inbox,
    Item,
    Lost,
    TurnedAway,
    Typed,
)
from nimmt.clients.terminal.screen import LineScreen, Picture, Screen, open_screen, told
from nimmt.clients.terminal.texts import Telling, told_note
from nimmt.clients.terminal.words import page_text, tr
from nimmt.rules import registry
from nimmt.rules.game import Action, Decision, Event, Outcome, RulesError, Seat
from nimmt.rules.kit.options import read_options
from nimmt.server.tables import messages as m

ADVISER = "greedy"
"""Who decides for a person that says `auto`."""
HURRY_MS = 10_000
TICK = 1.0
REMEMBERED = 500
"""So many moments are known again when a decision is taken back."""
SHORT_PAUSE = 3.0
"""So many beats the end of a round stays: others go on."""


class Manner(NamedTuple):
    """How somebody wants to play."""

    beat: float
    pace: str
    plain: bool
    hints: bool


class There:
    """A match at a server, as its latest word has it."""

    def __init__(self, info: m.TableInfo, situation: m.Situation) -> None:
        try:
            self.game = registry.get(info.game)
            self.options = read_options(self.game.options_type, info.options)
        except RulesError:
            raise strange(tr("it plays {game}, as nobody here knows it", game=clean(info.game))) from None
        self.info = info
        self.seen: Any = None
        self.hear(situation)

    def hear(self, situation: m.Situation) -> None:
        self.situation = situation
        try:
            if situation.view is not None:
                self.seen = msgspec.convert(situation.view, self.game.view_type)
        except msgspec.ValidationError as error:
            raise strange(str(error)) from None

    @property
    def pending(self) -> Sequence[Decision]:
        return [Decision(waiting.seat, waiting.kind) for waiting in self.situation.waiting]

    @property
    def outcome(self) -> Outcome | None:
        return self.situation.outcome

    def view(self, seat: Seat | None) -> Any:
        del seat  # a server shows us what we may see, and nothing else
        return self.seen

    def at_first(self, seat: Seat | None) -> Any:
        """What there was to see before the first card."""
        return self.game.view(self.game.setup(self.options, self.info.seats), seat)

    def events(self, told: Sequence[Any]) -> list[Event]:
        try:
            found: list[Event] = msgspec.convert(list(told), self._list_of_events)
            return found
        except msgspec.ValidationError as error:
            raise strange(str(error)) from None

    @cached_property
    def _list_of_events(self) -> Any:
        return list[Union[self.game.event_types]]  # type: ignore[name-defined]  # noqa: UP007  # known when it runs


def strange(reason: str) -> CommandError:
    """What another version says."""
    return CommandError(
        tr("This server is of another version than this program: {reason}. Update the older one.", reason=reason),
        1,
        code="foreign_version",
    )


def explain(refused: Refused | TurnedAway) -> str:
    """Why the server refuses, in the language that is spoken."""
    if refused.code == "unreachable":
        return tr("No connection to the server.")
    return page_text(f"error.{refused.code}", wait="…") or clean(refused.sentence)


class OnlineTable(Telling):
    """One table of a server. What is typed while nobody is asked is heard as well."""

    authority: There

    def __init__(self, client: Client, table: str, inbox: Inbox, lines: LineScreen, manner: Manner) -> None:
        self.client, self.id, self.inbox, self.lines, self.manner = client, table, inbox, lines, manner
        try:
            first = msgspec.convert(client.look(table), m.Snapshot)
        except msgspec.ValidationError as error:
            raise strange(str(error)) from None
        there = There(first.table, first.situation)
        super().__init__(there, face_of(there.game, self._names(there), hints=manner.hints), lines, there.situation.you)
        self.n = -1
        self.gone: dict[Seat, int] = {}
        self.chat: list[m.ChatSaid] = list(first.chat)
        self.standing: dict[Decision, Action] = {}
        self.sent: int | None = None
        """The decision that is made already, though the server's word of it may still be on its way."""
        self.shown: tuple[Any, ...] = ()
        """What the screen asks for at the moment."""
        self.message = ""
        """What was said to the last answer."""
        self.shown_live = False
        """Something was told as it happened."""
        self._turns: deque[tuple[Any, int]] = deque(maxlen=REMEMBERED)
        """What was to be seen, and in which turn: where a decision is taken back to, it is that turn again."""
        self._skew = 0.0
        """Milliseconds that our clock is ahead of the server's."""
        self._asked: int | None = None
        """The decision that was asked for last."""
        self._is_warned = False
        self._follower: Follower | None = None

    @property
    def situation(self) -> m.Situation:
        return self.authority.situation

    @property
    def you(self) -> Seat | None:
        return self.situation.you

    def _names(self, there: There) -> list[str]:
        return [clean(chair.name) if chair.kind != "empty" else "–" for chair in there.situation.chairs]

    # -- what comes in --------------------------------------------------------------------------------------------

    def follow(self) -> None:
        self._follower = Follower(self.client.url, self.id, self.client.cookie, self.inbox)

    def close(self) -> None:
        if self._follower is not None:
            self._follower.stop()
        self.inbox.forget_table()
        self._leave_stage()

    def next_item(self) -> Item | None:
        ticks = self.situation.phase == "playing" and any(each.deadline for each in self.situation.waiting)
        return self.inbox.get(TICK if ticks else None, wants_line=self.wants_line)

    @property
    def wants_line(self) -> bool:
        """A line from a pipe is an answer: it is read when something is asked."""
        if self.n < 0:
            return False
        is_away = self.you is not None and self.situation.chairs[self.you].away is not None
        return self.situation.phase in ("waiting", "over") or is_away or self.decision is not None

    def take(self, item: Item | None) -> None:
        """Anything but a line that somebody has typed."""
        match item:
            case m.Snapshot():
                self._jump(item)
            case m.Update():
                self._go_on(item)
            case m.Presence():
                self._skew = min(self._skew or float("inf"), _now() - item.at)
                self.gone = {gone.seat: gone.since for gone in item.gone}
            case Lost():
                self.say(tr("The connection is lost and is being made again …"))
            case Found():
                self.say(tr("The connection is back."))
            case TurnedAway():
                raise CommandError(explain(item), 1, code=item.code)
            case Foreign():
                raise strange(item.reason)
            case Typed() | End() | None:
                pass
        self.attend()

    def _jump(self, snapshot: m.Snapshot) -> None:
        """How things are: at the beginning, or after so much that nobody would listen to it piece by piece."""
        missed, first = snapshot.n - self.n, self.n < 0
        self.n, self.chat = snapshot.n, list(snapshot.chat)
        self._hear(snapshot.situation)
        self.view = self.folded = self.authority.view(self.watcher)
        self._turns.append((self.view, self.turn))
        if missed and not first:
            self.say(tr("Much has happened in the meantime."))
        if self.situation.phase == "playing" and self.decision is None:
            self._take_stage()
            if self.screen is self.lines:
                self.lines.print("", *told(self.picture(), self.lines.width), f"{self._idle_prompt()}.")

    def _go_on(self, update: m.Update) -> None:
        self._skew = min(self._skew or float("inf"), _now() - update.at)
        before = self.authority.view(self.watcher)
        names = self.face.names
        self.n = update.n
        self._hear(update.situation)
        if isinstance(update.note, m.ChatSaid):
            self.chat.append(update.note)
        note = told_note(update.note, self.face.names, names) if update.note is not None else ""
        if note:
            self.say(note)
        events = self.authority.events(update.events)
        if events:
            self.shown_live = True
            if self.situation.phase == "playing":
                self._take_stage()
            self.tell(self.authority.at_first(self.watcher) if before is None else before, events)
            self.shown = ()
        else:
            self.view = self.folded = self.authority.view(self.watcher)
        if isinstance(update.note, m.DecisionTakenBack):
            self.turn = self._turn_again()
        self._turns.append((self.authority.view(self.watcher), self.turn))

    def _turn_again(self) -> int:
        """The turn of what is seen after a decision was taken back. Others may have chosen when it was seen before, and
        not yet now: then the hand tells it."""
        seen = [*reversed(self._turns)]
        same = [turn for view, turn in seen if view == self.view]
        alike = [turn for view, turn in seen if _hand(view) == _hand(self.view)]
        return next(iter(same + alike), self.turn)

    def _hear(self, situation: m.Situation) -> None:
        self.authority.hear(situation)
        self.watcher = situation.you
        self.face.names = tuple(self._names(self.authority))

    def begin_turn(self) -> None:
        self.standing.clear()

    def pause(self, prompt: str) -> None:
        del prompt
        self.screen.show(self.picture(), SHORT_PAUSE)

    # -- what is shown --------------------------------------------------------------------------------------------

    def say(self, sentence: str) -> None:
        self.screen.say(sentence)
        if self.screen is self.lines:
            self.shown = ()

    def attend(self, message: str = "") -> None:
        """Show how things are now, and what is asked."""
        if self.situation.phase != "playing":
            if message:
                self.lines.say(message)
            return
        self._take_stage()
        decision = self.decision
        if decision is not None and decision in self.standing:
            self.act(decision, self.standing[decision])
            return
        if decision is None and self.screen is self.lines and not message:
            return  # who listens need not hear again and again who is waited for
        left = self._time_left()
        prompt = self.face.asked(self.look(decision)) if decision else self._idle_prompt()
        wanted = (self.situation.decision if decision else None, prompt)
        picture = self._with_clock(self.picture(decision), left)
        if self.screen is self.lines and left is not None and decision:
            prompt = f"{prompt} ({clock(left)})"
        self.message = message or (self.message if wanted == self.shown else "")
        if message or wanted != self.shown:
            again = wanted[0] == self._asked
            if decision and not again:
                self.mention_chosen()
            self.screen.prompt(picture, prompt, message, again=again)
            self.shown, self._asked, self._is_warned = wanted, wanted[0], self._is_warned and again
        else:
            self.screen.refresh(picture, self.message)
        if decision and left is not None and left <= HURRY_MS and not self._is_warned:
            self._is_warned = True
            if self.screen is self.lines:
                self.lines.say(tr("Time is running out: {time} left.", time=clock(left)))

    def _idle_prompt(self) -> str:
        situation, me = self.situation, self.you
        if me is not None and situation.chairs[me].away:
            return tr("A bot decides for you; type back to go on yourself")
        if situation.paused:
            return tr("All are away: the match waits")
        names = [self.face.names[waiting.seat] for waiting in situation.waiting if waiting.seat != me]
        if not names:
            return tr("One moment")
        return tr("Waiting for {names}", names=", ".join(names))

    def _time_left(self) -> int | None:
        """Milliseconds that I have, or whoever has the least."""
        ends = {each.seat: each.deadline for each in self.situation.waiting if each.deadline is not None}
        if not ends:
            return None
        end = ends[self.you] if self.you in ends else min(ends.values())
        return max(0, round(end + self._skew - _now()))

    @staticmethod
    def _with_clock(picture: Picture, left: int | None) -> Picture:
        return picture if left is None else picture._replace(where=f"{picture.where} · {clock(left)}")

    def _take_stage(self) -> None:
        """Once cards are played there is something to draw."""
        if self.screen is self.lines:
            screen: Screen = open_screen(self.manner.beat, plain=self.manner.plain, keyboard=self.inbox)
            if not isinstance(screen, LineScreen):
                self.screen, self.shown = screen, ()

    def _leave_stage(self) -> None:
        if self.screen is not self.lines:
            self.screen.close()
            self.screen, self.shown = self.lines, ()

    leave_stage = _leave_stage

    # -- deciding -------------------------------------------------------------------------------------------------

    @property
    def decision(self) -> Decision | None:
        """What I am asked for."""
        situation = self.situation
        if situation.decision is None or situation.decision == self.sent or not situation.legal:
            return None
        return next((each for each in self.authority.pending if each.seat == situation.you), None)

    def decide(self, text: str) -> None:
        """An answer, or another one while it may still be changed."""
        decision = self.decision or self._changeable()
        if decision is None:
            self.attend(tr("Nobody asks you at the moment. Type ? to see what you can do."))
            return
        look = self.look(decision)
        try:
            if text.casefold() == "auto":
                self.act(decision, self._advised())
                return
            action = self.face.read(look, text)
            if self.face.standing(look, text):
                self.standing[decision] = action
            self.act(decision, action, look)
        except Unclear as unclear:
            self.attend(str(unclear))

    def _changeable(self) -> Decision | None:
        situation = self.situation
        if situation.you is None or not situation.legal or not situation.waiting:
            return None
        return Decision(situation.you, situation.waiting[0].kind)

    def _advised(self) -> Action:
        game = self.authority.game
        return get_bot(ADVISER, game).choose(self.view, game.legal_for(self.view), Random())

    def act(self, decision: Decision, action: Action, look: Look[Any] | None = None) -> None:
        """Send it; it is sent again with the same key until there is an answer, and so carried out once."""
        number = self.situation.decision
        try:
            self.client.act(self.id, msgspec.to_builtins(action), number)
            self.sent = number
            if self.screen is not self.lines:
                self.attend()
        except Refused as refused:
            self.standing.pop(decision, None)
            if refused.code == STALE:
                self.sent = number
                self.say(tr("Your decision came too late: the match went on without it."))
                self.attend()
            else:
                possible = f" {self.face.possible(look)}" if look is not None and self.decision is not None else ""
                self.attend(f"{explain(refused)}{possible}")


def clock(milliseconds: int) -> str:
    """`0:30`, or hours where it is days."""
    seconds = (milliseconds + 999) // 1000
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def _now() -> int:
    return int(time.time() * 1000)


def _hand(view: Any) -> Any:
    return getattr(view, "hand", None)
