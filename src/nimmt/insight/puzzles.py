"""Puzzles as typed values: positions with one best action, and the figures that prove it. Light enough for a server.

A puzzle is a view: what its seat knew, and nothing hidden. Files are lines of JSON, compressed: the first says where
the puzzles come from and how they were judged, each other one is a puzzle. `docs/puzzles.md` has the format.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache, cached_property
from hashlib import sha256
from importlib import resources
from typing import Any, Literal, TypeAlias

import msgspec

from nimmt.insight.advice import name_of
from nimmt.insight.figures import Prospect, Reason
from nimmt.match.record import decode_action
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Seat

FORMAT = "nimmt-puzzles 1"
FILE = "puzzles.jsonl.gz"
"""In the folder of a game: the puzzles that ship with it."""
LICENCE = "CC0-1.0"
SURE = 4.0
"""Standard errors by which the best action is better than every other one, with some worlds and with ten times more."""
TIMES = 10
FIRST_DAY = date(2026, 1, 1)
"""The archive goes back to here."""

Difficulty: TypeAlias = Literal["easy", "medium", "hard"]
DIFFICULTIES: tuple[Difficulty, ...] = ("easy", "medium", "hard")


class BrokenPuzzles(ValueError):
    """A file of puzzles that cannot be read, with a sentence that says where and why."""


class Source(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Where a position comes from: a match of bots that can be played again, or somebody's record."""

    decision: int
    """The number of the action in the match, from 0."""
    number: int = 0
    """Of the match among those of the file's seed; 0 for a record."""
    variant: str = "basic"
    bots: str = ""
    """Who sat there, at every seat."""
    record: str = ""
    """The digest of the record, where it was one."""


class Judged(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What one action brings, twice: with some worlds, and with ten times as many other ones."""

    action: msgspec.Raw
    value: float
    """Points of the round, on average; in a team, those of the team less the rival's."""
    error: float
    """Standard error of the difference to the best action, which meets the same worlds; 0 for the best itself."""
    sure_value: float
    sure_error: float
    takes: float
    """In how many of a hundred worlds cards are taken by the end of the turn."""
    price: float
    """Points that this brings on average, where it happens."""


class Header(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all puzzles of a file have in common: enough to compute them again."""

    format: str = FORMAT
    game: str
    rules_version: int
    evaluator: str
    """The judge, with its version and a hash of what it goes by."""
    worlds: int
    seed: str
    matches: int = 0
    """So many matches of this seed have been looked through."""
    positions: int = 0
    """So many decisions were judged to find these."""
    licence: str = LICENCE


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A puzzle as a file has it."""

    id: str
    difficulty: int
    """From 0 to 100: who misses it, how good others look at first sight, how near the second best is."""
    so_far: float
    """What the seat has in this round already; a team, less what its rival has."""
    source: Source
    view: msgspec.Raw
    tried: tuple[Judged, ...]


class Option(msgspec.Struct, frozen=True):
    """A legal action and what it brings."""

    action: Action
    value: float
    """Points of the round, on average, with ten times the worlds."""
    error: float
    """Standard error of its cost."""
    cost: float
    """How much worse than the best one, in points; 0 for the best."""
    first_cost: float
    """The same with the first worlds, which are others."""
    first_error: float
    facts: Prospect


class Puzzle:
    """A position in which one action is best. `view` is all that there is to know before deciding."""

    def __init__(self, game: AnyGame, header: Header, line: Line) -> None:
        self.game, self.header, self.line = game, header, line
        self.id, self.source = line.id, line.source

    def __repr__(self) -> str:
        return f"<puzzle {self.id} of {self.game.id}: {len(self.line.tried)} actions, {self.line.difficulty}>"

    @cached_property
    def view(self) -> Any:
        return msgspec.json.decode(self.line.view, type=self.game.view_type)

    @property
    def seat(self) -> Seat:
        seat: Seat = self.view.seat
        return seat

    @cached_property
    def state(self) -> Any:
        """A state that looks like the view; its hidden cards are any."""
        return self.game.imagine(self.view, self.game.unseen(self.view))

    @property
    def worlds(self) -> int:
        """In so many every action was tried the second time."""
        return TIMES * self.header.worlds

    @property
    def difficulty(self) -> int:
        return self.line.difficulty

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        return tuple(decode_action(self.game, one.action) for one in self.line.tried)

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """All legal actions, in the order of the rules."""
        sign, tried, best = self._sign, self.line.tried, self.line.tried[self._best]
        return tuple(
            Option(
                action=action,
                value=one.sure_value,
                error=one.sure_error,
                cost=round(sign * (one.sure_value - best.sure_value), 3),
                first_cost=round(sign * (one.value - best.value), 3),
                first_error=one.error,
                facts=Prospect(name_of(action), one.takes, one.price, round(one.sure_value - self.line.so_far, 2)),
            )
            for action, one in zip(self.actions, tried, strict=True)
        )

    @property
    def best(self) -> Option:
        return self.options[self._best]

    @property
    def second_best(self) -> Option:
        return min((one for one in self.options if one is not self.best), key=lambda one: one.cost)

    def option(self, action: Action) -> Option | None:
        """What comes of it; nothing if it is not legal here."""
        return next((one for one in self.options if one.action == action), None)

    def reason(self, action: Action, language: str = "en") -> str:
        """Why the best is better, in facts counted in the worlds; of the best itself, why not the second best."""
        return Reason(self.beaten(action).facts, self.best.facts).told(language)

    def beaten(self, action: Action) -> Option:
        """What the best is compared with when this was answered."""
        done = self.option(action)
        if done is None:
            raise ValueError(f"{action} is not legal in puzzle {self.id}.")
        return self.second_best if done is self.best else done

    @cached_property
    def _best(self) -> int:
        tried = self.line.tried
        return min(range(len(tried)), key=lambda number: self._sign * tried[number].sure_value)

    @property
    def _sign(self) -> float:
        return -1.0 if self.game.high_score_wins(self.view.table.options) else 1.0

    @property
    def is_proven(self) -> bool:
        """Whether the figures say what a puzzle claims: best by more than four standard errors, twice."""
        others = [one for one in self.options if one is not self.best]
        return bool(others) and all(
            one.cost > SURE * one.error and one.first_cost > SURE * one.first_error for one in others
        )


# -- collections -------------------------------------------------------------------------------------------------------


class Puzzles(Sequence[Puzzle]):
    """The puzzles of a file, in their order, and by their ids."""

    def __init__(self, header: Header, lines: Iterable[Line]) -> None:
        self.header, self.lines = header, tuple(lines)
        self.game = registry.get(header.game)
        self._puzzles = tuple(Puzzle(self.game, header, line) for line in self.lines)

    def __len__(self) -> int:
        return len(self._puzzles)

    def __getitem__(self, index: Any) -> Any:
        return self._puzzles[index]

    @cached_property
    def by_id(self) -> Mapping[str, Puzzle]:
        return {puzzle.id: puzzle for puzzle in self._puzzles}

    def level(self, puzzle: Puzzle) -> Difficulty:
        """The easiest third of a game's puzzles is easy, the hardest hard."""
        return DIFFICULTIES[(puzzle.difficulty > self._bounds[0]) + (puzzle.difficulty > self._bounds[1])]

    def of_level(self, difficulty: Difficulty) -> tuple[Puzzle, ...]:
        return tuple(puzzle for puzzle in self._puzzles if self.level(puzzle) == difficulty)

    def following(self, difficulty: Difficulty | None = None, after: str | None = None) -> Puzzle:
        """The next one for whoever practises, round and round. Whoever changes the difficulty goes on from there."""
        offered = self.of_level(difficulty) if difficulty else self._puzzles
        here = self._places.get(after or "", -1)
        return next((puzzle for puzzle in offered if self._places[puzzle.id] > here), (*offered, *self._puzzles)[0])

    def on(self, day: date) -> Puzzle:
        """The puzzle of a day follows from the date and the file alone; none comes again before all have come."""
        if not self._puzzles:
            raise BrokenPuzzles(f"There are no puzzles of {self.game.name} here.")
        turn, place = divmod((day - FIRST_DAY).days, len(self._puzzles))
        return self._puzzles[_order(self.game.id, turn, len(self._puzzles))[place]]

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {puzzle.id: place for place, puzzle in enumerate(self._puzzles)}

    @cached_property
    def _bounds(self) -> tuple[int, int]:
        ranked = sorted(line.difficulty for line in self.lines) or [0]
        return ranked[(len(ranked) - 1) // 3], ranked[2 * (len(ranked) - 1) // 3]


@cache
def _order(game: str, turn: int, size: int) -> tuple[int, ...]:
    """All numbers below `size`, shuffled; another order each time round."""
    return tuple(sorted(range(size), key=lambda number: sha256(f"{game}/{turn}/{number}".encode()).digest()))


@cache
def puzzles(game: str | None = None) -> Puzzles:
    """The puzzles of a game that ship with the package; of 6 nimmt! unless told. Raises `UnknownGame`."""
    found = registry.get(game or "six")
    file = resources.files(f"nimmt.games.{found.id}") / FILE
    if not file.is_file():
        return Puzzles(Header(game=found.id, rules_version=found.rules_version, evaluator="", worlds=0, seed=""), ())
    return read_puzzles(file.read_bytes(), FILE)


def games_with_puzzles() -> tuple[str, ...]:
    return tuple(game.id for game in registry.all_games() if puzzles(game.id))


def game_of_the_day(day: date) -> str:
    """Of all games' puzzles of the day one is the day's: the games take turns."""
    games = games_with_puzzles()
    if not games:
        raise BrokenPuzzles("There are no puzzles here.")
    turn, place = divmod((day - FIRST_DAY).days, len(games))
    return games[_order("games", turn, len(games))[place]]


def today() -> date:
    """By UTC: the same for everybody."""
    return datetime.now(UTC).date()


def streak(days: Iterable[date], now: date) -> int:
    """On how many days in a row: until today or, as today is not over yet, until yesterday."""
    solved = set(days)
    last = now if now in solved else now - timedelta(days=1)
    length = 0
    while last - timedelta(days=length) in solved:
        length += 1
    return length


# -- files -------------------------------------------------------------------------------------------------------------


def read_puzzles(data: bytes, name: str = "file") -> Puzzles:
    """The content of a file; raises `BrokenPuzzles`."""
    number = 0
    try:
        lines = gzip.decompress(data).splitlines()
        header = msgspec.json.decode(lines[0] if lines else b"", type=Header)
        if header.format != FORMAT:
            raise BrokenPuzzles(f"{name} has the format {header.format!r:.40}; this version reads {FORMAT!r}.")
        read = []
        for number, line in enumerate(lines[1:], 1):  # noqa: B007  # the number is told if a line is broken
            read.append(msgspec.json.decode(line, type=Line))
        return Puzzles(header, read)
    except (OSError, EOFError) as error:
        raise BrokenPuzzles(f"{name} is not a file of puzzles: {error}.") from None
    except (msgspec.MsgspecError, registry.UnknownGame) as error:
        raise BrokenPuzzles(f"{name}, line {number + 1}: {error}.") from None


def write_puzzles(header: Header, lines: Iterable[Line]) -> bytes:
    """The content of a file: the same puzzles, the same bytes."""
    parts = [msgspec.json.encode(header), *(msgspec.json.encode(line) for line in lines)]
    return gzip.compress(b"\n".join(parts) + b"\n", mtime=0)


def puzzle_id(game: str, view: bytes) -> str:
    """Follows from the position: the same one is found twice and kept once."""
    return sha256(game.encode() + b"\0" + view).hexdigest()[:10]
