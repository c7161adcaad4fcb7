"""Who takes part and who sits where."""

from collections import Counter

import pytest

from nimmt.arena import ArenaError, read_field
from nimmt.arena.plan import arrangements


def names(text):
    return [contestant.name for contestant in read_field(text).contestants]


def test_bots_are_named_with_commas():
    field = read_field("greedy, random,greedy")
    assert [contestant.spec for contestant in field.contestants] == ["greedy", "random"]
    assert field.entries == (0, 1, 0)
    assert not field.counted


def test_a_number_takes_so_many_seats():
    field = read_field("greedy:1,random:3")
    assert field.entries == (0, 1, 1, 1)
    assert field.counted


@pytest.mark.parametrize(
    ("text", "command", "name"),
    [
        ('cmd:"./mybot --fast"', ["./mybot", "--fast"], "mybot --fast"),
        ("cmd:./mybot --fast", ["./mybot", "--fast"], "mybot --fast"),
        ('cmd:"./mybot --levels 1,2":3', ["./mybot", "--levels", "1,2"], "mybot --levels 1,2"),
        ("cmd:'./my bot' --x=1", ["./my bot", "--x=1"], "my bot --x=1"),
        ("old=cmd:./mybot", ["./mybot"], "old"),
        ("old=cmd:./mybot --x=1:2", ["./mybot", "--x=1"], "old"),
    ],
)
def test_an_engine_is_a_command(text, command, name):
    (contestant,) = read_field(text).contestants
    assert contestant.command == command
    assert contestant.name == name


def test_one_bot_may_play_under_two_names():
    field = read_field("a=greedy,b=greedy")
    assert names("a=greedy,b=greedy") == ["a", "b"]
    assert field.entries == (0, 1)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "No bots"),
        (" , ", "No bots"),
        ("greedy:0", "no seat"),
        ("cmd:", "not a command"),
        ("cmd:'open", "not a command"),
        ("greedy,greedy=random", "called 'greedy'"),
    ],
)
def test_nonsense_is_refused(text, told):
    with pytest.raises(ArenaError, match=told):
        read_field(text)


def test_everybody_has_every_seat():
    tables = arrangements([0, 1, 2, 3], 4)
    assert tables == ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2))


def test_one_against_three_sits_at_four_tables():
    assert arrangements([0, 1, 1, 1], 4) == ((0, 1, 1, 1), (1, 1, 1, 0), (1, 1, 0, 1), (1, 0, 1, 1))


def test_tables_that_look_alike_are_one():
    assert arrangements([0, 1], 4) == ((0, 1, 0, 1), (1, 0, 1, 0))
    assert arrangements([0], 3) == ((0, 0, 0),)


@pytest.mark.parametrize(("bots", "seats"), [(5, 2), (5, 3), (6, 4), (3, 3), (2, 6)])
def test_every_seat_is_shared_out_evenly(bots, seats):
    tables = arrangements(range(bots), seats)
    for seat in range(seats):
        counts = Counter(table[seat] for table in tables)
        assert len(counts) == bots
        assert len(set(counts.values())) == 1


def test_too_many_tables_are_refused():
    with pytest.raises(ArenaError, match="1000 tables"):
        arrangements(range(20), 10)


def test_a_game_of_teams_has_a_table_for_each_bot(plan):
    found = plan("greedy,random", game="buffalo", seats=3)
    assert found.teams
    assert found.arrangements == ((0, 0, 0), (1, 1, 1))


def test_a_mixed_team_can_be_named_by_numbers(plan):
    found = plan("greedy:1,random:2", game="buffalo", seats=3)
    assert not found.teams
    assert len(found.arrangements) == 3


def test_numbers_must_fill_the_table(plan):
    with pytest.raises(ArenaError, match="take 3 seats, but 4"):
        plan("greedy:1,random:2")


def test_an_unknown_bot_is_refused(plan):
    with pytest.raises(ArenaError, match="no bot 'nobody'"):
        plan("greedy,nobody")
