"""The networks of 6 nimmt!: the kernels reckon as plain NumPy does, what they see is what the seat may know, and what
was learned is worth something."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import nimmt
from nimmt.fast.jit import Flats, jit
from nimmt.games.six.rules import SIX
from nimmt.games.six.search import net
from nimmt.games.six.search.levels import master, situation_of
from nimmt.games.six.search.players import (
    LEAGUE,
    NETS,
    RIVALS,
    GreedyPlayer,
    LookingPlayer,
    Round,
    learned,
    make_kinds,
    master_kinds,
    master_kinds_with_fans,
    play_round,
    read_nets,
    won,
)
from nimmt.games.six.search.situation import GLANCE, MIND, NETWORK, Floats, Stakes, Weights
from nimmt.games.six.types import HAND, MAX_SEATS, Options

ROOT = Path(__file__).parents[2]
SINGLE = Stakes(np.zeros(MAX_SEATS, np.int64), 66, 0, 0.1)


@jit
def look_and_score(flat: Flats, seat: int, kinds: Flats, minds: Flats) -> float:
    return net.score(minds[0], net.look(flat[0], seat, minds[0]), kinds[0])


def chances(weights: Weights, mind: np.void, size: int) -> Floats:
    """What the network says, written down as one would on paper."""
    cuts = np.split(weights.astype(np.float64), list(NETWORK.starts.values())[1:])
    sizes = NETWORK.parts.values()
    scene, first, glance, second, between, last = (cut.reshape(size) for cut, size in zip(cuts, sizes, strict=True))
    glances = mind["glances"].reshape(-1, GLANCE)[:size].astype(np.float64)
    inner = np.maximum(mind["scene"].astype(np.float64) @ scene + first + glances @ glance, 0)
    scores = np.maximum(inner @ between + second, 0) @ last
    raised = np.exp(scores - scores.max())
    return np.asarray(raised / raised.sum())


def rounds(number: int):
    """Rounds of greedy players, before each of their turns."""
    rng = np.random.default_rng(5)
    for _ in range(number):
        seats = int(rng.integers(2, MAX_SEATS + 1))
        played = Round(seats, rng)
        for _ in range(HAND):
            yield played, int(rng.integers(seats))
            played.turn([GreedyPlayer()] * seats, SINGLE, rng)


@pytest.mark.parametrize("name", learned())
def test_the_kernel_reckons_as_on_paper(name: str) -> None:
    kinds, minds = make_kinds({}, {name: 1.0}, name, learned()).types, np.zeros(1, MIND)
    for played, seat in rounds(4):
        now = played.situation(seat)
        size = len(now.hand)
        total = look_and_score(now.flat, seat, kinds, minds)
        found = minds[0]["weights"][:size] / total
        assert found == pytest.approx(chances(learned()[name], minds[0], size), abs=1e-4)


def test_what_is_seen_of_a_card() -> None:
    """A position worked out by hand: rows 10, 20 21, 30 to 34, 40; four seats, hand 5 15 22 36 104."""
    from nimmt.games.six.position import table_position

    rows = [[10], [20, 21], [30, 31, 32, 33, 34], [40]]
    hands = [[5, 15, 22, 36, 104], [1, 2, 3, 4, 6], [50, 51, 52, 53, 54], [60, 61, 62, 63, 64]]
    state = table_position(rows, hands)
    now, minds = situation_of(SIX.view(state, 0)), np.zeros(1, MIND)
    look_and_score(now.flat, 0, master_kinds().types[-1:], minds)
    glances = minds[0]["glances"].reshape(-1, GLANCE)[:5]
    too_low, room = glances[:, 2], glances[:, 3:8].argmax(1)
    assert too_low.tolist() == [1, 0, 0, 0, 0]
    assert room[1:].tolist() == [4, 3, 0, 4]  # into the rows of 10, 21, 34 and 40
    assert glances[3, 9] == pytest.approx(0.1 * (3 + 1 + 1 + 5 + 1))  # 36 is the sixth: the bulls of 30 to 34
    assert glances[0, 18] == pytest.approx(0.1 * 3)  # 5 takes the cheapest row: 10, 20 21 or 40
    between = glances[:, 14] * 5
    assert between.round().tolist() == [0, 0, 0, 0, 0]
    assert glances[2, 10] == 0  # nothing can come between 21 and 22
    assert minds[0]["scene"][21] == pytest.approx(0.1)  # one card below every row


def test_other_hands_are_not_seen() -> None:
    """Whatever lies in other hands: what the network sees is the same."""
    kinds, minds = master_kinds().types[-1:], np.zeros(2, MIND)
    for played, seat in rounds(3):
        now = played.situation(seat)
        look_and_score(now.flat, seat, kinds, minds[:1])
        filled = now.flat.copy()
        for other in range(now.seats):
            if other != seat:
                filled[0]["hands"][other] = np.random.default_rng(other).integers(1, 105, HAND)
        look_and_score(filled, seat, kinds, minds[1:])
        assert minds[0]["scene"].tolist() == minds[1]["scene"].tolist()
        assert minds[0]["glances"].tolist() == minds[1]["glances"].tolist()


@pytest.mark.soak
def test_networks_without_search_beat_random_players() -> None:
    """Each of them, alone among three: parity would be a quarter."""
    for name in ("gentle", "sharp", "search", "mc64"):
        player = LookingPlayer(make_kinds({}, {name: 1.0}, name, learned()))
        bulls = np.zeros(4)
        for deal in range(150):
            greedy = LookingPlayer(make_kinds({}, {"random": 1.0}, "random"))
            bulls += play_round([player, greedy, greedy, greedy], SINGLE, np.random.default_rng([1, deal]))
        assert bulls[0] < 0.75 * bulls[1:].mean(), name


def test_fan_cards_are_left_to_the_tables() -> None:
    """The networks have never seen a fan card: there the Master reckons with tables only."""
    bot = master(SIX)
    assert bot.variant(Options()).kinds.types["learned"].sum() == sum(name in learned() for name in LEAGUE)
    assert not bot.variant(Options(fan=("cow",))).kinds.types["learned"].any()
    assert not master_kinds_with_fans().types["learned"].any()


def test_all_weights_that_ship_are_small_together() -> None:
    weights = list(Path(nimmt.__file__).parent.rglob("*.npz"))
    assert NETS in weights
    assert sum(path.stat().st_size for path in weights) < 2_000_000


@pytest.mark.soak
@pytest.mark.parametrize(("script", "shipped"), [("learn_six", NETS), ("compete_six", RIVALS)])
def test_training_runs_and_goes_on(
    script: str, shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """All are made; a second run with the same folder has nothing left to do and comes to the same.

    What it compiles takes half a minute; `test_learned.py` does the same for another game in every test run.
    """
    monkeypatch.syspath_prepend(ROOT / "training")
    learn, words = import_module(script).main, ["--quick", "--work", str(tmp_path)]
    learn([*words, "--out", str(tmp_path / "one.npz")])
    capsys.readouterr()
    learn([*words, "--out", str(tmp_path / "two.npz")])
    assert "step" not in capsys.readouterr().out
    with np.load(tmp_path / "one.npz") as one, np.load(tmp_path / "two.npz") as two:
        assert set(one.files) == set(read_nets(shipped))
        assert all((one[name] == two[name]).all() for name in one.files)
    assert all(name in (tmp_path / "report.md").read_text() for name in read_nets(shipped))


@pytest.mark.soak
def test_the_chase_runs_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A best response is learned and measured; a second run has nothing left to play and comes to the same."""
    monkeypatch.syspath_prepend(ROOT / "training")
    exploit, words = import_module("exploit_six").main, ["--quick", "--work", str(tmp_path)]
    exploit(words)
    capsys.readouterr()
    report = (tmp_path / "report.md").read_text()
    exploit(words)
    assert "deals:" not in capsys.readouterr().out.partition("# How")[0]
    assert (tmp_path / "report.md").read_text() == report
    assert "hunter against three Masters" in report


def test_a_shared_win_counts_by_its_share() -> None:
    assert [won([3, 5, 3, 9], seat) for seat in range(4)] == [0.5, 0.0, 0.5, 0.0]
    assert won([0, 1], 0) == 1.0
