"""6 nimmt! in OpenSpiel: its own tests, nothing leaks, and small decks are worth what our own trees say."""

import importlib
import sys
from collections import Counter
from math import isclose
from random import Random

import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python import policy  # noqa: E402
from open_spiel.python.algorithms import exploitability  # noqa: E402

from nimmt import theory  # noqa: E402
from nimmt.bots import get_bot  # noqa: E402
from nimmt.envs.openspiel import GAMES  # noqa: E402
from nimmt.games.six.rules import SIX  # noqa: E402
from nimmt.rules.game import InvalidOptions  # noqa: E402
from nimmt.rules.kit.cards import HIGHEST  # noqa: E402

ROWS, CARDS = [[10, 11, 12, 13, 14], [20], [30, 31, 32, 33, 34], [40]], [5, 15, 25, 35, 44]
LYING = "|".join(" ".join(map(str, row)) for row in ROWS)
SMALL = f"nimmt_six(players=2,hand=2,rows={LYING},cards={' '.join(map(str, CARDS))})"
TURN_BASED = f"turn_based_simultaneous_game(game={SMALL})"
WHOLE = ["nimmt_six(players=2)", "nimmt_six(players=3,rounds=2)", "nimmt_six(variant=all-fans)"]
DRAFT = "nimmt_six(players=2,variant=draft)"


@pytest.fixture(scope="module")
def api_test():
    """All other processes that collect these tests need not load it."""
    return importlib.import_module("open_spiel.integration_tests.api_test")


@pytest.fixture(scope="module")
def games_sim_test():
    return importlib.import_module("open_spiel.python.tests.games_sim_test")


@pytest.fixture(scope="module")
def tree():
    return theory.Tree("six", theory.small_six(ROWS, CARDS, hand=2))


def inner_tests(base, name, game):
    """OpenSpiel's tests of a game, made as it makes them for its own."""
    case = type("Test", (base,), {"game_name": name, "game": pyspiel.load_game(game)})
    case.setUpClass()
    return [case(test) for test in dir(case) if test.startswith("test_")]


def some_states(name, seed, ends=False):
    """States of one random play, chance nodes left out."""
    rng, state = Random(seed), pyspiel.load_game(name).new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            cards, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(cards, chances)[0])
            continue
        yield state.clone()
        if state.is_simultaneous_node():
            players = range(state.get_game().num_players())
            state.apply_actions([rng.choice(state.legal_actions(player)) for player in players])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    if ends:
        yield state


# -- its own tests -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*WHOLE, DRAFT, SMALL, TURN_BASED])
def test_it_passes_the_simulations_of_openspiel(games_sim_test, name):
    assert GAMES == ("nimmt_six",)
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    games_sim_test.GamesSimTest("test_pig").sim_game(game)


@pytest.mark.parametrize("name", ["nimmt_six(players=2)", TURN_BASED])
def test_it_passes_the_api_test_of_openspiel(api_test, name):
    for test in inner_tests(api_test.EnforceAPIOnPartialTreeBase, "nimmt_six", name):
        test.debug()


def test_it_passes_the_api_test_of_openspiel_on_a_whole_tree(api_test, tree, monkeypatch):
    """It must find the nodes and places that our own tree has, and the chance nodes of the deal above them: 2 of 5
    cards in ascending order, and 2 of the other 3."""
    ends = tree.nodes - len({parent for level in tree.levels for parent in level.parents.tolist()})
    deal = 1 + 4 + 10 + 10 * 2
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, "nimmt_six", (deal, tree.nodes - ends, ends))
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, "nimmt_six", len(tree.places))
    for test in inner_tests(api_test.EnforceAPIOnFullTreeBase, "nimmt_six", TURN_BASED):
        test.debug()


# -- what it is worth --------------------------------------------------------------------------------------------------


def greedy_number(state):
    """What a greedy player does, as a number of OpenSpiel."""
    table, player = state.simultaneous_game_state(), state.current_player()
    now, game = table.now.state, table.get_game()
    view = SIX.view(now, player)
    return game.codec.encode(view, get_bot("greedy", SIX).choose(view, SIX.legal(now, player), Random(1)))


def test_a_small_deck_is_worth_what_our_tree_says(tree):
    """A best response wins as much against players who play anything, and against greedy ones."""
    game = pyspiel.load_game(TURN_BASED)
    greedy = policy.tabular_policy_from_callable(game, lambda state: {greedy_number(state): 1.0})
    ours = theory.uniform(tree), theory.strategy_of(tree, get_bot("greedy", SIX).choose)
    for one, other in zip((policy.UniformRandomPolicy(game), greedy), ours, strict=True):
        theirs = exploitability.exploitability(game, one)
        assert isclose(theirs, theory.exploitability(tree, other), abs_tol=1e-9)


def test_all_deals_are_equally_likely():
    chances = Counter()

    def deal(state, chance):
        if not state.is_chance_node():
            chances[state.information_state_string(0) + state.information_state_string(1)] += chance
            return
        for card, part in state.chance_outcomes():
            deal(state.child(card), chance * part)

    deal(pyspiel.load_game(SMALL).new_initial_state(), 1.0)
    assert len(chances) == 30
    assert all(isclose(chance, 1 / 30) for chance in chances.values())


@pytest.mark.parametrize("name", [*WHOLE, DRAFT])
def test_what_is_won_is_bulls_fewer_than_the_others(name):
    *_, end = some_states(name, seed=3, ends=True)
    scores = end.now.state.table.scores
    points = [sum(bulls[seat] for bulls in scores) for seat in range(len(scores[0]))]
    others = [(sum(points) - own) / (len(points) - 1) for own in points]
    assert end.returns() == [rest - own for rest, own in zip(others, points, strict=True)]
    assert sum(points) > 0


# -- secrets -----------------------------------------------------------------------------------------------------------


def dealt_anew(state, player, rng):
    """The same as this player knows it, with other cards in the hands of the others."""
    game, dealt = state.get_game(), state.now.rounds[-1][0]
    played = [play.card for turn in state.now.state.table.history.turns for play in turn]
    seen = {*dealt.hands[player], *dealt.starts, *played}
    rest = [card for card in range(1, HIGHEST + 1) if card not in seen]
    rng.shuffle(rest)
    other = game.new_initial_state()
    for seat, hand in enumerate(dealt.hands):
        known = hand if seat == player else [card for card in hand if card in seen]
        for card in sorted([*known, *(rest.pop() for _ in range(len(hand) - len(known)))]):
            other.apply_action(card - 1)
    for card in dealt.starts:
        other.apply_action(card - 1)
    for move in state.now.rounds[-1][1]:
        if None in move:
            other.apply_action(next(code for code in move if code is not None))
        else:
            other.apply_actions(list(move))
    return other


@pytest.mark.parametrize("name", ["nimmt_six(players=3)", "nimmt_six(players=2,variant=twist)"])
def test_nobody_sees_the_hands_of_others(name):
    rng, differ = Random(5), 0
    for state in some_states(name, seed=4):
        for player in range(state.get_game().num_players()):
            other = dealt_anew(state, player, rng)
            differ += other.now.state != state.now.state
            assert state.information_state_string(player) == other.information_state_string(player)
            assert state.information_state_tensor(player) == other.information_state_tensor(player)
            assert state.observation_string(player) == other.observation_string(player)
            assert state.observation_tensor(player) == other.observation_tensor(player)
    assert differ >= 18, "hidden cards were not dealt anew"


def test_the_hands_of_others_would_show():
    """The comparison above can fail: who asks for all hands sees them change."""
    game = pyspiel.load_game("nimmt_six(players=3)")
    all_hands = pyspiel.IIGObservationType(perfect_recall=True, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS)
    observer, state = game.make_py_observer(all_hands), next(iter(some_states("nimmt_six(players=3)", seed=4)))
    assert observer.string_from(state, 0) != observer.string_from(dealt_anew(state, 0, Random(5)), 0)


# -- parameters --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"hand": 3, "cards": "1 2 3 4 5"}, "not enough"),
        ({"hand": 0}, "from 1 to 10"),
        ({"rows": "1|2|3"}, "rows"),
        ({"hand": 2, "rounds": 2}, "one round"),
        ({"players": 11}, "2 to 10"),
        ({"variant": "chess"}, "chess"),
        ({"rounds": 0}, "rounds must be"),
        ({"players": 2, "hand": 2, "cards": "5 15 25 no"}, "no card 'no'"),
        ({"players": 2, "hand": 2, "cards": "5 15 25 105", "rows": "1|2|3|4"}, "no card '105'"),
        ({"players": 2, "hand": 2, "cards": "5 5 15 25", "rows": "1|2|3|4"}, "once"),
        ({"players": 2, "hand": 2, "cards": "4 5 15 25", "rows": "1|2|3|4"}, "lies in a row"),
        ({"players": 2, "hand": 2, "cards": "5 15 25 35", "rows": "1 6 7 8 9 10|2|3|4"}, "more than 5"),
    ],
)
def test_what_cannot_be_played_is_refused(given, told):
    with pytest.raises(InvalidOptions, match=told):
        pyspiel.load_game("nimmt_six", given)


def test_cards_that_lie_in_rows_are_not_dealt():
    state = pyspiel.load_game("nimmt_six", {"players": 2, "hand": 2, "rows": "1|20|30|104"}).new_initial_state()
    assert {1, 20, 30, 104}.isdisjoint(number + 1 for number, _ in state.chance_outcomes())


def test_it_says_what_it_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    for name in ("nimmt.envs.openspiel", "nimmt.games.six.openspiel"):
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ImportError, match=r"pip install 'nimmt\[openspiel\]'"):
        importlib.import_module("nimmt.envs.openspiel")
