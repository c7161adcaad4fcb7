"""What people at a terminal see: colours, bars, and only there."""

import os
import subprocess
import sys

import pytest

pty = pytest.importorskip("pty")


def watched(*words, streams=("stdout", "stderr")):
    """Run with some streams on a terminal; what appears there, and what goes elsewhere."""
    master, slave = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"}
    kinds = {name: slave if name in streams else subprocess.PIPE for name in ("stdout", "stderr")}
    process = subprocess.Popen([sys.executable, "-m", "nimmt", *map(str, words)], env=env, **kinds)
    os.close(slave)
    seen = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        seen += part
    rest = process.communicate(timeout=180)
    os.close(master)
    return seen.decode(), b"".join(part for part in rest if part).decode()


@pytest.mark.parametrize("words", [["games"], ["games", "six"], ["rules", "eleven"]])
def test_a_terminal_gets_colours(words):
    seen, _ = watched(*words)
    assert "\x1b[" in seen
    assert "nimmt" in seen


def test_a_verdict_is_green_or_red(record_path):
    seen, _ = watched("verify", record_path, "missing.json")
    assert "\x1b[1;32m✓" in seen
    assert "\x1b[1;31m✗" in seen


def test_a_story_is_in_colours(record_path):
    seen, _ = watched("show", record_path)
    assert "\x1b[" in seen
    assert "Round 2" in seen


def test_a_bar_while_matches_are_played():
    seen, out = watched("simulate", "x", "--matches", 30, streams=("stderr",))
    assert "matches" in seen
    assert "X nimmt!: 30 matches" in out
    assert "\x1b" not in out


def test_a_bar_does_not_swallow_the_lines(tmp_path, record_path):
    for number in range(25):
        (tmp_path / f"{number}.json").write_bytes(record_path.read_bytes())
    seen, out = watched("verify", tmp_path, streams=("stderr",))
    assert "records" in seen
    assert out.count("✓") == 25
    seen, _ = watched("verify", tmp_path)
    assert seen.count("✓") == 25
