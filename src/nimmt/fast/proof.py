"""The same deals and choices through `nimmt.rules` and through the kernels, compared after every step.

Both sides are brought to a picture (see the `picture` of each game): the place of every card and whatever else there
is. Where the rules show a state, at every decision, the picture is made from it. Between two decisions they tell what
happens by events: a picture that follows them says what the kernels' state must be after every single card. That, and
what is legal, takes most of the time: a quick comparison leaves it out and looks at the states alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple, TypeVar

import numpy as np

from nimmt.fast import kernels
from nimmt.fast.game import FastGame
from nimmt.rules import registry
from nimmt.rules.game import Cards, Deal, DealRequest, Event, IllegalAction, Options, Seat
from nimmt.rules.position import to_text

T = TypeVar("T")

_UNTOLD = 2
"""The last bytes of a picture, the phase and who is waited for, are told by no event."""
_MAX_STEPS = 64


class Unequal(AssertionError):
    """The kernels do something else than the rules."""


class Proof(NamedTuple):
    """How much was found equal."""

    matches: int = 0
    rounds: int = 0
    decisions: int = 0
    steps: int = 0

    def plus(self, other: Proof) -> Proof:
        return Proof(*map(sum, zip(self, other, strict=True)))


def compare_matches(
    fast: FastGame,
    options: Options,
    seats: int,
    rng: Random,
    matches: int,
    *,
    quick: bool = False,
    rules_version: int | None = None,
) -> Proof:
    """Matches of random play; raises `Unequal`, which shows the position in which the two part. Under the newest rules,
    unless older ones are asked for."""
    proof = Proof()
    for _ in range(matches):
        proof = proof.plus(Comparison(fast, options, seats, rng, quick=quick, rules_version=rules_version).play())
    return proof


class Comparison:
    """One match through both."""

    def __init__(
        self,
        fast: FastGame,
        options: Options,
        seats: int,
        rng: Random,
        *,
        quick: bool = False,
        rules_version: int | None = None,
    ) -> None:
        self.fast, self.rng, self.quick = fast, rng, quick
        self.rules = registry.get(fast.rules.id, rules_version)
        self.options, self.seats = options, seats
        self.state: Any = self.rules.setup(options, seats)
        self.pictures = np.zeros((_MAX_STEPS, fast.picture_size), dtype=np.int8)
        self.actions = np.zeros(fast.most_actions, dtype=np.int64)
        self.rounds = self.decisions = self.steps = 0

    def play(self) -> Proof:
        self._begin_round()
        while self.rules.outcome(self.state) is None:
            seat = self._any_of(self.rules.pending(self.state)).seat
            self._decide(seat, self._choose(seat))
            if self.flat[0]["phase"] == self.fast.over:
                self._end_round()
        return Proof(1, self.rounds, self.decisions, self.steps)

    # -- rounds -------------------------------------------------------------------------------------------------

    def _begin_round(self) -> None:
        self.flat = self.fast.template_of(self.state)
        self.flat["track"] = 1
        cards = np.zeros(0, dtype=np.int8)
        request = self.rules.deal_request(self.state)
        if request is not None:
            deal = self._shuffled(request)
            self.state, _ = self.rules.deal(self.state, deal)
            cards = self.fast.deck_cards(deal.decks)
        kernels.deal_round(self.flat, cards)
        kernels.look(self.flat, self.pictures)
        self.picture = self.fast.picture(self.state)
        self._same(0, self.picture, self.state, "the deal")

    def _shuffled(self, request: DealRequest) -> Deal:
        decks: dict[str, Cards] = {}
        for name, cards in request.decks.items():
            decks[name] = tuple(sorted(cards, key=lambda _: self.rng.random()))
        return Deal(decks)

    def _end_round(self) -> None:
        self.rounds += 1
        points, by_rules = self.fast.points(self.flat[0]), self.fast.points_by_rules(self.state)
        if points != by_rules:
            raise Unequal(f"{points} points; by the rules {by_rules}")
        if self.rules.outcome(self.state) is None:
            self._begin_round()

    # -- decisions ----------------------------------------------------------------------------------------------

    def _choose(self, seat: Seat) -> int:
        """Any legal action, first what kind and then which one; what is legal must be the same for both."""
        count = kernels.list_legal(self.flat, seat, self.actions)
        codes: list[int] = self.actions[:count].tolist()
        if not self.quick:
            self._same_legal(seat, codes)
        kind = self._any_of(sorted({self.fast.kind(code) for code in codes}))
        return self._any_of([code for code in codes if self.fast.kind(code) == kind])

    def _same_legal(self, seat: Seat, codes: list[int]) -> None:
        legal = [self.fast.encode(action) for action in self.rules.legal(self.state, seat)]
        if sorted(codes) != sorted(legal):
            raise Unequal(f"legal for seat {seat}: {codes}; by the rules {legal}\n{to_text(self.rules, self.state)}")

    def _any_of(self, things: Sequence[T]) -> T:
        return things[int(self.rng.random() * len(things))]

    def _decide(self, seat: Seat, code: int) -> None:
        before, cause = self.state, f"{code} of seat {seat}"
        events: list[Event] = []
        try:
            for actor, action in self.fast.spell(before, seat, code):
                self.state, told = self.rules.apply(self.state, actor, action)
                events += told
        except IllegalAction as error:
            raise Unequal(f"{cause} is illegal: {error}\n{to_text(self.rules, before)}") from error
        count = kernels.step(self.flat, seat, code, self.pictures)
        self.decisions += 1
        self.steps += count - 1
        if not self.quick:
            self._same_steps(events, count, before, cause)
        # When a round is over the rules may gather the cards at once; while others choose, only the choice is new.
        is_over = self.flat[0]["phase"] == self.fast.over and self.fast.told_by_events
        if not is_over and not isinstance(events[-1], self.fast.secret_events):
            self.picture = self.fast.picture(self.state)
            self._same(count - 1, self.picture, before, cause)
        elif not self.quick:
            self._same(count - 1, self.picture, before, cause, untold=_UNTOLD)

    def _same_steps(self, events: Sequence[Event], count: int, before: Any, cause: str) -> None:
        # Pictures between two decisions, the last of which (before the turn ends, if it does) is in the next one too.
        expected = self._follow(events)
        if len(expected) != count - 1:
            raise Unequal(f"{count - 1} steps, by the rules {len(expected)}: {cause}\n{to_text(self.rules, before)}")
        for step, picture in enumerate(expected[:-1]):
            self._same(step, picture, before, cause, untold=_UNTOLD)

    def _follow(self, events: Sequence[Event]) -> list[bytearray]:
        """Pictures after the decision and after each step that it led to, as the events tell."""
        expected: list[bytearray] = []
        for number, event in enumerate(events):
            if number and isinstance(event, self.fast.step_events):
                expected.append(self.picture.copy())
            self.fast.follow(self.picture, event)
        return [*expected, self.picture]

    def _same(self, number: int, picture: bytearray, before: Any, cause: str, untold: int = 0) -> None:
        told = len(picture) - untold
        if self.pictures[number, :told].tobytes() != picture[:told]:
            flat = self.pictures[number].view(np.uint8)
            parts = [f"byte {i}: {flat[i]}, by the rules {picture[i]}" for i in range(told) if flat[i] != picture[i]]
            raise Unequal(f"step {number} after {cause}\n{to_text(self.rules, before)}\n" + "\n".join(parts))
