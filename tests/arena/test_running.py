"""Wherever and however often deals are played, the results are the same, and none is lost."""

import json
import os
import re
import signal
import warnings
from pathlib import Path

import msgspec
import pytest
from joblib.externals.loky import get_reusable_executor

from nimmt.arena import ArenaError, Ledger, Sprt, make_report, run
from nimmt.arena.players import Unit, play_unit
from nimmt.arena.runner import Cores, Here, Pace


def without_times(results):
    return [msgspec.structs.replace(result, clocks=(), seconds=0.0) for result in results]


class Reversed(Here):
    """Gives results back in the wrong order, each twice, and takes many units at once."""

    workers = 3

    def play(self, plan, units):
        while batch := [unit for _, unit in zip(range(4), units, strict=False)]:
            for unit in reversed(batch):
                results = play_unit(plan, unit)
                yield results
                yield results[::-1]


@pytest.fixture
def cores():
    backend = Cores(2)
    yield backend
    backend.close()


def test_any_number_of_jobs_gives_the_same_report(plan, cores):
    two = plan("greedy,random", seats=2)
    reports = []
    for backend in (Here(), Reversed(), cores):
        ledger = Ledger()
        course = run(two, "deals", 40, backend, ledger)
        report = make_report(two, course, ledger.first("deals", course.counted))
        reports.append(msgspec.structs.replace(report, times=()))
    assert reports[0] == reports[1] == reports[2]
    assert reports[0].course.counted == 40


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells what a process is deaf to")
def test_workers_never_hear_ctrl_c(plan, cores):
    """Else one that has just begun dies with a traceback in front of whoever wanted to stop."""

    def is_deaf(pid):
        blocked = re.search(r"^SigBlk:\s*(\w+)", Path(f"/proc/{pid}/status").read_text(), re.M)[1]
        return bool(int(blocked, 16) >> (signal.SIGINT - 1) & 1)

    run(plan("greedy,random", seats=2), "deals", 4, cores, Ledger())
    workers = list(get_reusable_executor(reuse=True)._processes)
    assert len(workers) == 2
    assert all(map(is_deaf, workers))
    assert not is_deaf("self")


def test_nobody_hears_of_deals_that_were_played_in_vain(plan, cores):
    """Who presses Ctrl-C, or stops when the question is answered, leaves some of them."""
    units = (Unit("deals", (deal,)) for deal in range(50))
    playing = cores.play(plan("greedy,random", seats=2), units)
    next(playing)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        playing.close()
    assert [str(warning.message) for warning in told] == []


@pytest.mark.parametrize("unit_size", [None, 1, 7])
def test_the_test_stops_at_the_same_deal_everywhere(plan, unit_size):
    two = plan("greedy,random", seats=2)
    courses = []
    for backend in (Here(), Reversed()):
        ledger = Ledger()
        courses.append(run(two, "deals", 400, backend, ledger, sprt=Sprt(gain=0.2), unit_size=unit_size))
    assert courses[0] == courses[1]
    assert (courses[0].stopped, courses[0].verdict) == ("sprt", "better")
    assert 30 <= courses[0].counted < 200


def test_a_weak_bot_is_not_better(plan):
    course = run(plan("random,greedy", seats=2), "deals", 400, Here(), Ledger(), sprt=Sprt(gain=0.2))
    assert course.verdict == "not better"


def test_an_undecided_test_plays_all_deals(plan):
    two = plan("a=random,b=random", seats=2, duplicate=False)
    course = run(two, "deals", 40, Here(), Ledger(), sprt=Sprt(gain=0.01))
    assert (course.counted, course.stopped, course.verdict) == (40, None, None)


def test_a_process_that_is_killed_costs_nothing(plan, cores, engine):
    """The engine kills the process that plays it, once."""
    program = f"""
marker, player = sys.argv[0] + ".done", os.getppid()
ready()
for told in decisions():
    if not os.path.exists(marker):
        open(marker, "w").close()
        os.kill(player, {int(signal.SIGKILL)})
        break
    say(type="act", action=told["legal"][0])
"""
    bots = plan(f"random:1,{engine(program)}:1", seats=2)
    ledger, told = Ledger(), []
    course = run(bots, "deals", 6, cores, ledger, unit_size=1, on_deal=lambda: told.append(1))
    assert (course.counted, len(told)) == (6, 6)
    assert not any(table.forfeits for result in ledger.first("deals", 6) for table in result.tables)
    assert without_times(ledger.first("deals", 6)) == without_times(_again(bots, 6))


def _again(plan, deals):
    ledger = Ledger()
    run(plan, "deals", deals, Here(), ledger)
    return ledger.first("deals", deals)


def test_processes_that_die_again_and_again_are_an_error(plan, cores, engine, monkeypatch):
    monkeypatch.setattr("nimmt.arena.runner.MAX_DEATHS", 1)
    program = f"player = os.getppid()\nready()\nfor told in decisions(): os.kill(player, {int(signal.SIGKILL)}); break"
    with pytest.raises(ArenaError, match="died"):
        run(plan(f"random:1,{engine(program)}:1", seats=2), "deals", 2, cores, Ledger())


# -- on the disk ------------------------------------------------------------------------------------------------


def test_results_are_written_as_they_come(plan, tmp_path):
    two, seen = plan("greedy,random", seats=2), []
    ledger = Ledger.open(tmp_path / "out", two)
    path = tmp_path / "out" / "results.jsonl"
    run(two, "deals", 5, Here(), ledger, on_deal=lambda: seen.append(len(path.read_bytes().splitlines())))
    assert seen == [1, 2, 3, 4, 5]
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert [line["deal"] for line in lines] == [0, 1, 2, 3, 4]
    ledger.close()


class Interrupted(Here):
    """Somebody presses Ctrl-C after some units."""

    def __init__(self, after):
        self.after = after

    def play(self, plan, units):
        for number, results in enumerate(super().play(plan, units)):
            if number == self.after:
                raise KeyboardInterrupt
            yield results


def test_an_interrupted_run_is_resumed(plan, tmp_path):
    two = plan("greedy,random", seats=2)
    ledger = Ledger.open(tmp_path, two)
    course = run(two, "deals", 20, Interrupted(7), ledger, unit_size=1)
    ledger.close()
    assert (course.stopped, course.counted) == ("interrupted", 7)

    played = []
    ledger = Ledger.open(tmp_path, two, resume=True)
    course = run(two, "deals", 20, Here(), ledger, on_deal=lambda: played.append(1))
    ledger.close()
    assert (course.stopped, course.counted, len(played)) == (None, 20, 13)
    whole = Ledger()
    run(two, "deals", 20, Here(), whole)
    assert without_times(ledger.first("deals", 20)) == without_times(whole.first("deals", 20))


def test_a_line_cut_short_is_played_again(plan, tmp_path):
    two = plan("greedy,random", seats=2)
    ledger = Ledger.open(tmp_path, two)
    run(two, "deals", 4, Here(), ledger)
    ledger.close()
    path = tmp_path / "results.jsonl"
    whole = path.read_bytes()
    os.truncate(path, len(whole) - 30)
    ledger = Ledger.open(tmp_path, two, resume=True)
    assert ledger.missing("deals", 4) == [3]
    run(two, "deals", 4, Here(), ledger)
    ledger.close()
    assert len(path.read_bytes().splitlines()) == 4
    ledger = Ledger.open(tmp_path, two, resume=True)
    ledger.close()
    assert ledger.missing("deals", 4) == []


def test_a_deal_that_stands_there_twice_counts_once(plan, tmp_path):
    two = plan("greedy,random", seats=2)
    ledger = Ledger.open(tmp_path, two)
    run(two, "deals", 3, Here(), ledger)
    ledger.close()
    path = tmp_path / "results.jsonl"
    path.write_bytes(path.read_bytes() * 2)
    again = Ledger.open(tmp_path, two, resume=True)
    assert again.first("deals", 10) == ledger.first("deals", 10)
    again.close()


def test_deals_and_matches_lie_side_by_side(plan, tmp_path):
    two = plan("greedy,random", seats=2, target=20)
    ledger = Ledger.open(tmp_path, two)
    run(two, "deals", 2, Here(), ledger)
    run(two, "matches", 3, Here(), ledger)
    ledger.close()
    again = Ledger.open(tmp_path, two, resume=True)
    again.close()
    assert [len(again.first(kind, 9)) for kind in ("deals", "matches")] == [2, 3]


def test_results_of_another_arena_are_not_mixed_in(plan, tmp_path):
    Ledger.open(tmp_path, plan("greedy,random", seats=2)).close()
    with pytest.raises(ArenaError, match="another arena: seats, arrangements differ"):
        Ledger.open(tmp_path, plan("greedy,random", seats=4), resume=True)


def test_results_are_not_overwritten_unasked(plan, tmp_path):
    two = plan("greedy,random", seats=2)
    ledger = Ledger.open(tmp_path, two)
    run(two, "deals", 2, Here(), ledger)
    ledger.close()
    with pytest.raises(ArenaError, match="--resume"):
        Ledger.open(tmp_path, two)
    ledger = Ledger.open(tmp_path, two, force=True)
    ledger.close()
    assert ledger.missing("deals", 2) == [0, 1]


@pytest.mark.parametrize("line", [b"nonsense\n", b'{"kind":"deals","deal":"x"}\n'])
def test_a_file_of_something_else_is_refused(plan, tmp_path, line):
    two = plan("greedy,random", seats=2)
    Ledger.open(tmp_path, two).close()
    (tmp_path / "results.jsonl").write_bytes(line)
    with pytest.raises(ArenaError, match="line 1: this is not a result"):
        Ledger.open(tmp_path, two, resume=True)
    (tmp_path / "plan.json").write_bytes(line)
    with pytest.raises(ArenaError, match="not an arena plan"):
        Ledger.open(tmp_path, two, resume=True)


# -- the size of units ------------------------------------------------------------------------------------------


def test_units_grow_with_fast_deals_and_shrink_towards_the_end(plan, play):
    two = plan("greedy,random", seats=2)
    pace = Pace(two, workers=2)
    (result,) = play(two, 1)
    assert pace.size(1000) == 1
    pace.add(msgspec.structs.replace(result, seconds=0.01))
    assert pace.size(1000) == 50
    assert pace.size(20) == 5
    assert pace.size(1) == 1
    pace.add(msgspec.structs.replace(result, seconds=60.0))
    assert pace.size(1000) == 1


def test_engines_are_worth_starting(plan, play):
    (result,) = play(plan("random", seats=2), 1)
    pace = Pace(plan("cmd:./bot", seats=2), workers=2)
    pace.add(msgspec.structs.replace(result, seconds=0.1))
    assert pace.size(1000) == 50
