"""Small games solved as a whole: what CFR finds can be checked by hand, and nobody wins against an equilibrium."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from nimmt.bots import get_bot
from nimmt.fast.arguments import InvalidArgument
from nimmt.games.six.position import table_position
from nimmt.games.six.types import Options, PlayCard
from nimmt.rules import registry
from nimmt.rules.game import IllegalAction, InvalidPosition, Value
from nimmt.theory import TooLarge, Tree, best_response, exploitability, small_six, solve, strategy_of, uniform

PAGE = Path(__file__).resolve().parents[2] / "docs" / "theory.md"
SIX = registry.get("six")
ROWS = [[10, 11, 12, 13, 14], [20], [30, 31, 32, 33, 34], [40]]
UNSEEN = [5, 15, 25, 35, 44]


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree("six", small_six(ROWS, UNSEEN, 2))


def played(state: Value, *moves: tuple[int, int]) -> float:
    """How many bulls the first seat is better off when cards are played in this order, two at a time."""
    for seat, card in moves:
        (action,) = [one for one in SIX.legal(state, seat) if getattr(one, "card", None) == card]
        state, _ = SIX.apply(state, seat, action)
    outcome = SIX.outcome(state)
    assert outcome is not None
    return float(outcome.points[1] - outcome.points[0])


def test_a_game_that_can_be_solved_by_hand() -> None:
    """Two cards each, all known, none too low: a matrix of two by two, as in any book."""
    rows = [[1], [10, 11, 12, 13], [20, 21, 22, 23], [60]]
    state = table_position(rows, [[15, 25], [16, 26]], options=Options(rounds=1))
    matrix = np.zeros((2, 2))
    for (i, mine), (j, theirs) in product(enumerate((15, 25)), enumerate((16, 26))):
        matrix[i, j] = played(state, (0, mine), (1, theirs), (0, 40 - mine), (1, 42 - theirs))
    lower, upper = matrix.min(axis=1).max(), matrix.max(axis=0).min()
    if lower == upper:
        value = lower
    else:
        (a, b), (c, d) = matrix
        value = (a * d - b * c) / (a + d - b - c)
    assert len(set(matrix.ravel())) > 1  # it matters what is played
    assert solve(Tree(SIX, [state]), 2000).value == pytest.approx(value, abs=0.01)


def test_nobody_wins_against_the_equilibrium(tree: Tree) -> None:
    solution = solve(tree, 300)
    assert solution.exploitability < 0.005
    assert solution.value == pytest.approx(0, abs=0.005)  # both seats have the same deals
    assert [figure for _, figure in solution.curve] == sorted((figure for _, figure in solution.curve), reverse=True)


def test_a_best_response_is_at_least_as_good_as_anything_else(tree: Tree) -> None:
    greedy = strategy_of(tree, get_bot("greedy", SIX).choose)
    for strategy in (uniform(tree), greedy, solve(tree, 20).strategy):
        assert best_response(tree, strategy, 0) >= -1e-9  # it could play the same, and the game is fair
        assert exploitability(tree, strategy) >= -1e-9
    assert exploitability(tree, uniform(tree)) > exploitability(tree, greedy) > 0.1


def test_a_seat_knows_its_cards_and_no_others(tree: Tree) -> None:
    """Deals that differ in hidden cards only are one place: a strategy cannot look through the backs."""
    first = [place for place in tree.places if place.depth == 0]
    assert len(tree.roots) == 30
    assert len(first) == 10  # hands of two of five cards
    answers = [place for place in tree.places if place.depth == 1]
    assert len(answers) == 10  # and the second seat does not see what the first has chosen
    for place in (*first, *answers):
        assert SIX.unseen(place.view)


def test_a_strategy_is_a_chance_for_every_action(tree: Tree) -> None:
    strategy = strategy_of(tree, get_bot("random", SIX).choose, samples=3, seed=Random(1).getrandbits(30))
    for place in tree.places:
        assert strategy[place.first : place.first + len(place.actions)].sum() == pytest.approx(1)


def test_what_is_too_large_or_too_small_is_refused() -> None:
    with pytest.raises(TooLarge) as error:
        Tree("six", small_six(ROWS, UNSEEN, 2), max_nodes=100)
    assert error.value.code == "too_large"
    for unseen, hand in ((UNSEEN, 3), ([5, 5, 15, 15], 2), ([10, 5, 15, 25], 2)):
        with pytest.raises(InvalidPosition):
            small_six(ROWS, unseen, hand)
    with pytest.raises(ValueError, match="hand must be 1 or more"):
        small_six(ROWS, UNSEEN, 0)


def test_states_that_make_no_tree_are_refused() -> None:
    hands = [[5, 15], [25, 35], [44, 50]]
    three = table_position(ROWS, hands, options=Options(rounds=1))
    goes_on = table_position(ROWS, hands[:2], options=Options())
    not_dealt = SIX.setup(Options(rounds=1), 2)
    for states, told in (
        ([three], "two seats"),
        ([goes_on], "New cards"),
        ([not_dealt], "New cards"),
        ([], "one state"),
    ):
        with pytest.raises(InvalidPosition, match=told):
            Tree("six", states)


def test_what_is_no_strategy_is_refused(tree: Tree) -> None:
    fair = uniform(tree)
    assert exploitability(tree, fair.tolist()) == exploitability(tree, fair)
    for strategy in (fair[:-1], np.zeros(tree.slots), 2 * fair, fair * np.nan, -fair, "greedy"):
        with pytest.raises(ValueError, match=r"strategy|chances") as error:
            exploitability(tree, strategy)  # type: ignore[arg-type]
        assert isinstance(error.value, InvalidArgument)
    with pytest.raises(ValueError, match="seat must be 0 to 1"):
        best_response(tree, fair, 2)
    with pytest.raises(ValueError, match="iterations must be 1 or more"):
        solve(tree, 0)
    with pytest.raises(ValueError, match="samples must be 1 or more"):
        strategy_of(tree, get_bot("greedy", SIX).choose, samples=0)
    with pytest.raises(IllegalAction, match="none of the legal"):
        strategy_of(tree, lambda view, legal, rng: PlayCard(1))


def test_the_example_of_the_page_runs() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    exec(code, {})  # noqa: S102
