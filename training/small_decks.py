"""Game theory on small decks of 6 nimmt!: how far from an equilibrium is a way to play, where all can be computed?

    python training/small_decks.py                                 7 cards, 2 in hand, 1 row for 3 cards
    python training/small_decks.py --cards 8 --rounds 500

Two seats, single deals, what counts is the difference of the bulls. CFR+ finds an equilibrium, a best response says
what could still be won against a way to play (its exploitability, in bulls a deal, both seats together). On decks so
small that is exact: a yardstick for players of the whole game, and for programs that compute such things.
"""

from __future__ import annotations

import argparse
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, NamedTuple, Protocol

from nimmt.rules.kit.cards import bulls

Plan = Mapping[Hashable, Sequence[float]]
"""For each thing that a seat can know when it is asked: how likely it does what."""


class Node(Protocol):
    """A position of any game of two seats in which one wins what the other loses."""

    def chances(self) -> Sequence[tuple[float, Node]]:
        """What may happen by itself, and how likely; nothing if a seat decides or all is over."""

    def seat(self) -> int: ...

    def knows(self) -> Hashable:
        """All that the seat to decide knows: positions that it cannot tell apart know the same."""

    def actions(self) -> Sequence[Any]:
        """Nothing if all is over."""

    def after(self, action: Any) -> Node: ...

    def value(self) -> float:
        """What seat 0 has won, when all is over."""


# -- solving ----------------------------------------------------------------------------------------------------


@dataclass
class Solver:
    """Counterfactual regret, never below nothing, and averages that weigh later rounds more (CFR+)."""

    root: Node
    regrets: dict[Hashable, list[float]] = field(default_factory=dict)
    sums: dict[Hashable, list[float]] = field(default_factory=dict)
    rounds: int = 0

    def run(self, rounds: int) -> Solver:
        for _ in range(rounds):
            self.rounds += 1
            for seat in range(2):
                news: dict[Hashable, list[float]] = {}
                self._walk(self.root, seat, 1.0, news)
                for known, changes in news.items():
                    before = self.regrets[known]
                    self.regrets[known] = [max(0.0, one + other) for one, other in zip(before, changes, strict=True)]
        return self

    def plan(self) -> dict[Hashable, list[float]]:
        """The average, which comes closer and closer to an equilibrium."""
        return {known: share(numbers) for known, numbers in self.sums.items()}

    def _walk(self, node: Node, learner: int, others: float, news: dict[Hashable, list[float]]) -> float:
        """What the learner may expect; what it regrets is new. `others` is how likely all but the learner lead here."""
        if chances := node.chances():
            return sum(chance * self._walk(child, learner, others * chance, news) for chance, child in chances)
        actions = node.actions()
        if not actions:
            return node.value() if learner == 0 else -node.value()
        known, nothing = node.knows(), [0.0] * len(actions)
        mix = share(self.regrets.setdefault(known, nothing))
        if node.seat() != learner:
            sums = self.sums.setdefault(known, nothing.copy())
            for i, part in enumerate(mix):
                sums[i] += self.rounds * others * part
            pairs = zip(actions, mix, strict=True)
            return sum(part * self._walk(node.after(one), learner, others * part, news) for one, part in pairs if part)
        values = [self._walk(node.after(action), learner, others, news) for action in actions]
        expected = sum(part * value for part, value in zip(mix, values, strict=True))
        changes = news.setdefault(known, nothing.copy())
        for i, value in enumerate(values):
            changes[i] += others * (value - expected)
        return expected


def share(numbers: Sequence[float]) -> list[float]:
    """Each number's part of all; equal parts if there is nothing."""
    total = sum(numbers)
    return [number / total for number in numbers] if total > 0 else [1 / len(numbers)] * len(numbers)


def best_response(root: Node, plan: Plan, seat: int) -> float:
    """What this seat can expect at best against the other's plan."""
    places: dict[Hashable, list[tuple[Node, float]]] = {}
    best: dict[Hashable, int] = {}

    def gather(node: Node, others: float) -> None:
        for chance, child in node.chances():
            gather(child, others * chance)
        if node.chances() or not (actions := node.actions()):
            return
        if node.seat() == seat:
            places.setdefault(node.knows(), []).append((node, others))
        for i, action in enumerate(actions):
            gather(node.after(action), others * (1 if node.seat() == seat else mix_of(plan, node)[i]))

    def value(node: Node) -> float:
        if chances := node.chances():
            return sum(chance * value(child) for chance, child in chances)
        actions = node.actions()
        if not actions:
            return node.value() if seat == 0 else -node.value()
        if node.seat() == seat:
            return value(node.after(actions[choice(node)]))
        pairs = zip(actions, mix_of(plan, node), strict=True)
        return sum(part * value(node.after(action)) for action, part in pairs if part)

    def choice(node: Node) -> int:
        known = node.knows()
        if known not in best:
            worth = [
                sum(others * value(place.after(action)) for place, others in places[known] if others)
                for action in node.actions()
            ]
            best[known] = worth.index(max(worth))
        return best[known]

    gather(root, 1.0)
    return value(root)


def mix_of(plan: Plan, node: Node) -> Sequence[float]:
    """Equal parts where the plan says nothing."""
    return plan.get(node.knows()) or share([0.0] * len(node.actions()))


def exploitability(root: Node, plan: Plan) -> float:
    """What best responses of both seats win together: 0 in an equilibrium."""
    return best_response(root, plan, 0) + best_response(root, plan, 1)


# -- small decks ------------------------------------------------------------------------------------------------


class Size(NamedTuple):
    cards: int = 7
    hand: int = 2
    rows: int = 1
    limit: int = 3
    """A row has so many places: the next card takes it."""


class SmallSix(NamedTuple):
    """A deal of 6 nimmt! for two, by the rules 1 to 4, on the first cards of the deck."""

    size: Size
    rows: tuple[tuple[int, ...], ...] = ()
    hands: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    chosen: int | None = None
    """The secret choice of seat 0, while seat 1 has not chosen yet."""
    queue: tuple[tuple[int, int], ...] = ()
    """Cards still to be placed, the lowest first, and whose they are."""
    taken: tuple[int, int] = (0, 0)
    seen: tuple[Any, ...] = ()
    """What both have seen: cards of each turn, and rows that were chosen."""

    def chances(self) -> Sequence[tuple[float, SmallSix]]:
        if self.rows:
            return ()
        deals = list(self._deals())
        return [(1 / len(deals), deal) for deal in deals]

    def _deals(self) -> Iterator[SmallSix]:
        deck = range(1, self.size.cards + 1)
        for starts in combinations(deck, self.size.rows):
            rest = [card for card in deck if card not in starts]
            for one in combinations(rest, self.size.hand):
                for two in combinations([card for card in rest if card not in one], self.size.hand):
                    yield self._replace(rows=tuple((card,) for card in starts), hands=(one, two))

    def seat(self) -> int:
        return self.queue[0][1] if self.queue else 0 if self.chosen is None else 1

    def knows(self) -> Hashable:
        seat = self.seat()
        return seat, self.hands[seat], self.rows, self.queue, self.taken, self.seen

    def actions(self) -> Sequence[int]:
        """Rows from 0 if the next card fits none, else cards."""
        return range(len(self.rows)) if self.queue else self.hands[self.seat()]

    def after(self, action: int) -> SmallSix:
        if self.queue:
            (card, seat), rest = self.queue[0], self.queue[1:]
            taken = self._take(action, card, seat)
            return taken._replace(queue=rest, seen=(*self.seen, ("row", action)))._place()
        if self.chosen is None:
            return self._replace(chosen=action)
        plays = tuple(sorted([(self.chosen, 0), (action, 1)]))
        one, two = self.hands
        hands = tuple(c for c in one if c != self.chosen), tuple(c for c in two if c != action)
        return self._replace(hands=hands, chosen=None, queue=plays, seen=(*self.seen, plays))._place()

    def _place(self) -> SmallSix:
        """Place cards until one fits no row, or all lie."""
        node = self
        while node.queue:
            card, seat = node.queue[0]
            fitting = [(row[-1], number) for number, row in enumerate(node.rows) if row[-1] < card]
            if not fitting:
                return node
            number = max(fitting)[1]
            if len(node.rows[number]) >= node.size.limit:
                node = node._take(number, card, seat)
            else:
                node = node._with_row(number, (*node.rows[number], card))
            node = node._replace(queue=node.queue[1:])
        return node

    def _take(self, number: int, card: int, seat: int) -> SmallSix:
        loot = bulls(self.rows[number])
        taken = (self.taken[0] + loot, self.taken[1]) if seat == 0 else (self.taken[0], self.taken[1] + loot)
        return self._with_row(number, (card,))._replace(taken=taken)

    def _with_row(self, number: int, row: tuple[int, ...]) -> SmallSix:
        return self._replace(rows=(*self.rows[:number], row, *self.rows[number + 1 :]))

    def value(self) -> float:
        return self.taken[1] - self.taken[0]


# -- the command ------------------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cards", type=int, default=7)
    parser.add_argument("--hand", type=int, default=2)
    parser.add_argument("--rows", type=int, default=1)
    parser.add_argument("--limit", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=200)
    args = parser.parse_args()
    root = SmallSix(Size(args.cards, args.hand, args.rows, args.limit))
    print(f"any card: exploitability {exploitability(root, {}):.4f} bulls a deal", flush=True)
    solver = Solver(root)
    for _ in range(10):
        solver.run(max(1, args.rounds // 10))
        print(f"{solver.rounds:6} rounds of CFR+: {exploitability(root, solver.plan()):.4f}", flush=True)


if __name__ == "__main__":
    main()
