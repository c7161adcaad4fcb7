"""Finding puzzles: matches are played or read, their decisions judged, and those kept that have one clear answer.

Most decisions are given up after a few worlds. What is left is judged twice with worlds of its own, the second time
with ten times as many; whatever is not best by more than four standard errors both times is no puzzle.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from random import Random
from typing import Any, NamedTuple

import msgspec
import numpy as np

from nimmt.bots import get_bot, puzzle_player
from nimmt.bots.bot import advance, seeded
from nimmt.bots.judge import MAX_ACTIONS, Floats, Judge, Trial, judge_of, seed_of
from nimmt.bots.simple import cost_of
from nimmt.insight.crew import Crew
from nimmt.insight.puzzles import SURE, TIMES, Header, Judged, Line, Option, Puzzle, Puzzles, Source, puzzle_id
from nimmt.insight.reasons import prospect
from nimmt.insight.review import SURE as MISTAKE_SURE
from nimmt.insight.review import THRESHOLD
from nimmt.match.record import Record, RecordError, SeatInfo
from nimmt.match.story import read_story
from nimmt.rules import registry
from nimmt.rules.game import Action, AnyGame, Seat
from nimmt.rules.kit.options import chosen_options
from nimmt.rules.kit.seats import SEAT_NAMES

WORLDS = 200
GLANCE, HOPEFUL = 40, 1.2
"""Worlds of a first look, and the standard errors that the best action must be ahead in it to be worth more of them."""
MIN_ACTIONS = 3
MAX_PER_MATCH = 4
"""More would look alike."""
OBVIOUS = 0.4
"""At most this share of the puzzles is solved by whoever plays what costs least at once."""
PLAYERS = ("club", "expert")
"""Who plays the matches: all seats of a match alike."""
SEATS = (4, 3, 5, 2, 4, 6, 3, 8, 10)
"""How many sit there, in turn, where the game has room for them."""
ASKED = 5
"""How often those who leave something to chance are asked how they would decide."""


class Progress(NamedTuple):
    """How far the search is."""

    found: int
    matches: int
    positions: int


Tick = Callable[[Progress], None]


class Position(NamedTuple):
    """A decision of a match, from the eyes of its seat."""

    view: Any
    legal: Sequence[Action]
    turn: tuple[int, int]
    source: Source

    @property
    def seat(self) -> Seat:
        seat: Seat = self.view.seat
        return seat


# -- looking for them --------------------------------------------------------------------------------------------------


class Mine:
    """Collects puzzles of a game until there are enough; goes on where a file has ended."""

    def __init__(self, game: AnyGame, *, seed: str = "puzzles", worlds: int = WORLDS, crew: Crew | None = None) -> None:
        self.game, self._crew = game, crew or Crew()
        self.header = Header(game=game.id, rules_version=game.rules_version, evaluator=judge_of(game).name,
                             worlds=worlds, seed=seed)  # fmt: skip
        self.lines: list[Line] = []
        self._ids: set[str] = set()
        self._obvious = 0
        self._looked = 0
        """Positions of the match that is being looked through."""

    @classmethod
    def resumed(cls, kept: Puzzles, crew: Crew | None = None) -> Mine:
        """Raises `ValueError` if the puzzles were judged by another judge: they would not be comparable."""
        mine = cls(kept.game, seed=kept.header.seed, worlds=kept.header.worlds, crew=crew)
        if mine.header.evaluator != kept.header.evaluator:
            raise ValueError(f"The file was judged by {kept.header.evaluator}; here judges {mine.header.evaluator}.")
        mine.header = kept.header
        # A match that was not looked through to its end is looked through again: then all is as if in one go.
        whole = [puzzle for puzzle in kept if puzzle.source.number <= kept.header.matches]
        mine.lines = [puzzle.line for puzzle in whole]
        mine._ids = {line.id for line in mine.lines}
        mine._obvious = sum(
            _is_obvious(puzzle.game, puzzle.view, puzzle.actions, puzzle.best.action) for puzzle in whole
        )
        return mine

    def dig(self, count: int, tick: Tick | None = None) -> Iterator[Line]:
        """Play matches until the file has so many puzzles; each is told as soon as it is found."""
        following = self._played(self.header.matches + 1)
        while len(self.lines) < count:
            number = self.header.matches + 1
            found, following = following(), self._played(number + 1)
            yield from self._through(found, count, tick)
            if len(self.lines) < count:
                self._note(matches=number)

    def _played(self, number: int) -> Callable[[], list[Position]]:
        return self._crew.ask(decisions, self.game.id, self.header.seed, number)

    def search(self, record: Record, count: int, tick: Tick | None = None) -> Iterator[Line]:
        """Look through a record; raises `RecordError` if it breaks a rule or is of another game."""
        if record.game != self.game.id:
            raise RecordError("$.game", f"these are puzzles of {self.game.id}")
        yield from self._through(positions(record, Source(0, record=record.digest or "")), count, tick)
        self._note(matches=self.header.matches)

    def _through(self, found: Iterable[Position], count: int, tick: Tick | None) -> Iterator[Line]:
        """In any order, so that not all puzzles are beginnings; of a turn at most one, as the others look alike."""
        if len(self.lines) >= count:
            return
        shuffled, turns = list(found), set[tuple[int, int]]()
        Random(f"{self.header.seed}/{self.header.matches}").shuffle(shuffled)
        for asked in self._asked(shuffled, turns):
            if asked.position.turn in turns:
                continue
            self._looked += 1
            name = puzzle_id(self.game.id, msgspec.json.encode(asked.position.view))
            line = None if name in self._ids else self._answered(asked)
            if line is not None:
                self._ids.add(name)
                self.lines.append(line)
                yield line
            if name in self._ids:
                turns.add(asked.position.turn)
            if tick:
                tick(Progress(len(self.lines), self.header.matches, self.header.positions + self._looked))
            if len(self.lines) >= count or len(turns) == MAX_PER_MATCH:
                return

    def _note(self, matches: int) -> None:
        """So many matches have been looked through to their end."""
        positions, self._looked = self.header.positions + self._looked, 0
        self.header = msgspec.structs.replace(self.header, matches=matches, positions=positions)

    def _asked(self, found: Iterable[Position], turns: Set[tuple[int, int]]) -> Iterator[Asked]:
        """What is worth looking at, as many questions ahead as the crew can do with."""
        ahead = deque[Asked]()
        for position in found:
            if position.turn not in turns:
                room = self._has_room_for_obvious
                look = self._crew.ask(look_at, self.header, position, room)
                ahead.append(Asked(position, room, look))
            if len(ahead) > self._crew.ahead:
                yield ahead.popleft()
        yield from ahead

    def _answered(self, asked: Asked) -> Line | None:
        """Whatever was found since it was asked, the answer is as if it had been asked only now."""
        room, look = self._has_room_for_obvious, asked.look()
        if look.is_obvious and room and not asked.had_room:  # then it was not looked at to the end
            look = self._crew.ask(look_at, self.header, asked.position, room)()
        if look.line is None or (look.is_obvious and not room):
            return None
        self._obvious += look.is_obvious
        return look.line

    @property
    def _has_room_for_obvious(self) -> bool:
        return self._obvious < OBVIOUS * (len(self.lines) + 1)


class Look(NamedTuple):
    """What came of looking at a position."""

    line: Line | None = None
    """Nothing if it is no puzzle, or was not looked at to the end."""
    is_obvious: bool = False
    """What is best is what costs least at once."""


class Asked(NamedTuple):
    position: Position
    had_room: bool
    """Whether something obvious was wanted when it was asked."""
    look: Callable[[], Look]


def look_at(header: Header, position: Position, room_for_obvious: bool) -> Look:
    """Judge a position as far as it may become a puzzle."""
    game = registry.get(header.game)
    judge, view, legal = judge_of(game), position.view, position.legal
    if not _is_hopeful(game, judge, view, legal):
        return Look()
    first = _tried(game, judge, view, legal, header.worlds, judge.name)
    if first is None:
        return Look()
    is_obvious = _is_obvious(game, view, legal, legal[first.best])
    if is_obvious and not room_for_obvious:
        return Look(None, is_obvious)  # before the second judgement, which costs most
    tried = _tried_again(game, judge, view, legal, header.worlds, first)
    if tried is None:
        return Look()
    so_far, options = tried
    encoded = msgspec.json.encode(view)
    line = Line(puzzle_id(game.id, encoded), 0, so_far, position.source, msgspec.Raw(encoded), options)
    puzzle = Puzzle(game, header, line)
    if not puzzle.is_proven or not all(_is_mistake(one) for one in puzzle.options if one is not puzzle.best):
        return Look()
    return Look(msgspec.structs.replace(line, difficulty=difficulty(puzzle)), is_obvious)


def _is_hopeful(game: AnyGame, judge: Judge, view: Any, legal: Sequence[Action]) -> bool:
    trial = judge.try_out(view, legal, GLANCE, seed_of(f"{judge.name} glance", view))
    gaps, _ = gaps_of(results(game, trial, view), sign_of(game, view))
    means, errors = gaps.mean(axis=0), _errors(gaps)
    others = np.arange(len(legal)) != means.argmin()
    return bool((means[others] > HOPEFUL * errors[others]).all())


def decisions(game: str, seed: str, number: int) -> list[Position]:
    return list(played(registry.get(game), seed, number))


def played(game: AnyGame, seed: str, number: int) -> Iterator[Position]:
    """The decisions of a match of bots: variants, numbers of seats and players take turns."""
    variant, bots = game.variants[number % len(game.variants)], PLAYERS[number % len(PLAYERS)]
    source = Source(0, number, variant.id, bots)
    return positions(record_of(game, seed, source, _seats(game, variant.max_seats, number)), source)


def _seats(game: AnyGame, most: int | None, number: int) -> int:
    """Goes round by itself: it must not keep step with variants and players."""
    possible = [seats for seats in SEATS if game.min_seats <= seats <= min(game.max_seats, most or game.max_seats)]
    return possible[(number // (len(game.variants) * len(PLAYERS))) % len(possible)]


def record_of(game: AnyGame, seed: str, source: Source, seats: int) -> Record:
    """The match with this number of `nimmt simulate --seed SEED`, with the same bot at all seats."""
    options = chosen_options(game, source.variant, None, {})
    infos = [SeatInfo(name, source.bots) for name in SEAT_NAMES[:seats]]
    match, chances = seeded(game, options, infos, seed, source.number)
    bots = [puzzle_player(source.bots, game)] * seats
    while advance(match, bots, chances) is not None:
        pass
    return match.record()


def positions(record: Record, source: Source) -> Iterator[Position]:
    """All decisions with a real choice, none of which hangs on a list too long to be judged whole."""
    story = read_story(record)
    if story.error:
        raise story.error
    game, number = story.game, -1
    state: Any = game.setup(story.options, len(record.seats))
    for scene in story.scenes:
        before, state, seat = state, scene.step.state, scene.step.seat
        if seat is None:
            continue
        number += 1
        view, legal = game.view(before, seat), game.legal(before, seat)
        if MIN_ACTIONS <= len(legal) <= MAX_ACTIONS and getattr(view, "choice", None) is None:
            yield Position(view, legal, (scene.round, scene.turn), msgspec.structs.replace(source, decision=number))


# -- judging -----------------------------------------------------------------------------------------------------------


def sign_of(game: AnyGame, view: Any) -> float:
    return -1.0 if game.high_score_wins(view.table.options) else 1.0


def results(game: AnyGame, trial: Trial, view: Any) -> Floats:
    """Points of the round by world and action, for the seat or its team."""
    own: Floats = trial.points[:, :-1, view.seat]
    return own - trial.rival[:, :-1] if game.cooperative else own


def gaps_of(points: Floats, sign: float) -> tuple[Floats, int]:
    """How much worse than the best one each action is in each world, and which is best."""
    signed = sign * points
    best = int(signed.mean(axis=0).argmin())
    return signed - signed[:, best : best + 1], best


def _errors(gaps: Floats) -> Floats:
    errors: Floats = gaps.std(axis=0, ddof=1) / np.sqrt(len(gaps))
    return errors


class Clear(NamedTuple):
    """What came of every action in some worlds, where one of them is clearly best."""

    trial: Trial
    points: Floats
    gaps: Floats
    best: int


def tried_twice(
    game: AnyGame, judge: Judge, view: Any, legal: Sequence[Action], worlds: int
) -> tuple[float, tuple[Judged, ...]] | None:
    """What the seat has so far, and what every action brings; nothing if it has no clear answer."""
    first = _tried(game, judge, view, legal, worlds, judge.name)
    return first and _tried_again(game, judge, view, legal, worlds, first)


def _tried(game: AnyGame, judge: Judge, view: Any, legal: Sequence[Action], worlds: int, name: str) -> Clear | None:
    """What comes of every action, if one is clearly best."""
    trial = judge.try_out(view, legal, worlds, seed_of(name, view))
    points = results(game, trial, view)
    gaps, best = gaps_of(points, sign_of(game, view))
    return Clear(trial, points, gaps, best) if _is_clear(gaps, best) else None


def _tried_again(
    game: AnyGame, judge: Judge, view: Any, legal: Sequence[Action], worlds: int, first: Clear
) -> tuple[float, tuple[Judged, ...]] | None:
    """In ten times as many other worlds; nothing if something else is best there."""
    sure = _tried(game, judge, view, legal, TIMES * worlds, f"{judge.name} again")
    if sure is None or sure.best != first.best:
        return None
    columns = (first.points.mean(axis=0), _errors(first.gaps), sure.points.mean(axis=0), _errors(sure.gaps))
    figures = np.round(np.stack(columns), 3).T.tolist()
    facts = [prospect(sure.trial, sure.points, legal, number) for number in range(len(legal))]
    tried = tuple(
        Judged(msgspec.Raw(msgspec.json.encode(action)), value, error, sure_value, sure_error, round(fact.takes, 1),
              fact.price)
        for action, (value, error, sure_value, sure_error), fact in zip(legal, figures, facts, strict=True)
    )  # fmt: skip
    return float(sure.trial.so_far), tried


def _is_clear(gaps: Floats, best: int) -> bool:
    others = np.arange(gaps.shape[1]) != best
    return bool((gaps.mean(axis=0)[others] > SURE * _errors(gaps)[others]).all())


def _is_mistake(option: Option) -> bool:
    """Whether a review would say so."""
    return option.cost - MISTAKE_SURE * option.error > THRESHOLD


# -- how hard ----------------------------------------------------------------------------------------------------------


def _is_obvious(game: AnyGame, view: Any, legal: Sequence[Action], best: Action) -> bool:
    """Whether it is what costs least at once."""
    return get_bot("greedy", game).choose(view, legal, Random(0)) == best


def difficulty(puzzle: Puzzle) -> int:
    """Half of it is who misses it, a quarter how many actions look cheaper, a quarter how near the second best is."""
    looks = _rank(puzzle) / (len(puzzle.actions) - 1)
    near = 1 / (1 + puzzle.second_best.cost)
    return round(100 * (0.5 * _missed(puzzle) + 0.25 * looks + 0.25 * near))


def _missed(puzzle: Puzzle) -> float:
    """The share of wrong answers of those who were asked."""
    wrong = []
    for name in ("greedy", "club", "expert"):
        bot = get_bot(name, puzzle.game)
        answers = [bot.choose(puzzle.view, puzzle.actions, Random(f"{puzzle.id}/{n}")) for n in range(ASKED)]
        wrong.append(sum(answer != puzzle.best.action for answer in answers) / ASKED)
    return sum(wrong) / len(wrong)


def _rank(puzzle: Puzzle) -> int:
    cost = cost_of(puzzle.game)
    if cost is None:
        return 0
    own = cost(puzzle.view, puzzle.best.action)[:1]
    return sum(cost(puzzle.view, action)[:1] < own for action in puzzle.actions)


# -- checking ----------------------------------------------------------------------------------------------------------

TOLERANCE = 0.0011
"""Figures are rounded to thousandths."""


class Checked(NamedTuple):
    """What came of computing a puzzle again."""

    puzzle: Puzzle
    complaint: str
    """Nothing if all is as the file says."""


def check(puzzle: Puzzle) -> Checked:
    """Play its match again, if bots played it, and judge the position anew."""
    return Checked(puzzle, _source_complaint(puzzle) or _figures_complaint(puzzle))


def _source_complaint(puzzle: Puzzle) -> str:
    source, header, game = puzzle.source, puzzle.header, puzzle.game
    if puzzle.id != puzzle_id(game.id, bytes(puzzle.line.view)):
        return "its id does not follow from its position"
    if not source.number:
        return ""
    record = record_of(game, header.seed, source, puzzle.view.table.seats)
    for position in positions(record, source):
        if position.source.decision == source.decision:
            return "" if position.view == puzzle.view else "its match was played again and came to another position"
    return "its match was played again and has no such decision"


def _figures_complaint(puzzle: Puzzle) -> str:
    game, view = puzzle.game, puzzle.view
    judge = judge_of(game)
    if tuple(game.legal_for(view)) != puzzle.actions:
        return "its actions are not those that are legal"
    if not puzzle.is_proven:
        return "its own figures do not prove it"
    found = tried_twice(game, judge, view, puzzle.actions, puzzle.header.worlds)
    if found is None:
        return f"{judge.name} sees no action that is clearly best"
    again = Puzzle(game, puzzle.header, msgspec.structs.replace(puzzle.line, so_far=found[0], tried=found[1]))
    if again.best.action != puzzle.best.action:
        return f"{judge.name} thinks that {again.best.facts.what} is best, not {puzzle.best.facts.what}"
    if judge.name != puzzle.header.evaluator:
        return ""  # another judge has other figures; that it comes to the same answer is what can be asked of it
    return "" if _same(puzzle.line.tried, found[1]) else "its figures are not those that come out"


def _same(one: Sequence[Judged], other: Sequence[Judged]) -> bool:
    return all(
        abs(getattr(a, name) - getattr(b, name)) <= TOLERANCE
        for a, b in zip(one, other, strict=True)
        for name in ("value", "error", "sure_value", "sure_error")
    )
