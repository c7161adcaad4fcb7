"""Programs that speak the protocol, well or badly: the arena goes on, and says what happened."""

import json
import shlex
import subprocess
import sys
import threading
import time
from pathlib import Path

import msgspec
import pytest

from nimmt.arena import ArenaError, Ledger, run
from nimmt.arena import engine as protocol
from nimmt.arena.engine import LISTED_ACTIONS, Decide, Engine, EngineFailed, Over, Speaker, get_ready
from nimmt.arena.players import Unit, play_unit, try_out
from nimmt.arena.runner import Here
from nimmt.games.buffalo.types import Pass, Propose, Sort
from nimmt.rules import registry
from nimmt.rules.game import abridged
from nimmt.testing.processes import is_running

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = f'cmd:"{shlex.join([sys.executable, str(ROOT / "examples" / "engine.py")])}"'


def ours(level):
    return f'cmd:"{shlex.join([sys.executable, "-m", "nimmt", "engine", "--level", level])}"'


def tables(results):
    return [table for result in results for table in result.tables]


def forfeits(results):
    return [forfeit for table in tables(results) for forfeit in table.forfeits]


# -- engines that behave ----------------------------------------------------------------------------------------


def test_the_example_has_twenty_lines_and_plays(plan, play):
    program = (ROOT / "examples" / "engine.py").read_text("utf-8").partition("import json")[2]
    assert len(program.splitlines()) <= 20
    results = play(plan(f"greedy:3,{EXAMPLE}:1"), 2)
    assert forfeits(results) == []
    assert results[0].clocks[1].decisions > 30


@pytest.mark.parametrize(
    ("game", "seats", "level"), [("six", 3, "random"), ("eleven", 3, "greedy"), ("buffalo", 5, "random")]
)
def test_a_bot_plays_the_same_behind_the_protocol(plan, play, game, seats, level):
    """Also where the list of actions is cut: Sort has hundreds of orders with five seats."""
    here, there = play(plan(f"a={level}", game, seats), 1), play(plan(f"a={ours(level)}", game, seats), 1)
    assert tables(here) == tables(there)


def test_an_engine_is_told_all_it_needs(plan, engine, tmp_path):
    log = tmp_path / "log"
    program = f"""
ready()
log = open({str(log)!r}, "a")
for line in sys.stdin:
    log.write(line); log.flush()
    told = json.loads(line)
    if told["type"] == "decide":
        say(type="info", text="thinking")
        say(type="act", action=told["legal"][-1], decision=told["decision"], comment="fields may grow")
"""
    play_unit(plan(f"random:2,{engine(program)}:1", seats=3, fan=("twist",)), Unit("deals", (0, 1)))
    told = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    new, decide = told[0], told[1]
    assert new["type"] == "new"
    assert (new["game"], new["seats"], new["seat"], new["time_ms"]) == ("six", 3, 2, 5000)
    assert (new["options"]["fan"], new["options"]["rounds"]) == (["twist"], 1)
    assert (decide["type"], decide["kind"], decide["decision"]) == ("decide", "card", 1)
    assert (decide["view"]["seat"], len(decide["view"]["hand"])) == (2, 10)
    assert decide["legal"][-1]["twisted"]
    assert decide["all_listed"]
    assert decide["events"][0]["type"] == "RoundDealt"
    assert [len(hand or ()) for hand in decide["events"][0]["hands"]] == [0, 0, 10]
    kinds = [message["type"] for message in told]
    assert (kinds.count("new"), kinds.count("over"), kinds[-1]) == (6, 6, "quit")
    over = next(message for message in told if message["type"] == "over")
    assert over["outcome"]["reason"] == "rounds"
    assert len({message["seed"] for message in told if message["type"] == "new"}) == 6


def test_very_many_actions_are_cut_and_marked():
    many = [*(Propose(Sort((seat,))) for seat in range(500)), Pass()]
    cut = abridged(many, LISTED_ACTIONS)
    assert len(cut) == LISTED_ACTIONS + 1
    assert cut[-1] == Pass()
    assert abridged(many[:50], LISTED_ACTIONS) == tuple(many[:50])


def test_an_engine_with_one_process_a_seat(plan, play):
    results = play(plan(EXAMPLE, seats=3), 1)
    assert forfeits(results) == []


# -- engines that do not ----------------------------------------------------------------------------------------

MISBEHAVIOUR = {
    "late": ("ready()\nfor told in decisions(): time.sleep(60)", "time", "did not answer within 0.3 s"),
    "dies": (
        "ready()\nfor told in decisions(): print('ouch', file=sys.stderr, flush=True); sys.exit(3)",
        "crash",
        "exit code 3",
    ),
    "raises": ("ready()\nfor told in decisions(): told['nothing']", "crash", "Its last words: KeyError: 'nothing'"),
    "killed": ("ready()\nfor told in decisions(): os.kill(os.getpid(), 9)", "crash", "exit code -9"),
    "silent": ("ready()\nfor told in decisions(): os.close(1); time.sleep(60)", "crash", "closed its output"),
    "chatty": ("ready()\nfor told in decisions(): print('I think…', flush=True)", "nonsense", "is no message"),
    "wrong word": ("ready()\nfor told in decisions(): say(type='dance')", "nonsense", "is no message"),
    "greets again": ("ready()\nfor told in decisions(): say(type='ready', protocol=1)", "nonsense", "said ready"),
    "no action": (
        "ready()\nfor told in decisions(): say(type='act', action={'type': 'Fold'})",
        "nonsense",
        "no action",
    ),
    "huge": (
        "ready()\nfor told in decisions(): say(type='act', action={'type': 'PlayCard', 'card': 10**30})",
        "illegal",
        "no card with such a number",
    ),
    "not in hand": (
        "ready()\nfor told in decisions(): say(type='act', action={'type': 'PlayCard', 'card': 999})",
        "illegal",
        "no card 999",
    ),
    "other decision": (
        "ready()\nfor told in decisions(): say(type='act', action=told['legal'][0], decision=77)",
        "nonsense",
        "decision 77",
    ),
    "endless line": (
        "ready()\nfor told in decisions():\n    while True: sys.stdout.write('x' * 65536)",
        "nonsense",
        "xxx… is no message",
    ),
    "talks for ever": (
        "ready()\nfor told in decisions():\n    while True: say(type='info', text='hm')",
        "time",
        "did not answer",
    ),
    "shouts for ever": ("ready()\nfor told in decisions():\n    while True: print()", "time", "did not answer"),
    "binary": (
        "ready()\nfor told in decisions(): os.write(1, bytes(range(256)) + b'\\n')",
        "nonsense",
        "is no message",
    ),
}


@pytest.mark.parametrize("case", MISBEHAVIOUR)
def test_who_misbehaves_forfeits(plan, play, engine, case):
    program, reason, told = MISBEHAVIOUR[case]
    # Only who is to be late has little time: a busy machine may need much for a quick answer.
    time_ms = 300 if reason == "time" else 20_000
    (result,) = play(plan(f"a=random,b={engine(program)}", seats=2, time_ms=time_ms), 1)
    assert [(table.who, table.winners) for table in result.tables] == [((0, 1), (0,)), ((1, 0), (1,))]
    for table in result.tables:
        (forfeit,) = table.forfeits
        assert table.who[forfeit.seat] == 1
        assert (forfeit.reason, told in forfeit.report) == (reason, True), forfeit
        assert table.points[forfeit.seat] == max(table.points)
        assert forfeit.report.isprintable()


def test_an_engine_that_does_not_read_stops_nobody(plan, play, engine):
    """Pipes fill up: whoever writes to one must not wait for ever."""
    talker = Engine(shlex.split(engine("ready()\ntime.sleep(60)").removeprefix("cmd:").strip('"')))
    talker.start()
    for _ in range(200):
        talker.tell(Over(outcome="x" * 10_000))
    asked = Decide(decision=1, kind="card", view={}, legal=(), time_ms=200)
    with pytest.raises(EngineFailed, match="did not answer"):
        talker.decide(registry.get("six"), asked)
    assert not talker.running


def test_the_engine_is_started_again_for_the_next_deal(plan, engine):
    """It fails in its first match only."""
    program = """
marker = sys.argv[0] + ".tried"
ready()
if not os.path.exists(marker):
    open(marker, "w").close()
    sys.exit(1)
for told in decisions():
    say(type="act", action=told["legal"][0])
"""
    results = play_unit(plan(f"random:1,{engine(program)}:1", seats=2), Unit("deals", (0, 1)))
    assert [len(table.forfeits) for table in tables(results)] == [1, 0, 0, 0]


@pytest.mark.parametrize(
    ("then", "told"),
    [
        ("ready(); time.sleep(60)", "did not answer"),
        ("ready(); sys.exit(3)", "exit code 3"),
        ("sys.exit(4)", "exit code 4"),
        ("ready()\nfor told in decisions(): say(type='act', action=told['legal'][0])", None),
    ],
)
def test_what_an_engine_started_ends_with_it(plan, play, engine, tmp_path, then, told):
    """However the engine itself ends; and its end shows, though the child keeps its output open."""
    child = tmp_path / "child"
    program = f"""
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
with open({str(child)!r}, "w") as file:
    file.write(str(child.pid))
{then}
"""
    time_ms = 300 if told == "did not answer" else 20_000
    results = play(plan(f"random:1,{engine(program)}:1", seats=2, time_ms=time_ms, duplicate=False), 1)
    assert [told in forfeit.report for forfeit in forfeits(results)] == ([] if told is None else [True])
    pid = int(child.read_text())
    # A killed process goes when the system gets round to it.
    deadline = time.monotonic() + 30
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not is_running(pid)


def test_the_arena_gives_up_after_so_many_failures(plan, engine):
    ledger = Ledger()
    bad = plan(f"random:1,bad={engine('ready()')}:1", seats=2)
    course = run(bad, "deals", 50, Here(), ledger, most_failures=3)
    assert (course.stopped, course.given_up, course.counted) == ("failures", "bad", 3)


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("sys.exit(4)", "exit code 4"),
        ("sys.stdin.readline(); say(type='ready', protocol=2)", "speaks protocol 2, not 1"),
        ("sys.stdin.readline(); say(type='ready', protocol=1, games=['chess'])", "does not play six"),
        ("sys.stdin.readline(); say(type='act', action={})", "did not answer the hello"),
        ("sys.stdin.readline(); print('Welcome!', flush=True)", "Welcome! is no message"),
    ],
)
def test_an_engine_that_cannot_start_is_refused_at_once(plan, engine, program, told):
    (contestant,) = plan(engine(program)).contestants
    with pytest.raises(ArenaError, match=told):
        try_out(contestant, registry.get("six"))


def test_a_command_that_does_not_exist(plan):
    (contestant,) = plan("cmd:./no-such-program").contestants
    with pytest.raises(ArenaError, match="cannot be started"):
        try_out(contestant, registry.get("six"))


def test_a_bot_of_ours_that_fails_is_our_mistake(plan, play, monkeypatch):
    def stumble(*_):
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("nimmt.bots.simple.RandomBot.choose", stumble)
    with pytest.raises(ArenaError, match=r"The bot random failed: ZeroDivisionError: by zero \(deals 0, seats"):
        play(plan("random"), 1)


# -- our own engine ---------------------------------------------------------------------------------------------


def talk(*messages, level="greedy"):
    lines = b"".join(msgspec.json.encode(message) + b"\n" for message in messages)
    command = [sys.executable, "-m", "nimmt", "engine", "--level", level]
    return subprocess.run(command, input=lines, capture_output=True, timeout=120, check=False)


def test_our_engine_answers_line_by_line():
    six = registry.get("six")
    from nimmt.match.shuffle import make_deal

    state = six.setup(six.options_type(), 2)
    state, _ = six.deal(state, make_deal(b"root", 0, six.deal_request(state)))
    view, legal = six.view(state, 1), tuple(six.legal(state, 1))
    new = protocol.New(game="six", options={}, seats=2, seat=1, time_ms=1000)
    decide = Decide(decision=5, kind="card", view=view, legal=legal, time_ms=1000)
    done = talk(protocol.Hello(), new, decide, Over(outcome=None), protocol.Quit())
    ready, act = map(json.loads, done.stdout.splitlines())
    assert (done.returncode, done.stderr) == (0, b"")
    assert (ready["type"], ready["protocol"], ready["name"]) == ("ready", 1, "nimmt greedy")
    assert (act["type"], act["decision"]) == ("act", 5)
    assert act["action"] in msgspec.to_builtins(legal)


@pytest.fixture
def warmed(monkeypatch):
    """What our engine has got ready for, in their order."""
    games = []
    monkeypatch.setattr("nimmt.arena.engine.warm_up", games.append)
    get_ready.cache_clear()
    yield games
    get_ready.cache_clear()


@pytest.mark.parametrize(
    ("level", "games", "hello", "expected"),
    [
        ("master", None, "six", ["six"]),
        ("master", ["x", "six"], "six", ["six"]),
        ("master", ["x", "six"], None, ["x", "six"]),
        ("master", None, None, []),
        ("master", ["x"], "six", []),
        ("master", None, "chess", []),
        ("casual", None, "six", []),
        ("greedy", ["six"], "six", []),
    ],
)
def test_our_engine_gets_ready_before_it_says_so(warmed, level, games, hello, expected):
    answer = Speaker(level, games).answer(msgspec.json.encode(protocol.Hello(game=hello)))
    assert isinstance(answer, protocol.Ready)
    assert warmed == expected


def test_our_engine_gets_ready_for_a_match_before_it_is_asked(warmed):
    speaker = Speaker("master")
    for game in ("six", "six", "x"):
        new = protocol.New(game=game, options={}, seats=2, seat=1, time_ms=1000)
        assert speaker.answer(msgspec.json.encode(new)) is None
    assert warmed == ["six", "x"]


def test_an_engine_knows_the_game_before_it_says_ready(plan, play, engine):
    program = """
if json.loads(sys.stdin.readline())["game"] == "six":
    say(type="ready", protocol=1)
    for told in decisions(): say(type="act", action=told["legal"][0])
"""
    results = play(plan(f"random:1,{engine(program)}:1", seats=2, time_ms=20_000, duplicate=False), 1)
    assert forfeits(results) == []


def test_our_engine_may_play_some_games_only(engine):
    command = [sys.executable, "-m", "nimmt", "engine", "--games", "x,six"]
    ours = Engine(command)
    ours.start(registry.get("six"))
    ours.quit()
    with pytest.raises(EngineFailed, match="does not play eleven"):
        ours.start(registry.get("eleven"))


def test_our_engine_ends_with_its_input():
    assert talk(protocol.Hello()).returncode == 0
    assert talk().returncode == 0


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense\n",
        b'{"type":"dance"}\n',
        b'{"type":"new","game":"chess","options":{},"seats":2,"seat":0,"time_ms":1}\n',
        b"\xff\n",
    ],
)
def test_our_engine_refuses_nonsense_in_one_line(line):
    command = [sys.executable, "-m", "nimmt", "engine"]
    done = subprocess.run(command, input=line, capture_output=True, timeout=120, check=False)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert done.stderr.startswith(b"nimmt: ")


def test_threads_of_engines_come_to_an_end(plan, play):
    before = threading.active_count()
    play(plan(EXAMPLE, seats=2), 1)
    deadline = time.monotonic() + 30
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.02)
    assert threading.active_count() <= before
