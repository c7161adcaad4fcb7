"""The solver finds equilibria that are known, and its small decks go by the rules of the game."""

import importlib.util
import sys
from itertools import permutations
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from nimmt.games.six.placing import Board, place, take
from nimmt.games.six.rules import pieces
from nimmt.games.six.types import Markers, Play
from nimmt.rules.kit.cards import bulls

PATH = Path(__file__).resolve().parents[2] / "training" / "small_decks.py"
SPEC = importlib.util.spec_from_file_location("small_decks", PATH)
small = importlib.util.module_from_spec(SPEC)
sys.modules["small_decks"] = small
SPEC.loader.exec_module(small)


class Kuhn(NamedTuple):
    """Poker with three cards: what it is worth is known, -1/18 for who begins."""

    cards: tuple[int, ...] = ()
    bets: str = ""

    def chances(self):
        return () if self.cards else [(1 / 6, Kuhn(cards)) for cards in permutations(range(3), 2)]

    def seat(self):
        return len(self.bets) % 2

    def knows(self):
        return self.cards[self.seat()], self.bets

    def actions(self):
        return () if self.bets in ("pp", "bb", "bp", "pbb", "pbp") else ("p", "b")

    def after(self, action):
        return Kuhn(self.cards, self.bets + action)

    def value(self):
        higher = 1 if self.cards[0] > self.cards[1] else -1
        return {"pp": higher, "bb": 2 * higher, "pbb": 2 * higher, "bp": 1, "pbp": -1}[self.bets]


class Pennies(NamedTuple):
    """Matching pennies, paid threefold for heads: heads must be shown in two cases of five."""

    shown: tuple[str, ...] = ()

    def chances(self):
        return ()

    def seat(self):
        return len(self.shown)

    def knows(self):
        return len(self.shown)

    def actions(self):
        return () if len(self.shown) == 2 else ("heads", "tails")

    def after(self, action):
        return Pennies((*self.shown, action))

    def value(self):
        if self.shown[0] != self.shown[1]:
            return -1
        return 2 if self.shown[0] == "heads" else 1


def test_a_known_equilibrium_without_chance():
    plan = small.Solver(Pennies()).run(2000).plan()
    assert plan[0] == pytest.approx([0.4, 0.6], abs=0.02)
    assert plan[1] == pytest.approx([0.4, 0.6], abs=0.02)
    assert small.exploitability(Pennies(), plan) < 0.02


def test_the_known_value_of_kuhn_poker():
    root = Kuhn()
    plan = small.Solver(root).run(600).plan()
    assert small.exploitability(root, plan) < 0.02
    assert small.best_response(root, plan, 0) == pytest.approx(-1 / 18, abs=0.02)
    assert small.exploitability(root, {}) == pytest.approx(0.9167, abs=0.001)  # any action: known as 11/12


def test_an_equilibrium_of_a_small_deck_cannot_be_beaten():
    root = small.SmallSix(small.Size(cards=6, hand=2, rows=1, limit=2))
    plan = small.Solver(root).run(60).plan()
    assert small.exploitability(root, plan) < small.exploitability(root, {}) / 10
    assert small.exploitability(root, plan) >= -1e-9


def test_small_decks_go_by_the_rules():
    """Full rows aside, which are shorter: cards lie and take as in the game itself."""
    rng, size = Random(1), small.Size(cards=24, hand=4, rows=4, limit=5)
    for _ in range(60):
        deck = rng.sample(range(1, 25), 12)
        node = small.SmallSix(size, tuple((card,) for card in deck[:4]), (tuple(deck[4:8]), tuple(deck[8:])))
        board, scores = Board(node.rows, Markers()), [0, 0]
        while node.actions():
            if node.queue:
                (card, seat), row = node.queue[0], rng.randrange(4)
                scores[seat] += bulls(node.rows[row])
                take(pieces(()), board, seat, card, row + 1, "too-low")
                rest, node = node.queue[1:], node.after(row)
            else:
                one, two = (rng.choice(hand) for hand in node.hands)
                node = node.after(one).after(two)
                rest = tuple(sorted([(one, 0), (two, 1)]))
            for card, seat in rest:
                before = sum(map(bulls, board.rows))
                if not place(pieces(()), board, Play(seat, card)):
                    break
                scores[seat] += before + bulls((card,)) - sum(map(bulls, board.rows))
            assert tuple(map(tuple, board.rows)) == node.rows
            assert tuple(scores) == node.taken
