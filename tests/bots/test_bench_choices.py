"""What bots' cards are worth is judged on the same positions, by who really sits there."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nimmt.games.six.position import table_position
from nimmt.games.six.rules import SIX
from nimmt.games.six.search.levels import situation_of

ROOT = Path(__file__).parents[2]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(ROOT / "benches")
    return import_module("bench_choices")


@pytest.mark.parametrize(("ahead", "share"), [(0, 1.0), (1, 0.0)])
def test_a_win_is_that_of_the_seat_that_thinks(ahead: int, share: float, bench: Any) -> None:
    """Nobody can take a hundred bulls with two cards: whoever is so far ahead wins whatever is played."""
    now = situation_of(SIX.view(table_position([[10], [20], [30], [40]], [[4, 50], [5, 60], [6, 61]]), 0))
    now.flat[0]["points"][:3] = 100
    now.flat[0]["points"][ahead] = 0
    assert bench.worths(now, bench.Field("contender", 1.0), 20, 1).tolist() == [share, share]


def test_variants_are_compared_without_the_luck_of_the_deal(bench: Any) -> None:
    job = bench.Job(bench.Field("sharp", 1.0), ("tables", "tables", "to-the-end"), 20, 5, range(1))
    (deal,) = bench.play(job)
    assert deal.worths[0] == deal.worths[1] != deal.worths[2]
    told = bench.report(job, [deal, deal])
    assert f"won {100 * deal.win:.1f} % of 2 deals" in told
    assert "+0.00 ± 0.00" in told


def test_a_softer_field_is_less_decisive(bench: Any) -> None:
    hard, soft = (bench.Field("contender", divisor).kinds({"field": 1.0}, "field").types[0] for divisor in (1.0, 4.0))
    changed = hard["weights"] != soft["weights"]
    assert changed.any()
    assert np.allclose(hard["weights"][changed], 4 * soft["weights"][changed])


@pytest.mark.parametrize("script", ["bench_choices", "bench_bots"])
@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--deals 0", "--deals: must be a whole number from 1 to"),
        ("--workers 0", "--workers: must be a whole number from 1 to"),
        ("--seed -1", "--seed: must be a whole number from 0 to"),
    ],
)
def test_numbers_that_measure_nothing_are_refused(
    script: str, words: str, why: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(ROOT / "benches")
    monkeypatch.setattr("sys.argv", [f"{script}.py", *words.split()])
    with pytest.raises(SystemExit, match="2"):
        import_module(script).main()
    assert why in capsys.readouterr().err


@pytest.mark.parametrize("words", ["--soften 0", "--soften nan", "--soften much", "--worlds 1"])
def test_a_field_that_cannot_be_judged_is_refused(words: str, bench: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        bench.main(words.split())
    assert words.split(maxsplit=1)[0] in capsys.readouterr().err
