"""The command that measures the levels: it looks at planned moments, goes on after a stop, and fills in its table."""

import importlib.util
import sys
from pathlib import Path

import pytest

BENCHES = Path(__file__).resolve().parents[2] / "benches"


@pytest.fixture
def bench(monkeypatch):
    found = importlib.util.spec_from_file_location("bench_levels", BENCHES / "bench_levels.py")
    module = importlib.util.module_from_spec(found)
    monkeypatch.setitem(sys.modules, "bench_levels", module)
    found.loader.exec_module(module)
    monkeypatch.setattr(module, "LEVELS", ("random", "greedy"))
    return module


def lines(text):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]


def test_it_looks_at_planned_moments(bench):
    assert bench.looks(50, 1600) == [50, 100, 200, 400, 800, 1600]
    assert bench.looks(50, 120) == [50, 100, 120]
    assert bench.looks(7, 7) == [7]


def test_variants_that_are_the_same_in_a_deal_are_played_once(bench):
    six = bench.registry.get("six")
    found = list(bench.variants(six, [], 4))
    assert {"2007", "draft-2007"}.isdisjoint(found)
    assert {"basic", "draft", "all-fans"} <= set(found)


def test_it_stops_when_it_is_clear_and_goes_on_after_a_stop(bench, tmp_path, capsys, monkeypatch):
    words = ["--game", "six", "--variant", "basic", "--first", "4", "--work", str(tmp_path), "--seed", "here"]
    bench.main([*words, "--most", "4"])
    few = lines(capsys.readouterr().out)[-1]
    bench.main([*words, "--most", "256"])
    many = lines(capsys.readouterr().out)[-1]
    assert few[:6] == ["6 nimmt!", "basic", "4", "greedy", "3 × random", "4"]
    assert many[-1] == "stronger"
    assert 4 < int(many[5]) < 256, "a greedy player is much stronger than random ones: that shows early"
    monkeypatch.setattr(bench, "run", lambda *words, **more: bench_again(bench, *words, **more))
    bench.main([*words, "--most", "256"])
    assert lines(capsys.readouterr().out)[-1] == many


def bench_again(bench, plan, kind, deals, backend, ledger, **more):
    from nimmt.arena import run

    assert ledger.missing(kind, deals) == [], "nothing is played twice"
    return run(plan, kind, deals, backend, ledger, **more)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("--first 0", "--first: '0' is not a number from 1 up"),
        ("--deals 0", "--deals: '0' is not a number from 1 up"),
        ("--workers 0", "--workers: '0' is not a number from 1 up"),
        ("--variant basic --variant chess", "there is no variant chess"),
        ("--game x --seats 1", "X nimmt! takes 2 to 4 players, not 1"),
        ("--game six --variant draft --seats 10", "takes 2 to 6 seats"),
        ("--write --game x", "--write replaces the whole table"),
        ("--work /dev/null", "/dev/null is not a folder"),
    ],
)
def test_bad_arguments_are_explained(words, why, bench, capsys):
    with pytest.raises(SystemExit) as ended:
        bench.main(words.split())
    assert ended.value.code == 2
    assert why in capsys.readouterr().err


def test_a_table_with_gaps_replaces_nothing(bench, tmp_path, monkeypatch, capsys):
    """After Ctrl-C, the first command that finishes writes."""
    monkeypatch.setattr(bench, "measure", lambda *_: False)
    monkeypatch.setattr(bench, "write", lambda _: pytest.fail("there are gaps"))
    assert bench.main(["--work", str(tmp_path), "--write"]) == 130
    assert "The same command goes on." in capsys.readouterr().err


def test_teams_are_compared_on_the_same_deals(bench, tmp_path, capsys):
    words = ["--game", "buffalo", "--variant", "basic", "--seats", "2", "--deals", "3", "--work", str(tmp_path)]
    bench.main(words)
    (_, _, found) = lines(capsys.readouterr().out)
    assert found[3:6] == ["greedy", "random: 0.0 %", "3"]


def test_the_table_of_the_page_is_replaced(bench, tmp_path, monkeypatch):
    page = tmp_path / "results.md"
    page.write_text("before\n\n<!-- plot: ladder -->\n\n| old |\n|---|\n| 1 |\n\nafter\n", "utf-8")
    monkeypatch.setattr(bench, "PAGE", page)
    bench.write("| new |\n|---|\n| \\2 |\n")
    assert page.read_text("utf-8") == "before\n\n<!-- plot: ladder -->\n\n| new |\n|---|\n| \\2 |\n\nafter\n"
