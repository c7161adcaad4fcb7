"""What the pages about the arena and the engine protocol say is true."""

import contextlib
import io
import json
import re
from pathlib import Path

import msgspec
import pytest

from nimmt.arena import engine
from nimmt.arena.engine import Reason
from nimmt.clients.cli import main

ROOT = Path(__file__).resolve().parents[2]
ARENA = (ROOT / "docs" / "arena.md").read_text("utf-8")
PROTOCOL = (ROOT / "docs" / "engine-protocol.md").read_text("utf-8")
TO_ENGINE = (engine.Hello, engine.New, engine.Decide, engine.Over, engine.Quit)
FROM_ENGINE = (engine.Ready, engine.Act, engine.Info)


def test_the_python_runs():
    (program,) = re.findall(r"```python\n(.*?)```", ARENA, re.DOTALL)
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(program, {})  # noqa: S102
    assert out.getvalue().startswith("greedy Estimate(mean=0.")


def test_every_flag_is_explained(capsys):
    main(["arena", "--help"])
    flags = set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out)) - {"--help", "--fast"}
    assert [flag for flag in sorted(flags) if f"`{flag}" not in ARENA] == []


def test_the_conversation_is_one():
    (block,) = re.findall(r"```text\n(.*?)```", PROTOCOL, re.DOTALL)
    checked = 0
    for line in block.splitlines():
        if "…" in line:
            continue
        types = {"→": engine.ToEngine, "←": engine.FromEngine}[line[0]]
        msgspec.json.decode(line[2:], type=types)
        checked += 1
    assert checked >= 5


@pytest.mark.parametrize("message", [*TO_ENGINE, *FROM_ENGINE], ids=lambda message: message.__name__)
def test_every_message_and_field_is_explained(message):
    name = message.__name__.lower()
    (line,) = (line for line in PROTOCOL.splitlines() if line.startswith(f"| `{name}` |"))
    assert [field for field in message.__struct_fields__ if f"`{field}`" not in line] == []


def test_every_reason_is_explained():
    for reason in Reason.__args__:
        assert f"| `{reason}` |" in PROTOCOL


def test_the_protocol_has_its_number():
    assert f"This is protocol **{engine.PROTOCOL}**" in PROTOCOL
    assert json.loads(msgspec.json.encode(engine.Hello()))["protocol"] == engine.PROTOCOL
