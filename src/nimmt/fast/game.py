"""What Python needs to know of a game to use its kernels: layouts, codes, and the way in from `nimmt.rules`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from nimmt.fast import kernels
from nimmt.fast.jit import Flat, Flats, Numbers
from nimmt.rules.game import Action, AnyGame, Cards, Event, Seat


class NotInARound(ValueError):
    """Between rounds there is nothing to play on from: deal first."""


class FastGame(ABC):
    """The flat twin of a game."""

    rules: ClassVar[AnyGame]
    state: ClassVar[np.dtype[Any]]
    decks: ClassVar[tuple[str, ...]]
    """Names of the decks that a deal has, in the order in which kernels want them, one after the other."""
    policies: ClassVar[Mapping[str, int]]
    over: ClassVar[int]
    """The phase of a round that has been played."""
    most_actions: ClassVar[int] = 256
    """At least as many as any seat may ever choose from."""

    @abstractmethod
    def template(self, options: Any, seats: int, round_number: int = 1) -> Flats:
        """A table (an array of one state) at which nothing has been dealt yet."""

    @abstractmethod
    def load(self, state: Any) -> Flats:
        """The same position, flat; raises `NotInARound` if no round is being played."""

    @abstractmethod
    def encode(self, action: Action) -> int: ...

    @abstractmethod
    def decode(self, state: Any, seat: Seat, code: int) -> Action:
        """The action that a code stands for in this state of the rules, or in a view of it."""

    # -- worlds: what may be true for all that a seat knows ------------------------------------------------------

    @abstractmethod
    def hidden(self, view: Any) -> Sequence[Sequence[int]]:
        """The unseen cards that may be in each other's places: a list for each kind that has places of its own."""

    @abstractmethod
    def places(self, view: Any) -> Sequence[int]:
        """Bytes of the flat state that cards which the owner of the view has not seen go to, in the order of `hidden`;
        when they run out, the other cards of that kind are out of play."""

    def load_view(self, view: Any) -> Flats:
        """A position that looks like the view; nobody's secret choice is made."""
        flat = self.load(self.rules.imagine(view, self.rules.unseen(view)))
        self.forget_choices(flat)
        return flat

    @abstractmethod
    def forget_choices(self, flat: Flats) -> None: ...

    def shuffled(self, view: Any, count: int, seed: int) -> NDArray[np.int8]:
        """Fair orders of the cards that the view's owner has not seen, as `worlds` wants them."""
        kinds = [np.array(cards, dtype=np.int8) for cards in self.hidden(view)]
        orders = np.empty((count, sum(map(len, kinds))), dtype=np.int8)
        start = 0
        for number, cards in enumerate(kinds):
            kernels.shuffle_rows(cards, orders[:, start : start + len(cards)], np.uint64(seed), number)
            start += len(cards)
        return orders

    def worlds(self, view: Any, cards: NDArray[np.int8]) -> Flats:
        """A position for each line of cards, an order of those in `hidden`, all of which look like the view."""
        worlds = np.repeat(self.load_view(view), len(cards))
        raw = worlds.view(np.int8).reshape(len(cards), -1)
        kernels.fill(raw, np.array(self.places(view), dtype=np.int64), np.ascontiguousarray(cards))
        return worlds

    # -- comparing with the rules (`nimmt.fast.proof`) ----------------------------------------------------------

    picture_size: ClassVar[int]
    step_events: ClassVar[tuple[type[Event], ...]]
    """What begins a new step of `advance`, unless it is what the decision itself led to."""
    secret_events: ClassVar[tuple[type[Event], ...]]
    """What tells that a seat has chosen in secret and others have not yet."""

    @abstractmethod
    def picture(self, state: Any) -> bytearray:
        """Everything in a state of the rules that the flat state has too, in a form both can be brought to."""

    @abstractmethod
    def follow(self, picture: bytearray, event: Event) -> None:
        """What a picture becomes by an event."""

    def template_of(self, state: Any) -> Flats:
        """The table for the round that begins in this state."""
        return self.template(state.table.options, state.table.seats, state.table.round)

    def spell(self, state: Any, seat: Seat, code: int) -> Sequence[tuple[Seat, Action]]:
        """What the code means, done by the rules: mostly one action of this seat."""
        return ((seat, self.decode(state, seat, code)),)

    def kind(self, code: int) -> int:
        """Tells codes of different kinds of actions apart where one kind has many more than another."""
        del code
        return 0

    def points(self, flat: Flat) -> Cards:
        return tuple(flat["points"][: flat["seats"]].tolist())

    def points_by_rules(self, state: Any) -> Cards:
        """The points of the round that is over."""
        points: Cards = state.table.scores[-1]
        return points

    def deck_cards(self, decks: Mapping[str, Cards]) -> Numbers:
        return np.array([card for name in self.decks for card in decks[name]], dtype=np.int8)


def field_bytes(state: np.dtype[Any], name: str) -> int:
    """Where in a state a field begins."""
    fields = state.fields
    assert fields is not None
    return int(fields[name][1])
