"""Playing at a terminal: whole matches through a pipe, wrong answers, leaving, records, secrets of the hot seat."""

import codecs
import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

import nimmt
from nimmt.clients.cli import main
from nimmt.match.match import verify
from nimmt.rules.registry import GAMES, all_games, get

VARIANTS = [(game.id, variant.id) for game in all_games() for variant in game.variants]
SOURCES = str(Path(nimmt.__file__).parents[1])
SHORT = {"six": ["--rounds", "1"], "eleven": ["--rounds", "2"]}

Answer = Callable[[str], str | None]


class Played(NamedTuple):
    code: int
    out: str
    err: str
    questions: int


class Script:
    """Stands in for standard input: each answer is found from what was printed since the last one."""

    def __init__(self, answer: Answer, out: io.BytesIO) -> None:
        self.answer, self.out = answer, out
        self.read = self.asked = 0

    def readline(self) -> str:
        sys.stdout.flush()
        text = self.out.getvalue()[self.read :].decode()
        self.read = len(self.out.getvalue())
        self.asked += 1
        said = self.answer(text)
        return "" if said is None else f"{said}\n"

    def isatty(self) -> bool:
        return False


def played(*words: object, answer: Answer, encoding: str = "utf-8") -> Played:
    out, err = io.BytesIO(), io.StringIO()
    script = Script(answer, out)
    writer = io.TextIOWrapper(out, encoding=encoding)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", script)
        patch.setattr(sys, "stdout", writer)
        with contextlib.redirect_stderr(err):
            code = main(["play", *map(str, words)])
        writer.flush()
    return Played(code, out.getvalue().decode(encoding), err.getvalue(), script.asked)


def lines(*given: str) -> Answer:
    """These answers, then the end of the input."""
    left = iter(given)
    return lambda _: next(left, None)


def auto(_: str) -> str:
    return "auto"


# -- a player who reads ----------------------------------------------------------------------------------------


class Reader:
    """Answers nonsense first, and then what the program says is possible."""

    TOLD = (
        (r"Type one of your cards: (\d+)", r"\1"),
        (r"Type one of the open cards, (\d+)", r"\1"),
        (r"Type the card that goes to your X row: (\d+)", r"\1"),
        (r"Type the number of the row that you take: (\d+)", r"row \1"),
        (r"Type the number of a row that your card fits: (\d+)", r"\1"),
        (r"Type the name of the player who gives you a bull card: (\w+)", r"\1"),
        (r"as in take (\d+)", r"take \1"),
        (r"or end if you lay no more", "end"),
        (r"Type yes or no", "yes"),
        (r"pass all passes until the next turn", "pass"),
    )

    def __init__(self) -> None:
        self.told: set[str] = set()

    def __call__(self, text: str) -> str:
        message = " ".join(text.split())
        for pattern, reply in self.TOLD:
            if found := re.search(pattern, message):
                self.told.add(pattern)
                return found.expand(reply)
        return "what now"


@pytest.mark.parametrize("words", [[], ["--players", 3, "--fan", "cow"]])
def test_without_a_game_it_is_six(words, run):
    ran = played(*words, answer=lines())
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.strip().startswith("6 nimmt!")
    assert ("Jumping cow" in ran.out) == ("cow" in words)
    offered = run("play", "--help").out
    assert "six, buffalo, x, eleven or baron (default: six)" in offered
    assert "--fan" in offered


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_a_whole_match_of_every_variant_with_bots_deciding(tmp_path, game, variant):
    file = tmp_path / "match.json"
    ran = played(game, "--variant", variant, "--seed", 7, "--save", file, *SHORT.get(game, ()), answer=auto)
    assert (ran.code, ran.err.replace("nimmt: The rulebook advises one kind of fan card at a time.\n", "")) == (0, "")
    assert "The match is over" in ran.out
    assert f"nimmt verify {file}" in ran.out
    verdict = verify(file.read_bytes())
    assert (verdict.game, verdict.seats, verdict.deals_proven) == (game, 4, None if "draft" in variant else True)
    assert verdict.outcome is not None
    assert [line for line in ran.out.splitlines() if cell_len(line) > 80 and str(tmp_path) not in line] == []


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_a_whole_match_of_every_variant_by_doing_what_the_program_says(game, variant):
    reader = Reader()
    ran = played(game, "--variant", variant, "--seed", 1, "--players", 3, *SHORT.get(game, ()), answer=reader)
    assert ran.code == 0
    assert "The match is over" in ran.out
    assert "what now" not in ran.out
    assert reader.told


@pytest.mark.parametrize("game", GAMES)
def test_a_match_between_bots_needs_no_answer(game):
    ran = played(game, "--humans", 0, "--seed", 1, *SHORT.get(game, ()), answer=lines())
    assert (ran.code, ran.questions) == (0, 0)
    assert "The match is over" in ran.out
    assert "’s hand" not in ran.out


@pytest.mark.parametrize("game", GAMES)
def test_tables_of_all_sizes(game):
    for players in (get(game).min_seats, get(game).max_seats):
        ran = played(game, "--players", players, "--seed", 3, *SHORT.get(game, ()), answer=auto)
        assert ran.code == 0
        assert [line for line in ran.out.splitlines() if cell_len(line) > 80] == []


def test_four_seats_the_first_one_for_a_person(tmp_path):
    file = tmp_path / "match.json"
    assert played("six", "--rounds", 1, "--save", file, answer=auto).code == 0
    seats = json.loads(file.read_bytes())["seats"]
    assert [seat["player"] for seat in seats] == ["person", "greedy", "greedy", "greedy"]


def test_names_and_bots(tmp_path):
    file = tmp_path / "match.json"
    words = ["x", "--humans", 2, "--name", "Ben, 安娜", "--bots", "random,greedy", "--save", file, "--players", 4]
    assert played(*words, answer=auto).code == 0
    seats = json.loads(file.read_bytes())["seats"]
    assert [(seat["name"], seat["player"]) for seat in seats] == [
        ("Ben", "person"),
        ("安娜", "person"),
        ("Anna", "random"),
        ("Cleo", "greedy"),
    ]


def test_the_same_seed_and_answers_give_the_same_match(tmp_path):
    records = []
    for number in range(2):
        file = tmp_path / f"{number}.json"
        played("six", "--rounds", 1, "--seed", "again", "--bots", "random", "--save", file, answer=auto)
        records.append(file.read_bytes())
    assert records[0] == records[1]
    other = tmp_path / "other.json"
    played("six", "--rounds", 1, "--seed", "other", "--bots", "random", "--save", other, answer=auto)
    assert json.loads(other.read_bytes())["deals"] != json.loads(records[0])["deals"]


def test_the_commitment_is_shown_before_the_first_card_and_its_secret_at_the_end(tmp_path):
    file = tmp_path / "match.json"
    ran = played("six", "--rounds", 1, "--save", file, answer=auto)
    fairness = json.loads(file.read_bytes())["fairness"]
    before, after = ran.out.split("The rows start with", 1)
    assert fairness["commitment"] in before
    assert fairness["server_seed"] not in before
    assert fairness["server_seed"] in after


# -- answers ---------------------------------------------------------------------------------------------------

OPENINGS = {game: ["--seed", "7"] for game in GAMES}


def complaint(game: str, *given: str, words: tuple[str, ...] = ()) -> str:
    """What is said to the last of these answers."""
    ran = played(game, *OPENINGS[game], *words, answer=lines(*given))
    assert ran.code == 0
    *_, said, _ = re.split(r"^Anna, [^.]*:$", ran.out, flags=re.MULTILINE)
    return " ".join(said.split())


@pytest.mark.parametrize(
    ("game", "typed", "needed"),
    [
        ("six", "", "Type one of your cards: 4 10 16"),
        ("six", "hello", "Type one of your cards: 4 10 16"),
        ("six", "105", "105 in your hand. Type one of your cards: 4"),
        ("six", "0", "Type one of your cards: 4"),
        ("six", "-4", "Type one of your cards"),
        ("six", "4 10", "Type one of your cards"),
        ("six", "9" * 5000, "Type one of your cards"),
        ("six", "4~", "twist card"),
        ("six", "4.5", "Type one of your cards"),
        ("six", "\x1b[A", "Type one of your cards"),
        ("x", "13", "Type one of your cards: 4 10 12"),
        ("buffalo", "5", "Type one of your cards: 4 10 16"),
        ("eleven", "hello", "type take and a pile"),
        ("eleven", "take 9", "type take and a pile"),
        ("eleven", "take", "take 1"),
        ("eleven", "4", "4 fits no pile now."),
        ("eleven", "5", "5 is not in your hand."),
        ("eleven", "4 1", "type take and a pile"),
        ("eleven", "5 1", "type take and a pile"),
        ("eleven", "end", "type take and a pile"),
        ("baron", "111", "Type one of your cards: 22 55"),
    ],
)
def test_a_wrong_answer_is_told_what_is_possible(game, typed, needed):
    if typed == "take":
        assert "Anna takes pile 1" in complaint(game, typed)  # there is only one
        return
    assert needed in complaint(game, typed)


def test_a_twist_is_typed_with_a_sign_or_a_word():
    for typed in ("10~", "10 twist", "10 ~", "~10", "10 twisted", "play 10 twist"):
        ran = played("six", "--fan", "twist", "--seed", 7, answer=lines(typed))
        assert re.search(r"Revealed:.*Anna 10 as 01", ran.out)
    assert "Type one of your cards" in complaint("six", "102~", words=("--fan", "twist"))


def test_hints_say_where_cards_go_and_can_be_left_out():
    ran = played("six", "--seed", 7, answer=lines())
    assert "78   to row 4" in ran.out
    assert "10(3)   fits no row: you would take one, 1 bull or more" in ran.out
    bare = played("six", "--seed", 7, "--no-hints", answer=lines())
    assert "fits no row" not in bare.out
    assert "4 10(3) 16 17 65(2) 78 83 102 103 104" in bare.out


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("wish", "needed"),
    [("?", "You can always type"), ("help", "What the signs mean"), ("scores", "Points"), ("table", "On the table")],
)
def test_wishes_are_fulfilled_and_change_nothing(game, wish, needed):
    ran = played(game, "--seed", 7, answer=lines(wish))
    assert needed in ran.out
    assert len(re.findall(r"^Anna, .*:$", ran.out, re.MULTILINE)) == 2


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_can_be_read(game):
    ran = played(game, "--seed", 7, answer=lines("rules"))
    page = re.split(r"^Anna, .*:$", ran.out, flags=re.MULTILINE)[1]
    assert get(game).name in page
    assert len(page.split()) > 30


# -- Beat the Buffalo ------------------------------------------------------------------------------------------


def windows(*given: str, seed: int = 7, words: tuple[object, ...] = ()) -> Played:
    """The first turn of a team, with these answers once cards are revealed."""
    return played("buffalo", "--seed", seed, *words, answer=lines("16", *given))


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("1", "Anna proposes Last card for Anna."),
        ("propose 2", "Anna proposes Last card for Cleo."),
        ("last ben", "Anna proposes Last card for Ben."),
        ("last 29", "Anna proposes Last card for Dario."),
        ("push 82 2", "Anna proposes Push! of 82 to row 2."),
        ("Push! 15 to row 4", "Anna proposes Push! of 15 to row 4."),
        ("5", "Anna proposes Push! of"),
        ("pass", "Anna: 16 goes to row 3."),
        ("", "Anna: 16 goes to row 3."),
        ("99", "Type a number of the list"),
        ("push 82", "Type a number of the list"),
        ("push 82 9", "Type a number of the list"),
        ("stop 1", "Type a number of the list"),
        ("sort 29 99", "99 is not waiting to be placed. These are: 16 (Anna)"),
        ("sort 29 16", "Type a number of the list"),
        ("last zoe", "Type a number of the list"),
        ("gibberish", "Type a number of the list"),
    ],
)
def test_special_cards_are_asked_for_by_number_or_in_words(typed, told):
    assert told in " ".join(windows(typed).out.split())


def test_pass_all_passes_until_the_next_turn():
    ran = windows("pass all")
    after = ran.out.partition("Anna, which special card?")[2]
    assert "which special card?" not in after
    assert after.index("The buffalo: 94 goes to row 1.") < after.index("Anna, choose a card")


def test_with_quick_hands_nobody_is_asked():
    ran = windows("last ben", words=("--decide", "anyone"))
    assert "Anna uses Last card for Ben." in ran.out
    assert "proposes" not in ran.out


def test_a_sort_takes_the_cards_in_their_new_order():
    for seed in range(40):
        ran = played("buffalo", "--seed", seed, "--decide", "anyone", answer=lines("auto"))
        revealed = re.search(r"Revealed: (.*?)\.\n", ran.out.replace("\n  ", " "))
        if "Sort:" in ran.out and revealed:
            cards = re.findall(r"\d+", revealed[1])
            again = played("buffalo", "--seed", seed, "--decide", "anyone",
                           answer=lines("auto", f"sort {cards[-1]} {cards[0]}"))  # fmt: skip
            order = re.search(r"The order is now: (.*?)\.\n", again.out.replace("\n  ", " "))
            assert order is not None
            assert re.findall(r"\d+", order[1]) == [cards[-1], cards[0], *cards[1:-1]]
            return
    pytest.fail("no Sort in any of the deals")


def test_proposals_of_others_are_questions():
    def agreeing(text: str) -> str:
        if "do you agree?" in text:
            asked.append(re.search(r"(\w+) proposes ([^.]*)\.", " ".join(text.split())))
            return ("yes", "no", "y", "perhaps", "n")[len(asked) % 5]
        return "pass" if "which special card?" in text else "auto"

    asked: list[re.Match[str] | None] = []
    ran = played("buffalo", "--seed", 3, "--bots", "random", "--players", 3, answer=agreeing)
    assert ran.code == 0
    assert len(asked) > 3
    assert "Type yes or no." in ran.out


# -- leaving ---------------------------------------------------------------------------------------------------


def test_quitting_is_confirmed():
    ran = played("six", answer=lines("quit", "hm", "no", "quit", "yes", "auto"))
    assert (ran.code, ran.questions) == (0, 5)
    assert "Type yes to leave" in ran.out
    assert ran.out.rstrip().endswith("thank you for playing.")
    assert played("six", answer=lines("quit", "quit")).questions == 2


@pytest.mark.parametrize("game", GAMES)
def test_the_end_of_the_input_is_a_polite_end(game):
    ran = played(game, answer=lines("auto", "auto"))
    assert (ran.code, ran.err) == (0, "")
    assert "You have left the table." in ran.out


def test_an_interrupt_is_a_polite_end_too(tmp_path):
    def answer(_: str) -> str:
        raise KeyboardInterrupt

    file = tmp_path / "part.json"
    ran = played("six", "--save", file, answer=answer)
    assert (ran.code, ran.err) == (130, "")
    assert "Interrupted." in ran.out
    assert verify(file.read_bytes()).outcome is None


def test_who_leaves_keeps_what_was_played(tmp_path):
    file = tmp_path / "part.json"
    ran = played("six", "--save", file, answer=lines("auto", "auto", "quit", "yes"))
    assert ran.code == 0
    assert f"What was played is kept. Check every step with:\n  nimmt verify {file}\n" in ran.out
    record = json.loads(file.read_bytes())
    assert record["result"] is None
    assert record["fairness"]["server_seed"] is None  # it would tell all deals to come


# -- arguments -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "needed"),
    [
        (["six", "--humans", "5"], ["5 people do not fit 4 seats"]),
        (["six", "--name", "Mia,Tom"], ["2 names are too many for 1"]),
        (["six", "--humans", "2", "--name", "mia,MIA"], ["same name"]),
        (["six", "--name", "x" * 21], ["1 to 20 letters"]),
        (["six", "--name", ","], ["1 to 20 letters", "2 names"]),
        (["six", "--bots", "gredy"], ["no bot 'gredy'", "did you mean greedy?"]),
        (["six", "--players", "2", "--bots", "greedy,random"], ["2 bots are too many for 1 seats"]),
        (["six", "--speed", "warp"], ["--speed", "'instant'"]),
        (["six", "--players", "11"], ["2 to 10"]),
        (["six", "--save", "there.json"], ["already exists"]),
        (["six", "--save", "no/where.json"], ["no folder"]),
        (["six", "--save", "a\0b"], ["is not a valid file name"]),
        (["six", "--save", ""], ["already exists"]),
    ],
)
def test_wrong_usage_is_refused_before_the_match(run, tmp_path, monkeypatch, words, needed):
    monkeypatch.chdir(tmp_path)
    Path("there.json").write_text("keep me")
    ran = run("play", *words)
    assert (ran.code, ran.out) == (2, "")
    assert any(part in ran.err for part in needed)
    assert Path("there.json").read_text() == "keep me"


def test_a_poor_terminal_gets_plain_signs():
    ran = played("baron", "--seed", 7, answer=lines("?", "auto"), encoding="ascii")
    assert ran.code == 0
    assert "Anna's hand" in ran.out
    assert "* a bull" in ran.out


# -- several people at one screen ------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["six", "x", "baron", "buffalo"])
def test_the_hot_seat_hides_the_hands_of_others(tmp_path, game):
    file = tmp_path / "match.json"
    words = [game, "--humans", 2, "--name", "Mia,Tom", "--players", 3, "--seed", 5, *SHORT.get(game, ())]
    ran = played(*words, "--save", file, answer=auto)
    assert ran.code == 0
    parts = re.split(r"^=== (\w+) is to (.*)\. The others look away. ===$", ran.out, flags=re.MULTILINE)
    assert "’s hand" not in parts[0]
    assert {"Mia", "Tom"} == set(parts[1::3])
    for who, text in zip(parts[1::3], parts[3::3], strict=True):
        other = "Tom" if who == "Mia" else "Mia"
        assert f"{other}’s hand" not in text
        assert f"{other} (you)" not in text
        # What is told to all comes without anybody's hand.
        assert "’s hand" not in text.partition("Revealed:")[2]
    first_mia, first_tom = parts[3], parts[6]
    hands = [set(map(int, re.findall(r"^ +(\d+)\S* {3}", part, re.MULTILINE))) for part in (first_mia, first_tom)]
    assert len(hands[0]) == len(hands[1]) >= 4
    assert not hands[0] & hands[1]
    assert not hands[0] & set(map(int, re.findall(r"^ +(\d\d+)\S* {3}", first_tom, re.MULTILINE)))
    dealt = json.loads(file.read_bytes())["deals"][0]["decks"]
    order = next(iter(dealt.values()))
    assert hands[0] <= set(order[: len(order) // 3])


def test_a_pile_taken_at_the_hot_seat_stays_the_secret_of_its_taker():
    ran = played("eleven", "--humans", 2, "--players", 2, "--seed", 2, "--rounds", 1, answer=lines(*["take 1"] * 6))
    told = re.findall(r"takes pile 1 with \d+ on top: \d+ cards?(.)", ran.out)
    assert told
    assert set(told) == {"."}
    alone = played("eleven", "--players", 2, "--seed", 2, "--rounds", 1, answer=lines(*["take 1"] * 2))
    assert re.search(r"Anna takes pile 1 with \d+ on top: \d+ cards?, \d", alone.out)


# -- nonsense --------------------------------------------------------------------------------------------------

WISHES = ["auto", "?", "scores", "table", "rules", "quit", "yes", "no", ""]
WORDS = ["take 1", "end", "pass", "pass all", "push 1 2", "sort", "sort 1", "first ben", "swap", "stop 1", "take 7 1"]
WORDS += [
    "insert 1",
    "lift 1",
    "24~",
    "~",
    "-1",
    "9" * 30,
    "row 1",
    "card 5",
    "propose",
    "use 1",
    "\x00",
    "٣",
    "²",
    "½",
]
TYPED = st.sampled_from(WISHES) | st.sampled_from(WORDS) | st.integers(-5, 120).map(str) | st.text(max_size=12)
JUNK = st.lists(TYPED, max_size=30)


@given(game=st.sampled_from(GAMES), typed=JUNK, humans=st.integers(0, 3), seed=st.integers(0, 50))
@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
def test_junk_is_never_a_traceback(game, typed, humans, seed):
    short = SHORT.get(game, [])
    answer = lines(*(text.replace("\n", " ").replace("\r", " ") for text in typed))
    ran = played(game, "--seed", seed, "--humans", humans, "--players", 3, *short, answer=answer)
    assert (ran.code, ran.err) == (0, "")


@given(data=st.binary(max_size=60))
@settings(deadline=None, max_examples=30)
def test_bytes_that_are_no_text_are_answers_too(data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data + b"\n")))
        with contextlib.redirect_stdout(io.StringIO()) as out:
            assert main(["play", "six", "--seed", "1"]) == 0
    assert "left the table" in out.getvalue()


# -- strong bots -----------------------------------------------------------------------------------------------


@pytest.fixture
def compiling(monkeypatch):
    """Strong bots must be compiled first, which takes no time here; and which games' bots were."""
    from nimmt.fast.jit import njit

    ready = []

    def warm_up(game):
        njit(lambda number: number + 1)(len(ready))
        ready.append(game)

    monkeypatch.setattr("nimmt.bots.warm_up", warm_up)
    return ready


COMPILING = "nimmt: Compiling what the bots of 6 nimmt! think with. This takes about a minute, once.\n"


def test_whoever_waits_for_a_compiler_is_told(compiling, run):
    assert played("six", "--bots", "greedy,expert", answer=lines()).err == COMPILING
    assert compiling == ["six"]
    words = ["simulate", "six", "--matches", 1, "--rounds", 1, "--players", 2, "--bots", "expert,random", "--seed", 1]
    assert run(*words).err == COMPILING
    assert run("play", "six", "--bots", "greedy,casual").err == ""
    assert compiling == ["six", "six"]


def test_on_a_terminal_the_time_goes_by_meanwhile(compiling, monkeypatch, run):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    ran = run("play", "six", "--bots", "master")
    shown = SEQUENCE.sub("", ran.err)
    assert "Compiling the bots of 6 nimmt!, once on this machine" in shown
    assert re.search(r" \d+% 0:00:0", shown), "how far it is, and for how long"


@pytest.mark.parametrize("columns", [40, 80])
def test_the_bar_is_whole_in_a_narrow_terminal(columns, compiling, monkeypatch, run):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = SEQUENCE.sub("", run("play", "buffalo", "--bots", "master", "--language", "ru").err)
    assert re.search(r"━{10}.* \d+% \d:\d\d:\d\d", shown)
    assert "Компиляция ботов для «Победи буйвола»" in shown


def test_whoever_waits_is_told_in_their_language(compiling):
    told = played("buffalo", "--bots", "expert", "--language", "de", answer=lines()).err
    assert told.startswith("nimmt: Womit die Bots von „Schlagt den Büffel“ denken, wird kompiliert.")


def test_what_is_compiled_already_is_not_worth_a_word(monkeypatch):
    monkeypatch.setattr("nimmt.bots.warm_up", lambda _: None)
    assert played("six", "--bots", "expert", answer=lines()).err == ""


# -- a real terminal -------------------------------------------------------------------------------------------

needs_terminal = pytest.mark.skipif(not hasattr(os, "openpty"), reason="no pseudo-terminals here")
SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def on_terminal(*words: object, answer: Answer, size: tuple[int, int] = (80, 24), **env: str) -> tuple[int, str]:
    """Run on a pseudo-terminal and answer, with keys, whenever the program asks."""
    import fcntl
    import pty
    import select
    import struct
    import termios

    terminal, inner = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    command = [sys.executable, "-m", "nimmt", "play", *map(str, words)]
    environment = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": SOURCES, **env}
    process = subprocess.Popen(
        command, stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True
    )
    os.close(inner)
    # A sign may come in two parts.
    out, since, decoder = "", "", codecs.getincrementaldecoder("utf-8")("replace")
    interrupted, silent = False, 0
    with contextlib.suppress(OSError):  # how Linux says that nobody is there any more
        while silent < 60:
            if not select.select([terminal], [], [], 1)[0]:
                silent += 1
                if interrupted:  # it came when nobody was listening
                    process.send_signal(signal.SIGINT)
                continue
            since += decoder.decode(os.read(terminal, 65536))
            drawing = (out + since).count("\x1b[?1049h") > (out + since).count("\x1b[?1049l")
            asked = since.endswith("\x1b[J " if drawing else ": ")
            if asked and not select.select([terminal], [], [], 0.05)[0]:  # not just a part of what is being written
                keys = answer(since) or "\x04"
                interrupted = keys == "\x03"
                if interrupted:  # only a terminal that is somebody's own makes a signal of the key
                    process.send_signal(signal.SIGINT)
                else:
                    os.write(terminal, keys.encode())
                out, since = out + since, ""
        process.kill()
    os.close(terminal)
    return process.wait(30), out + since


def pictures(out: str) -> list[str]:
    """What was on the screen, one picture after the other: each begins in the upper left corner."""
    shown = out.partition("\x1b[?1049h")[2].partition("\x1b[?1049l")[0]
    return [SEQUENCE.sub("", part).replace("\r", "") for part in shown.split("\x1b[H")[1:]]


@needs_terminal
def test_a_match_on_a_terminal_leaves_it_as_it_was(tmp_path):
    file = tmp_path / "match.json"
    words = ["six", "--players", 10, "--rounds", 1, "--seed", 1, "--speed", "instant", "--save", file]
    code, out = on_terminal(*words, answer=lambda _: "auto\n")
    assert code == 0
    assert out.count("\x1b[?1049h") == out.count("\x1b[?1049l") == 1
    shown = pictures(out)
    assert len(shown) > 10
    for picture in shown:
        assert len(picture.rstrip("\n").split("\n")) <= 24
        assert max(map(cell_len, picture.split("\n"))) <= 80
    assert "The match is over" in out.rpartition("\x1b[?1049l")[2]
    assert verify(file.read_bytes()).deals_proven


@needs_terminal
def test_events_are_seen_one_after_the_other():
    _, out = on_terminal("six", "--seed", 7, "--speed", "fast", answer=lines("\n", "78\n"))
    shown = pictures(out)
    moving = [picture for picture in shown if "Enter hurries on" in picture]
    assert any("›3 ‹" in picture or "› 3‹" in picture for picture in moving)
    assert any("►" in picture and "Anna: 78 goes to row 4." in picture for picture in moving)
    assert len(moving) >= 5


@needs_terminal
@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)])
def test_keys_that_leave(key, code):
    ended, out = on_terminal("x", "--seed", 1, answer=lines("\n", key))
    assert ended == code
    assert "Traceback" not in out
    assert "thank you for playing" in out.rpartition("\x1b[?1049l")[2]


@needs_terminal
def test_without_colour():
    words = ["baron", "--seed", 1, "--speed", "instant"]
    _, out = on_terminal(*words, answer=lines("\n", "auto\n"), NO_COLOR="1")
    codes = {code for found in re.findall(r"\x1b\[([0-9;]*)m", out) for code in found.split(";")}
    assert codes <= {"", "0", "1", "2", "7"}
    coloured = on_terminal(*words, answer=lines("\n", "auto\n"))[1]
    assert re.search(r"\x1b\[[0-9;]*3[0-7]m", coloured)


@needs_terminal
@pytest.mark.parametrize("env", [{"TERM": "dumb"}, {"TERM": "xterm", "COLUMNS": "60"}])
def test_poor_and_small_terminals_get_lines(env):
    size = (int(env.get("COLUMNS", 80)), 24)
    code, out = on_terminal("six", "--seed", 1, "--speed", "instant", answer=lines("auto\n"), size=size, **env)
    assert code == 0
    assert "\x1b" not in out
    assert max(map(cell_len, out.replace("\r", "").split("\n"))) <= size[0] + len("auto")


@needs_terminal
def test_between_people_the_screen_is_cleared():
    words = ["six", "--humans", 2, "--name", "Mia,Tom", "--seed", 5, "--speed", "instant"]
    shown = pictures(on_terminal(*words, answer=lines("\n", "\n", "auto\n", "\n", "auto\n"))[1])
    hidden = [number for number, picture in enumerate(shown) if "The others look away." in picture]
    assert len(hidden) >= 2
    for number in hidden:
        assert "hand" not in shown[number]
        assert "│" not in shown[number]
    between = shown[hidden[0] + 1 : hidden[1]]
    assert between
    assert all("Mia’s hand" in picture for picture in between)
    for picture in shown[hidden[1] + 1 :]:
        assert "Mia’s hand" not in picture


@needs_terminal
@pytest.mark.parametrize("word", ["auto", "yes", "55"])
def test_what_is_typed_in_a_match_is_no_file(word, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = iter([f"{word}\n", "no\n"])

    def answer(text: str) -> str:
        return next(names) if "Keep the record" in text else "auto\n"

    code, out = on_terminal("six", "--players", 2, "--rounds", 1, "--speed", "instant", answer=answer)
    assert code == 0
    assert f"'{word}' is no name for a file. If you mean it, type ./{word}" in out
    assert list(tmp_path.iterdir()) == []


@needs_terminal
def test_the_record_is_offered(tmp_path):
    file = tmp_path / "kept.json"
    names = iter([f"{tmp_path}\n", f"{file}\n"])

    def answer(text: str) -> str:
        return next(names) if "Keep the record" in text else "auto\n"

    code, out = on_terminal("six", "--players", 2, "--rounds", 1, "--seed", 9, "--speed", "instant", answer=answer)
    assert code == 0
    assert "Is a directory" in out or "File exists" in out
    assert verify(file.read_bytes()).outcome is not None
