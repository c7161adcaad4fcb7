"""Puzzles as messages: the table as a seat saw it, and, to whoever has answered, what every action is worth."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import cache, lru_cache
from typing import Any

import msgspec

from nimmt.insight.puzzles import (
    FIRST_DAY,
    Difficulty,
    Puzzle,
    Puzzles,
    game_of_the_day,
    games_with_puzzles,
    puzzles,
    today,
)
from nimmt.match.record import decode_action
from nimmt.rules.game import Action
from nimmt.rules.kit.seats import SEAT_NAMES
from nimmt.server.http.errors import Code, Refused
from nimmt.server.tables import messages as m
from nimmt.server.tables.projection import still_situation, still_table


class PuzzleInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle in a list."""

    game: str
    id: str
    difficulty: Difficulty
    seats: int
    variant: str


class PuzzleDay(msgspec.Struct, frozen=True, kw_only=True):
    """The puzzles of a day by UTC, one for each game; one of them is the day's."""

    date: str
    first: str
    """The archive begins here; it ends today."""
    today: str
    game: str
    puzzles: tuple[PuzzleInfo, ...]


class PuzzleSheet(msgspec.Struct, frozen=True, kw_only=True):
    """A puzzle before it is answered. Nothing in it says what is best."""

    info: PuzzleInfo
    table: m.TableInfo
    situation: m.Situation


class PuzzleOption(msgspec.Struct, frozen=True, kw_only=True):
    """A legal action and what it is worth."""

    action: Any
    value: float
    """Points of the round, on average."""
    cost: float
    """How much worse than the best, in points; 0 for the best."""
    error: float
    """Its standard error."""
    label: str
    """What it is called where it is neither a card nor a row."""
    why: str


class PuzzleAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What an answer was worth, and everything else."""

    right: bool
    best: Any
    reason: str
    options: tuple[PuzzleOption, ...]
    difficulty: int
    """From 0 to 100."""
    evaluator: str
    worlds: int


# -- which one ---------------------------------------------------------------------------------------------------------


def day(wanted: str | None) -> PuzzleDay:
    """The puzzles of a date; those of today unless told. Days to come have none yet."""
    when = _date(wanted)
    return PuzzleDay(
        date=when.isoformat(),
        first=FIRST_DAY.isoformat(),
        today=today().isoformat(),
        game=game_of_the_day(when) if games_with_puzzles() else "",
        puzzles=tuple(info(puzzles(game).on(when)) for game in games_with_puzzles()),
    )


def find(game: str, which: str) -> Puzzle:
    """By its id, or by a date."""
    found = collection(game)
    if (puzzle := found.by_id.get(which)) is not None:
        return puzzle
    return found.on(_date(which))


def collection(game: str) -> Puzzles:
    if game not in games_with_puzzles():
        raise Refused(Code.NOT_FOUND, "There are no puzzles for this game.")
    return puzzles(game)


def _date(wanted: str | None) -> date:
    try:
        when = date.fromisoformat(wanted) if wanted is not None else today()
    except ValueError:
        raise Refused(Code.NOT_FOUND, "There is no such puzzle.") from None
    if not FIRST_DAY <= when <= today():
        raise Refused(Code.NOT_FOUND, f"There are puzzles from {FIRST_DAY} to today.")
    return when


# -- what is told ------------------------------------------------------------------------------------------------------


def info(puzzle: Puzzle) -> PuzzleInfo:
    return PuzzleInfo(
        game=puzzle.game.id,
        id=puzzle.id,
        difficulty=puzzles(puzzle.game.id).level(puzzle),
        seats=puzzle.view.table.seats,
        variant=puzzle.source.variant,
    )


@lru_cache(maxsize=256)
def sheet(puzzle: Puzzle) -> bytes:
    """As JSON; the same for everybody."""
    bots = (m.Chair(kind="bot", name=name, level="expert") for name in SEAT_NAMES)
    chairs = tuple(
        m.Chair(kind="person") if seat == puzzle.seat else next(bots) for seat in range(puzzle.view.table.seats)
    )
    return msgspec.json.encode(
        PuzzleSheet(
            info=info(puzzle),
            table=still_table(f"puzzle-{puzzle.id}", puzzle.game, puzzle.state),
            situation=still_situation(puzzle.game, puzzle.state, puzzle.seat, chairs),
        )
    )


def answer(puzzle: Puzzle, given: Mapping[str, Any], language: str) -> PuzzleAnswer:
    """Raises `Refused` if it is no action that is legal there: then nothing is told."""
    action = _read(puzzle, given)
    if puzzle.option(action) is None:
        raise Refused(Code.BAD_ACTION, "This action is not possible in this puzzle.")
    return PuzzleAnswer(
        right=action == puzzle.best.action,
        best=puzzle.best.action,
        reason=puzzle.reason(action, language),
        options=_options(puzzle, language),
        difficulty=puzzle.difficulty,
        evaluator=puzzle.header.evaluator,
        worlds=puzzle.worlds,
    )


@cache
def _options(puzzle: Puzzle, language: str) -> tuple[PuzzleOption, ...]:
    return tuple(
        PuzzleOption(
            action=one.action,
            value=one.value,
            cost=one.cost,
            error=one.error,
            label=one.facts.what,
            why=puzzle.reason(one.action, language),
        )
        for one in puzzle.options
    )


def _read(puzzle: Puzzle, given: Mapping[str, Any]) -> Action:
    try:
        return decode_action(puzzle.game, msgspec.json.encode(given))
    except msgspec.MsgspecError as error:
        raise Refused(Code.BAD_ACTION, f"This is not an action of this game: {error}.") from None
