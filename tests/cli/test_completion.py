"""`nimmt completion`: what real shells offer at the Tab key."""

import os
import shutil
import subprocess
import sys

import pytest

from nimmt.bots import BOTS
from nimmt.clients.cli.main import COMMANDS
from nimmt.rules.registry import GAMES

BASH = """
source <(nimmt completion bash)
complete -p nimmt | grep -q -- '-F _python_argcomplete' || exit 1
for LINE in "$@"; do
    COMP_LINE=$LINE COMP_POINT=${#LINE} COMP_TYPE=9
    _python_argcomplete nimmt
    printf '%s\\n' "${COMPREPLY[@]}" ---
done
"""
ZSH = """
compdef() { [[ $2 = nimmt ]] || exit 1 }
_describe() { print -l -- ${(P)2} }
source <(nimmt completion zsh)
for LINE; do
    words=(${=LINE}) BUFFER=$LINE CURSOR=${#LINE}
    _python_argcomplete
    print -- ---
done
"""
FISH = """
nimmt completion fish | source
for LINE in $argv
    complete --do-complete $LINE
    echo ---
end
"""
SHELLS = {
    "bash": (["bash", "--norc", "-c", BASH, "bash"], " "),
    "zsh": (["zsh", "-f", "-c", ZSH, "zsh"], ":"),
    "fish": (["fish", "--no-config", "-c", FISH], "\t"),
}
"""How to ask it, and what stands between a word and its meaning."""

LINES = {
    "nimmt s": ["simulate", "show", "serve"],
    "nimmt play ": [*GAMES],
    "nimmt play --pl": ["--players", "--plain"],
    "nimmt simulate six --fan cow,t": ["cow,twist"],
    "nimmt verify mat": ["match.json", "matches/"],
}
MORE_LINES = {
    "nimmt ": [*COMMANDS],
    "nimmt nonsense ": [],
    "nimmt rules bu": ["buffalo"],
    "nimmt play --fa": ["--fan"],
    "nimmt play x --fa": [],
    "nimmt play six --fan ": ["cow", "even-odd", "mountain", "twist"],
    "nimmt simulate baron --variant b": ["basic", "bulls-are-good", "both"],
    "nimmt simulate six --out mat": ["matches/"],
    "nimmt play --bots ": [*BOTS],
    "nimmt play --bots greedy,exp": ["greedy,expert"],
    "nimmt play --speed i": ["instant"],
    "nimmt play --seed ": [],
    "nimmt serve --por": ["--port"],
}


@pytest.mark.parametrize(("shell", "lines"), [("bash", LINES | MORE_LINES), ("zsh", LINES), ("fish", LINES)])
def test_what_a_shell_offers(shell, lines, tmp_path, monkeypatch):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    program = tmp_path / "bin" / "nimmt"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m nimmt "$@"\n', "utf-8")
    program.chmod(0o755)
    (tmp_path / "match.json").touch()
    (tmp_path / "matches").mkdir()
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(tmp_path)

    command, separator = SHELLS[shell]
    done = subprocess.run([*command, *lines], capture_output=True, text=True, check=False, timeout=180)
    assert (done.returncode, done.stderr) == (0, "")
    answers = done.stdout.split("---\n")[:-1]
    offered = [[word.partition(separator)[0] for word in answer.splitlines() if word] for answer in answers]
    assert {line: sorted(words) for line, words in zip(lines, offered, strict=True)} == {
        line: sorted(words) for line, words in lines.items()
    }


def test_the_scripts_are_for_the_shells_that_there_are(run):
    for shell in SHELLS:
        ran = run("completion", shell)
        assert (ran.code, ran.err) == (0, "")
        assert "nimmt" in ran.out
    assert run("completion", "tcsh").code == 2
    assert run("completion").code == 2
