"""The referee: worked examples of the rulebooks, missing and unwanted choices, bad questions, whole positions."""

import contextlib
import io
import json
import re
import shlex
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from nimmt.clients.cli import main
from nimmt.clients.referee.positions import Move, settle
from nimmt.games.buffalo import types as buffalo
from nimmt.games.buffalo.position import table_position as buffalo_position
from nimmt.games.buffalo.types import Options as BuffaloOptions
from nimmt.games.six.rules import SIX
from nimmt.games.six.types import Options
from nimmt.match.match import Match
from nimmt.match.record import SeatInfo
from nimmt.match.shuffle import Dealer
from nimmt.rules.game import AnyGame
from nimmt.rules.position import from_json, to_json, to_text
from nimmt.rules.registry import GAMES, all_games, get

PAGE = Path(__file__).resolve().parents[2] / "docs" / "referee.md"
ROWS = "30 36 | 37 | 43 44 | 58 61"


def referee(line: str) -> list[str]:
    return ["referee", *shlex.split(line)]


def steps(data: dict[str, Any]) -> list[tuple[Any, ...]]:
    return [(s["seat"], s["card"], s["row"], s["taken"], s["bulls"], s["rule"]) for s in data["steps"]]


# -- the page of the documentation ------------------------------------------------------------------------------

BLOCKS = re.compile(r"```console\n(.*?)```", re.DOTALL)
FILES = re.compile(r"```\w+ title=(\S+)\n(.*?)```", re.DOTALL)


def examples() -> list[tuple[str, str, int]]:
    """Commands of the page, with what it says they print and their exit code: 0 where the page does not ask."""
    found: list[tuple[str, str, int]] = []
    for block in BLOCKS.findall(PAGE.read_text("utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            if command == "echo $?":
                found[-1] = (*found[-1][:2], int(output))
            else:
                found.append((command, output, 0))
    return found


@pytest.mark.parametrize(("command", "output", "code"), examples())
def test_the_page_tells_the_truth(run, tmp_path, monkeypatch, command, output, code):
    for name, content in FILES.findall(PAGE.read_text("utf-8")):
        (tmp_path / name).write_text(content, "utf-8")
    monkeypatch.chdir(tmp_path)
    program, *words = shlex.split(command)
    assert program == "nimmt"
    ran = run(*words)
    assert ran.code == code
    if "--json" in words:
        assert json.loads(output) == ran.data
    else:
        assert output.strip() == (ran.out + ran.err).strip()


def test_the_page_has_examples_of_every_game():
    for game in GAMES:
        assert sum(f"referee {game} " in command for command, _, _ in examples()) >= 3


# -- the worked examples of the rulebooks -----------------------------------------------------------------------

SIX_EXAMPLES = [
    ('--rows "12 | 37 | 43 | 58" --play "14 15 44 61"', "12 14 15 | 37 | 43 44 | 58 61", [], None),
    ('--rows "12 14 15 | 37 | 43 44 | 58 61" --play "21 26 30 36"', "30 36 | 37 | 43 44 | 58 61", [6], None),
    (f'--rows "{ROWS}" --play "3 9 68 83" --choose P1:2', "30 36 | 3 9 | 43 44 | 58 61 68 83", [1], None),
    ('--rows "5 | 20 | 41 | 2 8 18 33 42" --play 45', "5 | 20 | 41 | 45", [9], None),
    ('--rows "61 | 70 | 80 | 30 40 50 54 60" --play "A:29 B:62" --choose A:1', "29 | 70 | 80 | 62", [1, 13], None),
    (
        '--fan even-odd --marker 4:odd --rows "31 | 10 20 30 40 52 | 92 | 85" --play 90',
        "31 | 90 | 92 | 85",
        [13],
        "1:odd",
    ),
    ('--fan mountain --marker 4:up --rows "5 | 12 | 70 | 30 29 28 27 26" --play 21', "5 | 12 | 70 | 21", [7], "3:up"),
    ('--fan cow --marker 1 --rows "1 5 9 13 | 78 | 104 | 53" --play 43', "43 | 78 | 104 | 53", [5], "4"),
    (
        '--fan twist --rows "10 | 19 20 21 22 23 | 30 | 41" --play "24~"',
        "10 | 19 20 21 22 23 | 30 | 41 24",
        [],
        None,
    ),
]


@pytest.mark.parametrize(("line", "rows", "bulls", "marker"), SIX_EXAMPLES)
def test_worked_examples_of_six(run, line, rows, bulls, marker):
    ran = run(*referee(f"six {line} --json"))
    assert (ran.code, ran.err) == (0, "")
    assert ran.data["rows"] == [[int(card) for card in row.split()] for row in rows.split("|")]
    assert [step["bulls"] for step in ran.data["steps"] if step["taken"]] == bulls
    assert ran.data.get("marker") == marker
    assert "needs" not in ran.data


def test_steps_name_seat_card_row_and_rule(run):
    data = run(*referee(f'six --rows "{ROWS}" --play "A:3 B: 9 C:68 D :83" --choose A:2 --json')).data
    assert steps(data) == [
        ("A", 3, 2, [37], 1, "too-low"),
        ("B", 9, 2, [], 0, "smallest-difference"),
        ("C", 68, 4, [], 0, "smallest-difference"),
        ("D", 83, 4, [], 0, "smallest-difference"),
    ]
    assert data["bulls"] == {"A": 1, "B": 0, "C": 0, "D": 0}


def test_worked_example_of_x(run):
    line = 'x --rows "5 | 10 18 22 | 70" --play 59 --keep P1:18 --x-row "P1: 4 12" --json'
    data = run(*referee(line)).data
    assert data["rows"] == [[5], [59], [70]]
    assert data["x_rows"] == {"P1": [4, 12, 18]}
    assert data["to_hand"] == {"P1": [10, 22]}
    assert steps(data) == [("P1", 59, 2, [10, 18, 22], 9, "full-row")]
    assert data["steps"][0]["also"] == ["x-row"]


def test_a_lower_card_clears_the_x_row(run):
    line = 'x --rows "60 | 59 | 70" --play "A:43 B:80" --choose A:2 --x-row "A: 64" --x-pile "A:1 B:2" --json'
    data = run(*referee(line)).data
    assert data["x_rows"] == {"A": [59], "B": []}
    assert data["x_piles"] == {"A": [1, 64], "B": [2]}
    assert data["steps"][0]["to_x_pile"] == [64]


BUFFALO_EXAMPLES = [
    ('--rows "3 7 11 13 17 | 30 | 50 | 60" --take7 1 --play A:20', [3, 7, 11, 13, 17, 20], ["A"], []),
    ('--rows "3 7 11 13 17 20 | 30 | 50 | 60" --take7 1 --play A:21', [21], ["A"], [12]),
    ('--rows "2 4 6 8 10 | 20 | 50 | 60" --stop 2 --buffalo 25', [25], ["buffalo"], [7]),
    ('--rows "36 37 | 41 | 51 | 61" --buffalo 3', [36, 37], ["buffalo"], [1]),
]


@pytest.mark.parametrize(("line", "row", "seats", "bulls"), BUFFALO_EXAMPLES)
def test_worked_examples_of_buffalo(run, line, row, seats, bulls):
    data = run(*referee(f"buffalo {line} --json")).data
    assert data["rows"][0] == row
    assert [step["seat"] for step in data["steps"]] == seats
    assert [step["bulls"] for step in data["steps"] if step["taken"]] == bulls


def test_take_7_leaves_with_its_row_and_stop_stays(run):
    data = run(*referee('buffalo --rows "2 4 | 30 | 50 | 60" --take7 1 --stop 2 --play A:1 --choose 1 --json')).data
    assert (data["take7"], data["stop"]) == ([], [2])


def test_an_empty_row_takes_the_next_card(run):
    data = run(*referee('buffalo --rows "12 | . | 43 | 58" --play "A:44" --buffalo 60 --json')).data
    assert data["rows"] == [[12], [44], [43], [58, 60]]
    assert data["steps"][0]["rule"] == "empty-row"


def test_worked_examples_of_eleven(run):
    data = run(*referee('eleven --piles 31 --play "A: 36 B: 46" --take C:1 --draw "12 60" --json')).data
    assert data["piles"] == [[12], [60]]
    assert data["bull_cards"] == {"A": 0, "B": 0, "C": 1}
    assert data["steps"][2]["taken"] == [31, 36, 46]
    turns = "A: 88@2 B: 92@2 A: 98@2 B: 5@2 A: take@1"
    data = run(*referee(f'eleven --piles "23 | 87" --play "{turns}" --draw "50 70" --json')).data
    assert data["piles"] == [[87, 88, 92, 98, 5], [50], [70]]
    assert data["bull_cards"] == {"A": 0, "B": 0}


def test_the_last_card_of_a_hand_ends_the_round(run):
    data = run(*referee('eleven --piles "31 | 87" --hand A:92 --play "A: 92@2" --json')).data
    assert [step["rule"] for step in data["steps"]] == ["within-ten", "empty-hand"]
    assert data["hands"] == {"A": []}


def test_a_giver_is_chosen_among_those_with_the_most(run):
    line = 'eleven --piles "31 36 46 | 87" --bulls "A:2 B:4 C:4" --take A:1 --draw none --json'
    ran = run(*referee(line))
    assert ran.code == 3
    assert ran.data["needs"]["between"] == ["B", "C"]
    assert run(*referee(f"{line} --giver A:C")).data["bull_cards"] == {"A": 3, "B": 4, "C": 3}
    refused = run(*referee(f"{line} --giver A:A"))
    assert (refused.code, refused.data["error"]["code"]) == (1, "not_an_owner")


def test_baron_with_a_deck_of_ones_own(run, tmp_path):
    colours = ["blue", "yellow", "green", "red", "black", "white"]
    cards = {str(card): colours if card in (52, 104) else [colours[card % 6]] for card in range(1, 111)}
    path = tmp_path / "deck.json"
    path.write_text(json.dumps({"name": "mine", "cards": cards}), "utf-8")
    line = f'baron --deck {path} --rows "1 | 2 | 3 | 4 | 5" --play "A:7 B:12" --choose B:5 --json'
    data = run(*referee(line)).data
    assert steps(data) == [("A", 7, 1, [], 0, "colour"), ("B", 12, 5, [5], 1, "no-colour")]
    assert data["notes"] == []
    del cards["7"]
    path.write_text(json.dumps({"name": "mine", "cards": cards}), "utf-8")
    ran = run(*referee(line))
    assert ran.code == 2
    assert "card 7 is missing" in ran.data["error"]["message"]


def test_variants_of_baron(run):
    line = 'baron --rows "1 | 7 | 13 | 19 | 4" --play A:6 --json'
    assert run(*referee(line)).code == 3
    assert steps(run(*referee(f"{line} --bulls-are-good")).data) == [("A", 6, None, [], 0, "returned")]
    long_row = 'baron --rows "3 4 6 1 2 | 39 | 45 | 51 | 53" --play A:20 --json'
    assert run(*referee(long_row)).data["steps"][0]["rule"] == "sixth-card"
    assert run(*referee(f"{long_row} --colour-counts")).data["steps"][0]["rule"] == "colour"


# -- fan cards --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "reason", "also"),
    [
        (SIX_EXAMPLES[5][0], "85 would be closer, but row 4 takes only odd numbers.", ["even-odd"]),
        (
            '--fan mountain --marker 4:up --rows "5 | 16 | 70 | 20" --play 21',
            "20 would be closer, but in row 4 numbers descend.",
            ["mountain"],
        ),
        (
            '--fan mountain --marker 4:up --rows "5 | 16 | 70 | 26" --play 21',
            "26 (row 4) and 16 (row 2) are equally close; on a tie the row with the mountain marker wins.",
            ["mountain"],
        ),
        (SIX_EXAMPLES[7][0], "The cow counts as a card: with 4 numbers and the cow row 1 is full.", ["cow"]),
        (
            '--fan even-odd --marker 1:odd --rows "31 | 50 | 92 | 85" --play A:40 --choose A:1',
            "40 could follow 31, but row 1 takes only odd numbers.",
            ["even-odd"],
        ),
        ('--fan twist --rows "10 | 20 | 30 | 41" --play "A:42 B:24~"', "24 is played as 42.", []),
        (
            '--fan twist --rows "10 | 20 | 30 | 41" --play "A:42 B:24~"',
            "Of two 42 the twisted one is placed first.",
            [],
        ),
    ],
)
def test_a_fan_card_that_changes_something_is_explained(run, line, reason, also):
    data = run(*referee(f"six {line} --json")).data
    assert reason in data["steps"][0]["reasons"]
    assert data["steps"][0]["also"] == also
    assert reason in run(*referee(f"six {line}")).out


def test_an_end_of_the_same_number_is_not_explained_away(run):
    data = run(*referee('six --fan twist --rows "10 | 20 | 30 | 42" --play 24~ --json')).data
    assert data["steps"][0]["row"] == 3
    assert data["steps"][0]["reasons"][1:] == ["Of the ends that 42 may follow, 30 (row 3) is the closest."]


def test_the_cow_on_a_full_row_is_a_step_of_its_own(run):
    line = 'six --fan cow --marker 1 --rows "40 | 50 | 60 | 10 12 14 16 18" --play 45 --json'
    data = run(*referee(line)).data
    assert steps(data)[1] == ("P1", 45, 4, [10, 12, 14, 16], 6, "cow")
    assert data["bulls"] == {"P1": 6}
    assert data["marker"] == "1"


def test_markers_lie_as_at_the_start_of_a_round(run):
    line = 'six --fan even-odd,cow --fan mountain twist --rows "58 | 12 | 43 | 37" --play 59 --json'
    data = run(*referee(line)).data
    assert data["marker"] == "even-odd=2:even mountain=4:up cow=2"
    assert data["markers"] == {"even-odd": "2:even", "mountain": "4:up", "cow": "2"}
    assert len(data["notes"]) == 3
    assert data["warnings"] == ["The rulebook advises one kind of fan card at a time."]


def test_an_answer_can_be_the_next_question(run):
    rows = "31 33 | 50 | 92 | 85"
    marker = "even-odd=1:odd mountain=3:up cow=4"
    for card in (86, 51, 34, 3, 90):
        words = referee("six --fan even-odd mountain cow --json --choose 1")
        data = run(*words, "--rows", rows, "--marker", marker, "--play", card).data
        marker = data["marker"]
        rows = " | ".join(" ".join(map(str, row)) for row in data["rows"])
        assert len(marker.split()) == 3


# -- choices ----------------------------------------------------------------------------------------------------


def test_a_missing_choice_is_asked_for(run):
    ran = run(*referee(f'six --rows "{ROWS}" --play "A:3 B:9" --json'))
    assert ran.code == 3
    needs = ran.data["needs"]
    assert {key: needs[key] for key in ("seat", "choose", "card", "between")} == {
        "seat": "A",
        "choose": "row",
        "card": 3,
        "between": [1, 2, 3, 4],
    }
    assert ran.data["rows"] == [[30, 36], [37], [43, 44], [58, 61]]
    assert ran.data["steps"] == []
    told = run(*referee(f'six --rows "{ROWS}" --play "A:3 B:9"'))
    assert told.code == 3
    assert "--choose A:ROW" in told.out


def test_what_happened_before_a_missing_choice_is_told(run):
    ran = run(*referee('x --rows "5 | 10 18 22 | 70" --play "B:3 A:59" --choose B:1 --json'))
    assert ran.code == 3
    assert [step["card"] for step in ran.data["steps"]] == [3, 59]
    needs = ran.data["needs"]
    assert (needs["seat"], needs["choose"], needs["card"], needs["between"]) == ("A", "keep", 59, [10, 18, 22])
    assert ran.data["warnings"] == []


def test_several_choices_are_used_in_order(run):
    line = 'x --rows "50 | 51 60 | 70 71" --play "A:3 B:4 C:5" --choose A:2 C:3 --keep A:60 --json'
    ran = run(*referee(line))
    assert ran.code == 0
    line = 'x --rows "50 60 | 70 71 | 80" --play A:3 --choose A:1 --choose A:2 --keep A:50 --json'
    ran = run(*referee(line))
    assert ran.data["steps"][0]["taken"] == [50, 60]
    assert ran.data["warnings"] == ["--choose A:2 was not needed."]


def test_a_choice_that_nobody_needs_is_a_warning(run):
    line = f'six --rows "{ROWS}" --play A:38 --choose A:2'
    ran = run(*referee(line))
    assert (ran.code, ran.err) == (0, "nimmt: warning: --choose A:2 was not needed.\n")
    assert run(*referee(f"{line} --json")).err == ""


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (f'six --rows "{ROWS}" --play A:3 --choose A:5', "no_such_row"),
        (f'six --rows "{ROWS}" --play A:3 --choose A:0', "no_such_row"),
        ('x --rows "5 | 10 18 22 | 70" --play 59 --keep P1:5', "not_among_taken"),
        ('baron --rows "1 | 2 | 13 | 40 | 52" --play A:8 --choose A:2', "does_not_fit"),
        ('buffalo --rows "5 | 6 | 7 | 8" --stop 2 --play A:3 --choose A:2', "does_not_fit"),
        ('eleven --piles "31 | 87" --play "A: 99@2"', "does_not_fit"),
        ('eleven --piles "31 | 87" --play "A: 32@3"', "no_such_pile"),
        ('eleven --piles "31 | 87" --hand A:40 --play "A: 32@1"', "not_in_hand"),
        ('eleven --piles "31 | 87" --play "A: 32@1 33@1"', "not_your_turn"),
        ('eleven --piles "31 | 87" --bulls A:1 --play "A: 32@1 88@2"', "too_many_piles"),
        ('eleven --piles "31 | 87" --take "A: 1 1" --draw "3 4"', "not_your_turn"),
        ('six --rows "1 | 2 | 3 | 4" --play 24~', "no_twist_card"),
        ('six --fan twist --rows "1 | 2 | 3 | 4" --play 100~', "cannot_twist"),
    ],
)
def test_what_the_rules_refuse_has_a_code(run, line, code):
    ran = run(*referee(line), "--json")
    assert (ran.code, ran.data["error"]["code"]) == (1, code)
    told = run(*referee(line))
    assert (told.code, told.out, told.err.count("\n")) == (1, "", 1)


# -- bad questions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "needed"),
    [
        ("", "game"),
        ("seven", "no game 'seven'"),
        ("six", "--rows"),
        ('six --rows ""', "--rows"),
        ('six --rows "1 | 2 | 3 | 4"', "--play"),
        ('six --rows "1 | 2 | 3 | 4" --play ""', "--play"),
        ('six --rows "1 | 2 | 3" --play 9', "4 rows"),
        ('six --rows "1 | 2 | | 4" --play 9', "Row 3 has no card"),
        ('six --rows "1 | 2 | 3 | 3" --play 9', "Card 3 is named twice"),
        ('six --rows "1 | 2 | 3 | 4" --play "A:9 B:9"', "Card 9 is named twice"),
        ('six --rows "1 | 2 | 3 | 4" --play "A:9 A:10"', "two seats called A"),
        ('six --rows "1 | 2 | 3 | 4" --play "P2:9 10"', "two seats called P2"),
        ('six --rows "1 | 2 | 3 | 4" --play "11 12 13 14 15 16 17 18 19 20 21"', "at most 10 seats"),
        ('six --rows "1 | 2 | 3 | 4" --play 105', "no card 105"),
        ('six --rows "1 | 2 | 3 | 4" --play 0', "no card 0"),
        ('six --rows "1 | 2 | 3 | 4" --play nine', "'nine' is not a card"),
        ('six --rows "1 | 2 | 3 | 4" --play ":9"', "cannot be a name"),
        ('six --rows "1 | 2 | 3 | 4" --play "A:"', "is not a card"),
        ('six --rows "1 | 2 | 3 | 4" --play "A:9~~"', "is not a card"),
        ('six --rows "1 | 2 | 3 | 4" --play -3', "is not a card"),
        ('six --rows "1 2 3 4 5 6 | 7 | 8 | 9" --play 10', "more than 5 cards"),
        ('six --rows "1 | 2 | 3 | 4" --play 9 --choose B:2', "no seat called 'B'"),
        ('six --rows "1 | 2 | 3 | 4" --play "A:8 B:9" --choose 2', "no seat without a name"),
        ('six --rows "1 | 2 | 3 | 4" --play 9 --choose P1:two', "is not a row"),
        ('six --rows "1 | 2 | 3 | 4" --play 9 --choose P1:', "SEAT:ROW"),
        ('six --rows "1 | 2 | 3 | 4" --play 9 --fan sow', "any of: "),
        ('six --rows "1 | 2 | 3 | 4" --play 9 --marker 4', "not in play: add --fan cow"),
        ('six --rows "1 | 2 | 3 | 4" --play 9 --fan cow --marker 4:odd', "not in play: add --fan even-odd"),
        ('six --rows "1 | 2 | 3 | 4" --play 9 --fan cow --marker cow=4:odd', "write ROW"),
        ('six --rows "1 | 2 | 3 | 4" --play 9 --fan cow --marker 5', "from 1 to 4"),
        ('six --rows "1 | 2 | 3 | 4" --play 9 --fan cow --marker 1 --marker 2', "given twice"),
        ('six --rows "1 | 2 | 3 | 4" --play 9 --fan cow --marker moo', "is not a row"),
        ('six --rows "1 | 2 | 3 | 4" --play 9 --fan cow --marker sow=1', "not a marker"),
        ('six --rows "1 | 2 | 3 | 4" --play 9 --fan mountain --marker 1:up', "points away"),
        ('six --rows "1 5 | 2 | 3 | 4" --play 9 --fan cow', "Where does the marker of cow lie?"),
        ('six --rows "1 5 | 2 | 3 | 4" --play 9 --fan cow even-odd --marker 1', "marker of even-odd"),
        ('six --rows "1 | 2 | 3 | 4" --play 9 --keep P1:3', "no option --keep"),
        ('six --rows "1 | 2 | 3 | 4" --play 9 --action P1:{}', "--position"),
        ('x --rows "5 | 10 18 22 | 70" --play 59 --x-row "P1: 12 4"', "ascend"),
        ('x --rows "5 | 10 18 22 | 70" --play 59 --x-row "A: 12"', "no seat called 'A'"),
        ('x --rows "5 | 10 18 22 | 70" --play 59 --x-row "P1: 18"', "Card 18 is named twice"),
        ('x --rows "5 6 7 | 10 18 22 | 70" --play 59', "Row 1 holds more than 2 cards"),
        ('baron --rows "1 | 2 | 13 | 40" --play A:8', "5 rows"),
        ('baron --rows "1 7 13 19 | 2 | 3 | 4 | 5" --play A:8', "it would have been taken"),
        ('baron --rows "1 | 2 | 13 | 40 | 52" --play A:8 --deck nowhere.json', "nowhere.json"),
        ('buffalo --rows "5 | 6 | 7 | 8"', "--play"),
        ('buffalo --rows "5 | 6 | 7 | 8" --play buffalo:3', "--buffalo"),
        ('buffalo --rows "5 | 6 | 7 | 8" --buffalo moo', "'moo' is not a card"),
        ('buffalo --rows "5 | 6 | 7 | 8" --play 0', "no card 0"),
        ('buffalo --rows "5 | 6 | 7 | 8" --buffalo 0', "no card 0"),
        ('buffalo --rows "5 | 6 | 7 | 8" --play 9 --stop 5', "a row from 1 to 4"),
        ('buffalo --rows "5 | 6 | 7 | 8" --play 9 --stop 1 2 3', "only two special cards Stop"),
        ('buffalo --rows "5 | 6 | 7 | 8" --play 9 --take7 1 1', "one Take 7!"),
        ('buffalo --rows "5 | . | 7 | 8" --play 9 --stop 2', "cannot be stopped"),
        ('x --rows "5 | 10 18 22 | 70" --play 0', "no card 0"),
        ('baron --rows "1 | 2 | 13 | 40 | 52" --play 0', "no card 0"),
        ('eleven --piles "31 | 87" --play "A: 0@1"', "no card 0"),
        ("eleven", "--piles"),
        ('eleven --piles "31 | 87"', "--play"),
        ('eleven --piles "31 | 87" --play "A: 92"', "On which pile"),
        ('eleven --piles "31 | 87" --play "A: 92@x"', "is not a pile"),
        ('eleven --piles "31 | 87" --play "A: 92@2" --bulls A:11', "10 bull cards"),
        ('eleven --piles "31 | 87" --play "A: 92@2" --hand "B:"', "B has no card in hand"),
        ('eleven --piles "31 | 87" --play "A: 92@2" --hand "A: 92 B: 92"', "Card 92 is named twice"),
        ('eleven --piles "31 | 87" --play "A: take@1 B: 92@1"', "--draw"),
        ('eleven --piles "31 |" --play "A: 32@1"', "Each pile must have a card"),
        ("six --position nowhere.txt", "nowhere.txt"),
        ('six --position nowhere.txt --rows "1 | 2 | 3 | 4"', "either"),
        ("six --position - --actions -", "only once"),
    ],
)
def test_bad_questions_get_one_clear_sentence(run, line, needed):
    ran = run(*referee(line))
    assert (ran.code, ran.out) == (2, "")
    assert needed in ran.err
    assert ran.err.count("\n") == 1
    as_json = run(*referee(line), "--json")
    assert as_json.code == 2
    assert needed in as_json.data["error"]["message"]


def test_a_row_that_does_not_ascend_is_a_warning(run):
    line = 'six --rows "14 12 | 37 | 43 | 58" --play 13 --json'
    assert run(*referee(line)).data["warnings"] == ["Row 1 does not ascend; only its last card counts."]
    assert run(*referee(f"{line} --fan twist")).data["warnings"] == []


def quietly(words: list[str]) -> tuple[int, str]:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    return code, out.getvalue() + err.getvalue()


NUMBERS = st.one_of(st.integers(0, 111).map(str), st.sampled_from(["24~", "9@1", "take@1", "", "A", "~", "9" * 5000]))
SEATED = st.builds(lambda name, word: f"{name}{word}", st.sampled_from(["", "A:", "B: ", "P1:", ":", "é:"]), NUMBERS)
LISTS = st.lists(SEATED, max_size=6).map(" ".join)
TABLES = st.lists(st.lists(NUMBERS, max_size=6).map(" ".join), max_size=6).map(" | ".join)
MARKERS = st.sampled_from(["1", "4:odd", "4:up", "cow=2", "even-odd=1:even", "mountain=2:down", "5", "x=1", "=", ":"])
FANS = st.sampled_from(["even-odd", "mountain", "cow", "twist", "cow,twist", "moo", ""])
VALUES = {
    "--rows": TABLES,
    "--piles": TABLES,
    "--fan": FANS,
    "--marker": MARKERS,
    **dict.fromkeys(["--play", "--choose", "--keep", "--x-row", "--x-pile", "--hand", "--bulls", "--take"], LISTS),
    **dict.fromkeys(["--draw", "--buffalo", "--take7", "--stop", "--giver"], LISTS),
    "--action": st.sampled_from(["P1:{}", "P1:[", '{"type": "PlayCard"}', "\ud800", "P0:{}"]),
}
FLAGS = {
    "six": ["--rows", "--play", "--choose", "--fan", "--marker"],
    "x": ["--rows", "--play", "--choose", "--keep", "--x-row", "--x-pile"],
    "baron": ["--rows", "--play", "--choose"],
    "buffalo": ["--rows", "--play", "--choose", "--buffalo", "--take7", "--stop"],
    "eleven": ["--piles", "--play", "--take", "--hand", "--bulls", "--draw", "--giver"],
}


@st.composite
def questions(draw: st.DrawFn) -> list[str]:
    game = draw(st.sampled_from(GAMES))
    flags = draw(st.lists(st.sampled_from([*FLAGS[game], "--action"]), max_size=6)) + FLAGS[game][:2]
    words = [word for flag in flags for word in (flag, draw(VALUES[flag] | st.text(max_size=8)))]
    return ["referee", game, *words, *draw(st.sampled_from([[], ["--json"]]))]


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(questions())
@example(["referee", "six", "--rows", "1|2|3|4", "--play", "\udcff:9"])
@example(["referee", "eleven", "--piles", "1|2", "--play", "A: 3@1", "--giver", "A:A"])
def test_no_question_ends_in_a_traceback(words):
    code, told = quietly(words)
    assert code in (0, 1, 2, 3)
    assert told
    assert "Traceback" not in told
    if "--json" in words:
        json.loads(told)
    elif code in (1, 2):
        assert told.startswith("nimmt: ")
        assert told.count("\n") == 1


@st.composite
def tables_of_six(draw: st.DrawFn) -> tuple[list[list[int]], list[int], list[str], list[str]]:
    """Any table that the rules could be asked about."""
    fans = draw(st.lists(st.sampled_from(["even-odd", "mountain", "cow", "twist"]), unique=True))
    cards = draw(st.permutations(range(1, 105)))
    sizes = draw(st.lists(st.integers(1, 4), min_size=4, max_size=4))
    rows = [sorted(cards[sum(sizes[:i]) : sum(sizes[: i + 1])]) for i in range(4)]
    plays = cards[16 : 16 + draw(st.integers(1, 10))]
    markers = {
        "even-odd": f"{draw(st.integers(1, 4))}:{draw(st.sampled_from(['even', 'odd']))}",
        "mountain": draw(st.sampled_from(["1:down", "2:up", "2:down", "3:up", "3:down", "4:up"])),
        "cow": str(draw(st.integers(1, 4))),
    }
    return rows, plays, fans, [f"{fan}={markers[fan]}" for fan in fans if fan in markers]


@settings(deadline=None, max_examples=150)
@given(tables_of_six(), st.integers(1, 4))
def test_no_card_is_lost_and_every_bull_counted(table, row):
    rows, plays, fans, markers = table
    words = ["referee", "six", "--json", "--rows", " | ".join(" ".join(map(str, cards)) for cards in rows)]
    words += ["--play", *map(str, plays), "--choose", *[f"P{seat}:{row}" for seat in range(1, len(plays) + 1)]]
    words += ["--fan", *fans] if fans else []
    words += ["--marker", *markers] if markers else []
    code, told = quietly(words)
    data = json.loads(told)
    assert code == 0
    taken = [card for step in data["steps"] for card in step["taken"]]
    lying = [card for cards in data["rows"] for card in cards]
    assert sorted(taken + lying) == sorted(plays + [card for cards in rows for card in cards])
    assert sum(step["bulls"] for step in data["steps"]) == sum(data["bulls"].values())
    assert {step["rule"] for step in data["steps"]} <= SIX.rules.keys()
    assert len([step for step in data["steps"] if step["rule"] != "cow"]) == len(plays)


# -- whole positions --------------------------------------------------------------------------------------------


def opening(game: AnyGame, seats: int) -> Match:
    infos = [SeatInfo(f"s{seat}") for seat in range(seats)]
    return Match(game, game.options_type(), infos, Dealer(bytes(32), [""] * seats))


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_actions_lead_where_the_match_led(run, tmp_path, game):
    match = opening(game, 3)
    position = tmp_path / "table.json"
    position.write_bytes(to_json(game, match.state))
    events: list[Any] = []
    while len(match.moves) < 40 and match.outcome is None:
        seat = game.pending(match.state)[0].seat
        events += match.act(seat, game.legal(match.state, seat)[-1])
    actions, deals = tmp_path / "actions.json", tmp_path / "deals.json"
    actions.write_bytes(msgspec.json.encode([move.encoded() for move in match.moves]))
    deals.write_bytes(msgspec.json.encode(match.deals[1:]))
    line = f"{game.id} --position {position} --actions {actions}"
    data = run(*referee(f"{line} --deal {deals} --json")).data
    assert data["events"] == json.loads(msgspec.json.encode(events))
    assert from_json(json.dumps(data["position"]))[1] == match.state
    assert data["pending"] == json.loads(msgspec.json.encode(game.pending(match.state)))
    assert to_text(game, match.state) in run(*referee(f"{line} --deal {deals}")).out


def test_without_a_deal_the_answer_says_so(run, tmp_path):
    match = opening(SIX, 2)
    position, actions, deal = (tmp_path / name for name in ("p.txt", "a.json", "d.json"))
    position.write_text(to_text(SIX, match.state), "utf-8")
    while len(match.deals) < 2:
        seat = SIX.pending(match.state)[0].seat
        match.act(seat, SIX.legal(match.state, seat)[0])
    actions.write_bytes(msgspec.json.encode([move.encoded() for move in match.moves]))
    deal.write_bytes(msgspec.json.encode(match.deals[1]))
    line = f"six --position {position} --actions {actions}"
    ran = run(*referee(line))
    assert ran.code == 0
    assert "The next round needs a deal" in ran.out
    more = f"""--action 'P1:{{"type": "PlayCard", "card": {match.state.hands[0][0]}}}'"""
    ran = run(*referee(f"{line} {more} --json"))
    assert (ran.code, ran.data["needs"]["actions_left"]) == (3, 1)
    assert list(ran.data["needs"]["deal"]) == ["numbers"]
    ran = run(*referee(f"{line} {more} --deal {deal} --deal {deal} --json"))
    assert ran.code == 0
    assert ran.data["warnings"] == ["There was no need for 1 deal."]
    deal.write_text('{"decks": {"numbers": [1, 2]}}', "utf-8")
    ran = run(*referee(f"{line} --deal {deal} --json"))
    assert (ran.code, ran.data["error"]["code"]) == (2, "invalid_deal")


POSITION = to_text(SIX, opening(SIX, 2).state)


@pytest.mark.parametrize(
    ("line", "code", "needed"),
    [
        ("x --position -", 2, "a position of six, not of x"),
        ("six --position - --action P3:{}", 2, "cannot be read"),
        ("""six --position - --action 'P3:{"type": "PlayCard", "card": 1}'""", 1, "no seat 2"),
        ("""six --position - --action 'P1:{"type": "PlayCard", "card": 999999999999999999999}'""", 1, "is refused"),
        ("""six --position - --action 'P1:{"type": "ChooseRow", "row": 1}'""", 1, "choose a card"),
        ("six --position - --action 'A:{}'", 2, "write P1:"),
        ("six --position - --action 'P0:{}'", 2, "write P1:"),
        ("six --position - --action 'P1'", 2, "cannot be read"),
    ],
)
def test_bad_actions(run, line, code, needed):
    ran = run(*referee(line), given=POSITION.encode())
    assert (ran.code, ran.out) == (code, "")
    assert needed in ran.err


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b'[{"seat": 0}]', b"\xff", b'[{"seat": "x", "action": {}}]'])
def test_files_that_are_no_actions_and_no_deals(run, tmp_path, content):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    for flag in ("--actions", "--deal"):
        ran = run(*referee(f"six --position - {flag} {path}"), given=POSITION.encode())
        assert ran.code == 2
        assert ran.err.count("\n") == 1
    ran = run(*referee(f"six --position {path}"))
    assert ran.code == 2


def test_a_match_that_is_over_waits_for_nobody(run):
    state = opening(SIX, 2).state
    over = msgspec.structs.replace(
        state,
        table=msgspec.structs.replace(state.table, phase="over", options=Options(rounds=1), scores=((1, 2),)),
        hands=((), ()),
        waiting=(),
    )
    ran = run("referee", "six", "--position", "-", given=to_json(SIX, over))
    assert ran.out.endswith("The match is over.\n")
    assert run("referee", "six", "--position", "-", "--json", given=to_json(SIX, over)).data["outcome"] is not None


# -- help -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["", *GAMES])
def test_help_has_examples_that_work_and_fits_the_screen(run, monkeypatch, game):
    monkeypatch.setenv("COLUMNS", "80")
    ran = run(*referee(f"{game} --help"))
    assert ran.code == 0
    assert "exit codes:" in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
    shown = ran.out.partition("examples:")[2].partition("exit codes:")[0].replace("\\\n", " ")
    lines = [line.strip() for line in shown.splitlines() if line.strip()]
    assert lines
    for line in lines:
        if not re.search(r"table\.txt|my-deck\.json|--help", line):
            assert run(*shlex.split(line)[1:]).code in (0, 3)


def test_colours_on_a_terminal_only(run, monkeypatch):
    line = 'six --rows "12 | 37 | 43 | 58" --play "14 15"'
    plain = run(*referee(line)).out
    assert "\x1b[" not in plain
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    painted = run(*referee(line)).out
    assert "\x1b[" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain


def test_every_rule_of_a_step_has_a_sentence():
    assert get("six").rules.keys() >= {"even-odd", "mountain", "cow"}
    assert get("x").rules.keys() >= {"x-row"}


def test_a_position_is_settled_under_the_rules_of_its_own_version() -> None:
    """Under version 1 a Stop! stays in its window, and what comes out is a position of version 1 again."""
    plays = [Move(0, buffalo.PlayCard(50)), Move(1, buffalo.PlayCard(60)), Move(0, buffalo.Use(buffalo.Stop(4)))]
    lying = ([[10], [20], [30], [40]], [[50, 51], [60, 61]], [70, 71])
    for version in (1, 2):
        game = get("buffalo", version)
        cards = {"face_up": ("Stop", "Take7"), "options": BuffaloOptions(decide="anyone"), "rules_version": version}
        text = to_text(game, buffalo_position(*lying, **cards))
        result = settle(get("buffalo"), text, plays, ())
        assert to_text(result.game, result.state).startswith(f"nimmt position buffalo {version}\n")
        assert (buffalo.Use(buffalo.Lift(4)) in result.game.legal(result.state, 0)) is (version == 2)
