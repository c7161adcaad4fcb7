"""The environments pass PettingZoo's own tests, offer exactly what is legal, and pay exactly the points."""

import copy
import pickle
import warnings
from random import Random

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

from nimmt.envs import IllegalActions, ParallelGame, env, get_codec, parallel_env, raw_env
from nimmt.games.buffalo.env import FIRST_SORT, arranged, rank
from nimmt.games.buffalo.types import Withdraw
from nimmt.games.eleven.types import LayCard
from nimmt.rules import registry
from nimmt.testing.conformance import all_cases

CASES = all_cases()
LARGEST = {"buffalo-basic-1", "buffalo-basic-6", "six-basic-10", "eleven-basic-7"}
SOME = [case for case in CASES if case.seats == case.game.min_seats + 1 or case.id in LARGEST]
PARALLEL = [case for case in SOME if case.game.id != "eleven"]
NAMES = {"ids": lambda case: case.id}

# PettingZoo says so about every environment whose observations are dictionaries, as those with masks are.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
]


def make(case, maker=env, **settings):
    return maker(case.game.id, case.seats, variant=case.variant, **settings)


def state_of(game):
    """The position by the rules, which follow where positions are shown in words."""
    return game._table._mirror.state


def view_of(game, seat):
    return game._table.codec.game.view(state_of(game), seat)


def choose(mask, rng):
    return int(rng.choice(np.flatnonzero(mask)))


def episode(game, rng, seed=1):
    """Play to the end by masks; the sum of the rewards of each agent."""
    game.reset(seed=seed)
    sums = dict.fromkeys(game.possible_agents, 0)
    infos = {}
    for agent in game.agent_iter():
        observation, reward, termination, truncation, info = game.last()
        sums[agent] += reward
        if termination or truncation:
            infos[agent] = info
            game.step(None)
        else:
            game.step(choose(observation["action_mask"], rng))
    return sums, infos


# -- PettingZoo's own tests -------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", SOME, **NAMES)
def test_api(case):
    api_test(make(case), num_cycles=60)


@pytest.mark.parametrize("case", SOME, **NAMES)
def test_seed(case):
    seed_test(lambda: make(case), num_cycles=60)


@pytest.mark.parametrize("cards_only", [False, True])
@pytest.mark.parametrize("case", PARALLEL, **NAMES)
def test_parallel_api(case, cards_only):
    parallel_api_test(make(case, parallel_env, cards_only=cards_only), num_cycles=100)


@pytest.mark.filterwarnings("ignore")  # it samples without masks
@pytest.mark.parametrize("case", PARALLEL, **NAMES)
def test_parallel_seed(case):
    parallel_seed_test(lambda: make(case, parallel_env), num_cycles=20)


def test_whole_matches_pass_too():
    api_test(env("six", 2, single=False, target=20), num_cycles=300)
    parallel_api_test(parallel_env("x", 2, single=False), num_cycles=300)


# -- actions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", SOME, **NAMES)
def test_masks_offer_exactly_what_is_legal(case):
    game, rng = make(case, raw_env, render_mode="ansi"), Random(3)
    game.reset(seed=3)
    codec = game._table.codec
    for agent in game.agent_iter(150):
        observation, _, termination, _, _ = game.last()
        if termination:
            break
        mask, seat = observation["action_mask"], game.possible_agents.index(agent)
        view, legal = view_of(game, seat), case.game.legal(state_of(game), seat)
        offered = [codec.decode(view, int(number)) for number in np.flatnonzero(mask)]
        assert len(offered) == len(legal)
        assert set(offered) == set(legal)
        assert all(mask[codec.encode(view, action)] for action in legal[:50])
        game.step(choose(mask, rng))


def test_all_orders_have_a_number():
    present = (2, -1, 0, 1)
    orders = [arranged(present, place) for place in range(24)]
    assert orders[0] == present
    assert len(set(orders)) == 24
    assert [rank(present, order) for order in orders] == list(range(24))
    with pytest.raises(ValueError, match="no order 24"):
        arranged(present, 24)


@pytest.mark.parametrize("game", [game.id for game in registry.all_games()])
def test_a_codec_knows_no_other_numbers(game):
    codec = get_codec(game, None, 3)
    assert codec.actions == get_codec(registry.get(game), {}, 3).actions
    view = codec.game.view(codec.game.setup(codec.options, 3), 0)
    for number in (-1, codec.actions, True, 1.0):
        with pytest.raises(ValueError, match="number must be"):
            codec.decode(view, number)


def test_a_proposal_cannot_be_withdrawn_here():
    buffalo = registry.get("buffalo")
    codec = get_codec(buffalo, buffalo.options_type(), 3)
    with pytest.raises(ValueError, match="has no number"):
        codec.encode(buffalo.view(buffalo.setup(buffalo.options_type(), 3), 0), Withdraw())


def test_spaces_are_the_same_for_all_variants_and_seats():
    """But for the orders of the cards to be placed: the more seats, the more there are."""
    for game in registry.all_games():
        sizes = {make(case, raw_env).action_space("player_0").n for case in CASES if case.game is game}
        assert len(sizes) == (len({case.seats for case in CASES if case.game is game}) if game.id == "buffalo" else 1)


def test_piles_are_named_by_their_tops():
    eleven = registry.get("eleven")
    codec = get_codec(eleven, eleven.options_type(), 2)
    game = raw_env("eleven", 2, render_mode="ansi")
    game.reset(seed=0)
    view = view_of(game, 0)
    top = view.table.tops[0]
    number = codec.encode(view, LayCard(top % 100 + 1, 1))
    assert number == (top % 100) * 10
    assert codec.decode(view, number) == LayCard(top % 100 + 1, 1)
    with pytest.raises(ValueError, match="No pile has the top"):
        codec.decode(view, number + 5)


def test_an_illegal_action_raises_or_ends_the_episode():
    raw = raw_env("six", 2)
    raw.reset(seed=1)
    wrong = int(np.flatnonzero(raw.observe("player_0")["action_mask"] == 0)[0])
    with pytest.raises(IllegalActions, match="player_0 may not do") as error:
        raw.step(wrong)
    assert (error.value.code, error.value.action) == ("wrong_action", wrong)
    with pytest.raises(ValueError, match="None"):
        raw.step(None)
    wrapped = env("six", 2, illegal_reward=-7)
    wrapped.reset(seed=1)
    wrapped.last()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wrapped.step(wrong)
    assert wrapped.terminations == {"player_0": True, "player_1": True}
    assert wrapped.rewards["player_0"] == -7
    assert wrapped.infos == {"player_0": {"refused": "wrong_action"}, "player_1": {}}


def test_an_illegal_action_ends_a_parallel_episode():
    game = parallel_env("six", 2, illegal_reward=-7)
    observations, _ = game.reset(seed=1)
    right = int(np.flatnonzero(observations["player_1"]["action_mask"])[0])
    _, rewards, terminations, _, infos = game.step({"player_0": game.wait, "player_1": right})
    assert rewards == {"player_0": -7, "player_1": 0}
    assert infos == {"player_0": {"refused": "wrong_action"}, "player_1": {}}
    assert all(terminations.values())
    assert game.agents == []


@pytest.mark.parametrize("wrong", [0.5, 1.0, "1", True, [1], np.array([1])])
@pytest.mark.parametrize("maker", [raw_env, env, parallel_env])
def test_what_is_no_number_is_no_action(maker, wrong):
    """It is a mistake of the program, not a move: nothing changes, and no episode ends."""
    game = maker("six", 2)
    game.reset(seed=1)
    before = game.state()
    with pytest.raises(TypeError, match="whole number") as error:
        game.step({"player_0": wrong, "player_1": wrong} if maker is parallel_env else wrong)
    assert error.value.code == "wrong_type"
    assert np.array_equal(game.state(), before)
    assert len(game.agents) == 2


@pytest.mark.parametrize(
    ("code", "actions"),
    [("missing_action", {}), ("no_such_agent", {"player_7": 1}), ("wrong_type", [1, 2]), ("wrong_type", None)],
)
def test_actions_are_for_the_agents_that_decide(code, actions):
    game = parallel_env("six", 2)
    game.reset(seed=1)
    with pytest.raises(ValueError) as error:
        game.step(actions)
    assert error.value.code == code
    assert len(game.agents) == 2


def test_who_waits_may_be_left_out():
    game, rng = parallel_env("six", 3), Random(2)
    observations, _ = game.reset(seed=2)
    left_out = 0
    while game.agents:
        masks = {agent: observations[agent]["action_mask"] for agent in game.agents}
        actions = {agent: choose(mask, rng) for agent, mask in masks.items() if not mask[game.wait]}
        left_out += len(masks) - len(actions)
        observations, _, _, _, infos = game.step(actions)
    assert left_out
    assert "points" in infos["player_0"]


def step_somehow(game):
    return game.step({} if isinstance(game, ParallelGame) else 0)


@pytest.mark.parametrize("maker", [raw_env, parallel_env])
def test_an_environment_is_played_between_reset_and_close(maker):
    game = maker("six", 2, render_mode="ansi")

    def refused(code):
        for use in (game.state, game.render, lambda: step_somehow(game)):
            with pytest.raises(RuntimeError) as error:
                use()
            assert error.value.code == code

    refused("not_reset")
    with pytest.raises(ValueError, match="seed must be"):
        game.reset(seed=-1)
    refused("not_reset")
    game.reset(seed=1)
    game.close()
    refused("closed")
    with pytest.raises(RuntimeError, match="closed"):
        game.reset()


def test_an_episode_that_is_over_goes_no_further():
    game = parallel_env("six", 2)
    game.reset(seed=1)
    game.step(dict.fromkeys(game.agents, -1))
    with pytest.raises(RuntimeError, match="over") as error:
        game.step({})
    assert error.value.code == "match_over"


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda game: pickle.loads(pickle.dumps(game))])
@pytest.mark.parametrize("maker", [raw_env, parallel_env])
def test_a_copy_plays_on_as_the_original_does(maker, duplicate):
    """It sees its own table, not what the original saw when the copy was made."""
    game = maker("six", 3, render_mode="ansi")
    game.reset(seed=1)
    told = []
    for playing in (duplicate(game), game):
        for _ in range(40):
            if not playing.agents:
                break
            masks = [playing._table.mask(seat)[:-1] for seat in range(3)]
            actions = {
                agent: int(mask.argmax()) for agent, mask in zip(playing.agents, masks, strict=True) if mask.any()
            }
            playing.step(actions if maker is parallel_env else actions[playing.agent_selection])
            told.append((playing.state().tolist(), playing.render()))
            if maker is raw_env and any(playing.terminations.values()):
                break
    half = len(told) // 2
    assert told[:half] == told[half:]
    assert told[0] != told[half - 1]


# -- rewards ----------------------------------------------------------------------------------------------------


def expected(case, points, game):
    if case.game.id == "buffalo":
        return points  # checked apart: the lead over the buffalo
    good = getattr(game._table.codec.options, "bulls_are_good", False)
    return points if good else -points


@pytest.mark.parametrize("case", [case for case in SOME if case.game.id != "buffalo"], **NAMES)
def test_rewards_add_up_to_the_points(case):
    game = make(case, raw_env)
    sums, infos = episode(game, Random(5))
    assert sums == {agent: expected(case, info["points"], game) for agent, info in infos.items()}
    assert any(info["won"] for info in infos.values())


@pytest.mark.parametrize("case", [case for case in PARALLEL if case.game.id != "buffalo"], **NAMES)
@pytest.mark.parametrize("cards_only", [False, True])
def test_parallel_rewards_add_up_to_the_points(case, cards_only):
    game, rng = make(case, parallel_env, cards_only=cards_only), Random(5)
    observations, _ = game.reset(seed=5)
    sums = dict.fromkeys(game.agents, 0)
    while game.agents:
        actions = {agent: choose(observations[agent]["action_mask"], rng) for agent in game.agents}
        observations, rewards, _, _, infos = game.step(actions)
        sums = {agent: sums[agent] + rewards[agent] for agent in sums}
    assert sums == {agent: expected(case, info["points"], game) for agent, info in infos.items()}


@pytest.mark.parametrize("seats", [1, 2, 4])
def test_the_team_is_paid_by_its_lead_over_the_buffalo(seats):
    for seed in range(6):
        game = raw_env("buffalo", seats, render_mode="ansi")
        sums, infos = episode(game, Random(seed), seed)
        lead = state_of(game).table.buffalo_bulls - infos["player_0"]["points"]
        assert set(sums.values()) == {lead}
        assert infos["player_0"]["won"] == (lead > 0)


def test_a_match_of_several_rounds_counts_each_round_once():
    for game in (
        raw_env("six", 3, single=False, target=40, render_mode="ansi"),
        raw_env("six", 2, variant="draft", single=False, target=30, render_mode="ansi"),
    ):
        sums, infos = episode(game, Random(1))
        assert len(state_of(game).table.scores) > 1
        assert sums == {agent: -info["points"] for agent, info in infos.items()}


# -- observations -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", SOME, **NAMES)
def test_observations_lie_in_their_space(case):
    game, rng = make(case, raw_env), Random(7)
    game.reset(seed=7)
    space = game.observation_space("player_0")
    while not any(game.terminations.values()):
        observation = game.last()[0]
        assert space.contains(observation)
        game.step(choose(observation["action_mask"], rng))
    assert all(space.contains(game.observe(agent)) for agent in game.agents)


@pytest.mark.parametrize("case", SOME, **NAMES)
def test_hidden_cards_make_no_difference(case):
    """The observation of a state that looks the same is the same."""
    game, rng = make(case, raw_env, render_mode="ansi"), Random(9)
    game.reset(seed=9)
    playing, codec = case.game, game._table.codec
    for _ in range(30):
        if any(game.terminations.values()):
            break
        for seat in range(case.seats):
            view = view_of(game, seat)
            unseen = list(playing.unseen(view))
            rng.shuffle(unseen)
            other = playing.view(playing.imagine(view, unseen), seat)
            assert np.array_equal(game.observe(f"player_{seat}")["observation"], codec.observation(other))
        game.step(choose(game.last()[0]["action_mask"], rng))


def test_a_secret_choice_is_not_seen_by_the_others():
    game = raw_env("six", 3)
    game.reset(seed=1)
    before = game.observe("player_2")["observation"]
    game.step(int(np.flatnonzero(game.last()[0]["action_mask"])[0]))
    assert np.array_equal(before, game.observe("player_2")["observation"])
    assert not game.observe("player_2")["action_mask"].any()


def test_the_layout_tells_where_things_are():
    game = raw_env("six", 4, render_mode="ansi")
    game.reset(seed=1)
    observation = game.observe("player_0")["observation"]
    assert tuple(np.rint(observation[game.layout["hand"]] * 104).astype(int)) == view_of(game, 0).hand
    assert observation[game.layout["row_lengths"]].tolist() == pytest.approx([0.2] * 4)
    assert max(part.stop for part in game.layout.values()) == len(observation) == 60


def test_everybody_sees_the_table_from_the_own_seat():
    game = raw_env("six", 3, single=False, render_mode="ansi")
    game.reset(seed=1)
    codec, state = game._table.codec, state_of(game)
    from msgspec.structs import replace

    state = replace(state, table=replace(state.table, bulls=(10, 20, 30)))
    seen = [codec.observation(registry.get("six").view(state, seat))[codec.layout["bulls"]] for seat in range(3)]
    assert np.allclose(seen, [[0.2, 0.4, 0.6], [0.4, 0.6, 0.2], [0.6, 0.2, 0.4]])


def test_the_history_can_be_asked_for():
    """The last decisions, the latest first, whose (the own seat is 1) and which; and all cards that have lain open."""
    game = raw_env("six", 2, history=4)
    game.reset(seed=1)
    assert not game.observe("player_0")["observation"][game.layout["history"]].any()
    chosen = []
    for _ in range(2):
        chosen.append(int(np.flatnonzero(game.last()[0]["action_mask"])[0]))
        game.step(chosen[-1])
    seen = game.observe("player_1")["observation"]
    whose, which = np.rint(seen[game.layout["history"]].reshape(4, 2) * [2, 208]).astype(int).T
    assert whose.tolist() == [1, 2, 0, 0]
    assert which.tolist() == [chosen[1] + 1, chosen[0] + 1, 0, 0]
    lain_open = np.flatnonzero(seen[game.layout["seen"]])
    assert len(lain_open) == 6
    assert set(chosen) < set(lain_open.tolist())


@pytest.mark.parametrize("maker", [raw_env, parallel_env])
def test_the_state_is_what_all_see(maker):
    game = maker("six", 3)
    game.reset(seed=1)
    state = game.state()
    assert game.state_space.contains(state)
    assert len(state) == 3 * game.observation_space("player_0")["observation"].shape[0]


# -- at the same time -------------------------------------------------------------------------------------------


def test_all_choose_at_once_and_others_wait():
    game, rng = parallel_env("six", 4), Random(2)
    observations, _ = game.reset(seed=2)
    steps = 0
    while game.agents:
        waiting = [agent for agent in game.agents if observations[agent]["action_mask"][game.wait]]
        assert len(waiting) in (0, 3)  # a card of everybody, or a row of one
        for agent in waiting:
            assert observations[agent]["action_mask"].sum() == 1
        actions = {agent: choose(observations[agent]["action_mask"], rng) for agent in game.agents}
        observations, *_ = game.step(actions)
        steps += 1
    assert steps > 10


def test_with_cards_only_a_step_is_a_turn():
    game, rng = parallel_env("six", 4, cards_only=True), Random(2)
    observations, _ = game.reset(seed=2)
    steps = 0
    while game.agents:
        assert not any(observations[agent]["action_mask"][game.wait] for agent in game.agents)
        observations, *_ = game.step({a: choose(observations[a]["action_mask"], rng) for a in game.agents})
        steps += 1
    assert steps == 10


@pytest.mark.parametrize("variant", ["basic", "anyone"])
def test_in_a_window_the_first_seat_that_acts_decides(variant):
    """Who wants to use a special card first uses it, everybody agrees, and all are asked again."""
    seen = 0
    for seed in range(40):
        game, rng = parallel_env("buffalo", 4, variant=variant, render_mode="ansi"), Random(seed)
        observations, _ = game.reset(seed=seed)
        while game.agents and not seen:
            actions = {agent: choose(observations[agent]["action_mask"], rng) for agent in game.agents}
            table = state_of(game).table
            uses = [number for number in actions.values() if 111 <= number < FIRST_SORT]
            observations, *_ = game.step(actions)
            if table.phase == "window" and len(uses) > 1:
                now = state_of(game).table
                used = len(now.used) + sum(map(len, now.beside))
                assert used == len(table.used) + sum(map(len, table.beside)) + 1
                seen += 1
        if seen:
            break
    assert seen


def test_eleven_is_not_simultaneous():
    with pytest.raises(ValueError, match=r"use env\('eleven'\)") as error:
        parallel_env("eleven")
    assert error.value.code == "not_simultaneous"


# -- around -----------------------------------------------------------------------------------------------------


def test_without_a_seed_every_episode_is_another():
    game = raw_env("six", 2, render_mode="ansi")
    hands = set()
    game.reset(seed=1)
    for _ in range(5):
        hands.add(view_of(game, 0).hand)
        game.reset()
    assert len(hands) == 5


def test_the_position_can_be_read():
    game = raw_env("six", 2, render_mode="ansi")
    game.reset(seed=1)
    assert "hand" in game.render()
    assert raw_env("six", 2).render() is None
    game.close()


def test_names_and_sizes():
    assert raw_env("six").metadata["name"] == "six_v1"
    assert len(raw_env("x").possible_agents) == 4
    assert raw_env("six", fan=["cow"]).unwrapped is not None


def test_options_are_checked():
    from nimmt.rules.game import InvalidOptions

    with pytest.raises(InvalidOptions, match="2 to 10"):
        env("six", 11)
    with pytest.raises(InvalidOptions, match="no option 'colour'"):
        env("six", colour="red")
    with pytest.raises(InvalidOptions, match="target has no effect on single rounds: give single=False"):
        env("six", target=30)
    for settings in ({"render_mode": "human"}, {"illegal_reward": "much"}, {"single": None}):
        with pytest.raises(ValueError, match=rf"{next(iter(settings))} must be"):
            env("six", **settings)
