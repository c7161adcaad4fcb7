"""Help, errors and exit codes: whatever is typed, the answer is a line that a person understands."""

import contextlib
import io
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nimmt.clients.cli import main
from nimmt.clients.cli.main import COMMANDS
from nimmt.rules.game import IllegalAction, Refusal
from nimmt.rules.kit.options import option_fields
from nimmt.rules.registry import GAMES, all_games

WITH_OPTIONS = ("simulate", "play")
NARROW = ("simulate", "verify", "show", "position", "games", "rules")


def test_help_lists_every_command(run):
    ran = run("--help")
    assert ran.code == 0
    assert all(f"\n  {command} " in ran.out for command in COMMANDS)
    assert ran.out == run("-h").out == run().out


def test_without_a_command_the_usage_is_wrong(run):
    assert run().code == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_is_a_module_with_help_and_examples(run, command):
    module = import_module(f"nimmt.clients.cli.{command.replace('-', '_')}")
    assert callable(module.configure)
    assert callable(module.run)
    ran = run(command, "--help")
    assert ran.code == 0
    assert f"usage: nimmt {command}" in ran.out
    assert f"  nimmt {command}" in ran.out.partition("examples:")[2]
    assert ran.out.count("exit codes:") == 1


@pytest.mark.parametrize("command", NARROW)
def test_help_fits_eighty_columns(run, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "80")
    assert [line for line in run(command, "--help").out.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("command", WITH_OPTIONS)
@pytest.mark.parametrize("game", GAMES)
def test_help_of_a_game_tells_its_options(run, monkeypatch, command, game):
    monkeypatch.setenv("COLUMNS", "1000")
    ran = run(command, game, "--help")
    assert ran.code == 0
    (playing,) = (known for known in all_games() if known.id == game)
    assert all(variant.id in ran.out for variant in playing.variants)
    for field in option_fields(playing.options_type):
        assert f"--{field.name.replace('_', '-')}" in ran.out
        assert field.description in ran.out
        assert all(choice in ran.out for choice in field.choices)


def test_version(run):
    assert run("--version").out.startswith("nimmt ")


@pytest.mark.parametrize(
    ("words", "needed"),
    [
        (["simulte"], ["no command 'simulte'", "did you mean simulate?"]),
        (["simulate"], ["Which game?", "six, buffalo, x, eleven, baron"]),
        (["simulate", "--fan", "cow"], ["Which game?", "six, buffalo, x, eleven, baron"]),
        (["simulate", "sxi"], ["no game 'sxi'", "did you mean six?", "six, buffalo, x, eleven, baron"]),
        (["simulate", "--fan", "cow", "sxi"], ["no game 'sxi'"]),
        (["simulate", "--fan=cow", "sxi"], ["no game 'sxi'"]),
        (["play", "sxi"], ["no game 'sxi'", "did you mean six?"]),
        (["play", "--fna", "cow"], ["'nimmt play' has no option --fna", "did you mean --fan?"]),
        (["rules", "chess"], ["no game 'chess'"]),
        (["games", "chess"], ["no game 'chess'"]),
        (["simulate", "six", "x"], ["'x'"]),
        (["simulate", "six", "--fna", "cow"], ["simulate six", "no option --fna", "did you mean --fan?", "--target"]),
        (["simulate", "--fan", "cow", "x"], ["simulate x", "no option --fan", "--rounds"]),
        (["simulate", "six", "-q"], ["no option -q"]),
        (["simulate", "six", "--fan", "caw"], ["six", "--fan", "cow, even-odd, mountain, twist", "did you mean cow?"]),
        (["simulate", "six", "--fan", "cow,cow"], ["six", "only once"]),
        (["simulate", "six", "--target", "many"], ["six", "target", "from 1 to 1000", "'many'"]),
        (["simulate", "six", "--target", "-5"], ["six", "target", "from 1 to 1000", "-5"]),
        (["simulate", "six", "--target", "9" * 5000], ["six", "target", "from 1 to 1000"]),
        (["simulate", "six", "--target"], ["--target"]),
        (["simulate", "six", "--draft=no"], ["--draft"]),
        (["simulate", "six", "--variant", "chaos"], ["six has no variant 'chaos'", "all-fans"]),
        (["simulate", "six", "--players", "11"], ["six", "2 to 10", "11"]),
        (["simulate", "six", "--players", "0"], ["--players", "'0'"]),
        (["simulate", "six", "--matches", "1.5"], ["--matches", "'1.5'"]),
        (["simulate", "six", "--bots", "gredy"], ["no bot 'gredy'", "did you mean greedy?", "random, greedy"]),
        (["simulate", "six", "--players", "2", "--bots", "random,random,random"], ["3 bots", "2 seats"]),
        (["simulate", "buffalo", "--decide", "me"], ["buffalo", "decide", "agree, anyone"]),
        (["simulate", "baron", "--deck", "missing.json"], ["missing.json: No such file"]),
        (["serve", "--prot", "80"], ["no option --prot", "did you mean --port?"]),
        (["serve", "--port", "http"], ["--port: port must be a whole number from 0 to 65535, not 'http'."]),
        (["serve", "--settings", "missing.toml"], ["missing.toml: No such file"]),
        (["verify"], ["FILE"]),
        (["show", "missing.json"], ["missing.json: No such file"]),
        (["show", "."], ["directory"]),
        (["show", "a\0b"], ["valid file name"]),
        (["show", "x", "--seat", "1", "--all"], ["not allowed with"]),
        (["position", "missing.txt"], ["missing.txt: No such file"]),
        (["position", "x", "--to", "xml"], ["--to", "'text', 'json'"]),
    ],
)
def test_wrong_usage_is_one_line_that_helps(run, tmp_path, monkeypatch, words, needed):
    monkeypatch.chdir(tmp_path)
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("nimmt: ")
    assert ran.err.count("\n") == 1
    assert [part for part in needed if part not in ran.err] == []


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["simulate", "six", "--fan", "caw"], "invalid_options"),
        (["simulate", "chess"], "unknown_game"),
        (["simulate", "six", "--nonsense"], "usage"),
        (["simulate", "six", "--bots", "human"], "unknown_bot"),
        (["show", "missing.json"], "unreadable"),
        (["position", "missing.txt"], "unreadable"),
        (["nonsense"], "usage"),
    ],
)
def test_with_json_an_error_is_an_object_on_standard_output(run, tmp_path, monkeypatch, words, code):
    monkeypatch.chdir(tmp_path)
    ran = run(*words, "--json")
    assert (ran.code, ran.err) == (2, "")
    assert ran.data["error"]["code"] == code
    assert ran.data["error"]["message"]


WHEREVER = [
    ["six", "--fan", "cow", "--players", "3", "--matches", "1", "--seed", "1", "--json"],
    ["--fan", "cow", "six", "--players", "3", "--matches", "1", "--seed", "1", "--json"],
    ["--players", "3", "--json", "--fan=cow", "--seed", "1", "--matches", "1", "six"],
    ["--json", "--matches=1", "six", "--seed", "1", "--players", "3", "--fan", "cow"],
    ["--json", "--matches=1", "--seed", "1", "--players", "3", "--fan", "cow", "--", "six"],
    ["--variant", "cow", "--json", "six", "--matches=1", "--seed", "1", "--players", "3"],
]


@pytest.mark.parametrize("words", WHEREVER)
def test_flags_may_stand_wherever_they_like(run, words):
    data = run("simulate", *words).data
    assert (data["game"], data["players"], data["options"]["fan"]) == ("six", 3, ["cow"])


def test_a_value_is_not_taken_for_the_game(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = run("simulate", "--out", "x", "--matches", "1", "six", "--json", "--seed", "eleven").data
    assert (data["game"], data["out"], data["seed"]) == ("six", "x", "eleven")
    assert Path("x/six-eleven-00001.json").exists()


# -- what happens around a command -----------------------------------------------------------------------------


def interrupt(*_):
    raise KeyboardInterrupt


def test_an_interrupt_is_no_traceback(run, monkeypatch):
    monkeypatch.setattr("nimmt.clients.cli.games.all_games", interrupt)
    ran = run("games", "--json")
    assert (ran.code, ran.out, ran.err) == (130, "", "Interrupted.\n")


def test_an_illegal_action_means_no(run, monkeypatch):
    def refuse():
        raise IllegalAction(Refusal.NOT_IN_HAND, 0, "55 is not in your hand.")

    monkeypatch.setattr("nimmt.clients.cli.games.all_games", refuse)
    assert run("games").err == "nimmt: 55 is not in your hand.\n"
    ran = run("games", "--json")
    assert (ran.code, ran.data["error"]["code"]) == (1, "not_in_hand")


def test_a_mistake_of_ours_is_not_hidden(run, monkeypatch):
    def break_down():
        raise ZeroDivisionError

    monkeypatch.setattr("nimmt.clients.cli.games.all_games", break_down)
    with pytest.raises(ZeroDivisionError):
        run("games")


def test_nobody_reading_on_is_quiet(record_path):
    code = f"import sys; from nimmt.clients.cli import main; sys.exit(main(['show', {str(record_path)!r}]))"
    reader = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert reader.stdout
    reader.stdout.close()
    _, err = reader.communicate(timeout=180)
    assert (reader.returncode, err) == (141, b"")


def test_it_runs_as_a_module(process):
    ran = process("--help")
    assert ran.returncode == 0
    assert ran.stdout.startswith("usage: nimmt")
    assert process("nonsense").returncode == 2


@pytest.mark.parametrize("words", [[], ["--help"], ["simulate", "six", "--help"], ["verify", "missing.json"]])
def test_rich_is_imported_only_to_draw(words):
    code = f"""
import sys
from nimmt.clients.cli import main
main({words!r})
heavy = {{"rich", "numpy", "numba", "textual"}}
print(*heavy & {{name.split(".")[0] for name in sys.modules}}, "end", file=sys.stderr)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stderr.split() == ["end"]


@pytest.mark.parametrize("words", [["--help"], ["--version"]])
def test_help_imports_no_command_and_no_game(words):
    code = f"import sys\nfrom nimmt.clients.cli import main\nmain({words!r})\nprint(*sys.modules, file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = {name for name in ran.stderr.split() if name.startswith("nimmt.")}
    assert modules == {"nimmt.clients", "nimmt.clients.cli", "nimmt.clients.cli.main"}


def test_a_command_imports_no_other_command(record_path):
    code = f"""
import sys
from nimmt.clients.cli import main
main(["verify", {str(record_path)!r}])
print(*sys.modules, file=sys.stderr)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(ran.stderr.split())
    assert {f"nimmt.clients.cli.{command}" for command in COMMANDS} & modules == {"nimmt.clients.cli.verify"}
    assert {f"nimmt.games.{game}" for game in GAMES} & modules == {"nimmt.games.six"}


# -- nonsense --------------------------------------------------------------------------------------------------

FLAGS = sorted(
    {"--players", "--matches", "--seed", "--bots", "--out", "--force", "--json", "--variant", "--to", "--seat"}
    | {"--all", "--turn", "--round", "--help", "--", "-", "-h", "--fan=cow", "--no-draft", "--target=", "--rows"}
    | {f"--{field.name.replace('_', '-')}" for game in all_games() for field in option_fields(game.options_type)}
)
VALUES = [
    "0",
    "1",
    "2",
    "-1",
    "1e3",
    "9" * 30,
    "cow",
    "cow,twist",
    "random,greedy",
    "none",
    "text",
    "",
    ".",
    "record.json",
]
# No digits, or a million matches might be asked for; nothing that leads out of the folder.
TEXT = st.text(st.characters(exclude_characters="0123456789/\\~.", exclude_categories=("Nd",)), max_size=8)
WORDS = st.lists(st.sampled_from([*GAMES, *FLAGS, *VALUES]) | TEXT, max_size=7)
# Other commands may wait for somebody, and a text may happen to name one.
TRIED = ["games", "verify", "show", "rules", "position", "referee", "simulate"]
COMMAND = st.sampled_from(TRIED) | TEXT.filter(lambda text: text not in COMMANDS)


@pytest.fixture(scope="module")
def playground(tmp_path_factory, record_path):
    folder = tmp_path_factory.mktemp("playground")
    (folder / "record.json").write_bytes(record_path.read_bytes())
    with contextlib.chdir(folder):
        yield folder


@given(command=COMMAND, words=WORDS)
@settings(deadline=None, max_examples=400, suppress_health_check=[HealthCheck.too_slow])
def test_nonsense_is_never_a_traceback(playground, command, words):
    few = ["--matches", "1"] if command == "simulate" else []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
            code = main([command, *few, *words])
    assert code in {0, 1, 2, 3}
    if code == 2 and "--json" in words and command != "verify":
        assert json.loads(out.getvalue())["error"]["message"]
    elif code == 2 and not out.getvalue():
        assert err.getvalue().splitlines()[-1].startswith("nimmt: ")
