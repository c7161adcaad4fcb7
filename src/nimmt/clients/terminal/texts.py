"""What is told at a table: events, notes and chat in words, the help page and the rules."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import Any, Protocol

from rich.console import Console
from rich.markdown import Markdown

from nimmt.clients.cli.common import clean
from nimmt.clients.terminal.face import Face, Look
from nimmt.clients.terminal.pieces import BULL
from nimmt.clients.terminal.screen import Picture, Screen, picture_of
from nimmt.clients.terminal.words import both, language, page_text, tr
from nimmt.lessons.rulebook import rulebook
from nimmt.rules.game import AnyGame, Decision, Event, Outcome, Seat
from nimmt.rules.kit.events import RoundEnded
from nimmt.server.tables import messages as m


class Authority(Protocol):
    """Says how things are. Here a match does, elsewhere a server: to those who look on it is the same."""

    @property
    def game(self) -> AnyGame: ...
    @property
    def pending(self) -> Sequence[Decision]:
        """Who is being waited for, and for what."""
        ...

    @property
    def outcome(self) -> Outcome | None: ...
    def view(self, seat: Seat | None) -> Any:
        """What a seat, or a spectator, may know now."""
        ...


class Telling:
    """Shows a table, and event after event what happens there."""

    def __init__(self, authority: Authority, face: Face[Any], screen: Screen, watcher: Seat | None) -> None:
        self.authority, self.face, self.screen = authority, face, screen
        self.watcher = watcher
        """Whose eyes the screen is for; nobody's in particular while several people look at it."""
        self.view: Any = None
        """What is drawn."""
        self.folded: Any = None
        """How things stand after the events told so far."""
        self.turn = 0
        self.telling = False
        self.fresh: int | None = None
        self.chosen: list[Seat] = []
        """Who has made a choice that is not worth a sentence of its own."""

    # -- showing ------------------------------------------------------------------------------------------------

    def look(self, decision: Decision | None = None) -> Look[Any]:
        pending = () if self.telling else self.authority.pending
        seats = frozenset(waiting.seat for waiting in pending)
        asked, kind = (decision.seat, decision.kind) if decision else (None, None)
        return Look(self.view, seats, kind, asked, self.fresh, self.turn)

    def picture(self, decision: Decision | None = None) -> Picture:
        return picture_of(self.face, self.look(decision))

    def tell(self, before: Any, events: Sequence[Event]) -> None:
        """Show event after event, as the watcher sees them, beginning with the view before; then how things are."""
        self.telling = True
        self.view = self.folded = before
        for event in events:
            self._tell(event)
        self.settle()

    def settle(self) -> None:
        """Nothing more is told: show how things are."""
        self.fresh, self.telling = None, False
        self.view = self.authority.view(self.watcher)

    def _tell(self, event: Event) -> None:
        if isinstance(event, self.face.turn_begins):
            self.turn += 1
            self.begin_turn()
        if isinstance(event, self.face.round_begins):
            self.turn = 0
        before, self.folded = self.folded, self.authority.game.after(self.folded, event)
        self.view = self.face.shown(before, self.folded, event)
        if isinstance(event, self.face.choices):
            self.chosen.append(event.seat)  # type: ignore[attr-defined]
        elif not isinstance(event, self.face.quiet):
            self._say(event)

    def begin_turn(self) -> None:
        """A turn begins: what held for the last one holds no longer."""

    def _say(self, event: Event) -> None:
        self.chosen.clear()
        self.fresh = getattr(event, "card", None)
        sentence = self.face.tell(event)
        if not sentence:
            return
        self.screen.say(sentence)
        self.screen.show(self.picture(), 0.5 + len(sentence) / 100)
        if isinstance(event, RoundEnded) and self.authority.outcome is None:
            self.pause(tr("The round is over. Enter goes on"))

    def pause(self, prompt: str) -> None:
        self.screen.pause(self.picture(), prompt)

    def mention_chosen(self) -> None:
        """Who has chosen already, where no picture shows it."""
        if self.chosen:
            names = both(self.face.names[seat] for seat in self.chosen)
            self.screen.mention(tr({"one": "{names} has chosen.", "other": "{names} have chosen."},
                                   names=names, count=len(self.chosen)))  # fmt: skip
            self.chosen.clear()

    # -- words that are no answers ------------------------------------------------------------------------------

    def fulfil(self, word: str, decision: Decision | None) -> bool:
        """Whether the word was a wish to read something, which is now fulfilled."""
        width = self.screen.width - 2
        if word in ("?", "help"):
            self.screen.page(tr("Help"), self.help(decision))
        elif word == "rules":
            self.screen.page(self.face.title, rules_page(self.authority.game, width))
        elif word in ("scores", "score"):
            self.screen.page(tr("Points"), self.face.scores(self.view, width))
        elif word == "table":
            self.screen.page(tr("On the table"), self.face.everything(self.view))
        else:
            return False
        return True

    def help(self, decision: Decision | None) -> list[str]:
        return help_page(self.face, self.look(decision))


# -- what can be read at a table ---------------------------------------------------------------------------------------

WISHES = ("?", "rules", "scores", "table", "auto", "quit")


def help_page(face: Face[Any], look: Look[Any]) -> list[str]:
    asked = face.question(look).rstrip(".")
    meanings = (
        tr("this page"),
        tr("the rules of the game"),
        tr("the points of all rounds"),
        tr("what else lies open or may be remembered"),
        tr("let a bot decide for you, this once"),
        tr("leave the match (it asks before it does)"),
    )
    return [
        tr("Now: {asked}.", asked=asked),
        face.possible(look),
        "",
        tr("You can always type"),
        *(f"  {word:<8} {meaning}" for word, meaning in zip(WISHES, meanings, strict=True)),
        "",
        tr("What the signs mean"),
        f"  {BULL} {tr('a bull: a point that nobody wants')}",
        f"  {tr('… being waited for; ► the next one; ■ has chosen in secret')}",
        *(f"  {line}" for line in face.legend()),
    ]


def rules_page(game: AnyGame, width: int) -> list[str]:
    """The rules as lines."""
    writer = Console(file=StringIO(), width=width, color_system=None, legacy_windows=False)
    with writer.capture() as capture:
        writer.print(Markdown(rulebook(game.id, language()).markdown()))
    return [line.rstrip() for line in capture.get().splitlines()]


# -- besides the game --------------------------------------------------------------------------------------------------


def told_note(note: m.Note, names: Sequence[str], before: Sequence[str]) -> str:
    """Empty if there is nothing to tell; `before` are the names as they were until then."""
    if isinstance(note, m.SeatsSwapped):
        return tr("{one} and {other} change places.", one=before[note.one], other=before[note.other])
    return _told_coming(note, names) or _told_absence(note, names) or _told_coach(note, names) or _told_table(note)


def _told_coming(note: m.Note, names: Sequence[str]) -> str:
    match note:
        case m.PlayerJoined(name=name):
            return tr("{name} sits down.", name=clean(name))
        case m.PlayerLeft(name=name, removed=True):
            return tr("{name} was sent away by the host.", name=clean(name))
        case m.PlayerLeft(name=name):
            return tr("{name} stands up.", name=clean(name))
        case m.BotJoined(seat=seat):
            return tr("The bot {name} sits down.", name=names[seat])
        case m.BotLeft():
            return tr("A bot leaves.")
        case m.SeatTakenOver(name=name):
            return tr("{name} takes over from a bot.", name=clean(name))
    return ""


def _told_absence(note: m.Note, names: Sequence[str]) -> str:
    match note:
        case m.TimeRanOut(seat=seat, away=True) | m.PlayerAway(seat=seat, reason="time"):
            return tr("{name} missed several decisions and is away.", name=names[seat])
        case m.TimeRanOut(seat=seat):
            return tr("{name} ran out of time; a bot made this decision.", name=names[seat])
        case m.PlayerAway(seat=seat, reason="left"):
            return tr("{name} is away; a bot decides.", name=names[seat])
        case m.PlayerAway(seat=seat):
            return tr("{name} is gone; a bot plays until they are back.", name=names[seat])
        case m.PlayerBack(seat=seat):
            return tr("{name} is back.", name=names[seat])
        case m.StandInWanted(seat=seat, by=by):
            return tr("{name} would let a bot play for {gone}.", name=names[by], gone=names[seat])
    return ""


def _told_coach(note: m.Note, names: Sequence[str]) -> str:
    match note:
        case m.HintGiven(seat=seat):
            return tr("{name} asks the coach.", name=names[seat])
        case m.DecisionTakenBack(seat=seat):
            return tr("{name} takes the last decision back.", name=names[seat])
    return ""


def _told_table(note: m.Note) -> str:
    match note:
        case m.TakeoverAllowed(allowed=True):
            return tr("The seats of bots may be taken over.")
        case m.TakeoverAllowed():
            return tr("The seats of bots can no longer be taken over.")
        case m.MatchStarted():
            return tr("The match begins.")
        case m.ChatSaid():
            return told_chat(note)
        case m.ChatRemoved():
            return tr("A message was removed by whoever runs this server.")
        case m.RematchOffered():
            return tr("A rematch is open.")
        case m.TableClosed():
            return tr("The table is closed.")
    return ""


def told_chat(said: m.ChatSaid) -> str:
    name, text = clean(said.name), wording(said.phrase, clean(said.text).replace("\n", " "))
    if said.seat is None:
        return tr("{name}, who is watching, says: {text}", name=name, text=text)
    return tr("{name} says: {text}", name=name, text=text)


def wording(phrase: str | None, english: str) -> str:
    """What is said with one tap, in the language that is spoken; faces are in brackets, as in English."""
    words = page_text(f"phrases:phrase.{phrase}") if phrase and language() != "en" else None
    if words is None:
        return english
    return f"({words})" if english.startswith("(") else words
