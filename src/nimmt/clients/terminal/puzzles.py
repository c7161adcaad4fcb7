"""Puzzles at a terminal: the same table and the same words as in a match. What is wrong is answered and can be tried
again; what was solved, and on how many days in a row, is kept."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from nimmt.clients.remote import guests_file
from nimmt.clients.terminal.face import Unclear, face_of
from nimmt.clients.terminal.host import Host, Left
from nimmt.clients.terminal.naming import Naming
from nimmt.clients.terminal.screen import Gone, Screen
from nimmt.clients.terminal.words import tr
from nimmt.insight.puzzles import Difficulty, Option, Puzzle, puzzles, streak, today
from nimmt.rules.game import Action, AnyGame, Decision, Event, Outcome, Seat, Value
from nimmt.rules.kit.seats import SEAT_NAMES

VARIABLE = "NIMMT_PUZZLES"
"""Where the progress is kept, if not in its usual place."""
TOLD = 6
"""So many actions are listed with what they cost, the best ones first."""


class Progress(msgspec.Struct):
    """What was solved so far."""

    days: set[str] = set()
    """Days whose puzzle was solved on that day."""
    solved: dict[str, bool] = {}
    """Puzzles by their ids, and whether the first answer was right."""
    places: dict[str, str] = {}
    """The last puzzle that was practised, by game."""

    @classmethod
    def load(cls) -> Progress:
        """Nothing if nothing was kept, or it cannot be read."""
        try:
            return msgspec.json.decode(progress_file().read_bytes(), type=cls)
        except (OSError, msgspec.MsgspecError):
            return cls()

    def save(self) -> None:
        """Somebody who cannot keep it solves puzzles all the same."""
        file = progress_file()
        new = file.with_name(f".{file.name}.{os.getpid()}")
        try:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            new.write_bytes(msgspec.json.format(msgspec.json.encode(self, order="deterministic"), indent=2))
            new.replace(file)
        except OSError:
            new.unlink(missing_ok=True)

    @property
    def streak(self) -> int:
        return streak((date.fromisoformat(day) for day in self.days), today())


def progress_file() -> Path:
    wanted = os.environ.get(VARIABLE)
    return Path(wanted) if wanted else guests_file().with_name("puzzles.json")


class Riddle:
    """A table at which only the best action goes through. To its host it is a match."""

    opening: tuple[Event, ...] = ()

    def __init__(self, puzzle: Puzzle, names: Sequence[str], naming: Naming) -> None:
        self.puzzle, self.seats, self.naming = puzzle, tuple(names), naming
        self.game: AnyGame = puzzle.game
        self.state: Value = puzzle.state
        self.options: Any = puzzle.view.table.options
        self.first: Action | None = None
        """The answer that counts."""
        self.is_told = False
        """The solution was asked for."""

    @property
    def outcome(self) -> Outcome | None:
        return None

    def act(self, seat: Seat, action: Action) -> tuple[Event, ...]:
        option = self.puzzle.option(action)
        if option is None:
            self.game.apply(self.state, seat, action)  # the rules say why not
            raise Unclear(tr("This is not among what can be done here."))
        self.first = self.first or action
        if option is not self.puzzle.best:
            cost = f"{option.cost:.1f}"
            told = tr("{action} costs {cost} points on average: there is something better.", action=self.named(option),
                      cost=cost)  # fmt: skip
            raise Unclear(f"{told} {tr('Try again; auto tells the best.')}")
        return ()

    def named(self, option: Option) -> str:
        return self.naming.of(option.action, option.facts)

    @property
    def is_solved_at_once(self) -> bool:
        return not self.is_told and self.first == self.puzzle.best.action

    def choose(self, view: Any, legal: Sequence[Action], rng: Random) -> Action:
        """Who says `auto` is told the solution."""
        del view, legal, rng
        self.is_told = True
        return self.puzzle.best.action


class Quiz:
    def __init__(self, screen: Screen, progress: Progress) -> None:
        self._screen, self._progress = screen, progress

    def daily(self, game: str, day: date) -> list[str]:
        """What there is to say in the end."""
        puzzle = puzzles(game).on(day)
        try:
            riddle = self._ask(puzzle, tr("Puzzle of the day, {day}", day=day.isoformat()))
        except (Left, Gone):
            return [tr("You have left the puzzle.")]
        if day == today() and not riddle.is_told:
            self._progress.days.add(day.isoformat())
            self._progress.save()
        days = self._progress.streak
        said = [] if self._screen.story_stays else [self._verdict(riddle)]
        if days:
            said.append(tr({"one": "{count} day in a row.", "other": "{count} days in a row."}, count=days))
        return [*said, tr("{command} goes on with others.", command=f"`nimmt puzzles {game} --practice`")]

    def practise(self, game: str, difficulty: Difficulty | None) -> list[str]:
        right = asked = 0
        try:
            while True:
                puzzle = self._next(game, difficulty)
                riddle = self._ask(puzzle, tr("Puzzle {number}", number=asked + 1))
                asked += 1
                right += riddle.is_solved_at_once
                self._progress.places[game] = puzzle.id
                self._progress.save()
        except (Left, Gone):
            return [tr("{right} of {asked} solved at once.", right=right, asked=asked)]

    def _next(self, game: str, difficulty: Difficulty | None) -> Puzzle:
        return puzzles(game).following(difficulty, self._progress.places.get(game))

    def _ask(self, puzzle: Puzzle, title: str) -> Riddle:
        own, others = tr("Player"), iter(SEAT_NAMES)
        names = [own if seat == puzzle.seat else next(others) for seat in range(puzzle.view.table.seats)]
        face = face_of(puzzle.game, names, hints=True)
        riddle = Riddle(puzzle, names, Naming(face))
        host = Host(riddle, face, self._screen, [puzzle.seat], {}, riddle, [Random(0)] * len(names))
        level = {"easy": tr("easy"), "medium": tr("medium"), "hard": tr("hard")}[puzzles(puzzle.game.id).level(puzzle)]
        self._screen.say(f"[{title}] {face.title}, {level}. {tr('One action is clearly best. Which one?')}")
        host.decide(self._decision(puzzle))
        self._progress.solved.setdefault(puzzle.id, riddle.is_solved_at_once)
        self._progress.save()
        for line in self._solution(riddle):
            self._screen.say(line)
        self._screen.pause(host.picture(), tr("Enter goes on"))
        return riddle

    def _decision(self, puzzle: Puzzle) -> Decision:
        pending = puzzle.game.pending(puzzle.state)
        return next((one for one in pending if one.seat == puzzle.seat), Decision(puzzle.seat, pending[0].kind))

    def _verdict(self, riddle: Riddle) -> str:
        best = riddle.named(riddle.puzzle.best)
        if riddle.is_told:
            return tr("Best is {action}.", action=best)
        return tr("Right! {action} is best.", action=best)

    def _solution(self, riddle: Riddle) -> list[str]:
        puzzle = riddle.puzzle
        ranked: list[Option] = sorted(puzzle.options, key=lambda one: one.cost)[:TOLD]
        costs = ", ".join(f"{riddle.named(one)} +{one.cost:.1f}" for one in ranked[1:])
        best, beaten = puzzle.best, puzzle.beaten(riddle.first or puzzle.best.action)
        return [
            self._verdict(riddle),
            riddle.naming.reason(beaten.action, beaten.facts, best.action, best.facts),
            tr("Cost of the others, in points: {costs}.", costs=costs),
        ]
