"""Positions to look at and to play on from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from nimmt.match.by_hand import Choice, read_choice, set_up
from nimmt.match.shuffle import make_deal
from nimmt.match.story import sentences
from nimmt.rules import registry
from nimmt.rules.game import (
    Action,
    AnyGame,
    Deal,
    Decision,
    Event,
    IllegalAction,
    InvalidDeal,
    InvalidPosition,
    Names,
    Outcome,
    Seat,
    Value,
)
from nimmt.rules.kit.events import count
from nimmt.rules.kit.seats import SEAT_NAMES, out_of_place
from nimmt.rules.position import read_position, to_json, to_text


@dataclass(frozen=True, eq=False, repr=False)
class Position:
    """A moment of a match with all cards open. It never changes: what is played in it leads to another one.

    What lies there are attributes of their own, as in the position's text: `rows`, `hands`, `bulls`, …
    """

    game: AnyGame
    state: Any
    events: tuple[Event, ...] = ()
    """What happened on the way here from the position before."""
    names: tuple[str, ...] = SEAT_NAMES

    # -- playing --------------------------------------------------------------------------------------------------

    def play(self, *choices: Choice) -> Position:
        """All who are waited for choose at once: one choice for each of them, in the order of the seats."""
        seats = [decision.seat for decision in self.pending]
        if not seats:
            raise out_of_place(self.game, self.state, 0, Action())
        if len(choices) != len(seats):
            awaited = f"{'Seat' if len(seats) == 1 else 'Seats'} {', '.join(map(str, seats))}"
            raise ValueError(f"{awaited} must choose now: give one choice for each, not {len(choices)}.")
        position, events = self, list[Event]()
        for seat, choice in zip(seats, choices, strict=True):
            try:
                position = position.apply(seat, choice)
            except IllegalAction as error:
                raise IllegalAction(error.refusal, seat, f"Seat {seat}: {error}") from None
            events += position.events
        return replace(self, state=position.state, events=tuple(events))

    def apply(self, seat: Seat, action: Choice) -> Position:
        """One seat does something: a number, or an action; raises `IllegalAction`, and nothing has changed."""
        meant = read_choice(self.game, self.state, seat, action)
        state, events = self.game.apply(self.state, seat, meant)
        return replace(self, state=state, events=events)

    def deal(self, deal: Deal | int | str) -> Position:
        """Go on with a deal where one is needed: a recorded one, or one that follows from a seed."""
        if not isinstance(deal, Deal):
            request = self.game.deal_request(self.state)
            if request is None:
                raise InvalidDeal("No deal is needed now.")
            deal = make_deal(sha256(f"nimmt position/{deal}".encode()).digest(), 0, request)
        state, events = self.game.deal(self.state, deal)
        return replace(self, state=state, events=events)

    # -- looking --------------------------------------------------------------------------------------------------

    @property
    def pending(self) -> tuple[Decision, ...]:
        """Who is being waited for, and for what."""
        return self.game.pending(self.state)

    @property
    def needs_deal(self) -> bool:
        return self.game.deal_request(self.state) is not None

    @property
    def outcome(self) -> Outcome | None:
        """The result when the match is over."""
        return self.game.outcome(self.state)

    @property
    def situation(self) -> str:
        """What happens next, as a sentence."""
        if self.outcome is not None:
            return "The match is over."
        if self.needs_deal:
            return "Cards are to be dealt."
        asked = dict.fromkeys(self.game.decisions[decision.kind] for decision in self.pending)
        seats = ", ".join(str(decision.seat) for decision in self.pending)
        return f"{'Seat' if len(self.pending) == 1 else 'Seats'} {seats} must {' or '.join(asked)}."

    def legal(self, seat: Seat) -> Sequence[Action]:
        """Everything that the seat may do now."""
        return self.game.legal(self.state, seat)

    def view(self, seat: Seat | None = None) -> Any:
        """What the seat may know; without a seat, what a spectator may know."""
        return self.game.view(self.state, seat)

    def tell(self) -> str:
        """The events as people would tell them, a line for each."""
        return "\n".join(told for told, _ in sentences(self.events, self.names))

    def to_json(self) -> str:
        return to_json(self.game, self.state).decode()

    def __getattr__(self, name: str) -> Any:
        # Only asked for what is not found otherwise. Copying asks before anything is there.
        if name.startswith("_"):
            raise AttributeError(name)
        for place in (self.state, self.state.table):
            if name in place.__struct_fields__:
                return getattr(place, name)
        raise AttributeError(f"A position of {self.game.id} has no {name!r}.")

    def __dir__(self) -> list[str]:
        fields = {*self.state.__struct_fields__, *self.state.table.__struct_fields__}
        return sorted({*super().__dir__(), *fields})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[str, int, Value]:
        return self.game.id, self.game.rules_version, self.state

    def __str__(self) -> str:
        return to_text(self.game, self.state).rstrip("\n")

    def __repr__(self) -> str:
        return f"<position of {self.game.id}: {self.situation}>"

    # -- in notebooks ---------------------------------------------------------------------------------------------

    def _repr_svg_(self) -> str:
        return self._drawn()[0]

    def _repr_html_(self) -> str:
        from nimmt.drawing.pictures import as_image

        return as_image(*self._drawn())

    def _drawn(self) -> tuple[str, str]:
        """The picture, and what it shows in words."""
        from nimmt.drawing.pictures import moment

        hands = range(len(getattr(self.state, "hands", ())))
        picture = moment(self.game, self.state, self.names, hands)
        return picture.svg(f"{self.game.name}: a position"), picture.words


def position(what: str | Path, /, *, variant: str | None = None, names: Names | None = None, **parts: Any) -> Position:
    """A position: its text or JSON, a file with that, or a game and what lies on the table.

    What a game takes is what `table_position` in its `position.py` takes, as lists or in the notation of positions
    ("12 14 | 37"), and its options. Raises `InvalidPosition`, `InvalidOptions` or `UnknownGame`.
    """
    if isinstance(what, Path) or _is_document(what):
        if parts or variant is not None:
            raise InvalidPosition("A whole position says everything already: nothing can be given besides.")
        text = what.read_text("utf-8-sig") if isinstance(what, Path) else what
        return _named(Position(*read_position(text)), names)
    game = registry.get(what)
    return _named(Position(game, set_up(game, parts, variant)), names)


def _named(found: Position, names: Names | None) -> Position:
    if names is not None and len(names) != found.seats:
        raise InvalidPosition(f"There are {found.seats} seats but {count(len(names), 'name')}.")
    return found if names is None else replace(found, names=tuple(names))


def _is_document(text: str) -> bool:
    return text.lstrip().startswith("{") or len(text.split()) > 1
