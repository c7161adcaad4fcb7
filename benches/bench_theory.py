"""Exploitability of the bots in games small enough to be solved.

    python benches/bench_theory.py [--samples 40] [--iterations 500]

6 nimmt! for two seats with few cards, where all deals and actions form one tree (`nimmt.theory`). For each player it
prints the exploitability in bulls per round: what a best response wins on average. The equilibrium found by CFR is
listed for comparison. The search is told which cards are in play and optimizes bulls, not wins, as the tree does.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress, TaskID
from rich.table import Table

from nimmt.bots import get_bot
from nimmt.games.six.fast import FAST
from nimmt.games.six.search.levels import MASTER, situation_of, stakes_of
from nimmt.games.six.search.players import PRIOR, fitted, make_kinds
from nimmt.games.six.search.situation import Kinds, set_unplayed
from nimmt.games.six.search.think import think
from nimmt.rules.game import Action
from nimmt.theory import Tree, exploitability, small_six, solve, strategy_of, uniform
from nimmt.theory.solver import Choose

GAMES = {
    "2 cards of 6": ([[10, 11, 12, 13, 14], [20], [30, 31, 32, 33, 34], [40]], [5, 15, 17, 25, 35, 44], 2),
    "2 cards of 8": ([[8, 9, 22], [26, 27, 28, 29, 30], [50], [60, 61]], [3, 24, 31, 33, 45, 52, 55, 70], 2),
    "3 cards of 7": ([[10, 11, 12, 13], [20, 21, 22, 23, 24], [50], [80, 81, 82]], [9, 14, 16, 27, 29, 55, 84], 3),
}
ONLY_BULLS = 1000.0
"""Weight of a bull, relative to the chance to win."""


def searching(kinds: Kinds, unseen: Sequence[int]) -> Choose:
    """The Master's search, told that only these cards were dealt."""

    def choose(view: Any, legal: Sequence[Action], rng: Random) -> Action:
        seed = rng.getrandbits(62)
        if len(legal) == 1:
            return legal[0]
        now = situation_of(view)
        unplayed = [card for card in unseen if card in set(now.pool.tolist()) | set(now.hand.tolist())]
        set_unplayed(now.flat, unplayed)
        pool = np.array([card for card in unplayed if card not in now.hand], np.int64)
        codes = np.array([FAST.encode(action) for action in legal], np.int64)
        code, _ = think(now._replace(pool=pool), stakes_of(view.table, ONLY_BULLS), kinds, MASTER, codes, seed)
        return FAST.decode(view, now.seat, code)

    return choose


def told(progress: Progress, task: TaskID, done: int) -> None:
    progress.update(task, completed=done + 1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--samples", type=int, default=40, help="how often the Master is asked at each place")
    parser.add_argument("--iterations", type=int, default=500)
    args = parser.parse_args()
    table = Table("game", "nodes", "places", "any card", "greedy", "Master", f"CFR, {args.iterations} iterations")
    for column in table.columns[1:]:
        column.justify = "right"
    kinds = make_kinds(fitted(), PRIOR, "master")
    with Progress() as progress:
        for name, (rows, unseen, hand) in GAMES.items():
            tree = Tree("six", small_six(rows, unseen, hand))
            task = progress.add_task(name, total=len(tree.places))
            greedy = strategy_of(tree, get_bot("greedy", tree.game).choose)
            tell = partial(told, progress, task)
            master = strategy_of(tree, searching(kinds, unseen), args.samples, tell=tell)
            solution = solve(tree, args.iterations)
            found = [exploitability(tree, strategy) for strategy in (uniform(tree), greedy, master)]
            figures = [f"{figure:.2f}" for figure in found]
            table.add_row(name, f"{tree.nodes:,}", f"{len(tree.places):,}", *figures, f"{solution.exploitability:.4f}")
    Console().print(table)


if __name__ == "__main__":
    main()
