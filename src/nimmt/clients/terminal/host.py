"""Runs a match at a terminal: lets bots decide, asks people, and tells all that happens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from nimmt.bots import Bot
from nimmt.clients.terminal.answers import NO, YES, Unclear
from nimmt.clients.terminal.face import Face, Look
from nimmt.clients.terminal.frame import Picture, picture_of
from nimmt.clients.terminal.guide import help_page, rules_page
from nimmt.clients.terminal.screen import Screen
from nimmt.match.match import Match
from nimmt.rules.game import Action, Decision, Event, IllegalAction, Seat, Value
from nimmt.rules.kit.events import RoundEnded, named

BOW_OUT = ("quit", "exit", "bye")


class Left(Exception):
    """A person has left the table before the end."""


class Host:
    """One match. Bots decide before people do, so that whoever is asked is the one that all wait for."""

    def __init__(self, match: Match, face: Face[Any], screen: Screen, people: Sequence[Seat], bots: Mapping[Seat, Bot],
                 adviser: Bot, chance: Sequence[Random]) -> None:  # fmt: skip
        self.match, self.face, self.screen = match, face, screen
        self.people, self.bots, self.adviser, self.chance = tuple(people), bots, adviser, chance
        self.watcher: Seat | None = self.people[0] if len(self.people) == 1 else None
        """Whose eyes the screen is for; nobody's in particular while several people look at it."""
        self.view: Any = match.game.view(match.state, self.watcher)
        self.turn = 0
        self.telling = False
        self.fresh: int | None = None
        self.chosen: list[Seat] = []
        """Who has made a choice that is not worth a sentence of its own."""
        self.standing: dict[Decision, Action] = {}
        """Answers that hold until the next turn."""

    def run(self) -> None:
        """Play to the end; raises `Left` or `Gone`."""
        game = self.match.game
        self.tell(game.setup(self.match.options, len(self.match.seats)), self.match.opening)
        while self.match.outcome is None:
            decision, before = self._next(), self.match.state
            if decision.seat in self.bots:
                self.screen.wait_for(self.picture(), [self.face.names[decision.seat]])
                events = self._let_bot_decide(decision.seat, self.bots[decision.seat])
            else:
                events = self._let_person_decide(decision)
            self.tell(before, events)
        self._pause("That was the match. Enter goes on")

    def _next(self) -> Decision:
        pending = self.match.game.pending(self.match.state)
        return min(pending, key=lambda decision: decision.seat in self.people)

    # -- showing ------------------------------------------------------------------------------------------------

    def look(self, decision: Decision | None = None) -> Look[Any]:
        pending = () if self.telling else self.match.game.pending(self.match.state)
        seats = frozenset(waiting.seat for waiting in pending)
        asked, kind = (decision.seat, decision.kind) if decision else (None, None)
        return Look(self.view, seats, kind, asked, self.fresh, self.turn)

    def picture(self, decision: Decision | None = None) -> Picture:
        return picture_of(self.face, self.look(decision))

    def tell(self, before: Value, events: Sequence[Event]) -> None:
        """Show event after event, beginning with the table as it was, and then the table as it is."""
        self._choose_watcher(events)
        game, self.telling = self.match.game, True
        self.view = game.view(before, self.watcher)
        for event in events:
            seen = event.seen_by(self.watcher)
            if seen is not None:
                self._tell(seen)
        self.fresh, self.telling = None, False
        self.view = game.view(self.match.state, self.watcher)

    def _choose_watcher(self, events: Sequence[Event]) -> None:
        """Several people: what happens is for all of them, unless the one at the screen is to go on."""
        if len(self.people) == 1 or all(isinstance(event, self.face.choices) for event in events):
            return
        pending = self.match.game.pending(self.match.state)
        if not any(decision.seat == self.watcher and decision.kind in self.face.going_on for decision in pending):
            self.watcher = None

    def _tell(self, event: Event) -> None:
        if isinstance(event, self.face.turn_begins):
            self.turn += 1
            self.standing.clear()
        if isinstance(event, self.face.round_begins):
            self.turn = 0
        self.view = self.face.after(self.view, event)
        if isinstance(event, self.face.choices):
            self.chosen.append(event.seat)  # type: ignore[attr-defined]
        elif not isinstance(event, self.face.quiet):
            self._say(event)

    def _say(self, event: Event) -> None:
        self.chosen.clear()
        self.fresh = getattr(event, "card", None)
        sentence = self.face.tell(event)
        self.screen.say(sentence)
        self.screen.show(self.picture(), 0.5 + len(sentence) / 100)
        if isinstance(event, RoundEnded) and self.match.outcome is None:
            self._pause("The round is over. Enter goes on")

    def _pause(self, prompt: str) -> None:
        if self.people:
            self.screen.pause(self.picture(), prompt)

    # -- deciding -----------------------------------------------------------------------------------------------

    def _let_bot_decide(self, seat: Seat, bot: Bot) -> tuple[Event, ...]:
        game, state = self.match.game, self.match.state
        action = bot.choose(game.view(state, seat), game.legal(state, seat), self.chance[seat])
        return self.match.act(seat, action)

    def _let_person_decide(self, decision: Decision) -> tuple[Event, ...]:
        seat = decision.seat
        if decision in self.standing:
            return self.match.act(seat, self.standing[decision])
        self._greet(decision)
        message, again = "", False
        while True:
            look = self.look(decision)
            prompt = f"{self.face.names[seat]}, {self.face.question(look)}"
            text = self.screen.ask(picture_of(self.face, look), prompt, message, again=again)
            again = True
            if text.casefold() == "auto":
                return self._let_bot_decide(seat, self.adviser)
            message = ""
            if not self._obey(text, decision):
                try:
                    return self._act(decision, look, text)
                except Unclear as unclear:
                    message = str(unclear)
                except IllegalAction as refused:
                    message = f"{refused} {self.face.possible(look)}"

    def _act(self, decision: Decision, look: Look[Any], text: str) -> tuple[Event, ...]:
        action = self.face.read(look, text)
        events = self.match.act(decision.seat, action)
        if self.face.standing(look, text):
            self.standing[decision] = action
        return events

    def _greet(self, decision: Decision) -> None:
        """Make sure that the right person sits there, and that they know who has chosen already."""
        seat, names = decision.seat, self.face.names
        if self.watcher != seat and decision.kind not in self.face.open_kinds:
            self.screen.hand_over(names[seat], f"is to {self.match.game.decisions[decision.kind]}")
            self.watcher, self.view = seat, self.match.game.view(self.match.state, seat)
        if self.chosen:
            verb = "has" if len(self.chosen) == 1 else "have"
            self.screen.mention(f"{named(names, tuple(self.chosen))} {verb} chosen.")
            self.chosen.clear()

    # -- words that are no answers ------------------------------------------------------------------------------

    def _obey(self, text: str, decision: Decision) -> bool:
        """Whether the text was a wish, which is now fulfilled."""
        word = text.casefold()
        if word in BOW_OUT or word == "q":
            self._confirm_leaving()
        elif word in ("?", "help"):
            self.screen.page("Help", help_page(self.face, self.look(decision)))
        elif word == "rules":
            self.screen.page(self.match.game.name, rules_page(self.match.game, self.screen.width - 2))
        elif word in ("scores", "score"):
            self.screen.page("Points", self.face.scores(self.view, self.screen.width - 2))
        elif word == "table":
            self.screen.page("On the table", self.face.everything(self.view))
        else:
            return False
        return True

    def _confirm_leaving(self) -> None:
        message = ""
        while True:
            answer = self.screen.ask(self.picture(), "leave the match, yes or no?", message, again=True).casefold()
            if answer in YES or answer in BOW_OUT or answer == "q":
                raise Left
            if answer in NO or not answer:
                return
            message = "Type yes to leave, or no to play on."
