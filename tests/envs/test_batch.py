"""Batched environments do what the rules do: the same is seen, legal and gained in the same play by the rules."""

import numpy as np
import pytest

from nimmt.envs.batched import IllegalActions, batch
from nimmt.envs.table import Mirror
from nimmt.rules import registry
from nimmt.rules.game import InvalidOptions
from nimmt.testing.conformance import all_cases

CASES = [case for case in all_cases() if case.seats in (case.game.min_seats, 3, case.game.max_seats)]
GAMES = registry.OURS
TABLES = 2


def choose(masks, rng):
    """Any legal action; low numbers, which lay cards in 11 nimmt!, more often, so that rounds come to their end."""
    chance = rng.random(masks.shape, dtype=np.float32)
    return (masks * (chance + np.linspace(2, 1, masks.shape[-1]))).argmax(-1)


def compare(env, mirrors, rewards=None):
    for table, mirror in enumerate(mirrors):
        for seat in range(env.seats):
            where = f"table {table}, seat {seat}"
            seen = env.observations[table, seat, : env.codec.size]
            expected = mirror.observation(seat)
            parts = [name for name, part in env.codec.layout.items() if not np.array_equal(seen[part], expected[part])]
            assert parts == [], f"{where}: {[(n, seen[env.layout[n]], expected[env.layout[n]]) for n in parts]}"
            assert np.array_equal(env.masks[table, seat], mirror.mask(seat)), where


def play_both(env, matches, seed):
    """The same through kernels and rules, until so many matches have come to their end."""
    rng = np.random.default_rng(seed)
    env.reset()
    mirrors = [Mirror(env, table) for table in range(env.tables)]
    for mirror in mirrors:
        mirror.begin()
    compare(env, mirrors)
    while matches > 0:
        actions = choose(env.masks, rng)
        before = [mirror.gained() for mirror in mirrors]
        env.step(actions)
        for table, mirror in enumerate(mirrors):
            mirror.follow(actions[table])
            gains = np.subtract(mirror.gained(), before[table])
            assert env.rewards[table].tolist() == gains.tolist()
            outcome = env.game.outcome(mirror.state)
            assert env.done[table] == (outcome is not None)
            if outcome is not None:
                assert env.points[table].tolist() == list(outcome.points)
                assert np.flatnonzero(env.won[table]).tolist() == list(outcome.winners)
                matches -= 1
                mirror.begin()
        compare(env, mirrors)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_batch_plays_by_the_rules(case):
    env = batch(case.game.id, TABLES, case.seats, seed=case.seats, variant=case.variant, history=3)
    play_both(env, 1, 7)


@pytest.mark.parametrize(
    ("game", "settings"),
    [
        ("six", {"options": {"target": 20}}),
        ("six", {"variant": "draft", "options": {"target": 10}}),
        ("x", {"options": {"rounds": 2}}),
        ("eleven", {"options": {"rounds": 3, "starter": 1}}),
        ("baron", {"variant": "bulls-are-good", "options": {"games": 2}}),
    ],
)
def test_whole_matches_go_by_the_rules(game, settings):
    """Who begins, what is carried over and when a match ends."""
    env = batch(game, TABLES, 3, seed=4, single=False, **settings)
    play_both(env, 1, 3)


# -- seeds ------------------------------------------------------------------------------------------------------


def some_steps(env, steps, seed):
    rng = np.random.default_rng(seed)
    env.reset()
    return [array.copy() for _ in range(steps) for array in env.step(choose(env.masks, rng))]


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_play(game):
    first, second, third = (some_steps(batch(game, 4, 3, seed=seed), 12, 1) for seed in (5, 5, 6))
    assert all(map(np.array_equal, first, second))
    assert not all(map(np.array_equal, first, third))


def test_tables_do_not_depend_on_how_many_there_are():
    """Each has chance of its own: the first tables of many are those of few."""
    few, many = batch("six", 2, seed=5), batch("six", 7, seed=5)
    assert np.array_equal(few.reset()[0], many.reset()[0][:2])


def test_a_reset_with_a_seed_begins_as_a_new_batch_does():
    env, other = batch("six", 3, seed=1), batch("six", 3, seed=9)
    some_steps(env, 30, 1)
    assert np.array_equal(env.reset(9)[0], other.reset()[0])
    assert env.seed == 9


def test_without_a_seed_there_is_a_fresh_one_which_is_told():
    one, other = batch("six"), batch("six")
    assert one.seed != other.seed
    assert np.array_equal(one.reset()[0], batch("six", seed=one.seed).reset()[0])


# -- arrays -----------------------------------------------------------------------------------------------------


def test_arrays_are_used_again():
    env = batch("six", 4, seed=1)
    obs, masks = env.reset()
    again = env.step(choose(masks, np.random.default_rng(1)))
    assert again[0] is obs
    assert again[1] is masks
    assert obs.shape == (4, 4, env.features)
    assert masks.shape == (4, 4, env.actions)
    assert all(array.flags.c_contiguous for array in again)


def test_finished_tables_begin_anew():
    env, rng = batch("six", 8, seed=1, cards_only=True), np.random.default_rng(1)
    env.reset()
    for turn in range(1, 31):
        env.step(choose(env.masks, rng))
        assert env.done.tolist() == [turn % 10 == 0] * 8
        if turn % 10 == 0:
            assert (env.observations[:, :, env.layout["hand_size"]] == 1).all()
            assert env.won.any(axis=1).all()


@pytest.mark.parametrize("game", ["six", "buffalo"])
def test_greedy_plays_the_rest_with_cards_only(game):
    """The greedy policy decides as the greedy bot does by the rules."""
    play_both(batch(game, 2, 3, seed=3, cards_only=True), 1, 3)


# -- refusals ---------------------------------------------------------------------------------------------------


def test_an_illegal_action_changes_nothing_anywhere():
    env = batch("six", 5, seed=1)
    _, masks = env.reset()
    actions = choose(masks, np.random.default_rng(1))
    before = [array.copy() for array in (*env._flat, *env._shown)]
    for wrong, code in ((env.noop, "wrong_action"), (-1, "wrong_action"), (9999, "wrong_action")):
        bad = actions.copy()
        bad[3, 2] = wrong
        with pytest.raises(IllegalActions, match="Table 3, seat 2") as error:
            env.step(bad)
        assert (error.value.table, error.value.seat, error.value.action) == (3, 2, wrong)
        assert error.value.code == code
        assert all(np.array_equal(a, b) for a, b in zip(before, (*env._flat, *env._shown), strict=True))
    env.step(actions)


def test_who_has_nothing_to_decide_can_only_wait():
    env = batch("eleven", 1, 3, seed=1)
    env.reset()
    waiting = env.masks[0, :, env.noop]
    assert waiting.sum() == 2
    assert (env.masks[0].sum(axis=1)[waiting == 1] == 1).all()
    actions = env.masks.argmax(-1)
    actions[0, int(waiting.argmax())] = 0
    with pytest.raises(IllegalActions) as error:
        env.step(actions)
    assert error.value.code == "not_your_turn"


def test_what_makes_no_sense_is_refused():
    with pytest.raises(InvalidOptions, match="2 to 10"):
        batch("six", seats=11)
    with pytest.raises(InvalidOptions, match="no option 'colour'"):
        batch("six", options={"colour": "red"})
    with pytest.raises(ValueError, match="tables must be"):
        batch("six", 0)
    with pytest.raises(ValueError, match="nobody decides at the same time"):
        batch("eleven", cards_only=True)
    with pytest.raises(ValueError, match="history"):
        batch("six", history=-1)
    env = batch("six", 2)
    with pytest.raises(RuntimeError, match="reset"):
        env.step(np.zeros((2, 4), int))
    env.reset()
    with pytest.raises(ValueError, match="shape"):
        env.step(np.zeros((2, 3), int))
    with pytest.raises(TypeError, match="whole numbers"):
        env.step(np.zeros((2, 4)))


# -- Gymnasium --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponents", [None, "greedy"])
def test_a_vector_environment_for_gymnasium(opponents):
    pytest.importorskip("gymnasium")
    from nimmt.envs import vector

    env, rng = vector("six", 6, 3, opponents=opponents, seed=2, cards_only=True), np.random.default_rng(1)
    obs, infos = env.reset(seed=4)
    assert env.num_envs == (18 if opponents is None else 6)
    for _ in range(10):
        assert env.observation_space.contains(obs)
        obs, rewards, done, truncated, infos = env.step(choose(infos["action_mask"], rng))
        assert rewards.shape == done.shape == truncated.shape == (env.num_envs,)
    assert done.all()
    assert infos["points"].shape == infos["won"].shape == (env.num_envs,)
