"""Playing at a server's tables from the terminal: the command as somebody starts it, a real server, and nothing
between them."""

import contextlib
import json
import os
import re
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

import nimmt
from nimmt.clients.cli.common import CommandError
from nimmt.clients.remote import Client, Refused
from nimmt.clients.terminal.inbox import PASSING
from nimmt.clients.terminal.online import There, clock, explain
from nimmt.match.match import verify
from nimmt.rules.registry import GAMES
from nimmt.server.tables import messages as m
from nimmt.testing.servers import LiveServer, ThreadServer

SOURCES = str(Path(nimmt.__file__).parents[1])
PATIENCE = 120.0
SHORT = {"six": ("--rounds", "1"), "eleven": ("--rounds", "1"), "x": ("--rounds", "1")}
ASKED = re.compile(r"^\w+, [^\n]*[:?]( \(|$)|^\w+, [^\n]*\):$", re.MULTILINE)
DONE = "Type rematch"


class Terminal:
    """`nimmt play …` with pipes, or with a pseudo-terminal of its own."""

    def __init__(self, *words: object, guests: Path, as_tty: bool = False) -> None:
        self.seen, self.read, self._grown = "", 0, threading.Condition()
        env = os.environ | {"PYTHONPATH": SOURCES, "NIMMT_GUESTS": str(guests), "TERM": "xterm-256color",
                            "PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8",
                            "COLUMNS": "100", "LINES": "30"}  # fmt: skip
        command = [sys.executable, "-m", "nimmt", "play", *map(str, words), "--speed", "instant"]
        self._master = -1
        if as_tty:
            import pty

            self._master, slave = pty.openpty()
            self.process = subprocess.Popen(command, env=env, stdin=slave, stdout=slave, stderr=slave,
                                            start_new_session=True)  # fmt: skip
            os.close(slave)
        else:
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(command, env=env, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT)
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()

    def _listen(self) -> None:
        source = self._master if self._master >= 0 else self.process.stdout.fileno()
        while True:
            try:
                part = os.read(source, 65536)
            except OSError:
                part = b""
            with self._grown:
                self.seen += part.decode(errors="replace")
                self._grown.notify_all()
            if not part:
                return

    def type(self, text: str) -> None:
        data = f"{text}\n".encode()
        if self._master >= 0:
            os.write(self._master, data)
        else:
            self.process.stdin.write(data)
            self.process.stdin.flush()

    def interrupt(self, pattern: str) -> None:
        """Press Ctrl-C and wait for what comes of it. Now and then Python loses one (in a finaliser, say): then one
        presses again."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.wait(pattern, PATIENCE / 4)
        except AssertionError:
            self.process.send_signal(signal.SIGINT)
            self.wait(pattern)

    def wait(self, pattern: str | re.Pattern[str], seconds: float = PATIENCE) -> re.Match[str]:
        """Until something like this has appeared behind what was waited for before."""
        pattern = re.compile(pattern, re.MULTILINE) if isinstance(pattern, str) else pattern
        end = time.monotonic() + seconds
        with self._grown:
            while not (found := pattern.search(self.seen, self.read)):
                assert time.monotonic() < end, self.seen[-3000:]
                assert self._listener.is_alive(), self.seen[-3000:]
                self._grown.wait(0.2)
            self.read = found.end()
            return found

    def play_on(self, until: str = DONE) -> None:
        """Let a bot decide whenever something is asked."""
        while until not in self.wait(re.compile(f"{ASKED.pattern}|{until}", re.MULTILINE))[0]:
            self.type("auto")

    def end(self) -> int:
        self.process.wait(PATIENCE)
        return self.process.returncode

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._listener.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        if self._master >= 0:
            os.close(self._master)
            self._master = -1


Start = Callable[..., Terminal]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    begun: list[Terminal] = []

    def call(*words: object, who: str = "anna", **settings: bool) -> Terminal:
        begun.append(Terminal(*words, guests=tmp_path / f"{who}.json", **settings))
        return begun[-1]

    yield call
    for terminal in begun:
        terminal.kill()


@pytest.fixture(scope="module")
def server() -> Iterator[ThreadServer]:
    with ThreadServer() as running:
        yield running


@pytest.fixture
def url(server: ThreadServer) -> str:
    return server.url


def table_in(text: str) -> str:
    return re.findall(r"http://\S+/t/[\w-]+", text)[-1]


WHOLE_MATCHES = [game if game in ("six", "buffalo") else pytest.param(game, marks=pytest.mark.soak) for game in GAMES]
"""One with secret choices and one with windows for everybody; the others differ in their faces only."""


@pytest.mark.parametrize("game", WHOLE_MATCHES)
def test_a_whole_match_against_bots_and_its_record(game: str, url: str, start: Start, tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    anna = start(game, "--connect", url, "--name", "Anna", "--players", 3, "--save", file, *SHORT.get(game, ()))
    anna.play_on()
    anna.type("quit")
    assert anna.end() == 0
    verdict = verify(file.read_bytes())
    assert (verdict.game, verdict.outcome is not None, verdict.deals_proven) == (game, True, True)
    assert anna.seen.count("The match is over") == 1
    seats = json.loads(file.read_bytes())["seats"]
    assert [seat["player"] for seat in seats] == ["person", "greedy", "greedy"]


def test_friends_meet_by_a_link_talk_and_play_a_rematch(url: str, start: Start) -> None:
    anna = start("six", "--connect", url, "--name", "Anna", "--players", 3, "--humans", 2, "--rounds", 1)
    anna.wait("1 seat is still free")
    ben = start("--join", table_in(anna.seen), "--name", "Ben", who="ben")
    ben.wait(r"2  Ben \(you\)")
    anna.wait("Everybody is here")
    ben.type("say Good evening")
    anna.wait("Ben says: Good evening")
    ben.type("phrase good luck")
    anna.wait("Ben says: Good luck!")
    anna.type("start")
    for person, other in ((anna, ben), (ben, anna)):
        person.wait(ASKED)
        person.type("say I am here")
        other.wait("says: I am here")
    playing = [threading.Thread(target=person.play_on) for person in (anna, ben)]
    for person in (anna, ben):
        person.type("auto")
    for thread in playing:
        thread.start()
    for thread in playing:
        thread.join(PATIENCE)
    assert DONE in anna.seen
    assert DONE in ben.seen
    anna.type("rematch")
    ben.wait("A rematch is open")
    ben.type("rematch")
    ben.wait(r"2  Ben \(you\)")
    anna.wait("Everybody is here")
    anna.type("start")
    ben.wait("The match begins")
    for person in (anna, ben):
        person.wait(ASKED)
        person.type("quit")
        person.wait("Leave the table")
        person.type("keep")
        assert person.end() == 0


def test_the_waiting_room_is_the_hosts(url: str, start: Start) -> None:
    anna = start("--connect", url, "--name", "Anna")
    anna.wait("Type a number, new")
    for answer in ("new six", "1", "4", "3", "none", "no", "yes"):
        anna.type(answer)
    anna.wait("with a coach")
    anna.wait("6 nimmt! · Practice ·")
    anna.wait("3 seats are still free")
    anna.type("start")
    anna.wait("Every seat needs")
    for typed, shown in (("bot", r"2  \w+ \(bot, casual\)"), ("bot random 4", r"4  \w+ \(bot, random\)"),
                         ("swap 1 4", r"4  Anna \(you\)"), ("remove 2", "2  free"), ("bot 9", "no such seat"),
                         ("swap 1", "swap 1 2"), ("takeover", "may be taken over"), ("what", "Type \\?"),
                         ("link", "nimmt play --join http"), ("?", "say something to everybody")):  # fmt: skip
        anna.type(typed)
        anna.wait(shown)
    anna.type("close")
    anna.wait("This table is closed")
    assert anna.seen.count("Type bot to let one sit down") == 12, "what can be typed is asked once after each line"
    anna.wait("Type a number, new")
    anna.type("quit")
    assert anna.end() == 0


def test_somebody_who_was_killed_comes_back_to_the_same_cards(url: str, start: Start, tmp_path: Path) -> None:
    anna = start("six", "--connect", url, "--name", "Anna")
    anna.wait(ASKED)
    hand = re.search(r"Anna’s hand(.*?)Anna, ", anna.seen, re.DOTALL)[1]
    link = table_in(anna.seen)
    anna.kill()
    assert stat.S_IMODE((tmp_path / "anna.json").stat().st_mode) == 0o600
    again = start("--join", link)
    again.wait(ASKED)
    assert hand in again.seen
    # The lobby knows the match too.
    again.type("lobby")
    again.wait(r"1  6 nimmt! · being played · Anna")
    again.type("1")
    again.wait(ASKED)
    again.type("quit")
    again.wait("Type keep, give up or stay")
    again.type("give up")
    assert again.end() == 0
    with Client(url) as anybody:
        assert anybody.look(link.rpartition("/")[2])["situation"]["phase"] == "closed"


def test_a_server_that_starts_anew_is_waited_for(start: Start, tmp_path: Path) -> None:
    with LiveServer(str(tmp_path / "nimmt.sqlite")) as server:
        anna = start("six", "--connect", server.url, "--name", "Anna", "--rounds", 1)
        anna.wait(ASKED)
        anna.type("auto")
        anna.wait(ASKED)
        server.restart()
        anna.type("auto")  # on its way while nobody answers
        anna.wait("The connection is back")
        anna.play_on()
        anna.type("save " + str(tmp_path / "match.json"))
        anna.wait("nimmt verify")
        # Nothing was lost, and nothing played twice.
        record = (tmp_path / "match.json").read_bytes()
        assert verify(record).outcome is not None
        assert sum(action["action"]["type"] == "PlayCard" for action in json.loads(record)["actions"]) == 4 * 10


def test_leaving_hands_the_seat_to_a_bot_until_one_is_back(url: str, start: Start) -> None:
    anna = start("six", "--connect", url, "--name", "Anna", "--humans", 2, "--players", 3)
    anna.wait("1 seat is still free")
    ben = start("--join", table_in(anna.seen), "--name", "Ben", who="ben")
    anna.wait("Type start")
    anna.type("start")
    anna.wait(ASKED)
    ben.wait(ASKED)
    ben.type("leave")
    anna.wait("Ben is away; a bot decides")
    ben.wait("Ben is away; a bot decides")
    ben.type("quit")
    assert ben.end() == 0
    anna.type("auto")
    anna.wait("Revealed")  # nobody waits for Ben
    again = start("--join", table_in(anna.seen), who="ben")
    anna.wait("Ben is back")
    again.wait("Waiting for|Ben, choose")
    anna.type("bot Ben")
    anna.wait("gone for a minute|can only play for somebody|not been gone")
    stranger = start("--join", table_in(anna.seen), "--name", "Cem", who="cem")
    stranger.wait("You are watching")
    stranger.type("")


def test_below_a_path(start: Start) -> None:
    with ThreadServer(public_url="http://nimmt.example.org/games/nimmt") as server:
        home = f"{server.url}/games/nimmt"
        anna = start("x", "--connect", f"{home}/", "--name", "Anna", "--rounds", 1, "--players", 2)
        anna.play_on()
        again = start("--connect", home)
        again.wait(f"{home}: you are Anna")
        again.wait("Finished matches")


# -- on a whole terminal -----------------------------------------------------------------------------------------


def test_a_whole_terminal_asks_before_it_leaves(url: str, start: Start) -> None:
    anna = start("six", "--connect", url, "--name", "Anna", as_tty=True)
    anna.wait("Anna, choose a card ›")
    assert "\x1b[?1049h" in anna.seen
    anna.type("gibberish")
    anna.wait("Type one of your cards")
    anna.interrupt("Leave the table")
    anna.type("stay")
    anna.wait("Anna, choose a card ›")
    anna.interrupt("Leave the table")
    anna.process.send_signal(signal.SIGINT)
    assert anna.end() == 130
    assert "\x1b[?1049l" in anna.seen
    assert "nimmt play --join" in anna.seen


# -- what goes wrong ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["--connect", "localhost:8666"], 2, "is not a server address"),
        (["--connect", "http://127.0.0.1:9", "--name", "Anna"], 1, "cannot be reached"),
        (["--join", "tAbC"], 2, "needs the whole link"),
        (["--join", "http://127.0.0.1:9/nothing"], 2, "takes the link to a table"),
        (["--connect", "http://127.0.0.1:9", "--seed", "7"], 2, "nobody can choose the cards"),
        (["--tempo", "30s"], 2, "need --connect"),
        (["six", "--connect", "http://127.0.0.1:9", "--tempo", "soon"], 2, "A tempo is"),
        (["six", "--connect", "http://127.0.0.1:9", "--humans", "7"], 2, "do not fit"),
    ],
)
def test_what_cannot_work_is_told(words: list[str], code: int, told: str, start: Start) -> None:
    anna = start(*words)
    assert anna.end() == code
    assert told in " ".join(anna.seen.split())


def test_what_a_server_refuses_is_told(url: str, start: Start) -> None:
    bad = start("--connect", url, "--name", "Bot")
    assert bad.end() == 2
    assert "name" in bad.seen.casefold()
    nowhere = start("--join", f"{url}/t/tNoSuchTable", "--name", "Anna")
    assert nowhere.end() == 1
    assert "table" in nowhere.seen
    lost = start("--connect", f"{url}/nothing/here", "--name", "Anna")
    assert lost.end() == 1
    assert "There is no nimmt server at" in lost.seen
    asked = start("--connect", url, who="new")
    asked.wait("What shall we call you")
    asked.type("Bot")
    asked.wait("What shall we call you")
    asked.type("Anna")
    asked.wait("you are Anna")
    asked.type("join https://elsewhere.example.org/t/tAbC")
    asked.wait("leads to https://elsewhere.example.org")
    asked.type("join tAbC")
    asked.wait("Type a number, new")


def test_another_version_is_told() -> None:
    info = {"id": "t", "game": "six", "options": {}, "seats": 3, "public": False, "tempo": {"kind": "none"},
            "opened": 0, "rematch_of": None}  # fmt: skip
    table = msgspec.convert(info, m.TableInfo)
    strange = msgspec.convert(SITUATION | {"view": {"seat": 0, "table": {"rows": "many"}}}, m.Situation)
    with pytest.raises(CommandError, match="another version"):
        There(table, strange)
    with pytest.raises(CommandError, match="another version"):
        There(msgspec.convert(info | {"game": "seven"}, m.TableInfo), msgspec.convert(SITUATION, m.Situation))


SITUATION = {"phase": "playing", "chairs": [], "you": 0, "is_host": False, "view": None, "legal": [], "decision": None,
             "waiting": [], "chat_open": True, "paused": False, "takeover": False, "outcome": None, "rematch": None,
             "fair": {"commitment": "", "server_seed": None, "contributions": [], "listed": None}}  # fmt: skip


def test_refusals_and_clocks_in_words() -> None:
    assert explain(Refused("unreachable", "…", 503)) == "No connection to the server."
    assert explain(Refused("who_knows", "Something new.", 400)) == "Something new."
    assert [clock(ms) for ms in (0, 1, 59_001, 3_600_000, 90_061_000)] == [
        "0:00",
        "0:01",
        "1:00",
        "1:00:00",
        "25:01:01",
    ]
    assert "too_many" in PASSING
