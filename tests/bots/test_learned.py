"""Players that have learned: networks reckon as plain NumPy does, see what their seat may know, and are worth
something; and what taught them can be run again."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random

import numpy as np
import pytest

from nimmt.bots.levels import Thought, strength_of
from nimmt.bots.worlds import OUTLOOKS, Effort, WorldsBot, foretell, play, values_of, worth_of_rounds
from nimmt.fast import kernels, rollouts, simulate
from nimmt.fast.game import get_fast
from nimmt.fast.jit import jit
from nimmt.fast.net import LEARNED, NETS_AT, ROOM, Shape, scorer
from nimmt.match.match import Match, single_deal
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules import registry
from nimmt.rules.kit.options import variant_options

ROOT = Path(__file__).parents[2]
GAMES = [game.id for game in registry.all_games() if "learned" in get_fast(game.id).policies]


def begun(game_id: str, seed: int, seats: int = 4, variant: str = "basic") -> Match:
    game = registry.get(game_id)
    infos, options = [SeatInfo(str(seat)) for seat in range(seats)], single_deal(game, variant_options(game, variant))
    return Match(game, options, infos, Dealer(bytes([seed]) * 32, [""] * seats))


def decisions(game_id: str, seats: int = 4, seed: int = 1, variant: str = "basic"):
    """What each seat sees when it decides, in a match of players who do just anything."""
    game, rng, match = registry.get(game_id), Random(seed), begun(game_id, seed, seats, variant)
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
    variant = "anyone" if game_id == "buffalo" else "basic"  # to agree or to decline has no code
    for number, (view, legal) in enumerate(decisions(game_id, variant=variant)):
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


@pytest.mark.parametrize("game_id", [game_id for game_id in GAMES if not get_fast(game_id).has_rival])
def test_what_was_learned_is_worth_something(game_id: str) -> None:
    """One seat without search: it wins far more than its share from careless players, and from random ones nearly
    always."""
    for other, least in (("random", 0.5), ("greedy", 0.27)):
        result = simulate(game_id, seats=4, rounds=2000, seed=5, policy=["learned", other, other, other])
        assert result.wins[:, 0].mean() > least


@pytest.mark.parametrize("seats", [1, 2, 4, 6])
def test_a_team_that_has_learned_beats_the_buffalo_more_often(seats: int) -> None:
    """On the same deals, without search."""
    learned, wary, greedy = (
        simulate("buffalo", seats=seats, rounds=4000, seed=5, policy=policy).wins[:, 0].mean()
        for policy in ("learned", "wary", "greedy")
    )
    assert learned > wary + 0.02 > greedy + 0.02


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


# -- how a round is likely to end --------------------------------------------------------------------------------------

FORETOLD = [game.id for game in registry.all_games() if get_fast(game.id).has_outlook]


@cache
def beginnings_and_ends(game_id: str):
    """Of some deals by players who have learned: how the turns begin, which is when a search asks, with the seat that
    decides first and what it does; and the points."""
    fast, deals = get_fast(game_id), []
    params = fast.params()
    for number in range(60):
        flat, lines, rng = (
            fast.load(begun(game_id, number).state),
            kernels.new_lines(1, 4),
            kernels.seeded(np.uint64(number), 0),
        )
        turns, turn = [], -1
        while (seat := kernels.who_decides(flat)) >= 0:
            code = kernels.choose_for(flat, seat, LEARNED, params, rng)
            if flat[0]["turns"] != turn:
                turn = int(flat[0]["turns"])
                turns.append((flat.copy(), seat, code))
            kernels.act_only(flat, seat, code)
            while kernels.advance_once(flat):
                pass
        kernels.tally_all(flat, lines)
        deals.append((turns, lines.points[0]))
    return deals


def chances_after(fast, beginning, name: str):
    """How likely each seat is to win when a turn has been played, by the network."""
    flat, seat, code = beginning
    asked = Effort(1, 0.0, "learned", 0, name)
    scores = -foretell(fast, flat, seat, np.array([code]), asked, 1)[0, 0] / strength_of(fast.rules).spread
    chances = np.exp(scores - scores.max())
    return chances / chances.sum()


@pytest.mark.parametrize("game_id", FORETOLD)
@pytest.mark.parametrize("name", OUTLOOKS)
def test_the_outlook_is_worth_something(game_id: str, name: str) -> None:
    """It finds those who will win likelier than a guess does, long before the end and the more so near it."""
    fast, likely = get_fast(game_id), []
    for turns, points in beginnings_and_ends(game_id):
        won = points == points.min()
        likely.append([chances_after(fast, turns[at], name)[won].sum() for at in (len(turns) // 2 - 1, -2)])
    midway, last = np.mean(likely, axis=0)
    assert 0.28 < midway < last


def test_what_a_round_was_worth_is_shared_by_all() -> None:
    points = np.array([[0, 7, 14, 21], [0, 0, 9, 9]])
    for lead in OUTLOOKS.values():
        assert worth_of_rounds(points, 14.0, lead).sum(axis=1) == pytest.approx(1)
    assert worth_of_rounds(points, 14.0, 0.0).tolist() == [[1, 0, 0, 0], [0.5, 0.5, 0, 0]]
    near = worth_of_rounds(points, 14.0, 1.0)
    assert near[0, 0] / near[0, 2] == pytest.approx(np.e)


FORETOLD_VARIANTS = [(game_id, variant.id) for game_id in FORETOLD for variant in registry.get(game_id).variants]


@pytest.mark.parametrize(("game_id", "variant"), FORETOLD_VARIANTS)
def test_ends_are_worth_what_they_were_and_others_what_is_foretold(game_id: str, variant: str) -> None:
    """A look ahead beyond the end of all rounds needs no network: seats are as far apart as their points. Where points
    are good, too."""
    view, legal = next(decisions(game_id, variant=variant))
    fast, seats = get_fast(game_id), view.table.seats
    worlds = fast.worlds(view, fast.shuffled(view, 3, 1))
    codes = np.array([fast.encode(action) for action in legal])
    asked = Effort(1, 3.0, "learned", 1, "points", fast.rules.high_score_wins(view.table.options))
    far, near = (foretell(fast, worlds, view.seat, codes, effort, 1) for effort in (asked._replace(turns=9999), asked))
    points, _ = play(fast, worlds, view.seat, codes, Effort(1, 3.0, "learned"), 1)
    assert far - far[..., :1] == pytest.approx(points - points[..., :1], abs=1e-6)
    assert near.shape == far.shape == (3, len(codes), seats)
    assert np.ptp(near, axis=-1).min() > 0


def test_who_is_likely_to_win_has_what_counts_there() -> None:
    """Few points where they are bad, many where they are good: the network of Baron Oxx tells who wins."""
    view, legal = next(decisions("baron", variant="bulls-are-good"))
    fast = get_fast("baron")
    worlds = fast.worlds(view, fast.shuffled(view, 3, 1))
    codes = np.array([fast.encode(action) for action in legal])
    bad, good = (
        foretell(fast, worlds, view.seat, codes, Effort(1, 3.0, "learned", 1, "win", high_wins), 1)
        for high_wins in (False, True)
    )
    assert (bad == -good).all()


@pytest.mark.soak
def test_imitation_runs_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A second run with the same folder has nothing left to play and comes to the same."""
    monkeypatch.syspath_prepend(ROOT / "training")
    imitate, words = import_module("imitate").main, ["baron", "--quick", "--work", str(tmp_path / "work")]
    imitate([*words, "--out", str(tmp_path / "one")])
    written = {path: path.stat().st_mtime_ns for path in (tmp_path / "work").rglob("*.npz")}
    imitate([*words, "--out", str(tmp_path / "two")])
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "work").rglob("*.npz")} == written
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
    assert "Round 1" in (tmp_path / "work" / "report.md").read_text()


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
