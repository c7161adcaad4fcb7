"""Letting the rules play a turn out: cards are played, choices are answered, until one is missing or all is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from nimmt.clients.referee.reading import Choices
from nimmt.clients.referee.ruling import Needs, listed
from nimmt.rules.game import Action, AnyGame, Decision, Event, IllegalAction, Names, Seat


class Ask(NamedTuple):
    """How a kind of decision is answered: by which flag, with which action, and what of it is chosen."""

    flag: str
    choice: str
    field: str
    make: Callable[[int], Action]


class Course:
    """A state, all that happened on the way to it, and the decision that nobody has answered."""

    def __init__(self, game: AnyGame, names: Names, state: Any) -> None:
        self.game = game
        self.names = names
        self.state = state
        self.events: list[Event] = []
        self.open: Decision | None = None

    def apply(self, seat: Seat, action: Action) -> None:
        """Raises `IllegalAction`, whose sentence then says who may not do this."""
        try:
            self.state, events = self.game.apply(self.state, seat, action)
        except IllegalAction as error:
            raise IllegalAction(error.refusal, seat, f"{self.names[seat]}: {error}") from None
        self.events += events

    def play(self, actions: Sequence[Action]) -> None:
        for seat, action in enumerate(actions):
            self.apply(seat, action)

    def answer(self, asks: Mapping[str, Ask], choices: Choices) -> None:
        """Answer as long as the answer is known. A decision of a kind that is not in `asks` ends the turn."""
        while (decision := self.asked(*asks)) is not None:
            ask = asks[decision.kind]
            chosen = choices.next(ask.flag, decision.seat)
            if chosen is None:
                self.open = decision
                return
            self.apply(decision.seat, ask.make(chosen))

    def asked(self, *kinds: str) -> Decision | None:
        """The decision that is waited for, if it is of one of these kinds."""
        pending = self.game.pending(self.state)
        return pending[0] if pending and pending[0].kind in kinds else None

    def needs(self, asks: Mapping[str, Ask], card: int, reasons: Sequence[str] = ()) -> Needs | None:
        """The choice that is missing, for this card."""
        if self.open is None:
            return None
        seat, ask = self.open.seat, asks[self.open.kind]
        name = self.names[seat]
        between = [getattr(action, ask.field) for action in self.game.legal(self.state, seat)]
        task = self.game.decisions[self.open.kind].replace("your", "the")
        sentence = (
            f"{name} played {card} and must {task}: {listed(between, 'or')}. "
            f"Say it with --{ask.flag} {name}:{ask.field.upper()}."
        )
        return Needs(seat=name, choose=ask.choice, card=card, between=between, sentence=sentence, reasons=list(reasons))
