"""Batched environments do what the rules do: the same is seen, legal and gained in the same play by the rules."""

import copy
import pickle

import numpy as np
import pytest

from nimmt.envs.batched import IllegalActions, batch
from nimmt.envs.table import Mirror
from nimmt.rules import registry
from nimmt.rules.game import RulesError
from nimmt.testing.conformance import all_cases

CASES = [case for case in all_cases() if case.seats in (case.game.min_seats, 3, case.game.max_seats)]
GAMES = registry.OURS
TABLES = 2


def choose(masks, rng):
    """Any legal action; low numbers, which lay cards in 11 nimmt!, more often, so that rounds come to their end."""
    chance = rng.random(masks.shape, dtype=np.float32)
    return (masks * (chance + np.linspace(2, 1, masks.shape[-1]))).argmax(-1)


def compare_seen(env, mirror, observations):
    """What all seats of a table see, part by part."""
    for seat in range(env.seats):
        seen, expected = observations[mirror.table, seat], mirror.observation(seat)
        wrong = {
            name: (seen[part], expected[part])
            for name, part in env.codec.layout.items()
            if not np.array_equal(seen[part], expected[part])
        }
        assert wrong == {}, f"table {mirror.table}, seat {seat}"


def compare(env, mirrors):
    for mirror in mirrors:
        compare_seen(env, mirror, env.observations)
        for seat in range(env.seats):
            assert np.array_equal(env.masks[mirror.table, seat], mirror.mask(seat)), (mirror.table, seat)


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
                compare_seen(env, mirror, env.final_observations)
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


def memory(env):
    """All that a batch consists of."""
    return [array.copy() for array in (*env._flat, *env._shown)]


def is_as_it_was(env, before):
    return all(np.array_equal(a, b) for a, b in zip(before, memory(env), strict=True))


def test_an_illegal_action_changes_nothing_anywhere():
    env = batch("six", 5, seed=1)
    _, masks = env.reset()
    actions = choose(masks, np.random.default_rng(1))
    before = memory(env)
    for wrong in (env.noop, -1, 9999, 2**64 - 1):
        bad = actions.astype(np.uint64) if wrong > 9999 else actions.copy()
        bad[3, 2] = wrong
        with pytest.raises(IllegalActions, match=f"Table 3, seat 2: {wrong} is not legal") as error:
            env.step(bad)
        assert (error.value.table, error.value.seat, error.value.action) == (3, 2, wrong)
        assert error.value.code == "wrong_action"
        assert is_as_it_was(env, before)
    env.step(actions)


def test_what_is_written_into_a_mask_makes_nothing_legal():
    """The mask is the agent's: it may be used for notes, and the table knows what is legal."""
    env = batch("six", 2, seed=1)
    _, masks = env.reset()
    wrong = masks.argmin(-1)
    masks[:] = 1
    with pytest.raises(IllegalActions) as error:
        env.step(wrong)
    assert error.value.code == "wrong_action"


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


@pytest.mark.parametrize(
    ("kind", "code", "settings"),
    [
        (RulesError, "unknown_game", {"game": "seven"}),
        (RulesError, "invalid_options", {"seats": 11}),
        (RulesError, "invalid_options", {"variant": "colourful"}),
        (RulesError, "invalid_options", {"options": {"colour": "red"}}),
        (RulesError, "invalid_options", {"options": 3}),
        (RulesError, "invalid_options", {"options": {"target": 30}}),  # has no effect on one deal
        (RulesError, "invalid_options", {"options": registry.get("x").options_type()}),
        (ValueError, "out_of_range", {"tables": 0}),
        (ValueError, "out_of_range", {"tables": 2**30}),
        (ValueError, "out_of_range", {"history": -1}),
        (ValueError, "out_of_range", {"seed": -1}),
        (ValueError, "no_effect", {"game": "eleven", "cards_only": True}),
        (TypeError, "wrong_type", {"tables": 1.5}),
        (TypeError, "wrong_type", {"tables": True}),
        (TypeError, "wrong_type", {"seats": "4"}),
        (TypeError, "wrong_type", {"seed": 1.5}),
        (TypeError, "wrong_type", {"single": "no"}),
    ],
)
def test_what_makes_no_sense_is_refused(kind, code, settings):
    with pytest.raises(kind) as error:
        batch(**{"game": "six", **settings})
    assert error.value.code == code


def test_actions_of_a_wrong_kind_or_shape_are_refused():
    env = batch("six", 2, seed=1)
    actions = env.reset()[1].argmax(-1)
    before = memory(env)
    for wrong in (actions.astype(float), actions.astype(bool), actions.astype(object), actions.astype(str)):
        with pytest.raises(TypeError, match="must be whole numbers") as error:
            env.step(wrong)
        assert error.value.code == "wrong_type"
    for wrong in (actions[0], actions.T, actions[:, :3], None, [[1, 2], [3]]):
        with pytest.raises(ValueError, match="must have the shape") as error:
            env.step(wrong)
        assert error.value.code == "wrong_shape"
    assert is_as_it_was(env, before)
    env.step(actions.astype(np.int8).tolist())


def test_suggestions_stay_inside_the_array_that_is_given():
    env = batch("six", 3, seed=1)
    env.reset()
    for out in (np.zeros((1, 2), np.int64), np.zeros((3, 4), np.int32), [[0] * 4] * 3):
        with pytest.raises(ValueError, match="out must be"):
            env.suggest("greedy", out)
    with pytest.raises(TypeError, match="policy must be"):
        env.suggest(3)
    out = np.zeros((3, 4), np.int64)
    assert env.suggest("greedy", out) is out


def test_a_seed_that_is_refused_changes_nothing():
    env = batch("six", 2, seed=1)
    env.reset()
    before = memory(env)
    for seed in (-1, 2**64, "1", True):
        with pytest.raises(ValueError, match="seed must be"):
            env.reset(seed)
    assert env.seed == 1
    assert is_as_it_was(env, before)


def test_nothing_is_played_before_a_reset_or_after_the_close():
    env = batch("six", 2)
    for play in (lambda: env.step(np.zeros((2, 4), int)), lambda: env.suggest("greedy")):
        with pytest.raises(RuntimeError, match="reset") as error:
            play()
        assert error.value.code == "not_reset"
    env.reset()
    env.close()
    for play in (env.reset, lambda: env.step(env.masks.argmax(-1)), lambda: env.suggest("greedy")):
        with pytest.raises(RuntimeError, match="closed") as error:
            play()
        assert error.value.code == "closed"


def test_two_batches_do_not_disturb_each_other():
    alone, *pair = (batch("six", 2, seed=5) for _ in range(3))
    for env in (alone, *pair):
        env.reset()
    for _ in range(12):
        alone.step(alone.masks.argmax(-1))
    for _ in range(12):
        for env in pair:
            env.step(env.masks.argmax(-1))
    assert all(is_as_it_was(env, memory(alone)) for env in pair)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_plays_on_as_the_original_does(duplicate):
    """For searches that try something out, for processes, and for runs that are saved."""
    env = batch("six", 2, seed=5, history=3)
    env.reset()
    env.step(env.suggest("greedy"))
    twin, before = duplicate(env), memory(env)
    for _ in range(25):
        twin.step(twin.suggest("random"))
    assert is_as_it_was(env, before)
    for _ in range(25):
        env.step(env.suggest("random"))
    assert is_as_it_was(env, memory(twin))


# -- Gymnasium --------------------------------------------------------------------------------------------------


gymnasium = pytest.importorskip("gymnasium")

from nimmt.envs import vector  # noqa: E402


@pytest.mark.parametrize("opponents", [None, "greedy", ["greedy", "random"]])
def test_a_vector_environment_for_gymnasium(opponents):
    env, rng = vector("six", 6, 3, opponents=opponents, seed=2, cards_only=True), np.random.default_rng(1)
    obs, infos = env.reset(seed=4)
    assert env.num_envs == (18 if opponents is None else 6)
    for _ in range(10):
        assert env.observation_space.contains(obs)
        actions = choose(infos["action_mask"], rng)
        assert env.action_space.contains(actions)
        obs, rewards, done, truncated, infos = env.step(actions)
        assert rewards.shape == done.shape == truncated.shape == (env.num_envs,)
    assert done.all()
    told = infos["final_info"]
    assert told["points"].shape == told["won"].shape == (env.num_envs,)
    assert told["_points"].all()
    assert all(env.single_observation_space.contains(seen) for seen in infos["final_obs"])
    assert (np.stack(infos["final_obs"])[:, env.batch.layout["hand_size"]] == 0).all()
    assert (obs[:, env.batch.layout["hand_size"]] == 1).all()


def test_gymnasium_counts_episodes_as_the_points_do():
    """Its own wrapper understands when episodes end, and what they were worth."""
    env = gymnasium.wrappers.vector.RecordEpisodeStatistics(vector("six", 4, 3, seed=2, cards_only=True))
    _, infos = env.reset()
    for turn in range(1, 21):
        _, _, _, _, infos = env.step(infos["action_mask"].argmax(-1))
        assert ("episode" in infos) == (turn % 10 == 0)
        if turn % 10 == 0:
            assert infos["episode"]["r"].tolist() == (-infos["final_info"]["points"]).tolist()
            assert infos["episode"]["l"].tolist() == [10] * 12


def test_what_a_vector_environment_refuses():
    for settings in ({"opponents": "nobody"}, {"opponents": ["greedy"]}, {"auto_reset": False}):
        with pytest.raises(ValueError):
            vector("six", 2, 4, **settings)
    env = vector("six", 2, 4, opponents="random", seed=1)
    _, infos = env.reset()
    actions = infos["action_mask"].argmax(-1)
    before = memory(env.batch)
    with pytest.raises(TypeError, match="whole numbers"):
        env.step(actions + 0.5)
    with pytest.raises(ValueError, match="shape"):
        env.step(actions[:, None])
    with pytest.raises(IllegalActions):
        env.step(actions * 0 - 1)
    with pytest.raises(ValueError, match="one seed"):
        env.reset(seed=[1, 2])
    assert is_as_it_was(env.batch, before)
    env.step(actions)
    env.close()
    with pytest.raises(RuntimeError, match="closed"):
        env.step(actions)
