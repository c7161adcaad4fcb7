"""`nimmt position`: from one form to the other and back."""

import pytest

from nimmt.match.match import replay
from nimmt.match.record import read_record
from nimmt.rules.position import to_json, to_text
from nimmt.rules.registry import GAMES, get


@pytest.fixture(params=GAMES)
def position(request, run, tmp_path):
    """A game and a position in the middle of it."""
    run("simulate", request.param, "--matches", 1, "--seed", 1, "--out", tmp_path)
    steps = list(replay(read_record((tmp_path / f"{request.param}-1-00001.json").read_bytes())))
    game, late = get(request.param), steps[len(steps) // 2 :]
    return game, next(step.state for step in late if game.pending(step.state))


def test_there_and_back(run, position):
    game, state = position
    text, data = to_text(game, state), to_json(game, state).decode()
    for given in (text, data):
        assert run("position", "-", "--to", "text", given=given.encode()).out == text
        assert run("position", "-", "--to", "json", given=given.encode()).out == data + "\n"


def test_a_position_is_described(run, position, tmp_path):
    game, state = position
    (tmp_path / "table.txt").write_text(to_text(game, state), "utf-8")
    ran = run("position", tmp_path / "table.txt")
    assert ran.code == 0
    assert ran.out.startswith(f"This is a position of {game.name} ({game.id}). Seat")
    data = run("position", tmp_path / "table.txt", "--json").data
    assert (data["ok"], data["game"], bool(data["pending"])) == (True, game.id, True)


def test_before_and_after_a_match(run, record):
    game, steps = get("six"), list(replay(read_record(record)))
    start = game.setup(game.options_type(), 3)
    assert "Cards are to be dealt." in run("position", "-", given=to_json(game, start)).out
    assert "The match is over." in run("position", "-", given=to_json(game, steps[-1].state)).out


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "Line 1"),
        (b"nimmt position chess 1\n", "no game 'chess'"),
        (b"nimmt position six 1\nseats: 2\n", "lacks"),
        (b"nimmt position six 1\ncolour: red\n", "Line 2"),
        (b"{}", "not a position in JSON"),
        (b"{" * 100_000, "not a position in JSON"),
        (b"\xff", "UTF-8"),
    ],
)
def test_what_is_no_position(run, content, reason):
    ran = run("position", "-", given=content)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert reason in ran.err
    assert run("position", "-", "--json", given=content).data["error"]["code"] in {"invalid_position", "not_text"}


def test_a_byte_order_mark_does_no_harm(run, record):
    game, steps = get("six"), list(replay(read_record(record)))
    text = to_text(game, steps[3].state)
    assert run("position", "-", "--to", "text", given=b"\xef\xbb\xbf" + text.encode()).out == text
