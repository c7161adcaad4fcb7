"""Plans, runs, and engines of every sort of misbehaviour."""

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nimmt.arena import Ledger, Plan, make_plan, read_field, run
from nimmt.arena.players import DealResult
from nimmt.arena.runner import Backend, Here
from nimmt.rules import registry
from nimmt.rules.kit.options import read_options

PREAMBLE = """\
import json, os, sys, time

def say(**message):
    print(json.dumps(message), flush=True)

def ready():
    sys.stdin.readline()
    say(type="ready", protocol=1, name="Odd")

def decisions():
    for line in sys.stdin:
        told = json.loads(line)
        if told["type"] == "decide":
            yield told

"""

MakePlan = Callable[..., Plan]
Play = Callable[..., list[DealResult]]
MakeEngine = Callable[[str], str]


@pytest.fixture
def plan() -> MakePlan:
    """`plan("greedy,random", game="x", seats=3)`: twelve letters of seed, duplicate deals."""

    def make(bots: str, game: str = "six", seats: int = 4, *, duplicate: bool = True, **settings: object) -> Plan:
        playing = registry.get(game)
        time_ms = int(settings.pop("time_ms", 5000))  # type: ignore[call-overload]
        options = read_options(playing.options_type, settings)
        return make_plan(playing, options, seats, read_field(bots), seed="a seed", duplicate=duplicate, time_ms=time_ms)

    return make


@pytest.fixture
def play() -> Play:
    def call(plan: Plan, deals: int, kind: str = "deals", backend: Backend | None = None) -> list[DealResult]:
        ledger = Ledger()
        run(plan, kind, deals, backend or Here(), ledger)  # type: ignore[arg-type]
        return ledger.first(kind, deals)  # type: ignore[arg-type]

    return call


@pytest.fixture
def engine(tmp_path: Path) -> MakeEngine:
    """`engine("ready()\\n…")`: the program as something to write behind --bots."""

    def make(program: str) -> str:
        path = tmp_path / f"engine{len(list(tmp_path.iterdir()))}.py"
        path.write_text(PREAMBLE + program, "utf-8")
        return f'cmd:"{shlex.join([sys.executable, str(path)])}"'

    return make
