"""What a position of 6 nimmt! is worth: the kernel reckons as plain NumPy does, no seat is preferred, and what was
learned is worth more than no opinion."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from nimmt.fast.jit import Flats, jit
from nimmt.games.six.rules import SIX
from nimmt.games.six.search import net, value
from nimmt.games.six.search.levels import master
from nimmt.games.six.search.players import (
    FORETOLD,
    LEAGUE,
    LEAGUE_IN_CROWDS,
    GreedyPlayer,
    Round,
    SearchingPlayer,
    foresight,
    learned,
    make_kinds,
    master_kinds,
    play_round,
)
from nimmt.games.six.search.situation import (
    CROWD,
    GLANCE,
    LEAF,
    MIND,
    Desk,
    Effort,
    Ints,
    Kinds,
    Stakes,
    at_table,
    new_desk,
    set_unplayed,
)
from nimmt.games.six.search.think import prospect
from nimmt.games.six.types import HAND, MAX_SEATS, Options

ROOT = Path(__file__).parents[2]
SINGLE = Stakes(np.zeros(MAX_SEATS, np.int64), 66, 0, 0.0)
SMALL = Effort(worlds=16, drafts=16, warm_up=4, thinning=4, herd=1.0)


@jit
def foretell(flat: Flats, types: Ints, kinds: Kinds, desk: Desk) -> None:
    desk.scratch[0] = flat[0]
    value.foretell(desk.scratch[0], types, kinds.types, kinds.value, desk.minds[0], desk.leaves[0])


@jit
def look(flat: Flats, seat: int, minds: Flats) -> None:
    value.know_hands(flat[0])
    net.look(flat[0], seat, minds[0])


@jit
def worth_of(flat: Flats, seat: int, stakes: Stakes, leaves: Flats) -> float:
    return prospect(flat[0], seat, stakes, leaves[0])


def positions(number: int, seats: int = 0):
    """Rounds of greedy players between two turns, hands ascending."""
    rng = np.random.default_rng(8)
    for _ in range(number):
        played = Round(seats or int(rng.integers(2, MAX_SEATS + 1)), rng)
        for _ in range(HAND - 1):
            played.turn([GreedyPlayer()] * played.seats, SINGLE, rng)
            flat = played.flat.copy()
            for hand, size in zip(flat[0]["hands"], flat[0]["sizes"], strict=True):
                hand[:size] = np.sort(hand[:size])
            set_unplayed(flat, played.unplayed)
            yield flat, rng.integers(len(LEAGUE), size=MAX_SEATS)


def foretold(flat: Flats, types: Ints) -> np.void:
    desk = new_desk(flat)
    foretell(flat, types, master_kinds(), desk)
    return desk.leaves[0]


def on_paper(flat: Flats, types: Ints) -> tuple[np.ndarray, np.ndarray]:
    """Bulls to come, and chances as logarithms, written down as one would on paper."""
    cuts = np.split(foresight().astype(np.float64), list(value.STARTS.values())[1:])
    part = {name: cut.reshape(shape) for (name, shape), cut in zip(value.PARTS.items(), cuts, strict=True)}
    seats, size = int(flat[0]["seats"]), int(flat[0]["sizes"][0])
    scenes, pooled, minds = [], [], np.zeros(1, MIND)
    for seat in range(seats):
        look(flat.copy(), seat, minds)
        scene = minds[0]["scene"].astype(np.float64)
        glances = minds[0]["glances"].reshape(-1, GLANCE)[:size].astype(np.float64)
        scenes.append(scene)
        pooled.append(
            value.POOL * np.maximum(scene @ part["scene"] + part["card"] + glances @ part["glance"], 0).sum(0)
        )
    inner = [
        own @ part["own"]
        + (sum(pooled) - own) / (seats - 1) @ part["others"]
        + scene @ part["table"]
        + part["type"][kind]
        for own, scene, kind in zip(pooled, scenes, types[:seats], strict=True)
    ]
    second = np.maximum(inner, 0)
    bulls = 10 * (second @ part["bulls"] + part["bulls_bias"][size])
    return bulls, second @ part["luck"] - part["lead"][size] * flat[0]["points"][:seats]


def test_the_kernel_reckons_as_on_paper() -> None:
    for flat, types in positions(4):
        leaf, seats = foretold(flat, types), int(flat[0]["seats"])
        bulls, chance = on_paper(flat, types)
        assert leaf["bulls"][:seats] == pytest.approx(bulls, abs=1e-3)
        assert leaf["chance"][:seats] == pytest.approx(chance, abs=1e-3)


def test_the_position_stays_as_it_was() -> None:
    """Whoever plays on from it must not know which cards are in hands."""
    for flat, types in positions(1):
        desk = new_desk(flat)
        foretell(flat, types, master_kinds(), desk)
        assert desk.scratch.tobytes() == flat.tobytes()


def test_no_seat_is_preferred() -> None:
    """Who changes seats takes along what is foretold."""
    for flat, types in positions(3, seats=4):
        leaf, turned = foretold(flat, types), flat.copy()
        order = [2, 0, 3, 1]
        for field in ("hands", "sizes", "points"):
            turned[0][field][:4] = flat[0][field][order]
        other = foretold(turned, types[[*order, *range(4, MAX_SEATS)]])
        assert other["bulls"][:4] == pytest.approx(leaf["bulls"][order], abs=1e-3)
        assert other["chance"][:4] == pytest.approx(leaf["chance"][order], abs=1e-3)


def test_shares_add_up_and_fewer_bulls_are_better() -> None:
    """Whatever is at stake: all seats together have one win, and ten bulls more never help."""
    worlds = [
        (0, np.zeros(MAX_SEATS)),
        (-1, np.arange(MAX_SEATS) * 5),
        (-1, np.full(MAX_SEATS, 60)),
        (3, np.zeros(MAX_SEATS)),
    ]
    for flat, types in positions(2, seats=4):
        for rounds_left, totals in worlds:
            stakes = Stakes(totals.astype(np.int64), 66, rounds_left, 0.0)

            def share(seat: int, at: Flats = flat, who: Ints = types, stakes: Stakes = stakes) -> float:
                return worth_of(at, seat, stakes, np.array([foretold(at, who)], LEAF))

            assert sum(map(share, range(4))) == pytest.approx(1.0)
            worse = flat.copy()
            worse[0]["points"][1] += 10
            assert share(1, worse) < share(1)


def test_what_was_learned_is_worth_something() -> None:
    """Over some rounds of four greedy players: who is held to be likely to win does so more often than the others."""
    likely, rng = [], np.random.default_rng(3)
    types = np.full(MAX_SEATS, list(LEAGUE).index("greedy"))
    for _ in range(40):
        played = Round(4, rng)
        leaves = []
        for turn in range(HAND):
            if 1 <= turn < HAND - 1:
                flat = played.flat.copy()
                for hand, size in zip(flat[0]["hands"], flat[0]["sizes"], strict=True):
                    hand[:size] = np.sort(hand[:size])
                chance = foretold(flat, types)["chance"][:4]
                leaves.append(chance - np.log(np.exp(chance).sum()))
            played.turn([GreedyPlayer()] * 4, SINGLE, rng)
        points = played.flat[0]["points"][:4]
        best = (points == points.min()) / (points == points.min()).sum()
        likely += [float(best @ chance) for chance in leaves]
    assert np.mean(likely) > np.log(1 / 4) + 0.2


def test_every_type_of_the_league_is_known() -> None:
    assert tuple(LEAGUE) == FORETOLD
    assert len(FORETOLD) <= value.TYPES
    assert master_kinds().types["known_as"].tolist() == list(range(len(LEAGUE)))
    stranger = make_kinds({}, {"stranger": 1.0}, "stranger", {"stranger": learned()["sharp"]})
    assert stranger.types["known_as"].tolist() == [FORETOLD.index("search")]


def test_at_large_tables_other_types_are_likely() -> None:
    """And the Master goes on as the same type, known to the network by the same number."""
    kinds, here = master_kinds(), [name in LEAGUE_IN_CROWDS for name in LEAGUE]
    assert at_table(kinds, CROWD - 1) is kinds
    crowd = at_table(kinds, CROWD)
    assert crowd.types["known_as"].tolist() == np.flatnonzero(here).tolist()
    assert crowd.types["prior"].tolist() == list(LEAGUE_IN_CROWDS.values())
    assert crowd.types[crowd.own]["known_as"] == kinds.types[kinds.own]["known_as"]
    assert kinds.types["prior"].tolist() == pytest.approx(list(LEAGUE.values())), "smaller tables are as before"
    for league in (LEAGUE, LEAGUE_IN_CROWDS):
        assert sum(league.values()) == pytest.approx(1)


def test_the_master_asks_it_and_fan_cards_do_not() -> None:
    bot = master(SIX)
    assert len(bot.kinds.value) == value.WEIGHTS
    assert len(bot.variant(Options(fan=("cow",))).kinds.value) == 0


@pytest.mark.parametrize("seats", [2, 4, 10])
def test_rounds_are_played_with_it(seats: int) -> None:
    scores = play_round([SearchingPlayer(master_kinds(), SMALL, 0.04)] * seats, SINGLE, np.random.default_rng(1))
    assert len(scores) == seats


@pytest.mark.soak
def test_training_runs_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A second run with the same folder has nothing left to do and comes to the same."""
    monkeypatch.syspath_prepend(ROOT / "training")
    learn, words = import_module("value_six").main, ["--quick", "--work", str(tmp_path)]
    learn([*words, "--out", str(tmp_path / "one.npz")])
    capsys.readouterr()
    learn([*words, "--out", str(tmp_path / "two.npz")])
    assert "step" not in capsys.readouterr().out
    with np.load(tmp_path / "one.npz") as one, np.load(tmp_path / "two.npz") as two:
        assert (one["value"] == two["value"]).all()
        assert len(one["value"]) == value.WEIGHTS
