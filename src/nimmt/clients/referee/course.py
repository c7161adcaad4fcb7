"""Letting the rules play a turn out: cards are played, choices are answered, until one is missing or all is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from nimmt.clients.referee.reading import Choices, Seats
from nimmt.clients.referee.ruling import Needs, listed
from nimmt.rules.game import Action, AnyGame, Decision, Event, IllegalAction, Seat


class Ask(NamedTuple):
    """How a kind of decision is answered: by which flag, and with which action."""

    flag: str
    choice: str
    """What is chosen; the action has a field of this name, or the one that `field` says."""
    make: Callable[[int], Action]
    field: str = ""


class Course:
    """A state, all that happened on the way to it, and the decision that nobody has answered."""

    def __init__(self, game: AnyGame, seats: Seats, state: Any) -> None:
        self.game = game
        self.seats = seats
        self.state = state
        self.events: list[Event] = []
        self.open: Decision | None = None

    def apply(self, seat: Seat, action: Action) -> None:
        """Raises `IllegalAction` with the name of the seat in front of its sentence."""
        try:
            self.state, events = self.game.apply(self.state, seat, action)
        except IllegalAction as error:
            raise IllegalAction(error.refusal, seat, f"{self.seats.names[seat]}: {error}") from None
        self.events += events

    def play(self, actions: Sequence[Action]) -> None:
        for seat, action in enumerate(actions):
            self.apply(seat, action)

    def answer(self, asks: Mapping[str, Ask], choices: Choices) -> None:
        """Answer what is asked as long as an answer is known. Kinds that are not in `asks` end the turn."""
        while (decision := self._asked(asks)) is not None:
            ask = asks[decision.kind]
            chosen = choices.next(ask.flag, decision.seat)
            if chosen is None:
                self.open = decision
                return
            self.apply(decision.seat, ask.make(chosen))

    def _asked(self, asks: Mapping[str, Ask]) -> Decision | None:
        pending = self.game.pending(self.state)
        return pending[0] if pending and pending[0].kind in asks else None

    def needs(self, asks: Mapping[str, Ask], card: int) -> Needs | None:
        """The choice that is missing, for this card."""
        if self.open is None:
            return None
        seat, ask = self.open.seat, asks[self.open.kind]
        name = self.seats.names[seat]
        between = [getattr(action, ask.field or ask.choice) for action in self.game.legal(self.state, seat)]
        what = f"{self.game.decisions[self.open.kind]}: {listed(list(map(str, between)))}"
        sentence = f"{card}: {name} must {what}. Say it with --{ask.flag} {name}:{(ask.field or ask.choice).upper()}."
        return Needs(seat=name, choose=ask.choice, card=card, between=list(between), sentence=sentence)
