"""The whole tree of a small game of two seats, as arrays.

The rules themselves make the tree: every deal, every decision, every answer to it. A secret choice that both seats
make at once is one after the other here, and the second one knows nothing of the first. What a seat knows when it
decides is its view and what it has seen and done before; situations that look the same to it share a *place*, and a
strategy is a chance for each action of each place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from nimmt.fast.arguments import InvalidArgument, check_range
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, InvalidPosition, Outcome, Seat, Value

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]
Strategy: TypeAlias = NDArray[np.float64]
"""The chance of every action of every place, one after the other: see `Place.first`."""

MAX_NODES = 3_000_000


class Place(NamedTuple):
    """What a seat knows when it decides."""

    seat: Seat
    view: Any
    actions: tuple[Action, ...]
    first: int
    """Where its first action stands in a strategy; the others follow."""
    depth: int


class Level(NamedTuple):
    """All steps from the decisions of one depth to what comes after them."""

    parents: Ints
    children: Ints
    slots: Ints
    """The action, by its number in a strategy."""
    seats: Ints


class TooLarge(InvalidArgument):
    """The tree would not fit."""

    def __init__(self, most: int) -> None:
        super().__init__("too_large", f"The tree has more than {most:,} nodes.")


def small_six(rows: Sequence[Sequence[int]], unseen: Sequence[int], hand: int) -> list[Value]:
    """6 nimmt! of two seats on few cards: all deals of `hand` of the unseen cards to each seat. What is left over is
    never seen."""
    from nimmt.games.six.position import table_position
    from nimmt.games.six.types import Options

    every = sorted(set(unseen))
    check_range(1, hand=hand)
    if len(every) < len(unseen):
        raise InvalidPosition("Each of the unseen cards may be named once.")
    if hand > len(every) // 2:
        raise InvalidPosition(f"{len(every)} cards are not enough for two hands of {hand}.")
    hands = [
        (one, two) for one in combinations(every, hand) for two in combinations(every, hand) if not {*one} & {*two}
    ]
    return [table_position(rows, both, options=Options(rounds=1)) for both in hands]


def _check(state: Any) -> None:
    if (seats := state.table.seats) != 2:
        raise InvalidPosition(f"A tree is for two seats, not {seats}.")


class Tree:
    """All that can happen from some states, each as likely as the others.

    `values` are what each ending is worth for the first seat: how many points it is better than the second one.
    """

    def __init__(self, game: AnyGame | str, states: Iterable[Value], max_nodes: int = MAX_NODES) -> None:
        self.game = registry.get(game) if isinstance(game, str) else game
        self.places: list[Place] = []
        self.roots: list[int] = []
        self._max_nodes = max_nodes
        self._known: dict[tuple[Any, ...], int] = {}
        self._endings: dict[int, float] = {}
        self._steps: list[list[tuple[int, int, int, int]]] = []
        self._nodes = self._slots = 0
        for state in states:
            _check(state)
            self.roots.append(self._grow(state, 0, ((), ())))
        if not self.roots:
            raise InvalidPosition("A tree needs at least one state to begin with.")
        self.levels = [Level(*np.array(steps, np.int64).T) for steps in self._steps]
        self.values = np.zeros(self._nodes)
        self.values[list(self._endings)] = list(self._endings.values())
        self.owner = np.zeros(self._slots, np.int64)
        """The place that each slot of a strategy belongs to."""
        for number, place in enumerate(self.places):
            self.owner[place.first : place.first + len(place.actions)] = number

    @property
    def nodes(self) -> int:
        return self._nodes

    @property
    def slots(self) -> int:
        """How many numbers a strategy has."""
        return self._slots

    def __repr__(self) -> str:
        return f"<Tree of {self.game.id}: {len(self.roots)} deals, {self.nodes} nodes, {len(self.places)} places>"

    def _grow(self, state: Value, depth: int, past: tuple[tuple[int, ...], tuple[int, ...]]) -> int:
        """The node of a state and all below it. `past` are the slots that each seat has chosen on the way."""
        node, self._nodes = self._nodes, self._nodes + 1
        if self._nodes > self._max_nodes:
            raise TooLarge(self._max_nodes)
        outcome = self.game.outcome(state)
        if outcome is not None:
            self._endings[node] = self._worth(outcome, state)
            return node
        if self.game.deal_request(state) is not None:
            raise InvalidPosition("New cards would be dealt here: a tree is one round, with its cards on the table.")
        seat = self.game.pending(state)[0].seat
        number = self._place_of(state, seat, depth, past[seat])
        place = self.places[number]
        if len(self._steps) == depth:
            self._steps.append([])
        for slot, action in enumerate(place.actions, place.first):
            after, _ = self.game.apply(state, seat, action)
            own = (*past[seat], slot)
            child = self._grow(after, depth + 1, (own, past[1]) if seat == 0 else (past[0], own))
            self._steps[depth].append((node, child, slot, seat))
        return node

    def _place_of(self, state: Value, seat: Seat, depth: int, past: tuple[int, ...]) -> int:
        view = self.game.view(state, seat)
        key = (seat, msgspec.msgpack.encode(view), past)
        if key not in self._known:
            actions = tuple(self.game.legal(state, seat))
            self._known[key] = len(self.places)
            self.places.append(Place(seat, view, actions, self._slots, depth))
            self._slots += len(actions)
        number = self._known[key]
        # Who decides when is public in these games; best responses rely on it.
        assert self.places[number].depth == depth, "a place may not be at several depths"
        return number

    def _worth(self, outcome: Outcome, state: Any) -> float:
        one, two = outcome.points
        return float(one - two if self.game.high_score_wins(state.table.options) else two - one)
