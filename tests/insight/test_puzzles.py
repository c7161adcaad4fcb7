"""Puzzles that ship are what they claim to be: one action is best by more than four standard errors, twice."""

from collections import Counter
from datetime import date, timedelta
from random import Random
from typing import Any

import msgspec
import pytest

import nimmt
from nimmt.insight import mining
from nimmt.insight.crew import Crew
from nimmt.insight.mining import Look, Mine, Position, check
from nimmt.insight.puzzles import (
    DIFFICULTIES,
    FIRST_DAY,
    FORMAT,
    SURE,
    BrokenPuzzles,
    Header,
    Line,
    Puzzles,
    Source,
    game_of_the_day,
    games_with_puzzles,
    puzzle_id,
    puzzles,
    read_puzzles,
    streak,
    write_puzzles,
)
from nimmt.match.record import RecordError
from nimmt.rules import registry

GAMES = games_with_puzzles()
SAMPLE = 2
DAY = date(2026, 11, 17)


@pytest.mark.parametrize("game", GAMES)
def test_every_one_that_ships_is_proven(game: str) -> None:
    """By its own figures, in a position whose legal actions are those that were judged."""
    found = puzzles(game)
    assert len(found) >= 500
    assert len(found.by_id) == len(found)
    for puzzle in found:
        assert tuple(puzzle.game.legal_for(puzzle.view)) == puzzle.actions
        assert puzzle.is_proven
        for one in puzzle.options:
            if one is not puzzle.best:
                assert one.cost > SURE * one.error
                assert one.first_cost > SURE * one.first_error
        assert puzzle.best.cost == 0 < puzzle.second_best.cost


@pytest.mark.parametrize("game", GAMES)
def test_all_variants_and_difficulties_are_among_them(game: str) -> None:
    found = puzzles(game)
    assert {puzzle.source.variant for puzzle in found} == {variant.id for variant in found.game.variants}
    assert len({puzzle.view.table.seats for puzzle in found}) > 2
    levels = Counter(map(found.level, found))
    assert set(levels) == set(DIFFICULTIES)
    assert min(levels.values()) > len(found) / 5


@pytest.mark.parametrize("game", GAMES)
def test_a_sample_comes_out_the_same_again(game: str) -> None:
    """Its match is played again, and its position judged again."""
    found = puzzles(game)
    for number in range(SAMPLE):
        assert check(found[number * len(found) // SAMPLE]).complaint == ""


def test_all_five_games_have_them() -> None:
    assert set(GAMES) == set(registry.GAMES)


def test_what_is_hidden_is_not_in_it() -> None:
    """A puzzle is a view. Whichever way its hidden cards are dealt, its seat sees the same."""
    for game in GAMES:
        puzzle = puzzles(game)[0]
        unseen = puzzle.game.unseen(puzzle.view)
        other = puzzle.game.imagine(puzzle.view, unseen[::-1])
        assert puzzle.game.view(other, puzzle.seat) == puzzle.view == puzzle.game.view(puzzle.state, puzzle.seat)


def test_the_check_sees_what_is_wrong() -> None:
    """Figures that were made up, and a position that its match never came to."""
    puzzle = puzzles("x")[0]
    first = puzzle.line.tried[0]
    made_up = msgspec.structs.replace(first, sure_value=first.sure_value + 0.01)
    line = msgspec.structs.replace(puzzle.line, tried=(made_up, *puzzle.line.tried[1:]))
    assert "figures" in check(Puzzles(puzzle.header, [line])[0]).complaint
    elsewhere = msgspec.structs.replace(puzzle.source, decision=puzzle.source.decision + 1)
    assert check(Puzzles(puzzle.header, [msgspec.structs.replace(puzzle.line, source=elsewhere)])[0]).complaint


# -- the day's ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_that_of_a_day_changes_daily_and_none_comes_twice(game: str) -> None:
    found = puzzles(game)
    year = [found.on(FIRST_DAY + timedelta(days=n)).id for n in range(len(found))]
    assert sorted(year) == sorted(found.by_id)
    assert found.on(DAY) is found.on(DAY)
    assert found.on(DAY) is not found.on(DAY + timedelta(days=1))


def test_games_take_turns() -> None:
    days = [game_of_the_day(FIRST_DAY + timedelta(days=n)) for n in range(len(GAMES))]
    assert sorted(days) == sorted(GAMES)


@pytest.mark.parametrize(
    ("ago", "length"), [([], 0), ([0], 1), ([1], 1), ([2], 0), ([0, 1, 2], 3), ([1, 2], 2), ([0, 2, 3], 1)]
)
def test_a_streak_ends_today_or_yesterday(ago: list[int], length: int) -> None:
    assert streak((DAY - timedelta(days=n) for n in ago), DAY) == length


def test_whoever_practises_sees_all_before_any_comes_again() -> None:
    found = puzzles("six")
    for level in DIFFICULTIES:
        seen: list[str] = []
        after = None
        for _ in range(len(found.of_level(level))):
            puzzle = found.following(level, after)
            assert found.level(puzzle) == level
            after = puzzle.id
            seen.append(after)
        assert len(set(seen)) == len(seen)
        assert found.following(level, after).id == seen[0]


# -- reasons and values -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "de", "pl", "ru"])
def test_reasons_are_told_in_every_language(language: str) -> None:
    puzzle = nimmt.puzzles("six")[0]
    told = puzzle.reason(puzzle.second_best.action, language)
    assert told == puzzle.reason(puzzle.best.action, language)
    assert f"{puzzle.best.facts.rest:.1f}" in told


def test_reasons_have_words_for_special_cards() -> None:
    """For programs, too, which know no names of seats."""
    told = [puzzle.reason(action) for puzzle in puzzles("buffalo") for action in puzzle.actions]
    assert any("Use stop row" in reason for reason in told)
    assert not any("(" in reason for reason in told)


def test_what_is_not_legal_has_no_reason() -> None:
    puzzle = puzzles("six")[0]
    illegal: Any = puzzles("x")[0].best.action
    assert puzzle.option(illegal) is None
    with pytest.raises(ValueError, match="not legal"):
        puzzle.reason(illegal)


# -- files and mining ---------------------------------------------------------------------------------------------


def test_files_are_the_same_to_the_byte() -> None:
    for game in GAMES:
        found = puzzles(game)
        assert read_puzzles(write_puzzles(found.header, found.lines)).lines == found.lines
        assert found.header.licence == "CC0-1.0"


@pytest.mark.parametrize(
    "data", [b"", b"nonsense", write_puzzles(msgspec.structs.replace(puzzles("x").header, format="else"), ())]
)
def test_what_is_no_file_of_puzzles_is_refused(data: bytes) -> None:
    with pytest.raises(BrokenPuzzles):
        read_puzzles(data)


def test_mining_goes_on_where_it_ended() -> None:
    """In two goes the same are found as in one, and all are as good as those that ship."""
    game = registry.get("x")
    whole = Mine(game, seed="test", worlds=60)
    list(whole.dig(3))
    begun = Mine(game, seed="test", worlds=60)
    list(begun.dig(1))
    again = Mine.resumed(read_puzzles(write_puzzles(begun.header, begun.lines)))
    list(again.dig(3))
    assert again.lines == whole.lines
    found = Puzzles(whole.header, whole.lines)
    assert found.header.format == FORMAT
    assert all(puzzle.is_proven for puzzle in found)
    assert check(found[0]).complaint == ""


class Hasty(Crew):
    """Answers far ahead of time, as several processes do."""

    def __init__(self) -> None:
        super().__init__()
        self.ahead = 12

    def ask(self, do: Any, *args: Any, **kwargs: Any) -> Any:
        answer = do(*args, **kwargs)
        return lambda: answer


def made_up(game: str, seed: str, number: int) -> list[Position]:
    """Positions that are only numbers, now and then the same one, several in each turn."""
    chance = Random(f"{seed}/{number}")
    views = [chance.randrange(100_000) for _ in range(30)] + [number // 2]
    return [Position(view, (), (1, place // 4), Source(place, number)) for place, view in enumerate(views)]


def looked_at(header: Header, position: Position, room: bool) -> Look:
    """Every fifth is a puzzle; of these three of four are obvious, and are not looked at to the end without room."""
    obvious = position.view % 4 > 0
    if position.view % 5 or (obvious and not room):
        return Look(None, obvious and not position.view % 5)
    view = msgspec.json.encode(position.view)
    return Look(Line(puzzle_id(header.game, view), 0, 0.0, position.source, msgspec.Raw(view), ()), obvious)


@pytest.mark.parametrize("seed", range(20))
def test_several_processes_find_the_same_as_one(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    """There is not room for all that is obvious: what was asked ahead is turned down then, or asked again."""
    monkeypatch.setattr(mining, "decisions", made_up)
    monkeypatch.setattr(mining, "look_at", looked_at)
    alone, together = (Mine(registry.get("x"), seed=str(seed), crew=crew) for crew in (Crew(), Hasty()))
    assert len(list(alone.dig(60))) == len(list(together.dig(60))) == 60
    assert alone.lines == together.lines
    assert alone.header == together.header


def test_records_are_looked_through() -> None:
    match = nimmt.Match("x", ["club", "greedy", "club"], seed="test").play()
    mine = Mine(registry.get("x"), worlds=60)
    for line in mine.search(match.record, 2):
        assert line.source.record == match.record.digest
        assert not line.source.number
    assert mine.header.positions > 0
    with pytest.raises(RecordError):
        next(Mine(registry.get("six")).search(match.record, 1))


def test_another_judge_does_not_go_on_with_a_file() -> None:
    header = msgspec.structs.replace(puzzles("x").header, evaluator="somebody else")
    with pytest.raises(ValueError, match="somebody else"):
        Mine.resumed(Puzzles(header, ()))
