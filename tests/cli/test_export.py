"""Records as tables, and datasets that prove themselves."""

import csv
import json
import shlex
from hashlib import sha256
from pathlib import Path

import pytest

import nimmt
from nimmt.clients.cli import dataset
from nimmt.clients.cli.export import FORMATS, Writers, read_table
from nimmt.clients.cli.main import main
from nimmt.library.tables import TABLES
from nimmt.rules import registry

GAMES = registry.all_games()

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "export.md").read_text("utf-8")


@pytest.fixture
def records(tmp_path):
    folder = tmp_path / "records"
    folder.mkdir()
    for number, game in enumerate(["six", "x", "eleven", "baron", "buffalo"]):
        nimmt.Match(game, bots=["greedy", "random"], seed=number).play().save(folder / f"{game}.json")
    return folder


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_tables_tell_what_records_tell(records, tmp_path, capsys):
    out = tmp_path / "tables"
    assert main(["export", str(records), "--out", str(out), "--anonymous", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    decisions, results = read(out / "decisions.csv"), read(out / "results.csv")
    assert told["rows"]["decisions"] == len(decisions)
    assert len(results) == 10
    assert {row["name"] for row in results} == {""}
    record = json.loads((records / "six.json").read_text("utf-8"))
    own = [row for row in decisions if row["game"] == "six"]
    assert [json.loads(row["action"]) for row in own] == [move["action"] for move in record["actions"]]
    assert [int(row["seat"]) for row in own] == [move["seat"] for move in record["actions"]]
    points = [int(row["points"]) for row in results if row["game"] == "six"]
    assert points == record["result"]["points"]
    assert len(own[0]["hand"].split()) == 10
    deals = [row["cards"] for row in read(out / "deals.csv") if row["game"] == "six"]
    assert [list(map(int, cards.split())) for cards in deals] == [deal["decks"]["numbers"] for deal in record["deals"]]


def test_nothing_is_overwritten_and_nothing_is_left_behind(records, tmp_path, capsys):
    out = tmp_path / "tables"
    assert main(["export", str(records / "six.json"), "--out", str(out), "--to", "jsonl", "--views"]) == 0
    line = json.loads((out / "decisions.jsonl").read_text("utf-8").splitlines()[0])
    assert json.loads(line["view"])["seat"] == line["seat"]
    assert main(["export", str(records / "six.json"), "--out", str(out), "--to", "jsonl"]) == 2
    (records / "x.json").write_text((records / "x.json").read_text("utf-8").replace('"card": ', '"card": 9'), "utf-8")
    capsys.readouterr()
    assert main(["export", str(records), "--out", str(tmp_path / "other")]) == 2
    told = capsys.readouterr().err
    assert f"{records / 'x.json'} is refused at $." in told, "one of many records must be found again"
    assert not told.endswith("..\n")
    assert list((tmp_path / "other").iterdir()) == []


def test_parquet_says_what_it_needs(records, tmp_path, capsys, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["export", str(records), "--to", "parquet", "--out", str(tmp_path / "p")]) == 2
    assert "pip install 'nimmt[parquet]'" in capsys.readouterr().err
    assert not (tmp_path / "p").exists()


def test_all_formats_hold_the_same(tmp_path, capsys):
    """Matches of every game and variant, read back with the types that the columns are said to have."""
    folder = tmp_path / "records"
    folder.mkdir()
    for game in GAMES:
        for variant in game.variants:
            match = nimmt.Match(game.id, bots=["greedy", "random"], variant=variant.id, seed=1)
            match.play().save(folder / f"{game.id}-{variant.id}.json")
    forms = {form: tmp_path / form for form in FORMATS}
    for form, out in forms.items():
        assert main(["export", str(folder), "--to", form, "--out", str(out), "--views"]) == 0
    capsys.readouterr()
    kinds = {"int": int, "text": str, "bool": {"true": True, "false": False}.__getitem__}
    for name, columns in TABLES.items():
        read = {form: list(read_table(out / f"{name}.{form}")) for form, out in forms.items()}
        typed = [{c.name: kinds[c.type](row[c.name]) if row[c.name] else None for c in columns} for row in read["csv"]]
        told = [{key: value if value != "" else None for key, value in row.items()} for row in read["jsonl"]]
        assert typed == told
        assert read["parquet"] == read["jsonl"]
        assert len({row["game"] for row in told}) == len(GAMES)


def test_the_page_explains_every_column():
    for name, columns in TABLES.items():
        part = PAGE.partition(f"## {name}\n")[2].partition("\n## ")[0]
        lines = [f"| `{column.name}` | {column.type} | {column.meaning} |" for column in columns]
        assert [line for line in lines if line not in part] == []


@pytest.mark.parametrize("form", FORMATS)
def test_a_dataset_proves_itself(tmp_path, capsys, form):
    words = ["--decisions", "80", "--players", "2", "--bots", "greedy,random", "--to", form]
    first, second = tmp_path / "first", tmp_path / "second"
    for folder in (first, second):
        assert main(["dataset", "six", str(folder), *words]) == 0
    assert {path.name: path.read_bytes() for path in first.iterdir()} == {
        path.name: path.read_bytes() for path in second.iterdir()
    }
    assert "Licence" in (first / "README.md").read_text("utf-8")
    assert main(["dataset", "six", str(first), "--verify"]) == 0
    assert main(["dataset", "x", str(first), "--verify"]) == 2, "it is one of another game"
    assert main(["dataset", "six", str(first), *words]) == 2, "there is one already"
    table = first / f"results.{form}"
    table.write_bytes(table.read_bytes().replace(b"target", b"Target"))
    assert main(["dataset", "six", str(first), "--verify"]) == 1
    capsys.readouterr()


def make_dataset(folder, *words):
    assert main(["dataset", "six", str(folder), "--decisions", "80", "--players", "2", "--bots", "random", *words]) == 0


def change(folder, form, table, alter):
    """Some lines of a table, and its checksum."""
    path, sums = folder / f"{table}.{form}", folder / dataset.SUMS
    lines = list(read_table(path))
    alter(lines)
    with Writers(folder, form, [table], force=True) as writers:
        for line in lines:
            writers.put(table, line)
    sign(path, sums)


def sign(path, sums):
    about = json.loads(sums.read_text("utf-8"))
    about["sha256"][path.name] = sha256(path.read_bytes()).hexdigest()
    sums.write_text(json.dumps(about), "utf-8")


CHANGES = {
    "points": ("results", lambda lines: lines[0].update(points=int(lines[0]["points"]) + 1), "the rules say"),
    "decision": ("decisions", lambda lines: lines[3].update(points=1), "the rules say points"),
    "hand": ("decisions", lambda lines: lines[2].update(hand="1 2 3"), "the rules say hand"),
    "player": ("decisions", lambda lines: lines[2].update(player="master"), "the rules say player 'random'"),
    "last decision": ("decisions", lambda lines: lines.pop(), "truncated"),
    "last deal": ("deals", lambda lines: lines.pop(), "truncated"),
    "no deals": ("deals", lambda lines: lines.clear(), "the same matches"),
    "action": ("decisions", lambda lines: lines[0].update(action="{}"), "actions[0]"),
    "one more": ("results", lambda lines: lines.append(lines[0] | {"match": "0"}), "the same matches"),
}


@pytest.mark.parametrize(("number", "change_made"), list(enumerate(CHANGES)), ids=list(CHANGES))
def test_a_dataset_is_played_again_not_only_summed_up(tmp_path, capsys, number, change_made):
    """Who changes a line and its checksum is found out by the rules, whatever stands in the line."""
    form, (table, alter, told) = FORMATS[number % len(FORMATS)], CHANGES[change_made]
    make_dataset(tmp_path, "--to", form)
    change(tmp_path, form, table, alter)
    capsys.readouterr()
    assert main(["dataset", "six", str(tmp_path), "--verify"]) == 1
    assert told in capsys.readouterr().out


def test_what_is_no_dataset_is_refused_in_a_sentence(tmp_path, capsys):
    make_dataset(tmp_path)
    sums, table = tmp_path / dataset.SUMS, tmp_path / "decisions.csv"
    whole, about = table.read_bytes(), json.loads(sums.read_text("utf-8"))

    def told(code):
        capsys.readouterr()
        assert main(["dataset", "six", str(tmp_path), "--verify"]) == code
        return "".join(capsys.readouterr())

    for content in (b"", b"garbage\n", whole.replace(b"phase", b"face", 1), whole + b"\xff"):
        table.write_bytes(content)
        sign(table, sums)
        assert told(1).startswith("wrong: ")
    table.unlink()
    assert "decisions.csv: is missing" in told(1)
    table.write_bytes(whole)
    sums.write_text(json.dumps(about | {"rows": about["rows"] | {"deals": 1}}), "utf-8")
    assert "other numbers" in told(1)
    sums.write_text(json.dumps(about | {"sha256": {}}), "utf-8")
    assert "has no checksum" in told(1)
    for content in ("", "{}", json.dumps(about | {"format": "nimmt-dataset-0"})):
        sums.write_text(content, "utf-8")
        assert dataset.SUMS in told(2)


def test_a_dataset_overwrites_nothing(tmp_path, capsys):
    (tmp_path / "README.md").write_text("mine", "utf-8")
    assert main(["dataset", "six", str(tmp_path), "--decisions", "80", "--bots", "random"]) == 2
    assert "README.md is there already" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
    assert (tmp_path / "README.md").read_text("utf-8") == "mine"


def test_the_card_has_the_command_that_makes_the_same_files(tmp_path, capsys):
    """With the options that were chosen, in a shell."""
    first, second = tmp_path / "first", tmp_path / "second"
    make_dataset(
        first, "--variant", "cow", "--fan", "twist,cow", "--target", "9", "--more-than-target", "--seed", "a b"
    )
    made = (first / "README.md").read_text("utf-8").partition("Made by `nimmt ")[2].partition("`")[0]
    assert main([str(second) if word == "DIR" else word for word in shlex.split(made)]) == 0
    for path in first.iterdir():
        assert path.read_bytes() == (second / path.name).read_bytes()
    capsys.readouterr()


def test_a_dataset_that_was_stopped_goes_on(tmp_path, capsys, monkeypatch):
    """Whole, in one piece by two processes, and stopped in the midst of a line: all the same to the byte."""
    words = ["--decisions", "400", "--players", "2", "--bots", "greedy,random,newcomer"]
    whole, shared, stopped = tmp_path / "whole", tmp_path / "shared", tmp_path / "stopped"
    assert main(["dataset", "six", str(whole), *words]) == 0
    assert main(["dataset", "six", str(shared), *words, "--workers", "2"]) == 0
    play, left = dataset.Plan.play, iter([True, True])

    def stop_after_two(plan, number):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return play(plan, number)

    monkeypatch.setattr(dataset.Plan, "play", stop_after_two)
    assert main(["dataset", "six", str(stopped), *words]) == 130
    played = stopped / dataset.PLAYED
    head, first, second = played.read_bytes().splitlines(keepends=True)
    played.write_bytes(head + first + second[:-100])
    monkeypatch.setattr(dataset.Plan, "play", play)
    assert main(["dataset", "six", str(stopped), *words, "--seed", "2"]) == 2, "another dataset was begun here"
    assert main(["dataset", "six", str(stopped), *words]) == 0
    files = {path.name: path.read_bytes() for path in whole.iterdir()}
    assert "newcomer" in files["results.csv"].decode()
    for folder in (shared, stopped):
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == files
    capsys.readouterr()
