"""What is told at a table, by whoever says what is true there: a match in this process, or a server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from nimmt.clients.terminal.face import Face, Look
from nimmt.clients.terminal.guide import help_page, rules_page
from nimmt.clients.terminal.screen import Picture, Screen, picture_of
from nimmt.clients.terminal.words import both, tr
from nimmt.rules.game import AnyGame, Decision, Event, Outcome, Seat
from nimmt.rules.kit.events import RoundEnded


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
