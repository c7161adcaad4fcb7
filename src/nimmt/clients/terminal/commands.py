"""What can be typed at a server's table besides the answers of the game: before the match, during it and after it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import msgspec

from nimmt.clients.cli.common import clean
from nimmt.clients.remote import Refused
from nimmt.clients.terminal.coach import told_hint, told_practice, told_wishes
from nimmt.clients.terminal.face import NO, YES, find_name, number
from nimmt.clients.terminal.host import BOW_OUT, Left
from nimmt.clients.terminal.inbox import Typed
from nimmt.clients.terminal.naming import Naming, decoded
from nimmt.clients.terminal.online import OnlineTable, explain, strange
from nimmt.clients.terminal.texts import told_chat, wording
from nimmt.clients.terminal.words import language, level_name, tr
from nimmt.insight.advice import Hint
from nimmt.match.record import Practice
from nimmt.rules.game import Seat
from nimmt.rules.kit.events import MatchEnded
from nimmt.server.tables import messages as m
from nimmt.server.tables.log_entries import WORDS

RECENT = 20
"""So many messages of the chat are shown."""
BOT = "casual"
"""Who sits down if nobody says which bot."""

Wish: TypeAlias = tuple[str, str, Callable[[str], None]]
"""What is typed, what it does, and how. A word in capitals stands for something else."""


class Sitting(OnlineTable):
    """A table, and what somebody wants to do there. `next` says where they go from here."""

    next: str | None = None
    """Another table: that of a rematch."""
    to_lobby = False
    wants_seat = False
    """Sit down on arrival."""
    save: Path | None = None
    """Where the record goes when the match is over."""
    room = ""
    """The waiting room as it was shown last."""
    told_at = 0
    """The server has done what we wanted, and says so with this update: only then is it known what to ask next."""
    is_prompt_due = False
    is_leaving = False
    """Somebody has asked to leave, and is asked how."""
    is_done = False
    """The result was shown."""

    def run(self) -> str | None:
        """Until somebody goes to the lobby (None) or to another table (its id). Raises `Left` or `Gone`."""
        self._arrive()
        self.follow()
        try:
            while self.next is None and not self.to_lobby:
                try:
                    self._once()
                except KeyboardInterrupt:
                    if self.is_leaving:
                        raise
                    self.inbox.recover()
                    self.settle()
                    self.is_leaving = True
            return self.next
        finally:
            self.close()

    def _once(self) -> None:
        """Whatever comes next."""
        if self.is_leaving:
            self._ask_before_leaving()
            return
        item = self.next_item()
        try:
            if isinstance(item, Typed):
                self.read(clean(item.text).strip())
            else:
                self.take(item)
            self._look_around()
        except Refused as refused:
            self.attend(explain(refused))
            if self.situation.phase != "playing":
                self._prompt_again()
                self._look_around()

    # -- coming ---------------------------------------------------------------------------------------------------

    def _arrive(self) -> None:
        situation, me = self.situation, self.you
        mark = f" · {tr('Practice')}" if self.authority.info.practice else ""
        self.lines.print("", f"{self.face.title}{mark} · {self.link}")
        if me is None and self.wants_seat:
            self._try_to_sit()
        elif me is not None and situation.chairs[me].away:
            self.client.command(self.id, "back")
        for said in self.chat[-3:]:
            self.lines.say(told_chat(said))

    def _try_to_sit(self) -> None:
        free = [chair for chair in self.situation.chairs if chair.kind == "empty"]
        if self.situation.phase == "waiting" and free:
            self.client.join(self.id, pace=self.manner.pace)
            return
        self.lines.say(tr("You are watching."))
        if self.situation.takeover and self.situation.phase == "playing":
            self.lines.say(tr("You can take the seat of a bot: type sit and its name."))

    @property
    def link(self) -> str:
        return f"{self.client.url}/t/{self.id}"

    # -- how things are -------------------------------------------------------------------------------------------

    def _look_around(self) -> None:
        """What there is to see when nobody plays: the waiting room, the result."""
        phase = self.situation.phase
        if phase == "waiting":
            room = "\n".join(self._room())
            is_new = room != self.room and self.n >= 0
            if is_new:
                self.lines.print("", *room.split("\n"))
            if is_new or (self.is_prompt_due and self.n >= self.told_at):
                self._room_prompt()
            self.room = room
        elif phase == "closed":
            self.leave_stage()
            self.lines.say(tr("This table is closed."))
            self.to_lobby = True
        elif phase == "over" and not self.is_done:
            self._show_result()

    def _room(self) -> list[str]:
        lines = [f"  {seat}  {self._seat_told(seat - 1, chair)}" for seat, chair in enumerate(self.situation.chairs, 1)]
        free = sum(chair.kind == "empty" for chair in self.situation.chairs)
        if free:
            waiting = tr({"one": "{count} seat is still free.", "other": "{count} seats are still free."}, count=free)
            return [*lines, waiting]
        return [*lines, tr("Everybody is here.")]

    def _seat_told(self, seat: Seat, chair: m.Chair) -> str:
        if chair.kind == "empty":
            return tr("free seat")
        told = [self.face.names[seat]]
        if chair.kind == "bot":
            told.append(tr("bot, {level}", level=level_name(chair.level or "")))
        if chair.program:
            told.append(tr("a program"))
        if seat == self.you:
            told.append(tr("you"))
        if seat in self.gone:
            told.append(tr("not connected"))
        if chair.away:
            told.append(tr("away, a bot decides"))
        return f"{told[0]} ({', '.join(told[1:])})" if told[1:] else told[0]

    def _order(self, name: str, **body: Any) -> None:
        """Something that changes the room: what it looks like then, and what is asked, comes with the news of it."""
        self.told_at = self.client.command(self.id, name, **body)["n"]

    def _room_prompt(self) -> None:
        self.is_prompt_due = False
        situation = self.situation
        if situation.is_host and all(chair.kind != "empty" for chair in situation.chairs):
            self.lines.question(tr("Type start to begin, or ?"))
        elif situation.is_host:
            self.lines.question(tr("Type bot to let one sit down, link to invite, or ?"))
        elif self.you is None:
            self.lines.question(tr("Type sit to join in, or ?"))
        else:
            self.lines.question(tr("The host starts the match. Type ? for what you can do"))

    def _show_result(self) -> None:
        self.is_done = True
        was_told = self.screen is self.lines and self.shown_live
        self.leave_stage()
        outcome = self.situation.outcome
        if outcome is not None and self.view is not None:
            if not was_told:
                self.lines.say(self.face.tell(MatchEnded(outcome)))
            self.lines.print("", *self.face.scores(self.view, self.lines.width), "")
            self._show_coaching()
        if self.save is not None:
            self._save(str(self.save))
        self._over_prompt()

    def _show_coaching(self) -> None:
        coached, chairs = self.situation.coached, self.situation.chairs
        if coached:
            counted = Practice(
                hints=tuple(one.hints for one in coached), take_backs=tuple(one.take_backs for one in coached)
            )
            people = [seat for seat, chair in enumerate(chairs) if chair.kind == "person"]
            self.lines.print(*told_practice(counted, self.face.names, people), "")

    def _over_prompt(self) -> None:
        if self.situation.rematch:
            self.lines.say(tr("A rematch is open."))
        self.lines.question(tr("Type rematch, save FILE to keep the record, lobby or quit"))

    # -- what is typed --------------------------------------------------------------------------------------------

    def read(self, text: str) -> None:
        word, _, rest = text.partition(" ")
        word, me = word.casefold(), self.you
        self.shown = ()  # Enter has gone over the line in which it stood
        if word in BOW_OUT or word == "q":
            self._ask_before_leaving()
            return
        if word in ("?", "help"):
            self._help()
            return
        wish = self._wishes().get(word)
        if me is not None and self.situation.chairs[me].away and word not in ("leave", "lobby", "say", "back"):
            self.client.command(self.id, "back")  # whoever types is there
        if wish is not None:
            wish[2](rest.strip())
        elif self.situation.phase == "playing" and self.view is not None:
            if not (self.fulfil(word, self.decision) if not rest else False):
                self.decide(text)
                return
        elif text:
            self.lines.say(tr("Type ? to see what can be typed."))
        self._prompt_again()

    def _prompt_again(self) -> None:
        phase = self.situation.phase
        if phase == "playing":
            self.attend()
        elif phase == "waiting" and not self.to_lobby:
            self.is_prompt_due = True  # what is new in the room is shown before
        elif phase == "over" and self.next is None and not self.to_lobby:
            self._over_prompt()

    def _wishes(self) -> Mapping[str, Wish]:
        """What can be wished for now, by its first word."""
        situation, me = self.situation, self.you
        wishes: list[Wish] = [
            ("say TEXT", tr("say something to everybody"), self._say_aloud),
            ("phrase WORD", tr("say something short that all understand; alone it lists them"), self._phrase),
            (
                "chat",
                tr("what was said"),
                lambda _: self._page(tr("Chat"), [told_chat(said) for said in self.chat[-RECENT:]]),
            ),
            ("who", tr("who sits here"), lambda _: self._page(tr("At the table"), self._room())),
            ("link", tr("the link to this table, for friends"), lambda _: self._invite()),
            ("lobby", tr("to the lobby; your seat stays yours"), lambda _: self._go_to_lobby()),
        ]
        if situation.phase == "waiting":
            wishes += self._room_wishes()
        elif situation.phase == "playing":
            wishes += self._match_wishes()
        elif situation.phase == "over":
            wishes += [
                ("rematch", tr("another match with the same people"), lambda _: self._rematch()),
                ("save FILE", tr("keep the record"), self._save),
            ]
        if me is not None or situation.is_host:
            wishes += [
                ("mute NAME", tr("hear nothing more from somebody"), lambda name: self._shun(name, block=False)),
                (
                    "block NAME",
                    tr("mute somebody and keep them from your tables"),
                    lambda name: self._shun(name, block=True),
                ),
                ("report NAME", tr("tell whoever runs the server about a name"), self._report),
            ]
        return {typed.partition(" ")[0]: (typed, meaning, do) for typed, meaning, do in wishes}

    def _room_wishes(self) -> list[Wish]:
        wishes: list[Wish] = []
        if self.you is None:
            wishes.append(("sit", tr("sit down, on the seat with a number if you like"), self._sit))
        else:
            wishes.append(("stand", tr("stand up"), lambda _: self.client.leave(self.id)))
        if self.situation.is_host:
            wishes += [
                ("start", tr("begin the match"), lambda _: self._order("start", expected=self.n)),
                ("bot LEVEL", tr("let a bot sit down; with a number, on that seat"), self._add_bot),
                ("remove SEAT", tr("send somebody away from a seat"), self._remove),
                ("swap SEAT SEAT", tr("let two seats change places"), self._swap),
                ("takeover", tr("whether people may take the seats of bots: yes or no"), self._takeover),
                ("close", tr("give up the table"), lambda _: self._order("close")),
            ]
        return wishes

    def _match_wishes(self) -> list[Wish]:
        wishes: list[Wish] = []
        if self.you is None:
            wishes.append(("sit NAME", tr("take the seat of a bot, if the host allows it"), self._sit))
        else:
            wishes += [
                ("leave", tr("let a bot play for you until you are back"), lambda _: self.client.leave(self.id)),
                ("back", tr("go on yourself"), lambda _: self.client.command(self.id, "back")),
            ]
            if self.authority.info.practice:
                does = (self._hint, self._take_back)
                wishes += [(word, meaning, do) for (word, meaning), do in zip(told_wishes(), does, strict=True)]
        wishes.append(("bot NAME", tr("let a bot play for somebody who is gone"), self._stand_in))
        if self.situation.is_host:
            wishes.append(("takeover", tr("whether people may take the seats of bots: yes or no"), self._takeover))
        return wishes

    def _help(self) -> None:
        playing = self.situation.phase == "playing" and self.view is not None
        own = self.help(self.decision or self._changeable()) if playing and self.you is not None else []
        column = max(len(typed) for typed, _, _ in self._wishes().values())
        lines = [f"  {typed:<{column}}  {meaning}" for typed, meaning, _ in self._wishes().values()]
        quits = f"  {'quit':<{column}}  {tr('leave')}"
        self._page(tr("Help"), [*own, *([""] if own else []), tr("At this table you can type"), *lines, quits])
        self._prompt_again()

    def _page(self, title: str, lines: list[str]) -> None:
        self.screen.page(title, lines)

    # -- wishes -----------------------------------------------------------------------------------------------------

    def _hint(self, rest: str) -> None:
        del rest
        asked = self.client.command(self.id, f"hint?language={language()}", decision=self.situation.decision)
        try:
            said = decoded(self.face.game, msgspec.convert(asked, Hint))
            self._page(tr("What the coach says"), told_hint(said, Naming(self.face)))
        except msgspec.ValidationError as error:
            raise strange(str(error)) from None

    def _take_back(self, rest: str) -> None:
        del rest
        self.client.command(self.id, "take-back")
        self.standing.clear()

    def _say_aloud(self, text: str) -> None:
        if text:
            self.client.say(self.id, text)

    def _phrase(self, rest: str) -> None:
        code = rest.casefold().replace(" ", "_")
        if code in WORDS:
            self.client.command(self.id, "phrase", phrase=code)
            return
        self._page(tr("Short phrases"), [f"  {each:<12} {wording(each, english)}" for each, english in WORDS.items()])

    def _invite(self) -> None:
        url = self.client.address()
        lines = [f"{url.rstrip('/')}/t/{self.id}" if url else self.link]
        lines += ["", tr("Whoever opens this link can sit down, or watch."), f"nimmt play --join {lines[0]}"]
        self._page(tr("Link to this table"), lines)

    def _go_to_lobby(self) -> None:
        self.to_lobby = True

    def _rematch(self) -> None:
        opened: str = self.client.command(self.id, "rematch")["id"]
        self.client.contribute(opened)
        self.next = opened

    def _save(self, name: str) -> None:
        if not name:
            self.lines.say(tr("Type save and the name of a file."))
            return
        try:
            record = self.client.record(self.id)
            with Path(name).open("xb") as writing:
                writing.write(record)
        except (OSError, ValueError) as error:
            self.lines.say(f"{clean(name)}: {getattr(error, 'strerror', None) or error}.")
            return
        self.lines.say(tr("The record is kept. Check every step and every deal with:"))
        self.lines.print(f"  nimmt verify {clean(name)}")

    def _sit(self, rest: str) -> None:
        seat = self._seat(rest) if rest else None
        if rest and seat is None:
            self.attend(tr("There is no seat {seat}.", seat=rest))
            return
        self.client.join(self.id, seat, pace=self.manner.pace)

    def _seat(self, rest: str) -> Seat | None:
        """A seat by its number, from 1, or by who sits there."""
        place = number(rest)
        if place is not None:
            return place - 1 if 1 <= place <= len(self.situation.chairs) else None
        return find_name(self.face.names, rest, range(len(self.face.names)))

    def _add_bot(self, rest: str) -> None:
        words = rest.split()
        places = [place - 1 for word in words if (place := number(word)) is not None]
        levels = [word.casefold() for word in words if number(word) is None]
        free = [seat for seat, chair in enumerate(self.situation.chairs) if chair.kind == "empty"]
        seats = places or free[:1]
        if not seats:
            self.attend(tr("Everybody is here."))
            return
        self._order("bot", seat=seats[0], level=levels[0] if levels else BOT)

    def _remove(self, rest: str) -> None:
        seat = self._seat(rest)
        if seat is None:
            self.attend(tr("There is no seat {seat}.", seat=rest))
            return
        self._order("clear", seat=seat)

    def _swap(self, rest: str) -> None:
        seats = [self._seat(word) for word in rest.split()]
        match seats:
            case [int(one), int(other)]:
                self._order("swap", one=one, other=other)
            case _:
                self.attend(tr("Type the numbers of two seats, as in swap 1 2."))

    def _takeover(self, rest: str) -> None:
        self._order("takeover", allowed=rest.casefold() not in NO)

    def _stand_in(self, rest: str) -> None:
        seat = self._seat(rest)
        if seat is None:
            self.attend(tr("There is no seat {seat}.", seat=rest))
            return
        self.client.command(self.id, "stand-in", seat=seat)

    def _shun(self, rest: str, *, block: bool) -> None:
        if (seat := self._seat(rest)) is None:
            self.attend(tr("There is no seat {seat}.", seat=rest))
            return
        self.client.command(self.id, "shun", seat=seat, block=block)
        name = self.face.names[seat]
        if block:
            self.say(tr("{name} is blocked. You can undo this in the settings.", name=name))
        else:
            self.say(tr("{name} is muted. You can undo this in the settings.", name=name))

    def _report(self, rest: str) -> None:
        if (seat := self._seat(rest)) is None:
            self.attend(tr("There is no seat {seat}.", seat=rest))
            return
        self.client.command(self.id, "report", seat=seat)
        self.say(tr("Thank you. Whoever runs this server will look at it."))

    # -- leaving --------------------------------------------------------------------------------------------------

    def _ask_before_leaving(self) -> None:
        """In the midst of a match it makes a difference how one leaves. Asked to go twice, one goes."""
        situation = self.situation
        if situation.phase != "playing" or self.you is None or situation.chairs[self.you].away:
            raise Left
        self.is_leaving = True
        alone = sum(chair.kind == "person" for chair in situation.chairs) == 1
        if alone:
            asked = tr("Leave the table? Type keep, give up or stay")
            message = tr("keep: the match waits for you. give up: it is gone. stay: you play on.")
        else:
            asked = tr("Leave the table? Type keep, bot or stay")
            message = tr("keep: your seat stays yours. bot: a bot plays for you until you are back. stay: you play on.")
        while True:
            answer = " ".join(self.screen.ask(self.picture(), asked, message, again=True).casefold().split())
            if answer in ("keep", "k", *BOW_OUT, "q") or answer in YES:
                raise Left
            if answer in ("bot", "b") and not alone:
                self.client.leave(self.id)
                raise Left
            if answer in ("give up", "g") and alone:
                self.client.command(self.id, "close")
                raise Left
            if not answer or answer in ("stay", "s") or answer in NO:
                break
        self.is_leaving, self.shown = False, ()
        self.attend()
