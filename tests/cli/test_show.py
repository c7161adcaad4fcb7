"""`nimmt show`: a match as people would tell it."""

import json

import pytest

from nimmt.match.match import replay
from nimmt.match.record import digest, read_record


def changed(record, **changes):
    document = json.loads(record) | changes
    document["digest"] = digest(document)
    return json.dumps(document).encode()


def test_the_story_has_rounds_turns_scores_and_a_result(run, record_path):
    ran = run("show", record_path)
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "6 nimmt! (six), rounds 2"
    assert lines[1] == "Anna (random), Ben (random), Cleo (random)"
    assert [line.split()[1] for line in lines if line.startswith("Round ")] == ["1", "2"]
    turns = [line[:5].strip() for line in lines if line[:5].strip().isdecimal()]
    assert turns == [*map(str, range(1, 11))] * 2
    assert "The match is over: " in ran.out
    assert lines[-1] == "All rounds were played; fewest bulls win."


def test_lines_fit_eighty_columns(run, record_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("show", record_path).out.splitlines()
    assert [line for line in lines if len(line) > 80 or line != line.rstrip()] == []


def test_all_cards_are_open_by_default(run, record_path):
    assert run("show", record_path).out == run("show", record_path, "--all").out
    assert "Ben holds" in run("show", record_path).out


@pytest.mark.parametrize("seat", ["1", "Ben"])
def test_a_seat_sees_only_its_own_cards(run, record_path, seat):
    ran = run("show", record_path, "--seat", seat)
    assert "as Ben saw it" in ran.out
    assert "Ben holds" in ran.out
    assert "Anna holds" not in ran.out
    assert "Anna chooses a card." in " ".join(ran.out.split())


def test_a_spectator_sees_no_hand(run, record_path):
    ran = run("show", record_path, "--seat", "none")
    assert "as a spectator saw it" in ran.out
    assert "holds" not in ran.out


@pytest.mark.parametrize("seat", ["3", "-1", "Zoe", "", "9" * 100])
def test_there_are_only_so_many_seats(run, record_path, seat):
    ran = run("show", record_path, f"--seat={seat}")
    assert ran.code == 2
    assert "The seats: 0 Anna, 1 Ben, 2 Cleo." in ran.err


def test_one_turn(run, record_path):
    ran = run("show", record_path, "--round", 2, "--turn", 3)
    assert ran.code == 0
    assert ran.out.count("Revealed:") == 1
    assert "Round 2" in ran.out
    assert "The match is over" not in ran.out
    assert run("show", record_path, "--turn", 3).out.count("Revealed:") == 2


def test_no_such_turn(run, record_path):
    assert run("show", record_path, "--turn", 11).code == 2
    assert run("show", record_path, "--round", 3, "--json").data["error"]["code"] == "no_such_turn"


def test_json_holds_every_step(run, record, record_path):
    data = run("show", record_path, "--json").data
    steps = list(replay(read_record(record)))
    assert len(data["steps"]) == len(steps)
    assert data["steps"][0]["deal"] == json.loads(record)["deals"][0]
    assert [step["action"] for step in data["steps"] if "action" in step] == [
        action["action"] for action in json.loads(record)["actions"]
    ]
    assert data["result"] == json.loads(record)["result"]
    told = [event["told"] for step in data["steps"] for event in step["events"]]
    assert told == [event.tell(("Anna", "Ben", "Cleo")) for step in steps for event in step.events]


def test_json_of_a_seat_holds_no_secret_of_another(run, record_path):
    data = run("show", record_path, "--seat", 0, "--json").data
    for step in data["steps"]:
        assert "deal" not in step
        assert "action" not in step or step["seat"] == 0
        for event in step["events"]:
            if event["type"] == "CardChosen":
                assert (event["play"] is None) == (event["seat"] != 0)
            if event["type"] == "RoundDealt":
                assert [hand is None for hand in event["hands"]] == [False, True, True]


def test_turns_of_a_draft(run, tmp_path):
    words = [
        "simulate",
        "six",
        "--draft",
        "--rounds",
        2,
        "--players",
        2,
        "--matches",
        1,
        "--out",
        tmp_path,
        "--seed",
        1,
    ]
    assert run(*words).code == 0
    data = run("show", tmp_path / "six-1-00001.json", "--json").data
    turns = {(step["round"], step["turn"]) for step in data["steps"]}
    assert turns == {(number, turn) for number in (1, 2) for turn in range(11)}
    assert {step["action"]["type"] for step in data["steps"] if step["turn"] == 0} == {"DraftCard"}


def test_turns_of_one_seat_after_another(run, tmp_path):
    words = ["simulate", "eleven", "--rounds", 1, "--players", 3, "--matches", 1, "--out", tmp_path, "--seed", 1]
    assert run(*words).code == 0
    steps = run("show", tmp_path / "eleven-1-00001.json", "--json").data["steps"]
    seats = {}
    for step in steps[1:]:
        seats.setdefault(step["turn"], set()).add(step["seat"])
    assert all(len(of_turn) == 1 for of_turn in seats.values())
    assert [seats[turn] for turn in range(1, 7)] == [{0}, {1}, {2}] * 2


def test_turns_alone(run, tmp_path):
    assert run("simulate", "buffalo", "--players", 1, "--matches", 1, "--out", tmp_path, "--seed", 1).code == 0
    steps = run("show", tmp_path / "buffalo-1-00001.json", "--json").data["steps"]
    assert {step["turn"] for step in steps} == set(range(11))


def test_a_choice_that_was_changed_belongs_to_the_same_turn(run, tmp_path, record):
    document = json.loads(record)
    actions = document["actions"]
    again = [actions[0], actions[1], actions[0], actions[2], *actions[3:]]
    (tmp_path / "again.json").write_bytes(changed(record, actions=again))
    steps = run("show", tmp_path / "again.json", "--json").data["steps"]
    assert [step["turn"] for step in steps[:6]][:5] == [0, 1, 1, 1, 1]
    assert steps[-1]["turn"] == 10


def test_the_options_are_told(run, tmp_path):
    words = ["simulate", "six", "--matches", 1, "--seed", 1, "--out", tmp_path, "--force"]
    run(*words)
    assert "6 nimmt! (six), Basic game\n" in run("show", tmp_path / "six-1-00001.json").out
    run(*words, "--fan", "cow,twist", "--target", 10, "--more-than-target")
    ran = run("show", tmp_path / "six-1-00001.json")
    assert "6 nimmt! (six), fan cow+twist, target 10, more_than_target yes\n" in ran.out


def test_a_broken_record_is_told_as_far_as_it_goes(run, tmp_path, record):
    path = tmp_path / "broken.json"
    actions = json.loads(record)["actions"]
    path.write_bytes(changed(record, actions=[*actions[:10], actions[0], *actions[11:]]))
    ran = run("show", path)
    assert ran.code == 2
    assert "Revealed:" in ran.out
    assert ran.err.startswith("nimmt: The record is refused at $.actions[10]: ")
    assert run("show", path, "--json").data["error"]["code"] == "invalid_record"


def test_a_match_that_is_going_on(run, tmp_path, record):
    path = tmp_path / "open.json"
    document = json.loads(record)
    path.write_bytes(changed(record, actions=document["actions"][:4], deals=document["deals"][:1], result=None))
    ran = run("show", path)
    assert ran.code == 0
    assert ran.out.endswith("The match is not over.\n")


def test_people_are_told_by_their_names_alone(run, tmp_path, record):
    path = tmp_path / "people.json"
    names = [
        {"name": "Żaneta", "player": "person"},
        {"name": " \n", "player": "person"},
        {"name": "[bold]", "player": "x"},
    ]
    path.write_bytes(changed(record, seats=names))
    assert run("show", path).out.splitlines()[1] == "Żaneta, seat 1, [bold] (x)"


def test_standard_input(run, record, record_path):
    assert run("show", "-", given=record).out == run("show", record_path).out
