"""Game theory on games small enough to be written down as a whole tree: best responses, exploitability, equilibria.

    >>> from nimmt.theory import Tree, small_six, solve
    >>> tree = Tree("six", small_six(rows=[[10], [20], [30], [40]], unseen=[5, 15, 25, 35], hand=2))
    >>> solution = solve(tree, iterations=500)

`docs/theory.md` tells more.
"""

from nimmt.theory.solver import Solution, best_response, exploitability, solve, strategy_of, uniform
from nimmt.theory.tree import TooLarge, Tree, small_six

__all__ = [
    "Solution",
    "TooLarge",
    "Tree",
    "best_response",
    "exploitability",
    "small_six",
    "solve",
    "strategy_of",
    "uniform",
]
