"""`nimmt verify`: right records pass, all others are refused with the place and the reason."""

import io
import json
import sys
from contextlib import redirect_stderr, redirect_stdout

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nimmt.clients.cli import main
from nimmt.match.record import digest


def edited(record, *path_and_value, seal=True):
    """The record with another value somewhere, its digest made right again."""
    *path, last, value = path_and_value
    document = json.loads(record)
    place = document
    for key in path:
        place = place[key]
    place[last] = value
    if seal:
        document["digest"] = digest(document)
    return json.dumps(document).encode()


def test_a_right_record(run, record_path):
    ran = run("verify", record_path)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"✓ {record_path}  6 nimmt!, 3 seats, ")
    assert "2 deals proven" in ran.out
    assert ran.out.count("\n") == 1


def test_json(run, record_path):
    ran = run("verify", record_path, "--json")
    assert ran.data["ok"] is True
    (file,) = ran.data["files"]
    assert file.items() >= {"file": str(record_path), "ok": True, "game": "six", "seats": 3, "deals": 2}.items()
    assert (file["deals_proven"], file["result"]["reason"]) == (True, "rounds")


def test_standard_input(run, record):
    ran = run("verify", "-", given=record)
    assert ran.code == 0
    assert ran.out.startswith("✓ standard input")


def test_a_folder_stands_for_its_records(run, tmp_path, record):
    for name in ("b.json", "a.json", "notes.txt"):
        (tmp_path / name).write_bytes(record)
    ran = run("verify", tmp_path)
    assert ran.code == 0
    assert [line.split()[1] for line in ran.out.splitlines()[:2]] == [
        str(tmp_path / "a.json"),
        str(tmp_path / "b.json"),
    ]
    assert ran.out.splitlines()[2] == "All 2 records are right."


def test_an_empty_folder_is_a_mistake(run, tmp_path):
    ran = run("verify", tmp_path)
    assert (ran.code, ran.err) == (2, f"nimmt: There is no *.json in {tmp_path}.\n")


def test_one_wrong_record_among_right_ones(run, tmp_path, record):
    (tmp_path / "a.json").write_bytes(record)
    (tmp_path / "b.json").write_bytes(edited(record, "seats", 0, "name", "Zoe", seal=False))
    ran = run("verify", tmp_path)
    assert ran.code == 1
    assert ran.out.splitlines()[1].startswith(f"✗ {tmp_path / 'b.json'}  $.digest: ")
    assert ran.out.splitlines()[2] == "1 of 2 records are right."
    assert [file["ok"] for file in run("verify", tmp_path, "--json").data["files"]] == [True, False]


def test_what_cannot_be_read_is_wrong_input(run, tmp_path, record_path):
    ran = run("verify", record_path, tmp_path / "missing.json")
    assert ran.code == 2
    assert "✓" in ran.out.splitlines()[0]
    assert ran.out.splitlines()[1] == f"✗ {tmp_path / 'missing.json'}  No such file or directory."
    assert run("verify", "a\0b").code == 2


def test_a_file_that_is_too_large_is_not_read(run, tmp_path):
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(64 * 2**20 + 1)
    ran = run("verify", path)
    assert ran.code == 2
    assert "larger than 64 MB" in ran.out


@pytest.mark.parametrize(
    ("content", "place"),
    [
        (b"", "$"),
        (b"\xff\xfe\x00", "$"),
        (b"not json", "$"),
        (b"[" * 100_000, "$"),
        (b"[]", "$.format"),
        (b"{}", "$.format"),
        (b'{"format": "nimmt-position"}', "$.format"),
        (b'{"format": "nimmt-record-99"}', "$.format"),
        (b'{"format": "nimmt-record-1"}', "$"),
    ],
)
def test_what_is_no_record(run, tmp_path, content, place):
    (tmp_path / "foreign.json").write_bytes(content)
    (file,) = run("verify", tmp_path, "--json").data["files"]
    assert (file["ok"], file["place"]) == (False, place)
    ran = run("verify", tmp_path)
    assert (ran.code, ran.out.count("\n")) == (1, 1)


TAMPERED = [
    (("game", "chess"), "$.game"),
    (("game", "x"), "$.options"),
    (("rules_version", 99), "$.rules_version"),
    (("options", "target", 0), "$.options"),
    (("options", "colour", "red"), "$.options"),
    (("options", []), "$.options"),
    (("seats", []), "$.seats"),
    (("seats", 0, "name", ""), "$.seats[0].name"),
    (("seats", 0, "age", 9), "$.seats[0]"),
    (("deals", []), "$.deals"),
    (("deals", 0, "decks", {}), "$.deals[0]"),
    (("deals", 0, "decks", "numbers", 0, 105), "$.deals[0]"),
    (("actions", 0, "seat", 2), "$.actions[0]"),
    (("actions", 0, "seat", -1), "$.actions[0]"),
    (("actions", 0, "seat", 10**30), "$.actions[0]"),
    (("actions", 0, "action", {"type": "PlayCard", "card": 105}), "$.actions[0]"),
    (("actions", 0, "action", {"type": "PlayCard", "card": "7"}), "$.actions[0]"),
    (("actions", 0, "action", {"type": "Cheat"}), "$.actions[0]"),
    (("actions", 0, "action", None), "$.actions[0]"),
    (("result", None), "$.result"),
    (("result", "winners", []), "$.result"),
    (("fairness", "algorithm", "dice"), "$.fairness.algorithm"),
    (("fairness", "commitment", "00"), "$.fairness.commitment"),
    (("fairness", "server_seed", "00"), "$.fairness.server_seed"),
    (("fairness", "server_seed", "0" * 64), "$.fairness.commitment"),
    (("fairness", "contributions", []), "$.fairness.contributions"),
    (("fairness", "contributions", 0, "mine"), "$.deals[0]"),
]


@pytest.mark.parametrize(("edit", "place"), TAMPERED)
def test_a_record_that_was_changed(run, tmp_path, record, edit, place):
    (tmp_path / "changed.json").write_bytes(edited(record, *edit))
    ran = run("verify", tmp_path, "--json")
    assert ran.code == 1
    (file,) = ran.data["files"]
    assert (file["place"], bool(file["reason"])) == (place, True)


def test_swapped_actions_are_named(run, tmp_path, record):
    actions = json.loads(record)["actions"]
    (tmp_path / "swapped.json").write_bytes(edited(record, "actions", [actions[-1], *actions[1:]]))
    ran = run("verify", tmp_path)
    assert ran.code == 1
    assert "$.actions[0]: seat " in ran.out


def test_a_match_that_is_going_on(run, tmp_path, record):
    document = json.loads(record)
    document |= {"result": None, "actions": document["actions"][:5], "deals": document["deals"][:1]}
    document["fairness"]["server_seed"] = None
    document["digest"] = digest(document)
    (tmp_path / "open.json").write_text(json.dumps(document))
    ran = run("verify", tmp_path)
    assert ran.code == 0
    assert "1 deal legal but not proven, not over yet" in ran.out


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_file_that_was_cut_off(run, tmp_path, record, share):
    (tmp_path / "cut.json").write_bytes(record[: int(len(record) * share)])
    ran = run("verify", tmp_path)
    assert (ran.code, ran.out[0]) == (1, "✗")


def test_cut_off_actions_are_named(run, tmp_path, record):
    (tmp_path / "cut.json").write_bytes(edited(record, "actions", json.loads(record)["actions"][:-1]))
    ran = run("verify", tmp_path)
    assert ran.code == 1
    assert "truncated" in ran.out


def test_escape_codes_do_not_reach_the_terminal(run, tmp_path, record):
    (tmp_path / "evil.json").write_bytes(edited(record, "game", "\x1b[31mchess"))
    assert "\x1b" not in run("verify", tmp_path).out
    (tmp_path / "evil.json").write_bytes(edited(record, "seats", 0, "name", "\x1b[31m\nAnna"))
    assert "\x1b" not in run("show", tmp_path / "evil.json").out


def test_an_old_terminal_gets_words(process, record_path):
    ran = process("verify", record_path, "missing.json", env={"PYTHONIOENCODING": "ascii"})
    assert [line[:3] for line in ran.stdout.splitlines()[:2]] == ["ok ", "no "]


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["six", "PlayCard"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "card", "a"]), inner),
    max_leaves=4,
)


def change(document, data):
    """Put any value at any place."""
    place = document
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(min(len(place), 8)))
        key = data.draw(st.sampled_from(keys))
        inner = place[key]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
            place[key] = data.draw(JSON_VALUES)
            return
        place = inner


@given(data=st.data(), seal=st.booleans())
@settings(deadline=None, max_examples=200, suppress_health_check=[HealthCheck.too_slow])
def test_no_change_of_a_record_is_a_traceback(record, data, seal):
    document = json.loads(record)
    change(document, data)
    if seal:
        document["digest"] = digest(document)
    content = json.dumps(document).encode()
    same = content == json.dumps(json.loads(record)).encode()  # True is not 1 there
    for command, codes in (("verify", {0, 1}), ("show", {0, 2})):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                code = main([command, "-", "--json"])
        assert code in codes
        assert code == 0 or not same
        assert command == "show" or seal or same or code == 1
