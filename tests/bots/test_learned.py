"""Players that have learned: networks reckon as plain NumPy does, see what their seat may know, and are worth
something; and what taught them can be run again."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from random import Random

import numpy as np
import pytest

from nimmt.bots.levels import Thought
from nimmt.bots.worlds import Effort, WorldsBot, values_of
from nimmt.fast import kernels, rollouts, simulate
from nimmt.fast.game import get_fast
from nimmt.fast.jit import jit
from nimmt.fast.net import LEARNED, NETS_AT, ROOM, Shape, scorer
from nimmt.match.match import Match, single_deal
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry

ROOT = Path(__file__).parents[2]
GAMES = [game.id for game in registry.all_games() if "learned" in get_fast(game.id).policies]


def decisions(game_id: str, seats: int = 4, seed: int = 1):
    """What each seat sees when it decides, in a match of players who do just anything."""
    game, rng = registry.get(game_id), Random(seed)
    infos, options = [SeatInfo(str(seat)) for seat in range(seats)], single_deal(game, game.options_type())
    match = Match(game, options, infos, Dealer(bytes([seed]) * 32, [""] * seats))
    while match.outcome is None:
        seat = game.pending(match.state)[0].seat
        legal = game.legal(match.state, seat)
        if len(legal) > 1:
            yield game.view(match.state, seat), legal
        match.act(seat, rng.choice(legal))


def test_the_kernel_reckons_as_on_paper() -> None:
    shape, rng = Shape(scene=5, glance=7), np.random.default_rng(3)
    score = scorer(shape)

    @jit
    def scored(weights, scene, glances, options, room, scores):
        return score(weights, scene, glances, options, room, scores)

    weights = rng.normal(size=shape.weights).astype(np.float32)
    scene, glances = rng.normal(size=5).astype(np.float32), rng.normal(size=(4, 7)).astype(np.float32)
    found = np.zeros(4)
    total = scored(weights, scene, glances.ravel(), 4, np.zeros(ROOM, np.float32), found)
    cuts = np.split(weights.astype(np.float64), list(shape.starts.values())[1:])
    of_scene, first, of_glance, second, between, last = map(np.reshape, cuts, shape.parts.values())
    inner = np.maximum(scene @ of_scene + first + glances @ of_glance, 0)
    scores = np.maximum(inner @ between + second, 0) @ last
    raised = np.exp(scores - scores.max())
    assert found / total == pytest.approx(raised / raised.sum(), abs=1e-4)


@pytest.mark.parametrize("game_id", GAMES)
def test_hidden_cards_change_nothing(game_id: str) -> None:
    """Whatever the others hold and whatever lies face down: the same dice, the same decision."""
    fast, looked = get_fast(game_id), 0
    for number, (view, legal) in enumerate(decisions(game_id)):
        codes = {
            int(
                kernels.choose_for(world[None], view.seat, LEARNED, fast.params(), kernels.seeded(np.uint64(number), 0))
            )
            for world in fast.worlds(view, fast.shuffled(view, 4, number))
        }
        assert len(codes) == 1
        assert fast.decode(view, view.seat, codes.pop()) in legal
        looked += 1
    assert looked > 20


@pytest.mark.parametrize("game_id", GAMES)
def test_what_was_learned_is_worth_something(game_id: str) -> None:
    """One seat without search: it wins far more than its share from careless players, and from random ones nearly
    always."""
    for other, least in (("random", 0.5), ("greedy", 0.27)):
        result = simulate(game_id, seats=4, rounds=2000, seed=5, policy=["learned", other, other, other])
        assert result.wins[:, 0].mean() > least


def test_who_has_learned_nothing_is_refused() -> None:
    view, legal = next(decisions("baron"))
    with pytest.raises(ValueError, match="weights"):
        rollouts("baron", view, legal, policy="learned", params=np.zeros(NETS_AT, np.float32))
    assert rollouts("baron", view, legal, policy="learned", worlds=2).shape == (2, len(legal), 4)


def test_a_search_with_learned_players_can_be_repeated() -> None:
    game = registry.get("baron")
    bot = WorldsBot(game, Thought(40, policy="learned"), knows_standings=True)
    for view, legal in list(decisions("baron"))[:5]:
        assert bot.choose(view, legal, Random(3)) == bot.choose(view, legal, Random(3))


def test_search_asks_those_whom_it_should() -> None:
    """The same worlds and the same dice: other players make other ends."""
    view, legal = next(decisions("baron"))
    fast, seen = get_fast("baron"), []
    codes = np.array([fast.encode(action) for action in legal])
    for policy in ("careless", "learned"):
        values_of(
            fast, view, codes, Effort(48, 10.0, policy), lambda points, _: seen.append(points) or points[..., 0], 1
        )
    assert (seen[0] != seen[-1]).any()


@pytest.mark.parametrize("game_id", GAMES)
def test_what_ships_is_small(game_id: str) -> None:
    assert get_fast(game_id).weights_file.stat().st_size < 50_000


@pytest.mark.soak
def test_training_runs_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A second run with the same folder has nothing left to do and comes to the same."""
    monkeypatch.syspath_prepend(ROOT / "training")
    learn, words = import_module("learn").main, ["baron", "--quick", "--work", str(tmp_path)]
    learn([*words, "--out", str(tmp_path / "one.npz")])
    capsys.readouterr()
    learn([*words, "--out", str(tmp_path / "two.npz")])
    assert "step" not in capsys.readouterr().out
    with np.load(tmp_path / "one.npz") as one, np.load(tmp_path / "two.npz") as two:
        assert (one["weights"] == two["weights"]).all()
    assert "step 8" in (tmp_path / "report.md").read_text()
