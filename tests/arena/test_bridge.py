"""Engines at the tables of a real server."""

import re
import shlex
import subprocess
import sys
import threading
from pathlib import Path
from runpy import run_path
from typing import ClassVar

import httpx
import pytest

from nimmt.clients.cli import main
from nimmt.clients.remote import Client, Streams
from nimmt.rules import registry

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
EXAMPLE, LEARNER = shlex.join([sys.executable, str(EXAMPLES / "engine.py")]), EXAMPLES / "ppo.py"
NIMMT = [sys.executable, "-m", "nimmt"]


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    database = tmp_path_factory.mktemp("server") / "nimmt.db"
    command = [*NIMMT, "serve", "--port", "0", "--database", str(database)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        found = re.search(r"http://\S+", process.stdout.readline())
        try:
            yield found[0]
        finally:
            process.terminate()


@pytest.fixture
def token(url):
    with Client(url) as person:
        person.come_in("Owner")
        return person.make_token("engine")


def engine(url, *words):
    command = [*NIMMT, "engine", "--connect", url, "--matches", "1", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)


@pytest.mark.parametrize(
    ("mind", "game", "options"),
    [
        (["--cmd", EXAMPLE], "six", {"rounds": 1}),
        pytest.param(["--level", "greedy"], "x", {"rounds": 1}, marks=pytest.mark.soak),
        (["--level", "random"], "buffalo", {"decide": "anyone"}),
    ],
)
def test_an_engine_plays_a_match_on_a_server(url, token, mind, game, options):
    with Client(url, token) as client:
        table = client.open_table(game, seats=3, bots=["greedy", "random"], options=options, start=True)
        done = engine(url, "--token", token, *mind)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        situation = client.look(table)["situation"]
    assert situation["outcome"]["points"]
    assert [chair["away"] for chair in situation["chairs"]] == [None] * 3


def test_the_policy_of_the_example_that_learns_plays_on_a_server(url, token, tmp_path):
    """As an engine; before it has learnt anything, which is no matter here."""
    ppo, policy = run_path(str(LEARNER)), tmp_path / "policy.npz"
    ppo["Network"]().save(policy)
    test_an_engine_plays_a_match_on_a_server(
        url, token, ["--cmd", shlex.join([sys.executable, str(LEARNER), "engine", str(policy)])], "six", {"rounds": 1}
    )


def test_an_engine_comes_in_and_sits_down(url):
    with Client(url) as person:
        person.come_in("Hanna")
        client = Client(url, person.make_token("host"))
        table = client.open_table("six", seats=2, options={"rounds": 1})
        playing = threading.Thread(target=_start_and_play, args=(client, table), daemon=True)
        playing.start()
        done = engine(url, "--name", "Visitor", "--join", table, "--level", "greedy")
        playing.join(120)
        situation = client.look(table)["situation"]
        client.close()
    assert (done.returncode, done.stderr) == (0, "")
    assert situation["phase"] == "over"
    assert [chair["name"] for chair in situation["chairs"]] == ["Hanna", "Visitor"]


def _start_and_play(client, table):
    for message in client.follow(table):
        if all(chair["kind"] == "person" for chair in message["situation"]["chairs"]):
            break
    client.start(table)
    client.play_table(table, lambda situation: situation["legal"][0])


FAILING = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print(json.dumps({"type": "ready", "protocol": 1}), flush=True)
    if told["type"] == "decide":
        print("nonsense", flush=True)
"""


def test_somebody_plays_on_for_an_engine_that_fails(url, token, tmp_path):
    program = tmp_path / "failing.py"
    program.write_text(FAILING, "utf-8")
    with Client(url, token) as client:
        table = client.open_table("six", seats=2, bots=["random"], options={"rounds": 1}, start=True)
        cmd = shlex.join([sys.executable, str(program)])
        done = engine(url, "--token", token, "--cmd", cmd, "--failures", "3")
        assert client.look(table)["situation"]["phase"] == "over"
    assert done.returncode == 1
    assert done.stderr.count(f"nimmt: Table {table}: nonsense is no message") == 3


def test_illegal_answers_are_told_and_replaced(url, token, tmp_path):
    program = tmp_path / "cheat.py"
    program.write_text(
        FAILING.replace('"nonsense"', 'json.dumps({"type": "act", "action": {"type": "PlayCard", "card": 1000}})')
    )
    with Client(url, token) as client:
        table = client.open_table("six", seats=2, bots=["random"], options={"rounds": 1}, start=True)
        done = engine(url, "--token", token, "--cmd", shlex.join([sys.executable, str(program)]), "--failures", "2")
        assert client.look(table)["situation"]["phase"] == "over"
    assert done.returncode == 1
    assert "You have no card 1000 in your hand." in done.stderr


def test_that_the_server_is_away_is_told_once(monkeypatch):
    """Each outage for itself, of commands and of streams; a stream that only breaks off is taken up in silence."""
    away = httpx.ConnectError("nobody")
    course = [away, away, b"{}", httpx.ReadError("broken"), away, b'{"n": 1}\n', b"{}"]

    def answer(request):
        del request
        if isinstance(now := course.pop(0), Exception):
            raise now
        return httpx.Response(200, content=now)

    monkeypatch.setattr("nimmt.clients.remote.time.sleep", lambda _: None)
    monkeypatch.setattr(Streams, "wait", lambda *_: None)
    told = []
    client = Client("http://server", report=told.append)
    client._http = httpx.Client(transport=httpx.MockTransport(answer), base_url="http://server")
    assert client.me() == {}
    assert told == ["Waiting for the server: nobody"]
    assert next(client._lines("/", {}, None)) == {"n": 1}
    assert client.me() == {}
    assert told == ["Waiting for the server: nobody"] * 2


def test_an_engine_says_that_it_waits_for_a_server(monkeypatch, capsys):
    monkeypatch.setattr("nimmt.clients.remote.TIMEOUT", 0.0)
    assert main(["engine", "--connect", "http://localhost:1"]) == 1
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("nimmt: Waiting for the server: ")
    assert second.startswith("nimmt: http://localhost:1: The server cannot be reached: ")


class FakeClient(Client):
    """A server with one table of each game, named like it; keeps what is asked of it."""

    def __init__(self, url, *_, **__):
        self.urls.append(url)

    come_in = make_token = lambda *_: "token"
    urls: ClassVar[list[str]] = []

    def close(self):
        pass

    done: ClassVar[list[str]] = []

    def look(self, table):
        return {"table": {"game": table}}

    def join(self, table):
        self.done.append(f"join {table}")

    def events(self, streams):
        for game in ("x", "six"):
            yield {"type": "MatchBegun", "table": f"table of {game}", "game": game}


@pytest.fixture
def connect(monkeypatch, capsys):
    """`connect("--join", "six")`: the exit code, standard error, and what was done in turn."""
    done, FakeClient.urls = [], []
    FakeClient.done = done
    monkeypatch.setattr("nimmt.clients.remote.Client", FakeClient)
    monkeypatch.setattr("nimmt.clients.bridge.Bridge.play_table", lambda _, table, __: done.append(f"play {table}"))
    monkeypatch.setattr("nimmt.bots.warm_up", lambda game: done.append(f"warm up {game}"))

    def call(*words, server=("--connect", "http://localhost")):
        code = main(["engine", *server, "--matches", "1", *words])
        return code, capsys.readouterr().err, done

    return call


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--level", "master", "--join", "six"], ["warm up six", "join six", "play table of x"]),
        (["--level", "master", "--games", "six", "--join", "six"], ["warm up six", "join six", "play table of six"]),
        (["--level", "master"], [*(f"warm up {game}" for game in registry.GAMES), "play table of x"]),
        (["--level", "casual", "--join", "six"], ["join six", "play table of x"]),
    ],
)
def test_nobody_at_a_table_waits_for_a_compiler(connect, words, expected):
    code, err, done = connect(*words)
    assert (code, done) == (0, expected)
    assert err.count("Getting ready for ") == sum(step.startswith("warm up") for step in expected)


@pytest.mark.parametrize(
    ("server", "link"),
    [
        ("https://nimmt.example.org", "https://nimmt.example.org/t/six"),
        ("https://nimmt.example.org", " https://nimmt.example.org/t/six/?from=mail#row-3\n"),
        ("http://192.0.2.7:8666", "http://192.0.2.7:8666/t/six/replay?n=3"),
        ("https://club.example.org/games", "https://club.example.org/games/t/six"),
    ],
)
@pytest.mark.parametrize("connect_too", [False, True])
def test_a_pasted_link_says_where_to_sit_down(connect, server, link, connect_too):
    words = ("--connect", f"{server}/") if connect_too else ()
    code, err, done = connect("--join", link, server=words)
    assert (code, err, done) == (0, "", ["join six", "play table of x"])
    assert set(FakeClient.urls) == {server}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--connect", "http://localhost:8666", "--join", "https://a.example/t/six"], "not to http://localhost:8666"),
        (["--join", "https://a.example/t/six", "--join", "https://b.example/t/x"], "plays on one server"),
        (["--join", "six"], "--connect"),
        (["--connect", "http://localhost", "--join", "http://localhost"], "--join takes the link to a table"),
        (["--connect", "http://localhost", "--join", "http://localhost/t/"], "--join takes the link to a table"),
        (["--connect", "http://localhost", "--join", "ftp://localhost/t/six"], "--join takes the link to a table"),
        (["--connect", "http://localhost", "--join", "six eleven"], "--join takes the link to a table"),
    ],
)
def test_what_is_no_link_to_a_table_there_is_refused(connect, words, told):
    code, err, done = connect(*words, server=())
    assert (code, done, err.count("\n")) == (2, [], 1)
    assert told in err


def test_an_engine_for_some_games_does_not_sit_down_elsewhere(connect):
    code, err, done = connect("--games", "six,x", "--join", "baron")
    assert (code, done) == (2, [])
    assert "Table baron plays baron" in err


def test_a_program_that_cannot_start_does_not_sit_down(connect):
    code, err, done = connect("--cmd", "./no-such-program", "--join", "six")
    assert (code, done) == (2, [])
    assert "./no-such-program cannot take part. It cannot be started" in err


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["--level", "nobody"], 2, "no bot 'nobody'"),
        (["--connect", "nonsense"], 2, "not a server address"),
        (["--token", "x"], 2, "--connect"),
        (["--connect", "http://x", "--cmd", "'"], 2, "--cmd"),
    ],
)
def test_wrong_usage(words, code, told):
    done = subprocess.run(
        [*NIMMT, "engine", *words], input="", capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr.count("\n")) == (code, 1)
    assert told in done.stderr


def test_a_wrong_token_is_refused(url):
    done = engine(url, "--token", "wrong")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
